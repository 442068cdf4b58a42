"""The lexical channel: its tables, and the evidence it has for a question."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vademecum.analysis import MOST_WORDS, Analyzer, Question
from vademecum.channels.lexical.builder import Builder, Vocabulary
from vademecum.channels.lexical.evidence import LexicalEvidence, Occurrences
from vademecum.channels.lexical.lengths import Lengths
from vademecum.channels.lexical.postings import PostingList, pack, unpack
from vademecum.domain import Bm25, ChannelName, Field
from vademecum.store import Part, Snapshot

NAME: Final = ChannelName("lexical")

_SCHEMA: Final = """
create table postings (
    segment integer not null,
    term text not null,
    field integer not null,
    data blob not null,
    primary key (segment, term, field)
) without rowid;

create table lengths (
    segment integer not null,
    field integer not null,
    data blob not null,
    primary key (segment, field)
) without rowid;
"""

_FIELDS: Final = tuple(Field)
_DOCUMENT_WIDE: Final = (Field.TITLE, Field.TAGS)
_MOST_VARIABLES: Final = 500
_DENSE: Final = 50


class LexicalChannel:
    """BM25 over packed postings, held in the index's own SQLite file."""

    name = NAME
    schema = _SCHEMA

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._vocabulary = Vocabulary(analyzer)
        self._lengths: dict[int, dict[Field, NDArray[np.int64]]] = {}
        self._held: tuple[int, Lengths] | None = None

    @property
    def fingerprint(self) -> str:
        """Changes whenever terms stored before can't be looked up any more."""
        return f"lexical-1 {self._analyzer.fingerprint}"

    # --- index side ------------------------------------------------------------------------

    def builder(self) -> Builder:
        if self._vocabulary.is_full():
            self._vocabulary.forget()
        return Builder(self._vocabulary)

    def write(self, connection: sqlite3.Connection, segment: int, builder: Builder) -> None:
        """Store everything a builder collected."""
        rows: list[tuple[str, int, bytes]] = []
        for part in builder.fields():
            number = _FIELDS.index(part.field)
            _write_lengths(connection, segment, number, part.lengths)
            rows.extend(
                (term, number, blob) for term, blob in zip(part.terms, part.blobs, strict=True)
            )
        rows.sort(key=lambda row: row[:2])
        connection.executemany(f"insert into postings values ({segment}, ?, ?, ?)", rows)

    def merge(self, connection: sqlite3.Connection, parts: Sequence[Part], into: int) -> None:
        """Join posting lists under the new numbers; what was deleted leaves no trace."""
        new_number = {part.segment: part for part in parts}
        holes = ",".join("?" * len(parts))
        rows = connection.execute(
            f"select term, field, segment, data from postings where segment in ({holes})"
            " order by term, field, segment",
            [part.segment for part in parts],
        )
        merged: list[tuple[int, str, int, bytes]] = []
        gathered: list[PostingList] = []
        key: tuple[str, int] | None = None

        def finish() -> None:
            if key is None or not any(map(len, gathered)):
                return
            ordinals = np.concatenate([posting.ordinals for posting in gathered])
            counts = np.concatenate([posting.counts for posting in gathered]).astype(np.int64)
            merged.append((into, *key, pack(ordinals, counts)))

        for term, field, segment, data in rows:
            if key != (term, field):
                finish()
                key, gathered = (term, field), []
            part = new_number[segment]
            wide = _FIELDS[field] in _DOCUMENT_WIDE
            gathered.append(_renumbered(unpack(data), part.documents if wide else part.passages))
        finish()
        connection.executemany("insert into postings values (?, ?, ?, ?)", merged)

        for number, field in enumerate(_FIELDS):
            kept = []
            for part in parts:
                numbers = part.documents if field in _DOCUMENT_WIDE else part.passages
                kept.append(_read_lengths(connection, part.segment)[field][numbers >= 0])
            _write_lengths(connection, into, number, np.concatenate(kept))

    def drop(self, connection: sqlite3.Connection, segment: int) -> None:
        connection.execute("delete from postings where segment = ?", [segment])
        connection.execute("delete from lengths where segment = ?", [segment])
        self._lengths.pop(segment, None)

    # --- search side -----------------------------------------------------------------------

    def evidence(
        self, connection: sqlite3.Connection, snapshot: Snapshot, question: Question, bm25: Bm25
    ) -> LexicalEvidence:
        """Where the words of a question occur in a snapshot, ready to be scored."""
        lists = _look_up(connection, snapshot, [t for word in question.words for t in word.terms])
        occurrences = [
            Occurrences(word, {field: _joined(lists, word.terms, field) for field in Field})
            for word in question.words
        ]
        found = [word for word in occurrences if word.found()]
        if len(found) > MOST_WORDS:
            rarest = sorted(found, key=Occurrences.size)[:MOST_WORDS]
            found = [word for word in found if word in rarest]
        return LexicalEvidence(snapshot, self._lengths_of(connection, snapshot), found, bm25)

    def _lengths_of(self, connection: sqlite3.Connection, snapshot: Snapshot) -> Lengths:
        if self._held is not None and self._held[0] == id(snapshot):
            return self._held[1]
        for placed in snapshot.segments:
            if placed.id not in self._lengths:
                self._lengths[placed.id] = _read_lengths(connection, placed.id)
        by_field = {
            field: np.concatenate(
                [np.empty(0, np.int64), *(self._lengths[p.id][field] for p in snapshot.segments)]
            )
            for field in Field
        }
        lengths = Lengths(snapshot, by_field)
        self._held = (id(snapshot), lengths)
        return lengths


