"""`vade init`, and what `vade` alone says."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from vademecum.faces.cli import json_views
from vademecum.faces.cli.app import App, usual_root
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.lines import BLANK, Line, Run, Style, line, table
from vademecum.faces.cli.output import present, print_lines


@click.command("init", cls=Verb)
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.pass_obj
def init(app: App, /, *, path: Path | None) -> None:
    """Make a new, empty vault.

    Without PATH it goes where --vault or VADEMECUM_VAULT says, or else into the user's data
    folder, where every other verb looks for it by itself.
    """
    from vademecum import create_vault

    with create_vault(path or app.root) as vault:
        root, default_space = vault.root.absolute(), vault.default_space
    present(
        app,
        root,
        lambda made: json_views.vault(made, default_space),
        _made,
    )


def _made(root: Path) -> Iterator[Line]:
    usual = root == usual_root().absolute()
    option = "" if usual else f" --vault {_quoted(root)}"
    yield line(Run("Made a vault", Style.GOOD), " in ", Run(str(root), link=str(root)))
    yield line("Its notes and conversations are plain files: edit, move or back them up as you do")
    yield line("with any file. vademecum.toml has its settings.")
    yield BLANK
    yield line("Next:")
    yield from _commands(
        (f'vade{option} add "Mara likes her green tea at 80 degrees."', "keep a note"),
        (f"vade{option} search tea", "find it again"),
    )
    if not usual:
        yield BLANK
        yield line("To leave out --vault:")
        yield line(Run(_assignment(root), Style.COMMAND), indent=2)


def _assignment(root: Path) -> str:
    if sys.platform == "win32":
        return f"setx VADEMECUM_VAULT {_quoted(root)}"
    return f"export VADEMECUM_VAULT={_quoted(root)}"


def _quoted(path: Path) -> str:
    return f'"{path}"' if sys.platform == "win32" else shlex.quote(str(path))


def start_page(app: App) -> None:
    """A few lines for somebody who typed `vade` and no more."""
    print_lines(app, _start(app))


def _start(app: App) -> Iterator[Line]:
    from vademecum.settings import FILE_NAME

    yield line(
        Run("vade", Style.TITLE),
        " keeps notes and conversations in plain files and finds them again.",
    )
    yield BLANK
    there = (app.root / FILE_NAME).is_file()
    first = [] if there else [("vade init", "make a vault")]
    yield from _commands(
        *first,
        ('vade add "Mara likes green tea."', "keep a note"),
        ("vade import FOLDER", "take in Markdown notes or conversations"),
        ("vade search tea", "find it again"),
        ("vade --help", "all verbs"),
    )
    yield BLANK
    yield line("Your vault is " if there else "There is no vault yet at ", str(app.root))


def _commands(*commands: tuple[str, str]) -> list[Line]:
    return table([[Run(text, Style.COMMAND), Run(what)] for text, what in commands], indent=2)
