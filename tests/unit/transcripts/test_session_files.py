"""Session files: JSON Lines, one turn a line."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.domain import (
    PERSONAL,
    Digest,
    DocumentId,
    Role,
    SessionHeader,
    Severity,
    Source,
    Turn,
)
from vademecum.errors import InvalidInput
from vademecum.splitting import LONGEST_PART
from vademecum.transcripts import document_of, header_line, load, parse_session, parse_turn
from vademecum.transcripts import turn_line as line_of
from vademecum.transcripts.sessions import ParsedSession

PATH = PurePosixPath("personal/sessions/2026-02/S1.jsonl")
HEADER = b'{"format": "vademecum-session", "version": 1, "id": "S1", "title": "Tea"}\n'


def parse(data: bytes) -> ParsedSession:
    return parse_session(
        data, path=PATH, space=PERSONAL, digest=Digest("d"), fallback_id=DocumentId("path-x")
    )


def turns(*contents: str) -> bytes:
    return HEADER + b"".join(line_of(Turn(content=c, id=str(n))) for n, c in enumerate(contents, 1))


def passage_texts(parsed: ParsedSession) -> list[str]:
    return [passage.text for passage in document_of(parsed).passages]


# --- reading --------------------------------------------------------------------------------


def test_a_session_is_read_as_it_stands() -> None:
    parsed = parse(
        b'{"format": "vademecum-session", "version": 1, "id": "S1", "title": "Tea", '
        b'"started_at": "2026-02-10T16:02:00+01:00", "source": "import", "metadata": {"a": 1}, '
        b'"later": true}\n'
        b'{"id": "1", "role": "assistant", "speaker": "Ines", "time": "2026-02-10T16:03:00", '
        b'"content": "Green or black?", "metadata": {"b": 2}, "later": 1}\n'
    )
    assert not parsed.problems
    header = parsed.session.header
    assert header.id == "S1"
    assert header.title == "Tea"
    assert header.started_at == datetime(2026, 2, 10, 16, 2, tzinfo=timezone(timedelta(hours=1)))
    assert header.source is Source.IMPORT
    assert header.metadata == {"a": 1}
    (turn,) = parsed.session.turns
    assert turn == Turn(
        id="1",
        role=Role.ASSISTANT,
        speaker="Ines",
        time=datetime(2026, 2, 10, 16, 3, tzinfo=UTC),
        content="Green or black?",
        metadata={"b": 2},
    )


@pytest.mark.parametrize(
    ("name", "role"),
    [("human", Role.USER), ("AI", Role.ASSISTANT), ("developer", Role.SYSTEM), (None, Role.USER)],
)
def test_other_names_of_roles_are_understood(name: str | None, role: Role) -> None:
    faults: list[str] = []
    assert parse_turn({"role": name, "content": "x"}, faults).role is role
    assert not faults


def test_a_content_of_parts_is_read_as_its_texts() -> None:
    parts = [{"type": "text", "text": "See:"}, {"type": "image"}, "and", {"x": 1}, 5]
    content = parse_turn({"content": parts}).content
    assert content == "See:\n\n[image]\n\nand\n\n[part]"


def test_a_bad_line_in_the_middle_is_a_problem_and_the_rest_is_read() -> None:
    data = (
        turns("one")
        + b'{"content": "tw\n[1]\n{"id": "x"}\n{"content": 5}\n'
        + turns("three")[len(HEADER) :]
    )
    parsed = parse(data)
    assert [turn.content for turn in parsed.session.turns] == ["one", "three"]
    assert [p.line for p in parsed.problems if p.severity is Severity.ERROR] == [3, 4, 5, 6]
    assert not parsed.torn


def test_a_torn_last_line_is_a_warning_and_passed_over() -> None:
    parsed = parse(turns("one") + b'{"id": "2", "content": "tw')
    assert [turn.content for turn in parsed.session.turns] == ["one"]
    assert [(p.line, p.severity) for p in parsed.problems] == [(3, Severity.WARNING)]
    assert parsed.torn == len(b'{"id": "2", "content": "tw')


def test_a_last_line_without_a_line_end_that_is_whole_is_a_turn() -> None:
    parsed = parse(turns("one", "two").rstrip(b"\n"))
    assert [turn.content for turn in parsed.session.turns] == ["one", "two"]
    assert not parsed.torn
    assert not parsed.problems


def test_a_whole_last_line_that_is_no_turn_is_not_taken_for_torn() -> None:
    parsed = parse(turns("one") + b'{"note": "mine"}')
    assert not parsed.torn
    assert [(p.line, p.severity) for p in parsed.problems] == [(3, Severity.ERROR)]


@given(st.integers(min_value=0))
def test_wherever_a_crash_cuts_the_file_every_whole_line_is_read(cut: int) -> None:
    whole = turns("one", "zw\u00f6lf", "\U0001f375 three")
    data = whole[: len(HEADER) + cut % (len(whole) - len(HEADER) + 1)]
    parsed = parse(data)
    lines = data[len(HEADER) :].split(b"\n")
    assert len(parsed.session.turns) in (len(lines) - 1, len(lines))
    assert parsed.torn in (0, len(lines[-1]))
    assert all(problem.severity is Severity.WARNING for problem in parsed.problems)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"time": "yesterday"}, "time is 'yesterday'"),
        ({"time": 1_700_000_000}, "time is 1700000000"),
        ({"time": "0001-01-01T00:00:00+14:00"}, "time is '0001"),
        ({"role": "wizard"}, "role is 'wizard'"),
        ({"role": 7}, "role is 7"),
    ],
)
def test_a_value_that_cannot_be_one_hides_no_content(
    values: dict[str, object], complaint: str
) -> None:
    parsed = parse(HEADER + json.dumps({"id": "1", "content": "kept", **values}).encode() + b"\n")
    assert passage_texts(parsed) == ["kept"]
    assert [(p.line, p.severity) for p in parsed.problems] == [(2, Severity.WARNING)]
    assert complaint in parsed.problems[0].message


def test_a_header_with_a_broken_date_is_still_the_header() -> None:
    line = b'{"format": "vademecum-session", "version": 1, "id": "S1", "started_at": "soon"}\n'
    parsed = parse(line)
    assert parsed.session.id == "S1"
    assert parsed.session.header.started_at is None
    assert ["started_at is 'soon'" in p.message for p in parsed.problems] == [True]


def test_a_missing_header_is_a_problem_and_the_id_comes_from_the_path() -> None:
    parsed = parse(turns("one")[len(HEADER) :])
    assert parsed.session.id == "path-x"
    assert passage_texts(parsed) == ["one"]
    assert [p.severity for p in parsed.problems] == [Severity.WARNING]


@pytest.mark.parametrize("identity", ['""', "5", '"a/b"', '"a#b"', '"../x"', "null"])
def test_a_header_needs_an_id_that_can_be_one(identity: str) -> None:
    line = HEADER.replace(b'"S1"', identity.encode())
    parsed = parse(line + turns("one")[len(HEADER) :])
    assert parsed.session.id == "path-x"
    assert passage_texts(parsed) == ["one"]
    assert parsed.problems[0].line == 1


def test_a_session_of_a_later_version_is_reported() -> None:
    parsed = parse(HEADER.replace(b'"version": 1', b'"version": 2'))
    assert "version 2" in parsed.problems[0].message
    assert parsed.problems[0].severity is Severity.ERROR


def test_turns_without_an_id_are_numbered_and_twins_told_apart() -> None:
    lines = [{"content": "a"}, {"id": "1", "content": "b"}, {"id": 1, "content": "c"}]
    parsed = parse(HEADER + b"".join(json.dumps(one).encode() + b"\n" for one in lines))
    names = [turn.id for turn in parsed.session.turns]
    assert names[0] == "1"
    assert len(set(names)) == 3
    assert [p.line for p in parsed.problems] == [3, 4]


def test_many_turns_with_one_id_cost_no_more_than_their_number() -> None:
    parsed = parse(HEADER + b'{"id": "1", "content": "x"}\n' * 20_000)
    assert len({turn.id for turn in parsed.session.turns}) == 20_000


def test_blank_lines_windows_line_ends_and_a_byte_order_mark_are_no_problem() -> None:
    data = b"\xef\xbb\xbf" + turns("one", "two").replace(b"\n", b"\r\n\r\n")
    parsed = parse(data)
    assert not parsed.problems
    assert passage_texts(parsed) == ["one", "two"]
    check_places(data, parsed)


def test_lone_surrogates_become_replacement_characters() -> None:
    parsed = parse(
        HEADER + b'{"id": "\\udc80", "content": "a\\ud800b\\ud83c\\udf75", "x": ["\\udfff"]}\n'
    )
    (turn,) = parsed.session.turns
    assert turn.content == "a\ufffdb\U0001f375"
    assert turn.id == "\ufffd"
    assert not parsed.problems


def test_bytes_that_are_no_utf_8_do_not_hide_the_turn() -> None:
    parsed = parse(HEADER + '{"content": "gr\u00fcn"}\n'.encode("latin-1"))
    assert passage_texts(parsed) == ["gr\ufffdn"]


def test_values_nested_too_deeply_are_a_problem_of_their_line_only() -> None:
    deep = b'{"content": "x", "metadata": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    parsed = parse(turns("one") + deep)
    assert passage_texts(parsed) == ["one"]
    assert [p.line for p in parsed.problems] == [3]


@given(st.binary())
def test_any_bytes_can_be_read(data: bytes) -> None:
    for whole in (data, HEADER + data):
        parsed = parse(whole)
        document_of(parsed)
        check_places(whole, parsed)


# --- passages -------------------------------------------------------------------------------


def check_places(data: bytes, parsed: ParsedSession) -> None:
    """Every passage is read back from its bytes of the file."""
    passages = document_of(parsed).passages
    assert len({passage.id for passage in passages}) == len(passages)
    for passage in passages:
        line = data[passage.start : passage.start + passage.length]
        content = parse_turn(load(line)).content
        assert content[passage.clip[0] : passage.clip[1]] == passage.text
        assert data.count(b"\n", 0, passage.start) + 1 == passage.line


json_texts = st.text()


@given(st.lists(json_texts, max_size=6), st.booleans())
def test_a_turn_is_a_passage_that_is_read_back_from_its_line(
    contents: list[str], ascii_only: bool
) -> None:
    lines = [json.dumps({"content": c}, ensure_ascii=ascii_only) for c in contents]
    data = HEADER + "".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass")
    parsed = parse(data)
    assert len(parsed.session.turns) == len(contents)
    check_places(data, parsed)


def test_a_passage_knows_who_said_it_and_when() -> None:
    moment = datetime(2026, 2, 10, 16, 3, tzinfo=UTC)
    turn = Turn(id="7", content="x", role=Role.TOOL, speaker="sh", time=moment)
    (passage,) = document_of(parse(HEADER + line_of(turn))).passages
    assert (passage.id, passage.turn) == ("S1#7", "7")
    assert (passage.role, passage.speaker, passage.time) == (Role.TOOL, "sh", moment)


def test_a_blank_turn_is_no_passage() -> None:
    parsed = parse(turns("", " \n", "x"))
    assert len(parsed.session.turns) == 3
    assert passage_texts(parsed) == ["x"]


def test_a_long_turn_is_split_into_parts_whose_ids_are_taken_by_no_other_turn() -> None:
    long = "A sentence of some length. " * 200
    data = HEADER + line_of(Turn(id="1", content=long)) + line_of(Turn(id="1.1", content="x"))
    parsed = parse(data)
    passages = document_of(parsed).passages
    assert [one.turn for one in passages] == ["1"] * (len(passages) - 1) + ["1.1"]
    assert all(len(one.text) <= LONGEST_PART for one in passages)
    assert len({one.id for one in passages}) == len(passages) > 3
    assert passages[1].id == "S1#1.2"
    check_places(data, parsed)


def test_a_session_without_a_date_has_that_of_its_first_dated_turn() -> None:
    moment = datetime(2026, 2, 10, tzinfo=UTC)
    data = turns("x") + line_of(Turn(content="y", id="9", time=moment))
    assert document_of(parse(data)).date == moment
    started = datetime(2026, 1, 1, tzinfo=UTC)
    header = header_line(SessionHeader(id=DocumentId("S1"), started_at=started))
    assert document_of(parse(header + data[len(HEADER) :])).date == started
    assert document_of(parse(turns("x"))).date is None


# --- writing --------------------------------------------------------------------------------

moments = st.one_of(
    st.none(),
    st.datetimes(
        min_value=datetime(2, 1, 1),
        max_value=datetime(9998, 1, 1),
        timezones=st.sampled_from([UTC, timezone(timedelta(hours=-5))]),
    ),
)
legal = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    st.builds(
        Turn,
        content=legal,
        role=st.sampled_from(Role),
        speaker=legal,
        time=moments,
        id=legal.filter(bool),
        metadata=st.dictionaries(legal, st.one_of(legal, st.integers(-(2**53), 2**53))),
    )
)
def test_a_turn_is_read_as_it_was_written_on_one_line(turn: Turn) -> None:
    line = line_of(turn)
    assert line.count(b"\n") == 1
    parsed = parse(HEADER + line)
    assert parsed.session.turns == (turn,)
    assert not parsed.problems


@given(legal, moments, st.sampled_from(Source))
def test_a_header_is_read_as_it_was_written(
    title: str, started: datetime | None, source: Source
) -> None:
    header = SessionHeader(id=DocumentId("S-1.a_b"), title=title, started_at=started, source=source)
    assert parse(header_line(header)).session.header == header


def test_a_time_without_a_zone_is_written_as_utc() -> None:
    assert b'"time": "2026-02-10T16:00:00+00:00"' in line_of(
        Turn(content="x", time=datetime(2026, 2, 10, 16))
    )


def test_a_surrogate_in_a_turn_is_written_as_a_replacement_character() -> None:
    assert load(line_of(Turn(content="a\ud800", metadata={"k\udc00": "v"}))) == {
        "role": "user",
        "content": "a\ufffd",
        "metadata": {"k\ufffd": "v"},
    }


def test_metadata_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(InvalidInput, match="metadata"):
        line_of(Turn(content="x", metadata={(1, 2): "x"}))  # type: ignore[dict-item]
