"""Which characters of a text match a question, and whether it holds a phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from vademecum.analysis import Analyzer, Language, phrase_tokens
from vademecum.analysis.tokens import Token, spans
from vademecum.domain import Span

MOST_HIGHLIGHTS: Final = 50
_CHUNK: Final = re.compile(r"\S+")
_WORD_START: Final = r"(?:(?<![^\W_])|(?<=[a-z0-9])(?=[A-Z]))"


class Highlighter:
    """Finds the words of one question in any number of texts."""

    def __init__(
        self, terms: frozenset[str], analyzer: Analyzer, languages: Sequence[Language]
    ) -> None:
        self._terms = terms
        self._analyzer = analyzer
        self._languages = languages
        beginnings = sorted({_beginning(term) for term in terms if term.isascii()})
        self._likely = re.compile(_WORD_START + f"(?i:{'|'.join(beginnings) or '(?!)'})")
        self._known: dict[str, tuple[tuple[int, int], ...]] = {}

    def spans(self, text: str) -> tuple[Span, ...]:
        """The spans of a text that match: in order, apart, at most fifty."""
        found: list[Span] = []
        for start, end in self._likely_chunks(text):
            for low, high in self._matches(text[start:end]):
                found.append(Span(start + low, start + high))
            if len(found) >= MOST_HIGHLIGHTS:
                break
        return _merged(found)

    def _likely_chunks(self, text: str) -> Iterator[tuple[int, int]]:
        """The chunks worth analysing, which costs far more than seeing how a word begins."""
        if not text.isascii():
            yield from (chunk.span() for chunk in _CHUNK.finditer(text))
            return
        end = 0
        for match in self._likely.finditer(text):
            if match.start() >= end:
                start = match.start()
                while start > end and not text[start - 1].isspace():
                    start -= 1
                chunk = _CHUNK.match(text, start)
                assert chunk is not None
                end = chunk.end()
                yield start, end

    def _matches(self, chunk: str) -> tuple[tuple[int, int], ...]:
        """The ranges of a chunk that match. Texts about one thing repeat their chunks."""
        known = self._known.get(chunk)
        if known is None:
            known = self._known[chunk] = tuple(
                (low, high)
                for low, high, tokens in spans(chunk)
                if any(self._is_asked_for(token) for token in tokens)
            )
        return known

    def _is_asked_for(self, token: Token) -> bool:
        return any(
            self._analyzer.term(token, language) in self._terms for language in self._languages
        )


def _beginning(term: str) -> str:
    """A pattern that begins every word of this term: stemmers change endings only."""
    return re.escape(term[: max(2, min(4, len(term) - 1))])


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
