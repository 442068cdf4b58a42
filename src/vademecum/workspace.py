"""One opened vault: constructs the rooms, wires them, and passes each verb on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from vademecum import recipes
from vademecum.analysis import Analyzer
from vademecum.capture import Capturer
from vademecum.channels.lexical import LexicalChannel
from vademecum.clock import SystemClock
from vademecum.domain import (
    Answer,
    Appended,
    Checkup,
    Digest,
    DocumentId,
    DocumentKind,
    DocumentSummary,
    Filter,
    ImportReport,
    Memory,
    Note,
    Outcome,
    Page,
    Query,
    Ranking,
    Recipe,
    Removed,
    Session,
    SessionHeader,
    Skipped,
    Space,
    SpaceStats,
    Stats,
    SyncReport,
    Turn,
)
from vademecum.errors import Ambiguous, IndexUnavailable, InvalidInput, NotFound
from vademecum.importers import Importer
from vademecum.indexing import Indexer
from vademecum.ports import Clock, Progress, Scope
from vademecum.search import Searcher
from vademecum.store import SqliteIndex
from vademecum.vault import FolderVault, new_id
from vademecum.vault.foreign import find

READ_WAIT_SECONDS: Final = 2.0
"""How long a read waits for another process's sync before it answers from what there is."""

WRITE_WAIT_SECONDS: Final = 600.0


