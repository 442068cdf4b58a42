"""Measures of a ranking against its answer key, computed by `ir-measures`.

any@k   at least one right unit among the first k (Success@k)
frac@k  the share of the right units among the first k (R@k)
all@k   all of them (R@k = 1)
rr      1 / rank of the first right unit; its mean is MRR
ndcg@10 gain 1 for each right unit, the ideal over all of them (nDCG@10)

The first three are reported as percentages, the others as they are. A right unit that a system
did not return, and even one that the corpus does not hold, counts as missed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import ir_measures
from ir_measures import RR, R, Success, nDCG

CUTOFFS = (1, 3, 5, 10, 20)
DEPTH = 50
"""How many units are asked for, and so how deep `rr` looks."""

PERCENTAGES = ("any", "all", "frac")

Scores = Mapping[str, float]
"""The measures of one question, each from 0 to 1."""


def score(gold: Mapping[str, Sequence[str]], ranked: Mapping[str, Sequence[str]]) -> list[Scores]:
    """The measures of each question of `gold`, in its order."""
    measures = [RR, nDCG @ 10]
    for k in CUTOFFS:
        measures += [Success @ k, R @ k]
    # Ranks become scores: the library sorts by score, and equal ones by its own rule.
    run = {
        name: {unit: float(len(units) - at) for at, unit in enumerate(units)}
        for name, units in ranked.items()
        if units
    }
    key = {name: dict.fromkeys(units, 1) for name, units in gold.items()}
    raw: dict[str, dict[str, float]] = {name: {} for name in gold}
    for metric in ir_measures.iter_calc(measures, key, run):
        raw[str(metric.query_id)][str(metric.measure)] = float(metric.value)
    return [_named(raw[name]) for name in gold]


def means(scores: Sequence[Scores]) -> dict[str, float]:
    """The mean of each measure as it is printed: percentages, and `mrr` for the mean of `rr`."""
    found: dict[str, float] = {}
    for family in PERCENTAGES:
        for k in CUTOFFS:
            name = f"{family}@{k}"
            found[name] = round(100 * _mean(one[name] for one in scores), 4)
    found["mrr"] = round(_mean(one["rr"] for one in scores), 6)
    found["ndcg@10"] = round(_mean(one["ndcg@10"] for one in scores), 6)
    return found


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed; 0 for none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(values)) - 1)]


def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact p of so uneven a split of the untied pairs, were both equally likely."""
    pairs = wins + losses
    if not pairs:
        return 1.0
    tail = sum(math.comb(pairs, at) for at in range(min(wins, losses) + 1))
    return min(1.0, tail / int(2 ** (pairs - 1)))


def _named(raw: Mapping[str, float]) -> Scores:
    named = {"rr": raw["RR"], "ndcg@10": raw["nDCG@10"]}
    for k in CUTOFFS:
        named[f"any@{k}"] = raw[f"Success@{k}"]
        named[f"frac@{k}"] = raw[f"R@{k}"]
        named[f"all@{k}"] = float(raw[f"R@{k}"] == 1)
    return named


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else 0.0
