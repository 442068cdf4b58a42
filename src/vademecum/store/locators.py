"""Where the passages of a document stand in its file, packed into one blob."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from vademecum.domain import DocumentId, Passage, PassageId

_Row = tuple[str, int, int, int, int, int, list[str], str]


def pack(document: DocumentId, passages: Sequence[Passage]) -> bytes:
    """Everything of the passages that can't be read back from the file or the segment."""
    rows = [
        (
            passage.id.removeprefix(f"{document}#"),
            passage.line,
            passage.start,
            passage.length,
            *passage.clip,
            list(passage.heading),
            passage.turn,
        )
        for passage in passages
    ]
    return zlib.compress(json.dumps(rows, ensure_ascii=False).encode(), level=1)


def unpack(document: DocumentId, blob: bytes) -> list[Passage]:
    """The passages, without text, role, speaker and time."""
    rows: list[_Row] = json.loads(zlib.decompress(blob))
    return [
        Passage(
            id=PassageId(f"{document}#{label}"),
            text="",
            line=line,
            start=start,
            length=length,
            clip=(clip_start, clip_end),
            heading=tuple(heading),
            turn=turn,
        )
        for label, line, start, length, clip_start, clip_end, heading, turn in rows
    ]
