"""The read path, top to bottom: freshen, analyse, find, fuse, read, explain."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vademecum.analysis import MOST_WORDS, Analyzer, analyse
from vademecum.domain import (
    Answer,
    DocumentKind,
    Filter,
    Hit,
    Query,
    Recipe,
    Skipped,
    Space,
    Timing,
    Unit,
)
from vademecum.errors import InvalidQuery
from vademecum.highlights import Highlighter
from vademecum.ports import Library, Scope, Vault
from vademecum.ranking import rank

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

    def search(self, query: Query, recipe: Recipe) -> Answer:
        """The best hits for a query.

        InvalidQuery is raised for a limit below 1 or spaces that may not be mixed; any text is
        legal.
        """
        if query.limit < 1:
            raise InvalidQuery(f"limit must be at least 1, got {query.limit}")
        scope = Scope(self.readable(query.spaces), _where(query))
        clock = _Stopwatch()
        with clock.step("sync"):
            skipped = list(self.freshen())
        if query.text.strip() == EVERYTHING:
            hits = self._everything(query, scope, skipped)
        else:
            hits = self._ranked(query, recipe, scope, skipped, clock)
        return Answer(
            query=query,
            recipe=recipe,
            spaces=scope.spaces,
            hits=hits,
            skipped=tuple(skipped),
            timings=clock.timings(),
        )

    def _ranked(
        self,
        query: Query,
        recipe: Recipe,
        scope: Scope,
        skipped: list[Skipped],
        clock: _Stopwatch,
    ) -> tuple[Hit, ...]:
        with self.library.reading(scope) as reading:
            with clock.step("analyse"):
                question = analyse(query.text, self.analyzer, reading.languages)
            if not question.words:
                skipped.append(Skipped("query", f"no searchable word in {_short(query.text)!r}"))
                return ()
            if len(question.words) > MOST_WORDS:
                skipped.append(
                    Skipped(
                        "query",
                        f"only the {MOST_WORDS} rarest of {len(question.words)} different words"
                        " were looked for",
                    )
                )
            with clock.step("rank"):
                ranked = rank(query, recipe, question, reading, self.vault)
                skipped.extend(ranked.skipped)
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
                skipped.append(Skipped(str(one.document.path), "changed while it was being read"))
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

    def _everything(self, query: Query, scope: Scope, skipped: list[Skipped]) -> tuple[Hit, ...]:
        """All documents of a range by time, each shown by its first passage."""
        page = self.library.list(scope, limit=query.limit, after=None)
        hits: list[Hit] = []
        for document in page.items:
            where = replace(scope.where, documents=frozenset({document.id}))
            with self.library.reading(Scope((document.space,), where)) as reading:
                assert reading.allowed is not None  # the scope names a document
                places = np.flatnonzero(reading.allowed)[:1].tolist()
                found = reading.found(places)
            texts = self.vault.read_passages([one.source for one in found])
            if not found or texts[0] is None:
                skipped.append(Skipped(str(document.path), "changed while it was being read"))
                continue
            shown = replace(found[0].passage, text=texts[0])
            hits.append(Hit(passage=shown, document=document, score=0.0))
        return tuple(hits)


def _where(query: Query) -> Filter:
    """The filter of a query, narrowed to the kind of document its unit asks for."""
    wanted = _KINDS.get(query.unit)
    if wanted is None:
        return query.where
    return replace(query.where, kinds=(query.where.kinds & wanted) or wanted)


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
