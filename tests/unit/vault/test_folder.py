"""A vault as a folder."""

from __future__ import annotations

import itertools
import os
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vademecum.domain import (
    PERSONAL,
    Conflict,
    Digest,
    DocumentId,
    DocumentKind,
    Memory,
    Note,
    Saved,
    Session,
    SessionHeader,
    Severity,
    Space,
    Turn,
    Unchanged,
)
from vademecum.errors import InvalidInput, NewerFormat, NotFound, NoVault, VaultError
from vademecum.ports import Loaded, PassageSource, SeenFile
from vademecum.vault import FolderVault
from vademecum.vault.files import digest_of

BOGOTA = timezone(timedelta(hours=-5))
NOW = datetime(2026, 2, 10, 23, 30, 1, 250_000, tzinfo=BOGOTA)
HEADER = SessionHeader(id=DocumentId("S1"), title="Tea", started_at=NOW)
NOTES = PurePosixPath("personal/memories")


def put(vault: FolderVault, name: str, data: bytes) -> PurePosixPath:
    path = NOTES / name
    place = vault.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return path


def load_all(vault: FolderVault) -> dict[str, Loaded]:
    loaded = {file.path: vault.load(file) for file in vault.scan().files}
    return {path: one for path, one in loaded.items() if one is not None}


def sources(loaded: Loaded) -> list[PassageSource]:
    document = loaded.document
    assert document is not None
    return [
        PassageSource(
            str(document.path),
            document.kind,
            document.encoding,
            passage.start,
            passage.length,
            passage.clip,
        )
        for passage in document.passages
    ]


# --- opening --------------------------------------------------------------------------------


def test_a_new_vault_can_be_opened_and_is_empty(tmp_path: Path) -> None:
    FolderVault.create(tmp_path / "new" / "v")
    vault = FolderVault.open(tmp_path / "new" / "v")
    assert vault.settings.policy.default == PERSONAL
    assert vault.scan().files == []
    assert not vault.scan().problems


def test_a_vault_is_not_made_twice(vault: FolderVault) -> None:
    (vault.root / "vademecum.toml").write_text("format = 1 # mine\n")
    with pytest.raises(VaultError, match="a vault already"):
        FolderVault.create(vault.root)
    assert (vault.root / "vademecum.toml").read_text() == "format = 1 # mine\n"


def test_a_vault_can_be_made_in_a_folder_that_holds_other_things(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    vault = FolderVault.create(tmp_path)
    assert (tmp_path / "README.md").read_text() == "mine"
    assert vault.scan().files == []


def test_a_file_in_the_way_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "v").write_text("a file")
    with pytest.raises(VaultError, match="cannot make a vault"):
        FolderVault.create(tmp_path / "v")


