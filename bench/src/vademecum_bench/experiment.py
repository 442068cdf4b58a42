"""One run: every question of a data set to one system, and what came of it on the disk."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from vademecum_bench import manifest as manifests
from vademecum_bench import rows as row_files
from vademecum_bench import summary as summaries
from vademecum_bench.blind import blind
from vademecum_bench.corpus import Dataset
from vademecum_bench.errors import DataError
from vademecum_bench.measures import DEPTH
from vademecum_bench.memory import peak_rss_mb
from vademecum_bench.rows import Row, row_of, to_line
from vademecum_bench.systems.protocol import Progress, System


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished run. `kept` is how many rows an interrupted one had left."""

    manifest: Mapping[str, Any]
    rows: Sequence[Row]
    summary: Mapping[str, Any]
    kept: int = 0


def run(
    dataset: Dataset,
    system: System,
    *,
    out: Path | None,
    progress: Progress,
    sampled: bool = False,
) -> Run:
    """Index the corpora, ask every question, and write rows, manifest and summary to `out`.

    Rows that an interrupted run with the same key left there are kept. A finished run is
    replaced.
    """
    manifest = manifests.describe_run(
        dataset, system=system.name, recipe=system.describe(), sampled=sampled, depth=DEPTH
    )
    kept = _interrupted(out, str(manifest["key"]))
    blinded = blind(dataset)
    built = system.ingest(blinded.corpora, blinded.unit, progress)
    manifest["index"] = {
        "build_s": round(built.build_s, 3),
        "bytes": built.bytes,
        "text_bytes": sum(corpus.text_bytes for corpus in dataset.corpora),
    }
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / summaries.FILE).unlink(missing_ok=True)
        manifests.write(out, manifests.FILE, manifest)
        row_files.write(out, kept.values())

    found: list[Row] = []
    with _Writer(out) as writer:
        for done, question in enumerate(dataset.questions, start=1):
            row = kept.get(question.id)
            if row is None:
                start = time.perf_counter()
                units = system.search(blinded.probe(question), DEPTH)
                latency_ms = 1000 * (time.perf_counter() - start)
                ranked = blinded.reveal(units)
                row = row_of(question, ranked, latency_ms=latency_ms, rss_mb=peak_rss_mb())
                writer.add(row)
            found.append(row)
            progress("ask", done, len(dataset.questions))

    summary = summaries.summarise(manifest, found)
    if out is not None:
        row_files.write(out, found)
        manifests.write(out, summaries.FILE, summary)
    return Run(manifest=manifest, rows=found, summary=summary, kept=len(kept))


def _interrupted(out: Path | None, key: str) -> dict[str, Row]:
    """The rows of a run that was not finished and that this one may go on with."""
    if out is None or (out / summaries.FILE).exists() or not (out / manifests.FILE).exists():
        return {}
    try:
        before = manifests.read(out)
    except DataError:
        # Cut off while it was being written: there are no rows yet.
        return {}
    if before.get("key") != key:
        return {}
    return {row.id: row for row in row_files.read_whole(out)}


class _Writer:
    """Appends rows as they come, so that an interrupted run loses none."""

    def __init__(self, folder: Path | None) -> None:
        path = None if folder is None else folder / row_files.FILE
        self._file = None if path is None else path.open("a", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, row: Row) -> None:
        if self._file is not None:
            self._file.write(to_line(row))
            self._file.flush()
