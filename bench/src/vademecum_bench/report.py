"""Results as tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from vademecum_bench.comparison import Comparison
from vademecum_bench.measures import CUTOFFS, PERCENTAGES
from vademecum_bench.speed import Measured, ratio
from vademecum_bench.startup import Startup

HEADLINE = ("any@1", "any@5", "any@10", "all@5", "all@10", "frac@10", "mrr", "ndcg@10")


def metrics_table(summary: Mapping[str, Any]) -> Table:
    """any, all and fraction at every cutoff."""
    metrics = summary["metrics"]
    table = Table(
        title=f"{summary['dataset']}, {summary['recipe']}: {summary['questions']} questions"
    )
    table.add_column("")
    for k in CUTOFFS:
        table.add_column(f"@{k}", justify="right")
    for family in PERCENTAGES:
        table.add_row(family, *(f"{metrics[f'{family}@{k}']:.1f}" for k in CUTOFFS))
    return table


def types_table(summary: Mapping[str, Any]) -> Table:
    """The headline measures of everything, of each type and of each subset."""
    table = Table()
    table.add_column("")
    for heading in ("questions", *HEADLINE):
        table.add_column(heading, justify="right")
    table.add_row(*_headline("all", summary))
    if len(summary["by_type"]) > 1:
        for name, part in summary["by_type"].items():
            table.add_row(*_headline(name, part))
    if summary["subsets"]:
        table.add_section()
        for name, part in summary["subsets"].items():
            table.add_row(*_headline(f"only {name}", part))
    return table


def cost_line(summary: Mapping[str, Any]) -> str:
    """Latency, index and memory in a sentence."""
    latency, index = summary["latency_ms"], summary["index"]
    text_bytes = index["text_bytes"]
    share = f", {index['bytes'] / text_bytes:.2f} of the text" if text_bytes else ""
    return (
        f"{summary['empty']} empty; p50 {latency['p50']:.2f} ms, p95 {latency['p95']:.2f} ms;"
        f" index {index['build_s']:.1f} s, {_megabytes(index['bytes'])} for"
        f" {_megabytes(text_bytes)}{share}; peak memory {summary['peak_rss_mb']:.0f} MiB"
    )


def comparison_table(comparison: Comparison) -> Table:
    before, after = comparison.recipes
    table = Table(
        title=f"{comparison.dataset}, {comparison.questions} questions: {after} against {before}"
    )
    table.add_column("measure")
    for heading in (before, after, "wins", "losses", "ties", "p (sign test)"):
        table.add_column(heading, justify="right")
    for one in comparison.measures:
        digits = 4 if one.measure == "mrr" else 2
        table.add_row(
            one.measure,
            f"{one.before:.{digits}f}",
            f"{one.after:.{digits}f}",
            str(one.wins),
            str(one.losses),
            str(one.ties),
            f"{one.p:.2g}",
        )
    return table


def speed_table(measured: Sequence[Measured]) -> Table:
    """Each engine at each size; the ratios are those of the median to ours at that size."""
    table = Table()
    for heading in ("passages", "engine"):
        table.add_column(heading)
    for heading in (
        "p50 ms",
        "p95 ms",
        "p50 to ours",
        "build s",
        "MB",
        "bytes to text",
    ):
        table.add_column(heading, justify="right")
    size = None
    for one in measured:
        if size not in (None, one.passages):
            table.add_section()
        size = one.passages
        against = ratio(measured, one)
        table.add_row(
            f"{one.passages:,}",
            one.engine,
            f"{one.p50_ms:.2f}",
            f"{one.p95_ms:.2f}",
            "" if against is None else f"{against:.1f}x",
            f"{one.build_s:.1f}",
            f"{one.bytes / 1e6:.1f}",
            f"{one.bytes / one.text_bytes:.2f}",
        )
    return table


def startup_line(found: Startup) -> str:
    return (
        f"{len(found.seconds)} fresh processes: median {found.median:.3f} s, p95 {found.p95:.3f} s"
    )


def _headline(name: str, part: Mapping[str, Any]) -> list[str]:
    metrics = part["metrics"]
    cells = [
        f"{metrics[key]:.3f}" if key in ("mrr", "ndcg@10") else f"{metrics[key]:.1f}"
        for key in HEADLINE
    ]
    return [name, str(part["questions"]), *cells]


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
