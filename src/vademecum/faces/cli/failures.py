"""Errors as the user sees them: one line what, one line what to do, and an exit code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

import click

from vademecum.errors import Ambiguous, NoVault, VademecumError
from vademecum.faces.cli.exit_codes import ExitCode, exit_code_of
from vademecum.faces.cli.streams import remark, remark_json


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a command stopped. `extra` are further keys of the JSON form."""

    type: str
    message: str
    hint: str
    code: ExitCode
    extra: Mapping[str, object] = field(default_factory=dict)

    def report(self, *, json: bool) -> None:
        if json:
            error = {"type": self.type, "message": self.message, "hint": self.hint, **self.extra}
            remark_json({"error": error})
            return
        remark(f"vade: {self.message}")
        if self.hint:
            remark(f"hint: {self.hint}")


class UsageHint(click.UsageError):
    """Wrong usage, with the way out."""

    def __init__(self, message: str, *, hint: str, ctx: click.Context | None = None) -> None:
        super().__init__(message, ctx)
        self.hint = hint


class ConflictedError(Exception):
    """A write was refused because the file had changed; the user's text is in `copy`."""

    def __init__(self, path: str, copy: str) -> None:
        super().__init__(f"{path} was changed meanwhile; nothing was overwritten")
        self.copy = copy


def failure_of(error: Exception) -> Failure | None:
    """What to say about an expected error; None for one that is a fault of the program."""
    match error:
        case VademecumError():
            return _of_engine(error)
        case ConflictedError():
            return Failure(
                "Conflict",
                str(error),
                f"Your text is in {error.copy}: edit again and take from it what is missing.",
                ExitCode.CONFLICT,
                {"saved_copy": error.copy},
            )
        case click.UsageError():
            return Failure("UsageError", *_of_usage(error), ExitCode.USAGE)
        case click.ClickException():
            return Failure(type(error).__name__, error.format_message(), "", ExitCode.USAGE)
        case OSError():
            return Failure(
                type(error).__name__,
                f"{error.filename}: {error.strerror}" if error.filename else str(error),
                "",
                ExitCode.VAULT,
            )
        case _:
            return None


def _of_engine(error: VademecumError) -> Failure:
    hint = error.hint
    if isinstance(error, NoVault) and "vade init" not in hint:
        hint = f"Make one with: vade init. {hint}".rstrip()
    extra = {"candidates": list(error.candidates)} if isinstance(error, Ambiguous) else {}
    return Failure(type(error).__name__, str(error), hint, exit_code_of(error), extra)


def _of_usage(error: click.UsageError) -> tuple[str, str]:
    """Message and hint."""
    help_page = f"{error.ctx.command_path} --help" if error.ctx is not None else "vade --help"
    match error:
        case UsageHint():
            return error.message, error.hint
        case click.NoSuchOption():
            return _of_unknown_option(error, help_page)
        case click.MissingParameter() if error.param is not None:
            name = error.param.human_readable_name
            return f"{name} is missing", f"See: {help_page}"
        case click.BadParameter() if error.param is not None:
            name = error.param.get_error_hint(error.ctx).replace("'", "")
            return f"{name}: {error.message.rstrip('.')}", f"See: {help_page}"
        case _:
            message = error.format_message().rstrip(".")
            return message[:1].lower() + message[1:], f"See: {help_page}"


def _of_unknown_option(error: click.NoSuchOption, help_page: str) -> tuple[str, str]:
    message = f"no such option {error.option_name!r}"
    options: list[str] = []
    takes_text = False
    if error.ctx is not None:
        for param in error.ctx.command.get_params(error.ctx):
            options += (
                [*param.opts, *param.secondary_opts] if param.param_type_name == "option" else []
            )
            takes_text = takes_text or param.name == "text"
    hint = meant(error.option_name, (option for option in options if option.startswith("--")))
    if takes_text:
        hint = f"{hint} To use it as text, put -- before it.".lstrip()
    return message, hint or f"See: {help_page}"


def meant(typed: str, known: Iterable[str], *, synonyms: Mapping[str, str] | None = None) -> str:
    """`Did you mean ...?`, or nothing if nothing is near."""
    near: Sequence[str] = get_close_matches(typed, list(known), n=3, cutoff=0.6)
    other = (synonyms or {}).get(typed)
    if other is not None:
        near = [other]
    return f"Did you mean {' or '.join(near)}?" if near else ""
