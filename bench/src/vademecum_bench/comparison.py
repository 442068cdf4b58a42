"""Two runs question by question: wins, losses, and whether chance would do the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vademecum_bench import manifest as manifests
from vademecum_bench import measures
from vademecum_bench import rows as row_files
from vademecum_bench.errors import DataError

MEASURES = ("any@1", "any@5", "any@10", "all@5", "mrr")
"""Of one question `mrr` is the reciprocal rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One measure. `wins` are questions that the second run answers better; p is two-sided."""

    measure: str
    before: float
    after: float
    wins: int
    losses: int
    ties: int
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs over the same questions."""

    dataset: str
    recipes: tuple[str, str]
    questions: int
    measures: Sequence[Compared]


def compare(first: Path, second: Path) -> Comparison:
    """How the second run does against the first. DataError if they asked different things."""
    before, after = manifests.read(first), manifests.read(second)
    if before["dataset"] != after["dataset"]:
        raise DataError(
            f"not the same data: {before['dataset']['name']} and {after['dataset']['name']}",
            hint="Compare two runs of one data set, from the same files.",
        )
    rows = row_files.read(first), row_files.read(second)
    keys = [{row.id: row.gold for row in part} for part in rows]
    if keys[0] != keys[1]:
        raise DataError(
            f"not the same questions: {len(keys[0])} and {len(keys[1])}",
            hint="Run both with the same --questions.",
        )
    # Both in the order of the first, so that pairs stand side by side.
    found = [{row.id: row.ranked for row in part} for part in rows]
    old, new = (measures.score(keys[0], part) for part in found)
    compared = []
    for name in MEASURES:
        key = "rr" if name == "mrr" else name
        pairs = [(a[key], b[key]) for a, b in zip(old, new, strict=True)]
        wins = sum(b > a for a, b in pairs)
        losses = sum(b < a for a, b in pairs)
        scale = 1 if name == "mrr" else 100
        compared.append(
            Compared(
                measure=name,
                before=scale * sum(a for a, _ in pairs) / len(pairs),
                after=scale * sum(b for _, b in pairs) / len(pairs),
                wins=wins,
                losses=losses,
                ties=len(pairs) - wins - losses,
                p=measures.sign_test(wins, losses),
            )
        )
    return Comparison(
        dataset=before["dataset"]["name"],
        recipes=(before["recipe"]["name"], after["recipe"]["name"]),
        questions=len(keys[0]),
        measures=compared,
    )
