"""Scores of several views in, one order out. Pure; the explanation falls out of the arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vademecum.domain import Rollup, Use
from vademecum.ports import Mask, Scores, Units


@dataclass(frozen=True, slots=True)
class Fused:
    """Units best first, their totals, and what each part added to each of them."""

    units: Units
    totals: Scores
    amounts: Mapping[str, Scores]

    def head(self, size: int) -> Fused:
        """The best of them."""
        return Fused(
            self.units[:size],
            self.totals[:size],
            {name: amounts[:size] for name, amounts in self.amounts.items()},
        )


IdsOf = Callable[[Sequence[int]], Sequence[str]]
"""The ids of some units, by which ties are broken."""


def fuse(pool: Units, parts: Sequence[tuple[Use, Scores]], extra: Mapping[str, Scores]) -> Fused:
    """Divide each use's scores over the pool by their best, weight and add them; unordered yet.

    Dividing by the best of the query keeps how far behind it the others are, which ranks throw
    away and z-scores make depend on the rest of the pool.
    """
    amounts: dict[str, Scores] = {}
    for use, scores in parts:
        best = float(scores.max(initial=0.0))
        amounts[use.name] = use.weight * scores / best if best > 0 else np.zeros(len(pool))
    amounts.update(extra)
    totals = np.zeros(len(pool))
    # Added in the order of names, so that the total does not depend on the order of uses.
    for name in sorted(amounts):
        totals += amounts[name]
    return Fused(pool, totals, amounts)


def order(fused: Fused, *, limit: int, ids_of: IdsOf) -> Fused:
    """The best `limit` of those with a positive total, best first; ties go to the smaller id."""
    chosen = best(fused.totals, limit, ids_of=lambda at: ids_of(fused.units[list(at)].tolist()))
    return Fused(
        fused.units[chosen],
        fused.totals[chosen],
        {name: amounts[chosen] for name, amounts in fused.amounts.items()},
    )


def best(scores: Scores, limit: int, *, ids_of: IdsOf) -> Units:
    """Where the `limit` highest positive scores stand, best first; ties go to the smaller id."""
    places = np.flatnonzero(scores > 0)
    if len(places) > limit:
        edge = np.partition(scores[places], len(places) - limit)[len(places) - limit]
        above = places[scores[places] > edge]
        level = places[scores[places] == edge]
        if len(above) + len(level) > limit:
            ids = ids_of(level.tolist())
            firsts = sorted(range(len(level)), key=ids.__getitem__)[: limit - len(above)]
            level = level[firsts]
        places = np.concatenate((above, level))
    places = places[np.argsort(-scores[places])]
    values = scores[places]
    tied = np.zeros(len(places), np.bool_)
    tied[1:] = values[1:] == values[:-1]
    tied[:-1] |= tied[1:]
    level = places[tied]
    if len(level):
        ids = ids_of(level.tolist())
        ranks = sorted(range(len(level)), key=lambda at: (-scores[level[at]], ids[at]))
        places[tied] = level[ranks]
    return places


def candidates(scores: Scores, depth: int, allowed: Mask | None) -> Units:
    """At least the `depth` best allowed units with a positive score; all of those that tie."""
    if allowed is not None:
        scores = np.where(allowed, scores, 0.0)
    places = np.flatnonzero(scores > 0)
    if len(places) <= depth:
        return places
    edge = np.partition(scores[places], len(places) - depth)[len(places) - depth]
    kept: Units = places[scores[places] >= edge]
    return kept


def roll_up(scores: Scores, starts: Units, rollup: Rollup) -> Scores:
    """The score of each document by the scores of its passages, which stand side by side.

    `starts` holds the first passage of every document, and at its end the number of passages.
    """
    match rollup:
        case Rollup.BEST:
            return best_of_each(scores, starts)
        case Rollup.MEAN_OF_BEST_THREE:
            # By document and then by score: the first three places of each document are its best.
            documents = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            ranked = scores[np.lexsort((-scores, documents))]
            padded = np.concatenate((ranked, np.zeros(3)))
            total = np.zeros(len(starts) - 1)
            for at in range(3):
                inside = starts[:-1] + at < starts[1:]
                total += np.where(inside, padded[starts[:-1] + at], 0.0)
            # The divisor is 3 even for shorter documents: one good passage is less evidence.
            return total / 3


def best_of_each(scores: Scores, starts: Units) -> Scores:
    """The highest score among the passages of each document; 0 for one without passages."""
    highest = np.zeros(len(starts) - 1)
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        highest[filled] = np.maximum.reduceat(scores, starts[:-1][filled])
    return highest
