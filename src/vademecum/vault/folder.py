"""A vault as a folder: reading, writing and appending its files."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from vademecum import markdown, transcripts
from vademecum.domain import (
    DOCUMENT_ID,
    Appended,
    Conflict,
    Digest,
    DocumentId,
    DocumentKind,
    Memory,
    Note,
    Outcome,
    Problem,
    Saved,
    Session,
    SessionHeader,
    Severity,
    Space,
    Turn,
    Unchanged,
)
from vademecum.errors import InvalidInput, NotFound, NoVault, VaultError
from vademecum.ports import Loaded, PassageSource, Scan, SeenFile
from vademecum.settings import FILE_NAME, TEMPLATE, VaultSettings, parse_settings
from vademecum.transcripts.sessions import ParsedSession
from vademecum.vault import files, layout
from vademecum.vault.locking import WriteLock
from vademecum.vault.scanning import LARGEST, scan, state


class FolderVault:
    """The files of one vault. Writers of several processes take turns; readers never wait."""

    def __init__(self, root: Path, settings: VaultSettings) -> None:
        self.root = root
        self.settings = settings
        self._lock = WriteLock(self.derived)

    @classmethod
    def create(cls, root: Path) -> FolderVault:
        """Make a new, empty vault. VaultError if there is one already, or a file in the way."""
        try:
            files.make_folder(root / layout.DERIVED)
            with WriteLock(root / layout.DERIVED).held():
                if (root / FILE_NAME).exists():
                    hint = "Open it, or choose a path."
                    raise VaultError(f"{str(root)!r} is a vault already", hint=hint)
                # Last, because this file is what makes the folder a vault.
                files.make_folder(root / "personal" / layout.MEMORIES)
                files.make_folder(root / "personal" / layout.SESSIONS)
                files.write_whole(root / FILE_NAME, TEMPLATE.encode())
        except OSError as error:
            raise VaultError(f"cannot make a vault at {str(root)!r}: {error}") from error
        return cls.open(root)

    @classmethod
    def open(cls, root: Path) -> FolderVault:
        """A vault that exists. NoVault, NewerFormat, or VaultError for a broken settings file."""
        try:
            text = (root / FILE_NAME).read_text(encoding="utf-8-sig")
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NoVault(
                f"there is no vault at {str(root)!r}",
                hint="Make one with `vade init`, or say where yours is with --vault PATH.",
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise VaultError(f"cannot read {str(root / FILE_NAME)!r}: {error}") from error
        vault = cls(root, parse_settings(text, source=str(root / FILE_NAME)))
        try:
            vault.derived.mkdir(exist_ok=True)
        except OSError as error:
            raise VaultError(
                f"cannot make {str(vault.derived)!r}: {error.strerror}",
                hint="The index lives there: the vault's folder must be writable.",
            ) from error
        return vault

    @property
    def derived(self) -> Path:
        """The folder of everything that can be rebuilt."""
        return self.root / layout.DERIVED

    # --- reading ---------------------------------------------------------------------------

    def scan(self) -> Scan:
        """Every file with its stamp, without reading any."""
        return scan(str(self.root))

    def state(self) -> str:
        """A digest of all names, sizes and times: the same as long as nothing changed."""
        return state(str(self.root))

    def load(self, file: SeenFile, *, known: Digest | None = None) -> Loaded | None:
        """Read and understand one file; None if it has gone since the scan.

        A file that has the `known` digest is not looked into.
        """
        path = PurePosixPath(file.path)
        try:
            data = self._bytes_of(file)
        except FileNotFoundError:
            return None
        except OSError as error:
            return _unread(file, f"cannot be read: {error.strerror}", known)
        except VaultError as error:
            return _unread(file, str(error), known)
        digest = files.digest_of(data)
        if digest == known:
            return Loaded(file, digest, None, [], unchanged=True)
        if file.kind is DocumentKind.SESSION:
            parsed = self._parsed(data, path, file.space, digest)
            return Loaded(file, digest, transcripts.document_of(parsed), parsed.problems)
        text, encoding, problems = _decoded(data, path)
        memory, more = markdown.parse_memory(text, path=path, space=file.space, digest=digest)
        document = markdown.document_of(memory, encoding=encoding)
        return Loaded(file, digest, document, [*problems, *more])

    def _bytes_of(self, file: SeenFile) -> bytes:
        place = layout.inside(self.root, PurePosixPath(file.path))
        size = place.stat().st_size
        if size > LARGEST[file.kind]:
            raise VaultError(f"has grown to {size:,} bytes since it was seen; not read")
        return place.read_bytes()

    def read(self, path: PurePosixPath) -> bytes:
        """The bytes of a file of the vault."""
        try:
            return layout.inside(self.root, path).read_bytes()
        except FileNotFoundError as error:
            raise NotFound(f"{str(path)!r} is not there any more") from error
        except OSError as error:
            raise VaultError(f"cannot read {str(path)!r}: {error}") from error

    def read_document(
        self, path: PurePosixPath, kind: DocumentKind, space: Space
    ) -> Memory | Session:
        """A memory or session as its file has it now."""
        data = self.read(path)
        digest = files.digest_of(data)
        if kind is DocumentKind.SESSION:
            return self._parsed(data, path, space, digest).session
        text, _, _ = _decoded(data, path)
        memory, _ = markdown.parse_memory(text, path=path, space=space, digest=digest)
        return memory

    def read_passages(self, sources: Sequence[PassageSource]) -> Sequence[str | None]:
        """The text of each source, None where the file no longer has it.

        Only the bytes of the sources are read, and those of one section only once.
        """
        texts: dict[PassageSource, str | None] = {}
        found: list[str | None] = []
        for source in sources:
            whole = replace(source, clip=(0, 0))
            if whole not in texts:
                texts[whole] = self._read_source(whole)
            text = texts[whole]
            low, high = source.clip
            found.append(text[low:high] if text is not None and high <= len(text) else None)
        return found

    def _read_source(self, source: PassageSource) -> str | None:
        try:
            with layout.inside(self.root, PurePosixPath(source.path)).open("rb") as file:
                file.seek(source.start)
                data = file.read(source.length)
            if len(data) != source.length:
                return None
            if source.kind is DocumentKind.SESSION:
                return transcripts.parse_turn(transcripts.load(data)).content
            return data.decode(source.encoding)
        except (OSError, ValueError, VaultError):
            return None

    def _parsed(
        self, data: bytes, path: PurePosixPath, space: Space, digest: Digest
    ) -> ParsedSession:
        return transcripts.parse_session(
            data, path=path, space=space, digest=digest, fallback_id=markdown.path_id(path)
        )

    # --- writing ---------------------------------------------------------------------------

    def write(self, note: Note, space: Space, *, now: datetime) -> Saved:
        """A new memory file of a space, with an id of its own."""
        note = _legal(note)
        front = markdown.split_front_matter(note.text)
        body = note.text[front.body_start :]
        own = front.values.get("title")
        title = " ".join(note.title.split()) or (own if isinstance(own, str) else first_words(body))
        if not body.strip() and not title:
            raise InvalidInput("a memory needs a text or a title", hint='vade add "what to keep"')
        identity = new_id()
        path = layout.memory_path(space, identity, title, now)
        text = markdown.render_memory(replace(note, title=title), identity=identity, now=now)
        self._put(path, text.encode())
        return Saved(identity, path)

    def write_file(
        self, identity: DocumentId, path: PurePosixPath, data: bytes, *, expected: Digest | None
    ) -> Outcome:
        """Put bytes at a path.

        Unchanged if it holds them already; Conflict if the file there is not the `expected` one
        (None: if there is one).
        """
        place = layout.inside(self.root, path)
        wanted = files.digest_of(data)
        with self._lock.held(), _reported(path):
            found = _digest_at(place)
            if found == wanted:
                return Unchanged(identity, path)
            if found == expected and files.write_whole(
                place, data, if_still=lambda: _digest_at(place) == expected
            ):
                return Saved(identity, path)
            return Conflict(identity, path, expected or Digest(""), _digest_at(place) or Digest(""))

    def remove(self, path: PurePosixPath) -> None:
        """Delete a file. NotFound if it has gone already."""
        place = layout.inside(self.root, path)
        with self._lock.held(), _reported(path):
            try:
                place.unlink()
            except FileNotFoundError as error:
                raise NotFound(f"{str(path)!r} is not there any more") from error
            files.sync_folder(place.parent)

    def start_session(self, header: SessionHeader, space: Space, *, now: datetime) -> PurePosixPath:
        """A session file with a header and no turns yet."""
        path = self._session_path(header, header.started_at or now, space)
        outcome = self.write_file(header.id, path, transcripts.header_line(header), expected=None)
        if isinstance(outcome, Conflict):
            raise InvalidInput(f"there is a session {header.id!r} already", hint="Append to it.")
        return path

    def append(self, path: PurePosixPath, turns: Sequence[Turn], *, now: datetime) -> Appended:
        """Add turns at the end of a session, all of them or none, and only then return.

        Turns without an id are numbered on, and those without a time take `now`. A turn whose id
        is there already with the same content is not added twice; with another content it is
        InvalidInput. What a crash left of an unfinished line is moved aside first.
        """
        place = layout.inside(self.root, path)
        with self._lock.held(), _reported(path):
            data = self.read(path)
            parsed = self._parsed(data, path, Space(""), files.digest_of(data))
            numbered = list(_numbered(turns, parsed.session.turns, now))
            lines = b"".join(transcripts.turn_line(turn) for turn, is_new in numbered if is_new)
            repaired = self._repair(place, data, parsed)
            if lines and data and not data.endswith(b"\n") and not repaired:
                lines = b"\n" + lines
            if lines:
                files.append(place, lines)
        return Appended(
            session=parsed.session.id,
            path=path,
            turns=tuple(turn.id for turn, _ in numbered),
            repaired=repaired,
        )

    def memory_home(self, space: Space) -> PurePosixPath:
        """The folder of a space's memories."""
        return PurePosixPath(layout.space_folder(space), layout.MEMORIES)

    def id_for(self, moment: datetime, key: str) -> DocumentId:
        """A ULID that is the same for the same moment and key."""
        from ulid import ULID

        milliseconds = max(int(moment.timestamp() * 1000), 0)
        randomness = hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=10).digest()
        return DocumentId(str(ULID.from_bytes(milliseconds.to_bytes(6, "big") + randomness)))

    def session_file(
        self, header: SessionHeader, turns: Sequence[Turn], space: Space, *, now: datetime
    ) -> tuple[PurePosixPath, bytes]:
        """Where a whole session goes and the bytes of its file."""
        started = header.started_at or next((turn.time for turn in turns if turn.time), None)
        path = self._session_path(header, started or now, space)
        numbered = [
            turn if turn.id else replace(turn, id=str(number))
            for number, turn in enumerate(turns, start=1)
        ]
        lines = [transcripts.header_line(header), *map(transcripts.turn_line, numbered)]
        return path, b"".join(lines)

    def _session_path(
        self, header: SessionHeader, started: datetime, space: Space
    ) -> PurePosixPath:
        """Where a session is; or, if it is nowhere yet, where it goes."""
        if not DOCUMENT_ID.fullmatch(header.id):
            raise InvalidInput(
                f"{header.id!r} can't be the id of a session",
                hint="Use letters, digits and . _ - (at most 64, a letter or digit first).",
            )
        path = layout.session_path(space, header.id, started)
        if (self.root / path).exists():
            return path
        # A session without a date, or with another one now, is found again where it came first.
        months = path.parent.parent
        with contextlib.suppress(FileNotFoundError), os.scandir(self.root / months) as entries:
            for entry in entries:
                if os.path.lexists(f"{entry.path}/{path.name}"):
                    return months / entry.name / path.name
        return path

    def _repair(self, place: Path, data: bytes, parsed: ParsedSession) -> bool:
        """Move the remains of an unfinished line out of the session, so that it can grow on."""
        if not parsed.torn:
            return False
        whole = len(data) - parsed.torn
        digest = files.digest_of(data[whole:])[:8]
        moved = self.derived / "torn" / f"{parsed.session.id}-{whole}-{digest}.txt"
        files.write_whole(moved, data[whole:])
        files.truncate(place, whole)
        return True

    def _put(self, path: PurePosixPath, data: bytes) -> None:
        place = layout.inside(self.root, path)
        with _reported(path):
            files.write_whole(place, data)


