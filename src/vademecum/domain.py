"""The words of the project. Nothing here reads a file, a clock, a model or a database."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from pathlib import PurePosixPath
from typing import Final, NewType

DocumentId = NewType("DocumentId", str)
"""Identity of a memory or a session. Written into the file, so it survives edits and moves."""

DOCUMENT_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What an id that somebody wrote must look like to be taken."""

PassageId = NewType("PassageId", str)
"""`<document>#<turn or section>[.<part>]`: the unit that is ranked and cited."""

Digest = NewType("Digest", str)
"""BLAKE2b-128 of a file's bytes, in hexadecimal."""

Space = NewType("Space", str)
"""`personal` or `kind:name`, normalised by `vademecum.spaces.parse_space`."""

ChannelName = NewType("ChannelName", str)

PERSONAL = Space("personal")


class DocumentKind(Enum):
    MEMORY = "memory"
    SESSION = "session"


class MemoryType(Enum):
    FACT = "fact"
    DECISION = "decision"
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    TODO = "todo"
    HOW_TO = "how-to"
    GOTCHA = "gotcha"
    LESSON = "lesson"
    OBSERVATION = "observation"
    REFERENCE = "reference"


class Status(Enum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    RETRACTED = "retracted"
    ARCHIVED = "archived"


class Review(Enum):
    DRAFT = "draft"
    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    PUBLISHED = "published"


class Source(Enum):
    USER = "user"
    AGENT = "agent"
    HOOK = "hook"
    IMPORT = "import"
    DISTILLED = "distilled"


class Role(Enum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Severity(Enum):
    """An ERROR hides content from search; a WARNING does not."""

    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in one file. Reading goes on; the caller decides how loudly to say it."""

    path: PurePosixPath
    line: int
    message: str
    severity: Severity = Severity.WARNING


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One Markdown note, parsed.

    `text` is the whole file, front matter included; `body` is what follows the front matter.
    Both are exactly what stands in the file.
    """

    id: DocumentId
    space: Space
    path: PurePosixPath
    title: str
    text: str
    body: str
    digest: Digest
    type: MemoryType | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None
    event_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    status: Status = Status.ACTIVE
    supersedes: tuple[DocumentId, ...] = ()
    superseded_by: DocumentId | None = None
    review: Review = Review.APPROVED
    source: Source = Source.USER
    author: str = ""
    derived_from: tuple[str, ...] = ()
    confidence: float | None = None
    importance: float | None = None
    pinned: bool = False

    @property
    def date(self) -> datetime | None:
        """When it happened, if the author said so; otherwise when it was written down."""
        return self.event_at or self.created_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a conversation, verbatim. An empty `id` lets the session number it."""

    content: str
    role: Role = Role.USER
    speaker: str = ""
    time: datetime | None = None
    id: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHeader:
    """The first line of a session file."""

    id: DocumentId
    title: str = ""
    started_at: datetime | None = None
    source: Source = Source.USER
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation, as its file has it."""

    header: SessionHeader
    space: Space
    path: PurePosixPath
    turns: tuple[Turn, ...]
    digest: Digest

    @property
    def id(self) -> DocumentId:
        return self.header.id

    @property
    def title(self) -> str:
        return self.header.title


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What somebody wants remembered; the vault gives it an id and a place.

    Without a space it goes to the vault's default one.
    """

    text: str
    space: Space | None = None
    title: str = ""
    type: MemoryType | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    event_at: datetime | None = None
    source: Source = Source.USER
    author: str = ""
    importance: float | None = None
    pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A turn, a section of a memory, or a part of one: what is indexed, ranked and cited.

    `text` is body text without its heading line. `start` and `length` are the bytes of the file
    that hold it (a whole JSON line for a turn); `clip` is the range of characters of that
    source text, so that the text can be read back without keeping a second copy of it.
    """

    id: PassageId
    text: str
    line: int
    start: int
    length: int
    clip: tuple[int, int]
    heading: tuple[str, ...] = ()
    turn: str = ""
    role: Role | None = None
    speaker: str = ""
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A memory or a session as the index sees it."""

    id: DocumentId
    kind: DocumentKind
    space: Space
    path: PurePosixPath
    title: str
    digest: Digest
    passages: tuple[Passage, ...]
    type: MemoryType | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    date: datetime | None = None
    updated_at: datetime | None = None
    status: Status = Status.ACTIVE
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSummary:
    """A document without its text: what a list shows."""

    id: DocumentId
    kind: DocumentKind
    space: Space
    path: PurePosixPath
    title: str
    type: MemoryType | None
    tags: tuple[str, ...]
    date: datetime | None
    status: Status
    passages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A conjunction over passages; the empty filter matches everything.

    Within one field any value may match, except `tags`, which must all be present.
    `since` is inclusive and `until` exclusive; a passage without a time matches neither.
    """

    kinds: frozenset[DocumentKind] = frozenset()
    types: frozenset[MemoryType] = frozenset()
    tags: frozenset[str] = frozenset()
    roles: frozenset[Role] = frozenset()
    speakers: frozenset[str] = frozenset()
    documents: frozenset[DocumentId] = frozenset()
    since: datetime | None = None
    until: datetime | None = None

    def is_empty(self) -> bool:
        return self == Filter()


class Unit(Enum):
    """What a hit is: a passage, or a document scored by its passages."""

    PASSAGE = "passage"
    MEMORY = "memory"
    SESSION = "session"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked. How it is answered is a `Recipe`.

    No `spaces` means the vault's default space and those its policy lets it be mixed with.
    """

    text: str
    limit: int = 10
    spaces: tuple[Space, ...] = ()
    where: Filter = Filter()
    unit: Unit = Unit.PASSAGE
    asked_at: datetime | None = None


class View(Enum):
    """A granularity of the same words."""

    PASSAGE = "passage"
    NEIGHBOURS = "neighbours"
    DOCUMENT = "document"
    OWN_WORDS = "own-words"


class Rollup(Enum):
    """How the passages of a document become one score for it."""

    BEST = "best"
    MEAN_OF_BEST_THREE = "mean-of-best-three"


class Field(Enum):
    """A part of a passage's text with a weight of its own."""

    TITLE = "title"
    HEADING = "heading"
    BODY = "body"
    TAGS = "tags"
    SPEAKER = "speaker"


class Idf(Enum):
    """How rare words weigh more.

    LUCENE: ln(1 + (N - n + 0.5) / (n + 0.5)), always positive.
    ROBERTSON: ln((N - n + 0.5) / (n + 0.5)), at least 1e-6, as SQLite FTS5 has it.
    """

    LUCENE = "lucene"
    ROBERTSON = "robertson"


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """How many times an occurrence in each field counts."""

    title: float = 1.0
    heading: float = 1.0
    body: float = 1.0
    tags: float = 1.0
    speaker: float = 1.0

    def of(self, which: Field) -> float:
        match which:
            case Field.TITLE:
                return self.title
            case Field.HEADING:
                return self.heading
            case Field.BODY:
                return self.body
            case Field.TAGS:
                return self.tags
            case Field.SPEAKER:
                return self.speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25:
    """Parameters of BM25 (Robertson and Zaragoza, 2009), with weighted fields (BM25F, simple).

    `lengths` says which fields count towards the length of a passage.
    """

    k1: float = 1.5
    b: float = 0.75
    idf: Idf = Idf.LUCENE
    weights: FieldWeights = FieldWeights()
    lengths: frozenset[Field] = frozenset({Field.HEADING, Field.BODY})

    def __post_init__(self) -> None:
        if not (math.isfinite(self.k1) and self.k1 >= 0 and 0 <= self.b <= 1):
            raise ValueError(f"BM25 needs k1 >= 0 and 0 <= b <= 1, got k1={self.k1}, b={self.b}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Ask one channel at one granularity for `depth` candidates and count them `weight` times."""

    channel: ChannelName
    view: View
    weight: float = 1.0
    depth: int = 200
    rollup: Rollup = Rollup.BEST

    @property
    def name(self) -> str:
        return f"{self.channel}/{self.view.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How to answer: the one value that an ablation changes.

    `passages` are the uses that rank passages, `documents` those that rank whole memories and
    sessions. Each use's scores are divided by the best of the query, weighted and added.
    `literal_bonus` is what a hit gains that holds all the quoted phrases and rare exact
    identifiers of the query, on the same scale as the weights.
    """

    name: str
    passages: tuple[Use, ...]
    documents: tuple[Use, ...]
    bm25: Bm25 = Bm25()
    literal_bonus: float = 0.5

    def __post_init__(self) -> None:
        for uses in (self.passages, self.documents):
            names = [use.name for use in uses]
            if len(set(names)) != len(names):
                raise ValueError(f"recipe {self.name!r} uses a view twice: {names}")

    def uses(self, unit: Unit) -> tuple[Use, ...]:
        """What ranks this unit."""
        return self.passages if unit is Unit.PASSAGE else self.documents

    def without(self, use_name: str) -> Recipe:
        """The same recipe with one use left out, for ablation."""
        return replace(
            self,
            name=f"{self.name} - {use_name}",
            passages=tuple(use for use in self.passages if use.name != use_name),
            documents=tuple(use for use in self.documents if use.name != use_name),
        )


@dataclass(frozen=True, slots=True)
class Contribution:
    """Why a hit is where it is: what one field, seen at one granularity, added to its score."""

    channel: str
    field: str
    amount: float


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of a hit's text that match the query."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result. `score` is comparable within one answer only; contributions add up to it."""

    passage: Passage
    document: DocumentSummary
    score: float
    contributions: tuple[Contribution, ...] = ()
    highlights: tuple[Span, ...] = ()

    @property
    def date(self) -> datetime | None:
        return self.passage.time or self.document.date


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of the work that could not take part. Said, never swallowed."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one step took."""

    step: str
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The one result type of a search, whichever channels took part."""

    query: Query
    recipe: Recipe
    spaces: tuple[Space, ...]
    hits: tuple[Hit, ...]
    skipped: tuple[Skipped, ...] = ()
    timings: tuple[Timing, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hit is: the passage of a document, counted from 0, and the score of the hit."""

    document: DocumentId
    passage: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """An `Answer` without its texts and reasons: the same hits, as places."""

    query: Query
    recipe: Recipe
    spaces: tuple[Space, ...]
    places: tuple[Place, ...]
    skipped: tuple[Skipped, ...] = ()
    timings: tuple[Timing, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """Written and on the disk."""

    id: DocumentId
    path: PurePosixPath


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The file already says exactly this."""

    id: DocumentId
    path: PurePosixPath


@dataclass(frozen=True, slots=True)
class Conflict:
    """The file was changed by somebody else meanwhile; nothing was written."""

    id: DocumentId
    path: PurePosixPath
    expected: Digest
    found: Digest


Outcome = Saved | Unchanged | Conflict


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """Turns that are on the disk, with the ids they were given."""

    session: DocumentId
    path: PurePosixPath
    turns: tuple[str, ...]
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Removed:
    """A file that was taken out of the vault."""

    id: DocumentId
    path: PurePosixPath


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a sync brought into the index. `problems` are all that the vault has now."""

    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    documents: int = 0
    passages: int = 0
    problems: tuple[Problem, ...] = ()
    busy: bool = False

    @property
    def is_quiet(self) -> bool:
        return not (self.added or self.changed or self.moved or self.removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """Whether files and index agree. `ghosts` are indexed but gone; `orphans` exist, unindexed."""

    files: int
    documents: int
    passages: int
    ghosts: tuple[PurePosixPath, ...] = ()
    orphans: tuple[PurePosixPath, ...] = ()
    stale: tuple[PurePosixPath, ...] = ()
    faults: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def agrees(self) -> bool:
        return not (self.ghosts or self.orphans or self.stale or self.faults)

    @property
    def is_clean(self) -> bool:
        return self.agrees and not any(p.severity is Severity.ERROR for p in self.problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did with what it read. `skipped` says which file and why."""

    read: int = 0
    stored: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceStats:
    """How much one space holds."""

    space: Space
    memories: int
    sessions: int
    passages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much the vault and its index hold. Sizes in bytes."""

    spaces: tuple[SpaceStats, ...]
    files_bytes: int
    index_bytes: int
    segments: int
    generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A part of a list. `next` is the cursor to ask for the rest with, or None at the end."""

    items: tuple[DocumentSummary, ...]
    total: int
    next: str | None = None
