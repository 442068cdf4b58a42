"""What the words of one question say about the passages of one snapshot: BM25.

Every granularity is a range of passages, so that one set of posting lists serves all of them:
the count of a word in a window or a document is the sum of its counts in the passages there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vademecum.analysis import Word
from vademecum.channels.lexical.lengths import (
    WIDE,
    Lengths,
    around,
    range_of,
    windows_around,
)
from vademecum.channels.lexical.postings import PostingList
from vademecum.domain import Bm25, Field, Idf, View
from vademecum.store import Snapshot

Units = NDArray[np.int64]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where one word of the question occurs, field by field. Absent fields are None."""

    word: Word
    fields: Mapping[Field, PostingList | None]

    def found(self) -> bool:
        return any(posting is not None for posting in self.fields.values())

    def size(self) -> int:
        """How many postings the word has: a measure of how common it is."""
        return sum(len(posting) for posting in self.fields.values() if posting is not None)


class LexicalEvidence:
    """Scores of one question, at every granularity, for any unit."""

    def __init__(
        self,
        snapshot: Snapshot,
        lengths: Lengths,
        occurrences: Sequence[Occurrences],
        bm25: Bm25,
    ) -> None:
        self._snapshot = snapshot
        self._lengths = lengths
        self._bm25 = bm25
        self._counters = [_Counter(snapshot, one, bm25) for one in occurrences]
        self._rarity: dict[View, list[float]] = {}
        self._everywhere: dict[View, Scores] = {}

    def words_found(self) -> tuple[Word, ...]:
        """The words of the question that occur at all."""
        return tuple(counter.word for counter in self._counters)

    def around(self, passages: Units) -> Units:
        """The passages that have one of these among their neighbours, ascending."""
        return around(self._snapshot, passages)

    def holders(self, number: int) -> Units:
        """The passages that hold a word of `words_found`, in ascending order."""
        return self._counters[number].passages()

    def everywhere(self, view: View) -> Scores:
        """The BM25 score of every unit of a view; 0 where no word occurs."""
        known = self._everywhere.get(view)
        if known is not None:
            return known
        snapshot = self._snapshot
        scores = np.zeros(snapshot.documents if view is View.DOCUMENT else snapshot.passages)
        norms = self._lengths.norms(view, self._bm25)
        for counter, idf in zip(self._counters, self._idf(view), strict=True):
            units, counts = counter.everywhere(view)
            scores[units] += self._saturated(idf, counts, norms[units])
        self._everywhere[view] = scores
        return scores

    def at(self, view: View, units: Units) -> Scores:
        """The BM25 score of some units of a view: what `everywhere` has for them."""
        known = self._everywhere.get(view)
        if known is not None:
            return known[units]
        scores = np.zeros(len(units))
        for counter, idf in zip(self._counters, self._idf(view), strict=True):
            scores += self._partial(counter, idf, view, units)
        return scores

    def by_field(self, view: View, units: Units) -> dict[Field, Scores]:
        """How the score of each unit is made up. A word's part is shared out by its counts."""
        shares: dict[Field, Scores] = {}
        for counter, idf in zip(self._counters, self._idf(view), strict=True):
            amounts = self._partial(counter, idf, view, units)
            counts = counter.counts(view, units)
            total = np.maximum(sum(counts.values()), 1e-300)
            for field, count in counts.items():
                shares[field] = shares.get(field, 0.0) + amounts * count / total
        return shares

    def _idf(self, view: View) -> list[float]:
        if view not in self._rarity:
            number = self._lengths.number(view)
            self._rarity[view] = [
                _rarity(self._frequency(counter, view), number, self._bm25.idf)
                for counter in self._counters
            ]
        return self._rarity[view]

    def _frequency(self, counter: _Counter, view: View) -> int:
        """How many units of a view hold a word."""
        return self._lengths.frequency(
            (view, counter.word.terms, counter.fields), lambda: counter.number(view)
        )

    def _partial(self, counter: _Counter, idf: float, view: View, units: Units) -> Scores:
        """What one word adds to the score of each unit."""
        norms = self._lengths.norms(view, self._bm25)[units]
        return self._saturated(idf, counter.weighted(view, units), norms)

    def _saturated(self, idf: float, counts: Scores, norms: Scores) -> Scores:
        """BM25's weight of a count, given k1 (1 - b + b length / average length)."""
        return idf * (self._bm25.k1 + 1) * counts / (counts + norms)


