"""What the engine needs from the outside, as small promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from vademecum.domain import (
    Appended,
    Bm25,
    ChannelName,
    Digest,
    Document,
    DocumentId,
    DocumentKind,
    DocumentSummary,
    Field,
    Filter,
    Memory,
    Note,
    Outcome,
    Page,
    Passage,
    Problem,
    Saved,
    Session,
    SessionHeader,
    Space,
    SpaceStats,
    Turn,
    View,
)

if TYPE_CHECKING:
    from vademecum.analysis import Language, Question, Word


class Clock(Protocol):
    def now(self) -> datetime:
        """An aware datetime. The only source of time below the faces."""
        ...


# --- the files -----------------------------------------------------------------------------


class Stamp(NamedTuple):
    """What the file system says of a file without reading it. Nanoseconds since the epoch."""

    size: int
    modified_ns: int
    changed_ns: int


class SeenFile(NamedTuple):
    """One memory or session file found by a scan. `path` is relative to the vault, in NFC."""

    path: str
    kind: DocumentKind
    space: Space
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Scan:
    """Every file a vault has, and what was passed over and why."""

    files: Sequence[SeenFile]
    problems: Sequence[Problem]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file read and understood. `document` is None if nothing of it can be indexed.

    An `unchanged` file has the digest the caller knew, and was not looked into.
    """

    file: SeenFile
    digest: Digest
    document: Document | None
    problems: Sequence[Problem]
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class PassageSource:
    """Where the text of one passage stands: bytes of a file, and a clip of their text."""

    path: str
    kind: DocumentKind
    encoding: str
    start: int
    length: int
    clip: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file from outside the vault. `path` is its place below what was named for the import."""

    path: PurePosixPath
    kind: DocumentKind
    data: bytes
    modified: datetime


class Vault(Protocol):
    """The files: the only durable truth."""

    def scan(self) -> Scan:
        """List without reading. Ignored, oversized and foreign files become problems."""
        ...

    def state(self) -> str:
        """A digest of all names, sizes and times: the same as long as nothing changed."""
        ...

    def load(self, file: SeenFile, *, known: Digest | None = None) -> Loaded | None:
        """Read one file; None if it has gone since the scan."""
        ...

    def read_passages(self, sources: Sequence[PassageSource]) -> Sequence[str | None]:
        """The text of each source, None where the file no longer has it."""
        ...

    def read(self, path: PurePosixPath) -> bytes:
        """The bytes of a file. NotFound, or VaultError for a path that leads out of the vault."""
        ...

    def read_document(
        self, path: PurePosixPath, kind: DocumentKind, space: Space
    ) -> Memory | Session: ...

    def write(self, note: Note, space: Space, *, now: datetime) -> Saved:
        """A new memory file of a space, with an id of its own."""
        ...

    def write_file(
        self, identity: DocumentId, path: PurePosixPath, data: bytes, *, expected: Digest | None
    ) -> Outcome:
        """Put bytes at a path. Conflict if the file there is not the `expected` one."""
        ...

    def remove(self, path: PurePosixPath) -> None: ...

    def start_session(
        self, header: SessionHeader, space: Space, *, now: datetime
    ) -> PurePosixPath: ...

    def append(self, path: PurePosixPath, turns: Sequence[Turn], *, now: datetime) -> Appended:
        """Add turns at the end of a session: all or none, on the disk when it returns."""
        ...

    def memory_home(self, space: Space) -> PurePosixPath:
        """The folder of a space's memories."""
        ...

    def id_for(self, moment: datetime, key: str) -> DocumentId:
        """A ULID that is the same for the same moment and key."""
        ...

    def session_file(
        self, header: SessionHeader, turns: Sequence[Turn], space: Space, *, now: datetime
    ) -> tuple[PurePosixPath, bytes]:
        """Where a whole session goes and the bytes of its file."""
        ...


# --- the index -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Known:
    """What the index remembers of one file.

    `claims` is the id the file carries; `document` is the same, or None if another file with
    that id is indexed in its place. A `racy` file was read within the clock's granularity of its
    last change, so that an equal stamp is no proof that it is unchanged.
    """

    stamp: Stamp
    digest: Digest
    claims: DocumentId | None
    document: DocumentId | None
    racy: bool


