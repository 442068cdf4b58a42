"""One question against one reading of the index: which units, in which order, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vademecum.analysis import Question
from vademecum.domain import (
    ChannelName,
    Contribution,
    Query,
    Recipe,
    Rollup,
    Skipped,
    Unit,
    Use,
    View,
)
from vademecum.fusion import Fused, candidates, fuse, order, roll_up
from vademecum.highlights import holds_phrase
from vademecum.ports import Evidence, Mask, Reading, Scores, Units, Vault

RARE: Final = 20
"""An exact identifier in at most so many passages counts as a literal that was asked for."""

MOST_PHRASE_CHECKS: Final = 200
"""Passages whose text is read to see whether a quoted phrase really stands there."""

LITERAL: Final = "literal"


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best units of a query, each shown by one passage."""

    fused: Fused
    passages: Sequence[int]
    skipped: Sequence[Skipped]
    evidence: Mapping[ChannelName, Evidence]
    uses: Sequence[Use]
    sources: Mapping[str, Sequence[Sequence[int]]]
    """For each use and each rank: the units of its view that the score was made of."""

    def contributions(self) -> Sequence[tuple[Contribution, ...]]:
        """Why each hit has its score, field by field; they add up to it."""
        found: list[list[Contribution]] = [[] for _ in self.passages]
        for use in self.uses:
            sources = self.sources[use.name]
            units = np.array([unit for made_of in sources for unit in made_of], np.int64)
            hits = np.repeat(np.arange(len(sources)), [len(made_of) for made_of in sources])
            by_field = {
                field: np.bincount(hits, shares, minlength=len(sources))
                for field, shares in self.evidence[use.channel].by_field(use.view, units).items()
            }
            whole = np.maximum(sum(by_field.values(), np.zeros(len(sources))), 1e-300)
            for field, shares in by_field.items():
                amounts = self.fused.amounts[use.name] * shares / whole
                for at in np.flatnonzero(amounts).tolist():
                    found[at].append(Contribution(use.name, field.value, float(amounts[at])))
        literals = self.fused.amounts[LITERAL]
        for at in np.flatnonzero(literals).tolist():
            found[at].append(Contribution(LITERAL, "body", float(literals[at])))
        return [tuple(contributions) for contributions in found]


def rank(
    query: Query, recipe: Recipe, question: Question, reading: Reading, vault: Vault
) -> Ranked:
    """The best `query.limit` units of a reading by a recipe."""
    evidence: dict[ChannelName, Evidence] = {}
    skipped: list[Skipped] = []
    for channel in dict.fromkeys(use.channel for use in recipe.uses(query.unit)):
        known = reading.evidence(channel, question, recipe.bm25)
        if known is None:
            skipped.append(Skipped(channel, "this vault has no such channel"))
        else:
            evidence[channel] = known
    bench = _Bench(
        reading,
        evidence,
        [use for use in recipe.uses(query.unit) if use.channel in evidence],
        _literals(question, reading, evidence, vault),
        recipe.literal_bonus,
    )
    fused, passages, sources = (
        _rank_passages(bench, query.limit)
        if query.unit is Unit.PASSAGE
        else _rank_documents(bench, query.limit)
    )
    return Ranked(fused, passages, skipped, evidence, bench.uses, sources)


@dataclass(frozen=True, slots=True)
class _Bench:
    """All that ranking needs, whatever the unit."""

    reading: Reading
    evidence: Mapping[ChannelName, Evidence]
    uses: Sequence[Use]
    literals: Mapping[int, float]
    literal_bonus: float


_Result = tuple[Fused, Sequence[int], Mapping[str, Sequence[Sequence[int]]]]


def _rank_passages(bench: _Bench, limit: int) -> _Result:
    reading = bench.reading
    pools = [np.array(sorted(bench.literals), np.int64)]
    for use in bench.uses:
        # A document has no best passage of its own: its view adds to scores, not to the pool.
        if use.depth and use.view is not View.DOCUMENT:
            scores = bench.evidence[use.channel].everywhere(use.view)
            pools.append(candidates(scores, use.depth, reading.allowed))
    pool = np.unique(np.concatenate(pools))
    of_view = {view: pool for view in View} | {View.DOCUMENT: reading.document_of[pool]}
    fused = fuse(
        pool,
        [(u, bench.evidence[u.channel].at(u.view, of_view[u.view])) for u in bench.uses],
        {LITERAL: _literal_amounts(pool.tolist(), bench.literals, bench.literal_bonus)},
    )
    fused = order(fused, limit=limit, ids_of=reading.passage_ids)
    passages = fused.units.tolist()
    documents = reading.document_of[fused.units].tolist()
    sources = {
        use.name: [[unit] for unit in (documents if use.view is View.DOCUMENT else passages)]
        for use in bench.uses
    }
    return fused, passages, sources


