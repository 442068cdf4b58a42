"""What the index asks of a channel: to store its side of a segment, and to search it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vademecum.analysis import Language, Question
from vademecum.domain import Bm25, ChannelName, Document
from vademecum.ports import Evidence
from vademecum.store.snapshot import Snapshot


class SegmentBuilder(Protocol):
    """Collects the documents of one new segment for one channel."""

    languages: set[Language]

    def add(self, document: Document) -> None: ...


@dataclass(frozen=True, slots=True)
class Part:
    """One segment that goes into a merge: the new number of each document and passage, or -1."""

    segment: int
    documents: NDArray[np.int64]
    passages: NDArray[np.int64]


class Side(Protocol):
    """One channel as the index sees it. Everything happens inside the caller's transaction."""

    @property
    def name(self) -> ChannelName: ...

    @property
    def schema(self) -> str:
        """The tables of this channel, as SQL."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever what was stored can no longer be used."""
        ...

    def builder(self) -> Any: ...

    def write(self, connection: sqlite3.Connection, segment: int, builder: Any) -> None:
        """Store what a builder of this channel has collected."""
        ...

    def merge(self, connection: sqlite3.Connection, parts: Sequence[Part], into: int) -> None: ...

    def drop(self, connection: sqlite3.Connection, segment: int) -> None: ...

    def evidence(
        self, connection: sqlite3.Connection, snapshot: Snapshot, question: Question, bm25: Bm25
    ) -> Evidence: ...
