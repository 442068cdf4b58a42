"""Long texts into parts at the borders a reader would choose."""

from __future__ import annotations

import re
from typing import Final

LONGEST_PART: Final = 2000
"""Characters of a passage. A longer turn or section is split."""

_BORDERS: Final = (
    re.compile(r"\n[ \t\r]*\n\s*"),
    re.compile(r"\n\s*"),
    re.compile("(?<=[.!?\u2026])[\"'\u201d\u2019)\\]]*\\s+|(?<=[\u3002\uff01\uff1f])"),
    re.compile(r"\s+|(?<=[,;:\u3001\uff0c])"),
)
"""Paragraph, line, sentence, word: the first that leaves a part of at least half the limit."""


def split(text: str, limit: int = LONGEST_PART) -> list[tuple[int, int]]:
    """Ranges of characters that cover a text in order, each at most `limit` long.

    Only white space at the borders is left out. A text without any border is cut between
    grapheme clusters (Unicode Annex 29), so that no emoji or accented letter comes apart; a
    single cluster longer than the limit stays whole.
    """
    ranges = []
    start = _skip_blank(text, 0)
    while start < len(text):
        end = len(text) if len(text) - start <= limit else _border(text, start, limit)
        trimmed = start + len(text[start:end].rstrip())
        ranges.append((start, trimmed))
        start = _skip_blank(text, end)
    return ranges


def _border(text: str, start: int, limit: int) -> int:
    lowest = start + limit // 2
    for pattern in _BORDERS:
        best = 0
        for match in pattern.finditer(text, lowest, start + limit):
            best = match.end()
        if best > lowest:
            return best
    return _cluster_border(text, start, limit)


def _cluster_border(text: str, start: int, limit: int) -> int:
    import regex

    end = start
    for match in regex.finditer(r"\X", text, pos=start):
        if match.end() > start + limit and end > start:
            return end
        end = int(match.end())
        if end >= start + limit:
            break
    return end


def _skip_blank(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start