@pytest.mark.parametrize("name", ["", "none", "file", "file/below"])
def test_where_there_is_no_vault_none_is_opened(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(NoVault) as caught:
        FolderVault.open(tmp_path / name)
    assert "vade init" in caught.value.hint
    assert not (tmp_path / name / ".vademecum").exists()


def test_a_vault_of_a_newer_format_is_refused_and_left_alone(vault: FolderVault) -> None:
    settings_file = vault.root / "vademecum.toml"
    settings_file.write_text("format = 99\n")
    with pytest.raises(NewerFormat, match="format 99"):
        FolderVault.open(vault.root)
    assert settings_file.read_text() == "format = 99\n"


def test_broken_settings_are_reported_with_their_file_and_line(vault: FolderVault) -> None:
    (vault.root / "vademecum.toml").write_text("format = 1\n]\n")
    with pytest.raises(VaultError, match=r"vademecum\.toml.*line 2"):
        FolderVault.open(vault.root)
    (vault.root / "vademecum.toml").write_bytes(b"\xff")
    with pytest.raises(VaultError, match="cannot read"):
        FolderVault.open(vault.root)


# --- reading --------------------------------------------------------------------------------


def test_a_file_is_loaded_with_its_digest_and_its_passages_read_back(vault: FolderVault) -> None:
    data = "\ufeff# T\u00e9\r\n\r\nGr\u00fcn \U0001f375.\r\n## B\r\nX".encode()
    put(vault, "t.md", data)
    (loaded,) = load_all(vault).values()
    assert loaded.digest == digest_of(data)
    assert not loaded.problems
    assert loaded.document is not None
    texts = [passage.text for passage in loaded.document.passages]
    assert texts == ["Gr\u00fcn \U0001f375.", "X"]
    assert list(vault.read_passages(sources(loaded))) == texts


def test_a_file_that_is_no_utf_8_is_read_as_latin_1(vault: FolderVault) -> None:
    put(vault, "t.md", "Erste\nGr\u00fcner Tee\n".encode("latin-1"))
    (loaded,) = load_all(vault).values()
    assert [(p.line, p.severity) for p in loaded.problems] == [(2, Severity.WARNING)]
    assert loaded.document is not None
    assert loaded.document.passages[0].text == "Erste\nGr\u00fcner Tee"
    assert vault.read_passages(sources(loaded)) == ["Erste\nGr\u00fcner Tee"]


def test_nul_bytes_are_kept_and_reported(vault: FolderVault) -> None:
    put(vault, "t.md", b"a\0b")
    (loaded,) = load_all(vault).values()
    assert [p.severity for p in loaded.problems] == [Severity.WARNING]
    assert vault.read_passages(sources(loaded)) == ["a\0b"]


def test_a_file_that_cannot_be_read_is_an_error_and_hides_no_other(
    vault: FolderVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(vault, "a.md", b"closed")
    put(vault, "b.md", b"open")
    real = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "a.md":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    loaded = load_all(vault)
    closed = loaded[str(NOTES / "a.md")]
    assert closed.document is None
    assert [(p.severity, p.message) for p in closed.problems] == [
        (Severity.ERROR, "cannot be read: Permission denied")
    ]
    assert loaded[str(NOTES / "b.md")].document is not None


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permissions_is_an_error(vault: FolderVault) -> None:
    path = put(vault, "a.md", b"closed")
    (vault.root / path).chmod(0)
    (loaded,) = load_all(vault).values()
    assert loaded.document is None
    assert [p.severity for p in loaded.problems] == [Severity.ERROR]


def test_a_file_that_has_gone_since_the_scan_is_none(vault: FolderVault) -> None:
    path = put(vault, "a.md", b"text")
    (file,) = vault.scan().files
    (vault.root / path).unlink()
    assert vault.load(file) is None


def test_a_file_that_became_a_link_since_the_scan_is_not_followed(
    vault: FolderVault, tmp_path: Path
) -> None:
    path = put(vault, "a.md", b"text")
    (file,) = vault.scan().files
    (tmp_path / "secret").write_text("secret")
    (vault.root / path).unlink()
    (vault.root / path).symlink_to(tmp_path / "secret")
    loaded = vault.load(file)
    assert loaded is not None
    assert loaded.document is None
    assert "symbolic link" in loaded.problems[0].message


def test_a_known_file_is_not_looked_into_again(vault: FolderVault) -> None:
    put(vault, "a.md", b"text")
    (file,) = vault.scan().files
    loaded = vault.load(file, known=digest_of(b"text"))
    assert loaded is not None
    assert loaded.unchanged
    assert loaded.document is None


def test_the_text_of_a_passage_that_is_no_longer_there_is_none(vault: FolderVault) -> None:
    path = put(vault, "a.md", "Gr\u00fcn und mehr".encode())
    (loaded,) = load_all(vault).values()
    (source,) = sources(loaded)
    (vault.root / path).write_bytes(b"short")
    assert vault.read_passages([source]) == [None]
    assert vault.read_passages([replace(source, start=3, length=1, clip=(0, 5))]) == [None]
    (vault.root / path).write_bytes(b"\xff" * 40)
    assert vault.read_passages([source]) == [None]
    (vault.root / path).unlink()
    assert vault.read_passages([source, source]) == [None, None]
    assert vault.read_passages([replace(source, path="../x.md")]) == [None]


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", ".vademecum/index.db", "a/../../x"])
def test_no_verb_leaves_the_vault(vault: FolderVault, path: str) -> None:
    where = PurePosixPath(path)
    with pytest.raises(VaultError):
        vault.read(where)
    with pytest.raises(VaultError):
        vault.write_file(DocumentId("x"), where, b"", expected=None)
    with pytest.raises(VaultError):
        vault.remove(where)
    with pytest.raises(VaultError):
        vault.append(where, [Turn(content="x")], now=NOW)


# --- memories -------------------------------------------------------------------------------


def written(vault: FolderVault, note: Note, now: datetime = NOW) -> Memory:
    space = note.space or PERSONAL
    saved = vault.write(note, space, now=now)
    found = vault.read_document(saved.path, DocumentKind.MEMORY, space)
    assert isinstance(found, Memory)
    assert found.id == saved.id
    return found


def test_a_note_becomes_a_file_of_its_space(vault: FolderVault) -> None:
    found = written(vault, Note(text="Tea.", title="Q1/Q2: plan?", space=Space("project:atlas")))
    assert found.path.parent == PurePosixPath("project/atlas/memories/2026")
    assert found.path.name == f"{found.id}-q1-q2-plan.md"
    assert found.title == "Q1/Q2: plan?"
    assert found.body == "\nTea.\n"
    (file,) = vault.scan().files
    assert file.space == "project:atlas"


def test_the_instant_of_a_note_is_right_whatever_the_zone(vault: FolderVault) -> None:
    assert written(vault, Note(text="x")).created_at == NOW
    after = datetime(2026, 2, 11, 4, 30, 1, 250_000, tzinfo=UTC)
    assert written(vault, Note(text="x"), after).created_at == NOW


def test_creation_stays_when_a_note_is_saved_again_and_again(vault: FolderVault) -> None:
    found = written(vault, Note(text="x"))
    for number in range(5):
        text = found.text + f"{number}\n"
        outcome = vault.write_file(found.id, found.path, text.encode(), expected=found.digest)
        assert isinstance(outcome, Saved)
        again = vault.read_document(found.path, DocumentKind.MEMORY, PERSONAL)
        assert isinstance(again, Memory)
        assert (again.id, again.created_at) == (found.id, NOW)
        found = again


def test_lone_surrogates_are_replaced_wherever_they_stand(vault: FolderVault) -> None:
    found = written(
        vault, Note(text="a\ud800b", title="t\udcff", tags=("x\ud8ff",), author="\udc00")
    )
    assert found.body == "\na\ufffdb\n"
    assert found.title == "t\ufffd"
    assert found.tags == ("x\ufffd",)
    assert found.author == "\ufffd"


@pytest.mark.parametrize("text", ["", " \n", "---\nid: x\n---\n \n"])
def test_an_empty_note_is_refused(vault: FolderVault, text: str) -> None:
    with pytest.raises(InvalidInput):
        vault.write(Note(text=text), PERSONAL, now=NOW)
    assert vault.scan().files == []


def test_a_note_with_front_matter_of_its_own_keeps_it(vault: FolderVault) -> None:
    found = written(vault, Note(text="---\ntitle: Mine\nid: OLD\nodd: 1\n---\nBody"))
    assert found.title == "Mine"
    assert found.id != "OLD"
    assert "odd: 1\n" in found.text
    assert found.body == "Body\n"
    assert found.path.name.endswith("-mine.md")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: bool(text.strip())))
