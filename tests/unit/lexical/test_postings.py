"""Posting lists come out of their bytes as they went in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.channels.lexical.postings import pack, pack_many, unpack

GAPS = st.one_of(st.integers(1, 3), st.integers(200, 300), st.integers(60_000, 70_000))
COUNTS = st.one_of(st.just(1), st.integers(1, 300), st.integers(1, 70_000))
LISTS = st.lists(st.tuples(GAPS, COUNTS), min_size=1, max_size=40)


def _arrays(rows: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return np.cumsum([gap for gap, _ in rows]).tolist(), [count for _, count in rows]


@given(st.lists(LISTS, min_size=1, max_size=6))
def test_lists_packed_together_are_those_packed_alone(rows: list[list[tuple[int, int]]]) -> None:
    lists = [_arrays(one) for one in rows]
    sizes = [len(ordinals) for ordinals, _ in lists]
    blobs = list(
        pack_many(
            np.concatenate([np.array(o, np.int64) for o, _ in lists]),
            np.concatenate([np.array(c, np.int64) for _, c in lists]),
            np.cumsum([0, *sizes[:-1]]),
        )
    )
    for blob, (ordinals, counts) in zip(blobs, lists, strict=True):
        assert blob == pack(np.array(ordinals, np.int64), np.array(counts, np.int64))
        found = unpack(blob)
        assert (found.ordinals.tolist(), found.counts.tolist()) == (ordinals, counts)


@pytest.mark.parametrize("last", [255, 256, 65_535, 65_536, 2**32 - 1])
def test_widths_are_enough_at_their_borders(last: int) -> None:
    found = unpack(pack(np.array([0, last], np.int64), np.array([1, last], np.int64)))
    assert (found.ordinals.tolist(), found.counts.tolist()) == ([0, last], [1, last])


def test_a_list_of_neighbours_that_occur_once_takes_a_byte_each() -> None:
    assert len(pack(np.arange(1000), np.ones(1000, np.int64))) == 5 + 999
