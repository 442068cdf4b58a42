"""What is marked in a hit, and what counts as a phrase."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.analysis import Analyzer, Language, analyse
from vademecum.highlights import MOST_HIGHLIGHTS, Highlighter, holds_phrase

ANALYZER = Analyzer()
ENGLISH = [Language.ENGLISH]


def marked(text: str, question: str) -> list[str]:
    words = analyse(question, ANALYZER, ENGLISH).words
    terms = frozenset(term for word in words for term in word.terms)
    spans = Highlighter(terms, ANALYZER, ENGLISH).spans(text)
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("The kettles leak, the Kettle sings.", "kettle", ["kettles", "Kettle"]),
        ("Gauge ZX-4471 is new.", "ZX-4471", ["ZX-4471"]),
        ("call getUserName() twice", "user name", ["getUserName"]),
        ("gr\u00fcner Kessel", "gruener gruner", ["gr\u00fcner"]),
        ("\u6211\u559c\u6b22\u7eff\u8336\u3002", "\u7eff\u8336", ["\u7eff\u8336"]),
        ("nothing of it", "kettle", []),
        ("", "kettle", []),
    ],
)
def test_the_words_of_the_question_are_marked(
    text: str, question: str, expected: list[str]
) -> None:
    assert marked(text, question) == expected


_WORDS = st.sampled_from(
    [
        "kettle",
        "Kettles",
        "kettle's",
        "getKettle",
        "don't",
        "a/kettle.py",
        "\u7eff\u8336",
        "10,000",
        "caf\u00e9",
    ]
)
_TEXT = st.lists(st.one_of(_WORDS, st.text(max_size=6)), max_size=12).map(" ".join)


@given(_TEXT, st.lists(_WORDS, min_size=1, max_size=3).map(" ".join))
def test_looking_at_likely_chunks_only_marks_what_looking_at_all_would(
    text: str, question: str
) -> None:
    # One letter outside ASCII takes the way that looks at every chunk.
    assert marked(text + " \u00b7", question) == marked(text, question)


@given(st.text(), st.text(min_size=1, max_size=10))
def test_spans_are_in_order_apart_inside_the_text_and_bounded(text: str, question: str) -> None:
    words = analyse(question, ANALYZER, ENGLISH).words
    terms = frozenset(term for word in words for term in word.terms)
    spans = Highlighter(terms, ANALYZER, ENGLISH).spans(text)
    assert len(spans) <= MOST_HIGHLIGHTS
    end = -1
    for span in spans:
        assert end < span.start < span.end <= len(text)
        end = span.end


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("the Green  Kettle leaks", True),
        ("green\nkettle", True),
        ("Green, kettle", True),
        ("kettle green", False),
        ("green old kettle", False),
        ("greenish kettle", False),
        ("", False),
    ],
)
def test_a_phrase_is_its_words_in_their_order_with_nothing_between(text: str, holds: bool) -> None:
    assert holds_phrase(text, ("green", "kettle")) is holds
