"""Files outside the vault that can be taken into it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from vademecum.domain import DocumentKind, Problem, Severity
from vademecum.errors import InvalidInput
from vademecum.ports import ForeignFile
from vademecum.vault.scanning import LARGEST, is_conflict_copy, is_ignored

_KINDS = {
    ".md": DocumentKind.MEMORY,
    ".markdown": DocumentKind.MEMORY,
    ".jsonl": DocumentKind.SESSION,
}


def find(source: Path) -> Iterator[ForeignFile | Problem]:
    """Markdown and JSON Lines files at or below a path, in the order of their names.

    Hidden folders, by-products of editors and links are passed over without a word; conflicting
    copies and files too large to read are problems.
    """
    if not source.exists():
        raise InvalidInput(f"there is nothing at {str(source)!r} to import")
    if source.is_file():
        kind = _KINDS.get(source.suffix.lower())
        if kind is None:
            raise InvalidInput(
                f"{str(source)!r} is neither Markdown (.md) nor a session (.jsonl)",
                hint="Give a .md or .jsonl file, or a folder of them.",
            )
        yield _looked_at(source, source.name, kind)
        return
    name = source.resolve().name
    for folder, below, names in os.walk(source):
        below[:] = sorted(
            b for b in below if not b.startswith(".") and b not in ("node_modules", "__pycache__")
        )
        for file in sorted(names):
            path = Path(folder, file)
            kind = _KINDS.get(path.suffix.lower())
            if kind is None or is_ignored(file) or path.is_symlink():
                continue
            relative = f"{name}/{path.relative_to(source).as_posix()}"
            if is_conflict_copy(file):
                message = "a sync tool's conflicting copy; merge it by hand first"
                yield Problem(PurePosixPath(relative), 1, message)
            else:
                yield _looked_at(path, relative, kind)


def _looked_at(path: Path, relative: str, kind: DocumentKind) -> ForeignFile | Problem:
    where = PurePosixPath(relative)
    try:
        found = path.stat()
        if found.st_size > LARGEST[kind]:
            message = f"{found.st_size:,} bytes; files over {LARGEST[kind]:,} are not read"
            return Problem(where, 1, message, Severity.ERROR)
        data = path.read_bytes()
    except OSError as error:
        return Problem(where, 1, f"cannot be read: {error.strerror}", Severity.ERROR)
    return ForeignFile(where, kind, data, datetime.fromtimestamp(found.st_mtime, UTC))
