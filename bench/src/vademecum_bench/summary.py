"""All the figures of a run, from its rows and from what its index cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vademecum_bench import measures
from vademecum_bench.rows import Row

FILE = "summary.json"


def summarise(manifest: Mapping[str, Any], rows: Sequence[Row]) -> dict[str, Any]:
    """The content of `summary.json`: a pure function of the manifest and the rows."""
    scores = measures.score(
        {row.id: row.gold for row in rows}, {row.id: row.ranked for row in rows}
    )
    types = sorted({row.type for row in rows})
    groups = sorted({group for row in rows for group in row.groups})
    latencies = [row.latency_ms for row in rows]
    return {
        "dataset": manifest["dataset"]["name"],
        "recipe": manifest["recipe"]["name"],
        "questions": len(rows),
        "metrics": measures.means(scores),
        "by_type": {
            name: _part([s for s, row in zip(scores, rows, strict=True) if row.type == name])
            for name in types
        },
        "subsets": {
            name: _part([s for s, row in zip(scores, rows, strict=True) if name in row.groups])
            for name in groups
        },
        "empty": sum(row.empty for row in rows),
        "latency_ms": {
            "p50": measures.percentile(latencies, 0.50),
            "p95": measures.percentile(latencies, 0.95),
        },
        "index": dict(manifest["index"]),
        "peak_rss_mb": max((row.rss_mb for row in rows), default=0.0),
    }


def differences(expected: Any, found: Any, at: str = "") -> list[str]:
    """Where two summaries differ: the path of each figure, what it should be and what it is."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        different: list[str] = []
        for key in sorted({*expected, *found}):
            path = f"{at}.{key}" if at else str(key)
            if key not in found:
                different.append(f"{path}: missing, should be {expected[key]!r}")
            elif key not in expected:
                different.append(f"{path}: {found[key]!r}, has no place in a summary")
            else:
                different.extend(differences(expected[key], found[key], path))
        return different
    return [] if expected == found else [f"{at}: is {found!r}, should be {expected!r}"]


def _part(scores: Sequence[measures.Scores]) -> dict[str, Any]:
    return {"questions": len(scores), "metrics": measures.means(scores)}
