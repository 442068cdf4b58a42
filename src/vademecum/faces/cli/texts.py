"""Where a text to write comes from: the command line, a pipe, or an editor."""

from __future__ import annotations

import itertools
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vademecum.errors import InvalidInput, VademecumError
from vademecum.faces.cli.streams import read_standard_input, typed_by_a_person

STANDARD_INPUT: Final = "-"
_EDITORS: Final = ("sensible-editor", "nano", "vim", "vi", "notepad")


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that somebody wrote. `file` is where the editor left it."""

    text: str
    file: Path | None = None


@contextmanager
def keeping(draft: Draft) -> Iterator[None]:
    """Say where the draft is if it cannot be stored; forget the editor's file if it can."""
    try:
        yield
    except VademecumError as error:
        if draft.file is not None:
            error.hint = f"{error.hint} Your text is in {draft.file}".lstrip()
        raise
    if draft.file is not None:
        draft.file.unlink(missing_ok=True)


def given_text(words: Sequence[str]) -> Draft | None:
    """The words joined by a space, or a pipe's text for `-` or no words.

    None if an editor is to be asked: there are no words, and somebody sits at the keyboard or
    the pipe is empty and an editor is named.
    """
    if words and tuple(words) != (STANDARD_INPUT,):
        return Draft(" ".join(words))
    if not words and typed_by_a_person():
        return None
    text = read_standard_input()
    if not words and not text and _named_editor():
        return None
    return Draft(text)


def edited(text: str) -> Draft:
    """The text as the user's editor leaves it, byte for byte apart from the edits."""
    file = _temporary(text)
    command = _editor()
    try:
        done = subprocess.run([*command, str(file)], check=False)
    except OSError as error:
        file.unlink()
        raise InvalidInput(
            f"the editor {command[0]!r} could not be started: {error.strerror}",
            hint="Set EDITOR to one that can, or give the text on the command line.",
        ) from error
    if done.returncode != 0:
        raise InvalidInput(
            f"the editor {command[0]!r} ended with code {done.returncode}; nothing was written",
            hint=f"Your text is in {file}",
        )
    return Draft(file.read_bytes().decode(errors="surrogateescape"), file)


def save_beside(file: Path, text: str) -> Path:
    """Keep a text in a new file next to another one, by a name that no vault reads."""
    data = text.encode(errors="surrogateescape")
    for number in itertools.count(1):
        copy = file.with_name(f"{file.stem}.yours{'' if number == 1 else f'-{number}'}.txt")
        try:
            with copy.open("xb") as opened:
                opened.write(data)
        except FileExistsError:
            continue
        except OSError:
            return _temporary(text)
        return copy
    raise AssertionError("numbers do not end")


def _named_editor() -> str:
    named = (os.environ.get(variable, "").strip() for variable in ("VISUAL", "EDITOR"))
    return next(filter(None, named), "")


def _editor() -> list[str]:
    if command := _named_editor():
        return shlex.split(command, posix=sys.platform != "win32")
    for name in _EDITORS:
        if path := shutil.which(name):
            return [path]
    raise InvalidInput(
        "there is no editor to write with",
        hint="Set EDITOR, or give the text on the command line or through a pipe.",
    )


def _temporary(text: str) -> Path:
    handle, name = tempfile.mkstemp(prefix="vade-", suffix=".md")
    with os.fdopen(handle, "wb") as file:
        file.write(text.encode(errors="surrogateescape"))
    return Path(name)
