"""One Markdown note and the memory it is."""

from __future__ import annotations

import base64
import hashlib
import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from enum import Enum
from pathlib import PurePosixPath
from typing import Final, TypeVar

from vademecum.domain import (
    DOCUMENT_ID,
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
from vademecum.errors import InvalidSpace
from vademecum.markdown.front_matter import FrontMatter, Value, split_front_matter, with_keys
from vademecum.markdown.sections import top_heading
from vademecum.spaces import parse_space

_DATED_NAME: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?!\d)")
_GENERATED_NAME: Final = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_OFFSET_APART: Final = re.compile(r"(?<=\d) +(?=[+-]\d\d:?\d\d$|Z$)")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*:\S", re.IGNORECASE)
_CROCKFORD: Final = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)
_LONGEST_TITLE: Final = 80
"""Characters of a title made from the text."""

# Words of open-memex, whose files are valid input.
_TYPES: Final = {"howto": MemoryType.HOW_TO, "knowledge": MemoryType.REFERENCE}
_SOURCES: Final = {
    "tool": Source.AGENT,
    "keyword": Source.HOOK,
    "inference": Source.DISTILLED,
}
_IMPORTANCE: Final = {"low": 0.25, "normal": 0.5, "medium": 0.5, "high": 0.75, "critical": 1.0}

_Member = TypeVar("_Member", bound=Enum)
_Default = TypeVar("_Default")
_Read = TypeVar("_Read")


def path_id(path: PurePosixPath) -> DocumentId:
    """The id of a file that names none: it stays as long as the path does."""
    normal = unicodedata.normalize("NFC", str(path)).encode("utf-8", "replace")
    digest = hashlib.blake2b(normal, digest_size=13).digest()
    text = base64.b32encode(digest).decode().rstrip("=").translate(_CROCKFORD)
    return DocumentId(f"path-{text[:20].lower()}")


def parse_memory(
    text: str, *, path: PurePosixPath, space: Space, digest: Digest
) -> tuple[Memory, list[Problem]]:
    """The memory in a file. Whatever its front matter holds, the text is never refused.

    Dates without a zone are UTC, and a bare date is its first moment. A file without an id has
    one derived from its path; one without a title takes its first `#` heading or its name. The
    keys of open-memex are understood beside our own.
    """
    front = split_front_matter(text)
    body = text[front.body_start :]
    reader = _Reader(front, path)
    supersedes = tuple(DocumentId(item) for item in reader.texts("supersedes"))
    successors = reader.texts("superseded_by")
    reader.check_title()
    reader.check_space(space)
    memory = Memory(
        id=reader.identity(),
        space=space,
        path=path,
        title=reader.text("title") or _title(body, path),
        text=text,
        body=body,
        digest=digest,
        type=reader.member("type", MemoryType, None, also=_TYPES),
        tags=tuple(dict.fromkeys(t for tag in reader.words("tags") if (t := tag.lstrip("#")))),
        aliases=reader.texts("aliases", "alias"),
        entities=reader.texts("entities", *(["target"] if reader.text("alias") else [])),
        created_at=reader.moment("created_at", "created", "date") or _date_in_name(path),
        updated_at=reader.moment("updated_at", "updated", "modified"),
        event_at=reader.moment("event_at"),
        valid_from=reader.moment("valid_from"),
        valid_to=reader.moment("valid_to"),
        expires_at=reader.moment("expires_at"),
        status=reader.member("status", Status, Status.SUPERSEDED if successors else Status.ACTIVE),
        supersedes=supersedes,
        superseded_by=DocumentId(successors[0]) if successors else None,
        review=reader.member(
            "review" if reader.text("review") else "review_state", Review, Review.APPROVED
        ),
        source=reader.source(),
        author=reader.text("author") or "",
        derived_from=reader.texts("derived_from"),
        confidence=reader.share("confidence"),
        importance=reader.share("importance", words=_IMPORTANCE),
        pinned=(reader.text("pinned") or "").lower() in ("true", "yes", "on", "1"),
    )
    return memory, reader.problems


