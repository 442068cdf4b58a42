"""What the exit code of `vade` means: one table, for the program and for its help."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from vademecum.errors import (
    Ambiguous,
    IndexUnavailable,
    InvalidInput,
    InvalidQuery,
    NotFound,
    VademecumError,
    VaultError,
)


class ExitCode(IntEnum):
    DONE = 0
    FOUND_FAULTS = 1
    USAGE = 2
    NOT_FOUND = 3
    AMBIGUOUS = 4
    CONFLICT = 5
    VAULT = 6
    INTERRUPTED = 130


MEANINGS: Final = {
    ExitCode.DONE: "done; a search that finds nothing is done too",
    ExitCode.FOUND_FAULTS: "check found something wrong, or import met an error",
    ExitCode.USAGE: "wrong usage: an option, a date, a query, a text or a space",
    ExitCode.NOT_FOUND: "nothing has this id, path, name or title",
    ExitCode.AMBIGUOUS: "several documents could be meant; they are listed",
    ExitCode.CONFLICT: "the file was changed meanwhile; nothing was overwritten",
    ExitCode.VAULT: "no vault, a newer format, or files or index out of reach",
    ExitCode.INTERRUPTED: "interrupted",
}

_BY_ERROR: Final[tuple[tuple[type[VademecumError], ExitCode], ...]] = (
    (InvalidQuery, ExitCode.USAGE),
    (InvalidInput, ExitCode.USAGE),
    (NotFound, ExitCode.NOT_FOUND),
    (Ambiguous, ExitCode.AMBIGUOUS),
    (VaultError, ExitCode.VAULT),
    (IndexUnavailable, ExitCode.VAULT),
)


def exit_code_of(error: VademecumError) -> ExitCode:
    """The exit code for an error; one without a row of its own is a fault of the vault."""
    for kind, code in _BY_ERROR:
        if isinstance(error, kind):
            return code
    return ExitCode.VAULT
