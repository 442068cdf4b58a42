"""The passages of a note."""

from __future__ import annotations

import itertools
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.domain import PERSONAL, Digest, Document
from vademecum.markdown import document_of, parse_memory
from vademecum.markdown.sections import LARGEST_PARSED
from vademecum.splitting import LONGEST_PART

PATH = PurePosixPath("personal/memories/tea.md")


def document(data: bytes | str, encoding: str = "utf-8") -> Document:
    text = data if isinstance(data, str) else data.decode(encoding)
    memory, _ = parse_memory(text, path=PATH, space=PERSONAL, digest=Digest("d"))
    return document_of(memory, encoding=encoding)


def outline(text: str) -> list[tuple[tuple[str, ...], str, int]]:
    return [(one.heading, one.text, one.line) for one in document(text).passages]


def test_each_section_is_a_passage_under_its_heading_path() -> None:
    text = (
        "---\nid: N1\n---\nIntro.\n\n# Tea\n\n## Green\nAt 80 degrees.\n\n### Sencha\nShort.\n"
        "\n## Black\n\nBoiling.\n# Coffee\nNo.\n"
    )
    assert outline(text) == [
        ((), "Intro.", 4),
        (("Tea", "Green"), "At 80 degrees.", 9),
        (("Tea", "Green", "Sencha"), "Short.", 12),
        (("Tea", "Black"), "Boiling.", 16),
        (("Coffee",), "No.", 18),
    ]
    assert [one.id for one in document(text).passages] == [f"N1#{n}" for n in range(1, 6)]


def test_a_heading_in_code_in_a_quote_or_in_front_matter_is_none() -> None:
    text = "---\nid: N1\n# Comment\n---\n```\n# not\n```\n> # nor\n\n    # nor this\n"
    assert [heading for heading, _, _ in outline(text)] == [()]


def test_an_underlined_heading_is_one() -> None:
    assert outline("Tea\n===\nGreen.\n\nBlack\n-----\nToo.\n") == [
        (("Tea",), "Green.", 3),
        (("Tea", "Black"), "Too.", 7),
    ]


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_lines_of_other_systems_are_counted(newline: str) -> None:
    text = newline.join(["# Tea", "", "Green.", "## Black", "Too."])
    assert outline(text) == [(("Tea",), "Green.", 3), (("Tea", "Black"), "Too.", 5)]


def test_a_last_heading_without_a_text_can_still_be_found() -> None:
    assert outline("# Tea\ntext\n## To do\n") == [
        (("Tea",), "text", 2),
        (("Tea", "To do"), "", 3),
    ]


@pytest.mark.parametrize("text", ["", "\n \n", "---\nid: N1\ntitle: T\n---\n", "\ufeff"])
def test_a_note_without_a_text_has_one_empty_passage(text: str) -> None:
    (passage,) = document(text).passages
    assert passage.text == ""
    assert passage.clip == (0, 0)


def test_a_long_section_is_split_into_parts() -> None:
    text = "# Tea\n\n" + "\n\n".join(f"{n} " + "word " * 150 for n in range(9))
    passages = document(text).passages
    assert len(passages) > 2
    identity = document(text).id
    assert [one.id for one in passages] == [f"{identity}#1.{n + 1}" for n in range(len(passages))]
    assert all(len(one.text) <= LONGEST_PART for one in passages)
    assert {(one.start, one.length) for one in passages} == {(0, len(text))}
    lines = text.split("\n")
    assert all(one.text.startswith(lines[one.line - 1].strip()) for one in passages)


def test_a_huge_note_is_read_line_by_line() -> None:
    text = "# Tea\n```\n# not\n```\n## Green ##\nx\n" + "filler text\n" * (LARGEST_PARSED // 10)
    passages = document(text).passages
    assert {one.heading for one in passages} == {("Tea",), ("Tea", "Green")}
    assert len(text) > LARGEST_PARSED


pieces = st.sampled_from(
    [
        "# A\n",
        "## B #\n",
        "text\n",
        "\n",
        "\r\n",
        "===\n",
        "---\n",
        "```\n",
        "\u00e4\u00f6 ",
        "\r",
        "> ",
        "- ",
        "    ",
        "a b. ",
        "\u00e9",
        "\x0b",
        "\x0c",
        "\x85",
        "\0",
        "#",
        " " * 2001,
    ]
)
latin = st.one_of(
    st.lists(pieces, max_size=40).map("".join),
    st.text(st.characters(max_codepoint=255)),
)
heads = st.sampled_from(["", "---\nid: N1\ntitle: \u00e4\n---\n", "---\r\nid: N1\r\n---\r\n"])


@given(heads, st.one_of(latin, st.text(st.characters(exclude_categories=["Cs"]))))
def test_every_passage_is_read_back_from_its_bytes(head: str, body: str) -> None:
    check((head + body).encode(), "utf-8")


@given(heads, latin)
def test_so_is_every_passage_of_a_latin_1_file(head: str, body: str) -> None:
    check((head + body).encode("latin-1"), "latin-1")


def test_a_byte_order_mark_shifts_nothing() -> None:
    data = "\ufeff# T\u00e9a\n\nGr\u00fcn\n".encode()
    (passage,) = check(data, "utf-8").passages
    assert passage.text == "Gr\u00fcn"
    assert passage.heading == ("T\u00e9a",)
    assert passage.line == 3


def check(data: bytes, encoding: str) -> Document:
    found = document(data, encoding)
    text = data.decode(encoding)
    assert found.passages
    assert len({one.id for one in found.passages}) == len(found.passages)
    for one in found.passages:
        source = data[one.start : one.start + one.length].decode(encoding)
        assert one.text == source[one.clip[0] : one.clip[1]]
        assert one.line <= len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    # Nothing of the text is left out, but for headings and blanks.
    covered = sum(len(one.text) for one in found.passages)
    assert covered <= len(text)
    spans = sorted({(one.start, one.start + one.length) for one in found.passages})
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))
    return found


@given(st.lists(st.sampled_from(["words\n", "\n", "more. ", "x" * 2500]), max_size=30).map("".join))
def test_nothing_but_white_space_is_left_out_of_a_text_without_headings(body: str) -> None:
    kept = "".join(one.text for one in document(body).passages)
    assert "".join(kept.split()) == "".join(body.split())
