# ruff: noqa: INP001 - a script, not a package
"""Make a vault from the bundled sample, ask it five questions, and say why the answers came.

`python examples/try.py [FOLDER]`; without FOLDER in a temporary one, which stays to be looked at.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

import vademecum
from vademecum import PERSONAL, Hit, Query, Space, Status

SAMPLE = Path(__file__).resolve().parent.parent / "sample"
LANTERN = vademecum.parse_space("project:lantern")

QUESTIONS: tuple[tuple[Space, str, str], ...] = (
    (LANTERN, "ERR_TIDE_0042", "an exact identifier"),
    (LANTERN, "Which port does the API listen on now?", "a fact that was corrected twice"),
    (PERSONAL, "Who is Dr. Aylin Demirci?", "a name"),
    (
        LANTERN,
        "备用的那台是哪一台?",
        "Chinese: which one is the spare? Said only in a conversation",
    ),
    (PERSONAL, "How much benazepril does Mikesch get?", "said only in a conversation"),
)

VIEWS = {
    "lexical/passage": "passage",
    "lexical/neighbours": "surroundings",
    "lexical/own-words": "own words",
    "lexical/document": "whole file",
    "literal": "exact match",
}

LEGEND = """A score says how well the words match the passage, the passage with its surroundings,
what people said or wrote themselves, and the whole file. An exact match is a rare name."""


def main() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that has no Chinese shows ?
    console = Console(width=100, highlight=False)
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="vademecum-"))
    is_there = (folder / "vademecum.toml").exists()
    with vademecum.open_vault(folder) if is_there else vademecum.create_vault(folder) as vault:
        read = 0
        for source, space in ((SAMPLE / "personal", PERSONAL), (SAMPLE / "lantern", LANTERN)):
            read += vault.import_path(source, space=space).read
        passages = sum(one.passages for one in vault.spaces())
        console.print(f"A vault in {folder}", markup=False, soft_wrap=True)
        console.print(f"{read} files of the sample, {passages} passages in the index.")
        console.print(LEGEND, end="\n\n")

        for number, (space, text, about) in enumerate(QUESTIONS, start=1):
            console.print(Text.assemble((f"{number}. {text}", "bold cyan"), f"  ({about})"))
            for hit in vault.search(Query(text=text, spaces=(space,), limit=2)).hits:
                console.print(Padding.indent(described(hit), 3))
            console.print()
    console.print("Next:", *what_to_type(folder), sep="\n  ", markup=False, soft_wrap=True)


def described(hit: Hit) -> Text:
    """Date and source, the passage around its first match, and what its score is made of."""
    date = f"{hit.date:%Y-%m-%d}" if hit.date else "undated"
    state = "" if hit.document.status is Status.ACTIVE else f"  [{hit.document.status.value}]"
    who = f"{hit.passage.speaker}: " if hit.passage.speaker else ""
    return Text.assemble(
        (f"{date}  {hit.document.title}{state}\n", "bold"),
        who, snippet(hit), (f"\n{hit.document.path}, line {hit.passage.line}\n", "dim"),
        (why(hit), "green"),
    )  # fmt: skip


def snippet(hit: Hit) -> Text:
    """The part of the passage that matches, the matching words in bold."""
    text = Text(hit.passage.text.replace("\n", " "))
    for span in hit.highlights:
        text.stylize("bold magenta", span.start, span.end)
    start = max(0, hit.highlights[0].start - 60) if hit.highlights else 0
    end = start + 220
    return Text("... " if start else "") + text[start:end] + Text(" ..." if end < len(text) else "")


def why(hit: Hit) -> str:
    """The contributions to the score, summed over the fields of each view."""
    sums: defaultdict[str, float] = defaultdict(float)
    for one in hit.contributions:
        sums[one.channel] += one.amount
    views = sorted(sums, key=lambda view: -sums[view])
    parts = " + ".join(f"{VIEWS.get(view, view)} {sums[view]:.2f}" for view in views)
    return f"{hit.score:.2f} = {parts}"


def what_to_type(folder: Path) -> list[str]:
    """The same vault from the command line."""
    program = Path(sys.executable).with_name("vade")
    vade = os.path.relpath(program) if program.exists() else "vade"
    command = f"{vade} --vault {shlex.quote(str(folder))}"
    return [
        f"{command} search --space project:lantern --explain PostgreSQL version",
        f"{command} search 喫茶ひばり",
        f'{command} add "Mara likes her green tea at 80 degrees."',
    ]


if __name__ == "__main__":
    main()
