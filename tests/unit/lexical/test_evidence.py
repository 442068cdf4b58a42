"""BM25 at every granularity, against a plain reading of the formula."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.indexes import document, passage, put, remove

from vademecum.analysis import Analyzer, analyse
from vademecum.channels.lexical import LexicalChannel
from vademecum.domain import PERSONAL, Bm25, Document, Field, FieldWeights, Filter, Role, View
from vademecum.fusion import IdsOf
from vademecum.ports import Evidence, Reading, Scope, Scores
from vademecum.store import SqliteIndex

WORDS = [f"qx{number}" for number in range(6)]
BM25 = Bm25(weights=FieldWeights(title=2.0, heading=1.5, tags=3.0, speaker=0.5))
texts = st.lists(st.sampled_from(WORDS), min_size=0, max_size=6).map(" ".join)
few = st.lists(st.sampled_from(WORDS), max_size=2)
roles = st.sampled_from([None, Role.USER, Role.ASSISTANT])


@st.composite
def corpora(draw: st.DrawFn) -> list[Document]:
    found = []
    for number in range(draw(st.integers(1, 7))):
        name = f"d{number}"
        passages = [
            passage(
                name,
                at,
                draw(texts),
                role=draw(roles),
                speaker=" ".join(draw(few)),
                heading=tuple(draw(few)),
            )
            for at in range(draw(st.integers(1, 8)))
        ]
        found.append(
            document(
                name, passages, title=" ".join(draw(few)), tags=tuple(dict.fromkeys(draw(few)))
            )
        )
    return found


@contextmanager
def opened() -> Iterator[SqliteIndex]:
    with tempfile.TemporaryDirectory() as folder:
        index = SqliteIndex(Path(folder), [LexicalChannel(Analyzer())])
        try:
            yield index
        finally:
            index.close()


@contextmanager
def asked(index: SqliteIndex, words: list[str]) -> Iterator[tuple[Reading, Evidence]]:
    with index.reading(Scope((PERSONAL,), Filter())) as reading:
        question = analyse(" ".join(words), Analyzer(), reading.languages)
        evidence = reading.evidence(LexicalChannel.name, question, BM25)
        assert evidence is not None
        yield reading, evidence


def _counts(one: Document, low: int, high: int, word: str) -> dict[Field, int]:
    inside = one.passages[low:high]
    return {
        Field.TITLE: one.title.split().count(word),
        Field.TAGS: list(one.tags).count(word),
        Field.BODY: sum(p.text.split().count(word) for p in inside),
        Field.HEADING: sum(p.heading.count(word) for p in inside),
        Field.SPEAKER: sum(p.speaker.split().count(word) for p in inside),
    }


def _units(corpus: list[Document], view: View) -> list[tuple[Document, int, int] | None]:
    """Document, first and last passage of every unit; None for one that does not count."""
    units: list[tuple[Document, int, int] | None] = []
    for one in corpus:
        size = len(one.passages)
        match view:
            case View.DOCUMENT:
                units.append((one, 0, size))
            case View.PASSAGE:
                units += [(one, at, at + 1) for at in range(size)]
            case View.OWN_WORDS:
                units += [
                    (one, at, at + 1) if one.passages[at].role is not Role.ASSISTANT else None
                    for at in range(size)
                ]
            case View.NEIGHBOURS:
                units += [(one, max(0, at - 2), min(size, at + 3)) for at in range(size)]
    return units


def by_the_formula(corpus: list[Document], words: list[str], view: View) -> list[float]:
    """BM25 with weighted counts, as its definition reads."""
    units = _units(corpus, view)
    counts = [
        None if unit is None else {word: _counts(*unit, word) for word in words} for unit in units
    ]
    lengths = [
        sum(len(p.text.split()) + len(p.heading) for p in unit[0].passages[unit[1] : unit[2]])
        for unit in units
        if unit is not None
    ]
    number = len(lengths)
    average = sum(lengths) / number if sum(lengths) else 1.0
    scores = []
    of_unit = iter(lengths)
    for held in counts:
        if held is None:
            scores.append(0.0)
            continue
        length, total = next(of_unit), 0.0
        for word in words:
            holding = sum(1 for c in counts if c is not None and any(c[word].values()))
            idf = math.log1p((number - holding + 0.5) / (holding + 0.5))
            count = sum(BM25.weights.of(field) * n for field, n in held[word].items())
            norm = BM25.k1 * (1 - BM25.b + BM25.b * length / average)
            total += idf * (BM25.k1 + 1) * count / (count + norm) if count else 0.0
        scores.append(total)
    return scores


ASKED = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True)


@settings(max_examples=40, deadline=None)
@given(corpora(), ASKED)
def test_scores_are_those_of_the_formula(corpus: list[Document], words: list[str]) -> None:
    with opened() as index:
        put(index, corpus)
        with asked(index, words) as (_, evidence):
            for view in View:
                expected = by_the_formula(corpus, words, view)
                assert evidence.everywhere(view).tolist() == pytest.approx(expected)


@settings(max_examples=30, deadline=None)
@given(corpora(), ASKED)
def test_some_units_score_what_they_score_among_all(
    corpus: list[Document], words: list[str]
) -> None:
    with opened() as index:
        put(index, corpus)
        for view in View:
            with asked(index, words) as (reading, evidence):
                size = len(reading.starts) - 1 if view is View.DOCUMENT else reading.starts[-1]
                units = np.arange(size)[::2]
                some = evidence.at(view, units)
                assert some.tolist() == evidence.everywhere(view)[units].tolist()
                parts = sum(evidence.by_field(view, units).values(), np.zeros(len(units)))
                assert parts.tolist() == pytest.approx(some.tolist())


@settings(max_examples=30, deadline=None)
@given(corpora(), ASKED, st.data())
def test_how_an_index_came_to_be_does_not_show(
    corpus: list[Document], words: list[str], data: st.DataObject
) -> None:
    """Many small segments, with deletions and repeated writing, score like one that is new."""
    gone = data.draw(st.sets(st.sampled_from([one.id for one in corpus])))
    again = data.draw(st.sets(st.sampled_from([one.id for one in corpus])))
    left = [one for one in corpus if one.id not in gone]
    with opened() as grown, opened() as new:
        for one in corpus:
            put(grown, [one])
        put(grown, [one for one in corpus if one.id in again])
        for name in gone:
            remove(grown, name)
        put(new, left)
        found = []
        for index in (grown, new):
            with asked(index, words) as (reading, evidence):
                found.append(
                    (
                        _held(evidence.everywhere(View.DOCUMENT), reading.document_ids),
                        _held(evidence.everywhere(View.NEIGHBOURS), reading.passage_ids),
                    )
                )
        assert found[0] == found[1]


def _held(scores: Scores, ids_of: IdsOf) -> dict[str, float]:
    """The units with a score, by their ids."""
    held = np.flatnonzero(scores)
    return dict(zip(ids_of(held.tolist()), scores[held].tolist(), strict=True))


def test_the_words_around_a_passage_count_up_to_the_border_of_its_document() -> None:
    one = document("one", [passage("one", at, "qx1" if at == 0 else "other") for at in range(6)])
    two = document("two", [passage("two", at, "other") for at in range(3)])
    with opened() as index:
        put(index, [one, two])
        with asked(index, ["qx1"]) as (_, evidence):
            held = evidence.everywhere(View.NEIGHBOURS) > 0
            assert held.tolist() == [True] * 3 + [False] * 6
            assert evidence.around(evidence.holders(0)).tolist() == [0, 1, 2]


def test_what_an_assistant_said_is_not_ones_own_words() -> None:
    said = [
        passage("talk", 0, "qx1", role=Role.USER),
        passage("talk", 1, "qx1", role=Role.ASSISTANT),
    ]
    with opened() as index:
        put(index, [document("talk", said)])
        with asked(index, ["qx1"]) as (_, evidence):
            own = evidence.everywhere(View.OWN_WORDS)
            assert (own > 0).tolist() == [True, False]


def test_a_question_longer_than_can_be_scored_is_asked_by_its_rarest_words() -> None:
    common = [f"cx{number}" for number in range(70)]
    rare = [f"rx{number}" for number in range(10)]
    with opened() as index:
        filler = [
            document(f"f{n}", [passage(f"f{n}", 0, " ".join(common))], title="") for n in range(3)
        ]
        put(index, [*filler, document("r", [passage("r", 0, " ".join(rare))])])
        with asked(index, common + rare) as (_, evidence):
            kept = {word.text for word in evidence.words_found()}
            assert set(rare) <= kept
            assert len(kept) == 64
