"""Segments: written once, merged with others of their size, never changed."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vademecum.analysis import Language
from vademecum.domain import Document, Space
from vademecum.store.sides import Part, Side
from vademecum.store.snapshot import (
    KINDS,
    NO_TIME,
    ROLES,
    SegmentArrays,
    load_dead,
    load_segments,
)
from vademecum.store.times import microseconds, zone_minutes

FAN_OUT: Final = 8
"""So many segments of one size class are merged into one of the next."""

SMALLEST: Final = 64
"""Segments below this many passages are of one size class."""

MOST_DEAD: Final = 0.3
"""A segment with a greater share of deleted passages is written anew."""


def arrays_of(documents: Sequence[Document], languages: frozenset[Language]) -> SegmentArrays:
    """The attributes of all passages, in order."""
    passages = [passage for document in documents for passage in document.passages]
    names: dict[str, int] = {}
    return SegmentArrays(
        0,
        np.array([KINDS.index(document.kind) for document in documents], "<u1"),
        np.array([len(document.passages) for document in documents], "<u4"),
        np.array([ROLES.index(passage.role) for passage in passages], "<u1"),
        np.array(
            [
                NO_TIME if moment is None else microseconds(moment)
                for document in documents
                for passage in document.passages
                for moment in (passage.time or document.date,)
            ],
            "<i8",
        ),
        np.array(
            [
                0 if moment is None else zone_minutes(moment)
                for document in documents
                for passage in document.passages
                for moment in (passage.time or document.date,)
            ],
            "<i2",
        ),
        np.array([names.setdefault(passage.speaker, len(names)) for passage in passages], "<u4"),
        tuple(names),
        languages,
    )


def insert(connection: sqlite3.Connection, space: Space, arrays: SegmentArrays) -> int:
    """Store a segment; its new number."""
    cursor = connection.execute(
        "insert into segments (space, documents, passages, languages, names, kinds, sizes, roles,"
        " times, zones, speakers) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            space,
            arrays.documents,
            arrays.passages,
            json.dumps(sorted(language.value for language in arrays.languages)),
            json.dumps(arrays.names),
            arrays.kinds.tobytes(),
            arrays.sizes.tobytes(),
            arrays.roles.tobytes(),
            arrays.times.tobytes(),
            arrays.zones.tobytes(),
            arrays.speakers.tobytes(),
        ],
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def compact(connection: sqlite3.Connection, space: Space, sides: Sequence[Side]) -> None:
    """Merge until no size class of a space is full and no segment is mostly dead."""
    while crowd := _crowd(connection, space):
        merge(connection, space, crowd, sides)


def merge(
    connection: sqlite3.Connection,
    space: Space,
    segments: Sequence[SegmentArrays],
    sides: Sequence[Side],
) -> None:
    """Write the living documents of some segments into one new segment, and drop the old."""
    dead = load_dead(connection, segments)
    parts: list[Part] = []
    passages = documents = 0
    for segment, gone in zip(segments, dead, strict=True):
        keep = np.ones(segment.documents, np.bool_)
        keep[gone] = False
        keep_passages = np.repeat(keep, segment.sizes)
        parts.append(
            Part(segment.id, _renumbered(keep, documents), _renumbered(keep_passages, passages))
        )
        documents += int(keep.sum())
        passages += int(keep_passages.sum())
    if documents:
        into = insert(connection, space, _joined(segments, parts))
        for part in parts:
            moves = [
                (into, int(new), part.segment, old)
                for old, new in enumerate(part.documents.tolist())
                if new >= 0
            ]
            connection.executemany(
                "update documents set segment = ?, ordinal = ? where segment = ? and ordinal = ?",
                moves,
            )
        for side in sides:
            side.merge(connection, parts, into)
    for segment in segments:
        drop(connection, segment.id, sides)


def drop(connection: sqlite3.Connection, segment: int, sides: Sequence[Side]) -> None:
    """Remove a segment with everything that belongs to it."""
    connection.execute("delete from segments where id = ?", [segment])
    connection.execute("delete from tombstones where segment = ?", [segment])
    for side in sides:
        side.drop(connection, segment)


def _crowd(connection: sqlite3.Connection, space: Space) -> list[SegmentArrays]:
    """The next segments to be merged, if any."""
    segments = load_segments(connection, [space], {})
    classes: defaultdict[int, list[SegmentArrays]] = defaultdict(list)
    for segment, gone in zip(segments, load_dead(connection, segments), strict=True):
        dead = int(segment.sizes[gone].sum())
        if len(gone) == segment.documents or dead > MOST_DEAD * segment.passages:
            return [segment]
        classes[_size_class(segment.passages)].append(segment)
    for size in sorted(classes):
        if len(classes[size]) >= FAN_OUT:
            return classes[size]
    return []


def _size_class(passages: int) -> int:
    size = 0
    while passages > SMALLEST:
        passages //= FAN_OUT
        size += 1
    return size


def _renumbered(keep: NDArray[np.bool_], first: int) -> NDArray[np.int64]:
    """New numbers for what is kept, counting from `first`; -1 for the rest."""
    return np.where(keep, np.cumsum(keep) - 1 + first, -1)


def _joined(segments: Sequence[SegmentArrays], parts: Sequence[Part]) -> SegmentArrays:
    names: dict[str, int] = {}
    speakers = []
    for segment, part in zip(segments, parts, strict=True):
        translation = np.array(
            [names.setdefault(name, len(names)) for name in segment.names], "<u4"
        )
        speakers.append(translation[segment.speakers][part.passages >= 0])
    kept = [part.passages >= 0 for part in parts]
    alive = [part.documents >= 0 for part in parts]
    return SegmentArrays(
        0,
        np.concatenate([s.kinds[k] for s, k in zip(segments, alive, strict=True)]),
        np.concatenate([s.sizes[k] for s, k in zip(segments, alive, strict=True)]),
        np.concatenate([s.roles[k] for s, k in zip(segments, kept, strict=True)]),
        np.concatenate([s.times[k] for s, k in zip(segments, kept, strict=True)]),
        np.concatenate([s.zones[k] for s, k in zip(segments, kept, strict=True)]),
        np.concatenate(speakers),
        tuple(names),
        frozenset[Language]().union(*(segment.languages for segment in segments)),
    )
