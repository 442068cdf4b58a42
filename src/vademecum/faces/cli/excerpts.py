"""A citation such as `01J...#12`: the passage it points to, between its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from vademecum.domain import Memory, Role, Session
from vademecum.errors import NotFound

if TYPE_CHECKING:
    from vademecum.workspace import Workspace

AROUND: Final = 2
"""How many passages are shown on each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A whole turn, or a section of a memory. `line` is where a section begins in its file."""

    label: str
    text: str
    line: int | None = None
    heading: tuple[str, ...] = ()
    role: Role | None = None
    speaker: str = ""
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The part that a citation names, and its neighbours in the document."""

    document: Memory | Session
    part: Part
    before: tuple[Part, ...] = ()
    after: tuple[Part, ...] = ()

    def citation(self, part: Part) -> str:
        return f"{self.document.id}#{part.label}"

    @property
    def date(self) -> datetime | None:
        """When it was said, or else the date of the document."""
        if self.part.time is not None:
            return self.part.time
        if isinstance(self.document, Memory):
            return self.document.date
        return self.document.header.started_at


def look_up(workspace: Workspace, reference: str) -> Memory | Session | Excerpt:
    """What a reference or a citation means. A whole reference goes first: names may hold `#`."""
    try:
        return workspace.show(reference)
    except NotFound as unknown:
        for name, label in _citations(reference):
            try:
                document = workspace.show(name)
            except NotFound:
                continue
            return _excerpt(document, label)
        raise unknown


def _citations(reference: str) -> Iterator[tuple[str, str]]:
    """Every way to read a reference as a document and a part of it."""
    for at, character in enumerate(reference):
        if character == "#" and 0 < at < len(reference) - 1:
            yield reference[:at], reference[at + 1 :]


def _excerpt(document: Memory | Session, label: str) -> Excerpt:
    parts = _parts(document)
    at = _find([part.label for part in parts], label)
    if at is None:
        what = "section" if isinstance(document, Memory) else "turn"
        raise NotFound(
            f"{str(document.path)!r} has no {what} {label!r}",
            hint=f"It has {_range(parts)}. To see all of it: vade show {document.id}",
        )
    return Excerpt(
        document=document,
        part=parts[at],
        before=tuple(parts[max(0, at - AROUND) : at]),
        after=tuple(parts[at + 1 : at + 1 + AROUND]),
    )


def _find(labels: Sequence[str], label: str) -> int | None:
    """A part of a long turn is cited as `turn.part`, and the turn is shown for it."""
    for wanted in (label, label.rpartition(".")[0]):
        if wanted in labels:
            return labels.index(wanted)
    return None


def _range(parts: Sequence[Part]) -> str:
    if not parts:
        return "none"
    if len(parts) == 1:
        return f"#{parts[0].label}"
    return f"#{parts[0].label} to #{parts[-1].label}"


def _parts(document: Memory | Session) -> list[Part]:
    if isinstance(document, Session):
        return [
            Part(
                label=turn.id,
                text=turn.content,
                role=turn.role,
                speaker=turn.speaker,
                time=turn.time,
            )
            for turn in document.turns
        ]
    from vademecum.markdown import document_of

    return [
        Part(
            label=passage.id.removeprefix(f"{document.id}#"),
            text=passage.text,
            line=passage.line,
            heading=passage.heading,
        )
        for passage in document_of(document).passages
    ]
