"""Values as lines for a person, for everything but search results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time
from pathlib import Path, PurePosixPath

from vademecum.domain import (
    Appended,
    Checkup,
    ImportReport,
    Memory,
    Outcome,
    Page,
    Problem,
    Recipe,
    Removed,
    Saved,
    Session,
    Severity,
    Space,
    SpaceStats,
    Stats,
    SyncReport,
    Use,
)
from vademecum.faces.cli.lines import BLANK, Line, Run, Style, block, line, one_line, table
from vademecum.faces.cli.surroundings import Excerpt, Part


def when(value: datetime | None) -> str:
    """Date and time in the zone that was written down; the date alone if there is no time."""
    if value is None:
        return ""
    day = value.date().isoformat()
    return day if value.time() == time() else f"{day} {value:%H:%M}"


def who(speaker: str, role: str) -> str:
    """`Mara (user)`, or what is known of it."""
    speaker = one_line(speaker)
    return f"{speaker} ({role})" if speaker and role else speaker or role


def title_of(title: str, path: PurePosixPath) -> str:
    return one_line(title) or path.stem


def place(root: Path, path: PurePosixPath, line_number: int = 0) -> Run:
    """A path to open on this machine."""
    file = str((root / path).absolute())
    return Run(f"{file}:{line_number}" if line_number else file, Style.ASIDE, file)


def join(*runs: Run) -> list[Run]:
    """Runs two blanks apart, without the empty ones."""
    joined: list[Run] = []
    for run in runs:
        if run.text:
            joined += [Run("  "), run] if joined else [run]
    return joined


def amount(number: int, singular: str, plural: str = "") -> str:
    """`1 memory`, `2 memories`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


# --- writing -------------------------------------------------------------------------------


def outcome(value: Outcome, root: Path) -> list[Line]:
    word = "Saved" if isinstance(value, Saved) else "Unchanged"
    return [line(Run(word, Style.GOOD), f" {value.id} in ", place(root, value.path))]


def appended(value: Appended, root: Path) -> Iterator[Line]:
    if value.turns:
        turns = ", ".join(value.turns)
        done = f" turn {turns} to {value.session} in "
        yield line(Run("Appended", Style.GOOD), done, place(root, value.path))
    else:
        yield line(
            Run("Started", Style.GOOD), f" session {value.session} in ", place(root, value.path)
        )
    if value.repaired:
        yield line("An unfinished line, left by a crash, was cut off first.")


def removed(values: Iterable[Removed]) -> Iterator[Line]:
    for value in values:
        yield line(Run("Removed", Style.GOOD), f" {value.id} ({value.path})")


def imported(value: ImportReport) -> Iterator[Line]:
    yield line(
        f"Read {value.read:,}: ",
        Run(f"{value.stored:,} stored", Style.GOOD),
        f", {value.updated:,} updated, {value.unchanged:,} unchanged, "
        f"{len(value.skipped):,} skipped.",
    )
    yield from problems(value.skipped)


# --- reading -------------------------------------------------------------------------------


def memory(value: Memory, root: Path) -> Iterator[Line]:
    """What is known of a memory, and its body."""
    yield line(Run(title_of(value.title, value.path), Style.TITLE))
    tags = " ".join(f"#{one_line(tag)}" for tag in value.tags)
    yield line(
        *join(
            Run(value.space, Style.SPACE),
            Run(when(value.date), Style.DATE),
            Run(value.type.value if value.type else "", Style.ASIDE),
            Run(tags, Style.ASIDE),
            Run("pinned" if value.pinned else "", Style.ASIDE),
            Run("" if value.status.value == "active" else value.status.value, Style.BAD),
        )
    )
    yield line(*join(place(root, value.path), Run(value.id, Style.ASIDE)))
    yield BLANK
    yield from block([Run(value.body.strip("\r\n"))])


def session(value: Session, root: Path) -> Iterator[Line]:
    """A conversation turn by turn."""
    yield line(Run(title_of(value.title, value.path), Style.TITLE))
    yield line(
        *join(
            Run(value.space, Style.SPACE),
            Run(when(value.header.started_at), Style.DATE),
            Run(amount(len(value.turns), "turn"), Style.ASIDE),
        )
    )
    yield line(*join(place(root, value.path), Run(value.id, Style.ASIDE)))
    for turn in value.turns:
        yield BLANK
        speaker = who(turn.speaker, turn.role.value)
        yield line(
            *join(
                Run(f"#{turn.id}", Style.ASIDE),
                Run(speaker, Style.SPEAKER),
                Run(when(turn.time), Style.DATE),
            )
        )
        yield from block([Run(turn.content)], indent=3)


def excerpt(value: Excerpt, root: Path) -> Iterator[Line]:
    """A cited passage, marked, between its neighbours."""
    document = value.document
    yield line(Run(title_of(document.title, document.path), Style.TITLE))
    yield line(*join(Run(document.space, Style.SPACE), place(root, document.path)))
    for part in value.parts:
        yield BLANK
        yield _heading_of(part)
        yield from block([Run(part.text, Style.MATCH if part.cited else Style.PLAIN)], indent=3)