def test_what_is_noted_is_in_the_file_character_for_character(
    vault: FolderVault, text: str
) -> None:
    saved = vault.write(Note(text=text, title="t"), PERSONAL, now=NOW)
    assert (
        vault.read(saved.path)
        .decode()
        .rstrip("\n")
        .endswith(text.removeprefix("\ufeff").rstrip("\n"))
    )


# --- replacing ------------------------------------------------------------------------------


def test_an_edit_that_was_made_meanwhile_is_a_conflict_and_not_lost(vault: FolderVault) -> None:
    path = put(vault, "a.md", b"first")
    seen = digest_of(b"first")
    (vault.root / path).write_bytes(b"edited elsewhere")
    outcome = vault.write_file(DocumentId("a"), path, b"second", expected=seen)
    found = digest_of(b"edited elsewhere")
    assert outcome == Conflict(DocumentId("a"), path, expected=seen, found=found)
    assert vault.read(path) == b"edited elsewhere"


def test_an_edit_in_the_last_moment_is_a_conflict_too(
    vault: FolderVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(vault, "a.md", b"first")
    real = os.fsync

    def edit_meanwhile(descriptor: int) -> None:
        real(descriptor)
        (vault.root / path).write_bytes(b"edited elsewhere")

    monkeypatch.setattr(os, "fsync", edit_meanwhile)
    outcome = vault.write_file(DocumentId("a"), path, b"second", expected=digest_of(b"first"))
    assert isinstance(outcome, Conflict)
    assert vault.read(path) == b"edited elsewhere"


def test_the_same_bytes_again_change_nothing(vault: FolderVault) -> None:
    path = put(vault, "a.md", b"same")
    before = (vault.root / path).stat()
    for expected in (digest_of(b"same"), Digest("another"), None):
        outcome = vault.write_file(DocumentId("a"), path, b"same", expected=expected)
        assert outcome == Unchanged(DocumentId("a"), path)
    after = (vault.root / path).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_file_that_is_to_be_new_replaces_none(vault: FolderVault) -> None:
    path = put(vault, "a.md", b"there")
    assert isinstance(vault.write_file(DocumentId("a"), path, b"new", expected=None), Conflict)
    assert vault.read(path) == b"there"


def test_a_file_that_has_gone_is_not_written_again_behind_the_users_back(
    vault: FolderVault,
) -> None:
    outcome = vault.write_file(DocumentId("a"), NOTES / "a.md", b"x", expected=digest_of(b"y"))
    assert isinstance(outcome, Conflict)
    assert not (vault.root / NOTES / "a.md").exists()


def test_a_removed_file_is_gone_and_cannot_be_removed_again(vault: FolderVault) -> None:
    path = put(vault, "a.md", b"x")
    vault.remove(path)
    assert vault.scan().files == []
    with pytest.raises(NotFound):
        vault.remove(path)
    with pytest.raises(NotFound):
        vault.read(path)


def test_a_disk_that_refuses_is_a_vault_error(vault: FolderVault) -> None:
    (vault.root / NOTES / "a.md").mkdir()
    with pytest.raises(VaultError, match="cannot write"):
        vault.write_file(DocumentId("a"), NOTES / "a.md", b"x", expected=None)


# --- sessions -------------------------------------------------------------------------------


def session(vault: FolderVault, path: PurePosixPath) -> Session:
    found = vault.read_document(path, DocumentKind.SESSION, PERSONAL)
    assert isinstance(found, Session)
    return found


def test_turns_are_numbered_on_and_take_the_time_they_came(vault: FolderVault) -> None:
    path = vault.start_session(HEADER, PERSONAL, now=NOW)
    assert path == PurePosixPath("personal/sessions/2026-02/S1.jsonl")
    early = NOW - timedelta(hours=1)
    first = vault.append(path, [Turn(content="a"), Turn(content="b", time=early)], now=NOW)
    second = vault.append(path, [Turn(content="c", id="x"), Turn(content="d")], now=NOW)
    assert (first.turns, second.turns) == (("1", "2"), ("x", "4"))
    assert first.session == "S1"
    assert [(t.id, t.content, t.time) for t in session(vault, path).turns] == [
        ("1", "a", NOW),
        ("2", "b", early),
        ("x", "c", NOW),
        ("4", "d", NOW),
    ]


def test_appending_never_rewrites_what_is_there(vault: FolderVault) -> None:
    path = vault.start_session(HEADER, PERSONAL, now=NOW)
    contents = [vault.read(path)]
    for text in ("a", "b\nc", "\ud800"):
        vault.append(path, [Turn(content=text)], now=NOW)
        contents.append(vault.read(path))
    assert all(after.startswith(before) for before, after in itertools.pairwise(contents))
    assert [turn.content for turn in session(vault, path).turns] == ["a", "b\nc", "\ufffd"]


def test_the_same_turn_again_is_not_added_twice(vault: FolderVault) -> None:
    path = vault.start_session(HEADER, PERSONAL, now=NOW)
    turns = [Turn(id="a", content="x\ud800"), Turn(id="b", content="y")]
    vault.append(path, turns, now=NOW)
    before = vault.read(path)
    again = vault.append(path, turns, now=NOW + timedelta(days=1))
    assert again.turns == ("a", "b")
    assert vault.read(path) == before


def test_a_turn_with_a_known_id_and_another_content_is_refused_with_all_the_others(
    vault: FolderVault,
) -> None:
    path = vault.start_session(HEADER, PERSONAL, now=NOW)
    vault.append(path, [Turn(id="a", content="x")], now=NOW)
    before = vault.read(path)
    with pytest.raises(InvalidInput, match="'a' is there already"):
        vault.append(path, [Turn(content="new"), Turn(id="a", content="other")], now=NOW)
    twins = [Turn(id="b", content="1"), Turn(id="b", content="2")]
    with pytest.raises(InvalidInput, match="'b' is there already"):
        vault.append(path, twins, now=NOW)
    assert vault.read(path) == before


def test_a_torn_line_is_moved_aside_and_the_session_grows_on(vault: FolderVault) -> None:
    path = vault.start_session(HEADER, PERSONAL, now=NOW)
    vault.append(path, [Turn(content="a")], now=NOW)
    whole = vault.read(path)
    torn = b'{"id": "2", "role": "user", "content": "lo\xc3'
    (vault.root / path).write_bytes(whole + torn)
    appended = vault.append(path, [Turn(content="b")], now=NOW)
    assert appended.repaired
    assert vault.read(path).startswith(whole + b'{"id": "2"')
    assert [turn.content for turn in session(vault, path).turns] == ["a", "b"]
    (moved,) = (vault.derived / "torn").iterdir()
    assert moved.read_bytes() == torn
    assert not vault.append(path, [Turn(content="c")], now=NOW).repaired


def test_a_last_line_that_only_lacks_its_end_is_kept(vault: FolderVault) -> None:
    path = vault.start_session(HEADER, PERSONAL, now=NOW)
    vault.append(path, [Turn(content="a")], now=NOW)
    (vault.root / path).write_bytes(vault.read(path).rstrip(b"\n"))
    appended = vault.append(path, [Turn(content="b")], now=NOW)
    assert not appended.repaired
    assert [turn.content for turn in session(vault, path).turns] == ["a", "b"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=4), st.integers(0, 10_000))