class Workspace:
    """One opened vault. Use it as a context manager, or call `close`.

    A path in the vault, an id, a unique beginning of an id, a file name or a title is a
    *reference*: NotFound is raised if it means nothing and Ambiguous if it means several things.
    """

    def __init__(self, vault: FolderVault, *, clock: Clock | None = None) -> None:
        self.root = vault.root
        self.default_space = vault.settings.policy.default
        self._policy = vault.settings.policy
        self._vault = vault
        analyzer = Analyzer()
        self._index = SqliteIndex(vault.derived, [LexicalChannel(analyzer)])
        self._indexer = Indexer(vault, self._index)
        self._capturer = Capturer(vault, clock or SystemClock())
        self._importer = Importer(vault, self._index, clock or SystemClock())
        self._searcher = Searcher(
            self._index, vault, analyzer, self._policy.readable, self._freshen
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index file. A closed workspace can't be used again."""
        self._index.close()

    # --- writing ---------------------------------------------------------------------------

    def add(self, note: Note | str) -> Outcome:
        """Keep a note as a new memory; a plain text goes to the default space."""
        note = Note(text=note) if isinstance(note, str) else note
        return self._capturer.add(note, note.space or self.default_space)

    def edit(self, reference: str, text: str, *, expected: Digest) -> Outcome:
        """Replace a memory's whole file, if it still is the one with the `expected` digest."""
        return self._capturer.edit(self._memory(reference), text, expected=expected)

    def remove(self, reference: str) -> Removed:
        """Delete the file of a memory or session."""
        return self._capturer.remove(self._resolve(reference))

    def start_session(
        self,
        header: SessionHeader | None = None,
        *,
        title: str = "",
        space: Space | None = None,
    ) -> DocumentId:
        """Open a conversation; its id is what `append` takes."""
        header = header or SessionHeader(id=new_id(), title=title)
        self._capturer.start_session(header, space or self.default_space)
        return header.id

    def append(self, session: str, turns: Sequence[Turn]) -> Appended:
        """Add turns to a conversation. They are on the disk when this returns."""
        document = self._resolve(session)
        if document.kind is not DocumentKind.SESSION:
            raise InvalidInput(f"{session!r} is a memory; turns are appended to a session")
        return self._capturer.append(document.path, turns)

    def import_path(
        self, source: Path, *, space: Space | None = None, progress: Progress | None = None
    ) -> ImportReport:
        """Copy Markdown notes and sessions from a file or folder. Running it again is harmless."""
        self.sync()
        return self._importer.take_in(find(source), space or self.default_space, progress=progress)

    def import_sessions(
        self,
        sessions: Iterable[tuple[SessionHeader, Sequence[Turn]]],
        *,
        space: Space | None = None,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Keep whole conversations, one file each."""
        return self._capturer.store_sessions(sessions, space or self.default_space, progress)

    # --- reading ---------------------------------------------------------------------------

    def search(
        self, query: Query | str, recipe: Recipe | None = None, *, fresh: bool = True
    ) -> Answer:
        """The best hits for a query; a plain text asks the default space for ten passages.

        `fresh=False` answers from the index as it stands, without looking whether files changed:
        for a program that asks many things in a row and calls `sync` when it sees fit.
        """
        query = Query(text=query) if isinstance(query, str) else query
        return self._searcher.search(query, recipe or recipes.DEFAULT, fresh=fresh)

    def rank(
        self, query: Query | str, recipe: Recipe | None = None, *, fresh: bool = True
    ) -> Ranking:
        """What `search` would find, in the same order, as ids and scores: no file is opened."""
        query = Query(text=query) if isinstance(query, str) else query
        return self._searcher.rank(query, recipe or recipes.DEFAULT, fresh=fresh)

    def show(self, reference: str) -> Memory | Session:
        """A whole memory or session, as its file has it now."""
        document = self._resolve(reference)
        return self._vault.read_document(document.path, document.kind, document.space)

    def list(
        self,
        *,
        spaces: Sequence[Space] = (),
        where: Filter | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> Page:
        """Memories and sessions by date, newest first; `after` takes the `next` of a page."""
        self._freshen()
        scope = Scope(self._policy.readable(spaces), where or Filter())
        return self._index.list(scope, limit=limit, after=after)

    def spaces(self) -> tuple[SpaceStats, ...]:
        """Every space that holds something."""
        self._freshen()
        return tuple(self._index.spaces())

    def stats(self) -> Stats:
        """How much there is, and what the index takes on the disk."""
        self._freshen()
        return Stats(
            spaces=tuple(self._index.spaces()),
            files_bytes=sum(file.stamp.size for file in self._vault.scan().files),
            index_bytes=self._index.bytes_on_disk(),
            segments=self._index.segment_count(),
            generation=self._index.generation(),
        )

    # --- upkeep ----------------------------------------------------------------------------

    def sync(self, *, progress: Progress | None = None) -> SyncReport:
        """Bring the index up to date with the files. Every reading verb does so by itself."""
        return self._indexer.sync(wait_seconds=WRITE_WAIT_SECONDS, progress=progress)

    def rebuild(self, *, progress: Progress | None = None) -> SyncReport:
        """Make the index anew from the files."""
        report = self._indexer.rebuild(wait_seconds=WRITE_WAIT_SECONDS, progress=progress)
        if report.busy:
            raise IndexUnavailable("another process keeps writing to the index")
        return report

    def check(self) -> Checkup:
        """Sync, then compare every file with the index, byte for byte."""
        self.sync()
        return self._indexer.check()

    def _freshen(self) -> Sequence[Skipped]:
        report = self._indexer.sync(wait_seconds=READ_WAIT_SECONDS)
        if report.busy:
            return [Skipped("sync", "another process is bringing in changes; not all are seen")]
        return []

    def _resolve(self, reference: str) -> DocumentSummary:
        self._freshen()
        found = self._index.resolve(reference)
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(reference, [f"{one.id} ({one.path})" for one in found])
        near = self._index.resembling(reference)
        if len(near) > 1:
            raise Ambiguous(reference, [f"{one.id} ({one.path})" for one in near])
        hint = f"Did you mean {near[0].id} ({near[0].path})?" if near else "`vade list` shows all."
        raise NotFound(f"nothing is called {reference!r}", hint=hint)

    def _memory(self, reference: str) -> DocumentSummary:
        document = self._resolve(reference)
        if document.kind is not DocumentKind.MEMORY:
            raise InvalidInput(
                f"{reference!r} is a session; sessions are appended to, never rewritten"
            )
        return document


def open_vault(path: Path | str) -> Workspace:
    """The vault at a path. NoVault if there is none, NewerFormat if it is from a later program."""
    return Workspace(FolderVault.open(Path(path).expanduser()))


def create_vault(path: Path | str) -> Workspace:
    """A new, empty vault. VaultError if there is one already."""
    return Workspace(FolderVault.create(Path(path).expanduser()))
