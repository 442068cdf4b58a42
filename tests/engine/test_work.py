"""How much is done for an answer, in files read: what speed rests on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import vademecum
from vademecum import Filter, Note, Query, Turn
from vademecum.domain import Digest
from vademecum.ports import Loaded, PassageSource, Scan, SeenFile
from vademecum.vault import FolderVault


@dataclass(slots=True)
class Work:
    """What was read from the vault's files since it was last forgotten."""

    scans: int = 0
    loaded: list[str] = field(default_factory=list)
    passages: int = 0

    def forget(self) -> None:
        self.scans, self.passages = 0, 0
        self.loaded.clear()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    done = Work()
    scan, load, read = FolderVault.scan, FolderVault.load, FolderVault.read_passages

    def scanning(self: FolderVault) -> Scan:
        done.scans += 1
        return scan(self)

    def loading(self: FolderVault, file: SeenFile, *, known: Digest | None = None) -> Loaded | None:
        done.loaded.append(file.path)
        return load(self, file, known=known)

    def reading(self: FolderVault, sources: Sequence[PassageSource]) -> Sequence[str | None]:
        done.passages += len(sources)
        return read(self, sources)

    monkeypatch.setattr(FolderVault, "scan", scanning)
    monkeypatch.setattr(FolderVault, "load", loading)
    monkeypatch.setattr(FolderVault, "read_passages", reading)
    return done


@pytest.fixture
def settled(vault: vademecum.Workspace, work: Work) -> vademecum.Workspace:
    """Two hundred notes whose times lie back far enough to be proof that nothing changed."""
    for number in range(200):
        vault.add(f"kettle {number} in the kitchen")
    for file in (vault.root / "personal").rglob("*.md"):
        os.utime(file, (1_700_000_000, 1_700_000_000))
    _age(vault, work)
    return vault


def _age(vault: vademecum.Workspace, work: Work) -> None:
    """Sync as if the files had been changed long ago, which their change times deny."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vademecum.indexing.RACY_NANOSECONDS", 0)
        vault.sync()
        vault.sync()
    work.forget()


def test_where_nothing_changed_nothing_is_listed_or_read(
    settled: vademecum.Workspace, work: Work
) -> None:
    assert settled.sync().is_quiet
    assert settled.list().total == 200
    assert (work.scans, work.loaded, work.passages) == (0, [], 0)


def test_a_search_opens_its_hits_and_nothing_else(settled: vademecum.Workspace, work: Work) -> None:
    assert len(settled.search(Query(text="kettle", limit=7)).hits) == 7
    assert (work.loaded, work.passages) == ([], 7)


def test_a_search_that_finds_nothing_opens_nothing(
    settled: vademecum.Workspace, work: Work
) -> None:
    assert settled.search("heron").hits == ()
    assert (work.scans, work.loaded, work.passages) == (0, [], 0)


def test_ranking_opens_nothing(settled: vademecum.Workspace, work: Work) -> None:
    assert len(settled.rank(Query(text="kettle", limit=50)).places) == 50
    assert (work.scans, work.loaded, work.passages) == (0, [], 0)


def test_one_edit_reads_one_file(settled: vademecum.Workspace, work: Work) -> None:
    file = sorted((settled.root / "personal").rglob("*.md"))[70]
    file.write_bytes(file.read_bytes() + b"and a heron\n")
    (hit,) = settled.search("heron").hits
    assert work.loaded == [str(hit.document.path)]
    assert (settled.root / hit.document.path).samefile(file)


def test_one_file_taken_away_reads_none(settled: vademecum.Workspace, work: Work) -> None:
    sorted((settled.root / "personal").rglob("*.md"))[70].unlink()
    assert settled.list().total == 199
    assert work.loaded == []


def test_an_answer_that_need_not_be_fresh_looks_for_no_changes(
    settled: vademecum.Workspace, work: Work
) -> None:
    settled.add("the heron on the pier")
    assert settled.search("heron", fresh=False).hits == ()
    assert (work.scans, work.loaded) == (0, [])
    assert len(settled.search("heron").hits) == 1
    assert len(settled.search("heron", fresh=False).hits) == 1


def test_a_touched_file_is_read_once_and_analysed_never(
    settled: vademecum.Workspace, work: Work
) -> None:
    file = sorted((settled.root / "personal").rglob("*.md"))[70]
    generation = settled.stats().generation
    os.utime(file, (1_700_000_500, 1_700_000_500))
    work.forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vademecum.indexing.RACY_NANOSECONDS", 0)
        report = settled.sync()
    assert len(work.loaded) == 1
    assert (report.changed, report.added, report.removed) == (0, 0, 0)
    assert settled.stats().generation <= generation + 1


def test_the_number_of_segments_stays_logarithmic(vault: vademecum.Workspace) -> None:
    session = vault.start_session(title="Kitchen")
    for number in range(120):
        vault.append(session, [Turn(content=f"kettle {number}")])
        vault.add(Note(text=f"kettle {number}"))
        vault.sync()
    assert vault.stats().segments <= 16
    where = Filter(documents=frozenset({session}))
    assert len(vault.search(Query(text="kettle", where=where, limit=500)).hits) == 120


def test_importing_the_package_does_nothing_and_loads_nothing_heavy(tmp_path: Path) -> None:
    script = (
        "import sys; before = set(sys.modules); import vademecum;"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "heavy = {'numpy', 'sqlite3', 'Stemmer', 'yaml', 'rich', 'click', 'filelock'};"
        "assert not new & heavy, new & heavy;"
        "assert 'vademecum.workspace' not in sys.modules;"
        "assert callable(vademecum.open_vault)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []
