"""A note into passages: one a section, under its heading path."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from vademecum.domain import Document, DocumentKind, Memory, Passage, PassageId
from vademecum.splitting import split

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LARGEST_PARSED: Final = 2**20
"""Characters; the headings of a longer note are found line by line, which is linear."""

_MAY_BE_HEADING: Final = re.compile(
    r"(?:^|\r) {0,3}(?:#{1,6}(?:[ \t\r]|$)|(?:=+|-+)[ \t]*(?:\r|$))", re.MULTILINE
)
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_NUMBER_SIGNS: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")


@dataclass(frozen=True, slots=True)
class _Heading:
    """Where a heading begins and where its text goes on below it, as characters of the body."""

    level: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Section:
    """Characters of the body from a heading to the next; the text begins at `text_start`."""

    heading: tuple[str, ...]
    start: int
    text_start: int
    end: int


def document_of(memory: Memory, *, encoding: str = "utf-8") -> Document:
    """What the index needs of a memory. `encoding` is how its file was decoded."""
    return Document(
        id=memory.id,
        kind=DocumentKind.MEMORY,
        space=memory.space,
        path=memory.path,
        title=memory.title,
        digest=memory.digest,
        passages=tuple(_passages(memory, encoding)),
        type=memory.type,
        tags=memory.tags,
        aliases=memory.aliases,
        entities=memory.entities,
        date=memory.date,
        updated_at=memory.updated_at,
        status=memory.status,
        encoding=encoding,
    )


def top_heading(body: str) -> str:
    """The first heading of the first level, or an empty text."""
    return next((heading.title for heading in _headings(body) if heading.level == 1), "")


def _passages(memory: Memory, encoding: str) -> Iterator[Passage]:
    """Sections in order. A note without text still has one passage, so that its title is found."""
    text, body = memory.text, memory.body
    offset = len(text) - len(body)
    line_starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    # Bytes are counted on from section to section, so that a long note costs one pass.
    begins = len(text[:offset].encode(encoding))
    number = 0
    for section in _sections(body):
        length = len(body[section.start : section.end].encode(encoding))
        here = begins
        begins += length
        ranges = _shifted(split(body[section.text_start : section.end]), section.text_start)
        if not ranges and not section.heading:
            continue
        number += 1
        for part, (low, high) in enumerate(ranges or [(section.text_start,) * 2], start=1):
            label = f"{number}.{part}" if len(ranges) > 1 else f"{number}"
            yield Passage(
                id=PassageId(f"{memory.id}#{label}"),
                text=body[low:high],
                line=bisect_right(line_starts, min(offset + low, max(len(text) - 1, 0))),
                start=here,
                length=length,
                clip=(low - section.start, high - section.start),
                heading=section.heading,
            )
    if not number:
        line = bisect_right(line_starts, max(offset - 1, 0)) if offset else 1
        start = len(text[:offset].encode(encoding))
        empty = PassageId(f"{memory.id}#1")
        yield Passage(id=empty, text="", line=line, start=start, length=0, clip=(0, 0))


def _shifted(ranges: Sequence[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    return [(low + by, high + by) for low, high in ranges]


def _sections(body: str) -> Iterator[_Section]:
    """The text before the first heading, then one section a heading.

    A heading with nothing but a deeper heading below it needs no section of its own: it is in the
    path of that one. The two are kept together, so that no byte is left out.
    """
    headings = _headings(body)
    first = headings[0].start if headings else len(body)
    yield _Section((), 0, 0, first)
    ends = [*(heading.start for heading in headings[1:]), len(body)]
    above: list[_Heading] = []
    start = first
    for at, (heading, end) in enumerate(zip(headings, ends, strict=False)):
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        is_led_into = at + 1 < len(headings) and headings[at + 1].level > heading.level
        if is_led_into and not body[heading.end : end].strip():
            continue
        yield _Section(tuple(one.title for one in above), start, heading.end, end)
        start = end


# The title and the sections of a note ask for the headings one after the other.
@lru_cache(maxsize=1)
def _headings(body: str) -> tuple[_Heading, ...]:
    """Headings of the document itself: not those in code, quotes and lists."""
    if not _MAY_BE_HEADING.search(body):
        return ()
    if len(body) > LARGEST_PARSED:
        return tuple(_headings_by_line(body))
    tokens = _parser().parse(body)
    starts = [0, *(match.end() for match in _LINE_END.finditer(body)), len(body), len(body)]
    found = []
    for token, following in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            first, after = token.map
            title = " ".join(following.content.split())
            found.append(_Heading(int(token.tag[1]), title, starts[first], starts[after]))
    return tuple(found)


@cache
def _parser() -> MarkdownIt:
    """Blocks only: which lines are headings does not depend on what is inside a line."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")


def _headings_by_line(body: str) -> Iterator[_Heading]:
    fence = ""
    ends = [*((match.start(), match.end()) for match in _LINE_END.finditer(body))]
    start = 0
    for line_end, following in [*ends, (len(body), len(body))]:
        line = body[start:line_end]
        if opened := _FENCE.match(line):
            if not fence:
                fence = opened[1]
            elif opened[1].startswith(fence) and not line.strip("`~ \t"):
                fence = ""
        elif not fence and (match := _NUMBER_SIGNS.match(line)):
            yield _Heading(len(match[1]), " ".join((match[2] or "").split()), start, following)
        start = following
