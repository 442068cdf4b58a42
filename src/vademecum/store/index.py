"""The index as one thing: what it knows of the files, and how changes get into it."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

import filelock
import numpy as np

from vademecum.domain import (
    Digest,
    Document,
    DocumentId,
    DocumentSummary,
    Page,
    Problem,
    Severity,
    Space,
    SpaceStats,
)
from vademecum.errors import IndexUnavailable
from vademecum.ports import Known, Loaded, Scope, Stamp
from vademecum.store import catalog, locators, segments
from vademecum.store.database import BUSY_SECONDS, SCHEMA_VERSION, Database
from vademecum.store.reading import SUMMARY, SnapshotReading, summary
from vademecum.store.sides import SegmentBuilder, Side
from vademecum.store.snapshot import SegmentArrays, Snapshot, load_dead, load_segments
from vademecum.store.times import microseconds

BATCH_CHARACTERS: Final = 64_000_000
"""Text that is collected before a segment is written: what bounds the memory of a large sync."""


OPEN_WAIT_SECONDS: Final = 60.0
"""How long opening waits for another process that is writing, if the index has to be made."""


class SqliteIndex:
    """The derived file `index.db`. Anything wrong with it is answered by making it anew."""

    def __init__(self, folder: Path, sides: Sequence[Side]) -> None:
        self._folder = folder
        self._sides = sides
        self._segments: dict[int, SegmentArrays] = {}
        self._snapshot: Snapshot | None = None
        self._lock = filelock.FileLock(folder / "index.lock")
        folder.mkdir(parents=True, exist_ok=True)
        self.database = self._open()

    @property
    def path(self) -> Path:
        return self._folder / "index.db"

    @property
    def fingerprint(self) -> str:
        """What the stored side depends on; another fingerprint means another index."""
        return "; ".join(side.fingerprint for side in self._sides)

    def close(self) -> None:
        self.database.close()

    # --- opening ---------------------------------------------------------------------------

    def _open(self) -> Database:
        try:
            return self._usable()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            self._set_aside()
            return self._usable()

    def _usable(self) -> Database:
        database = Database(self.path)
        try:
            if self._is_current(database):
                return database
            with self._opening(), database.writing():
                if not self._is_current(database):
                    database.drop_everything()
                    database.create("".join(side.schema for side in self._sides))
                    database.set_meta("fingerprint", self.fingerprint)
        except BaseException:
            database.close()
            raise
        return database

    @contextlib.contextmanager
    def _opening(self) -> Iterator[None]:
        """Hold the right to write. IndexUnavailable if another process keeps it for too long."""
        with self.exclusive(wait_seconds=OPEN_WAIT_SECONDS) as held:
            if not held:
                raise IndexUnavailable(
                    f"another process holds {str(self._folder / 'index.lock')!r}"
                    f" for more than {OPEN_WAIT_SECONDS:.0f} s",
                    hint="Wait for it, or end it; the files themselves are safe.",
                )
            yield

    def _is_current(self, database: Database) -> bool:
        return (
            database.version() == SCHEMA_VERSION
            and database.meta("fingerprint") == self.fingerprint
        )

    def _set_aside(self) -> None:
        """Keep an unreadable index under another name; a new one takes its place."""
        with self._opening():
            for suffix in ("", "-wal", "-shm"):
                file = self.path.with_name(self.path.name + suffix)
                if file.exists():
                    file.replace(file.with_name(f"damaged-{file.name}"))

    # --- reading ---------------------------------------------------------------------------

    def generation(self) -> int:
        """Grows with every committed change."""
        return int(self.database.meta("generation") or 0)

    def snapshot(self, spaces: tuple[Space, ...]) -> Snapshot:
        """The passages of some spaces as they are now. Call it inside `reading`."""
        generation = self.generation()
        held = self._snapshot
        if held is not None and held.generation == generation and held.spaces == spaces:
            return held
        connection = self.database.connection
        found = load_segments(connection, spaces, self._segments)
        self._snapshot = Snapshot(generation, spaces, found, load_dead(connection, found))
        return self._snapshot

    @contextlib.contextmanager
    def reading(self, scope: Scope) -> Iterator[SnapshotReading]:
        """One consistent state of the index, narrowed to a scope."""
        with self.database.reading() as connection:
            channels = {side.name: side for side in self._sides}
            yield SnapshotReading(connection, self.snapshot(scope.spaces), scope.where, channels)

    def list(self, scope: Scope, *, limit: int, after: str | None) -> Page:
        """Documents by date, newest first, undated last."""
        with self.reading(scope) as reading:
            if scope.where.roles or scope.where.speakers:
                # Who said something is known of passages only.
                allowed = reading.allowed
                assert allowed is not None
                numbers = np.unique(reading.document_of[np.flatnonzero(allowed)]).tolist()
                spoken = frozenset(map(DocumentId, reading.document_ids(numbers)))
                scope = Scope(
                    scope.spaces,
                    replace(scope.where, roles=frozenset(), speakers=frozenset(), documents=spoken),
                )
                if not spoken:
                    return Page(items=(), total=0)
            connection = self.database.connection
            return catalog.list_documents(connection, scope, limit=limit, after=after)

    def resolve(self, reference: str) -> Sequence[DocumentSummary]:
        """Every document that an id, a prefix of one, a path, a file name or a title can mean."""
        return catalog.resolve(self.database.connection, reference)

    def resembling(self, reference: str) -> Sequence[DocumentSummary]:
        """Documents whose title or path contains the reference: to suggest, never to pick from."""
        return catalog.resembling(self.database.connection, reference)

    def spaces(self) -> Sequence[SpaceStats]:
        """How much each space holds."""
        return catalog.spaces(self.database.connection)

    def bytes_on_disk(self) -> int:
        """The size of the index with its log."""
        self.trim()
        return sum(file.stat().st_size for file in self._folder.glob("index.db*"))

    def segment_count(self) -> int:
        return int(self.database.connection.execute("select count(*) from segments").fetchone()[0])

    def signature(self) -> str | None:
        """The state of the files that the index agrees with, if that was noted."""
        return self.database.meta("signature")

    def size(self) -> tuple[int, int]:
        """How many documents and passages there are."""
        row = self.database.connection.execute(
            "select count(*), coalesce(sum(passages), 0) from documents"
        ).fetchone()
        return int(row[0]), int(row[1])

    def document(self, identity: DocumentId) -> DocumentSummary | None:
        """One document by its id."""
        row = self.database.connection.execute(
            f"select {SUMMARY} from documents where id = ?", [identity]
        ).fetchone()
        return None if row is None else summary(row)

    def known(self) -> Mapping[str, Known]:
        rows = self.database.connection.execute(
            "select path, size, modified_ns, changed_ns, digest, claims, document, racy from files"
        )
        return {
            path: Known(
                Stamp(size, modified, changed),
                Digest(digest),
                None if claims is None else DocumentId(claims),
                None if document is None else DocumentId(document),
                bool(racy),
            )
            for path, size, modified, changed, digest, claims, document, racy in rows
        }

    def problems(self) -> Sequence[Problem]:
        rows = self.database.connection.execute(
            "select path, line, message, severity from problems order by path, line, message"
        )
        return [
            Problem(PurePosixPath(path), line, message, Severity(severity))
            for path, line, message, severity in rows
        ]

    def faults(self) -> Sequence[str]:
        """What is wrong inside the file itself: an empty list for a sound index."""
        connection = self.database.connection
        found = [row[0] for row in connection.execute("pragma quick_check(10)") if row[0] != "ok"]
        lost = connection.execute(
            "select count(*) from documents d left join segments s on s.id = d.segment"
            " where s.id is null or d.ordinal >= s.documents"
        ).fetchone()[0]
        if lost:
            found.append(f"{lost} documents point to segments that do not exist")
        for segment, documents in connection.execute("select id, documents from segments"):
            living = connection.execute(
                "select count(*) from documents where segment = ?", [segment]
            ).fetchone()[0]
            dead = connection.execute(
                "select count(*) from tombstones where segment = ?", [segment]
            ).fetchone()[0]
            if living + dead != documents:
                found.append(
                    f"segment {segment} has {documents} documents, {living} are listed and {dead}"
                    " deleted"
                )
        return found

    # --- writing ---------------------------------------------------------------------------

    @contextlib.contextmanager
    def exclusive(self, *, wait_seconds: float) -> Iterator[bool]:
        """Hold the right to write, across processes; False if another kept it all that time."""
        try:
            self._lock.acquire(timeout=wait_seconds)
        except filelock.Timeout:
            yield False
            return
        try:
            yield True
        finally:
            self._lock.release()

    @contextlib.contextmanager
    def writing(self) -> Iterator[IndexWriter]:
        with self.database.writing() as connection:
            writer = IndexWriter(connection, self._sides)
            before = connection.total_changes
            yield writer
            writer.finish()
            if connection.total_changes != before:
                self.database.set_meta("generation", str(self.generation() + 1))

    def trim(self) -> None:
        """Give back space: fold the write-ahead log into the file."""
        execute = self.database.connection.execute
        # A reader that holds an older state keeps the log; that is no reason to wait for it.
        execute("pragma busy_timeout = 0")
        execute("pragma wal_checkpoint(truncate)")
        execute(f"pragma busy_timeout = {int(BUSY_SECONDS * 1000)}")

    def forget_merged(self) -> None:
        """Let go of arrays whose segments are gone."""
        rows = self.database.connection.execute("select id from segments")
        alive = {segment for (segment,) in rows}
        for segment in self._segments.keys() - alive:
            del self._segments[segment]


class IndexWriter:
    """One transaction's worth of changes."""

    def __init__(self, connection: sqlite3.Connection, sides: Sequence[Side]) -> None:
        self._connection = connection
        self._sides = sides
        self._pending: defaultdict[Space, list[Document]] = defaultdict(list)
        self._builders: dict[Space, list[SegmentBuilder]] = {}
        self._pending_ids: set[DocumentId] = set()
        self._characters = 0
        self._touched: set[Space] = set()

    def put(self, loaded: Loaded, *, racy: bool, indexed: bool = True) -> None:
        """Index a file's document in place of whatever that path had before.

        With `indexed` false the file is only noted: another one has the same id.
        """
        path = loaded.file.path
        self._forget_document(path)
        document = loaded.document if indexed else None
        self._note_file(loaded, document, racy)
        if document is None:
            return
        space = document.space
        self._pending[space].append(document)
        self._pending_ids.add(document.id)
        if space not in self._builders:
            self._builders[space] = [side.builder() for side in self._sides]
        for builder in self._builders[space]:
            builder.add(document)
        self._characters += sum(len(passage.text) for passage in document.passages)
        if self._characters > BATCH_CHARACTERS:
            self._flush()

    def relocate(self, old: str, loaded: Loaded, *, racy: bool) -> None:
        """The same document under another path: nothing is analysed again."""
        self._flush()
        document = loaded.document
        assert document is not None
        self._forget_file(old)
        self._note_file(loaded, document, racy)
        self._connection.execute(
            "update documents set path = ? where id = ?", [str(document.path), document.id]
        )

    def restamp(self, path: str, stamp: Stamp, *, racy: bool) -> None:
        """The file was touched, its bytes are the same."""
        self._connection.execute(
            "update files set size = ?1, modified_ns = ?2, changed_ns = ?3, racy = ?4"
            " where path = ?5 and (size, modified_ns, changed_ns, racy) != (?1, ?2, ?3, ?4)",
            [stamp.size, stamp.modified_ns, stamp.changed_ns, racy, path],
        )

    def remove(self, path: str) -> None:
        """Forget a file and its document."""
        self._forget_document(path)
        self._forget_file(path)

    def unindex(self, path: str) -> None:
        """Take a file's document out and keep the file: another file has its id."""
        self._forget_document(path)

    def replace_vault_problems(self, problems: Sequence[Problem]) -> None:
        """The problems that are not found inside one file: all there are now."""
        rows = self._connection.execute(
            "select path, line, message, severity from problems where in_file = 0"
        ).fetchall()
        if sorted(rows) != sorted(_problem_row(problem) for problem in problems):
            self._connection.execute("delete from problems where in_file = 0")
            self._list_problems(problems, in_file=False)

    def note_signature(self, signature: str) -> None:
        """Remember the state of the files that the index now agrees with."""
        self._connection.execute(
            "insert into meta values ('signature', ?1) on conflict do update set value = ?1"
            " where value != ?1",
            [signature],
        )

    def clear(self) -> None:
        """Forget everything."""
        for (segment,) in self._connection.execute("select id from segments").fetchall():
            segments.drop(self._connection, segment, self._sides)
        for table in ("files", "problems", "documents", "tags", "tombstones"):
            self._connection.execute(f"delete from {table}")

    def finish(self) -> None:
        """Write what is still pending and keep the number of segments small."""
        self._flush()
        for space in sorted(self._touched):
            segments.compact(self._connection, space, self._sides)

    def _flush(self) -> None:
        for space, documents in self._pending.items():
            self._write_segment(space, documents, self._builders[space])
            self._touched.add(space)
        self._pending.clear()
        self._builders.clear()
        self._pending_ids.clear()
        self._characters = 0

    def _write_segment(
        self, space: Space, documents: Sequence[Document], builders: Sequence[SegmentBuilder]
    ) -> None:
        languages = frozenset(language for b in builders for language in b.languages)
        arrays = segments.arrays_of(documents, languages)
        segment = segments.insert(self._connection, space, arrays)
        self._connection.executemany(
            "insert into documents values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [_row(document, segment, ordinal) for ordinal, document in enumerate(documents)],
        )
        self._connection.executemany(
            "insert or ignore into tags values (?, ?)",
            [(document.id, tag.casefold()) for document in documents for tag in document.tags],
        )
        for side, builder in zip(self._sides, builders, strict=True):
            side.write(self._connection, segment, builder)

    def _note_file(self, loaded: Loaded, document: Document | None, racy: bool) -> None:
        file = loaded.file
        claims = None if loaded.document is None else loaded.document.id
        self._connection.execute(
            "insert or replace into files values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                file.path,
                file.stamp.size,
                file.stamp.modified_ns,
                file.stamp.changed_ns,
                racy,
                loaded.digest,
                claims,
                None if document is None else document.id,
            ],
        )
        self._connection.execute("delete from problems where path = ? and in_file", [file.path])
        self._list_problems(loaded.problems, in_file=True)

    def _list_problems(self, problems: Sequence[Problem], *, in_file: bool) -> None:
        self._connection.executemany(
            "insert into problems values (?, ?, ?, ?, ?)",
            [(*_problem_row(problem), in_file) for problem in problems],
        )

    def _forget_file(self, path: str) -> None:
        self._connection.execute("delete from files where path = ?", [path])
        self._connection.execute("delete from problems where path = ? and in_file", [path])

    def _forget_document(self, path: str) -> None:
        row = self._connection.execute(
            "select document from files where path = ?", [path]
        ).fetchone()
        if row is None or row[0] is None:
            return
        if row[0] in self._pending_ids:
            self._flush()
        space, segment, ordinal = self._connection.execute(
            "select space, segment, ordinal from documents where id = ?", row
        ).fetchone()
        self._connection.execute("delete from documents where id = ?", row)
        self._connection.execute("delete from tags where document = ?", row)
        self._connection.execute("insert into tombstones values (?, ?)", [segment, ordinal])
        self._connection.execute("update files set document = null where path = ?", [path])
        self._touched.add(Space(space))


def _problem_row(problem: Problem) -> tuple[str, int, str, str]:
    return str(problem.path), problem.line, problem.message, problem.severity.value


def _row(document: Document, segment: int, ordinal: int) -> list[object]:
    return [
        document.id,
        document.kind.value,
        document.space,
        str(document.path),
        document.title,
        None if document.type is None else document.type.value,
        json.dumps(document.tags, ensure_ascii=False),
        None if document.date is None else document.date.isoformat(),
        None if document.date is None else microseconds(document.date),
        document.status.value,
        document.encoding,
        segment,
        ordinal,
        len(document.passages),
        locators.pack(document.id, document.passages),
    ]
