"""search, show, list and spaces."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.faces.conftest import Process, Vade


@pytest.mark.parametrize(
    ("note", "query"),
    [
        ("The client/server split happens in May.", "client/server"),
        ("We don't ship on Fridays.", "don't ship"),
        ("Status: amber OR red", 'status: amber "amber'),
        ("Call health.base before deploy.", "health.base"),
        ("Use parser::tokens in the lexer.", "parser::tokens"),
        (r"Set MODE=fast in C:\lab\run.ini", r"C:\lab\run.ini"),
        ("The kettle in the north kitchen leaks.", "kitchen kettle"),
        ("绿茶需要八十度的水。", "绿茶"),
    ],
)
def test_what_is_typed_is_found(vade: Vade, note: str, query: str) -> None:
    identity = vade.add(note)
    vade.add("Something else altogether.")
    assert vade.json("search", query)["hits"][0]["document"] == identity


@pytest.mark.parametrize("query", ["", "\\", "?!", "\udcff", "\x00", "NEAR(", "(a OR b) NOT", "*"])
def test_any_text_is_a_legal_query(vade: Vade, query: str) -> None:
    ran = vade("search", "--", query)
    assert ran.code == 0, ran.err
    assert ran.out == ""
    assert "Nothing found" in ran.err


def test_nothing_searchable_is_said_and_not_answered(vade: Vade) -> None:
    vade.add("a note")
    answer = vade.json("search", "?!")
    assert answer["hits"] == []
    assert answer["skipped"][0]["part"] == "query"
    assert "no searchable word" in vade("search", "?!").err


def test_words_that_look_like_options_come_after_two_dashes(vade: Vade) -> None:
    identity = vade.add("Run it with --frozen.")
    wrong = vade("search", "--frozen")
    assert wrong.code == 2
    assert "put -- before it" in wrong.err
    assert identity in vade("search", "--", "--frozen").out


def test_a_hit_in_a_pipe_is_plain_text_with_where_to_open_it(vade: Vade) -> None:
    body = "Words before. " * 40 + "The kettle leaks. " + "Words after. " * 40
    identity = vade.add(body, "--title", "Kitchen", "--tag", "home")
    ran = vade("search", "kettle")
    first, facts, text, place = ran.out.splitlines()
    assert first == "1. Kitchen"
    assert "personal" in facts
    assert "#home" in facts
    assert "score " in facts
    assert "The kettle leaks." in text
    assert len(text) < 330
    assert text.strip().startswith("…")
    assert text.endswith("…")
    assert f"{vade.file(identity)}:" in place
    assert f"{identity}#1" in place
    assert "\x1b" not in ran.out


def test_full_prints_the_whole_passage(vade: Vade) -> None:
    vade.add("kettle " + "word " * 200 + "\nlast line")
    assert "last line" not in vade("search", "kettle").out
    assert "last line" in vade("search", "kettle", "--full").out


def test_a_text_cannot_command_the_terminal(vade: Vade) -> None:
    vade.add("kettle \x1b[2J\x07 \x9b1m")
    out = vade("search", "kettle", "--full").out
    assert not {"\x1b", "\x07", "\x9b"} & set(out)


def test_explained_contributions_add_up_to_the_score(vade: Vade) -> None:
    vade.add("green tea", "--title", "Tea", "--tag", "tea")
    (hit,) = vade.json("search", "tea")["hits"]
    assert sum(part["amount"] for part in hit["contributions"]) == pytest.approx(hit["score"])
    out = vade("search", "tea", "--explain").out
    assert "lexical/passage" in out
    assert f"{hit['score']:.4f}" in out.splitlines()[-1]


def test_highlights_are_where_the_words_stand(vade: Vade) -> None:
    vade.add("green tea")
    (hit,) = vade.json("search", "tea")["hits"]
    assert [hit["text"][at["start"] : at["end"]] for at in hit["highlights"]] == ["tea"]


def test_a_search_stays_in_its_space_and_says_which_it_left_out(vade: Vade) -> None:
    vade.add("tea at home")
    vade.add("kettle at work", "--space", "project:my-app")
    vade.add("kettle on the web", "--space", "project:my-app-web")
    ran = vade("search", "kettle")
    assert ran.code == 0
    assert ran.out == ""
    assert "project:my-app, project:my-app-web" in ran.err
    (hit,) = vade.json("search", "kettle", "--space", "project:my-app")["hits"]
    assert hit["space"] == "project:my-app"


def test_an_empty_space_answers_nothing_and_suggests_the_one_meant(vade: Vade) -> None:
    vade.add("kettle", "--space", "project:atlas")
    answer = vade.json("search", "kettle", "--space", "project:atls")
    assert answer["hits"] == []
    assert "project:atlas" in answer["skipped"][-1]["reason"]


def test_filters_narrow_what_is_found(vade: Vade) -> None:
    fact = vade.add("kettle fact", "--type", "fact", "--tag", "a", "--tag", "b")
    todo = vade.add("kettle todo", "--type", "todo", "--tag", "a")
    talk = vade.json("append", "--new", "kettle talk", "--speaker", "Mara", "--role", "assistant")

    def found(*options: str) -> set[str]:
        return {hit["document"] for hit in vade.json("search", "kettle", *options)["hits"]}

    assert found("--type", "fact") == {fact}
    assert found("--type", "fact", "--type", "todo") == {fact, todo}
    assert found("--tag", "a") == {fact, todo}
    assert found("--tag", "a", "--tag", "#b") == {fact}
    assert found("--kind", "session") == {talk["session"]}
    assert found("--unit", "session") == {talk["session"]}
    assert found("--speaker", "Mara") == {talk["session"]}
    assert found("--role", "assistant") == {talk["session"]}
    assert found("--document", todo) == {todo}
    assert found("-k", "1").issubset({fact, todo, talk["session"]})
    assert len(found("-k", "1")) == 1


def test_a_day_is_in_its_range_from_its_first_moment_to_its_last(vade: Vade) -> None:
    def local(text: str) -> str:
        return datetime.fromisoformat(text).astimezone().isoformat()

    for moment in ("2026-03-13T23:59", "2026-03-14T00:00", "2026-03-14T23:59", "2026-03-15T00:00"):
        vade.add(f"note of {moment}", "--event-at", local(moment))
    day = ["--since", "2026-03-14", "--until", "2026-03-14"]
    expected = ["note of 2026-03-14T23:59", "note of 2026-03-14T00:00"]
    assert [hit["text"] for hit in vade.json("search", "*", *day)["hits"]] == expected
    assert [item["title"] for item in vade.json("list", *day)["items"]] == expected


@pytest.mark.parametrize("date", ["yesterday", "2026-02-30", "14.03.2026", "", "9999-12-31T99"])
def test_what_is_no_date_is_wrong_usage_and_shows_the_form(vade: Vade, date: str) -> None:
    ran = vade("list", "--since", date)
    assert ran.code == 2
    assert "2026-03-14" in ran.err


def test_a_range_that_ends_before_it_begins_is_wrong_usage(vade: Vade) -> None:
    ran = vade("search", "x", "--since", "2026-03-15", "--until", "2026-03-14")
    assert ran.code == 2


def test_a_memory_in_a_pipe_is_its_file(vade: Vade, process: Process) -> None:
    identity = vade.add("tea")
    file = vade.file(identity)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n") + b"no line end")
    assert process("show", identity).stdout == file.read_bytes()


def test_a_document_is_shown_by_id_prefix_path_file_name_and_title(vade: Vade) -> None:
    identity = vade.add("tea", "--title", "Green tea")
    path = vade.file(identity).relative_to(vade.root).as_posix()
    for reference in (identity, identity[:12].lower(), path, Path(path).name, "Green tea"):
        assert vade.json("show", reference)["id"] == identity


def test_a_fragment_that_could_be_several_is_never_guessed(vade: Vade) -> None:
    vade.add("a", "--title", "alpha-roadmap")
    vade.add("b", "--title", "alpha-roadmap-old")
    ran = vade("show", "road")
    assert ran.code == 4
    assert "alpha-roadmap-old" in ran.err


def test_a_session_prints_its_turns(vade: Vade) -> None:
    vade("append", "--new", "--title", "Talk", "Hello", "--speaker", "Mara")
    vade("append", "Talk", "Hi there", "--role", "assistant")
    out = vade("show", "Talk").out
    assert out.index("Mara (user)") < out.index("Hello") < out.index("assistant")
    assert out.index("assistant") < out.index("Hi there")


def test_a_cited_turn_is_shown_between_its_neighbours(vade: Vade) -> None:
    vade("append", "--new", "--title", "Talk", "turn 1")
    for number in range(2, 9):
        vade("append", "Talk", f"turn {number}")
    session = vade.json("show", "Talk")["id"]
    shown = vade.json("show", f"{session}#5")
    assert [part["text"] for part in shown["passages"]] == [f"turn {n}" for n in range(3, 8)]
    assert [part["id"] for part in shown["passages"] if part["cited"]] == [f"{session}#5"]
    out = vade("show", "Talk#1").out
    assert "> #1" in out
    assert "turn 3" in out
    assert "turn 4" not in out


def test_the_citation_of_a_hit_is_shown(vade: Vade) -> None:
    vade.add("# Tea\n\nGreen.\n\n## Kettle\n\nIt leaks.\n")
    citation = vade.json("search", "kettle")["hits"][0]["id"]
    shown = vade.json("show", citation)
    (cited,) = [part for part in shown["passages"] if part["cited"]]
    assert cited["text"] == "It leaks."


def test_a_passage_that_is_not_there_names_those_that_are(vade: Vade) -> None:
    identity = vade.add("one section")
    ran = vade("show", f"{identity}#99")
    assert ran.code == 3
    assert "'99'" in ran.err
    assert "#1" in ran.err


def test_a_name_with_a_number_sign_is_no_citation(vade: Vade) -> None:
    home = vade.root / "personal" / "memories"
    (home / "a#b & [c].md").write_text("odd name", encoding="utf-8")
    (home / "a.md").write_text("plain name", encoding="utf-8")
    assert vade.json("show", "a#b & [c].md")["body"] == "odd name"


def test_a_list_goes_on_where_it_stopped(vade: Vade) -> None:
    ids = {
        vade.add(f"note {number}", "--event-at", f"2026-03-{number:02}") for number in range(1, 8)
    }
    first = vade.json("list", "--limit", "3")
    second = vade.json("list", "--limit", "3", "--after", first["next"])
    third = vade.json("list", "--limit", "3", "--after", second["next"])
    assert first["total"] == 7
    assert third["next"] is None
    seen = [item["id"] for page in (first, second, third) for item in page["items"]]
    assert len(seen) == 7
    assert set(seen) == ids
    everything = vade.json("list", "--limit", "3", "--all")
    assert [item["id"] for item in everything["items"]] == seen
    assert everything["next"] is None
    assert f"--after {first['next']}" in vade("list", "--limit", "3").err


def test_spaces_are_counted(vade: Vade) -> None:
    vade.add("one")
    vade.add("two", "--space", "project:atlas")
    found = vade.json("spaces")
    assert found["default"] == "personal"
    assert [(one["space"], one["memories"]) for one in found["spaces"]] == [
        ("personal", 1),
        ("project:atlas", 1),
    ]
