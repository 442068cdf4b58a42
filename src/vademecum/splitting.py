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

_NEVER_COMBINES: Final = "\u0300"
"""Below it every character is a grapheme cluster of its own, but for a carriage return."""


def split(text: str, limit: int = LONGEST_PART) -> list[tuple[int, int]]:
    """Ranges of characters that cover a text in order, each at most `limit` long.

    Only white space at the borders is left out. No range begins or ends inside a grapheme cluster
    (Unicode Annex 29), so that no emoji or accented letter comes apart; a single cluster longer
    than the limit stays whole.
    """
    ranges = []
    start = _after_blanks(text, 0)
    while start < len(text):
        end = len(text) if len(text) - start <= limit else _border(text, start, limit)
        ranges.append((start, _before_blanks(text, start, end)))
        start = _after_blanks(text, end)
    return ranges


def _border(text: str, start: int, limit: int) -> int:
    lowest = start + limit // 2
    for pattern in _BORDERS:
        best = 0
        for match in pattern.finditer(text, lowest, start + limit):
            if _is_border(text, match.end()):
                best = match.end()
        if best > lowest:
            return best
    return _cluster_border(text, start, limit)


def _cluster_border(text: str, start: int, limit: int) -> int:
    """The last border of a cluster within the limit, or the first one if that is further."""
    if text[start : start + limit + 1].isascii():
        end = start + limit
        return end if _is_border(text, end) or limit == 1 else end - 1
    import regex

    end = start
    for match in regex.finditer(r"\X", text, pos=start):
        if match.end() > start + limit and end > start:
            break
        end = int(match.end())
        if end >= start + limit:
            break
    return end


def _after_blanks(text: str, start: int) -> int:
    at = start
    while at < len(text) and text[at].isspace():
        at += 1
    # An accent may stand on a blank, which then is no gap.
    while start < at < len(text) and not _is_border(text, at):
        at -= 1
    return at


def _before_blanks(text: str, start: int, end: int) -> int:
    at = start + len(text[start:end].rstrip())
    while at < end and not _is_border(text, at):
        at += 1
    return max(at, start)


def _is_border(text: str, at: int) -> bool:
    """Whether two characters, one of them a blank or a punctuation mark, are not one cluster."""
    if at <= 0 or at >= len(text):
        return True
    if text[at - 1] < _NEVER_COMBINES and text[at] < _NEVER_COMBINES:
        return text[at - 1 : at + 1] != "\r\n"
    import regex

    return int(regex.match(r"\X", text, pos=at - 1, endpos=at + 1).end()) == at
