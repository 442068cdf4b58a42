"""A question into what is looked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.analysis import Analyzer, Language, analyse, detect


def words(text: str, *languages: Language) -> list[str]:
    return [word.text for word in analyse(text, Analyzer(), languages or [Language.ENGLISH]).words]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where is the green kettle?", ["green", "kettle"]),
        ("Wo steht der gr\u00fcne Kessel?", ["steht", "grune", "kessel"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("kettle KETTLE Kettles", ["kettles"]),
        ("?!", []),
        ("", []),
        ("AND OR NOT NEAR(kettle*)", ["near", "kettle"]),
    ],
)
def test_function_words_are_left_out_unless_there_is_nothing_else(
    text: str, expected: list[str]
) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        'the "Green Kettle" leaks',
        "the \u201cGreen Kettle\u201d leaks",
        "the \u201eGreen Kettle\u201c leaks",
        "the \u00abGreen Kettle\u00bb leaks",
    ],
)
def test_a_quoted_passage_is_a_phrase(text: str) -> None:
    assert analyse(text, Analyzer(), [Language.ENGLISH]).phrases == (("green", "kettle"),)


def test_an_open_quotation_mark_quotes_nothing() -> None:
    assert analyse('12" vinyl', Analyzer(), [Language.ENGLISH]).phrases == ()


def test_a_word_is_looked_for_in_the_form_of_each_language_there_is() -> None:
    (word,) = analyse("running", Analyzer(), [Language.ENGLISH, Language.GERMAN]).words
    assert set(word.terms) == {"run", "running"}


def test_the_order_of_the_languages_does_not_matter() -> None:
    both = [Language.ENGLISH, Language.GERMAN]
    assert analyse("running", Analyzer(), both) == analyse("running", Analyzer(), both[::-1])


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The kettle is in the kitchen, and it is green.", Language.ENGLISH),
        ("Der Kessel steht in der K\u00fcche, und er ist gr\u00fcn.", Language.GERMAN),
        ("La bouilloire est dans la cuisine et elle est verte.", Language.FRENCH),
        ("La tetera est\u00e1 en la cocina y es de color verde.", Language.SPANISH),
        ("kettle", Language.ENGLISH),
        ("", Language.ENGLISH),
    ],
)
def test_a_text_tells_its_language_by_its_small_words(text: str, language: Language) -> None:
    assert detect(text) is language


_TEXT = st.text(max_size=60)


@given(_TEXT, st.sampled_from(Language))
def test_what_is_stored_is_what_is_asked_for(text: str, language: Language) -> None:
    analyzer = Analyzer()
    stored = {term for chunk in text.split() for term in analyzer.terms(chunk, language)}
    asked = [set(word.terms) for word in analyse(text, analyzer, [language]).words]
    assert all(terms <= stored for terms in asked)
    assert bool(asked) == bool(stored)
