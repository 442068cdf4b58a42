"""Where a term occurs, packed: which passages, and how often in each.

A posting list is one blob: a byte that says how wide its numbers are, the first ordinal in four
bytes, then the gaps to each next ordinal, then the counts. Counts that are all 1 are left out.
Every width is one, two or four bytes for the whole list, so that NumPy unpacks it in one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ordinals = NDArray[np.int64]
Counts = NDArray[np.float64]

_HEADER: Final = 5
_WIDTHS: Final = (np.dtype("<u1"), np.dtype("<u2"), np.dtype("<u4"))
_ONES: Final = 3


@dataclass(frozen=True, slots=True)
class PostingList:
    """Ordinals in ascending order, without repetition, and the count at each, at least 1."""

    ordinals: Ordinals
    counts: Counts

    def __len__(self) -> int:
        return len(self.ordinals)


EMPTY: Final = PostingList(np.empty(0, np.int64), np.empty(0, np.float64))


def unpack(blob: bytes) -> PostingList:
    """The posting list of one blob."""
    gap_type = _WIDTHS[blob[0] & 3]
    count_code = blob[0] >> 2
    count_width = 0 if count_code == _ONES else _WIDTHS[count_code].itemsize
    size = (len(blob) - _HEADER + gap_type.itemsize) // (gap_type.itemsize + count_width)

    ordinals = np.empty(size, np.int64)
    ordinals[0] = int.from_bytes(blob[1:_HEADER], "little")
    if size > 1:
        ordinals[1:] = np.frombuffer(blob, gap_type, size - 1, _HEADER)
        np.cumsum(ordinals, out=ordinals)
    if count_code == _ONES:
        return PostingList(ordinals, np.ones(size))
    start = _HEADER + (size - 1) * gap_type.itemsize
    return PostingList(
        ordinals, np.frombuffer(blob, _WIDTHS[count_code], size, start).astype(float)
    )


def pack(ordinals: Ordinals, counts: NDArray[np.int64]) -> bytes:
    """One blob for ascending ordinals and their counts. There must be at least one."""
    starts = np.zeros(1, np.int64)
    return next(pack_many(ordinals, counts, starts))


def pack_many(
    ordinals: Ordinals, counts: NDArray[np.int64], starts: NDArray[np.int64]
) -> Iterator[bytes]:
    """A blob for each list of a concatenation; `starts` says where each list begins."""
    if not len(starts):
        return
    gaps = np.diff(ordinals, prepend=0)
    firsts = ordinals[starts].astype("<u4").tobytes()
    gaps[starts] = 0
    gap_codes = _width_codes(np.maximum.reduceat(gaps, starts))
    highest = np.maximum.reduceat(counts, starts)
    count_codes = np.where(highest == 1, _ONES, _width_codes(highest))
    # Cast once for each width, so that a list costs two slices and no conversion.
    packed_gaps = [gaps.astype(width).tobytes() for width in _WIDTHS]
    packed_counts = [counts.astype(width).tobytes() for width in _WIDTHS]
    ends = [*starts[1:].tolist(), len(ordinals)]
    rows = zip(starts.tolist(), ends, gap_codes.tolist(), count_codes.tolist(), strict=True)
    for number, (start, end, gap_code, count_code) in enumerate(rows):
        gap_width = 1 << gap_code
        blob = bytes([gap_code | count_code << 2]) + firsts[4 * number : 4 * number + 4]
        blob += packed_gaps[gap_code][(start + 1) * gap_width : end * gap_width]
        if count_code != _ONES:
            count_width = 1 << count_code
            blob += packed_counts[count_code][start * count_width : end * count_width]
        yield blob


def _width_codes(highest: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.searchsorted(np.array([0xFF, 0xFFFF]), highest, side="left")
