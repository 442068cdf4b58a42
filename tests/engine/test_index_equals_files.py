"""What is gone is not found, what is there is, and counts are what was asked for."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import vademecum
from vademecum import (
    DocumentId,
    Filter,
    MemoryType,
    Note,
    Query,
    Role,
    SessionHeader,
    Turn,
    Unit,
    parse_space,
)


def test_what_was_removed_leaves_no_ghost_in_the_top_ten(vault: vademecum.Workspace) -> None:
    ids = [vault.add(f"The kettle in kitchen {number} leaks.").id for number in range(30)]
    assert len(vault.search(Query(text="kettle leaks", limit=30)).hits) == 30
    for identity in ids[:20]:
        vault.remove(identity)
    hits = vault.search(Query(text="kettle leaks", limit=10)).hits
    assert {hit.document.id for hit in hits} == set(ids[20:])
    assert vault.check().is_clean


def test_a_rebuild_after_removal_knows_nothing_of_the_old_word(vault: vademecum.Workspace) -> None:
    vault.remove(vault.add("zanzibarite").id)
    vault.rebuild()
    assert vault.search("zanzibarite").hits == ()
    assert vault.check().ghosts == ()


def test_a_file_that_comes_back_with_its_id_is_what_was_written_last(
    vault: vademecum.Workspace, tmp_path: Path
) -> None:
    saved = vault.add("the first wording")
    file = vault.root / saved.path
    before = file.read_bytes()
    vault.remove(saved.id)
    assert vault.search("wording").hits == ()
    file.write_bytes(before.replace(b"first", b"second"))
    vault.close()
    with vademecum.open_vault(vault.root) as again:
        (hit,) = again.search("wording").hits
        assert (hit.document.id, "second" in hit.passage.text) == (saved.id, True)


def test_a_hundred_hits_are_a_hundred_and_three_hundred_three_hundred(
    vault: vademecum.Workspace,
) -> None:
    turns = [Turn(content=f"kettle number {number}") for number in range(1000)]
    vault.append(vault.start_session(title="Kitchen"), turns)
    for limit in (1, 100, 300, 1000):
        hits = vault.search(Query(text="kettle", limit=limit)).hits
        assert len({hit.passage.id for hit in hits}) == limit


def test_a_day_is_narrowed_before_the_best_are_chosen(vault: vademecum.Workspace) -> None:
    day = datetime(2026, 5, 4, tzinfo=UTC)
    turns = [
        Turn(
            content="about the dentist" if number == 400 else f"about the harbour {number}",
            time=day + timedelta(minutes=number),
        )
        for number in range(500)
    ]
    turns += [Turn(content="the dentist again", time=day + timedelta(days=2))]
    vault.append(vault.start_session(), turns)
    where = Filter(since=day, until=day + timedelta(days=1))
    (hit,) = vault.search(Query(text="dentist", where=where, limit=1)).hits
    assert hit.passage.text == "about the dentist"


def test_a_star_lists_everything_in_its_range_by_time(vault: vademecum.Workspace) -> None:
    day = datetime(2026, 5, 4, 8, tzinfo=UTC)
    for number in range(12):
        vault.add(Note(text=f"note {number}", event_at=day + timedelta(hours=number)))
    vault.add(Note(text="the day after", event_at=day + timedelta(days=1)))
    where = Filter(since=day, until=day + timedelta(hours=12))
    found = vault.search(Query(text="*", where=where, limit=50)).hits
    listed = vault.list(where=where).items
    assert [hit.document.id for hit in found] == [one.id for one in listed]
    assert [hit.date for hit in found] == [day + timedelta(hours=11 - n) for n in range(12)]


def test_a_list_pages_through_all_there_is(vault: vademecum.Workspace) -> None:
    for number in range(45):
        vault.add(f"note {number}")
    page = vault.list(limit=10)
    pages = [page]
    while page.next is not None:
        page = vault.list(limit=10, after=page.next)
        pages.append(page)
    assert [page.total for page in pages] == [45] * 5
    assert [len(page.items) for page in pages] == [10, 10, 10, 10, 5]
    assert len({one.id for page in pages for one in page.items}) == 45


def test_a_filter_by_type_is_honoured(vault: vademecum.Workspace) -> None:
    vault.add(Note(text="The kettle is green.", type=MemoryType.FACT))
    vault.add(Note(text="We chose the green kettle.", type=MemoryType.DECISION))
    where = Filter(types=frozenset({MemoryType.FACT}))
    (hit,) = vault.search(Query(text="green kettle", where=where)).hits
    assert hit.document.type is MemoryType.FACT


@pytest.mark.parametrize("unit", list(Unit))
def test_every_filter_holds_for_every_unit_the_star_and_the_list(
    vault: vademecum.Workspace, unit: Unit
) -> None:
    day = datetime(2026, 5, 4, tzinfo=UTC)
    for number in range(20):
        mine = number % 4 == 0
        vault.add(
            Note(
                text=f"kettle {number}",
                type=MemoryType.FACT if mine else MemoryType.LESSON,
                tags=("kitchen", "mine") if mine else ("kitchen",),
                event_at=day + timedelta(days=number),
            )
        )
        session = vault.start_session(title=f"Talk {number}")
        vault.append(
            session,
            [
                Turn(content="kettle", speaker="Ada" if mine else "Bo", time=day),
                Turn(content="kettle", role=Role.ASSISTANT, time=day + timedelta(days=number)),
            ],
        )
    filters = [
        Filter(types=frozenset({MemoryType.FACT})),
        Filter(tags=frozenset({"mine", "kitchen"})),
        Filter(roles=frozenset({Role.ASSISTANT})),
        Filter(speakers=frozenset({"Ada"})),
        Filter(since=day + timedelta(days=3), until=day + timedelta(days=9)),
    ]
    for where in filters:
        for text in ("kettle", "*"):
            for hit in vault.search(Query(text=text, where=where, unit=unit, limit=100)).hits:
                passage, document = hit.passage, hit.document
                assert not where.types or document.type in where.types
                assert where.tags <= set(document.tags)
                assert not where.roles or passage.role in where.roles
                assert not where.speakers or passage.speaker in where.speakers
                if where.since and where.until:
                    assert hit.date is not None
                    assert where.since <= hit.date < where.until
    assert {one.title for one in vault.list(where=filters[3]).items} == {
        f"Talk {number}" for number in range(0, 20, 4)
    }


def test_two_sessions_written_in_turn_keep_their_own_turns(vault: vademecum.Workspace) -> None:
    first, second = vault.start_session(title="one"), vault.start_session(title="two")
    for number in range(50):
        vault.append(first, [Turn(content=f"one {number}")])
        vault.append(second, [Turn(content=f"two {number}")])
    for identity, word in ((first, "one"), (second, "two")):
        session = vault.show(identity)
        assert isinstance(session, vademecum.Session)
        assert [turn.content for turn in session.turns] == [f"{word} {n}" for n in range(50)]


def test_hyphenated_projects_are_different_spaces(vault: vademecum.Workspace) -> None:
    long, short = parse_space("project:my-app-web"), parse_space("project:my-app")
    vault.add(Note(text="kettle in the web", space=long))
    vault.add(Note(text="kettle in the app", space=short))
    assert [one.space for one in vault.spaces()] == [short, long]
    for space, text in ((long, "kettle in the web"), (short, "kettle in the app")):
        (hit,) = vault.search(Query(text="kettle", spaces=(space,))).hits
        assert hit.passage.text == text


def test_a_poisoned_file_is_listed_and_spares_the_rest(
    vault: vademecum.Workspace, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(199):
        (notes / f"{number}.md").write_text(f"kettle {number}", encoding="utf-8")
    (notes / "bad.md").write_bytes(b"\x00\x01\x02" * 50)
    vault.import_path(notes)
    (problem,) = vault.check().problems
    assert (problem.path.stem, problem.message) == (
        "bad",
        "the file holds NUL bytes; is it really text?",
    )
    assert len(vault.search(Query(text="kettle", limit=500)).hits) == 199


def test_more_documents_than_a_database_takes_variables(vault: vademecum.Workspace) -> None:
    header = [SessionHeader(id=DocumentId(f"s-{number}")) for number in range(1200)]
    vault.import_sessions((one, [Turn(content="kettle")]) for one in header)
    where = Filter(documents=frozenset(one.id for one in header[:1150]))
    query = Query(text="kettle", where=where, limit=2000)
    assert len(vault.search(query).hits) == 1150
    assert vault.list(where=where, limit=5).total == 1150


def test_an_index_does_not_grow_with_edits(vault: vademecum.Workspace) -> None:
    saved = [vault.add(f"kettle {number} " + "words of the note " * 40) for number in range(20)]
    vault.sync()
    first = vault.stats().index_bytes
    for turn in range(40):
        for one in saved:
            file = vault.root / one.path
            file.write_bytes(file.read_bytes() + f"{turn}\n".encode())
        vault.sync()
    assert vault.stats().index_bytes < 3 * first + 200_000


def test_an_index_of_another_schema_is_made_anew(vault: vademecum.Workspace) -> None:
    vault.add("kettle")
    vault.sync()
    vault.close()
    db = sqlite3.connect(vault.root / ".vademecum" / "index.db")
    db.execute("pragma user_version = 999")
    db.execute("drop table segments")
    db.commit()
    db.close()
    with vademecum.open_vault(vault.root) as again:
        assert len(again.search("kettle").hits) == 1
        assert again.check().is_clean


def test_an_index_that_was_deleted_comes_back_with_the_same_scores(
    vault: vademecum.Workspace,
) -> None:
    for number in range(10):
        vault.add(f"kettle {'leaks ' * number}")
    before = vault.search("kettle leaks").hits
    vault.close()
    shutil.rmtree(vault.root / ".vademecum")
    with vademecum.open_vault(vault.root) as again:
        assert again.search("kettle leaks").hits == before
