"""However the files got to be as they are, the index is the one that they alone would give."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import vademecum
from vademecum import Answer, Filter, Note, Query, Role, Turn, Unit, parse_space
from vademecum.store import segments

WORDS = (
    "tea",
    "kettle",
    "harbour",
    "tide",
    "Ines",
    "Mara",
    "8443",
    "health.base",
    "会议",
    "straße",
)
QUERIES = ("tea kettle", "harbour tide port", "health.base", "会议", '"tea kettle"', "Mara deploy")
SPACES = ("personal", "project:atlas", "project:my-app")

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
spaces = st.sampled_from(SPACES)
numbers = st.integers(0, 30)


def answers(vault: vademecum.Workspace) -> list[object]:
    """Everything that a reader can see, scores and reasons bit for bit."""
    seen: list[object] = []
    for space in SPACES:
        for text in QUERIES:
            for unit in (Unit.PASSAGE, Unit.DOCUMENT):
                query = Query(text=text, spaces=(parse_space(space),), unit=unit, limit=8)
                seen.append(essence(vault.search(query)))
        where = Filter(roles=frozenset({Role.ASSISTANT}))
        narrowed = Query(text="tea harbour", spaces=(parse_space(space),), where=where)
        seen.append(essence(vault.search(narrowed)))
        seen.append(vault.list(spaces=(parse_space(space),)).items)
    return seen


def essence(answer: Answer) -> list[object]:
    return [
        (hit.passage, hit.document, hit.score, hit.contributions, hit.highlights)
        for hit in answer.hits
    ]


class GrowingVault(RuleBasedStateMachine):
    """Adds, edits, moves, deletes and appends in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="vade-grow-"))
        self.vault = vademecum.create_vault(self.folder / "vault")
        self.sessions: list[str] = []

    @initialize()
    def begin(self) -> None:
        self.vault.add("tea kettle harbour")

    def files(self) -> list[Path]:
        root = self.folder / "vault"
        return sorted([*root.rglob("memories/**/*.md"), *root.rglob("sessions/**/*.jsonl")])

    @rule(text=texts, space=spaces, tags=st.lists(st.sampled_from(["a", "b"]), max_size=2))
    def add(self, text: str, space: str, tags: list[str]) -> None:
        self.vault.add(Note(text=text, space=parse_space(space), tags=tuple(tags)))

    @rule(text=texts, space=spaces, number=numbers, identity=st.sampled_from(["", "same", "other"]))
    def write_by_hand(self, text: str, space: str, number: int, identity: str) -> None:
        folder = self.folder / "vault" / space.replace(":", "/") / "memories"
        folder.mkdir(parents=True, exist_ok=True)
        front = f"---\nid: {identity}\ntitle: {text[:5]}\n---\n" if identity else ""
        (folder / f"hand-{number % 5}.md").write_text(f"{front}# {text}\n\n{text}\n", "utf-8")

    @rule(text=texts, number=numbers)
    def edit_by_hand(self, text: str, number: int) -> None:
        notes = [file for file in self.files() if file.suffix == ".md"]
        if notes:
            file = notes[number % len(notes)]
            file.write_text(file.read_text("utf-8") + f"\n## More\n\n{text}\n", "utf-8")

    @rule(number=numbers, space=spaces)
    def move(self, number: int, space: str) -> None:
        files = self.files()
        if files:
            file = files[number % len(files)]
            kind = "memories" if file.suffix == ".md" else "sessions"
            target = self.folder / "vault" / space.replace(":", "/") / kind / f"moved-{file.name}"
            target.parent.mkdir(parents=True, exist_ok=True)
            if len(target.name) < 120:
                file.rename(target)

    @rule(number=numbers)
    def delete(self, number: int) -> None:
        files = self.files()
        if files:
            files[number % len(files)].unlink()

    @rule(text=texts, space=spaces)
    def start_session(self, text: str, space: str) -> None:
        session = self.vault.start_session(title=text[:9], space=parse_space(space))
        self.vault.append(session, [Turn(content=text, speaker="Ines")])
        self.sessions.append(session)

    @rule(text=texts, number=numbers, role=st.sampled_from([Role.USER, Role.ASSISTANT]))
    def append(self, text: str, number: int, role: Role) -> None:
        if self.sessions:
            session = self.sessions[number % len(self.sessions)]
            try:
                self.vault.append(session, [Turn(content=text, role=role), Turn(content="tide")])
            except vademecum.NotFound:
                self.sessions.remove(session)

    @rule()
    def sync(self) -> None:
        self.vault.sync()

    @rule()
    def the_index_is_what_a_rebuild_gives(self) -> None:
        grown = answers(self.vault)
        copy = self.folder / "copy"
        shutil.copytree(self.folder / "vault", copy, ignore=shutil.ignore_patterns(".vademecum"))
        try:
            with vademecum.open_vault(copy) as rebuilt:
                rebuilt.rebuild()
                assert grown == answers(rebuilt)
                assert self.vault.check().problems == rebuilt.check().problems
            assert self.vault.check().agrees
        finally:
            shutil.rmtree(copy)

    def teardown(self) -> None:
        try:
            self.the_index_is_what_a_rebuild_gives()
        finally:
            self.vault.close()
            shutil.rmtree(self.folder)


def test_syncing_after_any_changes_answers_like_a_rebuild(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "FAN_OUT", 3)
    monkeypatch.setattr(segments, "SMALLEST", 4)
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        GrowingVault,
        settings=settings(
            max_examples=25,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
