from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from vademecum_bench.corpus import Unit, evenly_spaced
from vademecum_bench.datasets import catalog, locomo, longmemeval, qmsum, xquad
from vademecum_bench.datasets.files import read_gzip_lines
from vademecum_bench.errors import DataError


def questions_of(data: Path) -> list[dict[str, Any]]:
    return list(read_gzip_lines(data / "longmemeval/questions.jsonl.gz"))


def ask(data: Path, *records: dict[str, Any]) -> None:
    """Let LongMemEval have these questions instead."""
    with gzip.open(data / "longmemeval/questions.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def test_locomo_leaves_out_adversarial_questions_and_those_without_evidence(data: Path) -> None:
    dataset = locomo.load(data, Unit.TURN)
    assert [(q.id, q.type, q.gold) for q in dataset.questions] == [
        ("conv-1/q0", "multi-hop", ("D1:1", "D2:1")),
        ("conv-1/q1", "single-hop", ("D1:2",)),
        ("conv-1/q4", "commonsense", ("D2:9",)),
    ]


def test_locomo_sessions_of_the_evidence_are_the_gold_of_sessions(data: Path) -> None:
    dataset = locomo.load(data, Unit.SESSION)
    gold = [q.gold for q in dataset.questions]
    assert gold == [("session_1", "session_2"), ("session_1",), ("session_2",)]


def test_locomo_turns_have_speaker_time_and_what_a_shared_image_shows(data: Path) -> None:
    (corpus,) = locomo.load(data, Unit.TURN).corpora
    first, second = corpus.sessions[0].turns
    assert (first.id, first.speaker, first.role) == ("D1:1", "Ada", "user")
    assert first.time == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert second.time == first.time + timedelta(minutes=1)
    assert second.text == "Look at my new bicycle!\n[image: a photo of a red bicycle]"
    assert corpus.sessions[1].started_at == datetime(2023, 11, 11, 0, 6, tzinfo=UTC)
    assert len(corpus.sessions) == 2


@pytest.mark.parametrize(
    ("entries", "ids"),
    [
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D:11:26"], ("D11:26",)),
        (["D9:1 D4:4 D4:6"], ("D9:1", "D4:4", "D4:6")),
        (["D4:5", "D4:5", "D5:5"], ("D4:5", "D5:5")),
        (["D"], ()),
        (["D30:05"], ("D30:05",)),
    ],
)
def test_evidence_is_found_by_its_pattern(entries: list[str], ids: tuple[str, ...]) -> None:
    assert locomo.parse_evidence(entries) == ids


@pytest.mark.parametrize("parse", [locomo.parse_time, longmemeval.parse_time])
def test_a_broken_date_is_quoted(parse: object) -> None:
    assert callable(parse)
    with pytest.raises(DataError, match="yesterday"):
        parse("yesterday")


def test_longmemeval_keeps_both_copies_of_a_session_that_stands_twice(data: Path) -> None:
    dataset = longmemeval.load_sessions(data)
    names = [session.id for session in dataset.corpora[0].sessions]
    assert names == ["filler_1", "answer_77", "filler_1~2", "answer_78"]
    texts = [session.turns[0].text for session in dataset.corpora[0].sessions]
    assert texts[0] == texts[2]


def test_longmemeval_dates_belong_to_the_haystack_of_the_question(data: Path) -> None:
    first, second = longmemeval.load_sessions(data).corpora
    assert first.sessions[3].started_at == datetime(2023, 5, 23, 12, 0, tzinfo=UTC)
    assert second.sessions[0].started_at == datetime(2023, 5, 19, 9, 0, tzinfo=UTC)
    answer = first.sessions[1]
    assert [turn.time for turn in answer.turns] == [
        answer.started_at,
        datetime(2023, 5, 21, 10, 1, tzinfo=UTC),
    ]


def test_longmemeval_abstention_questions_are_asked_but_not_answerable(data: Path) -> None:
    dataset = longmemeval.load_sessions(data)
    assert [(q.id, q.groups, q.gold) for q in dataset.questions] == [
        ("q1", ("answerable",), ("answer_77", "answer_78")),
        ("q2_abs", (), ("answer_78",)),
    ]
    assert dataset.questions[0].asked_at == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)


