"""One Markdown note and the memory it is."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from enum import Enum
from pathlib import PurePosixPath
from typing import Final, TypeVar

from vademecum.domain import (
    Digest,
    DocumentId,
    Memory,
    MemoryType,
    Note,
    Problem,
    Review,
    Source,
    Space,
    Status,
)
from vademecum.markdown.front_matter import FrontMatter, Value, split_front_matter, with_keys

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TITLE: Final = re.compile(r"^#[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)
_DATED_NAME: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?!\d)")
_CROCKFORD: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ")

_Member = TypeVar("_Member", bound=Enum)
_Read = TypeVar("_Read")


def path_id(path: PurePosixPath) -> DocumentId:
    """The id of a file that names none: it stays as long as the path does."""
    normal = unicodedata.normalize("NFC", str(path)).encode()
    digest = hashlib.blake2b(normal, digest_size=13).digest()
    text = base64.b32encode(digest).decode().rstrip("=").translate(_CROCKFORD)
    return DocumentId(f"path-{text[:20].lower()}")


def parse_memory(
    text: str, *, path: PurePosixPath, space: Space, digest: Digest
) -> tuple[Memory, list[Problem]]:
    """The memory in a file. Whatever its front matter holds, the text is never refused.

    Dates without a zone are UTC, and a bare date is its first moment. A file without an id has
    one derived from its path; one without a title takes its first `#` heading or its name.
    """
    front = split_front_matter(text)
    body = text[front.body_start :]
    reader = _Reader(front, path)
    supersedes = tuple(DocumentId(item) for item in reader.texts("supersedes"))
    successors = reader.texts("superseded_by")
    memory = Memory(
        id=reader.identity(),
        space=space,
        path=path,
        title=reader.text("title") or _title(body, path),
        text=text,
        body=body,
        digest=digest,
        type=reader.member("type", MemoryType, None),
        tags=tuple(tag.lstrip("#") for tag in reader.words("tags")),
        aliases=reader.texts("aliases"),
        entities=reader.texts("entities"),
        created_at=reader.moment("created_at", "created", "date") or _date_in_name(path),
        updated_at=reader.moment("updated_at", "updated"),
        event_at=reader.moment("event_at"),
        valid_from=reader.moment("valid_from"),
        valid_to=reader.moment("valid_to"),
        expires_at=reader.moment("expires_at"),
        status=reader.member("status", Status, Status.ACTIVE),
        supersedes=supersedes,
        superseded_by=DocumentId(successors[0]) if successors else None,
        review=reader.member("review", Review, Review.APPROVED),
        source=reader.member("source", Source, Source.USER),
        author=reader.text("author") or "",
        derived_from=reader.texts("derived_from"),
        confidence=reader.number("confidence"),
        importance=reader.number("importance"),
        pinned=(reader.text("pinned") or "").lower() in ("true", "yes", "1"),
    )
    return memory, reader.problems


def render_memory(note: Note, *, id: DocumentId, now: datetime) -> str:
    """A new file for a note: front matter with the keys that have a value, then the text."""
    front: dict[str, object] = {
        "id": id,
        "type": note.type and note.type.value,
        "title": note.title,
        "tags": list(note.tags),
        "aliases": list(note.aliases),
        "entities": list(note.entities),
        "created_at": now.isoformat(timespec="seconds"),
        "event_at": note.event_at and note.event_at.isoformat(),
        "source": note.source.value,
        "author": note.author,
        "importance": note.importance,
        "pinned": note.pinned,
    }
    body = note.text if note.text.endswith("\n") else note.text + "\n"
    head = with_keys("---\n---\n", {key: value for key, value in front.items() if value})
    return head + "\n" + body


class _Reader:
    """Values of a block by key, with a problem for each that can't be one."""

    def __init__(self, front: FrontMatter, path: PurePosixPath) -> None:
        self._front = front
        self._path = path
        self.problems = [Problem(path, fault.line, fault.message) for fault in front.faults]

    def identity(self) -> DocumentId:
        found = self.text("id")
        if found is None:
            return path_id(self._path)
        if _ID.fullmatch(found):
            return DocumentId(found)
        self._complain("id", found, "letters, digits and . _ - (at most 64)")
        return path_id(self._path)

    def text(self, key: str) -> str | None:
        value = self._front.values.get(key)
        if isinstance(value, list):
            value = ", ".join(value)
        return " ".join(value.split()) if value else None

    def texts(self, key: str) -> tuple[str, ...]:
        value: Value = self._front.values.get(key)
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",")]
        return tuple(dict.fromkeys(item for item in value or [] if item))

    def words(self, key: str) -> tuple[str, ...]:
        """Like `texts`, but a single text is a list of words: `tags: tea kitchen`."""
        value = self._front.values.get(key)
        if isinstance(value, str):
            return tuple(dict.fromkeys(re.split(r"[\s,]+", value.strip())))
        return self.texts(key)

    def moment(self, *keys: str) -> datetime | None:
        for key in keys:
            if (found := self.text(key)) is not None:
                return self._read(key, found, _moment, "an ISO date such as 2026-03-01T09:30:00+01:00")
        return None

    def number(self, key: str) -> float | None:
        found = self.text(key)
        return None if found is None else self._read(key, found, float, "a number")

    def member(self, key: str, members: type[_Member], default: _Member | None) -> _Member | None:
        found = self.text(key)
        if found is None:
            return default
        by_name = {str(member.value).replace("-", "_"): member for member in members}
        member = by_name.get(found.lower().replace("-", "_"))
        if member is None:
            names = ", ".join(str(member.value) for member in members)
            self._complain(key, found, f"one of {names}")
            return default
        return member

    def _read(
        self, key: str, found: str, convert: Callable[[str], _Read], expected: str
    ) -> _Read | None:
        try:
            return convert(found)
        except ValueError:
            self._complain(key, found, expected)
            return None

    def _complain(self, key: str, found: str, expected: str) -> None:
        line = self._front.lines.get(key, 1)
        self.problems.append(Problem(self._path, line, f"{key!r} is {found!r}, not {expected}"))


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _title(body: str, path: PurePosixPath) -> str:
    heading = _TITLE.search(body)
    return heading[1] if heading else path.stem


def _date_in_name(path: PurePosixPath) -> datetime | None:
    match = _DATED_NAME.match(path.stem)
    if not match:
        return None
    try:
        return datetime.combine(date.fromisoformat(match[1]), time(), UTC)
    except ValueError:
        return None
