"""What a search sees of the index: the passages of some spaces as arrays, at one moment."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from vademecum.analysis import Language
from vademecum.domain import DocumentKind, Filter, Role, Space
from vademecum.store.times import microseconds

NO_TIME: Final = np.iinfo(np.int64).min
ROLES: Final = (None, *Role)
KINDS: Final = tuple(DocumentKind)
"""The code of a role or kind is its place here."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SegmentArrays:
    """One segment as stored. Immutable; deletions are told apart in `tombstones`."""

    id: int
    kinds: NDArray[np.uint8]
    sizes: NDArray[np.uint32]
    roles: NDArray[np.uint8]
    times: NDArray[np.int64]
    zones: NDArray[np.int16]
    speakers: NDArray[np.uint32]
    names: tuple[str, ...]
    languages: frozenset[Language]

    @property
    def documents(self) -> int:
        return len(self.sizes)

    @property
    def passages(self) -> int:
        return len(self.roles)


@dataclass(frozen=True, slots=True)
class Placed:
    """A segment's place in the snapshot: where its passages and documents begin there."""

    id: int
    first_passage: int
    first_document: int


class Snapshot:
    """Passages and documents of some spaces, numbered through. The spaces are all it can see.

    Passages of one document stand side by side in reading order.
    """

    def __init__(
        self,
        generation: int,
        spaces: tuple[Space, ...],
        segments: Sequence[SegmentArrays],
        dead: Sequence[NDArray[np.int64]],
    ) -> None:
        self.generation = generation
        self.spaces = spaces
        self._segments = segments
        placed, passage, document = [], 0, 0
        for segment in segments:
            placed.append(Placed(segment.id, passage, document))
            passage += segment.passages
            document += segment.documents
        self.segments: tuple[Placed, ...] = tuple(placed)
        self.passages = passage
        self.documents = document
        self.languages = frozenset[Language]().union(*(s.languages for s in segments))
        self._dead_documents = _joined(
            [d + p.first_document for d, p in zip(dead, placed, strict=True)], np.int64
        )

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first passage of each document, and at the end the number of passages."""
        sizes = _joined([segment.sizes for segment in self._segments], np.int64)
        return np.concatenate(([0], np.cumsum(sizes)))

    @cached_property
    def document_of(self) -> NDArray[np.int64]:
        """The document of each passage."""
        return np.repeat(np.arange(self.documents), np.diff(self.starts))

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        return _joined([segment.kinds for segment in self._segments], np.uint8)

    @cached_property
    def roles(self) -> NDArray[np.uint8]:
        return _joined([segment.roles for segment in self._segments], np.uint8)

    @cached_property
    def own_words(self) -> Mask:
        """Passages that a person said to an assistant, or wrote down."""
        return np.isin(self.roles, [ROLES.index(None), ROLES.index(Role.USER)])

    @cached_property
    def times(self) -> NDArray[np.int64]:
        """Microseconds since the epoch, or NO_TIME."""
        return _joined([segment.times for segment in self._segments], np.int64)

    @cached_property
    def live_documents(self) -> Mask | None:
        """Which documents still exist; None if all do."""
        if not len(self._dead_documents):
            return None
        live = np.ones(self.documents, np.bool_)
        live[self._dead_documents] = False
        return live

    @cached_property
    def live(self) -> Mask | None:
        """Which passages still exist; None if all do."""
        return None if self.live_documents is None else self.live_documents[self.document_of]

    def places(self, documents: Sequence[int]) -> Iterator[tuple[int, int, list[int]]]:
        """Where some documents are: for each segment its first document, and their ordinals."""
        wanted = np.unique(np.array(documents, np.int64))
        firsts = [segment.first_document for segment in self.segments]
        borders = np.searchsorted(wanted, [*firsts, self.documents])
        for segment, (low, high) in zip(self.segments, pairwise(borders.tolist()), strict=True):
            if low < high:
                first = segment.first_document
                yield segment.id, first, (wanted[low:high] - first).tolist()

    def attributes(self, passage: int) -> tuple[Role | None, str, int, int]:
        """Role, speaker, time in microseconds (or NO_TIME) and zone in minutes of a passage."""
        firsts = [segment.first_passage for segment in self.segments]
        number = int(np.searchsorted(firsts, passage, side="right")) - 1
        segment, at = self._segments[number], passage - firsts[number]
        return (
            ROLES[segment.roles[at]],
            segment.names[segment.speakers[at]],
            int(segment.times[at]),
            int(segment.zones[at]),
        )

    def speakers_named(self, names: frozenset[str]) -> Mask:
        """Passages whose speaker has one of these names, whatever its capitals."""
        wanted = {name.casefold() for name in names}
        parts = []
        for segment in self._segments:
            matching = np.array([name.casefold() in wanted for name in segment.names], np.bool_)
            parts.append(matching[segment.speakers])
        return _joined(parts, np.bool_)


def allowed(snapshot: Snapshot, where: Filter, connection: sqlite3.Connection) -> Mask | None:
    """Which passages exist and fulfil the filter; None if every passage does."""
    masks: list[Mask] = [] if snapshot.live is None else [snapshot.live]
    if where.kinds:
        of_kind = np.isin(snapshot.kinds, [KINDS.index(kind) for kind in where.kinds])
        # Most vaults, asked for their sessions, have little else: no need to carry a mask along.
        if not of_kind.all():
            masks.append(of_kind[snapshot.document_of])
    if where.types or where.tags or where.documents:
        masks.append(_documents_matching(snapshot, where, connection)[snapshot.document_of])
    if where.roles:
        codes = [ROLES.index(role) for role in where.roles]
        masks.append(np.isin(snapshot.roles, codes))
    if where.speakers:
        masks.append(snapshot.speakers_named(where.speakers))
    if where.since is not None:
        masks.append(snapshot.times >= microseconds(where.since))
    if where.until is not None:
        masks.append((snapshot.times < microseconds(where.until)) & (snapshot.times != NO_TIME))
    return None if not masks else np.logical_and.reduce(masks)


def _documents_matching(snapshot: Snapshot, where: Filter, connection: sqlite3.Connection) -> Mask:
    condition, values = document_condition(where)
    first = {segment.id: segment.first_document for segment in snapshot.segments}
    holes = ",".join("?" * len(snapshot.spaces))
    rows = connection.execute(
        f"select segment, ordinal from documents where space in ({holes}) and {condition}",
        [*snapshot.spaces, *values],
    )
    matching = np.zeros(snapshot.documents, np.bool_)
    matching[[first[segment] + ordinal for segment, ordinal in rows]] = True
    return matching


def document_condition(where: Filter) -> tuple[str, list[str]]:
    """The part of a filter that is about documents, as SQL with its values."""
    conditions, values = ["true"], list[str]()

    def one_of(column: str, wanted: Sequence[str]) -> None:
        if wanted:
            conditions.append(f"{column} in ({','.join('?' * len(wanted))})")
            values.extend(wanted)

    one_of("kind", [kind.value for kind in where.kinds])
    one_of("type", [kind.value for kind in where.types])
    if where.documents:
        conditions.append("id in (select value from json_each(?))")
        values.append(json.dumps(sorted(where.documents)))
    for tag in sorted(where.tags):
        conditions.append("id in (select document from tags where tag = ?)")
        values.append(tag.casefold())
    return " and ".join(conditions), values


def load_segments(
    connection: sqlite3.Connection, spaces: Sequence[Space], known: dict[int, SegmentArrays]
) -> list[SegmentArrays]:
    """The segments of some spaces, oldest first. What `known` has is not read again."""
    holes = ",".join("?" * len(spaces))
    ids = connection.execute(
        f"select id from segments where space in ({holes}) order by id", list(spaces)
    ).fetchall()
    for (segment,) in ids:
        if segment not in known:
            known[segment] = _load(connection, segment)
    return [known[segment] for (segment,) in ids]


def _load(connection: sqlite3.Connection, segment: int) -> SegmentArrays:
    row = connection.execute(
        "select kinds, sizes, roles, times, zones, speakers, names, languages from segments"
        " where id = ?",
        [segment],
    ).fetchone()
    return SegmentArrays(
        segment,
        np.frombuffer(row[0], "<u1"),
        np.frombuffer(row[1], "<u4"),
        np.frombuffer(row[2], "<u1"),
        np.frombuffer(row[3], "<i8"),
        np.frombuffer(row[4], "<i2"),
        np.frombuffer(row[5], "<u4"),
        tuple(json.loads(row[6])),
        frozenset(Language(name) for name in json.loads(row[7])),
    )


def load_dead(
    connection: sqlite3.Connection, segments: Sequence[SegmentArrays]
) -> list[NDArray[np.int64]]:
    """The ordinals of deleted documents, for each segment."""
    if not connection.execute("select 1 from tombstones limit 1").fetchone():
        return [np.empty(0, np.int64) for _ in segments]
    return [
        np.array(
            connection.execute(
                "select ordinal from tombstones where segment = ?", [segment.id]
            ).fetchall(),
            np.int64,
        ).reshape(-1)
        for segment in segments
    ]


_Item = TypeVar("_Item", bound=np.generic)


def _joined(parts: Sequence[NDArray[Any]], dtype: type[_Item]) -> NDArray[_Item]:
    return np.concatenate([np.empty(0, dtype), *parts]).astype(dtype, copy=False)
