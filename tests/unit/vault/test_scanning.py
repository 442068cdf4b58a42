"""Which files a vault has."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from vademecum.domain import DocumentKind, Severity
from vademecum.vault import FolderVault
from vademecum.vault.scanning import scan


def put(vault: FolderVault, *paths: str) -> None:
    for path in paths:
        place = vault.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("text")


def seen(vault: FolderVault) -> list[str]:
    return [file.path for file in vault.scan().files]


def complaints(vault: FolderVault) -> dict[str, str]:
    return {str(problem.path): problem.message for problem in vault.scan().problems}


def test_memories_and_sessions_of_every_space_are_found_in_order(vault: FolderVault) -> None:
    put(
        vault,
        "project/atlas/sessions/2026-02/s.jsonl",
        "project/atlas/memories/deep/er/still/n.md",
        "personal/memories/b.md",
        "personal/memories/A.MD",
        "app/two%20words/memories/x.md",
    )
    found = vault.scan()
    assert not found.problems
    assert [(file.path, file.kind, file.space) for file in found.files] == [
        ("app/two%20words/memories/x.md", DocumentKind.MEMORY, "app:two words"),
        ("personal/memories/A.MD", DocumentKind.MEMORY, "personal"),
        ("personal/memories/b.md", DocumentKind.MEMORY, "personal"),
        ("project/atlas/memories/deep/er/still/n.md", DocumentKind.MEMORY, "project:atlas"),
        ("project/atlas/sessions/2026-02/s.jsonl", DocumentKind.SESSION, "project:atlas"),
    ]


def test_a_stamp_is_what_the_file_system_says(vault: FolderVault) -> None:
    put(vault, "personal/memories/a.md")
    (file,) = vault.scan().files
    status = (vault.root / "personal/memories/a.md").stat()
    assert file.stamp == (status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def test_names_with_special_characters_are_ordinary_names(vault: FolderVault) -> None:
    names = ["a#b & [c].md", "100% (copy).md", "100%.md", "plan_a.md", "planXa.md", " x .md"]
    put(vault, *(f"personal/memories/{name}" for name in names))
    assert sorted(names) == [path.rpartition("/")[2] for path in seen(vault)]
    assert not complaints(vault)


def test_by_products_of_other_programs_are_ignored_without_a_word(vault: FolderVault) -> None:
    put(
        vault,
        *(
            f"personal/memories/{name}"
            for name in (
                "n.md.tmp",
                ".~lock.n.md#",
                "~$n.md",
                ".n.md",
                "n.md~",
                ".n.md.swp",
                "n.png",
                ".obsidian/x.md",
                ".git/x.md",
                ".trash/x.md",
                "node_modules/x/readme.md",
            )
        ),
        ".vademecum/x.md",
        "README.md",
        ".git/memories/x.md",
        "docs/images/x.png",
        "src/vademecum/x.py",
        "personal/notes.txt",
    )
    assert seen(vault) == []
    assert complaints(vault) == {}


@pytest.mark.parametrize(
    "name",
    [
        "n (conflicted copy).md",
        "n (Mara's conflicted copy 2026-02-10).md",
        "n.sync-conflict-20260210-160200-ABC.md",
        "n (Conflicted Copy host 20).md",
        "n (case conflict).md",
    ],
)
def test_a_conflicting_copy_of_a_sync_tool_is_reported_and_not_read(
    vault: FolderVault, name: str
) -> None:
    put(vault, "personal/memories/n.md", f"personal/memories/{name}")
    assert seen(vault) == ["personal/memories/n.md"]
    assert "conflicting copy" in complaints(vault)[f"personal/memories/{name}"]


def test_a_note_about_conflicts_is_a_note(vault: FolderVault) -> None:
    put(vault, "personal/memories/conflict-of-interest.md", "personal/memories/conflicts (2).md")
    assert len(seen(vault)) == 2
    assert not complaints(vault)


def test_a_file_too_large_to_read_is_an_error(
    vault: FolderVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(vault, "personal/memories/a.md", "personal/memories/b.md")
    os.truncate(vault.root / "personal/memories/a.md", 16 * 2**20 + 1)
    os.truncate(vault.root / "personal/memories/b.md", 16 * 2**20)
    assert seen(vault) == ["personal/memories/b.md"]
    (problem,) = vault.scan().problems
    assert problem.severity is Severity.ERROR
    assert "16,777,217 bytes" in problem.message
    put(vault, "personal/sessions/s.jsonl")
    os.truncate(vault.root / "personal/sessions/s.jsonl", 2**30 + 1)
    assert "personal/sessions/s.jsonl" in complaints(vault)


def test_symbolic_links_are_reported_and_not_followed(vault: FolderVault, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "memories").mkdir(parents=True)
    (outside / "memories" / "x.md").write_text("secret")
    memories = vault.root / "personal/memories"
    (memories / "link.md").symlink_to(outside / "memories/x.md")
    (memories / "folder").symlink_to(outside / "memories")
    (memories / "loop").symlink_to(memories)
    (memories / "picture.png").symlink_to(outside / "memories/x.md")
    (vault.root / "project").mkdir()
    (vault.root / "project/atlas").symlink_to(outside)
    (vault.root / "app").symlink_to(vault.root / "project")
    assert seen(vault) == []
    assert set(complaints(vault)) == {
        "personal/memories/link.md",
        "personal/memories/folder",
        "personal/memories/loop",
        "project/atlas",
        "app",
    }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the platform has no named pipes")
def test_a_pipe_that_would_block_its_reader_is_no_note(vault: FolderVault) -> None:
    os.mkfifo(vault.root / "personal/memories/pipe.md")
    (vault.root / "personal/memories/folder.md").mkdir()
    put(vault, "personal/memories/folder.md/inside.md")
    assert seen(vault) == ["personal/memories/folder.md/inside.md"]
    assert "no ordinary file" in complaints(vault)["personal/memories/pipe.md"]


def test_a_name_is_known_by_its_normal_form(vault: FolderVault) -> None:
    put(vault, "personal/memories/e\u0301te\u0301.md")
    assert seen(vault) == ["personal/memories/\u00e9t\u00e9.md"]
    (file,) = vault.scan().files
    assert vault.load(file) is not None
    assert not complaints(vault)


@pytest.mark.skipif(sys.platform == "darwin", reason="the two names are one file there")
def test_names_that_differ_only_in_composed_accents_are_reported(vault: FolderVault) -> None:
    (vault.root / "personal/memories/\u00e9.md").write_text("composed")
    (vault.root / "personal/memories/e\u0301.md").write_text("apart")
    (file,) = vault.scan().files
    loaded = vault.load(file)
    assert loaded is not None
    assert loaded.document is not None
    assert loaded.document.passages[0].text == "composed"
    assert file.stamp.size == len("composed")
    (problem,) = vault.scan().problems
    assert problem.severity is Severity.ERROR
    assert str(problem.path) == "personal/memories/e\u0301.md"


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode elsewhere")
def test_a_name_that_is_no_unicode_is_reported_in_a_form_that_can_be_shown(
    vault: FolderVault,
) -> None:
    folder = os.fsencode(vault.root / "personal/memories")
    Path(os.fsdecode(folder + b"/gr\xfcn.md")).write_text("text")
    put(vault, "personal/memories/other.md")
    assert seen(vault) == ["personal/memories/other.md"]
    (problem,) = vault.scan().problems
    assert str(problem.path) == "personal/memories/gr\ufffdn.md"
    assert problem.severity is Severity.ERROR


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may list everything")
def test_a_folder_that_cannot_be_listed_is_an_error(vault: FolderVault) -> None:
    put(vault, "personal/memories/closed/x.md", "personal/memories/a.md")
    (vault.root / "personal/memories/closed").chmod(0)
    try:
        assert seen(vault) == ["personal/memories/a.md"]
        assert "cannot be listed" in complaints(vault)["personal/memories/closed"]
    finally:
        (vault.root / "personal/memories/closed").chmod(0o755)


def test_a_listing_that_fails_is_an_error_and_the_rest_is_found(
    vault: FolderVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(vault, "personal/memories/closed/x.md", "personal/memories/a.md")
    real = os.open

    def refuse(path: str, flags: int) -> int:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path, flags)

    monkeypatch.setattr(os, "open", refuse)
    found = scan(str(vault.root))
    assert [file.path for file in found.files] == ["personal/memories/a.md"]
    assert [problem.severity for problem in found.problems] == [Severity.ERROR]


def test_a_note_beside_the_folders_of_its_space_is_reported(vault: FolderVault) -> None:
    put(vault, "personal/x.md", "personal/memories/y.jsonl", "personal/sessions/z.md")
    assert seen(vault) == []
    assert set(complaints(vault)) == {
        "personal/x.md",
        "personal/memories/y.jsonl",
        "personal/sessions/z.md",
    }


def test_a_folder_that_only_looks_like_that_of_a_space_is_reported_with_its_right_name(
    vault: FolderVault,
) -> None:
    put(vault, "project/Two Words/memories/x.md", "project/assets/picture.png")
    assert seen(vault) == []
    assert list(complaints(vault)) == ["project/Two Words"]
    assert "'project/two%20words'" in complaints(vault)["project/Two Words"]


def test_hyphenated_projects_stay_apart(vault: FolderVault) -> None:
    put(vault, "project/my-app-web/memories/a.md", "project/my-app/memories/b.md")
    spaces = {file.path: file.space for file in vault.scan().files}
    assert spaces == {
        "project/my-app-web/memories/a.md": "project:my-app-web",
        "project/my-app/memories/b.md": "project:my-app",
    }


def test_folders_may_be_nested_deeper_than_functions_may(vault: FolderVault) -> None:
    path = vault.root / "personal/memories"
    for _ in range(400):
        path /= "d"
    path.mkdir(parents=True)
    (path / "x.md").write_text("text")
    assert len(seen(vault)) == 1


# --- noticing that nothing changed ----------------------------------------------------------


def test_the_state_is_the_same_as_long_as_nothing_changes(vault: FolderVault) -> None:
    put(vault, "personal/memories/a.md", "project/atlas/sessions/2026-02/s.jsonl")
    before = vault.state()
    assert vault.state() == before
    put(vault, ".vademecum/index.db", ".git/index", "node_modules/x/package.json")
    assert vault.state() == before


def test_every_kind_of_change_changes_the_state(vault: FolderVault) -> None:
    put(vault, "personal/memories/a.md", "personal/memories/b.md")
    states = [vault.state()]

    def changed() -> bool:
        states.append(vault.state())
        return states[-1] not in states[:-1]

    place = vault.root / "personal/memories/a.md"
    status = place.stat()
    place.write_text("TEXT")
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert changed()
    place.write_text("longer text")
    assert changed()
    place.rename(place.with_name("c.md"))
    assert changed()
    (vault.root / "personal/memories/c.md").unlink()
    assert changed()
    put(vault, "app/x/memories/n.md")
    assert changed()
    (vault.root / "personal/memories/b.md").rename(vault.root / "app/x/memories/b.md")
    assert changed()
    (vault.root / "personal/memories/l.md").symlink_to(place)
    assert changed()
