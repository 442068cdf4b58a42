"""The algebra of fusing, ordering and rolling up."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.domain import ChannelName, Rollup, Use, View
from vademecum.fusion import best, best_of_each, candidates, fuse, order, roll_up
from vademecum.ports import Scores

VIEWS = list(View)
scores = st.one_of(st.just(0.0), st.sampled_from([0.25, 0.5, 1.0]), st.floats(0.01, 100))


def _ids(units: Sequence[int]) -> list[str]:
    # The smaller id belongs to the greater number, so that neither stands in for the other.
    return [f"{1000 - unit:04}" for unit in units]


def _use(view: View, weight: float) -> Use:
    return Use(channel=ChannelName("lexical"), view=view, weight=weight)


@st.composite
def parts(draw: st.DrawFn) -> list[tuple[Use, Scores]]:
    size = draw(st.integers(1, 12))
    return [
        (
            _use(view, draw(st.sampled_from([0.3, 0.5, 1.0]))),
            np.array(draw(st.lists(scores, min_size=size, max_size=size))),
        )
        for view in draw(st.lists(st.sampled_from(VIEWS), min_size=1, unique=True))
    ]


@given(parts(), st.randoms(use_true_random=False))
def test_neither_the_order_of_channels_nor_of_units_matters(
    given_parts: list[tuple[Use, Scores]], random: Random
) -> None:
    size = len(given_parts[0][1])
    pool = np.arange(size)
    one = order(fuse(pool, given_parts, {}), limit=size, ids_of=_ids)
    shuffled = list(given_parts)
    random.shuffle(shuffled)
    turned = pool[::-1].copy()
    other = order(fuse(turned, [(u, s[::-1]) for u, s in shuffled], {}), limit=size, ids_of=_ids)
    assert one.units.tolist() == other.units.tolist()
    assert one.totals.tolist() == other.totals.tolist()


@given(parts())
def test_amounts_add_up_to_the_total_and_none_exceeds_its_weight(
    given_parts: list[tuple[Use, Scores]],
) -> None:
    fused = fuse(np.arange(len(given_parts[0][1])), given_parts, {})
    total = sum(fused.amounts.values(), np.zeros(len(fused.units)))
    assert total.tolist() == pytest.approx(fused.totals.tolist())
    for use, _ in given_parts:
        assert fused.amounts[use.name].max() <= use.weight


@given(parts(), st.floats(0.01, 1000))
def test_the_scale_of_a_channel_does_not_matter(
    given_parts: list[tuple[Use, Scores]], factor: float
) -> None:
    pool = np.arange(len(given_parts[0][1]))
    (use, first), *rest = given_parts
    plain = fuse(pool, given_parts, {})
    scaled = fuse(pool, [(use, first * factor), *rest], {})
    assert scaled.totals.tolist() == pytest.approx(plain.totals.tolist())


@given(st.lists(scores, max_size=30), st.integers(1, 40))
def test_the_best_are_the_first_of_a_full_sort(values: list[float], limit: int) -> None:
    array = np.array(values, np.float64)
    expected = sorted(
        (at for at, value in enumerate(values) if value > 0),
        key=lambda at: (-values[at], _ids([at])),
    )
    assert best(array, limit, ids_of=_ids).tolist() == expected[:limit]


@given(st.lists(scores, max_size=30), st.integers(1, 10))
def test_candidates_are_the_best_with_all_that_tie_at_the_edge(
    values: list[float], depth: int
) -> None:
    found = candidates(np.array(values, np.float64), depth, None).tolist()
    positive = sorted((value for value in values if value > 0), reverse=True)
    edge = positive[:depth][-1] if positive else 1.0
    assert found == [at for at, value in enumerate(values) if value > 0 and value >= edge]


def test_what_the_filter_leaves_out_takes_no_place_among_the_candidates() -> None:
    found = candidates(np.array([3.0, 2.0, 1.0]), 1, np.array([False, True, True]))
    assert found.tolist() == [1]


@given(st.lists(st.lists(scores, max_size=5), min_size=1, max_size=6))
def test_a_document_is_its_best_or_the_mean_of_its_best_three(documents: list[list[float]]) -> None:
    flat = np.array([score for one in documents for score in one], np.float64)
    starts = np.cumsum([0, *map(len, documents)])
    assert best_of_each(flat, starts).tolist() == [max(one, default=0.0) for one in documents]
    means = [sum(sorted(one, reverse=True)[:3]) / 3 for one in documents]
    assert roll_up(flat, starts, Rollup.MEAN_OF_BEST_THREE).tolist() == pytest.approx(means)