def _heading_of(part: Part) -> Line:
    mark = Run(">" if part.cited else " ", Style.MATCH)
    heading = " > ".join(one_line(one) for one in part.heading)
    return line(
        mark,
        " ",
        *join(
            Run(f"#{part.id.rpartition('#')[2]}", Style.ASIDE),
            Run(heading, Style.TITLE),
            Run(who(part.speaker, part.role or ""), Style.SPEAKER),
            Run(when(part.time), Style.DATE),
        ),
    )


def page(value: Page) -> Iterator[Line]:
    """One document a line, newest first."""
    yield from table(
        [
            [
                Run(item.id, Style.ASIDE),
                Run(when(item.date), Style.DATE),
                Run(item.space, Style.SPACE),
                Run(item.type.value if item.type else item.kind.value, Style.ASIDE),
                Run(title_of(item.title, item.path), Style.TITLE),
            ]
            for item in value.items
        ]
    )


def spaces(values: Sequence[SpaceStats], default: Space) -> list[Line]:
    return table(
        [
            [
                Run(value.space, Style.SPACE),
                Run(amount(value.memories, "memory", "memories"), Style.NUMBER),
                Run(amount(value.sessions, "session"), Style.NUMBER),
                Run(amount(value.passages, "passage"), Style.NUMBER),
                Run("(default)" if value.space == default else "", Style.ASIDE),
            ]
            for value in values
        ]
    )


# --- upkeep --------------------------------------------------------------------------------


def synced(value: SyncReport) -> Iterator[Line]:
    if value.busy:
        yield line("Another process is writing to the index; it brings in the rest.")
    news = [
        f"{number:,} {word}"
        for number, word in (
            (value.added, "added"),
            (value.changed, "changed"),
            (value.moved, "moved"),
            (value.removed, "removed"),
        )
        if number
    ]
    if news:
        read = f"{amount(value.documents, 'document')}, {amount(value.passages, 'passage')}"
        yield line(Run(", ".join(news), Style.GOOD), f": {read} indexed.")
    elif not value.busy:
        yield line(Run("Nothing new.", Style.GOOD))
    yield from problems(value.problems)


def rebuilt(value: SyncReport) -> Iterator[Line]:
    read = f"{amount(value.documents, 'document')}, {amount(value.passages, 'passage')}"
    yield line(Run("Made the index anew", Style.GOOD), f": {read}.")
    yield from problems(value.problems)


def checkup(value: Checkup) -> Iterator[Line]:
    """Whether all is well, and every single thing that is not."""
    counts = (
        f"{amount(value.files, 'file')}, {amount(value.documents, 'document')}, "
        f"{amount(value.passages, 'passage')}."
    )
    verdict = "Files and index agree" if value.agrees else "Files and index do not agree"
    yield line(Run(verdict, Style.GOOD if value.agrees else Style.BAD), f": {counts}")
    for paths, what in (
        (value.ghosts, "indexed, but the file is gone"),
        (value.orphans, "a file that is not indexed"),
        (value.stale, "indexed as it was before its last change"),
    ):
        for path in paths:
            yield line(f"{path}: ", Run(what, Style.BAD))
    for fault in value.faults:
        yield line("index: ", Run(one_line(fault), Style.BAD))
    yield from problems(value.problems)
    if not value.agrees:
        yield line("Make the index anew from the files: ", Run("vade rebuild", Style.COMMAND))


def problems(values: Iterable[Problem]) -> Iterator[Line]:
    """`path:line: error: message`, as compilers say it."""
    for value in values:
        style = Style.BAD if value.severity is Severity.ERROR else Style.ASIDE
        yield line(
            f"{one_line(str(value.path))}:{value.line}: ",
            Run(value.severity.value, style),
            f": {one_line(value.message)}",
        )


def stats(value: Stats, root: Path) -> list[Line]:
    rows = [
        ("vault", str(root.absolute())),
        ("spaces", f"{len(value.spaces):,}"),
        ("memories", f"{sum(one.memories for one in value.spaces):,}"),
        ("sessions", f"{sum(one.sessions for one in value.spaces):,}"),
        ("passages", f"{sum(one.passages for one in value.spaces):,}"),
        ("files", _size(value.files_bytes)),
        ("index", f"{_size(value.index_bytes)} in {amount(value.segments, 'segment')}"),
    ]
    return table([[Run(name, Style.ASIDE), Run(text)] for name, text in rows])


def recipes(values: Iterable[Recipe], default: Recipe) -> Iterator[Line]:
    """Every recipe with what it ranks passages and documents by."""
    for value in values:
        mark = "  (default)" if value.name == default.name else ""
        yield line(Run(value.name, Style.TITLE), Run(mark, Style.ASIDE))
        yield line(f"passages by {_uses(value.passages)}", indent=2)
        yield line(f"documents by {_uses(value.documents)}", indent=2)


def _uses(values: Sequence[Use]) -> str:
    return " + ".join(f"{value.weight:g} x {value.name}" for value in values) or "nothing"


def _size(number: int) -> str:
    size, unit = float(number), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
