from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vademecum
from vademecum_bench.blind import blind
from vademecum_bench.corpus import Corpus, Dataset, Probe, Session, Text, Turn, Unit
from vademecum_bench.errors import BenchError
from vademecum_bench.systems.catalog import system_for
from vademecum_bench.systems.fts5 import disjunction
from vademecum_bench.systems.ours import Ours, default_recipe, recipe_from
from vademecum_bench.systems.protocol import System, documents


def texts(*contents: str, corpus: str = "c0001") -> Corpus:
    return Corpus(
        id=corpus,
        texts=tuple(Text(id=f"{corpus}-{at}", text=text) for at, text in enumerate(contents)),
    )


def quiet(step: str, done: int, total: int) -> None:
    """Says nothing."""


@pytest.fixture(params=["grep", "fts5", "lexical"])
def system(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[System]:
    found = system_for(request.param, tmp_path)
    yield found
    found.close()


def test_a_question_sees_its_own_corpus_only(system: System) -> None:
    corpora = [texts("green tea", corpus="c0001"), texts("green tea", "coffee", corpus="c0002")]
    system.ingest(corpora, Unit.TEXT, quiet)
    assert system.search(Probe(corpus="c0001", text="green coffee"), 10) == ["c0001-0"]


def test_turns_are_named_by_session_and_turn(system: System) -> None:
    session = Session(
        id="d000001", turns=(Turn(id="t1", text="hello"), Turn(id="t2", text="the parrot"))
    )
    system.ingest([Corpus(id="c0001", sessions=(session,))], Unit.TURN, quiet)
    assert next(iter(system.search(Probe(corpus="c0001", text="parrot"), 10))) == "d000001/t2"


def test_no_unit_comes_twice_and_no_more_than_asked_for(system: System) -> None:
    long = " ".join(f"The parrot said word {number}." for number in range(2000))
    turns = tuple(Turn(id=f"t{at}", text=long if at == 1 else "parrot") for at in range(1, 9))
    system.ingest(
        [Corpus(id="c0001", sessions=(Session(id="d000001", turns=turns),))], Unit.TURN, quiet
    )
    found = system.search(Probe(corpus="c0001", text="parrot"), 5)
    assert len(found) == len(set(found)) == 5


def test_a_question_without_words_finds_nothing(system: System) -> None:
    system.ingest([texts("green tea")], Unit.TEXT, quiet)
    assert list(system.search(Probe(corpus="c0001", text="?! \0"), 10)) == []


def test_grep_counts_different_words_and_breaks_ties_by_place(tmp_path: Path) -> None:
    grep = system_for("grep", tmp_path)
    grep.ingest([texts("tea tea tea", "tea and cake", "CAKE, tea!", "teapot")], Unit.TEXT, quiet)
    found = grep.search(Probe(corpus="c0001", text="tea cake tea"), 10)
    assert found == ["c0001-1", "c0001-2", "c0001-0"]


def test_fts5_stems_and_prefers_the_rare_word(tmp_path: Path) -> None:
    fts5 = system_for("fts5", tmp_path)
    fts5.ingest(
        [texts("the kettle boils", "the boiling point", "the parrot", "the dog", "the cat")],
        Unit.TEXT,
        quiet,
    )
    found = fts5.search(Probe(corpus="c0001", text="the parrots"), 10)
    assert found[0] == "c0001-2"
    assert set(fts5.search(Probe(corpus="c0001", text="boil"), 10)) == {"c0001-0", "c0001-1"}
    fts5.close()


def test_fts5_sees_words_and_never_syntax() -> None:
    assert disjunction('NEAR(a b) "x* -tea AND tea') == (
        '"near" OR "a" OR "b" OR "x" OR "tea" OR "and"'
    )
    assert disjunction("?!") == ""


@given(st.text(max_size=60))
def test_any_text_is_a_query_to_fts5(text: str) -> None:
    import sqlite3

    from vademecum_bench.systems.fts5 import Table

    connection = sqlite3.connect(":memory:")
    table = Table(connection, "t")
    table.fill(["green tea"])
    assert table.search(text, 5) in ([], [1])
    connection.close()


def test_documents_of_the_baselines_name_the_speaker() -> None:
    session = Session(
        id="s", turns=(Turn(id="1", text="Hi.", speaker="Ada"), Turn(id="2", text="Hello."))
    )
    corpus = Corpus(id="c", sessions=(session,))
    assert list(documents(corpus, Unit.TURN)) == [("s/1", "Ada: Hi."), ("s/2", "Hello.")]
    assert list(documents(corpus, Unit.SESSION)) == [("s", "Ada: Hi.\nHello.")]


def test_blinding_leads_back_to_the_ids_of_the_data() -> None:
    session = Session(id="answer_1", turns=(Turn(id="answer_1#0", text="Hi."),))
    dataset = Dataset(
        name="x",
        unit=Unit.TURN,
        corpora=(Corpus(id="q", sessions=(session,)),),
        questions=(),
    )
    blinded = blind(dataset)
    (corpus,) = blinded.corpora
    unit = f"{corpus.sessions[0].id}/{corpus.sessions[0].turns[0].id}"
    assert unit == "d000001/t1"
    assert blinded.reveal([unit]) == ("answer_1#0",)


def test_an_interrupted_vault_is_made_anew_and_a_finished_one_used_again(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "vademecum.toml").write_text("broken", encoding="utf-8")
    session = Session(id="d000001", turns=(Turn(id="t1", text="the parrot"),))
    corpora = [Corpus(id="c0001", sessions=(session,))]
    probe = Probe(corpus="c0001", text="parrot")
    first = system_for("lexical", tmp_path)
    built = first.ingest(corpora, Unit.SESSION, quiet)
    found = first.search(probe, 5)
    first.close()
    again = system_for("lexical", tmp_path)
    kept = again.ingest(corpora, Unit.SESSION, quiet)
    # To the nanosecond: it was not measured again.
    assert kept == built
    assert again.search(probe, 5) == found == ["d000001"]
    again.close()


def test_a_vault_of_another_version_of_the_engine_is_indexed_anew(tmp_path: Path) -> None:
    session = Session(id="d000001", turns=(Turn(id="t1", text="the parrot"),))
    corpora = [Corpus(id="c0001", sessions=(session,))]
    first = system_for("lexical", tmp_path)
    first.ingest(corpora, Unit.SESSION, quiet)
    first.close()
    marker = tmp_path / "built.json"
    remembered = json.loads(marker.read_text(encoding="utf-8"))
    older = {**remembered, "engine": "an older one", "build_s": 4242.0}
    marker.write_text(json.dumps(older), encoding="utf-8")
    again = system_for("lexical", tmp_path)
    assert again.ingest(corpora, Unit.SESSION, quiet).build_s < 4242
    again.close()
    assert json.loads(marker.read_text(encoding="utf-8"))["engine"] == remembered["engine"]


def test_no_recipe_means_that_the_product_decides(tmp_path: Path) -> None:
    system = system_for(None, tmp_path)
    assert recipe_from(system.describe()) == default_recipe()
    session = Session(id="d000001", turns=(Turn(id="t1", text="the parrot"),))
    system.ingest([Corpus(id="c0001", sessions=(session,))], Unit.SESSION, quiet)
    assert system.search(Probe(corpus="c0001", text="parrot"), 5) == ["d000001"]
    system.close()


def test_an_answer_by_another_recipe_than_the_manifest_says_is_an_error(tmp_path: Path) -> None:
    system = Ours(None, tmp_path)
    system._expected = vademecum.recipe("lexical-session")
    session = Session(id="d000001", turns=(Turn(id="t1", text="the parrot"),))
    system.ingest([Corpus(id="c0001", sessions=(session,))], Unit.SESSION, quiet)
    with pytest.raises(BenchError, match="not lexical-session"):
        system.search(Probe(corpus="c0001", text="parrot"), 5)
    system.close()
