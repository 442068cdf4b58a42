"""Names into paths and back, in one place, so that no name can lead out of the vault."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote, unquote

from vademecum.domain import DocumentId, Space
from vademecum.errors import InvalidSpace, VaultError
from vademecum.spaces import parse_space

DERIVED: Final = ".vademecum"
MEMORIES: Final = "memories"
SESSIONS: Final = "sessions"

_LONGEST_SLUG: Final = 60
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_UNSAFE: Final = re.compile(r"[^\w]+")


def space_folder(space: Space) -> str:
    """The folder of a space, relative to the vault: `personal`, `project/atlas`."""
    kind, colon, name = space.partition(":")
    return f"{kind}/{_quoted(name)}" if colon else kind


def space_of_folder(first: str, second: str) -> Space | None:
    """The space whose folder this is; None if it is no space's folder."""
    try:
        space = parse_space(f"{first}:{unquote(second)}" if second else first)
    except InvalidSpace:
        return None
    expected = f"{first}/{second}" if second else first
    return space if space_folder(space) == unicodedata.normalize("NFC", expected) else None


def memory_path(space: Space, identity: DocumentId, title: str, now: datetime) -> PurePosixPath:
    """Where a new memory goes: a folder a year, the id and a readable part of the title."""
    slug = _slug(title)
    name = f"{identity}-{slug}.md" if slug else f"{identity}.md"
    return PurePosixPath(space_folder(space), MEMORIES, f"{now.year:04}", name)


def session_path(space: Space, identity: DocumentId, started: datetime) -> PurePosixPath:
    """Where a new session goes: a folder a month."""
    month = f"{started.year:04}-{started.month:02}"
    return PurePosixPath(space_folder(space), SESSIONS, month, f"{_quoted(identity)}.jsonl")


def inside(root: Path, path: PurePosixPath) -> Path:
    """The place of a path of the vault on this machine; VaultError if it would lead out of it."""
    parts = path.parts
    if path.is_absolute() or not parts or any(part in ("..", ".") for part in parts):
        raise VaultError(f"{str(path)!r} is no path inside the vault")
    place = root
    for part in parts:
        place = place / part
        if place.is_symlink():
            raise VaultError(
                f"{str(path)!r} goes through the symbolic link {str(place)!r}",
                hint="Links are not followed: move the file itself into the vault.",
            )
    return place


def _quoted(name: str) -> str:
    quoted = quote(name, safe=" " + "".join(filter(_is_safe, name)))
    if quoted.startswith(".") or _RESERVED.fullmatch(quoted):
        quoted = f"%{ord(quoted[0]):02X}{quoted[1:]}"
    # Windows drops these at the end of a name.
    if quoted[-1] in " .":
        quoted = f"{quoted[:-1]}%{ord(quoted[-1]):02X}"
    return quoted


def _is_safe(character: str) -> bool:
    return character.isalnum() or character in "_-."


def _slug(title: str) -> str:
    words = _UNSAFE.sub("-", unicodedata.normalize("NFC", title).casefold()).strip("-_")
    slug = words.encode()[:_LONGEST_SLUG].decode(errors="ignore").strip("-_")
    return unicodedata.normalize("NFC", slug)