class Writer(Protocol):
    """Changes that become visible together, or not at all."""

    def put(self, loaded: Loaded, *, racy: bool, indexed: bool = True) -> None:
        """Index a file's document in place of whatever that path had before.

        With `indexed` false the file is only noted: another one has the same id.
        """
        ...

    def relocate(self, old: str, loaded: Loaded, *, racy: bool) -> None:
        """The same document under another path: nothing is analysed again."""
        ...

    def restamp(self, path: str, stamp: Stamp, *, racy: bool) -> None:
        """The file was touched, its bytes are the same."""
        ...

    def remove(self, path: str) -> None:
        """Forget a file and its document."""
        ...

    def unindex(self, path: str) -> None:
        """Take a file's document out and keep the file: another file has its id."""
        ...

    def replace_vault_problems(self, problems: Sequence[Problem]) -> None:
        """The problems that are not found inside one file: all there are now."""
        ...

    def note_signature(self, signature: str) -> None:
        """Remember the state of the files that the index now agrees with."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...


class Index(Protocol):
    """The derived side: everything in it can be rebuilt from the files."""

    def signature(self) -> str | None:
        """The state of the files that the index agrees with, if that was noted."""
        ...

    def size(self) -> tuple[int, int]:
        """How many documents and passages there are."""
        ...

    def document(self, identity: DocumentId) -> DocumentSummary | None: ...

    def known(self) -> Mapping[str, Known]: ...

    def problems(self) -> Sequence[Problem]: ...

    def faults(self) -> Sequence[str]:
        """What is wrong inside the index itself: empty for a sound one."""
        ...

    def writing(self) -> AbstractContextManager[Writer]:
        """One transaction: commits on leaving, rolls back on an exception."""
        ...

    def exclusive(self, *, wait_seconds: float) -> AbstractContextManager[bool]:
        """Hold the right to write, across processes; False if another kept it all that time."""
        ...


# --- searching -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may see at all: the spaces, and the filter on what is in them."""

    spaces: tuple[Space, ...]
    where: Filter


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that was found, before its text is read: `passage.text` is empty."""

    document: DocumentSummary
    passage: Passage
    source: PassageSource


Units = NDArray[np.int64]
"""Passages or documents by their number in a `Reading`."""

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Evidence(Protocol):
    """What one channel has to say about one question. Scores are finite and at least 0."""

    def everywhere(self, view: View) -> Scores:
        """The score of every unit of a view: documents for `View.DOCUMENT`, else passages."""
        ...

    def at(self, view: View, units: Units) -> Scores:
        """The scores of some units: exactly what `everywhere` has for them."""
        ...

    def by_field(self, view: View, units: Units) -> Mapping[Field, Scores]:
        """How the score of each unit is made up; the parts add up to it."""
        ...

    def words_found(self) -> Sequence[Word]:
        """The words of the question that occur at all."""
        ...

    def around(self, passages: Units) -> Units:
        """The passages that have one of these among their neighbours, ascending."""
        ...

    def holders(self, number: int) -> Units:
        """The passages that hold the word of that number in `words_found`, ascending."""
        ...


class Reading(Protocol):
    """One consistent state of the index, narrowed to a scope. It ends with its context."""

    @property
    def languages(self) -> frozenset[Language]: ...

    @property
    def starts(self) -> Units:
        """The first passage of each document, and at the end the number of passages."""
        ...

    @property
    def document_of(self) -> Units:
        """The document of each passage."""
        ...

    @property
    def allowed(self) -> Mask | None:
        """The passages that exist and fulfil the filter; None if all do."""
        ...

    def evidence(self, channel: ChannelName, question: Question, bm25: Bm25) -> Evidence | None:
        """What a channel knows; None if there is no such channel."""
        ...

    def found(self, passages: Sequence[int]) -> Sequence[Found]: ...

    def passage_ids(self, passages: Sequence[int]) -> Sequence[str]: ...

    def document_ids(self, documents: Sequence[int]) -> Sequence[str]: ...


class Library(Protocol):
    """Read side of the index: conditions in, summaries out."""

    def reading(self, scope: Scope) -> AbstractContextManager[Reading]: ...

    def list(self, scope: Scope, *, limit: int, after: str | None) -> Page:
        """Documents by date, newest first, undated last."""
        ...

    def resolve(self, reference: str) -> Sequence[DocumentSummary]:
        """Every document that an id, a prefix of one, a path, a file name or a title can mean."""
        ...

    def resembling(self, reference: str) -> Sequence[DocumentSummary]:
        """Documents whose title or path contains it: to suggest, never to pick from."""
        ...

    def spaces(self) -> Sequence[SpaceStats]: ...


Progress = Callable[[int, int], None]
"""Called with how many are done and how many there are."""
