"""Names into paths and back, in one place, so that no name can lead out of the vault."""

from __future__ import annotations

import os
import re
import unicodedata
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote

from vademecum.domain import DocumentId, Space
from vademecum.errors import InvalidSpace, VaultError
from vademecum.spaces import parse_space

DERIVED: Final = ".vademecum"
MEMORIES: Final = "memories"
SESSIONS: Final = "sessions"

_LONGEST_SLUG: Final = 60
"""Bytes; what is left of a file name is readable, not complete."""

_LONGEST_NAME: Final = 240
"""Bytes of a folder's or file's name that every usual file system can keep."""

_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def space_folder(space: Space) -> str:
    """The folder of a space, relative to the vault: `personal`, `project/atlas`.

    InvalidSpace is raised for a name whose folder no file system could hold.
    """
    kind, colon, name = space.partition(":")
    folder = _quoted(name)
    if len(folder.encode()) > _LONGEST_NAME:
        raise InvalidSpace(
            f"the name in space {space!r} is too long for a folder"
            f" ({len(folder.encode())} bytes, at most {_LONGEST_NAME})",
            hint="Choose a shorter name.",
        )
    return f"{kind}/{folder}" if colon else kind


def space_of_folder(first: str, second: str) -> Space | None:
    """The space whose folder this is; None if it is no space's folder."""
    try:
        space = parse_space(f"{first}:{unquote(second)}" if second else first)
        expected = f"{first}/{second}" if second else first
        return space if space_folder(space) == unicodedata.normalize("NFC", expected) else None
    except InvalidSpace:
        return None


def folder_hint(folder: str) -> str:
    """What to call a folder that looks like that of a space and is not."""
    first, _, second = folder.partition("/")
    try:
        space = parse_space(f"{first}:{unquote(second)}" if second else first)
        return f"for space {space!r} rename it to {space_folder(space)!r}"
    except InvalidSpace:
        return "rename it to a kind and a name, such as 'project/atlas'"


def memory_path(space: Space, identity: DocumentId, title: str, now: datetime) -> PurePosixPath:
    """Where a new memory goes: a folder a year, the id and a readable part of the title."""
    slug = _slug(title)
    name = f"{_quoted(identity)}-{slug}.md" if slug else f"{_quoted(identity)}.md"
    return PurePosixPath(space_folder(space), MEMORIES, f"{now.year:04}", name)


def session_path(space: Space, identity: DocumentId, started: datetime) -> PurePosixPath:
    """Where a new session goes: a folder a month."""
    month = f"{started.year:04}-{started.month:02}"
    return PurePosixPath(space_folder(space), SESSIONS, month, f"{_quoted(identity)}.jsonl")


def inside(root: Path, path: PurePosixPath) -> Path:
    """The place of a path of the vault on this machine; VaultError if it would lead out of it.

    The names are spelled as the disk spells them, whether or not its accents are composed.
    """
    parts = path.parts
    if path.is_absolute() or not parts or not all(map(_is_plain, parts)):
        raise VaultError(
            f"{str(path)!r} is no path inside the vault",
            hint="Give the path below the vault's folder, such as 'personal/memories/2026/tea.md'.",
        )
    place = root
    for part in parts:
        place = _spelled(place, part)
        if place.is_symlink():
            raise VaultError(
                f"{str(path)!r} goes through the symbolic link {str(place)!r}",
                hint="Links are not followed: move the file itself into the vault.",
            )
    return place


def _is_plain(part: str) -> bool:
    """Whether a part of a path names something in the folder before it, on every system."""
    if part in ("", ".", "..") or part.casefold() == DERIVED or "\0" in part:
        return False
    return os.name != "nt" or not any(character in part for character in '\\:*?"<>|')


def _spelled(folder: Path, name: str) -> Path:
    place = folder / name
    if name.isascii() or os.path.lexists(place):
        return place
    normal = unicodedata.normalize("NFC", name)
    try:
        names = [other.name for other in folder.iterdir()]
    except OSError:
        return place
    same = (other for other in names if unicodedata.normalize("NFC", other) == normal)
    return folder / next(same, name)


def _quoted(name: str) -> str:
    """A name as that of a file or folder; `unquote` gives it back."""
    pieces: list[str] = []
    for character in name:
        # An accent stays only on its letter: it would melt into the end of a quoted character.
        before = pieces[-1] if pieces else ""
        may_stay = not _is_mark(character) or before.isalpha() or _is_mark(before[-1:] or " ")
        pieces.append(character if may_stay and _is_safe(character) else _percent(character))
    quoted = "".join(pieces)
    if quoted.startswith(".") or _RESERVED.fullmatch(quoted):
        quoted = _percent(quoted[0]) + quoted[1:]
    # Windows drops a full stop at the end of a name.
    if quoted.endswith("."):
        quoted = quoted[:-1] + _percent(".")
    return quoted


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def _is_safe(character: str) -> bool:
    return character in "_-." or character.isalnum() or _is_mark(character)


def _is_mark(character: str) -> bool:
    """Accents and vowel signs that stand on the letter before them."""
    return unicodedata.category(character).startswith("M")


def _slug(title: str) -> str:
    text = unicodedata.normalize("NFC", title).casefold()
    kept = "".join(c if c.isalnum() or c == "_" or _is_mark(c) else " " for c in text)
    words = "-".join(kept.split())
    slug = unicodedata.normalize("NFC", words)
    while len(slug.encode()) > _LONGEST_SLUG or (slug and _is_mark(slug[0])):
        slug = slug[1:] if _is_mark(slug[0]) else _without_last_letter(slug)
    return slug.strip("-_")


def _without_last_letter(text: str) -> str:
    end = len(text) - 1
    while end > 0 and _is_mark(text[end]):
        end -= 1
    return text[:end]
