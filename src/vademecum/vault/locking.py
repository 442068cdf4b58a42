"""One writer at a time, across processes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vademecum.errors import VaultError

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_SECONDS: Final = 60.0


class WriteLock:
    """The right to change the files of a vault. A process that dies gives it back."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _lock(self) -> BaseFileLock:
        from filelock import FileLock

        return FileLock(self._folder / "write.lock", timeout=LOCK_SECONDS)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep it within a context. VaultError if others have it for a minute."""
        from filelock import Timeout

        try:
            self._folder.mkdir(exist_ok=True)
            self._lock.acquire()
        except Timeout as error:
            raise VaultError(
                f"another process has been writing beside {str(self._folder)!r} for"
                f" {LOCK_SECONDS:.0f} s",
                hint="Try again when it has finished.",
            ) from error
        except OSError as error:
            raise VaultError(f"cannot lock {str(self._folder)!r}: {error.strerror}") from error
        try:
            yield
        finally:
            self._lock.release()
