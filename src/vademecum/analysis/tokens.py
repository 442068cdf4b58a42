"""One chunk of text into tokens: words, whole identifiers and character n-grams."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from vademecum.analysis.folding import compose, fold

LONGEST_TERM = 64
"""Characters of a term. Longer ones (keys, encoded files) are cut, on both sides alike."""


class TokenKind(Enum):
    WORD = "word"
    """A word of a language: stemmed."""
    LITERAL = "literal"
    """A compound kept whole (`20.04`, `a::b`, `client/server`): never stemmed."""
    GRAM = "gram"
    """Characters of a script without spaces: never stemmed."""


@dataclass(frozen=True, slots=True)
class Token:
    """A folded piece of text. `exact` marks an identifier, which means itself and nothing near."""

    text: str
    kind: TokenKind
    exact: bool = False


# Scripts that put no spaces between words. Hangul has spaces, but particles stick to its words.
_UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u3100-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\u1100-\u11ff\uac00-\ud7a3"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf\u0f40-\u0fbc\u1000-\u103f\u1780-\u17d3"
)
_PICTURES = "\u2600-\u27bf\U0001f300-\U0001faff"
# \w knows letters and digits but not the vowel signs that stand on or beside them.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff"
)
_LETTER = rf"(?:(?![{_UNSPACED}])[\w{_MARKS}])"
_JOINT = r"(?:::|://|:\\{1,2}|\\{1,2}|->|[-.:/@'_+#&=~%])"
_TOKEN = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    rf"|(?P<word>(?:(?<![\w.])\.(?=[^\W\d]))?{_LETTER}+(?:{_JOINT}{_LETTER}+)*(?:\+{{1,2}}|\#)?)"
    rf"|(?P<picture>[{_PICTURES}])"
)
_JOINTS = re.compile(rf"{_JOINT}|[+#]+$|^\.")
_PATH_JOINTS = re.compile(r"://|:\\{1,2}|\\{1,2}|/")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DEPENDENT = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f84"
    "\u102b-\u103e\u17b6-\u17d3"
)
_CLUSTER = re.compile(rf"[^{_DEPENDENT}][{_DEPENDENT}]*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
_CONTRACTIONS = frozenset({"t", "re", "ve", "ll", "d", "m"})


def tokens(chunk: str) -> list[Token]:
    """The tokens of one chunk, in reading order; a compound comes before its parts."""
    found: list[Token] = []
    for match in _TOKEN.finditer(_THOUSANDS.sub("", compose(chunk))):
        if match.lastgroup == "run":
            found.extend(_grams(match[0]))
        elif match.lastgroup == "picture":
            found.append(Token(match[0], TokenKind.GRAM))
        else:
            found.extend(_word_tokens(match[0]))
    return found


def _grams(run: str) -> list[Token]:
    """Every single character, and every pair of neighbours."""
    clusters = [fold(cluster) for cluster in _CLUSTER.findall(run)] or [fold(run)]
    pairs = [one + next_one for one, next_one in pairwise(clusters)]
    return [Token(text, TokenKind.GRAM) for text in (*clusters, *pairs)]


def _word_tokens(cased: str) -> list[Token]:
    """The tokens of a word or compound. One of marks alone folds away to nothing."""
    return [token for token in _word(cased) if token.text]


def _word(cased: str) -> list[Token]:
    if cased.isalpha() and cased[1:].islower():
        return [Token(fold(cased)[:LONGEST_TERM], TokenKind.WORD)]
    text = _without_possessive(cased)
    whole = fold(text)
    head, apostrophe, tail = whole.rpartition("'")
    if apostrophe and tail in _CONTRACTIONS and head.isalpha():
        return [Token(whole, TokenKind.WORD)]

    parts = [part for part in _JOINTS.split(text) if part]
    words = [word for part in parts for word in _CAMEL.split(part) if word]
    if len(words) == 1 and fold(words[0]) == whole:
        return [Token(whole[:LONGEST_TERM], TokenKind.WORD, exact=_has_letters_and_digits(whole))]

    found = []
    if len(parts) == 1 and fold(parts[0]) == whole:
        # `YouTube`, `getUserName`: the whole is a word like another, whatever its capitals.
        found.append(Token(whole[:LONGEST_TERM], TokenKind.WORD, exact=len(words) > 1))
    elif not apostrophe:
        found.append(Token(whole[:LONGEST_TERM], TokenKind.LITERAL, exact=True))
        found.extend(
            Token(fold(segment)[:LONGEST_TERM], TokenKind.LITERAL, exact=True)
            for segment in _PATH_JOINTS.split(text)
            if segment != text and _JOINTS.search(segment)
        )
    found.extend(Token(fold(word)[:LONGEST_TERM], TokenKind.WORD) for word in words)
    return found


def _without_possessive(text: str) -> str:
    return text[:-2] if text.endswith(("'s", "'S")) else text


def _has_letters_and_digits(text: str) -> bool:
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def spans(chunk: str) -> list[tuple[int, int, list[Token]]]:
    """The pieces of a chunk with the tokens each of them stands for, as character ranges.

    Where folding changes the number of characters, the whole chunk is one piece.
    """
    plain = compose(chunk)
    if len(plain) != len(chunk):
        return [(0, len(chunk), tokens(chunk))]
    found: list[tuple[int, int, list[Token]]] = []
    for match in _TOKEN.finditer(plain):
        if match.lastgroup == "run":
            pieces = [(piece.start(), piece.end()) for piece in _CLUSTER.finditer(match[0])]
            offset = match.start()
            for (start, end), after in zip(pieces, [*pieces[1:], None], strict=True):
                here = match[0][start:end]
                found.append((offset + start, offset + end, [Token(fold(here), TokenKind.GRAM)]))
                if after is not None:
                    pair = fold(here) + fold(match[0][after[0] : after[1]])
                    found.append((offset + start, offset + after[1], [Token(pair, TokenKind.GRAM)]))
        elif match.lastgroup == "picture":
            found.append((match.start(), match.end(), [Token(match[0], TokenKind.GRAM)]))
        else:
            found.append((match.start(), match.end(), _word_tokens(match[0])))
    return found
