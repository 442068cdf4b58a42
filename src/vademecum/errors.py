"""Everything this package raises on purpose.

VademecumError
  InvalidQuery       what was asked has no meaning (a limit of 0, an unknown recipe)
  InvalidInput       what was handed in cannot be kept (an empty memory, a broken name)
    InvalidSpace     a space name that cannot be one
  NotFound           nothing has this id, path or name
  Ambiguous          several things could be meant; the candidates are listed
  VaultError         the folder could not be opened, read or written
    NoVault          there is no vault where one was looked for
    NewerFormat      the vault was made by a newer version of this program
  IndexUnavailable   the derived index could not be opened or brought up to date

Outcomes that a caller decides about (`Conflict`, `Unchanged`, `Problem`) are values in
`vademecum.domain`.
"""

from __future__ import annotations

from collections.abc import Sequence


class VademecumError(Exception):
    """Base of every error raised on purpose. `hint` says what to do about it."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class InvalidQuery(VademecumError, ValueError):
    """The caller asked for something that has no meaning."""


class InvalidInput(VademecumError, ValueError):
    """The caller handed in something that cannot be kept."""


class InvalidSpace(InvalidInput):
    """A space name that cannot be one."""


class NotFound(VademecumError, LookupError):
    """Nothing has this id, path or name."""


class Ambiguous(VademecumError, LookupError):
    """Several things could be meant; nothing was guessed."""

    def __init__(self, reference: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(candidates[:10]) + (", ..." if len(candidates) > 10 else "")
        super().__init__(
            f"{reference!r} could be any of {len(candidates)}: {shown}",
            hint="Give more of the id, or the whole path.",
        )
        self.candidates = tuple(candidates)


class VaultError(VademecumError):
    """The vault's folder could not be opened, read or written."""


class NoVault(VaultError):
    """There is no vault where one was looked for."""


class NewerFormat(VaultError):
    """The vault was written by a newer version of this program."""


class IndexUnavailable(VademecumError):
    """The derived index could not be opened or brought up to date. The files are untouched."""
