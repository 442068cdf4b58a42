"""For a terminal: colours, links, and long lines wrapped under their beginning."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.style import Style as Look
from rich.text import Text

from vademecum.faces.cli.lines import Line, Style

LOOKS: Final = {
    Style.PLAIN: Look.null(),
    Style.TITLE: Look.parse("bold"),
    Style.ASIDE: Look.parse("bright_black"),
    Style.MATCH: Look.parse("bold yellow"),
    Style.SPACE: Look.parse("cyan"),
    Style.DATE: Look.parse("green"),
    Style.SPEAKER: Look.parse("magenta"),
    Style.NUMBER: Look.parse("cyan"),
    Style.COMMAND: Look.parse("bold cyan"),
    Style.GOOD: Look.parse("green"),
    Style.BAD: Look.parse("bold red"),
}


def print_rich(lines: Iterable[Line], console: Console) -> None:
    """The lines in colours, unless the console has none."""
    for line in lines:
        text = Text(no_wrap=False, overflow="fold")
        for run in line.runs:
            look = LOOKS[run.style]
            if run.link:
                look += Look(link=Path(run.link).as_uri())
            text.append(run.text, look)
        console.print(Padding(text, (0, 0, 0, line.indent), expand=False) if line.indent else text)


def terminal(*, no_color: bool) -> Console:
    """The terminal that standard output is. NO_COLOR is honoured by the console itself."""
    return Console(
        no_color=no_color or None, highlight=False, markup=False, emoji=False, soft_wrap=False
    )
