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
from vademecum.fusion import Fused, best_of_each, candidates, fuse, order, roll_up
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
            found[at].append(Contribution(LITERAL, "exact", float(literals[at])))
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
    introduced = [
        _introduced(use, bench.evidence[use.channel], reading.allowed)
        for use in bench.uses
        if use.depth
    ]
    literal = np.array(sorted(bench.literals), np.int64)
    pool = np.unique(np.concatenate([literal, *introduced]))
    of_view = dict.fromkeys(View, pool) | {View.DOCUMENT: reading.document_of[pool]}
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


def _introduced(use: Use, evidence: Evidence, allowed: Mask | None) -> Units:
    """The passages that a use brings into the pool."""
    match use.view:
        case View.PASSAGE | View.OWN_WORDS:
            return candidates(evidence.everywhere(use.view), use.depth, allowed)
        case View.NEIGHBOURS:
            # What stands beside a good passage; to score every window would find little more.
            good = candidates(evidence.everywhere(View.PASSAGE), use.depth, None)
            return _permitted(evidence.around(good), allowed)
        case View.DOCUMENT:
            # A document has no best passage of its own: its view adds to scores only.
            return np.empty(0, np.int64)


def _rank_documents(bench: _Bench, limit: int) -> _Result:
    reading = bench.reading
    allowed = _allowed_documents(reading)
    pools = [reading.document_of[np.array(sorted(bench.literals), np.int64)]]
    for use in bench.uses:
        if use.depth and use.view is View.DOCUMENT:
            scores = bench.evidence[use.channel].everywhere(use.view)
            pools.append(candidates(scores, use.depth, allowed))
        elif use.depth:
            passages = bench.evidence[use.channel].everywhere(
                View.PASSAGE if use.view is View.NEIGHBOURS else use.view
            )
            if reading.allowed is not None:
                passages = np.where(reading.allowed, passages, 0.0)
            pools.append(candidates(best_of_each(passages, reading.starts), use.depth, None))
    pool = np.unique(np.concatenate(pools))
    inside = _Inside(reading, pool)
    by_use = {
        use.name: inside.scores(bench.evidence[use.channel], use.view)
        for use in bench.uses
        if use.view is not View.DOCUMENT
    }
    parts = [
        (
            use,
            bench.evidence[use.channel].at(View.DOCUMENT, pool)
            if use.view is View.DOCUMENT
            else roll_up(by_use[use.name], inside.starts, use.rollup),
        )
        for use in bench.uses
    ]
    literals: dict[int, float] = {}
    for passage, share in bench.literals.items():
        document = int(reading.document_of[passage])
        literals[document] = max(share, literals.get(document, 0.0))
    extra = {LITERAL: _literal_amounts(pool.tolist(), literals, bench.literal_bonus)}
    fused = order(fuse(pool, parts, extra), limit=limit, ids_of=reading.document_ids)

    places = np.searchsorted(pool, fused.units).tolist()
    sources = {
        use.name: fused.units.reshape(-1, 1).tolist()
        if use.view is View.DOCUMENT
        else [inside.makers(by_use[use.name], place, use.rollup) for place in places]
        for use in bench.uses
    }
    return fused, _shown(bench, inside, by_use, places), sources


class _Inside:
    """The passages of some documents side by side. `starts` has the first of each, and the end."""

    def __init__(self, reading: Reading, documents: Units) -> None:
        low, high = reading.starts[documents], reading.starts[documents + 1]
        sizes = high - low
        self.starts: Units = np.concatenate(([0], np.cumsum(sizes)))
        self.passages: Units = np.repeat(low - self.starts[:-1], sizes) + np.arange(sizes.sum())
        self.allowed = None if reading.allowed is None else reading.allowed[self.passages]

    def scores(self, evidence: Evidence, view: View) -> Scores:
        """The scores of these passages; 0 for those the filter leaves out."""
        scores = evidence.at(view, self.passages)
        return scores if self.allowed is None else np.where(self.allowed, scores, 0.0)

    def makers(self, scores: Scores, place: int, rollup: Rollup) -> list[int]:
        """The passages that the rolled-up score of one document was made of."""
        low = int(self.starts[place])
        own = scores[low : self.starts[place + 1]]
        best = np.argsort(-own, kind="stable")[: 1 if rollup is Rollup.BEST else 3]
        return [int(passage) for passage in self.passages[low + best[own[best] > 0]]]


def _shown(
    bench: _Bench, inside: _Inside, by_use: Mapping[str, Scores], places: Sequence[int]
) -> list[int]:
    """The passage to show of each document: its best by the sum of the passage views."""
    total = np.zeros(len(inside.passages))
    for use in bench.uses:
        if use.view is not View.DOCUMENT:
            best = float(by_use[use.name].max(initial=0.0)) or 1.0
            total += use.weight * by_use[use.name] / best
    for passage, share in bench.literals.items():
        total[np.searchsorted(inside.passages, passage)] += share
    if inside.allowed is not None:
        total[~inside.allowed] = -1.0
    return [
        int(inside.passages[low + int(np.argmax(total[low : inside.starts[place + 1]]))])
        for place in places
        for low in (int(inside.starts[place]),)
    ]


def _allowed_documents(reading: Reading) -> Mask | None:
    """The documents of which at least one passage is allowed; None if all are."""
    if reading.allowed is None:
        return None
    return best_of_each(reading.allowed.astype(float), reading.starts) > 0


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
