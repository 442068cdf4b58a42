"""A question into the words to look for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from vademecum.analysis.analyzer import Analyzer
from vademecum.analysis.languages import Language, count_function_words, function_words
from vademecum.analysis.tokens import Token, TokenKind, tokens

MOST_WORDS = 64
"""Words of a question that are scored. A longer question is asked by its rarest words."""

_QUOTED = re.compile(
    '"([^"]+)"|\u201c([^\u201d]+)\u201d|\u201e([^\u201c\u201d]+)[\u201c\u201d]|\u00ab([^\u00bb]+)\u00bb|\u300c([^\u300d]+)\u300d'
)


@dataclass(frozen=True, slots=True)
class Word:
    """One thing to look for. `terms` are its stored forms, one for each language of the index."""

    text: str
    terms: tuple[str, ...]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What a query asks for, in words.

    `phrases` are the quoted passages, as the texts of their tokens in order.
    """

    words: tuple[Word, ...]
    phrases: tuple[tuple[str, ...], ...] = ()


def analyse(text: str, analyzer: Analyzer, languages: Iterable[Language]) -> Question:
    """The words and phrases of any text. No character of it is syntax, apart from quotation marks.

    Function words of the question's own language are left out, unless there is nothing else.
    A question of no words at all is legal and finds nothing.
    """
    known = sorted(set(languages), key=lambda language: language.value) or [Language.ENGLISH]
    found = [token for chunk in text.split() for token in _looked_for(chunk)]
    content = _without_function_words(found) or found

    words: dict[tuple[str, ...], Word] = {}
    for token in content:
        terms = tuple(dict.fromkeys(analyzer.term(token, language) for language in known))
        previous = words.get(terms)
        exact = token.exact or (previous is not None and previous.exact)
        words[terms] = Word(token.text, terms, exact)
    phrases = (phrase_tokens(next(filter(None, m))) for m in _QUOTED.findall(text))
    return Question(tuple(words.values()), tuple(phrase for phrase in phrases if phrase))


def phrase_tokens(text: str) -> tuple[str, ...]:
    """The folded words of a text in order, compounds taken apart and accents folded."""
    return tuple(
        token.text
        for chunk in text.split()
        for token in tokens(chunk)
        if token.kind is TokenKind.WORD or (token.kind is TokenKind.GRAM and len(token.text) == 1)
    )


def _looked_for(chunk: str) -> list[Token]:
    """The tokens of a chunk without the single characters that its pairs already cover."""
    found = tokens(chunk)
    covered = {
        character
        for token in found
        if token.kind is TokenKind.GRAM and len(token.text) > 1
        for character in token.text
    }
    return [
        token
        for token in found
        if token.kind is not TokenKind.GRAM or len(token.text) > 1 or token.text not in covered
    ]


def _without_function_words(found: list[Token]) -> list[Token]:
    words = [token.text for token in found if token.kind is TokenKind.WORD]
    counts = count_function_words(words)
    # English wins a tie: `die` alone is no German question.
    language = max(Language, key=lambda candidate: counts[candidate])
    dropped = function_words(language)
    return [t for t in found if t.kind is not TokenKind.WORD or t.text not in dropped]
