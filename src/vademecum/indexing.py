"""What changed between the files and the index, and bringing it in."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from vademecum.domain import Checkup, DocumentId, Problem, Severity, SyncReport
from vademecum.ports import Index, Known, Loaded, Progress, SeenFile, Vault, Writer

RACY_NANOSECONDS: Final = 2_000_000_000
"""A file changed so shortly before it was read may change again without its stamp showing it."""

BATCH_FILES: Final = 5000
"""Files of one transaction, so that an interrupted import keeps what it did."""


@dataclass(frozen=True, slots=True)
class Indexer:
    """Keeps the index equal to the files."""

    vault: Vault
    index: Index

    def sync(self, *, wait_seconds: float, progress: Progress | None = None) -> SyncReport:
        """Bring in exactly what changed. Files whose stamp is as before are not read.

        If another process is at it for longer than `wait_seconds`, the report says busy.
        """
        if self.index.signature() == self.vault.state():
            return SyncReport(problems=tuple(self.index.problems()))
        with self.index.exclusive(wait_seconds=wait_seconds) as held:
            if not held:
                return SyncReport(problems=tuple(self.index.problems()), busy=True)
            # Another process may have brought in the same changes while this one waited.
            return _Run(self.vault, self.index, self.index.known()).bring_in(progress)

    def rebuild(self, *, wait_seconds: float, progress: Progress | None = None) -> SyncReport:
        """Make the index from nothing. Until it is complete, readers have the old one."""
        with self.index.exclusive(wait_seconds=wait_seconds) as held:
            if not held:
                return SyncReport(problems=tuple(self.index.problems()), busy=True)
            return _Run(self.vault, self.index, {}).start_over(progress)

    def check(self) -> Checkup:
        """Compare files and index byte for byte, without changing either."""
        scan = self.vault.scan()
        known = self.index.known()
        seen = {file.path: file for file in scan.files}
        stale = []
        for path in sorted(seen.keys() & known.keys()):
            loaded = self.vault.load(seen[path], known=known[path].digest)
            if loaded is None or not loaded.unchanged:
                stale.append(PurePosixPath(path))
        documents, passages = self.index.size()
        return Checkup(
            files=len(seen),
            documents=documents,
            passages=passages,
            ghosts=tuple(PurePosixPath(path) for path in sorted(known.keys() - seen.keys())),
            orphans=tuple(PurePosixPath(path) for path in sorted(seen.keys() - known.keys())),
            stale=tuple(stale),
            faults=tuple(self.index.faults()),
            problems=tuple(self.index.problems()),
        )


class _Run:
    """One sync under way: what it has met so far."""

    def __init__(self, vault: Vault, index: Index, known: Mapping[str, Known]) -> None:
        self._vault = vault
        self._index = index
        # Taken before the scan: what changes between the two is found by the next sync.
        self._state = vault.state()
        self._scan = vault.scan()
        self._known = known
        seen = {file.path for file in self._scan.files}
        self._gone = {path: known[path] for path in known if path not in seen}
        self._claimants: defaultdict[DocumentId, set[str]] = defaultdict(set)
        for path, one in known.items():
            if one.claims is not None:
                self._claimants[one.claims].add(path)
        self._indexed = {path for path, one in known.items() if one.document is not None}
        self._vacated: set[DocumentId] = set()
        self._settled = True
        self._added = self._changed = self._moved = self._removed = 0
        self._documents = self._passages = self._done = 0

    def bring_in(self, progress: Progress | None) -> SyncReport:
        """Read what may have changed, in transactions of a bounded size."""
        changed = [file for file in self._scan.files if _may_differ(file, self._known)]
        for start in range(0, len(changed), BATCH_FILES):
            with self._index.writing() as writer:
                for file in changed[start : start + BATCH_FILES]:
                    self._take(writer, file)
                    self._tell(progress, len(changed))
                if start + BATCH_FILES >= len(changed):
                    self._finish(writer)
        if not changed:
            with self._index.writing() as writer:
                self._finish(writer)
        return self._report()

    def start_over(self, progress: Progress | None) -> SyncReport:
        """Forget everything and read every file, in one transaction."""
        with self._index.writing() as writer:
            writer.clear()
            for file in self._scan.files:
                self._take(writer, file)
                self._tell(progress, len(self._scan.files))
            self._finish(writer)
        return self._report()

    def _take(self, writer: Writer, file: SeenFile) -> None:
        """Bring one file in, if its bytes are new."""
        before = self._known.get(file.path)
        racy = _is_racy(file)
        self._settled &= not racy
        loaded = self._vault.load(file, known=before.digest if before else None)
        if loaded is None:
            self._settled = False
            return
        if loaded.unchanged:
            writer.restamp(file.path, file.stamp, racy=racy)
            return
        if before is None and (old := self._moved_from(loaded)):
            del self._gone[old]
            self._release(old, self._known[old].claims)
            self._claim(writer, loaded)
            self._indexed.add(file.path)
            writer.relocate(old, loaded, racy=racy)
            self._moved += 1
            return
        if before is None:
            self._added += 1
        else:
            self._changed += 1
            self._release(file.path, before.claims)
        self._put(writer, loaded, racy=racy, indexed=self._claim(writer, loaded))

    def _put(self, writer: Writer, loaded: Loaded, *, racy: bool, indexed: bool) -> None:
        writer.put(loaded, racy=racy, indexed=indexed)
        if indexed and loaded.document is not None:
            self._indexed.add(loaded.file.path)
            self._documents += 1
            self._passages += len(loaded.document.passages)

    def _claim(self, writer: Writer, loaded: Loaded) -> bool:
        """Whether a file may be indexed. Of several with one id it is the first by path."""
        if loaded.document is None:
            return False
        path = loaded.file.path
        claimants = self._claimants[loaded.document.id]
        claimants.add(path)
        first = min(claimants - self._gone.keys())
        if first != path:
            return False
        for other in claimants - {path}:
            if other in self._indexed:
                self._indexed.discard(other)
                writer.unindex(other)
        return True

    def _release(self, path: str, claimed: DocumentId | None) -> None:
        self._indexed.discard(path)
        if claimed is not None:
            self._claimants[claimed].discard(path)
            self._vacated.add(claimed)

    def _moved_from(self, loaded: Loaded) -> str | None:
        """The vanished file that this one was, if nothing the index holds depends on its path."""
        document = loaded.document
        if document is None:
            return None
        for path, one in self._gone.items():
            if one.digest != loaded.digest or one.document != document.id:
                continue
            held = self._index.document(document.id)
            if held and (held.space, held.title, held.date) == (
                document.space,
                document.title,
                document.date,
            ):
                return path
        return None

    def _finish(self, writer: Writer) -> None:
        """Remove what is gone, let others have the ids that became free, list the problems."""
        for path, one in self._gone.items():
            writer.remove(path)
            self._release(path, one.claims)
            self._removed += 1
        by_path = {file.path: file for file in self._scan.files}
        for identity in sorted(self._vacated):
            heirs = self._claimants[identity]
            if heirs and (first := min(heirs)) not in self._indexed:
                loaded = self._vault.load(by_path[first])
                if loaded is None or loaded.document is None or loaded.document.id != identity:
                    self._settled = False
                    continue
                self._put(writer, loaded, racy=_is_racy(by_path[first]), indexed=True)
        problems = list(self._scan.problems)
        for identity, paths in self._claimants.items():
            first, *others = sorted(paths) or [""]
            problems += [
                Problem(
                    PurePosixPath(path),
                    1,
                    f"has the same id {identity!r} as {first!r}, so it is not indexed",
                    Severity.ERROR,
                )
                for path in others
            ]
        writer.replace_vault_problems(problems)
        # Only a state in which every stamp proves its file is worth remembering.
        writer.note_signature(self._state if self._settled else "")

    def _tell(self, progress: Progress | None, total: int) -> None:
        self._done += 1
        if progress is not None:
            progress(self._done, total)

    def _report(self) -> SyncReport:
        return SyncReport(
            added=self._added,
            changed=self._changed,
            moved=self._moved,
            removed=self._removed,
            documents=self._documents,
            passages=self._passages,
            problems=tuple(self._index.problems()),
        )


def _may_differ(file: SeenFile, known: Mapping[str, Known]) -> bool:
    before = known.get(file.path)
    return before is None or before.racy or before.stamp != file.stamp


def _is_racy(file: SeenFile) -> bool:
    latest = max(file.stamp.modified_ns, file.stamp.changed_ns)
    return time.time_ns() - latest < RACY_NANOSECONDS
