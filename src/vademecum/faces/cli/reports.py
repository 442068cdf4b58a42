"""What the verbs that change or look after a vault have to say: values to lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vademecum.domain import (
    Checkup,
    ImportReport,
    Problem,
    Recipe,
    Severity,
    SpaceStats,
    Stats,
    SyncReport,
    Use,
)
from vademecum.faces.cli.lines import BLANK, Line, Run, Style, line, one_line, table
from vademecum.faces.cli.pages import counted, visible_path

_SHOWN = 20


def of_import(report: ImportReport) -> Iterator[Line]:
    yield line(
        f"Read {counted(report.read, 'document')}: {report.stored:,} stored,"
        f" {report.updated:,} updated, {report.unchanged:,} unchanged,"
        f" {len(report.skipped):,} skipped."
    )
    yield from of_problems(report.skipped)


def of_sync(report: SyncReport, *, verb: str) -> Iterator[Line]:
    if report.busy:
        yield line("Another process is bringing the index up to date; it will see these files.")
    elif report.is_quiet:
        yield line(Run("Nothing has changed.", Style.GOOD))
    else:
        yield line(
            f"{verb}: {report.added:,} added, {report.changed:,} changed,"
            f" {report.moved:,} moved, {report.removed:,} removed."
        )
    yield line(_holds(report.documents, report.passages))
    yield from of_problems(report.problems)


def of_checkup(checkup: Checkup) -> Iterator[Line]:
    yield line(f"{counted(checkup.files, 'file')}. {_holds(checkup.documents, checkup.passages)}")
    for paths, meaning in (
        (checkup.ghosts, "indexed, but the file is gone"),
        (checkup.orphans, "not indexed"),
        (checkup.stale, "indexed as it was before its last change"),
    ):
        yield from _listed(paths, meaning)
    for fault in checkup.faults:
        yield line(Run("fault in the index: ", Style.BAD), one_line(fault))
    yield from of_problems(checkup.problems)
    if not checkup.agrees:
        yield line(Run("Files and index disagree.", Style.BAD), " To make it anew: vade rebuild")
    elif not checkup.is_clean:
        yield line(Run("Files and index agree, but some files cannot be read.", Style.BAD))
    else:
        yield line(Run("Files and index agree.", Style.GOOD))


def _listed(paths: Sequence[PurePosixPath], meaning: str) -> Iterator[Line]:
    for path in paths[:_SHOWN]:
        yield line(visible_path(path), ": ", Run(meaning, Style.BAD))
    if len(paths) > _SHOWN:
        yield line(f"... and {len(paths) - _SHOWN:,} more that are {meaning}")


def of_problems(problems: Iterable[Problem]) -> Iterator[Line]:
    """One line a problem, in the form that editors jump to."""
    for problem in problems:
        style = Style.BAD if problem.severity is Severity.ERROR else Style.PLAIN
        yield line(
            f"{visible_path(problem.path)}:{problem.line}: ",
            Run(problem.severity.value, style),
            f": {one_line(problem.message)}",
        )


def of_spaces(spaces: Sequence[SpaceStats]) -> list[Line]:
    if not spaces:
        return [line(Run("No space holds anything yet.", Style.ASIDE))]
    return table(
        [
            (
                Run(str(stats.space), Style.SPACE),
                Run(counted(stats.memories, "memory"), Style.NUMBER),
                Run(counted(stats.sessions, "session"), Style.NUMBER),
                Run(counted(stats.passages, "passage"), Style.NUMBER),
            )
            for stats in spaces
        ]
    )


def of_stats(stats: Stats) -> Iterator[Line]:
    yield from of_spaces(stats.spaces)
    yield BLANK
    yield line(f"files {size(stats.files_bytes)}, index {size(stats.index_bytes)}")
    yield line(
        Run(
            f"generation {stats.generation}, {counted(stats.segments, 'segment')} of postings",
            Style.ASIDE,
        )
    )


def of_recipes(recipes: Mapping[str, Recipe]) -> Iterator[Line]:
    for name, recipe in recipes.items():
        yield line(Run(name, Style.TITLE))
        for unit, uses in (("passages", recipe.passages), ("documents", recipe.documents)):
            if uses:
                yield line(f"{unit}: ", Run(", ".join(map(_use, uses)), Style.ASIDE), indent=3)


def _use(use: Use) -> str:
    return f"{use.name} × {use.weight:g}"


def size(number: int) -> str:
    """Bytes in the unit that leaves a number below 1,000."""
    amount = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000:
            break
        amount /= 1000
    else:
        unit = "TB"
    return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"


def _holds(documents: int, passages: int) -> str:
    return f"The index holds {counted(documents, 'document')}, {counted(passages, 'passage')}."
