"""How long passages, windows and documents are, in terms, and on average."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vademecum.domain import Bm25, Field, View
from vademecum.store import Snapshot

NEIGHBOURS: Final = 2
"""Passages before and after that count as context."""

WIDE: Final = (Field.TITLE, Field.TAGS)
"""Fields that belong to the whole document: they count once in every unit of it."""


MOST_FREQUENCIES: Final = 50_000


class Lengths:
    """What BM25 wants to know of a whole snapshot: lengths, numbers and document frequencies."""

    def __init__(self, snapshot: Snapshot, by_field: Mapping[Field, NDArray[np.int64]]) -> None:
        self._snapshot = snapshot
        self._by_field = by_field
        self._held: dict[tuple[View, Bm25], NDArray[np.float64]] = {}
        self._numbers: dict[View, int] = {}
        self._frequencies: dict[Hashable, int] = {}

    def number(self, view: View) -> int:
        """How many units of a view there are."""
        if view not in self._numbers:
            counted = counted_units(self._snapshot, view)
            size = self._snapshot.documents if view is View.DOCUMENT else self._snapshot.passages
            self._numbers[view] = size if counted is None else int(np.count_nonzero(counted))
        return self._numbers[view]

    def frequency(self, key: Hashable, count: Callable[[], int]) -> int:
        """In how many units a word is; counted once in the life of a snapshot.

        Common words, which take the longest to count, are asked for again and again.
        """
        known = self._frequencies.get(key)
        if known is None:
            if len(self._frequencies) >= MOST_FREQUENCIES:
                self._frequencies.clear()
            known = self._frequencies[key] = count()
        return known

    def norms(self, view: View, bm25: Bm25) -> NDArray[np.float64]:
        """BM25's k1 (1 - b + b length / average length) for every unit of a view.

        Units are documents for `View.DOCUMENT` and passages otherwise. It is never quite 0, so
        that it can be divided by even where k1 is.
        """
        key = (view, bm25)
        if key not in self._held:
            lengths, average = self._measure(view, bm25.lengths)
            norms = bm25.k1 * (1 - bm25.b + bm25.b * lengths / average)
            self._held[key] = np.maximum(norms, 1e-300)
        return self._held[key]

    def _measure(self, view: View, fields: frozenset[Field]) -> tuple[NDArray[np.float64], float]:
        """The length of every unit, and the average over those that exist, or 1 if it is 0."""
        snapshot = self._snapshot
        own = self._sum((f for f in fields if f not in WIDE), snapshot.passages)
        wide = self._sum((f for f in fields if f in WIDE), snapshot.documents)
        low, high = ranges(snapshot, view)
        sums = np.concatenate(([0], np.cumsum(own)))
        lengths = sums[high] - sums[low]
        lengths += wide if view is View.DOCUMENT else wide[snapshot.document_of]
        counted = counted_units(snapshot, view)
        total = int(lengths.sum() if counted is None else lengths[counted].sum())
        number = len(lengths) if counted is None else int(counted.sum())
        return lengths.astype(np.float64), (total / number if total else 1.0)

    def _sum(self, fields: Iterable[Field], size: int) -> NDArray[np.int64]:
        total = np.zeros(size, np.int64)
        for field in fields:
            total += self._by_field[field]
        return total


def ranges(snapshot: Snapshot, view: View) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every unit of a view as a range of passages: its first, and the one after its last."""
    if view is View.DOCUMENT:
        return snapshot.starts[:-1], snapshot.starts[1:]
    return range_of(snapshot, view, np.arange(snapshot.passages))


def range_of(
    snapshot: Snapshot, view: View, units: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Some units of a view as ranges of passages."""
    match view:
        case View.DOCUMENT:
            return snapshot.starts[units], snapshot.starts[units + 1]
        case View.NEIGHBOURS:
            documents = snapshot.document_of[units]
            low = np.maximum(units - NEIGHBOURS, snapshot.starts[documents])
            high = np.minimum(units + NEIGHBOURS + 1, snapshot.starts[documents + 1])
            return low, high
        case View.PASSAGE | View.OWN_WORDS:
            return units, units + 1


def around(snapshot: Snapshot, passages: NDArray[np.int64]) -> NDArray[np.int64]:
    """The passages in whose window one of these is: each once, in ascending order."""
    low, high = range_of(snapshot, View.NEIGHBOURS, passages)
    low = np.maximum(low, np.concatenate(([0], high[:-1])))
    sizes = high - low
    first = np.cumsum(sizes) - sizes
    return np.repeat(low - first, sizes) + np.arange(int(sizes.sum()))


def windows_around(snapshot: Snapshot, passages: NDArray[np.int64]) -> int:
    """How many passages `around` would give."""
    low, high = range_of(snapshot, View.NEIGHBOURS, passages)
    low = np.maximum(low, np.concatenate(([0], high[:-1])))
    return int((high - low).sum())


def counted_units(snapshot: Snapshot, view: View) -> NDArray[np.bool_] | None:
    """The units that statistics are made of; None for all of them."""
    if view is View.DOCUMENT:
        return snapshot.live_documents
    if view is View.OWN_WORDS:
        own = snapshot.own_words
        return own if snapshot.live is None else own & snapshot.live
    return snapshot.live
