"""A bar on the terminal while many files are read."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from vademecum.faces.cli.streams import can_show_progress

_WIDTH: Final = 30
_SECONDS_BETWEEN: Final = 0.1


class Bar:
    """One line that is written over. It appears when the work takes longer than a moment."""

    def __init__(self, label: str, stream: TextIO, clock: Callable[[], float]) -> None:
        self._label = label
        self._stream = stream
        self._clock = clock
        self._drawn_at = clock()
        self._columns = 0

    def tell(self, done: int, total: int) -> None:
        """So many are done; a total of 0 is one that is not known."""
        now = self._clock()
        if now - self._drawn_at < _SECONDS_BETWEEN:
            return
        self._drawn_at = now
        self._draw(bar_text(self._label, done, total))

    def clear(self) -> None:
        if self._columns:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()

    def _draw(self, text: str) -> None:
        self._stream.write("\r" + text.ljust(self._columns))
        self._stream.flush()
        self._columns = len(text)


def bar_text(label: str, done: int, total: int) -> str:
    if total <= 0:
        return f"{label} {done:,}"
    filled = min(done, total) * _WIDTH // total
    return f"{label} [{'#' * filled:<{_WIDTH}}] {done:,} of {total:,}"


@contextmanager
def bar(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function to tell how many are done of how many; None if nobody would see it."""
    if not can_show_progress():
        yield None
        return
    shown = Bar(label, sys.stderr, time.monotonic)
    try:
        yield shown.tell
    finally:
        shown.clear()
