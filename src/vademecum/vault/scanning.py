"""Which files a vault has, without reading them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Final

from vademecum.domain import DocumentKind, Problem, Severity, Space
from vademecum.ports import Scan, SeenFile, Stamp
from vademecum.vault.layout import MEMORIES, SESSIONS, folder_hint, space_of_folder

LARGEST: Final = {DocumentKind.MEMORY: 16 * 2**20, DocumentKind.SESSION: 2**30}
"""Bytes; a larger file is reported and not read."""

_ENDINGS: Final = {DocumentKind.MEMORY: ".md", DocumentKind.SESSION: ".jsonl"}
_HOMES: Final = {MEMORIES: DocumentKind.MEMORY, SESSIONS: DocumentKind.SESSION}
_IGNORED_FOLDERS: Final = frozenset({"node_modules", "__pycache__"})
_BY_PRODUCT_BEGINNINGS: Final = (".", "~$")
_BY_PRODUCT_ENDINGS: Final = (".tmp", "~", ".swp", ".part", ".crdownload")
_CONFLICT: Final = re.compile(
    r"conflicted copy|\.sync-conflict-|\([^)]*\bconflict\b", re.IGNORECASE
)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def is_ignored(name: str) -> bool:
    """Whether a file is the by-product of an editor or a system."""
    return name.startswith(_BY_PRODUCT_BEGINNINGS) or name.endswith(_BY_PRODUCT_ENDINGS)


def is_ignored_folder(name: str) -> bool:
    """Whether nobody keeps notes of their own in a folder of this name."""
    return name.startswith(".") or name in _IGNORED_FOLDERS


def is_conflict_copy(name: str) -> bool:
    """Whether a file is a copy that a sync tool made of two versions it could not merge."""
    return _CONFLICT.search(name) is not None


def scan(root: str) -> Scan:
    """Every memory and session of a vault, by path, and what was passed over and why."""
    found = _Findings()
    for space, folder, kind in _homes(root, found):
        _walk(root, folder, _Home(space, kind), found)
    found.files.sort(key=attrgetter("path"))
    return Scan(found.files, found.problems)


def state(root: str) -> str:
    """A digest of all names, sizes and times below a folder: the same as long as nothing changed.

    Nothing is judged here and no object made for a file, so that a look that finds nothing new
    costs little more than asking the file system.
    """
    found = _Findings()
    names: list[str] = []
    numbers = array("q")
    add = numbers.append
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        names.append(folder)
        with _listing(root, folder, found) as entries:
            for entry in entries:
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    if not is_ignored_folder(name):
                        waiting.append(f"{folder}/{name}" if folder else name)
                    continue
                names.append(name)
                try:
                    seen = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                add(seen.st_size)
                add(seen.st_mtime_ns)
                add(seen.st_ctime_ns)
    names += map(str, found.problems)
    digest = hashlib.blake2b("\0".join(names).encode("utf-8", "surrogateescape"), digest_size=16)
    digest.update(numbers.tobytes())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class _Home:
    """Whose files a folder holds, and of which kind."""

    space: Space
    kind: DocumentKind


@dataclass(slots=True)
class _Findings:
    files: list[SeenFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    spelled: dict[str, str] = field(default_factory=dict)
    """How the disk spells a path that is not ASCII, by its normal form."""

    def add(self, path: str, home: _Home, stamp: Stamp) -> None:
        if path.isascii():
            self.files.append(SeenFile(path, home.kind, home.space, stamp))
            return
        normal = unicodedata.normalize("NFC", path)
        twin = self.spelled.get(normal)
        if twin is None:
            self.spelled[normal] = path
            self.files.append(SeenFile(normal, home.kind, home.space, stamp))
            return
        # The name in normal form is the one that a look at the path will open.
        if path == normal:
            self.spelled[normal], path = path, twin
            at = next(at for at, file in enumerate(self.files) if file.path == normal)
            self.files[at] = SeenFile(normal, home.kind, home.space, stamp)
        self.pass_over(path, "differs from another file only in composed accents", Severity.ERROR)

    def pass_over(self, path: str, why: str, severity: Severity = Severity.WARNING) -> None:
        shown = PurePosixPath(_SURROGATE.sub("\ufffd", path) or ".")
        self.problems.append(Problem(shown, 1, f"passed over: {why}", severity))


def _homes(root: str, found: _Findings) -> Iterator[tuple[Space, str, DocumentKind]]:
    """The folders in which memories and sessions live, with their space."""
    for first in _folders(root, "", found):
        space = space_of_folder(first, "")
        if space is not None:
            yield from _kinds(root, first, space, found)
            continue
        for second in _folders(root, first, found):
            path = f"{first}/{second}"
            yield from _kinds(root, path, space_of_folder(first, second), found)


def _kinds(
    root: str, folder: str, space: Space | None, found: _Findings
) -> Iterator[tuple[Space, str, DocumentKind]]:
    with _listing(root, folder, found) as entries:
        listed = [(entry.name, entry.is_symlink(), entry.is_dir()) for entry in entries]
    homes = [name for name, is_link, is_folder in listed if name in _HOMES and is_folder]
    if space is None:
        if homes:
            found.pass_over(folder, f"no space has this folder; {folder_hint(folder)}")
        return
    for name, is_link, is_folder in listed:
        path = f"{folder}/{name}"
        if name in _HOMES and is_folder:
            if is_link:
                found.pass_over(path, "symbolic links are not followed")
            else:
                yield space, path, _HOMES[name]
        elif name.endswith(tuple(_ENDINGS.values())) and not is_ignored(name):
            found.pass_over(path, f"only {MEMORIES}/ and {SESSIONS}/ of a space are read")


def _walk(root: str, top: str, home: _Home, found: _Findings) -> None:
    """Every file below a folder of memories or sessions.

    A vault has tens of thousands of files and is walked at each read, so what an ordinary note
    needs is in this loop and nothing else is.
    """
    ending, largest = _ENDINGS[home.kind], LARGEST[home.kind]
    add = found.files.append
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        is_plain = folder.isascii()
        with _listing(root, folder, found) as entries:
            for entry in entries:
                name = entry.name
                if (
                    not is_plain
                    or not name.isascii()
                    or not name.endswith(ending)
                    or name[0] in ".~"
                    or "onflict" in name
                    or not entry.is_file(follow_symlinks=False)
                ):
                    _look(entry, folder, home, found, waiting)
                    continue
                try:
                    seen = entry.stat(follow_symlinks=False)
                except OSError:
                    _look(entry, folder, home, found, waiting)
                    continue
                if seen.st_size > largest:
                    _look(entry, folder, home, found, waiting)
                    continue
                stamp = Stamp(seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
                add(SeenFile(f"{folder}/{name}", home.kind, home.space, stamp))


def _look(
    entry: os.DirEntry[str], folder: str, home: _Home, found: _Findings, waiting: list[str]
) -> None:
    """What to do about anything that may not be an ordinary note with an ordinary name."""
    ending = _ENDINGS[home.kind]
    name = entry.name
    path = f"{folder}/{name}"
    if entry.is_symlink():
        if _is_note_like(name) or entry.is_dir():
            found.pass_over(path, "symbolic links are not followed")
    elif entry.is_dir(follow_symlinks=False):
        if not is_ignored_folder(name):
            waiting.append(path)
    elif not _is_note_like(name):
        pass
    elif not name.lower().endswith(ending):
        found.pass_over(path, f"only *{ending} is read here")
    elif not entry.is_file(follow_symlinks=False):
        found.pass_over(path, "it is no ordinary file", Severity.ERROR)
    elif is_conflict_copy(name):
        found.pass_over(path, "a sync tool's conflicting copy; merge it by hand and delete it")
    elif _SURROGATE.search(path):
        found.pass_over(path, "its name is not valid UTF-8; rename it", Severity.ERROR)
    else:
        _measure(entry, path, home, found)


def _measure(entry: os.DirEntry[str], path: str, home: _Home, found: _Findings) -> None:
    try:
        seen = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        # Gone between the listing and the look at it.
        return
    except OSError as error:
        found.pass_over(path, f"cannot be looked at: {error.strerror}", Severity.ERROR)
        return
    if seen.st_size > LARGEST[home.kind]:
        why = f"{seen.st_size:,} bytes; files over {LARGEST[home.kind]:,} are not read"
        found.pass_over(path, why, Severity.ERROR)
        return
    found.add(path, home, Stamp(seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns))


def _is_note_like(name: str) -> bool:
    return name.lower().endswith(tuple(_ENDINGS.values())) and not is_ignored(name)


def _folders(root: str, folder: str, found: _Findings) -> list[str]:
    """The names of the folders in a folder, hidden ones left out."""
    names = []
    with _listing(root, folder, found) as entries:
        for entry in entries:
            if entry.name.startswith(".") or not entry.is_dir():
                continue
            if entry.is_symlink():
                path = f"{folder}/{entry.name}" if folder else entry.name
                found.pass_over(path, "symbolic links are not followed")
            elif not is_ignored_folder(entry.name):
                names.append(entry.name)
    return names


@contextlib.contextmanager
def _listing(root: str, folder: str, found: _Findings) -> Iterator[Iterator[os.DirEntry[str]]]:
    """The entries of a folder; none, and a problem, if it can't be listed.

    Where the platform can, entries are looked up from the open folder, which saves the kernel
    walking the whole path for each of them.
    """
    place = f"{root}/{folder}" if folder else root
    with contextlib.ExitStack() as opened:
        entries: Iterator[os.DirEntry[str]] = iter(())
        try:
            if os.scandir in os.supports_fd:
                descriptor = os.open(place, os.O_RDONLY)
                opened.callback(os.close, descriptor)
                entries = opened.enter_context(os.scandir(descriptor))
            else:
                entries = opened.enter_context(os.scandir(place))
        except FileNotFoundError:
            pass
        except OSError as error:
            found.pass_over(folder, f"cannot be listed: {error.strerror}", Severity.ERROR)
        yield entries
