"""Which files a vault has, without reading them."""

from __future__ import annotations

import fnmatch
import os
import unicodedata
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from vademecum.domain import DocumentKind, Problem, Severity, Space
from vademecum.ports import Scan, SeenFile, Stamp
from vademecum.settings import FILE_NAME
from vademecum.vault.layout import MEMORIES, SESSIONS, space_of_folder

LARGEST: Final = {DocumentKind.MEMORY: 16 * 2**20, DocumentKind.SESSION: 2**30}
"""Bytes; a larger file is reported and not read."""

_ENDINGS: Final = {".md": DocumentKind.MEMORY, ".jsonl": DocumentKind.SESSION}
_IGNORED_FOLDERS: Final = frozenset({"node_modules", "__pycache__"})
_IGNORED: Final = ("*.tmp", "~$*", "*~", "*.swp", "*.part", "*.crdownload")
_CONFLICTS: Final = ("*(conflicted copy*", "*conflicted copy*", "*.sync-conflict-*", "*(*conflict*)*")


def is_ignored(name: str) -> bool:
    """Whether a file is the by-product of an editor or a system."""
    return name.startswith(".") or any(fnmatch.fnmatchcase(name, mask) for mask in _IGNORED)


def is_conflict_copy(name: str) -> bool:
    """Whether a file is a copy that a sync tool made of two versions it could not merge."""
    lowered = name.casefold()
    return any(fnmatch.fnmatchcase(lowered, mask) for mask in _CONFLICTS)


def scan(root: str) -> Scan:
    """Every memory and session of a vault, by path, and what was passed over and why."""
    files: list[SeenFile] = []
    problems: list[Problem] = []
    for space, folder, kind in _homes(root, problems):
        _walk(root, folder, space, kind, files, problems)
    files.sort(key=lambda file: file.path)
    return Scan(_without_twins(files, problems), problems)


def _homes(root: str, problems: list[Problem]) -> Iterator[tuple[Space, str, DocumentKind]]:
    """The folders in which memories and sessions live, with their space."""
    for first in _entries(root, "", problems):
        if first.name == FILE_NAME or first.name.startswith("."):
            continue
        if not _is_folder(first, first.name, problems):
            continue
        space = space_of_folder(first.name, "")
        if space is not None:
            yield from _kinds(root, first.name, space, problems)
            continue
        for second in _entries(root, first.name, problems):
            path = f"{first.name}/{second.name}"
            if second.name.startswith(".") or not _is_folder(second, path, problems):
                continue
            space = space_of_folder(first.name, second.name)
            if space is None:
                problems.append(_passed_over(path, "its folder is not that of any space"))
            else:
                yield from _kinds(root, path, space, problems)


def _kinds(
    root: str, folder: str, space: Space, problems: list[Problem]
) -> Iterator[tuple[Space, str, DocumentKind]]:
    for entry in _entries(root, folder, problems):
        path = f"{folder}/{entry.name}"
        if entry.name == MEMORIES and _is_folder(entry, path, problems):
            yield space, path, DocumentKind.MEMORY
        elif entry.name == SESSIONS and _is_folder(entry, path, problems):
            yield space, path, DocumentKind.SESSION
        elif not entry.name.startswith("."):
            message = f"only {MEMORIES}/ and {SESSIONS}/ of a space are read"
            problems.append(_passed_over(path, message))


def _walk(
    root: str,
    folder: str,
    space: Space,
    kind: DocumentKind,
    files: list[SeenFile],
    problems: list[Problem],
) -> None:
    ending = ".md" if kind is DocumentKind.MEMORY else ".jsonl"
    largest = LARGEST[kind]
    for entry in _entries(root, folder, problems):
        name = entry.name
        path = f"{folder}/{name}"
        try:
            if entry.is_symlink():
                problems.append(_passed_over(path, "symbolic links are not followed"))
            elif entry.is_dir(follow_symlinks=False):
                if not name.startswith(".") and name not in _IGNORED_FOLDERS:
                    _walk(root, path, space, kind, files, problems)
            elif not name.endswith(ending):
                if not is_ignored(name) and name[name.rfind(".") :] in _ENDINGS:
                    problems.append(_passed_over(path, f"only *{ending} is read in {folder}"))
            elif is_ignored(name):
                continue
            elif "conflict" in name.casefold() and is_conflict_copy(name):
                message = "a sync tool's conflicting copy; merge it by hand and delete it"
                problems.append(Problem(PurePosixPath(path), 1, message))
            else:
                found = entry.stat(follow_symlinks=False)
                if found.st_size > largest:
                    message = f"{found.st_size:,} bytes; files over {largest:,} are not read"
                    problems.append(Problem(PurePosixPath(path), 1, message, Severity.ERROR))
                    continue
                stamp = Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns)
                files.append(SeenFile(path, kind, space, stamp))
        except FileNotFoundError:
            # Gone between the listing and the look at it.
            continue


def _entries(root: str, folder: str, problems: list[Problem]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(f"{root}/{folder}" if folder else root) as found:
            return list(found)
    except FileNotFoundError:
        return []
    except OSError as error:
        where = PurePosixPath(folder or ".")
        problems.append(Problem(where, 1, f"cannot be listed: {error}", Severity.ERROR))
        return []


def _is_folder(entry: os.DirEntry[str], path: str, problems: list[Problem]) -> bool:
    if entry.is_symlink():
        problems.append(_passed_over(path, "symbolic links are not followed"))
        return False
    return entry.is_dir(follow_symlinks=False)


def _passed_over(path: str, why: str) -> Problem:
    return Problem(PurePosixPath(path), 1, f"passed over: {why}")


def _without_twins(files: list[SeenFile], problems: list[Problem]) -> list[SeenFile]:
    """Names that differ only in how an accent is composed are one name on some systems."""
    if all(file.path.isascii() for file in files):
        return files
    kept: dict[str, SeenFile] = {}
    for file in files:
        normal = unicodedata.normalize("NFC", file.path)
        if normal in kept:
            message = f"passed over: differs from {kept[normal].path!r} only in composed accents"
            problems.append(Problem(PurePosixPath(file.path), 1, message, Severity.ERROR))
        else:
            kept[normal] = file
    return list(kept.values())
