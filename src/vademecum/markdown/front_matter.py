"""The YAML block at the head of a note: read leniently, changed key by key.

Every scalar is read as text: whether `2026-03-01` is a date or `no` a word is decided by the key,
never by YAML. What is not understood stays in the file as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import yaml

Value = str | list[str] | None
"""None is an empty or null value. Deeper structures are kept in the file but not read."""

_OPENING: Final = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING: Final = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_KEY: Final = re.compile(r"^([^\s#'\"\[\]{}:,&*!|>%@`-][^:\r\n]*?|'[^'\r\n]+'|\"[^\"\r\n]+\")[ \t]*:(?=[ \t\r\n]|\Z)")
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
    """A top-level key with everything that belongs to it, as it stands in the file."""

    key: str
    line: int
    start: int
    end: int


def split_front_matter(text: str) -> FrontMatter:
    """Read the block at the head of a text. A text without one has none, which is fine."""
    opening = _OPENING.match(text)
    if not opening:
        return FrontMatter(body_start=1 if text.startswith("\ufeff") else 0)
    closing = _CLOSING.search(text, opening.end())
    if not closing:
        fault = Fault(1, "the front matter is opened by --- and never closed; taken as text")
        return FrontMatter(faults=(fault,), body_start=1 if text.startswith("\ufeff") else 0)
    block = text[opening.end() : closing.start()]
    chunks = _chunks(block)
    whole = _load(block)
    faults: list[Fault] = []
    values: dict[str, Value] = {}
    if isinstance(whole, dict):
        values = {str(key): _value(value) for key, value in whole.items()}
        repeated = {c.key for c in chunks if sum(c.key == other.key for other in chunks) > 1}
        faults += [Fault(c.line, f"key {c.key!r} stands twice") for c in chunks if c.key in repeated]
    elif block.strip():
        for chunk in chunks:
            values[chunk.key], fault = _lenient(block[chunk.start : chunk.end], chunk)
            faults += [fault] if fault else []
        if not chunks:
            faults.append(Fault(2, "the front matter has no `key: value` lines"))
    return FrontMatter(
        values=values,
        lines={chunk.key: chunk.line for chunk in chunks},
        faults=tuple(faults),
        body_start=closing.end(),
        present=True,
    )


def with_keys(text: str, changes: Mapping[str, object]) -> str:
    """The text with some top-level keys set, or removed where the value is None.

    Every other character stays as it is: other keys, comments, order, line ends, the body.
    """
    newline = "\r\n" if "\r\n" in text.partition("\n")[0] + "\n" and "\r\n" in text else "\n"
    front = split_front_matter(text)
    if not front.present:
        added = {key: value for key, value in changes.items() if value is not None}
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        head = f"---\n{''.join(map(_rendered, added, added.values()))}---\n"
        return mark + head.replace("\n", newline) + text[len(mark) :] if added else text
    opening = _OPENING.match(text)
    assert opening is not None
    closing = _last_closing(text, front.body_start)
    block = text[opening.end() : closing]
    if block and not block.endswith("\n"):
        block += newline
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
    return text[: opening.end()] + "".join(pieces) + text[closing:]


def _last_closing(text: str, body_start: int) -> int:
    line = text[:body_start].rstrip("\r\n")
    return len(line) - len(line.splitlines()[-1])


def _rendered(key: str, value: object) -> str:
    return str(yaml.safe_dump({key: value}, allow_unicode=True, width=10**9, sort_keys=False))


def _chunks(block: str) -> list[_Chunk]:
    found: list[tuple[str, int, int]] = []
    position = 0
    for number, line in enumerate(block.splitlines(keepends=True), start=2):
        match = _KEY.match(line)
        if match:
            found.append((match[1].strip("'\""), number, position))
        position += len(line)
    ends = [*(start for _, _, start in found[1:]), position][: len(found)]
    return [
        _Chunk(key, line, start, _without_comments(block, start, end))
        for (key, line, start), end in zip(found, ends, strict=True)
    ]


def _without_comments(block: str, start: int, end: int) -> int:
    """Comments and blank lines before the next key belong to that one, not to this."""
    lines = block[start:end].splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].startswith("#")):
        end -= len(lines.pop())
    return end


def _load(block: str) -> object:
    try:
        return yaml.load(block, Loader=_LOADER)
    except (yaml.YAMLError, ValueError):
        return None


def _lenient(source: str, chunk: _Chunk) -> tuple[Value, Fault | None]:
    loaded = _load(source)
    if isinstance(loaded, dict) and len(loaded) == 1:
        return _value(next(iter(loaded.values()))), None
    raw = source.partition(":")[2].strip()
    fault = Fault(chunk.line, f"the value of {chunk.key!r} is no valid YAML; read as {raw!r}")
    if raw.startswith("["):
        parts = [part.strip(" \t\r\n'\"") for part in raw.strip("[]").split(",")]
        return [part for part in parts if part], fault
    return raw or None, fault


def _value(loaded: object) -> Value:
    if isinstance(loaded, str):
        return None if loaded.strip() in _NULLS else loaded
    if isinstance(loaded, list):
        return [str(item) for item in loaded if isinstance(item, str) and item.strip()]
    return None
