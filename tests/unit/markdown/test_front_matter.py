"""The YAML block at the head of a note."""

from __future__ import annotations

from datetime import date

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from vademecum.errors import InvalidInput
from vademecum.markdown import split_front_matter, with_keys

# --- reading --------------------------------------------------------------------------------


def test_values_are_texts_and_lists_of_texts() -> None:
    front = split_front_matter(
        "---\ntitle: Green tea\nwhen: 2026-03-01\nyes: no\ntags: [a, 'b c', 3]\n---\nBody\n"
    )
    assert front.values == {
        "title": "Green tea",
        "when": "2026-03-01",
        "yes": "no",
        "tags": ["a", "b c", "3"],
    }
    assert front.lines == {"title": 2, "when": 3, "yes": 4, "tags": 5}
    assert not front.faults
    assert front.present


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("Just text\n", "Just text\n"),
        ("\ufeffJust text\n", "Just text\n"),
        ("---\nid: x\n---\nBody", "Body"),
        ("\ufeff---\r\nid: x\r\n---\r\nBody\r\n", "Body\r\n"),
        ("---\nid: x\n...\nBody", "Body"),
        ("---\n---\n", ""),
        ("---\n# only a comment\n---\nBody", "Body"),
        ("---\nid: x\n---", ""),
        ("---  \nid: x\n--- \n\nBody", "\nBody"),
    ],
)
def test_the_body_is_what_follows_the_block(text: str, body: str) -> None:
    front = split_front_matter(text)
    assert text[front.body_start :] == body
    assert not front.faults


def test_a_note_that_begins_with_a_rule_has_no_block() -> None:
    for text in (
        "---\nOnce upon a time.\n---\nThe end.\n",
        "---\n\nText after a rule.\n",
        "----\n",
    ):
        front = split_front_matter(text)
        assert not front.present
        assert front.body_start == 0
        assert not front.faults


def test_a_block_that_is_never_closed_is_text_and_said_to_be() -> None:
    front = split_front_matter("---\ntitle: x\n\nText\n")
    assert not front.present
    assert front.body_start == 0
    assert [(fault.line, "never closed" in fault.message) for fault in front.faults] == [(1, True)]


def test_a_colon_in_a_title_costs_nothing_but_a_warning() -> None:
    front = split_front_matter("---\nid: N1\ntitle: a: b\ntags: [x, y]\n---\n")
    assert front.values == {"id": "N1", "title": "a: b", "tags": ["x", "y"]}
    assert [fault.line for fault in front.faults] == [3]
    assert "'title'" in front.faults[0].message


def test_a_list_that_is_not_closed_is_still_a_list() -> None:
    front = split_front_matter("---\r\ntitle: T\r\ntags: [x, 'y'\r\nid: N1\r\n---\r\n")
    assert front.values == {"title": "T", "tags": ["x", "y"], "id": "N1"}
    assert [fault.line for fault in front.faults] == [3]


@pytest.mark.parametrize("null", ["", "~", "null", "None"])
def test_an_empty_or_null_value_is_none(null: str) -> None:
    assert split_front_matter(f"---\ntitle: {null}\n---\n").values == {"title": None}


def test_a_key_that_stands_twice_is_reported_and_the_last_one_counts() -> None:
    front = split_front_matter("---\na: 1\nb: 2\na: 3\n---\n")
    assert front.values == {"a": "3", "b": "2"}
    assert [fault.line for fault in front.faults] == [2, 4]


@pytest.mark.parametrize(
    "block",
    [
        "a: " + "[" * 100000,
        "a: " + "{x: " * 10000,
        "- " * 5000,
        "? " * 5000,
        "\t: :\n&x *y",
        "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(50)),
        "a: \0",
        "%YAML 9.9",
    ],
)
def test_no_block_brings_the_reader_down(block: str) -> None:
    front = split_front_matter(f"---\nid: N1\n{block}\n---\nBody")
    assert front.values["id"] == "N1"


def test_a_huge_block_is_passed_over_and_reported() -> None:
    text = "---\n" + "a: 1\n" * 300_000 + "---\nBody"
    front = split_front_matter(text)
    assert text[front.body_start :] == "Body"
    assert not front.values
    assert len(front.faults) == 1


