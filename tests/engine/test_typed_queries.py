"""Whatever somebody types is looked for as words: punctuation, identifiers, every script."""

from __future__ import annotations

import pytest

import vademecum
from vademecum import Note, Query, Unit

WORDS = [
    # punctuation and operators
    ("The client/server split happens in May.", "client/server"),
    ("The client/server split happens in May.", "server"),
    ("We don't ship on Fridays.", "don't ship"),
    ("We don\u2019t ship on Fridays.", "don't"),
    ("Status: amber OR red", "status: amber"),
    ("Status: amber OR red", '"amber'),
    ("Status: amber OR red", "amber OR"),
    ("Status: amber OR red", "amber NOT NEAR("),
    ("Call health.base before deploy.", "health.base"),
    ("Call health.base before deploy.", "health"),
    ("Use parser::tokens in the lexer.", "parser::tokens"),
    ("Set MODE=fast in C:\\lab\\run.ini", "MODE=fast"),
    ("Set MODE=fast in C:\\lab\\run.ini", "C:\\lab\\run.ini"),
    ("Set MODE=fast in C:\\lab\\run.ini", "run.ini"),
    ("The kettle in the north kitchen leaks.", "kitchen kettle"),
    ("The red-team met.", "(red-team OR blue-team) NOT draft"),
    ("Ubuntu 20.04 is on the server.", "20.04"),
    ("Write to a@example.org about it.", "a@example.org"),
    ("The page is docs.example.org now.", "docs.example.org"),
    # scripts
    ("会议改到星期四下午", "星期四"),
    ("会议改到星期四下午", "会"),
    ("请看订单AB12号的状态", "AB12"),
    ("请看订单AB12号的状态", "订单"),
    ("ประชุมวันจันทร์ room 7", "วันจันทร์"),
    ("版本：2.1（稳定）", "稳定"),
    ("版本：2.1（稳定）", "版本"),
    ("版本：２.１（稳定）", "2.1"),
    ("猫の名前はミケです", "猫の名前"),
    ("서울에서 회의를 합니다", "회의"),
    ("मंगलवार को बैठक है", "बैठक"),
    ("الاجتماعُ يوم الخميس", "الاجتماع"),
    ("שָׁלוֹם חברים", "שלום"),
    ("Встреча в четверг", "встречи"),
    ("🎉 at the party", "🎉"),
    # letters without a canonical decomposition, both ways
    ("łódka", "lodka"),
    ("lodka", "łódka"),
    ("Straße", "strasse"),
    ("Strasse", "Straße"),
    ("İstanbul", "istanbul"),
    ("Istanbul", "İstanbul"),
    ("café", "cafe"),
    ("cafe", "café"),
    ("café", "cafe\u0301"),
    ("smørrebrød", "smorrebrod"),
    # forms of a word
    ("She was running along the harbours.", "run harbour"),
    ("Die Häuser am Hafen sind alt und die Boote sind im Hafen.", "Haus Boot"),
]


@pytest.mark.parametrize(("text", "query"), WORDS)
def test_a_note_is_found_by_what_stands_in_it(
    vault: vademecum.Workspace, text: str, query: str
) -> None:
    vault.add("Another thing entirely: pumpernickel.")
    wanted = vault.add(text)
    (hit,) = vault.search(query).hits
    assert hit.document.id == wanted.id


@pytest.mark.parametrize("query", ["AND", "NOT", "NEAR(", "OR NOT", "*:*", "body:", "-", "^tea$"])
def test_operators_of_other_engines_are_words(vault: vademecum.Workspace, query: str) -> None:
    vault.add("Green tea is ready.")
    hits = vault.search(query).hits
    assert [hit.passage.text for hit in hits] == (["Green tea is ready."] if "tea" in query else [])


def test_punctuation_is_part_of_the_meaning(vault: vademecum.Workspace) -> None:
    vault.add("GBs of logs and GBs of traces")
    vault.add("The link carries GB and then s.")
    wanted = vault.add("Link speed is 4 GB/s")
    assert vault.search("GB/s").hits[0].document.id == wanted.id


@pytest.mark.parametrize("query", ["C++", "C#", ".NET", "F#"])
def test_names_of_languages_keep_their_signs(vault: vademecum.Workspace, query: str) -> None:
    for name in ("C", "C#", "C++", ".NET", "F", "F#", "NET"):
        vault.add(Note(text=f"The {name} build is green.", title=f"About {name} today"))
    assert vault.search(query).hits[0].passage.text == f"The {query} build is green."


def test_words_joined_by_a_sign_may_stand_in_different_fields(vault: vademecum.Workspace) -> None:
    wanted = vault.add(Note(text="by Mara", title="Harbour plan"))
    assert [hit.document.id for hit in vault.search("mara.harbour-plan").hits] == [wanted.id]


def test_a_rare_identifier_is_first_among_five_hundred_like_it(vault: vademecum.Workspace) -> None:
    for number in range(500):
        vault.add(f"The gauge ZX-{5000 + number} at the pier reports water levels every minute.")
    wanted = vault.add("Once ZX-4471 was replaced, the levels at the pier looked right again.")
    for query in ("ZX-4471", "gauge ZX-4471 at the pier water levels"):
        assert vault.search(query).hits[0].document.id == wanted.id


def test_a_quoted_phrase_beats_the_same_words_apart(vault: vademecum.Workspace) -> None:
    vault.add("The plan: north first, the kitchen then, north again, a kitchen plan, the kitchen.")
    wanted = vault.add("We had a long talk in the north kitchen about everything and nothing.")
    assert vault.search('"north kitchen"').hits[0].document.id == wanted.id


@pytest.mark.parametrize("unit", list(Unit))
def test_a_query_of_twenty_thousand_characters_is_answered(
    vault: vademecum.Workspace, unit: Unit
) -> None:
    vault.add("The kettle leaks.")
    session = vault.start_session(title="Kettle")
    vault.append(session, [vademecum.Turn(content="kettle")])
    text = " ".join(f"word{number}" for number in range(2500)) + " kettle"
    answer = vault.search(Query(text=text, unit=unit))
    assert any("64 rarest" in skipped.reason for skipped in answer.skipped)
    assert answer.hits
