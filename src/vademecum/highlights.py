"""Which characters of a text match a question, and whether it holds a phrase."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from vademecum.analysis import Analyzer, Language, phrase_tokens
from vademecum.analysis.tokens import spans
from vademecum.domain import Span

MOST_HIGHLIGHTS: Final = 50
_CHUNK: Final = re.compile(r"\S+")


def highlight(
    text: str, terms: frozenset[str], analyzer: Analyzer, languages: Sequence[Language]
) -> tuple[Span, ...]:
    """The spans of a text whose terms are looked for: in order, apart, at most fifty."""
    found: list[Span] = []
    likely = _likely(terms)
    for chunk in _CHUNK.finditer(text):
        # Analysing a chunk costs far more than seeing that no term begins in it.
        if chunk[0].isascii() and not likely.search(chunk[0]):
            continue
        for start, end, tokens in spans(chunk[0]):
            if any(analyzer.term(t, language) in terms for t in tokens for language in languages):
                found.append(Span(chunk.start() + start, chunk.start() + end))
        if len(found) >= MOST_HIGHLIGHTS:
            break
    return _merged(found)


def holds_phrase(text: str, phrase: Sequence[str]) -> bool:
    """Whether the words of a phrase stand in the text in their order, nothing between them."""
    words = phrase_tokens(text)
    first = phrase[0]
    size = len(phrase)
    return any(
        word == first and words[at : at + size] == tuple(phrase) for at, word in enumerate(words)
    )


def _likely(terms: frozenset[str]) -> re.Pattern[str]:
    """What an ASCII chunk must hold to be worth analysing: the first two letters of a term."""
    beginnings = sorted({re.escape(term[:2]) for term in terms if term.isascii()})
    return re.compile("|".join(beginnings) or r"(?!)", re.IGNORECASE)


def _merged(found: Sequence[Span]) -> tuple[Span, ...]:
    """Touching and overlapping spans made one."""
    if not found:
        return ()
    merged = [found[0]]
    for _, span in pairwise(found):
        last = merged[-1]
        if span.start <= last.end:
            merged[-1] = Span(last.start, max(last.end, span.end))
        else:
            merged.append(span)
    return tuple(merged[:MOST_HIGHLIGHTS])
