"""What the harness raises on purpose."""

from __future__ import annotations


class BenchError(Exception):
    """Something the person at the terminal can put right. `hint` says how."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class DataError(BenchError):
    """The data is missing, or is not what its format promises."""


class SystemMissingError(BenchError):
    """A system needs a package that is not installed."""
