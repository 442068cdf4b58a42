"""With FTS5's parameters and the same tokens, our scores are SQLite FTS5's own."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vademecum
from vademecum import (
    Bm25,
    ChannelName,
    DocumentId,
    Field,
    FieldWeights,
    Idf,
    Note,
    Query,
    Recipe,
    Unit,
    Use,
    View,
)
from vademecum.analysis import Analyzer, analyse
from vademecum.channels.lexical import LexicalChannel
from vademecum.domain import Filter
from vademecum.ports import Scope

# No stemmer changes them, no list calls them function words.
WORDS = [f"qx{number}" for number in range(12)]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=20).map(" ".join)
documents = st.lists(
    st.tuples(texts, texts, st.lists(st.sampled_from(WORDS), max_size=3)), min_size=1, max_size=12
)
weights = st.sampled_from([0.5, 1.0, 2.0, 3.5])


@settings(max_examples=30, deadline=None)
@given(
    documents,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
    weights,
    weights,
    weights,
)
def test_scores_equal_those_of_fts5(
    corpus: list[tuple[str, str, list[str]]],
    asked: list[str],
    title: float,
    body: float,
    tags: float,
) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("create virtual table t using fts5(title, body, tags, tokenize = 'unicode61')")
    rows = [(t, b, " ".join(dict.fromkeys(g))) for t, b, g in corpus]
    db.executemany("insert into t values (?, ?, ?)", rows)
    query = " OR ".join(f'"{word}"' for word in asked)
    expected = {
        int(rowid): -score
        for rowid, score in db.execute(
            "select rowid, bm25(t, ?, ?, ?) from t where t match ?", [title, body, tags, query]
        )
    }
    db.close()

    bm25 = Bm25(
        k1=1.2,
        b=0.75,
        idf=Idf.ROBERTSON,
        weights=FieldWeights(title=title, body=body, tags=tags),
        lengths=frozenset(Field),
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        vademecum.create_vault(Path(folder) / "v") as vault,
    ):
        ids = {}
        for number, (t, b, g) in enumerate(rows, start=1):
            outcome = vault.add(Note(text=b, title=t, tags=tuple(g.split())))
            ids[outcome.id] = number
        vault.sync()
        recipe = Recipe(
            name="oracle",
            passages=(),
            documents=(Use(channel=ChannelName("lexical"), view=View.DOCUMENT),),
            bm25=bm25,
            literal_bonus=0.0,
        )
        with vault._index.reading(Scope((vault.default_space,), Filter())) as reading:
            question = analyse(" ".join(asked), Analyzer(), reading.languages)
            evidence = reading.evidence(LexicalChannel.name, question, bm25)
            assert evidence is not None
            scores = evidence.everywhere(View.DOCUMENT).tolist()
            names = map(DocumentId, reading.document_ids(range(len(scores))))
        ours = {ids[name]: score for name, score in zip(names, scores, strict=True) if score > 0}
        assert ours == pytest.approx(expected, abs=1e-6)
        hits = vault.search(Query(text=" ".join(asked), unit=Unit.DOCUMENT, limit=50), recipe).hits
        assert {ids[hit.document.id] for hit in hits} == set(expected)
