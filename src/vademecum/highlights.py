"""Which characters of a text match a question, and whether it holds a phrase."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from vademecum.analysis import Analyzer, Language, phrase_tokens
from vademecum.analysis.tokens import Token, spans
from vademecum.domain import Span

MOST_HIGHLIGHTS: Final = 50
_CHUNK: Final = re.compile(r"\S+")


class Highlighter:
    """Finds the words of one question in any number of texts."""

    def __init__(
        self, terms: frozenset[str], analyzer: Analyzer, languages: Sequence[Language]
    ) -> None:
        self._terms = terms
        self._analyzer = analyzer
        self._languages = languages
        beginnings = sorted({re.escape(term[:2]) for term in terms if term.isascii()})
        self._likely = re.compile("|".join(beginnings) or r"(?!)", re.IGNORECASE)
        self._judged: dict[Token, bool] = {}

    def spans(self, text: str) -> tuple[Span, ...]:
        """The spans of a text that match: in order, apart, at most fifty."""
        found: list[Span] = []
        for chunk in _CHUNK.finditer(text):
            # Analysing a chunk costs far more than seeing that no term begins in it.
            if chunk[0].isascii() and not self._likely.search(chunk[0]):
                continue
            for start, end, tokens in spans(chunk[0]):
                if any(map(self._matches, tokens)):
                    found.append(Span(chunk.start() + start, chunk.start() + end))
            if len(found) >= MOST_HIGHLIGHTS:
                break
        return _merged(found)

    def _matches(self, token: Token) -> bool:
        known = self._judged.get(token)
        if known is None:
            known = self._judged[token] = any(
                self._analyzer.term(token, language) in self._terms for language in self._languages
            )
        return known


def holds_phrase(text: str, phrase: Sequence[str]) -> bool:
    """Whether the words of a phrase stand in the text in their order, nothing between them."""
    words = phrase_tokens(text)
    first = phrase[0]
    size = len(phrase)
    return any(
        word == first and words[at : at + size] == tuple(phrase) for at, word in enumerate(words)
    )


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
