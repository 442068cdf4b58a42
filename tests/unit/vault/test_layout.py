"""Names into paths and back."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from vademecum.domain import PERSONAL, DocumentId, Space
from vademecum.errors import InvalidSpace, VaultError
from vademecum.spaces import parse_space
from vademecum.vault import layout

NOW = datetime(2026, 2, 10, tzinfo=UTC)
RESERVED = ["con", "prn", "aux", "nul", "com1", "lpt9", "con.txt", "nul.tar.gz"]


@pytest.mark.parametrize(
    ("space", "folder"),
    [
        ("personal", "personal"),
        ("project:atlas", "project/atlas"),
        ("project:my-app_2.0", "project/my-app_2.0"),
        ("project:gr\u00f6\u00dfe", "project/gr\u00f6sse"),
        ("project:\u65e5\u672c\u8a9e", "project/\u65e5\u672c\u8a9e"),
        ("project:\u0939\u093f\u0902\u0926\u0940", "project/\u0939\u093f\u0902\u0926\u0940"),
        ("project:two words", "project/two%20words"),
        ("project:../x", "project/%2E.%2Fx"),
        ("project:..", "project/%2E%2E"),
        ("project:.hidden", "project/%2Ehidden"),
        ("project:end.", "project/end%2E"),
        ("project:100%", "project/100%25"),
        ("project:con", "project/%63on"),
        ("app:c:\\x", "app/c%3A%5Cx"),
    ],
)
def test_a_space_is_a_folder(space: str, folder: str) -> None:
    assert layout.space_folder(parse_space(space)) == folder


names = st.one_of(
    st.text(min_size=1, max_size=30),
    st.text("./\\:%~ \u00e4\u0301ab", min_size=1, max_size=12),
    st.sampled_from(RESERVED),
)


@given(names)
@example(":\u0300")
@example(".\u0300\u0300x")
def test_a_folder_leads_back_to_its_space_and_nowhere_else(name: str) -> None:
    try:
        space = parse_space(f"project:{name}")
        folder = layout.space_folder(space)
    except InvalidSpace:
        assume(False)
    first, _, second = folder.partition("/")
    assert first == "project"
    assert layout.space_of_folder(first, second) == space
    assert not set(second) & set('/\\:*?"<>|')
    assert not second.startswith(".")
    assert not second.endswith((".", " "))
    assert second.split(".")[0].lower() not in RESERVED
    assert len(second.encode()) <= 255
    # A file system that takes names apart into letters and accents is understood too.
    assert layout.space_of_folder(first, unicodedata.normalize("NFD", second)) == space


def test_a_name_too_long_for_a_folder_is_refused() -> None:
    with pytest.raises(InvalidSpace, match="too long"):
        layout.space_folder(Space("project:" + "\u65e5" * 100))


@pytest.mark.parametrize("folder", ["project/Atlas", "project/two words", "Project/x", "1/x"])
def test_a_folder_spelled_otherwise_is_none_of_a_space(folder: str) -> None:
    first, _, second = folder.partition("/")
    assert layout.space_of_folder(first, second) is None
    assert "rename it" in layout.folder_hint(folder)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Q1/Q2: plan?", "N1-q1-q2-plan.md"),
        ("C:\\temp\\..\\x", "N1-c-temp-x.md"),
        ("../../etc/passwd", "N1-etc-passwd.md"),
        ("  CON  ", "N1-con.md"),
        ("\u7dd1\u8336", "N1-\u7dd1\u8336.md"),
        ("e\u0301te\u0301", "N1-\u00e9t\u00e9.md"),
        ("\u0939\u093f\u0902\u0926\u0940", "N1-\u0939\u093f\u0902\u0926\u0940.md"),
        ("!?", "N1.md"),
        ("", "N1.md"),
        ("\0\n", "N1.md"),
    ],
)
def test_a_title_becomes_a_safe_readable_name(title: str, name: str) -> None:
    path = layout.memory_path(PERSONAL, DocumentId("N1"), title, NOW)
    assert path == PurePosixPath("personal/memories/2026") / name


@given(st.text())
def test_no_title_makes_a_name_that_some_system_refuses(title: str) -> None:
    path = layout.memory_path(PERSONAL, DocumentId("01KC16ABRGNJ648WGYDR08HZDV"), title, NOW)
    assert len(path.parts) == 4
    assert not set(path.name) & set('/\\:*?"<>|\0')
    assert unicodedata.is_normalized("NFC", path.name)
    slug = path.stem.partition("-")[2]
    assert len(slug.encode()) <= 60
    assert not slug.endswith((".", " ", "-"))


def test_a_session_is_filed_by_its_month() -> None:
    path = layout.session_path(Space("project:atlas"), DocumentId("S.1"), NOW)
    assert path == PurePosixPath("project/atlas/sessions/2026-02/S.1.jsonl")
    path = layout.session_path(PERSONAL, DocumentId("con"), NOW)
    assert path.name == "%63on.jsonl"


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "../x.md",
        "personal/../../x.md",
        "/etc/passwd",
        "//x",
        "a\0b",
        ".vademecum/index.db",
        ".VADEMECUM/index.db",
    ],
)
def test_a_path_that_leads_out_of_the_vault_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(VaultError) as caught:
        layout.inside(tmp_path, PurePosixPath(path))
    assert caught.value.hint


def test_a_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("secret")
    root = tmp_path / "v"
    root.mkdir()
    (root / "folder").symlink_to(outside)
    (root / "file.md").symlink_to(outside / "x.md")
    (root / "dangling.md").symlink_to(outside / "none.md")
    for path in ("folder/x.md", "file.md", "dangling.md"):
        with pytest.raises(VaultError, match="symbolic link"):
            layout.inside(root, PurePosixPath(path))


def test_the_vault_itself_may_be_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x.md").write_text("text")
    (tmp_path / "v").symlink_to(tmp_path / "real")
    assert layout.inside(tmp_path / "v", PurePosixPath("x.md")).read_text() == "text"


def test_a_path_is_found_whether_its_accents_are_composed_or_not(tmp_path: Path) -> None:
    folder = tmp_path / "Cafe\u0301"
    folder.mkdir()
    (folder / "e\u0301te\u0301.md").write_text("text")
    found = layout.inside(tmp_path, PurePosixPath("Caf\u00e9/\u00e9t\u00e9.md"))
    assert found.read_text() == "text"


@given(st.text(min_size=1, max_size=30))
def test_whatever_path_is_asked_for_stays_inside(path: str) -> None:
    root = Path("/nowhere/v")
    try:
        found = layout.inside(root, PurePosixPath(path))
    except VaultError:
        return
    assert found.is_relative_to(root)
    assert ".." not in found.relative_to(root).parts
