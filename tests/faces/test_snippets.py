"""Snippets and lines, whatever the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vademecum.domain import Span
from vademecum.faces.cli.lines import Run, columns, one_line, table, visible
from vademecum.faces.cli.snippets import WIDTH, pieces, snippet
from vademecum.faces.cli.streams import as_json


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[str, list[Span]]:
    text = draw(st.text(st.characters(), max_size=900))
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    return text, [Span(low, high) for low, high in zip(borders[::2], borders[1::2], strict=False)]


@given(texts_with_spans())
def test_pieces_are_the_whole_text(case: tuple[str, list[Span]]) -> None:
    text, spans = case
    assert "".join(piece.text for piece in pieces(text, spans)) == text
    marked = [piece.text for piece in pieces(text, spans) if piece.matches]
    assert marked == [text[span.start : span.end] for span in spans]


@given(texts_with_spans())
def test_a_snippet_is_short_and_on_one_line(case: tuple[str, list[Span]]) -> None:
    text, spans = case
    shown = "".join(piece.text for piece in snippet(text, spans))
    assert len(shown) <= WIDTH + 2
    assert "\n" not in shown


def test_a_snippet_is_where_most_matches_stand() -> None:
    text = "tea " + "word " * 200 + "tea kettle tea " + "word " * 200
    at = text.index("tea kettle")
    spans = [Span(0, 3), Span(at, at + 3), Span(at + 4, at + 10), Span(at + 11, at + 14)]
    shown = snippet(text, spans)
    assert "tea kettle tea" in "".join(piece.text for piece in shown)
    assert [piece.text for piece in shown if piece.matches] == ["tea", "kettle", "tea"]


@given(st.text())
def test_no_control_character_is_visible(text: str) -> None:
    assert not any(ord(c) < 32 and c not in "\t\n" for c in visible(text))
    assert "\n" not in one_line(text)


def test_columns_stand_under_each_other_whatever_the_script() -> None:
    first, second = table([[Run("茶"), Run("x")], [Run("abcd"), Run("y")]])
    assert columns(first.text) == columns(second.text) == 7


@given(st.recursive(st.text(st.characters()) | st.floats() | st.none(), st.lists))
def test_any_value_is_json_that_utf_8_can_carry(value: object) -> None:
    for ascii_only in (False, True):
        assert as_json(value, ascii_only=ascii_only).encode()