def render_memory(note: Note, *, identity: DocumentId, now: datetime) -> str:
    """A new file for a note: front matter with the keys that have a value, then the text.

    A text that has front matter of its own keeps it, except for the id.
    """
    front: dict[str, object] = {
        "id": identity,
        "type": note.type and note.type.value,
        "title": note.title,
        "tags": list(note.tags),
        "aliases": list(note.aliases),
        "entities": list(note.entities),
        "created_at": now.isoformat(timespec="milliseconds"),
        "event_at": note.event_at and note.event_at.isoformat(),
        "source": note.source.value,
        "author": note.author,
        "importance": note.importance,
        "pinned": note.pinned,
    }
    # An importance of 0 is a value, so `if value` would not do.
    given = {
        key: value
        for key, value in front.items()
        if value is not False and value not in (None, "", [])
    }
    text = note.text if note.text.endswith("\n") else note.text + "\n"
    own = split_front_matter(text)
    if own.present:
        kept = {key for key, value in own.values.items() if value is not None} - {"id"}
        if kept & {"created", "date"}:
            kept.add("created_at")
        return with_keys(text, {key: value for key, value in given.items() if key not in kept})
    return with_keys("---\n---\n", given) + "\n" + text[own.body_start :]


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
        if DOCUMENT_ID.fullmatch(found):
            return DocumentId(found)
        self._complain("id", found, "letters, digits and . _ - (at most 64)")
        return path_id(self._path)

    def text(self, key: str) -> str | None:
        value = self._front.values.get(key)
        if isinstance(value, list):
            value = ", ".join(value)
        return " ".join(value.split()) if value else None

    def texts(self, *keys: str) -> tuple[str, ...]:
        """All values of some keys; a single text is a list with commas."""
        found: list[str] = []
        for key in keys:
            value: Value = self._front.values.get(key)
            found += value.split(",") if isinstance(value, str) else value or []
        named = (_without_link(item) for item in found)
        return tuple(dict.fromkeys(item for item in named if item))

    def words(self, key: str) -> tuple[str, ...]:
        """Like `texts`, but a single text without commas is a list of words: `tea kitchen`."""
        value = self._front.values.get(key)
        if isinstance(value, str) and "," not in value:
            return tuple(dict.fromkeys(value.split()))
        return self.texts(key)

    def moment(self, *keys: str) -> datetime | None:
        expected = "an ISO date such as 2026-03-01T09:30:00+01:00"
        for key in keys:
            if (found := self.text(key)) is not None:
                return self._read(key, found, _moment, expected)
        return None

    def share(self, key: str, *, words: Mapping[str, float] | None = None) -> float | None:
        found = self.text(key)
        if found is None:
            return None
        if words and found.lower() in words:
            return words[found.lower()]
        known = f" or {', '.join(words)}" if words else ""
        return self._read(key, found, _share, f"a number from 0 to 1{known}")

    def member(
        self,
        key: str,
        members: type[_Member],
        default: _Default,
        *,
        also: Mapping[str, _Member] | None = None,
    ) -> _Member | _Default:
        found = self.text(key)
        if found is None:
            return default
        name = found.lower().replace("_", "-")
        by_name = {str(member.value): member for member in members} | dict(also or {})
        if name not in by_name:
            names = ", ".join(str(member.value) for member in members)
            self._complain(key, found, f"one of {names}")
            return default
        return by_name[name]

    def source(self) -> Source:
        # Web clippers keep the address of the page under this key.
        if _ADDRESS.match(self.text("source") or ""):
            return Source.IMPORT
        return self.member("source", Source, Source.USER, also=_SOURCES)

    def check_title(self) -> None:
        if "title" in self._front.values and self.text("title") is None:
            self._complain("title", "", "a text; the heading or the file's name is taken")

    def check_space(self, space: Space) -> None:
        """The folder decides, because isolation must not depend on what a note says of itself."""
        found = self.text("space")
        if found is None:
            return
        try:
            if parse_space(found) == space:
                return
        except InvalidSpace:
            pass
        self._complain("space", found, f"that of the folder; the note is in {space!r}")

    def _read(
        self, key: str, found: str, convert: Callable[[str], _Read], expected: str
    ) -> _Read | None:
        try:
            return convert(found)
        except (ValueError, OverflowError):
            self._complain(key, found, expected)
            return None

    def _complain(self, key: str, found: str, expected: str) -> None:
        line = self._front.lines.get(key, 1)
        shown = found if len(found) <= _LONGEST_TITLE else f"{found[:_LONGEST_TITLE]}..."
        self.problems.append(Problem(self._path, line, f"{key!r} is {shown!r}, not {expected}"))


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(_OFFSET_APART.sub("", text))
    aware = found if found.tzinfo else found.replace(tzinfo=UTC)
    # A moment at the edge of the calendar that no other zone could express is refused here.
    aware.astimezone(UTC)
    return aware


def _share(text: str) -> float:
    number = float(text)
    if not (math.isfinite(number) and 0 <= number <= 1):
        raise ValueError(text)
    return number


def _without_link(item: str) -> str:
    return item.strip().removeprefix("[[").removesuffix("]]").strip()


def _title(body: str, path: PurePosixPath) -> str:
    if heading := top_heading(body):
        return heading
    if _GENERATED_NAME.match(path.stem):
        first = next((line.strip() for line in body.splitlines() if line.strip()), "")
        if first:
            return first if len(first) <= _LONGEST_TITLE else f"{first[:_LONGEST_TITLE]}\u2026"
    return path.stem


def _date_in_name(path: PurePosixPath) -> datetime | None:
    match = _DATED_NAME.match(path.stem)
    if not match:
        return None
    try:
        return datetime.combine(date.fromisoformat(match[1]), time(), UTC)
    except ValueError:
        return None
