"""For a pipe: the text alone, one line a line."""

from __future__ import annotations

from collections.abc import Iterable

from vademecum.faces.cli.lines import Line
from vademecum.faces.cli.streams import say


def print_plain(lines: Iterable[Line]) -> None:
    """Without colours, without wrapping, without blanks at the ends of lines."""
    for line in lines:
        say(line.text.rstrip())
