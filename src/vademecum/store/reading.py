"""One consistent state of the index, narrowed to what a search may see."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, Final

from vademecum.analysis import Language, Question
from vademecum.domain import (
    Bm25,
    ChannelName,
    DocumentId,
    DocumentKind,
    DocumentSummary,
    Filter,
    MemoryType,
    Passage,
    Space,
    Status,
)
from vademecum.ports import Evidence, Found, Mask, PassageSource, Units
from vademecum.store import locators
from vademecum.store.sides import Side
from vademecum.store.snapshot import NO_TIME, Snapshot, allowed
from vademecum.store.times import moment

SUMMARY: Final = "id, kind, space, path, title, type, tags, date, status, passages"


class SnapshotReading:
    """A snapshot with a filter. Rows are read from the same transaction."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        snapshot: Snapshot,
        where: Filter,
        channels: Mapping[ChannelName, Side],
    ) -> None:
        self._connection = connection
        self._snapshot = snapshot
        self._where = where
        self._channels = channels
        self._documents: dict[int, tuple[DocumentSummary, str, bytes]] = {}
        self._ids: dict[int, str] = {}
        self._located: dict[int, list[Passage]] = {}

    @property
    def languages(self) -> frozenset[Language]:
        return self._snapshot.languages

    @property
    def starts(self) -> Units:
        return self._snapshot.starts

    @property
    def document_of(self) -> Units:
        return self._snapshot.document_of

    @cached_property
    def allowed(self) -> Mask | None:
        return allowed(self._snapshot, self._where, self._connection)

    def evidence(self, channel: ChannelName, question: Question, bm25: Bm25) -> Evidence | None:
        side = self._channels.get(channel)
        if side is None:
            return None
        return side.evidence(self._connection, self._snapshot, question, bm25)

    def found(self, passages: Sequence[int]) -> Sequence[Found]:
        documents = self._snapshot.document_of[list(passages)].tolist()
        self._load(documents)
        result = []
        for number, document in zip(passages, documents, strict=True):
            summary, encoding, blob = self._documents[document]
            if document not in self._located:
                self._located[document] = locators.unpack(summary.id, blob)
            bare = self._located[document][number - int(self._snapshot.starts[document])]
            role, speaker, time, zone = self._snapshot.attributes(number)
            passage = replace(
                bare,
                role=role,
                speaker=speaker,
                time=None if time == NO_TIME else moment(time, zone),
            )
            source = PassageSource(
                str(summary.path), summary.kind, encoding, bare.start, bare.length, bare.clip
            )
            result.append(Found(summary, passage, source))
        return result

    def passage_ids(self, passages: Sequence[int]) -> Sequence[str]:
        documents = self._snapshot.document_of[list(passages)]
        ordinals = passages - self._snapshot.starts[documents]
        # Numbers are padded so that their order as text is their order in the document.
        return [
            f"{identity}#{ordinal:09}"
            for identity, ordinal in zip(
                self.document_ids(documents.tolist()), ordinals.tolist(), strict=True
            )
        ]

    def document_ids(self, documents: Sequence[int]) -> Sequence[str]:
        unknown = [number for number in documents if number not in self._ids]
        for number, (identity,) in self._rows("id", unknown):
            self._ids[number] = str(identity)
        return [self._ids[number] for number in documents]

    def _load(self, documents: Sequence[int]) -> None:
        unknown = [number for number in documents if number not in self._documents]
        for number, row in self._rows(f"{SUMMARY}, encoding, locators", unknown):
            self._documents[number] = (summary(row), row[10], row[11])

    def _rows(
        self, columns: str, documents: Sequence[int]
    ) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Some columns of some documents, in any order: one statement for each segment."""
        for segment, first, ordinals in self._snapshot.places(documents):
            for ordinal, *row in self._connection.execute(
                f"select ordinal, {columns} from documents where segment = ?"
                " and ordinal in (select value from json_each(?))",
                [segment, json.dumps(ordinals)],
            ):
                yield first + ordinal, tuple(row)


def summary(row: Sequence[object]) -> DocumentSummary:
    """A row of the columns `SUMMARY` as a value."""
    identity, kind, space, path, title, type_, tags, date, status, passages = row[:10]
    return DocumentSummary(
        id=DocumentId(str(identity)),
        kind=DocumentKind(kind),
        space=Space(str(space)),
        path=PurePosixPath(str(path)),
        title=str(title),
        type=None if type_ is None else MemoryType(type_),
        tags=tuple(json.loads(str(tags))),
        date=None if date is None else datetime.fromisoformat(str(date)),
        status=Status(status),
        passages=int(str(passages)),
    )
