"""What a person at a terminal sees."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from vademecum.faces.cli.lines import Line, Run, Style, line
from vademecum.faces.cli.render_rich import print_rich

if TYPE_CHECKING:
    from tests.faces.conftest import Vade


def rendered(*lines: Line, no_color: bool = False, width: int = 40) -> str:
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, color_system="standard", no_color=no_color, width=width
    )
    print_rich(lines, console)
    return out.getvalue()


def test_matches_are_coloured_unless_colours_are_off() -> None:
    found = line("green ", Run("tea", Style.MATCH))
    assert "\x1b[1;33mtea\x1b[0m" in rendered(found)
    assert "33m" not in rendered(found, no_color=True)


def test_a_long_line_goes_on_below_its_beginning() -> None:
    rows = rendered(line("word " * 20, indent=3)).splitlines()
    assert len(rows) > 2
    assert all(row.startswith("   word") for row in rows if row.strip())


def test_brackets_in_a_text_are_no_markup() -> None:
    assert "[bold]x[/bold] :tea:" in rendered(line("[bold]x[/bold] :tea:"))


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a matter of Unix")
@pytest.mark.parametrize(("answer", "left"), [("y", 0), ("n", 1)])
def test_removing_asks_a_person(vade: Vade, answer: str, left: int) -> None:
    vade.add("green tea", "--title", "Tea")
    said = at_a_terminal(["remove", "Tea"], f"{answer}\n")
    assert "Tea" in said
    assert "Delete this file?" in said
    assert vade.json("list")["total"] == left


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a matter of Unix")
def test_a_search_at_a_terminal_is_coloured(vade: Vade) -> None:
    vade.add("The kettle leaks.")
    assert "\x1b[1;33mkettle\x1b[0m" in at_a_terminal(["search", "kettle"], "")


def at_a_terminal(arguments: list[str], typed: str) -> str:
    """What `vade` prints on a terminal where this is typed."""
    import pty

    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    with subprocess.Popen(
        [sys.executable, "-m", "vademecum", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    ):
        os.close(theirs)
        said = b""
        try:
            while data := os.read(ours, 4096):
                said += data
        except OSError:
            pass  # Linux reports the end of a terminal as an error.
    os.close(ours)
    return said.decode()