def test_wherever_a_crash_cut_the_file_the_next_append_loses_no_whole_line(
    vault: FolderVault, contents: list[str], cut: int
) -> None:
    identity = DocumentId(f"S{len(vault.scan().files)}")
    path = vault.start_session(replace(HEADER, id=identity), PERSONAL, now=NOW)
    header = len(vault.read(path))
    vault.append(path, [Turn(content=text) for text in contents], now=NOW)
    data = vault.read(path)
    (vault.root / path).write_bytes(data[: header + cut % (len(data) - header + 1)])
    before = session(vault, path).turns
    vault.append(path, [Turn(content="after")], now=NOW)
    after = session(vault, path).turns
    assert after[:-1] == before
    assert after[-1].content == "after"


def test_a_session_is_started_once(vault: FolderVault) -> None:
    path = vault.start_session(HEADER, PERSONAL, now=NOW)
    vault.append(path, [Turn(content="a")], now=NOW)
    with pytest.raises(InvalidInput, match="'S1' already"):
        vault.start_session(HEADER, PERSONAL, now=NOW)
    assert len(session(vault, path).turns) == 1


@pytest.mark.parametrize("identity", ["", "../x", "a/b", "a b", ".x", "x" * 65])
def test_a_session_needs_an_id_that_can_be_one(vault: FolderVault, identity: str) -> None:
    header = replace(HEADER, id=DocumentId(identity))
    with pytest.raises(InvalidInput):
        vault.start_session(header, PERSONAL, now=NOW)
    with pytest.raises(InvalidInput):
        vault.session_file(header, [], PERSONAL, now=NOW)


