"""The part of a long text that shows best why it was found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from vademecum.domain import Span

WIDTH: Final = 300
"""Characters of a snippet."""

_LEAD: Final = 60
_BLANK: Final = re.compile(r"\s+")
_CUT: Final = "…"


class Piece(NamedTuple):
    """A run of text that matches the query, or does not."""

    text: str
    matches: bool


def pieces(text: str, spans: Sequence[Span]) -> list[Piece]:
    """The whole text, cut at the borders of the spans."""
    found, at = [], 0
    for span in spans:
        if at < span.start:
            found.append(Piece(text[at : span.start], False))
        found.append(Piece(text[span.start : span.end], True))
        at = span.end
    if at < len(text):
        found.append(Piece(text[at:], False))
    return found


def snippet(text: str, spans: Sequence[Span], width: int = WIDTH) -> list[Piece]:
    """About `width` characters on one line, where most of the spans stand close together."""
    low, high = _window(text, spans, width)
    inside = [
        Span(max(span.start, low) - low, min(span.end, high) - low)
        for span in spans
        if span.start < high and span.end > low
    ]
    shown = [
        Piece(_BLANK.sub(" ", piece.text), piece.matches)
        for piece in pieces(text[low:high], inside)
    ]
    if text[:low].strip():
        shown.insert(0, Piece(_CUT, False))
    if text[high:].strip():
        shown.append(Piece(_CUT, False))
    return shown


def _window(text: str, spans: Sequence[Span], width: int) -> tuple[int, int]:
    """Characters of the text without blanks at the ends, cut between words where possible."""
    end = len(text.rstrip())
    start = len(text) - len(text.lstrip())
    if end - start <= width:
        return min(start, end), end
    low = max(start, min(_densest(spans, width - _LEAD) - _LEAD, end - width))
    high = min(end, low + width)
    if low > start:
        low = _next_word(text, low, high)
    if high < end:
        high = _last_word(text, low, high)
    return low, high


def _densest(spans: Sequence[Span], width: int) -> int:
    """Where a window of this width begins that holds the most spans; the first of equals."""
    best, most, last = 0, 0, 0
    for first, span in enumerate(spans):
        while last < len(spans) and spans[last].end <= span.start + width:
            last += 1
        if last - first > most:
            best, most = span.start, last - first
    return best


def _next_word(text: str, low: int, high: int) -> int:
    blank = _BLANK.search(text, low - 1, min(low + _LEAD // 2, high))
    return blank.end() if blank else low


def _last_word(text: str, low: int, high: int) -> int:
    tail = max(low, high - _LEAD // 2)
    blanks = list(_BLANK.finditer(text, tail, high + 1))
    return blanks[-1].start() if blanks else high
