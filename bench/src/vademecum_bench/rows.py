"""What a run leaves for each question: a line of `rows.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vademecum_bench.corpus import Question
from vademecum_bench.errors import DataError
from vademecum_bench.recipes import plain

FILE = "rows.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question and what was found for it.

    `ranks` are the ranks of the gold units, from 1, in the order of `gold`; None for those not
    among the `ranked`. `latency_ms` is the time of the one call that searched. `rss_mb` is the
    most memory that the process had taken until then.
    """

    id: str
    type: str
    groups: tuple[str, ...]
    gold: tuple[str, ...]
    ranked: tuple[str, ...]
    ranks: tuple[int | None, ...]
    latency_ms: float
    empty: bool
    rss_mb: float


def row_of(question: Question, ranked: Sequence[str], *, latency_ms: float, rss_mb: float) -> Row:
    return Row(
        id=question.id,
        type=question.type,
        groups=question.groups,
        gold=question.gold,
        ranked=tuple(ranked),
        ranks=ranks_of(question.gold, ranked),
        latency_ms=round(latency_ms, 3),
        empty=not ranked,
        rss_mb=round(rss_mb, 1),
    )


def ranks_of(gold: Sequence[str], ranked: Sequence[str]) -> tuple[int | None, ...]:
    """The rank of each gold unit, from 1; None if it is not among the ranked."""
    places = {unit: at for at, unit in enumerate(ranked, start=1)}
    return tuple(places.get(unit) for unit in gold)


def to_line(row: Row) -> str:
    return json.dumps(plain(row), ensure_ascii=False) + "\n"


def from_line(line: str) -> Row:
    """The row in a line. ValueError if it holds none."""
    value: dict[str, Any] = json.loads(line)
    try:
        return Row(
            id=str(value["id"]),
            type=str(value["type"]),
            groups=tuple(value["groups"]),
            gold=tuple(value["gold"]),
            ranked=tuple(value["ranked"]),
            ranks=tuple(value["ranks"]),
            latency_ms=float(value["latency_ms"]),
            empty=bool(value["empty"]),
            rss_mb=float(value["rss_mb"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a row: {error!r}") from error


def read(folder: Path) -> list[Row]:
    """All rows of a finished run."""
    rows: list[Row] = []
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(
            f"no {FILE} in {str(folder)!r}", hint="Give the folder that --out named."
        ) from error
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        try:
            rows.append(from_line(line))
        except ValueError as error:
            raise DataError(f"{FILE}, line {number}: {error}") from error
    return rows


def read_whole(folder: Path) -> list[Row]:
    """The rows of an interrupted run; what its end cut off is left out."""
    rows: list[Row] = []
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except OSError:
        return rows
    for line in text.split("\n")[:-1]:
        try:
            rows.append(from_line(line))
        except ValueError:
            break
    return rows


def write(folder: Path, rows: Iterable[Row]) -> None:
    (folder / FILE).write_text("".join(map(to_line, rows)), encoding="utf-8")
