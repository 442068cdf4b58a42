"""Keyword engines as the speed comparison drives them: one corpus of turns, the top k of each."""

from __future__ import annotations

import importlib.util
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import vademecum
from vademecum_bench.corpus import Corpus, Probe, Session, Unit
from vademecum_bench.errors import SystemMissingError
from vademecum_bench.systems.fts5 import Table
from vademecum_bench.systems.ours import Ours, recipe_of
from vademecum_bench.systems.protocol import Built, Progress, spoken

CORPUS = "speed"
PLAIN = "lexical-passage"
KEYWORDS = "lexical"
RANKING = "rank"
"""The step of `Answer.timings` between knowing the words and reading the texts of the hits."""


class Engine(Protocol):
    """Built once, then asked. Building covers indexing only: the texts are parsed already."""

    @property
    def name(self) -> str: ...

    def build(self, sessions: Sequence[Session], progress: Progress) -> Built: ...

    def search(self, text: str, limit: int) -> float | None:
        """Milliseconds that ranking alone took, from an engine that says so."""
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
    """Vademecum with BM25 of single passages: files are written first, and `sync` is timed.

    A search does all that it does for anybody: it looks for changed files, reads the text of
    the hits, and explains their scores. The others hand back numbers of documents.
    """

    name = "vademecum"

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        name = PLAIN if PLAIN in vademecum.PRESETS else KEYWORDS
        self._system = Ours(recipe_of(name), folder)

    def build(self, sessions: Sequence[Session], progress: Progress) -> Built:
        corpus = Corpus(id=CORPUS, sessions=tuple(sessions))
        return self._system.ingest([corpus], Unit.TURN, progress)

    def search(self, text: str, limit: int) -> float | None:
        answer = self._system.answer(Probe(corpus=CORPUS, text=text), limit)
        return next((one.milliseconds for one in answer.timings if one.step == RANKING), None)

    def close(self) -> None:
        self._system.close()


class Fts5Engine:
    """One bare table. It hands back row numbers only."""

    name = "fts5"

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

    def search(self, text: str, limit: int) -> float | None:
        self._table.search(text, limit)
        return None

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
