"""The YAML block at the head of a note: read leniently, changed key by key.

Every scalar is read as text: whether `2026-03-01` is a date or `no` a word is decided by the key,
never by YAML. What is not understood stays in the file as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import yaml

from vademecum.errors import InvalidInput

Value = str | list[str] | None
"""None is an empty or null value. Deeper structures are kept in the file but not read."""

LONGEST_BLOCK: Final = 2**20
"""Characters; a longer block is kept and not read."""

_OPENING: Final = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING: Final = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_KEY: Final = re.compile(
    r"([^\s#'\"\[\]{}:,&*!|>%@`?-][^:\r\n]*?|'[^'\r\n]+'|\"[^\"\r\n]+\")[ \t]*:(?=[ \t\r\n]|\Z)"
)
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_DEEPEST: Final = 50
"""Brackets inside brackets. libyaml reads them by calling itself, and has no limit of its own."""

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL", "None"})
_LOADER: Final[type] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the block that was not understood. `line` counts from 1 in the file."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The block of a note. `body_start` is the index of the first character after it."""

    values: Mapping[str, Value] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    body_start: int = 0
    present: bool = False


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A top-level key with everything that belongs to it, as it stands in the block."""

    key: str
    line: int
    start: int
    end: int


def split_front_matter(text: str) -> FrontMatter:
    """Read the block at the head of a text. A text without one has none, which is fine.

    A text that merely begins with a rule (`---`) has no block either.
    """
    mark = 1 if text.startswith("\ufeff") else 0
    found = _find(text)
    if found is None:
        return FrontMatter(body_start=mark)
    start, end, body_start = found
    if end < 0:
        fault = Fault(1, "the front matter is opened by --- and never closed; taken as text")
        return FrontMatter(faults=(fault,), body_start=mark)
    block = text[start:end]
    if len(block) > LONGEST_BLOCK:
        message = f"the front matter has {len(block):,} characters; it is not read"
        return FrontMatter(faults=(Fault(1, message),), body_start=body_start, present=True)
    chunks = _chunks_by_line(block)
    whole = _load(block)
    if isinstance(whole, dict):
        values = {str(key): _value(value) for key, value in whole.items()}
        counted = Counter(chunk.key for chunk in chunks)
        faults = [
            Fault(chunk.line, f"key {chunk.key!r} stands twice; the last one counts")
            for chunk in chunks
            if counted[chunk.key] > 1
        ]
    else:
        values, faults = _one_by_one(block, chunks)
    return FrontMatter(
        values=values,
        lines={chunk.key: chunk.line for chunk in chunks},
        faults=tuple(faults),
        body_start=body_start,
        present=True,
    )


def with_keys(text: str, changes: Mapping[str, object]) -> str:
    """The text with some top-level keys set, or removed where the value is None.

    Every other character stays as it is: other keys, comments, order, line ends, the body.
    InvalidInput is raised for a block that is not written as one key a line.
    """
    found = _find(text)
    newline = "\r\n" if re.match(r"[^\n]*\r\n", text) else "\n"
    if found is None or found[1] < 0:
        added = [_rendered(key, value) for key, value in changes.items() if value is not None]
        if not added:
            return text
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        head = f"---\n{''.join(added)}---\n".replace("\n", newline)
        return mark + head + text[len(mark) :]
    start, end, _ = found
    block = text[start:end]
    left = dict(changes)
    pieces: list[str] = []
    position = 0
    for chunk in _chunks(block):
        if chunk.key not in changes:
            continue
        pieces.append(block[position : chunk.start])
        position = chunk.end
        value = left.pop(chunk.key, None)
        if value is not None:
            pieces.append(_rendered(chunk.key, value).replace("\n", newline))
    pieces.append(block[position:])
    pieces += [_rendered(k, v).replace("\n", newline) for k, v in left.items() if v is not None]
    return text[:start] + "".join(pieces) + text[end:]


def _find(text: str) -> tuple[int, int, int] | None:
    """Where the block begins and ends, and the body begins. The end is -1 if it is not closed."""
    opening = _OPENING.match(text)
    if not opening:
        return None
    start = opening.end()
    closing = _CLOSING.search(text, start)
    if not closing:
        first = _LINE.match(text, start)
        return (start, -1, start) if first and _KEY.match(first[0]) else None
    lines = (line for line, _ in _lines(text[start : closing.start()]))
    content = [line for line in lines if line.strip() and not line.startswith("#")]
    if content and not any(_KEY.match(line) or line.startswith(("{", "?")) for line in content):
        return None
    return start, closing.start(), closing.end()


def _rendered(key: str, value: object) -> str:
    return str(yaml.safe_dump({key: value}, allow_unicode=True, width=10**9, sort_keys=False))


def _lines(block: str) -> Iterator[tuple[str, int]]:
    """Each line with its end, and where it begins. YAML's lines, not those of Unicode."""
    position = 0
    while position < len(block):
        match = _LINE.match(block, position)
        assert match is not None
        yield match[0], position
        position = match.end()


