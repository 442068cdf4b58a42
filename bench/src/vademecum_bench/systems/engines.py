"""Keyword engines as the speed comparison drives them: one corpus of turns, the top k of each."""

from __future__ import annotations

import importlib.util
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from vademecum_bench.corpus import Corpus, Probe, Session, Unit
from vademecum_bench.errors import SystemMissingError
from vademecum_bench.systems.fts5 import Table
from vademecum_bench.systems.ours import Ours, recipe_of
from vademecum_bench.systems.protocol import Built, Progress, spoken

CORPUS = "speed"
PLAIN = "lexical-passage"
"""Our recipe that does what the others do: BM25 of single passages."""

ANSWERED = 10

Search = Callable[[str], object]


class Engine(Protocol):
    """Built once, then asked. Building covers indexing only: the texts are parsed already."""

    def build(self, sessions: Sequence[Session], progress: Progress) -> Built: ...

    def searches(self, limit: int) -> Mapping[str, Search]:
        """What is measured of it, each under the name of its row."""
        ...

    def close(self) -> None: ...


def engines() -> Mapping[str, Callable[[Path], Engine]]:
    """How to start each engine in a folder. SystemMissingError if it is not installed."""
    return {
        "vademecum": OursEngine,
        "fts5": Fts5Engine,
        "tantivy": _tantivy,
        "bm25s": _bm25s,
    }


def texts_of(sessions: Sequence[Session]) -> list[str]:
    return [spoken(turn) for session in sessions for turn in session.turns]


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


class OursEngine:
    """Vademecum: files are written first, and `sync` is timed.

    `vademecum` and `vademecum-lexical` do what the other engines do, from a text to the ids and
    scores of the best `limit`: the first by BM25 of single passages, as they do, the second by
    the recipe that ships, which adds up four views. `vademecum-answer` is the whole call that a
    user waits for: it looks for changed files, and ten hits come with texts and reasons.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._system = Ours(None, folder)

    def build(self, sessions: Sequence[Session], progress: Progress) -> Built:
        corpus = Corpus(id=CORPUS, sessions=tuple(sessions))
        return self._system.ingest([corpus], Unit.TURN, progress)

    def searches(self, limit: int) -> Mapping[str, Search]:
        system = self._system
        plain = recipe_of(PLAIN)
        return {
            "vademecum": lambda text: system.rank(Probe(corpus=CORPUS, text=text), limit, plain),
            "vademecum-lexical": lambda text: system.rank(Probe(corpus=CORPUS, text=text), limit),
            "vademecum-answer": lambda text: system.answer(
                Probe(corpus=CORPUS, text=text), ANSWERED
            ),
        }

    def close(self) -> None:
        self._system.close()


class Fts5Engine:
    """One bare table. It hands back row numbers only."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._file = folder / "fts5.db"
        self._connection = sqlite3.connect(self._file)
        self._table = Table(self._connection, "turns")

    def build(self, sessions: Sequence[Session], progress: Progress) -> Built:
        texts = texts_of(sessions)
        progress("index fts5", 0, 1)
        start = time.perf_counter()
        self._table.fill(texts)
        seconds = time.perf_counter() - start
        progress("index fts5", 1, 1)
        return Built(build_s=seconds, bytes=self._file.stat().st_size)

    def searches(self, limit: int) -> Mapping[str, Search]:
        return {"fts5": lambda text: self._table.search(text, limit)}

    def close(self) -> None:
        self._connection.close()


def _tantivy(folder: Path) -> Engine:
    try:
        from vademecum_bench.systems.tantivy import TantivyEngine
    except ImportError as error:
        raise SystemMissingError("tantivy is not installed") from error
    return TantivyEngine(folder)


def _bm25s(folder: Path) -> Engine:
    if importlib.util.find_spec("numba") is None:
        raise SystemMissingError("numba is not installed")
    try:
        from vademecum_bench.systems.bm25s import Bm25sEngine
    except ImportError as error:
        raise SystemMissingError("bm25s is not installed") from error
    return Bm25sEngine(folder)
