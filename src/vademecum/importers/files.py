"""Markdown notes and sessions in our own format, from any folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from vademecum import markdown, transcripts
from vademecum.domain import (
    Conflict,
    Digest,
    DocumentId,
    DocumentKind,
    DocumentSummary,
    ImportReport,
    Outcome,
    Problem,
    Saved,
    SessionHeader,
    Severity,
    Space,
    Unchanged,
)
from vademecum.errors import InvalidInput, NotFound, VaultError
from vademecum.ports import Clock, ForeignFile, Library, Progress, Vault

_MARK = "imported"
"""The front matter key that says what a file was made from, and which keys it was given."""


@dataclass(slots=True)
class _Tally:
    read: int = 0
    stored: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: list[Problem] = field(default_factory=list)

    def report(self) -> ImportReport:
        return ImportReport(
            read=self.read,
            stored=self.stored,
            updated=self.updated,
            unchanged=self.unchanged,
            skipped=tuple(self.skipped),
        )


@dataclass(frozen=True, slots=True)
class Importer:
    """Copies files into a space of the vault, and keeps the copies up to date on a next run."""

    vault: Vault
    library: Library
    clock: Clock

    def take_in(
        self,
        found: Iterable[ForeignFile | Problem],
        space: Space,
        *,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Import files. What could not be taken is in `skipped` with the reason.

        A note that was imported before and changed at its source since is replaced, unless it was
        edited in the vault too. A session that has grown at its source grows here.
        """
        everything = list(found)
        tally = _Tally()
        for number, item in enumerate(everything, start=1):
            tally.read += 1
            if isinstance(item, Problem):
                tally.skipped.append(item)
            else:
                try:
                    if item.kind is DocumentKind.MEMORY:
                        self._note(item, space, tally)
                    else:
                        self._session(item, space, tally)
                except (InvalidInput, VaultError) as error:
                    tally.skipped.append(Problem(item.path, 1, str(error), Severity.ERROR))
            if progress is not None:
                progress(number, len(everything))
        return tally.report()

    def _note(self, item: ForeignFile, space: Space, tally: _Tally) -> None:
        try:
            text = item.data.decode("utf-8")
        except UnicodeDecodeError:
            text = item.data.decode("latin-1")
        path = self.vault.memory_home(space) / item.path.with_suffix(".md")
        front = markdown.split_front_matter(text)
        memory, _ = markdown.parse_memory(text, path=path, space=space, digest=Digest(""))
        identity = memory.id
        added: dict[str, object] = {}
        if memory.id == markdown.path_id(path):
            identity = self.vault.id_for(memory.created_at or item.modified, str(path))
            added["id"] = identity
        elif held := self._held(memory.id):
            if held.space != space:
                message = f"its id {memory.id!r} is in space {held.space!r} already"
                tally.skipped.append(Problem(item.path, 1, message))
                return
            path = held.path
        if memory.created_at is None:
            added["created_at"] = item.modified.isoformat(timespec="seconds")
        if "source" not in front.values:
            added["source"] = "import"
        source_digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        marked = {**added, _MARK: " ".join([source_digest, *added])}
        new = markdown.with_keys(text, marked).encode()

        present = self._bytes_at(path)
        if present is None:
            self._count(self.vault.write_file(identity, path, new, expected=None), item, tally)
            return
        if present == new:
            tally.unchanged += 1
            return
        mark = _mark_of(present)
        if mark == source_digest:
            tally.unchanged += 1
        elif mark is None or _digest_of_original(present) != mark:
            message = f"was changed in the vault too; see {str(path)!r}"
            tally.skipped.append(Problem(item.path, 1, message))
        else:
            expected = _digest(present)
            outcome = self.vault.write_file(identity, path, new, expected=expected)
            self._count(outcome, item, tally, updated=True)

    def _session(self, item: ForeignFile, space: Space, tally: _Tally) -> None:
        header = _header(item.data)
        if isinstance(header, str):
            tally.skipped.append(Problem(item.path, 1, header, Severity.ERROR))
            return
        path, _ = self.vault.session_file(header, (), space, now=item.modified)
        held = self._held(header.id)
        if held is not None:
            if held.space != space:
                message = f"session {header.id!r} is in space {held.space!r} already"
                tally.skipped.append(Problem(item.path, 1, message))
                return
            path = held.path
        data = item.data if item.data.endswith(b"\n") else item.data + b"\n"
        present = self._bytes_at(path)
        if present is None:
            self._count(self.vault.write_file(header.id, path, data, expected=None), item, tally)
        elif present.startswith(data):
            tally.unchanged += 1
        elif data.startswith(present):
            outcome = self.vault.write_file(header.id, path, data, expected=_digest(present))
            self._count(outcome, item, tally, updated=True)
        else:
            message = f"session {header.id!r} is there already with other turns: {str(path)!r}"
            tally.skipped.append(Problem(item.path, 1, message))

    def _held(self, identity: DocumentId) -> DocumentSummary | None:
        return next((one for one in self.library.resolve(identity) if one.id == identity), None)

    def _bytes_at(self, path: PurePosixPath) -> bytes | None:
        try:
            return self.vault.read(path)
        except NotFound:
            return None

    def _count(
        self, outcome: Outcome, item: ForeignFile, tally: _Tally, *, updated: bool = False
    ) -> None:
        match outcome:
            case Saved():
                tally.updated += updated
                tally.stored += not updated
            case Unchanged():
                tally.unchanged += 1
            case Conflict():
                message = f"{str(outcome.path)!r} was changed meanwhile"
                tally.skipped.append(Problem(item.path, 1, message))


def _header(data: bytes) -> SessionHeader | str:
    """The header on the first line, or why it is none."""
    first = data.split(b"\n", 1)[0]
    try:
        header = transcripts.parse_header(transcripts.load(first))
    except ValueError as error:
        return f"the first line is no session header: {error}"
    return header or "not a session in Vademecum's own format (see docs/format.md)"


def _mark_of(data: bytes) -> str | None:
    """The digest of the source that a note in the vault was made from."""
    value = markdown.split_front_matter(data.decode("utf-8", "replace")).values.get(_MARK)
    return value.split()[0] if isinstance(value, str) and value else None


def _digest_of_original(data: bytes) -> str:
    """The digest a note in the vault would have without what the import added to it."""
    text = data.decode("utf-8", "replace")
    value = markdown.split_front_matter(text).values.get(_MARK)
    added = value.split()[1:] if isinstance(value, str) else []
    original = markdown.with_keys(text, dict.fromkeys([*added, _MARK]))
    front = markdown.split_front_matter(original)
    candidates = [original]
    if front.present and not front.values:
        # The import had to make the block in the first place.
        candidates.append(original[front.body_start :])
    digests = [hashlib.blake2b(c.encode(), digest_size=8).hexdigest() for c in candidates]
    mark = value.split()[0] if isinstance(value, str) and value else ""
    return mark if mark in digests else digests[0]


def _digest(data: bytes) -> Digest:
    return Digest(hashlib.blake2b(data, digest_size=16).hexdigest())