def _chunks(block: str) -> list[_Chunk]:
    """Where each key and what belongs to it stands: as YAML has it, else as the lines look."""
    try:
        node = yaml.compose(block, Loader=yaml.BaseLoader) if _is_flat(block) else None
    except (yaml.YAMLError, ValueError, RecursionError):
        node = None
    if not isinstance(node, yaml.MappingNode):
        return _chunks_by_line(block)
    if node.flow_style and node.value:
        raise InvalidInput(
            "the front matter is written in braces, so a single key can't be changed",
            hint="Write it as one `key: value` a line.",
        )
    # The parser counts characters from behind a byte order mark, which no block begins with.
    starts = [key.start_mark.index for key, _ in node.value]
    ends = [*starts[1:], len(block)]
    return [
        _Chunk(
            str(key.value),
            key.start_mark.line + 2,
            start,
            _without_comments(block, start, end, past=_certain_end(value)),
        )
        for (key, value), start, end in zip(node.value, starts, ends, strict=False)
    ]


def _certain_end(value: yaml.Node) -> int:
    """An index that is inside the value for sure, so that a `#` before it is no comment."""
    is_block = isinstance(value, yaml.CollectionNode) and not value.flow_style
    is_literal = isinstance(value, yaml.ScalarNode) and value.style in ("|", ">")
    return int((value.start_mark if is_block or is_literal else value.end_mark).index)


def _chunks_by_line(block: str) -> list[_Chunk]:
    found: list[tuple[str, int, int]] = []
    for number, (line, position) in enumerate(_lines(block), start=2):
        if match := _KEY.match(line):
            found.append((match[1].strip("'\""), number, position))
    ends = [*(start for _, _, start in found[1:]), len(block)]
    return [
        _Chunk(key, line, start, _without_comments(block, start, end, past=start))
        for (key, line, start), end in zip(found, ends, strict=False)
    ]


def _without_comments(block: str, start: int, end: int, *, past: int) -> int:
    """Comments and blank lines before the next key belong to that one, not to this."""
    for line, position in reversed(list(_lines(block[start:end]))):
        is_outside = not line.strip() or line.startswith("#")
        if position == 0 or not is_outside or start + position < past:
            break
        end = start + position
    return end


def _is_flat(source: str) -> bool:
    """Whether a source can't exhaust the stack of a parser that calls itself."""
    return max(source.count("["), source.count("{"), source.count("- ")) < _DEEPEST or (
        _depth(source) < _DEEPEST
    )


def _depth(source: str) -> int:
    deepest = depth = 0
    for character in source:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth = max(depth - 1, 0)
    # Block lists on one line (`- - - x`) nest as well.
    dashes = max((m.end() - m.start() for m in re.finditer(r"(?:[-?:] +)+", source)), default=0)
    return max(deepest, dashes // 2)


def _load(block: str) -> object:
    if not _is_flat(block):
        return None
    try:
        # This loader makes texts, lists and mappings, and nothing else.
        found = yaml.load(block, Loader=_LOADER)  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    # Nothing but blanks and comments.
    return found or {}


def _one_by_one(block: str, chunks: list[_Chunk]) -> tuple[dict[str, Value], list[Fault]]:
    """What can be read of a block that is no valid YAML as a whole."""
    values: dict[str, Value] = {}
    faults: list[Fault] = []
    for chunk in chunks:
        values[chunk.key], fault = _lenient(block[chunk.start : chunk.end], chunk)
        faults += [fault] if fault else []
    if not faults:
        faults.append(Fault(2, "the front matter is no valid YAML; single keys were read"))
    return values, faults


def _lenient(source: str, chunk: _Chunk) -> tuple[Value, Fault | None]:
    whole = _single_value(source)
    if whole is not None:
        return whole[0], None
    raw = source.partition(":")[2].strip()
    if raw.startswith("["):
        parts = [part.strip(" \t\r\n'\"[]") for part in raw.split(",")]
        return [part for part in parts if part], _misread(chunk, raw)
    # The key's own line may be sound, and what follows it belong to nothing.
    first, _ = next(_lines(source))
    raw = first.partition(":")[2].strip()
    alone = _single_value(first)
    return alone[0] if alone else raw.strip("'\"") or None, _misread(chunk, raw)


def _single_value(source: str) -> tuple[Value] | None:
    loaded = _load(source)
    if isinstance(loaded, dict) and len(loaded) == 1:
        return (_value(next(iter(loaded.values()))),)
    return None


def _misread(chunk: _Chunk, raw: str) -> Fault:
    shown = raw if len(raw) <= 80 else f"{raw[:80]}..."
    return Fault(chunk.line, f"the value of {chunk.key!r} is no valid YAML; read as {shown!r}")


def _value(loaded: object) -> Value:
    if isinstance(loaded, str):
        return None if loaded.strip() in _NULLS else loaded
    if isinstance(loaded, list):
        return [item for item in loaded if isinstance(item, str) and item.strip() not in _NULLS]
    return None