def test_longmemeval_turns_leave_out_questions_without_a_marked_turn(data: Path) -> None:
    dataset = longmemeval.load_turns(data)
    assert [(q.id, q.gold) for q in dataset.questions] == [("q1", ("answer_77#0",))]
    assert [corpus.id for corpus in dataset.corpora] == ["q1"]


def test_longmemeval_turns_leave_out_abstention_questions_even_with_a_marked_turn(
    data: Path,
) -> None:
    first, second = questions_of(data)
    ask(data, first, second, {**first, "question_id": "q1_abs"})
    assert [q.id for q in longmemeval.load_turns(data).questions] == ["q1"]
    assert len(longmemeval.load_sessions(data).questions) == 3


def test_longmemeval_copies_of_an_answer_session_are_both_right(data: Path) -> None:
    _, second = questions_of(data)
    ask(data, {**second, "haystack_session_ids": ["answer_78", "answer_78"]})
    dataset = longmemeval.load_sessions(data)
    assert dataset.questions[0].gold == ("answer_78", "answer_78~2")
    assert len(dataset.corpora[0].sessions) == 2


def test_longmemeval_pool_holds_each_session_once_and_only_answerable_questions(
    data: Path,
) -> None:
    dataset = longmemeval.load_pooled(data)
    (pool,) = dataset.corpora
    assert [session.id for session in pool.sessions] == ["filler_1", "answer_77", "answer_78"]
    assert pool.sessions[0].started_at == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert [(q.id, q.groups) for q in dataset.questions] == [("q1", ())]


def test_longmemeval_turns_for_speed_are_cut_at_the_limit(data: Path) -> None:
    sessions, turns = longmemeval.read_turns(data, 3)
    assert [len(session.turns) for session in sessions] == [2, 1]
    assert turns == 3
    assert longmemeval.read_turns(data, 100)[1] == 5


def test_qmsum_spans_include_both_ends_and_count_from_zero(data: Path) -> None:
    dataset = qmsum.load(data)
    (question,) = dataset.questions
    assert question.gold == ("0", "1", "2")
    turns = dataset.corpora[0].sessions[0].turns
    assert (turns[3].speaker, turns[3].text) == ("Chair", "Now the budget.")


def test_xquad_asks_in_one_language_about_paragraphs_of_another(data: Path) -> None:
    dataset = xquad.load(data, "en:en, en:de")
    assert [(q.id, q.corpus, q.type, q.gold) for q in dataset.questions] == [
        ("en:en/id0", "en", "en:en", ("00-0",)),
        ("en:en/id1", "en", "en:en", ("00-1",)),
        ("en:de/id0", "de", "en:de", ("00-0",)),
        ("en:de/id1", "de", "en:de", ("00-1",)),
    ]
    german = next(corpus for corpus in dataset.corpora if corpus.id == "de")
    assert german.texts[0].text == "Der Turm ist aus Eisen."


@pytest.mark.parametrize("pairs", ["en", "en:", ":en", "en-zh", "../en:en"])
def test_a_pair_of_languages_that_is_none_is_refused(pairs: str) -> None:
    with pytest.raises(DataError, match="pair of languages"):
        xquad.parse_pairs(pairs)


@pytest.mark.parametrize("name", ["locomo-turn", "longmemeval-pooled", "qmsum"])
def test_data_may_be_the_folder_itself(data: Path, name: str) -> None:
    inner = data / name.partition("-")[0]
    assert catalog.load(name, inner).files == catalog.load(name, data).files


def test_missing_data_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"locomo10\.json"):
        catalog.load("locomo-turn", tmp_path)


def test_languages_mean_nothing_outside_xquad(data: Path) -> None:
    with pytest.raises(DataError, match="no languages"):
        catalog.load("qmsum", data, languages="en:en")


def test_a_sample_is_evenly_spaced_and_keeps_only_the_corpora_it_needs(data: Path) -> None:
    assert evenly_spaced(range(10), 4) == (0, 2, 5, 7)
    assert evenly_spaced(range(3), 9) == (0, 1, 2)
    part = longmemeval.load_sessions(data).sample(1)
    assert [corpus.id for corpus in part.corpora] == ["q1"]
    assert [question.id for question in part.questions] == ["q1"]
