"""Tokens into terms: what is stored in the index and looked up in it."""

from __future__ import annotations

import threading
from typing import Final

import Stemmer

from vademecum.analysis.languages import Language
from vademecum.analysis.tokens import Token, TokenKind, tokens

RULES: Final = 1
"""Raised whenever the same text would yield other terms than before; the index is then rebuilt."""

_SCRIPTS: Final = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u04ff", "russian"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
"""Scripts whose stemmer does not depend on the document. Latin letters take the document's."""


class Analyzer:
    """Turns chunks into terms. Safe to share between threads.

    `stemming=False` keeps words as they are written, for exact profiles. Stemmers are Snowball's
    (Porter, 2001), through PyStemmer.
    """

    def __init__(self, *, stemming: bool = True) -> None:
        self._stemming = stemming
        self._stemmers: dict[str, Stemmer.Stemmer] = {}
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """Changes whenever terms stored before can no longer be compared with new ones."""
        return f"rules-{RULES} " + (f"snowball-{Stemmer.version()}" if self._stemming else "exact")

    def terms(self, chunk: str, language: Language) -> tuple[str, ...]:
        """Every term of a chunk, as often as it occurs there."""
        return tuple(self.term(token, language) for token in tokens(chunk))

    def term(self, token: Token, language: Language) -> str:
        """The form under which a token is stored for a document in this language."""
        if token.kind is not TokenKind.WORD or not self._stemming:
            return token.text
        name = _stemmer_name(token.text, language)
        # A stemmer object keeps a cache of its own and must not be entered twice.
        with self._lock:
            stemmer = self._stemmers.get(name)
            if stemmer is None:
                stemmer = self._stemmers[name] = Stemmer.Stemmer(name)
            return str(stemmer.stemWord(token.text))


def _stemmer_name(word: str, language: Language) -> str:
    first = word[0]
    if first < "\u0370":
        return language.value
    return next((name for low, high, name in _SCRIPTS if low <= first <= high), language.value)
