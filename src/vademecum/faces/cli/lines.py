"""What a person reads, before it is known whether a terminal or a pipe takes it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_GAP: Final = "  "


class Style(Enum):
    """What a run of text is; a terminal decides how that looks."""

    PLAIN = "plain"
    TITLE = "title"
    ASIDE = "aside"
    MATCH = "match"
    SPACE = "space"
    DATE = "date"
    SPEAKER = "speaker"
    NUMBER = "number"
    COMMAND = "command"
    GOOD = "good"
    BAD = "bad"


class Run(NamedTuple):
    """Text of one style. `link` is a path that a terminal may open."""

    text: str
    style: Style = Style.PLAIN
    link: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Runs on one line, so many columns from the left."""

    runs: tuple[Run, ...] = ()
    indent: int = 0

    @property
    def text(self) -> str:
        return " " * self.indent + "".join(run.text for run in self.runs) if self.runs else ""


BLANK: Final = Line()


def line(*runs: Run | str, indent: int = 0) -> Line:
    """A line of these runs; what is no run is plain."""
    return Line(tuple(Run(run) if isinstance(run, str) else run for run in runs), indent)


def visible(text: str) -> str:
    """The text without characters that would command the terminal; carriage returns go too."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(visible(text).split())


def block(runs: Iterable[Run], *, indent: int = 0) -> list[Line]:
    """Lines of runs that hold line ends."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        first, *others = visible(run.text).split("\n")
        if first:
            lines[-1].append(run._replace(text=first))
        lines.extend([run._replace(text=other)] if other else [] for other in others)
    return [Line(tuple(found), indent) for found in lines]


def table(rows: Sequence[Sequence[Run]], *, indent: int = 0) -> list[Line]:
    """Columns under each other, two blanks apart; numbers to the right. The last is as it is."""
    if not rows:
        return []
    widths = [max(columns(row[at].text) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row in rows:
        runs: list[Run] = []
        for at, (cell, width) in enumerate(zip(row, widths, strict=True)):
            filling = " " * (width - columns(cell.text))
            right = cell.style is Style.NUMBER
            last = at == len(row) - 1
            text = filling + cell.text if right else cell.text + ("" if last else filling)
            runs.append(cell._replace(text=text))
            if not last:
                runs.append(Run(_GAP))
        lines.append(Line(tuple(runs), indent))
    return lines


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