def test_a_session_without_a_date_is_found_again_in_the_month_it_came(vault: FolderVault) -> None:
    header = SessionHeader(id=DocumentId("S1"))
    turns = [Turn(content="a")]
    path, data = vault.session_file(header, turns, PERSONAL, now=NOW)
    assert path.parent.name == "2026-02"
    assert isinstance(vault.write_file(header.id, path, data, expected=None), Saved)
    later = NOW + timedelta(days=90)
    again, same = vault.session_file(header, turns, PERSONAL, now=later)
    assert (again, same) == (path, data)
    assert isinstance(vault.write_file(header.id, again, same, expected=None), Unchanged)


def test_several_writers_lose_nothing_and_number_every_turn_once(vault: FolderVault) -> None:
    path = vault.start_session(HEADER, PERSONAL, now=NOW)
    acknowledged: list[str] = []

    def write(name: str) -> None:
        mine = FolderVault.open(vault.root)
        for number in range(20):
            appended = mine.append(path, [Turn(content=f"{name}{number}")], now=NOW)
            acknowledged.extend(appended.turns)

    writers = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    turns = session(vault, path).turns
    assert len(turns) == 60
    assert sorted(acknowledged, key=int) == [turn.id for turn in turns]
    assert {turn.content for turn in turns} == {f"{n}{i}" for n in "abc" for i in range(20)}


def test_an_id_made_from_a_moment_and_a_key_is_always_the_same(vault: FolderVault) -> None:
    one = vault.id_for(NOW, "a")
    assert one == vault.id_for(NOW.astimezone(UTC), "a")
    assert one != vault.id_for(NOW, "b")
    assert one < vault.id_for(NOW + timedelta(milliseconds=1), "0")
    assert len(one) == 26


def test_a_file_that_has_outgrown_the_limit_since_the_scan_is_an_error(vault: FolderVault) -> None:
    path = put(vault, "a.md", b"x")
    (file,) = vault.scan().files
    os.truncate(vault.root / path, 16 * 2**20 + 1)
    loaded = vault.load(file)
    assert loaded is not None
    assert loaded.document is None
    assert loaded.problems[0].severity is Severity.ERROR
    assert isinstance(file, SeenFile)
