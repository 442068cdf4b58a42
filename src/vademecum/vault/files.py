"""Bytes on the disk: whole or not at all, and there after a power cut."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from vademecum.domain import Digest


def digest_of(data: bytes) -> Digest:
    """BLAKE2b-128 in hexadecimal."""
    return Digest(hashlib.blake2b(data, digest_size=16).hexdigest())


def write_whole(path: Path, data: bytes, *, if_still: Callable[[], bool] | None = None) -> bool:
    """Put a file in place, or replace it, in one step. Readers see the old bytes or the new.

    `if_still` is asked at the last moment, when only the renaming is left to do; if it says no,
    nothing happens and the answer is False.
    """
    make_folder(path.parent)
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(path.stat().st_mode & 0o777)
        if if_still is not None and not if_still():
            temporary.unlink()
            return False
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise
    sync_folder(path.parent)
    return True


def append(path: Path, data: bytes) -> None:
    """Add bytes at the end of a file that exists: all of them or none."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    try:
        before = os.fstat(descriptor).st_size
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        except OSError:
            # A full disk must not leave half a line behind.
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, before)
            raise
    finally:
        os.close(descriptor)


def truncate(path: Path, size: int) -> None:
    """Cut a file off after `size` bytes."""
    with path.open("r+b") as file:
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
