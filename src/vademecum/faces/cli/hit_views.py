"""Search results for a person: what was found, where, and why."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from vademecum.domain import Answer, Hit, Status
from vademecum.faces.cli.lines import BLANK, Line, Run, Style, block, line, one_line, table
from vademecum.faces.cli.snippets import pieces, snippet
from vademecum.faces.cli.text_views import join, place, title_of, when, who

_INDENT = 3


def answer(value: Answer, root: Path, *, full: bool, explain: bool) -> Iterator[Line]:
    """Each hit with its text, score and place; nothing for an answer without hits."""
    for rank, hit in enumerate(value.hits, start=1):
        if rank > 1:
            yield BLANK
        yield from _hit(hit, rank, root, full=full, explain=explain)


def nothing_found(value: Answer) -> str:
    """What to say when there are no hits."""
    return f"Nothing found for {value.query.text!r} in {', '.join(value.spaces)}."


def _hit(hit: Hit, rank: int, root: Path, *, full: bool, explain: bool) -> Iterator[Line]:
    number = f"{rank}."
    gap = " " * max(1, _INDENT - len(number))
    text = one_line(hit.passage.text)
    title = title_of(hit.document.title, hit.document.path)
    # A short note is its own title: saying it once is enough.
    shown = full or not text.startswith(title.removesuffix("…").rstrip())
    runs = [Run(title, Style.TITLE)] if shown else _runs(hit, full=full)
    heading = [one_line(part) for part in hit.passage.heading]
    for part in heading if shown else ():
        if part and part != title:
            runs += [Run(" > ", Style.ASIDE), Run(part, Style.TITLE)]
    yield line(Run(number, Style.ASIDE), gap, *runs)
    yield line(*_facts(hit), indent=_INDENT)
    if full:
        yield from block(_runs(hit, full=True), indent=_INDENT)
    elif shown and text:
        yield line(*_runs(hit, full=False), indent=_INDENT)
    yield line(
        place(root, hit.document.path, hit.passage.line),
        "  ",
        Run(hit.passage.id, Style.ASIDE),
        indent=_INDENT,
    )
    if explain:
        yield from table(_reasons(hit), indent=_INDENT)


def _facts(hit: Hit) -> list[Run]:
    role = hit.passage.role.value if hit.passage.role else ""
    status = hit.document.status
    kind = hit.document.type.value if hit.document.type else hit.document.kind.value
    return join(
        Run(hit.document.space, Style.SPACE),
        Run(when(hit.date), Style.DATE),
        Run(who(hit.passage.speaker, role), Style.SPEAKER),
        Run(kind, Style.ASIDE),
        Run("" if status is Status.ACTIVE else status.value, Style.BAD),
        Run(" ".join(f"#{one_line(tag)}" for tag in hit.document.tags), Style.ASIDE),
        Run(f"score {hit.score:.3f}", Style.ASIDE),
    )


def _runs(hit: Hit, *, full: bool) -> list[Run]:
    text, spans = hit.passage.text, hit.highlights
    found = pieces(text, spans) if full else snippet(text, spans)
    return [Run(piece.text, Style.MATCH if piece.matches else Style.PLAIN) for piece in found]


def _reasons(hit: Hit) -> list[list[Run]]:
    """Channel, field and amount, the largest first, and their sum."""
    rows = [
        [
            Run(one.channel, Style.ASIDE),
            Run(one.field, Style.ASIDE),
            Run(f"{one.amount:.4f}", Style.NUMBER),
        ]
        for one in sorted(hit.contributions, key=lambda one: -one.amount)
    ]
    total = math.fsum(one.amount for one in hit.contributions)
    return [*rows, [Run("sum", Style.ASIDE), Run(""), Run(f"{total:.4f}", Style.NUMBER)]]
