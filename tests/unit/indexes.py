"""Indexes of documents that never were files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from vademecum.domain import (
    PERSONAL,
    Digest,
    Document,
    DocumentId,
    DocumentKind,
    Passage,
    PassageId,
    Role,
    Space,
)
from vademecum.ports import Loaded, SeenFile, Stamp
from vademecum.store import SqliteIndex


def passage(
    document: str,
    number: int,
    text: str,
    *,
    role: Role | None = None,
    speaker: str = "",
    heading: tuple[str, ...] = (),
) -> Passage:
    return Passage(
        id=PassageId(f"{document}#{number}"),
        text=text,
        line=number + 1,
        start=0,
        length=len(text),
        clip=(0, len(text)),
        role=role,
        speaker=speaker,
        heading=heading,
    )


def document(
    name: str,
    passages: Sequence[Passage],
    *,
    title: str = "",
    tags: tuple[str, ...] = (),
    space: Space = PERSONAL,
) -> Document:
    return Document(
        id=DocumentId(name),
        kind=DocumentKind.SESSION if any(p.role for p in passages) else DocumentKind.MEMORY,
        space=space,
        path=PurePosixPath(f"{name}.md"),
        title=title,
        digest=Digest(f"{name}:{title}:{[p.text for p in passages]}"),
        passages=tuple(passages),
        tags=tags,
    )


def loaded(one: Document) -> Loaded:
    file = SeenFile(str(one.path), one.kind, one.space, Stamp(1, 1, 1))
    return Loaded(file=file, digest=one.digest, document=one, problems=())


def put(index: SqliteIndex, documents: Sequence[Document]) -> None:
    """One transaction: one new segment for each space."""
    with index.writing() as writer:
        for one in documents:
            writer.put(loaded(one), racy=False)


def remove(index: SqliteIndex, name: str) -> None:
    with index.writing() as writer:
        writer.remove(f"{name}.md")
