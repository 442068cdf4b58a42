"""The write path: a note or a turn in, a file on the disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from vademecum.domain import (
    Appended,
    Conflict,
    Digest,
    DocumentSummary,
    ImportReport,
    Note,
    Outcome,
    Problem,
    Removed,
    Saved,
    SessionHeader,
    Space,
    Turn,
    Unchanged,
)
from vademecum.errors import InvalidInput
from vademecum.ports import Clock, Progress, Vault


@dataclass(frozen=True, slots=True)
class Capturer:
    """Writes what it is told. The index learns of it at the next read."""

    vault: Vault
    clock: Clock

    def add(self, note: Note, space: Space) -> Saved:
        """Keep a note in a space; it is on the disk when this returns."""
        return self.vault.write(note, space, now=self.clock.now())

    def edit(self, document: DocumentSummary, text: str, *, expected: Digest) -> Outcome:
        """Replace the whole text of a file that still is the `expected` one."""
        data = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()
        return self.vault.write_file(document.id, document.path, data, expected=expected)

    def remove(self, document: DocumentSummary) -> Removed:
        """Delete a file."""
        self.vault.remove(document.path)
        return Removed(document.id, document.path)

    def start_session(self, header: SessionHeader, space: Space) -> PurePosixPath:
        """Open a session, so that turns can be appended."""
        now = self.clock.now()
        header = replace(header, started_at=header.started_at or now)
        return self.vault.start_session(header, space, now=now)

    def append(self, path: PurePosixPath, turns: Sequence[Turn]) -> Appended:
        """Add turns to a session; they are on the disk when this returns."""
        if not turns:
            raise InvalidInput("there are no turns to append")
        return self.vault.append(path, turns, now=self.clock.now())

    def store_sessions(
        self,
        sessions: Iterable[tuple[SessionHeader, Sequence[Turn]]],
        space: Space,
        progress: Progress | None,
    ) -> ImportReport:
        """Keep whole sessions, one file each.

        The same session a second time changes nothing, nor does one that has grown here since;
        one that has grown there gets the turns that are missing.
        """
        stored = updated = unchanged = 0
        skipped: list[Problem] = []
        for number, (header, turns) in enumerate(sessions, start=1):
            path, data = self.vault.session_file(header, turns, space, now=self.clock.now())
            outcome = self.vault.write_file(header.id, path, data, expected=None)
            grown = False
            if isinstance(outcome, Conflict):
                held = self.vault.read(path)
                if held.startswith(data):
                    outcome = Unchanged(header.id, path)
                elif data.startswith(held):
                    grown = True
                    outcome = self.vault.write_file(header.id, path, data, expected=outcome.found)
            match outcome:
                case Saved() if grown:
                    updated += 1
                case Saved():
                    stored += 1
                case Unchanged():
                    unchanged += 1
                case Conflict():
                    message = f"session {header.id!r} is there already with other turns"
                    skipped.append(Problem(path, 1, message))
            if progress is not None:
                progress(number, 0)
        return ImportReport(
            read=stored + updated + unchanged + len(skipped),
            stored=stored,
            updated=updated,
            unchanged=unchanged,
            skipped=tuple(skipped),
        )
