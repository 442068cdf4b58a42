"""Bytes on the disk: whole or not at all, and there after a power cut."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from vademecum.domain import Digest


def digest_of(data: bytes) -> Digest:
    """BLAKE2b-128 in hexadecimal."""
    return Digest(hashlib.blake2b(data, digest_size=16).hexdigest())


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place, or replace it, in one step. Readers see the old bytes or the new."""
    make_folder(path.parent)
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            os.chmod(name, os.stat(path).st_mode & 0o777)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    sync_folder(path.parent)


def append(path: Path, data: bytes) -> None:
    """Add bytes at the end of a file that exists."""
    with open(path, "ab", buffering=0) as file:
        file.write(data)
        os.fsync(file.fileno())


def truncate(path: Path, size: int) -> None:
    """Cut a file off after `size` bytes."""
    with open(path, "r+b") as file:
        file.truncate(size)
        os.fsync(file.fileno())


def make_folder(path: Path) -> None:
    """The folder with all that lead to it, on the disk."""
    if path.is_dir():
        return
    make_folder(path.parent)
    with contextlib.suppress(FileExistsError):
        path.mkdir()
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make names in a folder durable, where the platform can."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
