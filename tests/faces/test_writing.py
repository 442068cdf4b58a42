"""init, add, append, import, edit and remove, as somebody types them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.faces.conftest import Vade


Editor = Callable[[str], None]


def test_init_says_where_the_vault_is_and_what_to_type_next(vade: Vade, tmp_path: Path) -> None:
    ran = vade("init", str(tmp_path / "my vault"))
    assert ran.code == 0
    assert str(tmp_path / "my vault") in ran.out
    assert ran.out.count("vade --vault ") == 2
    assert "VADEMECUM_VAULT" in ran.out
    assert (tmp_path / "my vault" / "vademecum.toml").is_file()


def test_init_of_a_vault_that_is_one_already_changes_nothing(vade: Vade) -> None:
    ran = vade("init")
    assert ran.code == 6
    assert ran.err.startswith("vade: ")


def test_a_vault_option_stands_before_or_after_the_verb(vade: Vade, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    assert vade("--vault", other, "init").code == 0
    assert vade("add", "an otter", "--vault", other).code == 0
    assert len(vade.json("--vault", other, "search", "otter")["hits"]) == 1
    assert vade.json("search", "otter")["hits"] == []


def test_the_words_of_a_note_are_joined(vade: Vade) -> None:
    made = vade.json("add", "tea", "at", "80", "degrees")
    assert made["outcome"] == "saved"
    assert vade.json("show", made["id"])["body"].strip() == "tea at 80 degrees"
    assert (vade.root / made["path"]).is_file()


def test_a_note_keeps_all_that_is_said_about_it(vade: Vade) -> None:
    identity = vade.add(
        "We moved to Postgres 17.",
        *("--title", "Database", "--type", "decision", "--tag", "db", "--tag", "#ops"),
        *("--space", "project:atlas", "--event-at", "2026-03-14T15:30+01:00"),
        *("--pin", "--importance", "0.7"),
    )
    shown = vade.json("show", identity)
    assert shown["title"] == "Database"
    assert shown["type"] == "decision"
    assert shown["tags"] == ["db", "ops"]
    assert shown["space"] == "project:atlas"
    assert shown["event_at"] == "2026-03-14T15:30:00+01:00"
    assert shown["pinned"] is True
    assert shown["importance"] == 0.7


def test_a_note_is_read_from_a_pipe(vade: Vade) -> None:
    for arguments in (["add"], ["add", "-"]):
        ran = vade(*arguments, "--json", text="käse\n茶\n")
        assert vade.json("show", ran.json["id"])["body"].strip() == "käse\n茶"


def test_a_note_may_come_from_a_utf_16_pipe(vade: Vade) -> None:
    ran = vade("add", "--json", text="grüne Tür".encode("utf-16"))
    assert vade.json("show", ran.json["id"])["body"].strip() == "grüne Tür"


def test_a_pipe_that_is_no_text_is_refused_with_the_byte(vade: Vade) -> None:
    ran = vade("add", text=b"caf\xe9")
    assert ran.code == 2
    assert "0xe9" in ran.err


def test_an_empty_note_is_refused(vade: Vade) -> None:
    ran = vade("add", text=" \n")
    assert ran.code == 2
    assert vade.json("list")["total"] == 0


def test_a_note_is_written_in_the_editor(vade: Vade, editor: Editor) -> None:
    editor("path.write_text('from the editor')")
    made = vade.json("add")
    assert vade.json("show", made["id"])["body"].strip() == "from the editor"


def test_an_editor_that_fails_leaves_the_text(vade: Vade, editor: Editor) -> None:
    editor("path.write_text('precious'); sys.exit(3)")
    ran = vade("add")
    assert ran.code == 2
    kept = Path(ran.err.rsplit(" is in ", 1)[1].strip())
    assert kept.read_text(encoding="utf-8") == "precious"
    kept.unlink()


def test_a_session_is_started_and_goes_on(vade: Vade) -> None:
    first = vade.json("append", "--new", "--title", "Standup", "Good morning.", "--speaker", "Mara")
    assert first["turns"] == ["1"]
    again = vade.json("append", "Standup", "--role", "assistant", text="Good\nmorning, Mara.\n")
    assert again["session"] == first["session"]
    turns = vade.json("show", "Standup")["turns"]
    assert [(turn["role"], turn["speaker"], turn["content"]) for turn in turns] == [
        ("user", "Mara", "Good morning."),
        ("assistant", "", "Good\nmorning, Mara."),
    ]


def test_a_session_may_be_started_without_a_turn(vade: Vade) -> None:
    started = vade.json("append", "--new", "--title", "Later", "--space", "project:atlas")
    assert started["turns"] == []
    assert vade.json("show", started["session"])["space"] == "project:atlas"


def test_the_time_of_a_turn_is_kept(vade: Vade) -> None:
    started = vade.json("append", "--new", "Hello", "--time", "2026-03-14T15:30+01:00")
    (turn,) = vade.json("show", started["session"])["turns"]
    assert turn["time"] == "2026-03-14T15:30:00+01:00"


def test_a_turn_cannot_be_appended_to_a_memory(vade: Vade) -> None:
    identity = vade.add("a memory")
    ran = vade("append", identity, "hello")
    assert ran.code == 2
    assert "is a memory" in ran.err


def test_append_without_a_session_says_how_to_start_one(vade: Vade) -> None:
    ran = vade("append")
    assert ran.code == 2
    assert "--new" in ran.err


def test_an_import_counts_and_a_second_one_changes_nothing(vade: Vade, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "tea.md").write_text("# Tea\nGreen tea.", encoding="utf-8")
    (notes / "talk.jsonl").write_text('{"no": "session"}\n', encoding="utf-8")
    first = vade("import", str(notes), "--json")
    assert first.code == 1, "a file could not be read"
    assert (first.json["read"], first.json["stored"]) == (2, 1)
    (skipped,) = first.json["skipped"]
    assert skipped["path"].endswith("talk.jsonl")
    assert skipped["severity"] == "error"
    (notes / "talk.jsonl").unlink()
    second = vade.json("import", str(notes))
    assert (second["stored"], second["unchanged"], second["skipped"]) == (0, 1, [])


def test_several_paths_are_imported_at_once_into_a_space(vade: Vade, tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"note {name}", encoding="utf-8")
    ran = vade("import", str(tmp_path / "a.md"), str(tmp_path / "b.md"), "--space", "project:atlas")
    assert ran.out == "Read 2: 2 stored, 0 updated, 0 unchanged, 0 skipped.\n"
    assert vade.json("list", "--space", "project:atlas")["total"] == 2


def test_an_import_from_nowhere_is_wrong_usage(vade: Vade, tmp_path: Path) -> None:
    ran = vade("import", str(tmp_path / "nothing"))
    assert ran.code == 2
    assert "nothing" in ran.err


def test_an_edited_body_keeps_its_front_matter_byte_for_byte(vade: Vade) -> None:
    identity = vade.add("old text", "--title", "Tea", "--tag", "tea")
    before = vade.file(identity).read_bytes()
    for arguments, text in ((["--text", "new text"], None), ([], "new text\n")):
        vade.file(identity).write_bytes(before)
        ran = vade("edit", identity, *arguments, text=text)
        assert ran.code == 0, ran.err
        assert vade.file(identity).read_bytes() == before.replace(b"old text\n", b"new text\n")


def test_a_text_with_front_matter_replaces_the_whole_file(vade: Vade) -> None:
    identity = vade.add("old text")
    whole = f"---\nid: {identity}\ntitle: Other\n---\nnew"
    assert vade.json("edit", identity, "--text", whole)["outcome"] == "saved"
    assert vade.file(identity).read_text(encoding="utf-8") == whole


def test_the_editor_gets_the_whole_file(vade: Vade, editor: Editor) -> None:
    identity = vade.add("old text", "--title", "Tea")
    before = vade.file(identity).read_bytes()
    editor("path.write_bytes(path.read_bytes().replace(b'old', b'new'))")
    assert vade.json("edit", identity)["outcome"] == "saved"
    assert vade.file(identity).read_bytes() == before.replace(b"old text\n", b"new text\n")


def test_an_editor_that_changes_nothing_writes_nothing(vade: Vade, editor: Editor) -> None:
    identity = vade.add("text")
    editor("pass")
    assert vade.json("edit", identity)["outcome"] == "unchanged"


def test_a_conflict_loses_neither_text(vade: Vade, editor: Editor) -> None:
    """Somebody else saves while the editor is open."""
    identity = vade.add("old text")
    file = vade.file(identity)
    editor(
        "path.write_text('---\\nid: x\\n---\\nmine')\n"
        f"pathlib.Path({str(file)!r}).write_text('theirs')"
    )
    ran = vade("edit", identity, "--json")
    assert ran.code == 5
    error = json.loads(ran.err)["error"]
    assert error["type"] == "Conflict"
    assert file.read_text(encoding="utf-8") == "theirs"
    copy = Path(error["saved_copy"])
    assert copy.parent == file.parent
    assert copy.read_text(encoding="utf-8").endswith("mine")
    assert vade("check").code == 0, "the copy is not taken for a memory"
    file.write_text(f"---\nid: {identity}\n---\nold", encoding="utf-8")
    again = json.loads(vade("edit", identity, "--json").err)["error"]["saved_copy"]
    assert again != str(copy), "a second copy does not replace the first"


def test_a_memory_is_not_emptied_by_an_empty_pipe(vade: Vade) -> None:
    identity = vade.add("text")
    assert vade("edit", identity, text="").code == 2
    assert "text" in vade.file(identity).read_text(encoding="utf-8")


def test_a_session_is_not_edited(vade: Vade) -> None:
    vade.json("append", "--new", "--title", "Talk", "Hello")
    ran = vade("edit", "Talk", "--text", "x")
    assert ran.code == 2
    assert "vade append" in ran.err


def test_removing_needs_yes_where_nobody_can_be_asked(vade: Vade) -> None:
    identity = vade.add("text")
    ran = vade("remove", identity)
    assert ran.code == 2
    assert "--yes" in ran.err
    assert vade.json("list")["total"] == 1


def test_one_unknown_reference_spares_the_others(vade: Vade) -> None:
    identity = vade.add("text")
    assert vade("remove", identity, "nothing-like-it", "--yes").code == 3
    assert vade.json("list")["total"] == 1


def test_what_is_removed_is_named_once(vade: Vade) -> None:
    identity = vade.add("text")
    removed = vade.json("remove", identity, identity[:12], "-y")["removed"]
    assert [one["id"] for one in removed] == [identity]
    assert vade.json("list")["total"] == 0
