"""Taking in what was written elsewhere, once and again."""

from __future__ import annotations

from pathlib import Path

import pytest

import vademecum
from vademecum import DocumentId, Session, SessionHeader, Turn, parse_space

SPOKEN = [Turn(content=f"turn {number} about the kettle") for number in range(4)]
HEADER = SessionHeader(id=DocumentId("talk-1"), title="Kitchen")


def _spoken(vault: vademecum.Workspace) -> list[str]:
    session = vault.show("talk-1")
    assert isinstance(session, Session)
    return [turn.content for turn in session.turns]


def test_a_session_that_grew_elsewhere_grows_here(vault: vademecum.Workspace) -> None:
    assert vault.import_sessions([(HEADER, SPOKEN[:2])]).stored == 1
    assert vault.import_sessions([(HEADER, SPOKEN)]).updated == 1
    assert vault.import_sessions([(HEADER, SPOKEN)]).unchanged == 1
    assert _spoken(vault) == [turn.content for turn in SPOKEN]


def test_a_session_that_grew_here_is_left_alone(vault: vademecum.Workspace) -> None:
    vault.import_sessions([(HEADER, SPOKEN)])
    assert vault.import_sessions([(HEADER, SPOKEN[:2])]).unchanged == 1
    assert len(_spoken(vault)) == 4


def test_a_session_with_other_turns_is_skipped_and_said_to_be(vault: vademecum.Workspace) -> None:
    vault.import_sessions([(HEADER, SPOKEN)])
    report = vault.import_sessions([(HEADER, [Turn(content="something else")])])
    (problem,) = report.skipped
    assert "talk-1" in problem.message
    assert len(_spoken(vault)) == 4


def test_a_folder_is_imported_once_however_often_it_is_asked_for(
    vault: vademecum.Workspace, tmp_path: Path
) -> None:
    source = tmp_path / "obsidian"
    (source / "deep").mkdir(parents=True)
    (source / "plain.md").write_text("# Kettle\n\nIt leaks.\n", encoding="utf-8")
    (source / "deep" / "mine.md").write_text("---\nmood: calm\n---\nGreen tea.\n", encoding="utf-8")
    first, second = vault.import_path(source), vault.import_path(source)
    assert (first.read, first.stored, first.unchanged) == (2, 2, 0)
    assert (second.read, second.stored, second.unchanged) == (2, 0, 2)
    (source / "plain.md").write_text("# Kettle\n\nIt sings.\n", encoding="utf-8")
    third = vault.import_path(source)
    assert (third.updated, third.unchanged) == (1, 1)
    assert vault.search("leaks").hits == ()
    assert len(vault.search("sings").hits) == 1
    (mine,) = vault.search("green tea").hits
    assert b"mood: calm" in (vault.root / mine.document.path).read_bytes()


def test_what_was_edited_in_the_vault_is_not_written_over(
    vault: vademecum.Workspace, tmp_path: Path
) -> None:
    source = tmp_path / "note.md"
    source.write_text("It leaks.\n", encoding="utf-8")
    vault.import_path(source)
    (hit,) = vault.search("leaks").hits
    file = vault.root / hit.document.path
    file.write_bytes(file.read_bytes() + b"Mended in May.\n")
    source.write_text("It sings.\n", encoding="utf-8")
    report = vault.import_path(source)
    assert [problem.path.name for problem in report.skipped] == ["note.md"]
    assert b"Mended in May." in file.read_bytes()


def test_ignored_folders_and_files_of_other_kinds_stay_outside(
    vault: vademecum.Workspace, tmp_path: Path
) -> None:
    source = tmp_path / "project"
    for folder in (".git", "node_modules/pkg", ".obsidian", "docs"):
        (source / folder).mkdir(parents=True)
        (source / folder / "kettle.md").write_text(f"kettle in {folder}", encoding="utf-8")
    (source / "kettle.png").write_bytes(b"\x89PNG")
    report = vault.import_path(source)
    assert report.stored == 1
    (hit,) = vault.search("kettle").hits
    assert hit.passage.text == "kettle in docs"


def test_names_with_wildcards_of_sql_mean_themselves(
    vault: vademecum.Workspace, tmp_path: Path
) -> None:
    for name in ("plan_a", "planXa", "100%", "1000"):
        (tmp_path / f"{name}.md").write_text(f"This is {name}.", encoding="utf-8")
        vault.import_path(tmp_path / f"{name}.md")
    for name in ("plan_a", "planXa", "100%", "1000"):
        for reference in (name, f"{name}.md"):
            found = vault.show(reference)
            assert isinstance(found, vademecum.Memory)
            assert found.body == f"This is {name}."


def test_a_piece_of_a_name_is_never_a_guess(vault: vademecum.Workspace, tmp_path: Path) -> None:
    for name in ("alpha-roadmap", "alpha-roadmap-old"):
        (tmp_path / f"{name}.md").write_text(name, encoding="utf-8")
        vault.import_path(tmp_path / f"{name}.md")
    with pytest.raises(vademecum.Ambiguous) as raised:
        vault.show("road")
    assert len(raised.value.candidates) == 2
    with pytest.raises(vademecum.NotFound, match="nothing is called"):
        vault.show("nowhere")


def test_a_note_goes_to_the_default_space_of_the_vault(vault: vademecum.Workspace) -> None:
    atlas = parse_space("project:atlas")
    settings = vault.root / "vademecum.toml"
    vault.close()
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('"personal"', '"project:atlas"', 1), encoding="utf-8")
    with vademecum.open_vault(vault.root) as again:
        saved = again.add("kettle")
        again.append(again.start_session(), SPOKEN)
        (one, *_) = again.search("kettle").hits
        assert one.document.space == atlas
        assert str(saved.path).startswith("project/atlas/")
        assert {stats.space for stats in again.spaces()} == {atlas}
