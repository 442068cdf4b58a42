"""Parts of long texts."""

from __future__ import annotations

import regex
from hypothesis import example, given
from hypothesis import strategies as st

from vademecum.splitting import LONGEST_PART, split

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"

pieces = st.sampled_from(
    [
        "a",
        "B",
        " ",
        "\n",
        "\r\n",
        "\t",
        ".",
        "! ",
        "\u3002",
        "\u4e2d",
        "\u0301",
        "\u1100\u1161",
        FAMILY,
        "\U0001f1e9\U0001f1ea",
        "\u0600",
        "\u0915\u094d\u0937",
        "e\u0301",
        "\u2028",
        "\0",
    ]
)
texts = st.one_of(st.text(), st.lists(pieces, max_size=80).map("".join))
limits = st.integers(min_value=1, max_value=12)


def borders(text: str) -> set[int]:
    return {0, len(text)} | {match.end() for match in regex.finditer(r"\X", text)}


@given(texts, limits)
def test_only_white_space_lies_between_the_parts(text: str, limit: int) -> None:
    position = 0
    for start, end in split(text, limit):
        assert text[position:start].strip() == ""
        assert start < end
        position = end
    assert text[position:].strip() == ""


@given(texts, limits)
@example(" \u0301abc", 2)
@example("\u0600 abc", 1)
@example("a\r\nb", 2)
def test_no_part_begins_or_ends_inside_a_grapheme_cluster(text: str, limit: int) -> None:
    allowed = borders(text)
    for start, end in split(text, limit):
        assert start in allowed
        assert end in allowed


@given(texts, limits)
def test_a_part_is_longer_than_the_limit_only_if_it_is_one_cluster(text: str, limit: int) -> None:
    for start, end in split(text, limit):
        inside = borders(text) & set(range(start + 1, end))
        assert end - start <= limit or not inside


@given(st.text())
def test_every_text_that_is_not_blank_has_a_part(text: str) -> None:
    assert bool(split(text)) == bool(text.strip())


def test_a_short_text_is_one_part_without_its_outer_blanks() -> None:
    assert split("  green tea \n") == [(2, 11)]


def test_paragraphs_are_preferred_to_lines_and_lines_to_sentences() -> None:
    text = "One. Two.\nThree.\n\nFour. Five.\nSix."
    assert [text[a:b] for a, b in split(text, 20)] == ["One. Two.\nThree.", "Four. Five.\nSix."]
    text = "One. Two. Three.\nFour. Five."
    assert [text[a:b] for a, b in split(text, 20)] == ["One. Two. Three.", "Four. Five."]
    text = "One two. Three four."
    assert [text[a:b] for a, b in split(text, 14)] == ["One two.", "Three four."]


def test_a_chinese_text_is_split_behind_its_full_stop() -> None:
    text = "\u4e2d" * 7 + "\u3002" + "\u6587" * 7
    assert split(text, 10) == [(0, 8), (8, 15)]


def test_two_thousand_families_come_apart_only_between_families() -> None:
    text = FAMILY * 2000
    parts = [text[start:end] for start, end in split(text)]
    assert "".join(parts) == text
    assert all(part == FAMILY * (len(part) // len(FAMILY)) for part in parts)
    assert all(len(part) <= LONGEST_PART for part in parts)


def test_a_long_word_without_any_border_is_cut_at_the_limit() -> None:
    assert split("x" * 4500) == [(0, 2000), (2000, 4000), (4000, 4500)]
