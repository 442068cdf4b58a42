"""Vademecum, through the same public verbs that every user has."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import vademecum
from vademecum_bench import manifest as manifests
from vademecum_bench.blind import unit_id
from vademecum_bench.corpus import Corpus, Probe, Session, Unit
from vademecum_bench.errors import BenchError, DataError
from vademecum_bench.recipes import plain, restored
from vademecum_bench.systems.protocol import Built, Progress

# A turn can be several passages: asking for more of them than turns are wanted saves asking twice.
PASSAGES_PER_TURN = 1.2
MOST_PASSAGES = 2000
MARKER = "built.json"

UNITS = {
    Unit.TURN: vademecum.Unit.PASSAGE,
    Unit.SESSION: vademecum.Unit.SESSION,
    Unit.TEXT: vademecum.Unit.MEMORY,
}


def recipe_of(name: str) -> vademecum.Recipe:
    """The preset of that name, or the recipe in a `.json` file of that name."""
    if not name.endswith(".json"):
        return vademecum.recipe(name)
    try:
        value = json.loads(Path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read the recipe {name!r}: {error}") from error
    return recipe_from(value)


def default_recipe() -> vademecum.Recipe:
    """How the product answers when nobody says how: what an answer says that it used."""
    with TemporaryDirectory() as folder, vademecum.create_vault(Path(folder, "vault")) as vault:
        return vault.search("which recipe").recipe


def recipe_from(value: object) -> vademecum.Recipe:
    """The recipe that a manifest holds as a value."""
    recipe = restored(vademecum.Recipe, value)
    if not isinstance(recipe, vademecum.Recipe):
        raise DataError(f"not a recipe: {value!r}")
    return recipe


class Ours:
    """All corpora of a run in one vault, each as a space of its own.

    Isolation is thereby part of what is measured: a hit from another corpus is an error. A
    folder that holds the finished vault of an earlier run of the same data is used again. No
    recipe means that none is passed: the product decides.
    """

    name = "vademecum"

    def __init__(self, recipe: vademecum.Recipe | None, folder: Path) -> None:
        self._passed = recipe
        self._expected = recipe or default_recipe()
        self._folder = folder
        self._unit = Unit.SESSION
        self._vault: vademecum.Workspace | None = None

    def describe(self) -> Mapping[str, object]:
        described = plain(self._expected)
        assert isinstance(described, dict)
        return described

    def ingest(self, corpora: Sequence[Corpus], unit: Unit, progress: Progress) -> Built:
        self._unit = unit
        root = self._folder / "vault"
        marker = self._folder / MARKER
        if marker.exists():
            self._vault = vademecum.open_vault(root)
            return self._revive(marker, progress)
        # Without the marker it is the remains of an interrupted run.
        shutil.rmtree(root, ignore_errors=True)
        self._vault = vademecum.create_vault(root)
        for done, corpus in enumerate(corpora, start=1):
            self._write(corpus)
            progress("write files", done, len(corpora))
        start = time.perf_counter()
        report = self._vault.sync(progress=lambda done, total: progress("index", done, total))
        seconds = time.perf_counter() - start
        expected = sum(len(corpus.sessions) + len(corpus.texts) for corpus in corpora)
        if report.added != expected:
            # Importing notes has indexed some already: time all of them.
            seconds, report = self._rebuild(progress)
        if report.added != expected:
            raise BenchError(
                f"{expected} documents were written but {report.added} indexed"
                f" ({len(report.problems)} problems, such as {report.problems[:1]})"
            )
        return self._finish(marker, seconds)

    def search(self, probe: Probe, limit: int) -> Sequence[str]:
        if self._unit is not Unit.TURN:
            return self.ask(probe, limit)[:limit]
        # Folding the parts of a turn into it can leave too few: then ask deeper.
        depth = int(limit * PASSAGES_PER_TURN)
        while True:
            found = self.ask(probe, depth)
            turns = list(dict.fromkeys(found))
            if len(turns) >= limit or len(found) < depth or depth >= MOST_PASSAGES:
                return turns[:limit]
            depth = min(2 * depth, MOST_PASSAGES)

    def close(self) -> None:
        if self._vault is not None:
            self._vault.close()

    def ask(self, probe: Probe, limit: int) -> list[str]:
        """One search: the unit of each hit, a turn as often as parts of it were found."""
        answer = self.answer(probe, limit)
        if self._unit is Unit.TURN:
            return [unit_id(hit.document.id, hit.passage.turn) for hit in answer.hits]
        return [str(hit.document.id) for hit in answer.hits]

    def answer(self, probe: Probe, limit: int) -> vademecum.Answer:
        """One search, checked to be of the right space and recipe."""
        query = self._query(probe, limit)
        answer = self._opened().search(query, self._passed)
        if answer.recipe != self._expected:
            raise BenchError(f"answered with {answer.recipe.name}, not {self._expected.name}")
        for hit in answer.hits:
            if hit.document.space not in query.spaces:
                raise BenchError(f"a hit in {probe.corpus} came from {hit.document.space}")
        return answer

    def rank(
        self, probe: Probe, limit: int, recipe: vademecum.Recipe | None = None
    ) -> vademecum.Ranking:
        """Ids and scores alone, from the index as it stands."""
        query = self._query(probe, limit)
        return self._opened().rank(query, recipe or self._passed, fresh=False)

    def _query(self, probe: Probe, limit: int) -> vademecum.Query:
        return vademecum.Query(
            text=probe.text,
            limit=limit,
            spaces=(space_of(probe.corpus),),
            unit=UNITS[self._unit],
            asked_at=probe.asked_at,
        )

    def _opened(self) -> vademecum.Workspace:
        assert self._vault is not None
        return self._vault

    def _write(self, corpus: Corpus) -> None:
        assert self._vault is not None
        space = space_of(corpus.id)
        if corpus.sessions:
            self._vault.import_sessions(map(handed_in, corpus.sessions), space=space)
        if corpus.texts:
            with TemporaryDirectory() as folder:
                for text in corpus.texts:
                    file = Path(folder, f"{text.id}.md")
                    file.write_text(f"---\nid: {text.id}\n---\n{text.text}\n", encoding="utf-8")
                self._vault.import_path(Path(folder), space=space)

    def _revive(self, marker: Path, progress: Progress) -> Built:
        """Take an earlier vault; what its build took is known, or is measured now.

        An index that another version of the engine made is not what this one would make.
        """
        assert self._vault is not None
        remembered = json.loads(marker.read_text(encoding="utf-8"))
        if remembered.get("engine") == manifests.engine_digest() and self._vault.sync().is_quiet:
            return Built(build_s=float(remembered["build_s"]), bytes=int(remembered["bytes"]))
        seconds, _ = self._rebuild(progress)
        return self._finish(marker, seconds)

    def _rebuild(self, progress: Progress) -> tuple[float, vademecum.SyncReport]:
        assert self._vault is not None
        start = time.perf_counter()
        report = self._vault.rebuild(progress=lambda done, total: progress("rebuild", done, total))
        return time.perf_counter() - start, report

    def _finish(self, marker: Path, seconds: float) -> Built:
        assert self._vault is not None
        built = Built(build_s=seconds, bytes=self._vault.stats().index_bytes)
        remembered = {**plain(built), "engine": manifests.engine_digest()}
        marker.write_text(json.dumps(remembered), encoding="utf-8")
        return built


def space_of(corpus: str) -> vademecum.Space:
    return vademecum.parse_space(f"project:{corpus}")


def handed_in(session: Session) -> tuple[vademecum.SessionHeader, list[vademecum.Turn]]:
    """A session as the public API takes it: dates as metadata, never as text."""
    header = vademecum.SessionHeader(
        id=vademecum.DocumentId(session.id), started_at=session.started_at
    )
    turns = [
        vademecum.Turn(
            id=turn.id,
            content=turn.text,
            role=vademecum.Role(turn.role),
            speaker=turn.speaker,
            time=turn.time,
        )
        for turn in session.turns
    ]
    return header, turns