def new_id() -> DocumentId:
    """A ULID: sortable by the time it was made."""
    from ulid import ULID

    return DocumentId(str(ULID()))


def first_words(text: str) -> str:
    """A title for a text without one: its first line, at most 60 characters at a word's end."""
    line = next((line for line in text.splitlines() if line.strip()), "").strip().lstrip("# ")
    if len(line) <= 60:
        return line
    cut = line[:60]
    return (cut[: cut.rfind(" ")] if " " in cut else cut).rstrip(" ,;:") + "\u2026"


def _legal(note: Note) -> Note:
    """A note that can be written: lone surrogates become replacement characters."""
    legal = transcripts.legal_text
    return replace(
        note,
        text=legal(note.text),
        title=legal(note.title),
        author=legal(note.author),
        tags=tuple(map(legal, note.tags)),
        aliases=tuple(map(legal, note.aliases)),
        entities=tuple(map(legal, note.entities)),
    )


@contextlib.contextmanager
def _reported(path: PurePosixPath) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise VaultError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _digest_at(place: Path) -> Digest | None:
    try:
        return files.digest_of(place.read_bytes())
    except FileNotFoundError:
        return None


def _unread(file: SeenFile, why: str, known: Digest | None) -> Loaded:
    digest = Digest("")
    problem = Problem(PurePosixPath(file.path), 1, why, Severity.ERROR)
    return Loaded(file, digest, None, [problem], unchanged=known == digest)


def _decoded(data: bytes, path: PurePosixPath) -> tuple[str, str, list[Problem]]:
    problems = []
    if b"\0" in data:
        problems.append(Problem(path, 1, "the file holds NUL bytes; is it really text?"))
    try:
        return data.decode("utf-8"), "utf-8", problems
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.append(Problem(path, line, "not UTF-8; read as Latin-1"))
        return data.decode("latin-1"), "latin-1", problems


def _numbered(
    turns: Sequence[Turn], present: Sequence[Turn], now: datetime
) -> Iterator[tuple[Turn, bool]]:
    """Each turn with its id and time, and whether it is new."""
    known = {turn.id: turn for turn in present}
    number = 0
    for turn in turns:
        name = transcripts.legal_text(turn.id)
        if name in known:
            if known[name].content != transcripts.legal_text(turn.content):
                raise InvalidInput(
                    f"turn {turn.id!r} is there already with another content",
                    hint="Turns are never rewritten: append the new text under another id.",
                )
            yield turn, False
            continue
        number = max(number, len(known))
        while not name or name in known:
            number += 1
            name = str(number)
        added = replace(turn, id=name, time=turn.time or now)
        known[name] = replace(added, content=transcripts.legal_text(turn.content))
        yield added, True
