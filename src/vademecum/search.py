"""The read path, top to bottom: freshen, analyse, find, fuse, read, explain."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vademecum.analysis import MOST_WORDS, Analyzer, Question, analyse
from vademecum.domain import (
    Answer,
    DocumentId,
    DocumentKind,
    Filter,
    Hit,
    Place,
    Query,
    Ranking,
    Recipe,
    Skipped,
    Space,
    Timing,
    Unit,
)
from vademecum.errors import InvalidQuery
from vademecum.highlights import Highlighter
from vademecum.ports import Found, Library, Reading, Scope, Vault
from vademecum.ranking import Ranked, rank

EVERYTHING: Final = "*"

_KINDS: Final = {
    Unit.MEMORY: frozenset({DocumentKind.MEMORY}),
    Unit.SESSION: frozenset({DocumentKind.SESSION}),
}


@dataclass(frozen=True, slots=True)
class Searcher:
    """Answers queries. It writes nothing but what `freshen` brings into the index."""

    library: Library
    vault: Vault
    analyzer: Analyzer
    readable: Callable[[Sequence[Space]], tuple[Space, ...]]
    freshen: Callable[[], Sequence[Skipped]]

    def search(self, query: Query, recipe: Recipe, *, fresh: bool) -> Answer:
        """The best hits for a query.

        InvalidQuery is raised for a limit below 1 or spaces that may not be mixed; any text is
        legal.
        """
        asking = self._begin(query, recipe, fresh=fresh)
        hits = self._everything(asking) if _asks_for_everything(query) else self._hits(asking)
        return Answer(
            query=query,
            recipe=recipe,
            spaces=asking.scope.spaces,
            hits=hits,
            skipped=tuple(asking.skipped),
            timings=asking.clock.timings(),
        )

    def rank(self, query: Query, recipe: Recipe, *, fresh: bool) -> Ranking:
        """What `search` finds, in the same order with the same scores, but no file is opened."""
        asking = self._begin(query, recipe, fresh=fresh)
        places: Sequence[Place] = ()
        if _asks_for_everything(query):
            places = [Place(one.document.id, ordinal, 0.0) for one, ordinal in self._range(asking)]
        else:
            with self.library.reading(asking.scope) as reading:
                _, ranked = self._rank(asking, reading)
                places = _places(ranked, reading) if ranked is not None else ()
        return Ranking(
            query=query,
            recipe=recipe,
            spaces=asking.scope.spaces,
            places=tuple(places),
            skipped=tuple(asking.skipped),
            timings=asking.clock.timings(),
        )

    def _begin(self, query: Query, recipe: Recipe, *, fresh: bool) -> _Asking:
        if query.limit < 1:
            raise InvalidQuery(f"limit must be at least 1, got {query.limit}")
        scope = Scope(self.readable(query.spaces), _where(query))
        clock = _Stopwatch()
        with clock.step("sync"):
            skipped = list(self.freshen()) if fresh else []
        return _Asking(query, recipe, scope, skipped, clock)

    def _rank(self, asking: _Asking, reading: Reading) -> tuple[Question, Ranked | None]:
        """None if there is nothing to look for."""
        query, skipped = asking.query, asking.skipped
        with asking.clock.step("analyse"):
            question = analyse(query.text, self.analyzer, reading.languages)
        if not question.words:
            skipped.append(Skipped("query", f"no searchable word in {_short(query.text)!r}"))
            return question, None
        if len(question.words) > MOST_WORDS:
            skipped.append(
                Skipped(
                    "query",
                    f"only the {MOST_WORDS} rarest of {len(question.words)} different words"
                    " were looked for",
                )
            )
        with asking.clock.step("rank"):
            ranked = rank(query, asking.recipe, question, reading, self.vault)
        skipped.extend(ranked.skipped)
        return question, ranked

    def _hits(self, asking: _Asking) -> tuple[Hit, ...]:
        skipped, clock = asking.skipped, asking.clock
        with self.library.reading(asking.scope) as reading:
            question, ranked = self._rank(asking, reading)
            if ranked is None:
                return ()
            with clock.step("explain"):
                found = reading.found(ranked.passages)
                explained = ranked.contributions()
            languages = sorted(reading.languages, key=lambda language: language.value)
        with clock.step("read"):
            texts = self.vault.read_passages([one.source for one in found])
        terms = frozenset(term for word in question.words for term in word.terms)
        highlighter = Highlighter(terms, self.analyzer, languages)
        hits = []
        for one, score, contributions, text in zip(
            found, ranked.fused.totals.tolist(), explained, texts, strict=True
        ):
            if text is None:
                skipped.append(_changed(one))
                continue
            hits.append(
                Hit(
                    passage=replace(one.passage, text=text),
                    document=one.document,
                    score=score,
                    contributions=contributions,
                    highlights=highlighter.spans(text),
                )
            )
        return tuple(hits)

    def _everything(self, asking: _Asking) -> tuple[Hit, ...]:
        found = [one for one, _ in self._range(asking)]
        texts = self.vault.read_passages([one.source for one in found])
        hits = []
        for one, text in zip(found, texts, strict=True):
            if text is None:
                asking.skipped.append(_changed(one))
            else:
                shown = replace(one.passage, text=text)
                hits.append(Hit(passage=shown, document=one.document, score=0.0))
        return tuple(hits)

    def _range(self, asking: _Asking) -> list[tuple[Found, int]]:
        """All documents of a range by time, each with its first passage that is asked for."""
        scope = asking.scope
        page = self.library.list(scope, limit=asking.query.limit, after=None)
        firsts: list[tuple[Found, int]] = []
        for document in page.items:
            where = replace(scope.where, documents=frozenset({document.id}))
            with self.library.reading(Scope((document.space,), where)) as reading:
                assert reading.allowed is not None  # the scope names a document
                for place in np.flatnonzero(reading.allowed)[:1].tolist():
                    start = int(reading.starts[reading.document_of[place]])
                    firsts.extend((one, place - start) for one in reading.found([place]))
        return firsts


@dataclass(frozen=True, slots=True)
class _Asking:
    """One call on its way. `skipped` and `clock` are filled as it goes."""

    query: Query
    recipe: Recipe
    scope: Scope
    skipped: list[Skipped]
    clock: _Stopwatch


def _asks_for_everything(query: Query) -> bool:
    return query.text.strip() == EVERYTHING


def _places(ranked: Ranked, reading: Reading) -> list[Place]:
    passages = np.array(ranked.passages, np.int64)
    documents = reading.document_of[passages]
    ids = reading.document_ids(documents.tolist())
    ordinals = (passages - reading.starts[documents]).tolist()
    scores = ranked.fused.totals.tolist()
    return [
        Place(DocumentId(identity), ordinal, score)
        for identity, ordinal, score in zip(ids, ordinals, scores, strict=True)
    ]


def _changed(found: Found) -> Skipped:
    return Skipped(str(found.document.path), "changed while it was being read")


def _where(query: Query) -> Filter:
    """The filter of a query, narrowed to the kind of document its unit asks for."""
    wanted = _KINDS.get(query.unit)
    if wanted is None:
        return query.where
    kinds = query.where.kinds or wanted
    if not kinds & wanted:
        asked = ", ".join(sorted(kind.value for kind in kinds))
        raise InvalidQuery(f"the unit {query.unit.value} can never be of the kind {asked}")
    return replace(query.where, kinds=kinds & wanted)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Stopwatch:
    def __init__(self) -> None:
        self._timings: list[Timing] = []

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self._timings.append(Timing(name, (time.perf_counter() - start) * 1000))

    def timings(self) -> tuple[Timing, ...]:
        return tuple(self._timings)
