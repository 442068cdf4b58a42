"""Bare SQLite FTS5: what a program gets that takes the search its database brings along."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from vademecum_bench.corpus import Corpus, Probe, Unit
from vademecum_bench.systems.protocol import Built, Progress, documents, words

TOKENIZER = "porter unicode61"


class Table:
    """One FTS5 table with its default settings, the content stored in it."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        connection.execute(
            f"create virtual table {name} using fts5(text, tokenize = '{TOKENIZER}')"
        )

    def fill(self, texts: Iterable[str]) -> None:
        """Number the texts from 1 on."""
        with self._connection:
            self._connection.executemany(
                f"insert into {self._name} (rowid, text) values (?, ?)",
                enumerate((storable(text) for text in texts), start=1),
            )

    def search(self, text: str, limit: int) -> list[int]:
        """Row numbers by `bm25()`, best first."""
        match = disjunction(text)
        if not match:
            return []
        rows = self._connection.execute(
            f"select rowid, rank from {self._name} where {self._name} match ?"
            " order by rank limit ?",
            (match, limit),
        )
        return [int(row) for row, _ in rows]


def disjunction(text: str) -> str:
    """Each word of the text once, quoted, joined by OR; empty if it has none."""
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(words(text)))


def storable(text: str) -> str:
    """SQLite takes no lone surrogates, which JSON may hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Fts5:
    """A table for each corpus, in one database file."""

    name = "fts5"

    def __init__(self, folder: Path) -> None:
        self._file = folder / "fts5.db"
        self._connection = sqlite3.connect(self._file)
        self._tables: dict[str, Table] = {}
        self._units: dict[str, list[str]] = {}

    def describe(self) -> Mapping[str, object]:
        return {
            "name": self.name,
            "tokenizer": TOKENIZER,
            "query": "any of the words",
            "rank": "bm25()",
        }

    def ingest(self, corpora: Sequence[Corpus], unit: Unit, progress: Progress) -> Built:
        start = time.perf_counter()
        for done, corpus in enumerate(corpora, start=1):
            units: list[str] = []
            texts: list[str] = []
            for name, text in documents(corpus, unit):
                units.append(name)
                texts.append(text)
            self._units[corpus.id] = units
            self._tables[corpus.id] = Table(self._connection, corpus.id)
            self._tables[corpus.id].fill(texts)
            progress("index", done, len(corpora))
        return Built(build_s=time.perf_counter() - start, bytes=self._file.stat().st_size)

    def search(self, probe: Probe, limit: int) -> Sequence[str]:
        units = self._units[probe.corpus]
        return [units[row - 1] for row in self._tables[probe.corpus].search(probe.text, limit)]

    def close(self) -> None:
        self._connection.close()
