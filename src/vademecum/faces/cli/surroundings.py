"""A cited passage with what stands around it in its document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from vademecum.domain import Memory, Session
from vademecum.errors import NotFound

if TYPE_CHECKING:
    from vademecum.workspace import Workspace

AROUND: Final = 2
"""Turns or sections shown before and after the cited one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A turn of a session, or a passage of a memory."""

    id: str
    text: str
    cited: bool = False
    heading: tuple[str, ...] = ()
    role: str | None = None
    speaker: str = ""
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Some parts of a document, one of them cited."""

    citation: str
    document: Memory | Session
    parts: tuple[Part, ...]


def look_up(workspace: Workspace, reference: str) -> Memory | Session | Excerpt:
    """The document of a reference, or the excerpt of a citation `document#passage`.

    A reference that is a document's is never read as a citation: file names may hold a `#`.
    """
    try:
        return workspace.show(reference)
    except NotFound:
        for name, passage in _citations(reference):
            try:
                document = workspace.show(name)
            except NotFound:
                continue
            return excerpt(document, passage)
        raise


def _citations(reference: str) -> Iterator[tuple[str, str]]:
    """Every way to read a reference as a document and a passage of it."""
    for at, character in enumerate(reference):
        if character == "#" and 0 < at < len(reference) - 1:
            yield reference[:at], reference[at + 1 :]


def excerpt(document: Memory | Session, passage: str) -> Excerpt:
    """The passage of this id within its document. NotFound if there is none."""
    parts = _turns(document) if isinstance(document, Session) else _passages(document)
    at = _find(parts, document, passage)
    if at is None:
        raise NotFound(
            f"{str(document.path)!r} has no passage {passage!r}",
            hint=f"It has {_range(parts)}. To see all of it: vade show {document.id}",
        )
    low = max(0, at - AROUND)
    around = [replace(part, cited=part is parts[at]) for part in parts[low : at + AROUND + 1]]
    return Excerpt(citation=f"{document.id}#{passage}", document=document, parts=tuple(around))


def _turns(session: Session) -> list[Part]:
    return [
        Part(
            id=f"{session.id}#{turn.id}",
            text=turn.content,
            role=turn.role.value,
            speaker=turn.speaker,
            time=turn.time,
        )
        for turn in session.turns
    ]


def _passages(memory: Memory) -> list[Part]:
    from vademecum.markdown import document_of

    return [
        Part(id=passage.id, text=passage.text, heading=passage.heading)
        for passage in document_of(memory).passages
    ]


def _range(parts: Sequence[Part]) -> str:
    labels = [part.id.rpartition("#")[2] for part in parts]
    return f"#{labels[0]} to #{labels[-1]}" if labels else "none"


def _find(parts: Sequence[Part], document: Memory | Session, passage: str) -> int | None:
    """The place of a passage; one that is a part of a long turn is found in its turn."""
    ids = [part.id for part in parts]
    whole, dot, _ = passage.rpartition(".")
    for name in (passage, whole) if dot else (passage,):
        if f"{document.id}#{name}" in ids:
            return ids.index(f"{document.id}#{name}")
    return None