_Lists = dict[tuple[str, Field], list[PostingList]]


def _look_up(connection: sqlite3.Connection, snapshot: Snapshot, terms: Iterable[str]) -> _Lists:
    """The posting lists of some terms, in the numbers of the snapshot, without the deleted."""
    wanted = sorted(set(terms))
    found: _Lists = defaultdict(list)
    for start in range(0, len(wanted), _MOST_VARIABLES):
        some = wanted[start : start + _MOST_VARIABLES]
        statement = (
            "select term, field, data from postings where segment = ?"
            f" and term in ({','.join('?' * len(some))})"
        )
        for placed in snapshot.segments:
            for term, number, data in connection.execute(statement, [placed.id, *some]):
                field = _FIELDS[number]
                wide = field in _DOCUMENT_WIDE
                posting = unpack(data)
                posting.ordinals[:] += placed.first_document if wide else placed.first_passage
                live = snapshot.live_documents if wide else snapshot.live
                if live is not None:
                    keep = live[posting.ordinals]
                    posting = PostingList(posting.ordinals[keep], posting.counts[keep])
                found[term, field].append(posting)
    return found


def _joined(lists: _Lists, terms: Sequence[str], field: Field) -> PostingList | None:
    """One posting list for all the forms of a word; None if it does not occur."""
    per_term = [lists[term, field] for term in terms if (term, field) in lists]
    if not per_term:
        return None
    if len(per_term) == 1:
        parts = per_term[0]
        if len(parts) == 1:
            return parts[0] if len(parts[0]) else None
    ordinals = np.concatenate([part.ordinals for parts in per_term for part in parts])
    counts = np.concatenate([part.counts for parts in per_term for part in parts])
    if len(per_term) > 1 and len(ordinals):
        if len(ordinals) * _DENSE < ordinals.max():
            ordinals, inverse = np.unique(ordinals, return_inverse=True)
            counts = np.bincount(inverse, counts)
        else:
            # To add up in an array of all passages takes less time than to sort so many.
            totals = np.bincount(ordinals, counts)
            ordinals = np.flatnonzero(totals)
            counts = totals[ordinals]
    return PostingList(ordinals, counts) if len(ordinals) else None


def _renumbered(posting: PostingList, numbers: NDArray[np.int64]) -> PostingList:
    moved = numbers[posting.ordinals]
    keep = moved >= 0
    return PostingList(moved[keep], posting.counts[keep])


def _write_lengths(
    connection: sqlite3.Connection, segment: int, field: int, lengths: NDArray[np.int64]
) -> None:
    connection.execute(
        "insert into lengths values (?, ?, ?)", [segment, field, _packed_lengths(lengths)]
    )


def _read_lengths(connection: sqlite3.Connection, segment: int) -> dict[Field, NDArray[np.int64]]:
    rows = connection.execute("select field, data from lengths where segment = ?", [segment])
    return {_FIELDS[field]: _unpacked_lengths(data) for field, data in rows}


def _packed_lengths(lengths: NDArray[np.int64]) -> bytes:
    """A byte for the width of a number, then the numbers, or just how many zeros there are."""
    highest = int(lengths.max(initial=0))
    if not highest:
        # Most fields of most segments are empty throughout.
        return b"\0" + len(lengths).to_bytes(4, "little")
    width = 1 if highest <= 0xFF else 2 if highest <= 0xFFFF else 4
    return bytes([width]) + lengths.astype(f"<u{width}").tobytes()


def _unpacked_lengths(data: bytes) -> NDArray[np.int64]:
    if not data[0]:
        return np.zeros(int.from_bytes(data[1:], "little"), np.int64)
    return np.frombuffer(data, f"<u{data[0]}", offset=1).astype(np.int64)
