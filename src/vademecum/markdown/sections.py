"""A note into passages: one a section, under its heading path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt

from vademecum.domain import Document, DocumentKind, Memory, Passage, PassageId
from vademecum.splitting import split


@dataclass(frozen=True, slots=True)
class _Heading:
    """Where a heading begins and where its text goes on below it, as characters of the body."""

    level: int
    title: str
    start: int
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


def _passages(memory: Memory, encoding: str) -> Iterator[Passage]:
    """Sections in order. A note without text still has one passage, so that its title is found."""
    text, body = memory.text, memory.body
    offset = len(text) - len(body)
    headings = _headings(body)
    bounds = [0, *(heading.start for heading in headings), len(body)]
    paths = [(), *_paths(headings)]
    texts_from = [0, *(heading.end for heading in headings)]
    number = 0
    # Bytes and lines are counted on from section to section, so that a long note costs one pass.
    line = text.count("\n", 0, offset) + 1
    begins = len(text[:offset].encode(encoding))
    for (start, end), path, below in zip(pairwise(bounds), paths, texts_from, strict=True):
        length = len(body[start:end].encode(encoding))
        here, first_line = begins, line
        begins += length
        line += body.count("\n", start, end)
        ranges = split(body[below:end])
        if not ranges:
            if not path:
                continue
            ranges = [(0, 0)]
        number += 1
        for part, (low, high) in enumerate(ranges, start=1):
            label = f"{number}.{part}" if len(ranges) > 1 else f"{number}"
            yield Passage(
                id=PassageId(f"{memory.id}#{label}"),
                text=body[below + low : below + high],
                line=first_line + body.count("\n", start, below + low),
                start=here,
                length=length,
                clip=(below + low - start, below + high - start),
                heading=path,
            )
    if not number:
        start = len(text[:offset].encode(encoding))
        empty = PassageId(f"{memory.id}#1")
        yield Passage(id=empty, text="", line=line, start=start, length=0, clip=(0, 0))


def _headings(body: str) -> list[_Heading]:
    if "#" not in body and "\n=" not in body and "\n-" not in body:
        return []
    lines = _line_starts(body)
    found = []
    tokens = _parser().parse(body)
    for token, following in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            first, after = token.map
            title = " ".join(following.content.split())
            found.append(_Heading(int(token.tag[1]), title, lines[first], lines[after]))
    return found


def _line_starts(body: str) -> list[int]:
    """Where each line begins, as the Markdown parser counts lines, and the end."""
    starts = [0]
    for at, character in enumerate(body):
        if character == "\n" or (character == "\r" and body[at + 1 : at + 2] != "\n"):
            starts.append(at + 1)
    return [*starts, len(body), len(body)]


def _paths(headings: list[_Heading]) -> Iterator[tuple[str, ...]]:
    above: list[_Heading] = []
    for heading in headings:
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        yield tuple(parent.title for parent in above)


@cache
def _parser() -> MarkdownIt:
    """Blocks only: which lines are headings does not depend on what is inside a line."""
    return MarkdownIt("commonmark").disable("inline")
