"""Keyword queries of several engines over the same passages, in one run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from vademecum_bench.corpus import Session, evenly_spaced
from vademecum_bench.datasets.longmemeval import read_question_texts, read_turns
from vademecum_bench.errors import SystemMissingError
from vademecum_bench.measures import percentile
from vademecum_bench.systems.engines import Engine, Search, engines
from vademecum_bench.systems.protocol import Built, Progress

OURS = "vademecum"
SIZES = (10_000, 50_000, 200_000)
TOP = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One engine at one size. `passages` were asked for; `turns` is how many the data had."""

    engine: str
    passages: int
    p50_ms: float
    p95_ms: float
    build_s: float
    bytes: int
    turns: int
    text_bytes: int
    queries: int

    def row(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Skipped:
    engine: str
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    measured: Sequence[Measured]
    skipped: Sequence[Skipped]


def measure(data: Path, *, sizes: Sequence[int], queries: int, progress: Progress) -> Result:
    """Every engine at every size. An engine that is not installed is said to be skipped."""
    texts = evenly_spaced(read_question_texts(data), queries)
    measured: list[Measured] = []
    skipped: dict[str, Skipped] = {}
    for size in sizes:
        sessions, turns = read_turns(data, size)
        with TemporaryDirectory() as folder:
            found, missing = _at_size(sessions, texts, Path(folder), progress)
        skipped.update((one.engine, one) for one in missing)
        text_bytes = sum(
            len(turn.text.encode("utf-8", "surrogatepass"))
            for session in sessions
            for turn in session.turns
        )
        for name, built, latencies in found:
            measured.append(
                Measured(
                    engine=name,
                    passages=size,
                    p50_ms=round(percentile(latencies, 0.50), 4),
                    p95_ms=round(percentile(latencies, 0.95), 4),
                    build_s=round(built.build_s, 3),
                    bytes=built.bytes,
                    turns=turns,
                    text_bytes=text_bytes,
                    queries=len(texts),
                )
            )
    return Result(measured, list(skipped.values()))


def ratio(measured: Sequence[Measured], one: Measured) -> float | None:
    """How many times our median time this engine takes at the same size."""
    for other in measured:
        if other.engine == OURS and other.passages == one.passages and other.p50_ms:
            return one.p50_ms / other.p50_ms
    return None


_Found = tuple[str, Built, list[float]]


def _at_size(
    sessions: Sequence[Session], texts: Sequence[str], folder: Path, progress: Progress
) -> tuple[list[_Found], list[Skipped]]:
    running: list[Engine] = []
    costs: dict[str, Built] = {}
    searches: dict[str, Search] = {}
    skipped: list[Skipped] = []
    try:
        for name, start in engines().items():
            try:
                engine = start(folder / name)
            except SystemMissingError as error:
                skipped.append(Skipped(name, str(error)))
                continue
            running.append(engine)
            built = engine.build(sessions, progress)
            for row, search in engine.searches(TOP).items():
                costs[row], searches[row] = built, search
        latencies = interleaved(list(searches.values()), texts, progress)
    finally:
        for engine in running:
            engine.close()
    return list(zip(searches, costs.values(), latencies, strict=True)), skipped


def interleaved(
    searches: Sequence[Search], texts: Sequence[str], progress: Progress
) -> list[list[float]]:
    """Milliseconds of each search for each text, after a pass over all of them to warm up.

    The engines take turns at every text, and begin in turn, so that a slow minute of the
    machine, or what one leaves in its caches, hits all alike.
    """
    latencies: list[list[float]] = [[] for _ in searches]
    for round_ in (0, 1):
        for at, text in enumerate(texts):
            for step in range(len(searches)):
                which = (at + step) % len(searches)
                start = time.perf_counter()
                searches[which](text)
                took = 1000 * (time.perf_counter() - start)
                if round_:
                    latencies[which].append(took)
            progress("ask" if round_ else "warm up", at + 1, len(texts))
    return latencies