@given(st.text())
@example("---\n\x85: x\n---\n")
def test_any_text_can_be_read(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n"):
        front = split_front_matter(whole)
        assert 0 <= front.body_start <= len(whole)


# --- changing -------------------------------------------------------------------------------


def test_one_key_changes_and_every_other_character_stays() -> None:
    text = (
        "\ufeff---\r\n# mine\r\nid: N1   # the id\r\ntags:\r\n- a\r\n- b\r\n\r\n# next\r\n"
        "odd:   {x: [1]}\r\n---\r\nBody\rwith: all\r\n"
    )
    assert with_keys(text, {"tags": ["c"]}) == text.replace(
        "tags:\r\n- a\r\n- b\r\n", "tags:\r\n- c\r\n"
    )
    assert with_keys(text, {"tags": None}) == text.replace("tags:\r\n- a\r\n- b\r\n", "")
    assert with_keys(text, {"new": "x: y"}) == text.replace(
        "odd:   {x: [1]}\r\n", "odd:   {x: [1]}\r\nnew: 'x: y'\r\n"
    )
    assert with_keys(text, {"absent": None}) == text


def test_a_text_without_front_matter_gets_some() -> None:
    assert with_keys("Body\n", {"id": "N1"}) == "---\nid: N1\n---\nBody\n"
    assert with_keys("\ufeffBody\r\n", {"id": "N1"}) == "\ufeff---\r\nid: N1\r\n---\r\nBody\r\n"
    assert with_keys("", {"id": "N1"}) == "---\nid: N1\n---\n"
    assert with_keys("Body", {}) == "Body"
    assert with_keys("Body", {"id": None}) == "Body"


def test_values_that_look_like_something_else_are_quoted() -> None:
    text = with_keys(
        "---\n---\n", {"a": "no", "b": "2026-03-01", "c": "x # y", "d": "\u00e9\u4e2d"}
    )
    assert text == "---\na: 'no'\nb: '2026-03-01'\nc: 'x # y'\nd: \u00e9\u4e2d\n---\n"


def test_a_value_over_several_lines_is_replaced_as_a_whole() -> None:
    text = (
        '---\na: "x\n# no comment\nb: no key"\n# comment\nd: |\n  # text\n\n  more\n\ne: 1\n---\n'
    )
    assert with_keys(text, {"a": "y"}) == text.replace(
        'a: "x\n# no comment\nb: no key"\n', "a: y\n"
    )
    assert with_keys(text, {"d": None}) == text.replace("d: |\n  # text\n\n  more\n", "")
    assert with_keys(text, {"b": "new"}).endswith("e: 1\nb: new\n---\n")


def test_a_key_that_stands_twice_is_there_once_after_a_change() -> None:
    assert with_keys("---\na: 1\nb: 2\na: 3\n---\n", {"a": "4"}) == "---\na: '4'\nb: 2\n---\n"


def test_a_broken_block_can_still_be_changed() -> None:
    text = "---\ntitle: a: b\ntags: [x\nid: N1\n---\nBody"
    changed = with_keys(text, {"tags": ["y"]})
    assert changed == "---\ntitle: a: b\ntags:\n- y\nid: N1\n---\nBody"


def test_a_block_in_braces_is_left_alone() -> None:
    with pytest.raises(InvalidInput, match="braces"):
        with_keys("---\n{a: 1}\n---\n", {"a": "2"})


keys = st.sampled_from(["id", "title", "tags", "status", "x-y", "eigen \u00e4"])
plain = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff"),
    max_size=20,
)
values = st.one_of(plain, st.lists(plain, max_size=3), st.integers(), st.booleans(), st.dates())
bodies = st.text(st.characters(exclude_categories=["Cs"]))
comments = st.sampled_from(["", "# a comment", "   ", "#", "# k: v"])


styles = st.sampled_from([None, True, False])


@st.composite
def notes(draw: st.DrawFn) -> str:
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines: list[str] = []
    for key, value in draw(st.dictionaries(keys, values)).items():
        lines += draw(st.lists(comments, max_size=1))
        style = draw(styles)
        rendered = yaml.safe_dump({key: value}, allow_unicode=True, default_flow_style=style)
        assume(not rendered.startswith(("{", "?")))
        lines += rendered.splitlines()
    mark = draw(st.sampled_from(["", "\ufeff"]))
    with_head = bool(lines) or draw(st.booleans())
    head = ["---", *lines, "---", ""] if with_head else []
    return mark + newline.join(head) + draw(bodies)


@given(notes(), st.dictionaries(keys, st.one_of(st.none(), values)))
def test_a_change_changes_its_keys_and_nothing_else(text: str, changes: dict[str, object]) -> None:
    before = split_front_matter(text)
    assume(before.present or not before.faults)
    changed = with_keys(text, changes)
    after = split_front_matter(changed)
    assert changed[after.body_start :] == text[before.body_start :]
    for key in {*before.values, *after.values} - set(changes):
        assert after.values.get(key) == before.values.get(key)
    for key, value in changes.items():
        assert (key in after.values) == (value is not None)
    # What belonged to other keys is still there, character for character, and in order.
    kept = list(_kept_lines(text, changes, before.body_start))
    rest = iter(changed.splitlines(keepends=True))
    assert all(line in rest for line in kept)


def _kept_lines(text: str, changes: dict[str, object], body_start: int) -> list[str]:
    lines = text[:body_start].splitlines(keepends=True)
    return [line for line in lines if line.startswith("#") and line.strip("#\r\n ")]


@given(notes(), st.dictionaries(keys, values, min_size=1))
def test_setting_the_same_value_again_changes_nothing(
    text: str, changes: dict[str, object]
) -> None:
    once = with_keys(text, changes)
    assert with_keys(once, changes) == once


@given(bodies, st.dictionaries(keys, st.one_of(plain, st.lists(plain, max_size=3)), min_size=1))
def test_adding_keys_and_removing_them_gives_the_text_back(
    body: str, added: dict[str, object]
) -> None:
    text = with_keys("---\n# kept\n---\n" + body, {})
    assert with_keys(with_keys(text, added), dict.fromkeys(added)) == text


@given(st.dictionaries(keys, st.one_of(plain, st.lists(plain, min_size=1, max_size=3)), min_size=1))
def test_what_is_written_is_read_back(added: dict[str, str | list[str]]) -> None:
    nulls = {"", "~", "null", "Null", "NULL", "None"}
    read = split_front_matter(with_keys("Body", added))
    for key, value in added.items():
        if isinstance(value, str):
            assert read.values[key] == (None if value.strip() in nulls else value)
        else:
            assert read.values[key] == [item for item in value if item.strip() not in nulls]
    assert not read.faults


def test_dates_are_written_as_yaml_writes_them() -> None:
    assert with_keys("", {"d": date(2026, 3, 1)}) == "---\nd: 2026-03-01\n---\n"
