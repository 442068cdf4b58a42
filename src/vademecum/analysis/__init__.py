"""Text into terms, the same way for what is stored and for what is asked.

The unit of analysis is the *chunk*: a run of characters without white space. What a chunk
yields depends on nothing around it but the language of the document, so that it can be
remembered: most text is made of few distinct chunks.
"""

from vademecum.analysis.analyzer import Analyzer
from vademecum.analysis.languages import Language, detect
from vademecum.analysis.questions import MOST_WORDS, Question, Word, analyse, phrase_tokens

__all__ = [
    "MOST_WORDS",
    "Analyzer",
    "Language",
    "Question",
    "Word",
    "analyse",
    "detect",
    "phrase_tokens",
]