class _Counter:
    """Counts of one word in ranges of passages, field by field."""

    def __init__(self, snapshot: Snapshot, occurrences: Occurrences, bm25: Bm25) -> None:
        self.word = occurrences.word
        self._snapshot = snapshot
        self._weights = bm25.weights
        self._postings = {
            field: posting
            for field, posting in occurrences.fields.items()
            if posting is not None and bm25.weights.of(field) > 0
        }
        self.fields = frozenset(self._postings)
        self._sums: dict[Field, Scores] = {}
        self._passages: Units | None = None

    def passages(self) -> Units:
        """The passages that hold the word in any field, in ascending order."""
        if self._passages is None:
            parts = [
                _passages_of(self._snapshot, posting.ordinals)
                if field in WIDE
                else posting.ordinals
                for field, posting in self._postings.items()
            ]
            if len(parts) == 1:
                self._passages = parts[0]
            else:
                self._passages = np.unique(np.concatenate([np.empty(0, np.int64), *parts]))
        return self._passages

    def everywhere(self, view: View) -> tuple[Units, Scores]:
        """The units of a view that hold the word, ascending, and its weighted count in each."""
        units = self._units(view)
        if len(self._postings) != 1 or view is View.NEIGHBOURS:
            return units, self.weighted(view, units)
        ((field, posting),) = self._postings.items()
        if field in WIDE:
            return units, self.weighted(view, units)
        # The usual case, a word of the body alone, needs no search for what it already has.
        counts = posting.counts
        if view is View.OWN_WORDS:
            counts = counts[self._snapshot.own_words[posting.ordinals]]
        elif view is View.DOCUMENT:
            documents = self._snapshot.document_of[posting.ordinals]
            counts = np.add.reduceat(counts, np.flatnonzero(np.diff(documents, prepend=-1)))
        return units, self._weights.of(field) * counts

    def number(self, view: View) -> int:
        """How many units of a view hold the word."""
        match view:
            case View.NEIGHBOURS:
                return windows_around(self._snapshot, self.passages())
            case View.OWN_WORDS:
                return int(np.count_nonzero(self._snapshot.own_words[self.passages()]))
            case View.DOCUMENT:
                documents = self._snapshot.document_of[self.passages()]
                return int(np.count_nonzero(np.diff(documents))) + bool(len(documents))
            case View.PASSAGE:
                return len(self.passages())

    def _units(self, view: View) -> Units:
        passages = self.passages()
        match view:
            case View.PASSAGE:
                return passages
            case View.OWN_WORDS:
                return passages[self._snapshot.own_words[passages]]
            case View.DOCUMENT:
                documents = self._snapshot.document_of[passages]
                return documents[np.flatnonzero(np.diff(documents, prepend=-1))]
            case View.NEIGHBOURS:
                return around(self._snapshot, passages)

    def counts(self, view: View, units: Units) -> dict[Field, Scores]:
        """The weighted count of the word in each field of each unit."""
        low, high = range_of(self._snapshot, view, units)
        found = {}
        for field, posting in self._postings.items():
            if field in WIDE:
                documents = units if view is View.DOCUMENT else self._snapshot.document_of[units]
                first, last = documents, documents + 1
            else:
                first, last = low, high
            if field not in self._sums:
                self._sums[field] = np.concatenate(([0.0], np.cumsum(posting.counts)))
            sums = self._sums[field]
            ordinals = posting.ordinals
            # Differences of whole numbers are exact, so that they do not depend on what stands
            # before a unit: an index grown by syncing and a rebuilt one give the same bits.
            count = sums[np.searchsorted(ordinals, last)] - sums[np.searchsorted(ordinals, first)]
            if view is View.OWN_WORDS:
                count = np.where(self._snapshot.own_words[units], count, 0.0)
            found[field] = self._weights.of(field) * count
        return found

    def weighted(self, view: View, units: Units) -> Scores:
        """The weighted count of the word in each unit, all fields together."""
        total = np.zeros(len(units))
        for count in self.counts(view, units).values():
            total += count
        return total


def _passages_of(snapshot: Snapshot, documents: Units) -> Units:
    """All passages of some documents, in ascending order."""
    low, high = snapshot.starts[documents], snapshot.starts[documents + 1]
    sizes = high - low
    first = np.cumsum(sizes) - sizes
    return np.repeat(low - first, sizes) + np.arange(int(sizes.sum()))


def _rarity(holding: int, number: int, idf: Idf) -> float:
    match idf:
        case Idf.LUCENE:
            return math.log1p((number - holding + 0.5) / (holding + 0.5))
        case Idf.ROBERTSON:
            return max(math.log((number - holding + 0.5) / (holding + 0.5)), 1e-6)
