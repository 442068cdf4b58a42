"""The simplest baseline: how many of the query's words a document has."""

from __future__ import annotations

import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from vademecum_bench.corpus import Corpus, Probe, Unit
from vademecum_bench.systems.protocol import Built, Progress, documents, words


class Grep:
    """Counts the different words of the query that stand in a document; ties by place.

    Whole words, capitals ignored. The words of each document are looked up rather than scanned
    for, which ranks the same; its latency is therefore not that of grep.
    """

    name = "grep"

    def __init__(self) -> None:
        self._units: dict[str, list[str]] = {}
        self._holders: dict[str, dict[str, array[int]]] = {}

    def describe(self) -> Mapping[str, object]:
        return {"name": self.name, "score": "different words of the query in the document"}

    def ingest(self, corpora: Sequence[Corpus], unit: Unit, progress: Progress) -> Built:
        start = time.perf_counter()
        for done, corpus in enumerate(corpora, start=1):
            units: list[str] = []
            holders: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
            for number, (name, text) in enumerate(documents(corpus, unit)):
                units.append(name)
                for word in dict.fromkeys(words(text)):
                    holders[word].append(number)
            self._units[corpus.id] = units
            self._holders[corpus.id] = dict(holders)
            progress("index", done, len(corpora))
        return Built(build_s=time.perf_counter() - start, bytes=0)

    def search(self, probe: Probe, limit: int) -> Sequence[str]:
        holders = self._holders[probe.corpus]
        counts: Counter[int] = Counter()
        for word in dict.fromkeys(words(probe.text)):
            counts.update(holders.get(word, ()))
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        units = self._units[probe.corpus]
        return [units[number] for number, _ in ranked[:limit]]

    def close(self) -> None:
        self._units.clear()
        self._holders.clear()
