"""What a search and a document look like: values to lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time
from pathlib import Path, PurePosixPath
from typing import Final

from vademecum.domain import (
    Answer,
    DocumentSummary,
    Hit,
    Memory,
    Page,
    Review,
    Role,
    Session,
    Status,
    Turn,
)
from vademecum.faces.cli.excerpts import Excerpt
from vademecum.faces.cli.lines import BLANK, Line, Run, Style, block, line, one_line, table
from vademecum.faces.cli.snippets import pieces, snippet

_INDENT: Final = 3


def when(moment: datetime | None) -> str:
    """The day, and the time if it has one, in the zone that the moment itself has."""
    if moment is None:
        return "no date"
    if moment.time() == time():
        return moment.date().isoformat()
    return f"{moment.date().isoformat()} {moment:%H:%M}"


def of_answer(answer: Answer, root: Path, *, explain: bool, full: bool) -> Iterator[Line]:
    for number, hit in enumerate(answer.hits, start=1):
        if number > 1:
            yield BLANK
        yield from _hit(number, hit, root, explain=explain, full=full)
    if not answer.hits:
        yield line(Run(f"Nothing found in {', '.join(answer.spaces)}.", Style.ASIDE))


def _hit(number: int, hit: Hit, root: Path, *, explain: bool, full: bool) -> Iterator[Line]:
    document, passage = hit.document, hit.passage
    head = [Run(f"{number}. "), Run(_title(document), Style.TITLE)]
    if passage.heading and passage.heading[-1] != document.title:
        head.append(Run(f" › {one_line(' › '.join(passage.heading))}"))
    yield line(*head)
    facts = [Run(str(document.space), Style.SPACE), Run(when(hit.date), Style.DATE)]
    if document.type is not None:
        facts.append(Run(document.type.value))
    if passage.speaker or passage.role is not None:
        facts.append(Run(_who(passage.speaker, passage.role), Style.SPEAKER))
    if document.status is not Status.ACTIVE:
        facts.append(Run(document.status.value, Style.BAD))
    if hit.score:
        facts.append(Run(f"score {hit.score:.3f}", Style.ASIDE))
    yield line(*_between(facts, "  "), indent=_INDENT)
    spans = hit.highlights
    shown = pieces(passage.text, spans) if full else snippet(passage.text, spans)
    styled = [Run(text, Style.MATCH if match else Style.PLAIN) for text, match in shown]
    yield from block(styled, indent=_INDENT)
    place = _place(document.path, root, str(passage.id), line_number=passage.line)
    yield replace(place, indent=_INDENT)
    if explain:
        yield from _contributions(hit)


def _contributions(hit: Hit) -> list[Line]:
    ordered = sorted(hit.contributions, key=lambda part: -part.amount)
    return table(
        [
            (
                Run(f"{part.amount:+.4f}", Style.NUMBER),
                Run(part.channel),
                Run(part.field, Style.ASIDE),
            )
            for part in ordered
        ],
        indent=_INDENT + 2,
    )


def of_memory(memory: Memory, root: Path) -> Iterator[Line]:
    """The heading with all that is known about it, and the text below."""
    yield line(Run(one_line(memory.title), Style.TITLE))
    facts = [
        Run(str(memory.space), Style.SPACE),
        Run(when(memory.date), Style.DATE),
        *([Run(memory.type.value)] if memory.type else []),
        *(Run(f"#{one_line(tag)}") for tag in memory.tags),
        *([Run("pinned", Style.GOOD)] if memory.pinned else []),
    ]
    if memory.status is not Status.ACTIVE:
        facts.append(Run(memory.status.value, Style.BAD))
    if memory.review is not Review.APPROVED:
        facts.append(Run(memory.review.value, Style.BAD))
    yield line(*_between(facts, "  "))
    yield _place(memory.path, root, str(memory.id))
    yield BLANK
    yield from block([Run(memory.body.strip("\r\n"))])


def of_session(session: Session, root: Path) -> Iterator[Line]:
    """The heading, and every turn with who spoke when."""
    yield line(Run(one_line(session.title) or "(no title)", Style.TITLE))
    facts = [
        Run(str(session.space), Style.SPACE),
        Run(when(session.header.started_at), Style.DATE),
        Run(counted(len(session.turns), "turn")),
    ]
    yield line(*_between(facts, "  "))
    yield _place(session.path, root, str(session.id))
    for turn in session.turns:
        yield BLANK
        yield from _turn(turn)


def _turn(turn: Turn) -> Iterator[Line]:
    yield line(
        Run(_who(turn.speaker, turn.role), Style.SPEAKER),
        "  ",
        Run(when(turn.time), Style.DATE),
        "  ",
        Run(f"#{one_line(turn.id)}", Style.ASIDE),
    )
    yield from block([Run(turn.content.strip("\r\n"))], indent=_INDENT)


def of_excerpt(excerpt: Excerpt, root: Path) -> Iterator[Line]:
    """The cited passage marked, between its neighbours."""
    document, cited = excerpt.document, excerpt.part
    yield line(Run(one_line(document.title) or "(no title)", Style.TITLE))
    facts = [Run(str(document.space), Style.SPACE), Run(when(excerpt.date), Style.DATE)]
    yield line(*_between(facts, "  "))
    yield _place(document.path, root, excerpt.citation(cited), line_number=cited.line)
    for part in (*excerpt.before, cited, *excerpt.after):
        yield BLANK
        head = [Run("> ", Style.MATCH) if part is cited else Run("  ")]
        if part.role is not None or part.speaker:
            head += [Run(_who(part.speaker, part.role), Style.SPEAKER), Run("  ")]
            head += [Run(when(part.time), Style.DATE), Run("  ")]
        elif part.heading:
            head += [Run(one_line(" › ".join(part.heading)), Style.TITLE), Run("  ")]
        yield line(*head, Run(f"#{one_line(part.label)}", Style.ASIDE))
        style = Style.PLAIN if part is cited else Style.ASIDE
        yield from block([Run(part.text.strip("\r\n"), style)], indent=_INDENT)


def of_page(page: Page) -> list[Line]:
    """One line a document: date, space, kind, id and title."""
    if not page.items:
        return [line(Run("Nothing to list.", Style.ASIDE))]
    return table([_row(document) for document in page.items])


def _row(document: DocumentSummary) -> tuple[Run, ...]:
    kind = document.type.value if document.type else document.kind.value
    return (
        Run(when(document.date), Style.DATE),
        Run(str(document.space), Style.SPACE),
        Run(kind),
        Run(str(document.id), Style.ASIDE),
        Run(_title(document), Style.TITLE),
    )


def _title(document: DocumentSummary) -> str:
    return one_line(document.title) or document.path.name


def _who(speaker: str, role: Role | None) -> str:
    """The name, or else the role."""
    return one_line(speaker) or (role.value if role else "unknown")


def _place(
    path: PurePosixPath, root: Path, identity: str, *, line_number: int | None = None
) -> Line:
    """Where to open it, and what to cite it by."""
    at = f":{line_number}" if line_number is not None else ""
    return line(
        Run(f"{visible_path(path)}{at}", Style.ASIDE, str(root / path)),
        Run("  "),
        Run(identity, Style.ASIDE),
    )


def visible_path(path: object) -> str:
    return one_line(str(path))


def counted(number: int, noun: str) -> str:
    """`1 turn`, `2,000 turns`, `3 memories`."""
    if number == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {plural}"


def _between(runs: Sequence[Run], gap: str) -> list[Run]:
    found: list[Run] = []
    for run in runs:
        if found:
            found.append(Run(gap))
        found.append(run)
    return found
