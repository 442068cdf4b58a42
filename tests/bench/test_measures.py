from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum_bench.measures import CUTOFFS, means, percentile, score, sign_test


def one(gold: list[str], ranked: list[str]) -> dict[str, float]:
    (found,) = score({"q": gold}, {"q": ranked})
    return dict(found)


def test_measures_of_one_ranking_by_hand() -> None:
    found = one(["a", "b", "c"], ["x", "a", "y", "b"])
    assert found["rr"] == 1 / 2
    assert [found[f"any@{k}"] for k in CUTOFFS] == [0, 1, 1, 1, 1]
    assert found["frac@1"] == 0
    assert found["frac@3"] == pytest.approx(1 / 3)
    assert found["frac@5"] == pytest.approx(2 / 3)
    assert [found[f"all@{k}"] for k in CUTOFFS] == [0, 0, 0, 0, 0]


def test_ndcg_takes_its_ideal_over_all_right_units_even_those_not_returned() -> None:
    found = one(["a", "b", "c"], ["x", "a", "y", "b"])
    gain = 1 / math.log2(2 + 1) + 1 / math.log2(4 + 1)
    ideal = 1 / math.log2(1 + 1) + 1 / math.log2(2 + 1) + 1 / math.log2(3 + 1)
    assert found["ndcg@10"] == pytest.approx(gain / ideal)


def test_all_is_reached_where_the_last_right_unit_is() -> None:
    found = one(["a", "b"], ["a", "x", "y", "b"])
    assert [found[f"all@{k}"] for k in CUTOFFS] == [0, 0, 1, 1, 1]


def test_a_question_without_results_scores_nothing_and_does_not_vanish() -> None:
    found = score({"q1": ["a"], "q2": ["b"]}, {"q1": ["a"], "q2": []})
    assert found[1] == dict.fromkeys(found[1], 0.0)
    assert means(found)["any@1"] == 50.0
    assert means(found)["mrr"] == 0.5


def test_means_are_percentages_but_for_mrr_and_ndcg() -> None:
    found = means(score({"q1": ["a"], "q2": ["b"]}, {"q1": ["a"], "q2": ["x", "b"]}))
    assert (found["any@1"], found["all@3"], found["frac@3"]) == (50.0, 100.0, 100.0)
    assert found["mrr"] == 0.75
    assert found["ndcg@10"] == pytest.approx((1 + 1 / math.log2(3)) / 2, abs=1e-6)


def test_scores_come_in_the_order_of_the_questions() -> None:
    found = score({"z": ["a"], "b": ["b"]}, {"b": ["b"], "z": ["x"]})
    assert [each["any@1"] for each in found] == [0, 1]


@given(
    gold=st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4, unique=True),
    ranked=st.lists(st.sampled_from("abcdefghxyz"), max_size=11, unique=True),
)
def test_all_is_at_most_fraction_and_fraction_at_most_any(
    gold: list[str], ranked: list[str]
) -> None:
    found = one(gold, ranked)
    for k in CUTOFFS:
        assert found[f"all@{k}"] <= found[f"frac@{k}"] <= found[f"any@{k}"]
        assert found[f"any@{k}"] == float(bool(set(gold) & set(ranked[:k])))


def test_percentile_is_a_value_that_was_measured() -> None:
    values = [float(number) for number in range(100, 0, -1)]
    assert (percentile(values, 0.5), percentile(values, 0.95)) == (50.0, 95.0)
    assert percentile([7.0], 0.95) == 7.0
    assert percentile([], 0.5) == 0.0


def test_sign_test_by_hand() -> None:
    # 8 of 10 or more uneven, either way: 2 * (45 + 10 + 1) / 1024.
    assert sign_test(8, 2) == sign_test(2, 8) == 112 / 1024
    assert sign_test(5, 5) == 1.0
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 0) == 2 / 32
    assert sign_test(1500, 1200) < 1e-8
