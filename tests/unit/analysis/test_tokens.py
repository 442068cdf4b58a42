"""What a chunk of text is looked up by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.analysis.folding import fold
from vademecum.analysis.tokens import LONGEST_TERM, Token, TokenKind, spans, tokens


def texts(chunk: str) -> list[str]:
    return [token.text for token in tokens(chunk)]


@pytest.mark.parametrize(
    ("chunk", "expected"),
    [
        ("Kettle", ["kettle"]),
        ("Mara's", ["mara"]),
        ("don't", ["don't"]),
        ("20.04", ["20.04", "20", "04"]),
        ("health.base", ["health.base", "health", "base"]),
        ("std::vector", ["std::vector", "std", "vector"]),
        ("C++", ["c++", "c"]),
        ("C#", ["c#", "c"]),
        (".env", [".env", "env"]),
        ("getUserName", ["getusername", "get", "user", "name"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("snake_case", ["snake_case", "snake", "case"]),
        ("10,000", ["10000"]),
        ("client/server", ["client/server", "client", "server"]),
        ("a/b.py", ["a/b.py", "b.py", "a", "b", "py"]),
        ("(kettle),", ["kettle"]),
        ("\uff2b\uff45\uff54\uff54\uff4c\uff45", ["kettle"]),
        ("\U0001f375", ["\U0001f375"]),
        ("?!", []),
        ("", []),
    ],
)
def test_a_chunk_is_its_words_and_the_whole_of_a_compound(chunk: str, expected: list[str]) -> None:
    assert texts(chunk) == expected


def test_scripts_without_spaces_are_characters_and_pairs() -> None:
    assert texts("\u7eff\u8336\u5395") == [
        "\u7eff",
        "\u8336",
        "\u5395",
        "\u7eff\u8336",
        "\u8336\u5395",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u0141\u00f3d\u017a", "lodz"),
        ("Stra\u00dfe", "STRASSE"),
        ("\u0130stanbul", "istanbul"),
        ("Zu\u0308rich", "Z\u00fcrich"),
        ("caf\u00e9", "CAFE"),
        ("\ufb01re", "fire"),
        ("\u1f08\u03b8\u1fc6\u03bd\u03b1\u03b9", "\u03b1\u03b8\u03b7\u03bd\u03b1\u03b9"),
    ],
)
def test_accents_widths_and_cases_do_not_matter(one: str, other: str) -> None:
    assert texts(one) == texts(other)


def test_vowel_signs_of_hindi_are_kept() -> None:
    assert texts("\u0939\u093f\u0928\u094d\u0926\u0940") == ["\u0939\u093f\u0928\u094d\u0926\u0940"]


@pytest.mark.parametrize("chunk", ["ZX-4471", "20.04", "a::b", "C++", "v2", "err_42"])
def test_an_identifier_means_itself_and_nothing_near(chunk: str) -> None:
    assert any(token.exact and token.text == fold(chunk) for token in tokens(chunk))


@pytest.mark.parametrize("chunk", ["kettle", "don't", "1969", "\u7eff\u8336"])
def test_a_word_is_no_identifier(chunk: str) -> None:
    assert not any(token.exact for token in tokens(chunk))


@given(st.text())
def test_any_chunk_has_terms_of_bounded_length_and_never_an_empty_one(chunk: str) -> None:
    for token in tokens(chunk):
        assert 0 < len(token.text) <= LONGEST_TERM


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_the_spans_of_a_chunk_stand_for_all_of_its_tokens(chunk: str) -> None:
    found = spans(_plain(chunk))
    in_spans = {token for _, _, here in found for token in here}
    assert in_spans == set(tokens(_plain(chunk)))
    for low, high, _ in found:
        assert 0 <= low < high <= len(chunk)


def _plain(chunk: str) -> str:
    # A comma between thousands is taken out before the cut, so the parts of the cut differ.
    return chunk.replace(",", "")


def test_tokens_are_equal_by_value() -> None:
    assert tokens("kettle") == [Token("kettle", TokenKind.WORD)]