def _rank_documents(bench: _Bench, limit: int) -> _Result:
    reading = bench.reading
    starts = reading.starts
    allowed = _allowed_documents(reading)
    by_use: dict[str, Scores] = {}
    pools = [reading.document_of[np.array(sorted(bench.literals), np.int64)]]
    for use in bench.uses:
        scores = bench.evidence[use.channel].everywhere(use.view)
        if use.view is View.DOCUMENT:
            highest = scores
        else:
            scores = scores if reading.allowed is None else np.where(reading.allowed, scores, 0.0)
            highest = roll_up(scores, starts, np.arange(len(starts) - 1), Rollup.BEST)
        by_use[use.name] = scores
        if use.depth:
            pools.append(candidates(highest, use.depth, allowed))
    pool = np.unique(np.concatenate(pools))

    parts = []
    for use in bench.uses:
        scores = by_use[use.name]
        whole = use.view is View.DOCUMENT
        parts.append((use, scores[pool] if whole else roll_up(scores, starts, pool, use.rollup)))
    literals: dict[int, float] = {}
    for passage, share in bench.literals.items():
        document = int(reading.document_of[passage])
        literals[document] = max(share, literals.get(document, 0.0))
    extra = {LITERAL: _literal_amounts(pool.tolist(), literals, bench.literal_bonus)}
    fused = order(fuse(pool, parts, extra), limit=limit, ids_of=reading.document_ids)

    documents = fused.units.tolist()
    sources = {
        use.name: [
            [document]
            if use.view is View.DOCUMENT
            else _makers(by_use[use.name], starts, document, use.rollup)
            for document in documents
        ]
        for use in bench.uses
    }
    shown = _shown(bench, by_use, documents)
    return fused, shown, sources


def _shown(bench: _Bench, by_use: Mapping[str, Scores], documents: Sequence[int]) -> list[int]:
    """The passage to show of each document: its best by the sum of the passage views."""
    starts = bench.reading.starts
    allowed = bench.reading.allowed
    shown = []
    for document in documents:
        low, high = int(starts[document]), int(starts[document + 1])
        total = np.zeros(high - low)
        for use in bench.uses:
            if use.view is not View.DOCUMENT:
                best = float(by_use[use.name].max(initial=0.0)) or 1.0
                total += use.weight * by_use[use.name][low:high] / best
        for passage in range(low, high):
            total[passage - low] += bench.literals.get(passage, 0.0)
        if allowed is not None:
            total[~allowed[low:high]] = -1.0
        shown.append(low + int(np.argmax(total)))
    return shown


def _makers(scores: Scores, starts: Units, document: int, rollup: Rollup) -> list[int]:
    """The passages of a document that its rolled-up score was made of."""
    low = int(starts[document])
    own = scores[low : starts[document + 1]]
    size = 1 if rollup is Rollup.BEST else 3
    best = np.argsort(-own, kind="stable")[:size]
    return [low + at for at in best.tolist() if own[at] > 0]


def _allowed_documents(reading: Reading) -> Mask | None:
    if reading.allowed is None:
        return None
    everything = np.arange(len(reading.starts) - 1)
    return roll_up(reading.allowed.astype(float), reading.starts, everything, Rollup.BEST) > 0


def _literal_amounts(units: Sequence[int], held: Mapping[int, float], bonus: float) -> Scores:
    return bonus * np.array([held.get(unit, 0.0) for unit in units])


def _literals(
    question: Question,
    reading: Reading,
    evidence: Mapping[ChannelName, Evidence],
    vault: Vault,
) -> dict[int, float]:
    """Passages that hold what was asked for to the letter, and which share of it they hold.

    Two things count: an exact identifier (`ZX-4471`, `health.base`) that few passages have, and
    a quoted phrase whose words stand there in their order.
    """
    asked: list[Units] = []
    for known in evidence.values():
        words = known.words_found()
        for number, word in enumerate(words):
            if word.exact and len(holders := known.holders(number)) <= RARE:
                asked.append(holders)
        for phrase in question.phrases:
            inside = [n for n, word in enumerate(words) if word.text in phrase]
            if not inside:
                continue
            scores = known.everywhere(View.PASSAGE)
            together = known.holders(inside[0])
            for number in inside[1:]:
                together = np.intersect1d(together, known.holders(number), assume_unique=True)
            together = _permitted(together, reading.allowed)
            likely = together[np.argsort(-scores[together], kind="stable")][:MOST_PHRASE_CHECKS]
            found = reading.found(likely.tolist())
            texts = vault.read_passages([one.source for one in found])
            asked.append(
                likely[[text is not None and holds_phrase(text, phrase) for text in texts]]
            )
    shares: dict[int, float] = {}
    for holders in asked:
        for passage in _permitted(holders, reading.allowed).tolist():
            shares[passage] = shares.get(passage, 0.0) + 1 / len(asked)
    return shares


def _permitted(passages: Units, allowed: Mask | None) -> Units:
    return passages if allowed is None else passages[allowed[passages]]
