"""Whether a summary says what its rows say, and whether the rows come out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from vademecum_bench import manifest as manifests
from vademecum_bench import rows as row_files
from vademecum_bench import summary as summaries
from vademecum_bench.blind import blind
from vademecum_bench.corpus import Dataset
from vademecum_bench.datasets import catalog
from vademecum_bench.rows import Row, ranks_of
from vademecum_bench.systems.catalog import system_again
from vademecum_bench.systems.protocol import Progress


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was compared, and each thing that differs in words."""

    compared: int
    differences: Sequence[str]


def verify_figures(folder: Path) -> Verdict:
    """Recompute every figure of the summary from the rows."""
    manifest = manifests.read(folder)
    rows = row_files.read(folder)
    found = manifests.read(folder, summaries.FILE)
    expected = summaries.summarise(manifest, rows)
    wrong = list(_unsound(rows))
    if len(rows) != manifest["questions"]:
        wrong.append(f"{len(rows)} rows of {manifest['questions']} questions")
    return Verdict(_figures(expected), [*wrong, *summaries.differences(expected, found)])


def verify_retrieval(folder: Path, data: Path, *, sample: int, progress: Progress) -> Verdict:
    """Rebuild the index for some of the questions, ask them again, and compare what is ranked.

    Only the corpora that the sample needs are built: what else a vault holds must not matter.
    """
    manifest = manifests.read(folder)
    rows = {row.id: row for row in row_files.read(folder)}
    dataset = dataset_again(manifest, data)
    wrong = [
        f"{name}: the checksum is {dataset.files.get(name)}, was {checksum}"
        for name, checksum in manifest["dataset"]["files"].items()
        if dataset.files.get(name) != checksum
    ]
    text_bytes = sum(corpus.text_bytes for corpus in dataset.corpora)
    if text_bytes != manifest["index"]["text_bytes"]:
        wrong.append(f"index.text_bytes: is {manifest['index']['text_bytes']}, {text_bytes} found")
    wrong.extend(_other_key(dataset, rows))
    part = dataset.sample(sample)
    blinded = blind(part)
    with TemporaryDirectory() as temporary:
        system = system_again(manifest["system"], manifest["recipe"], Path(temporary))
        try:
            system.ingest(blinded.corpora, blinded.unit, progress)
            for done, question in enumerate(part.questions, start=1):
                units = system.search(blinded.probe(question), int(manifest["depth"]))
                again = blinded.reveal(units)
                before = rows[question.id].ranked if question.id in rows else ()
                if again != before:
                    wrong.append(f"{question.id}: {_first_difference(before, again)}")
                progress("ask again", done, len(part.questions))
        finally:
            system.close()
    return Verdict(len(part.questions), wrong)


def dataset_again(manifest: dict[str, object], data: Path) -> Dataset:
    """The data set that a manifest describes, with the same questions."""
    described = manifest["dataset"]
    assert isinstance(described, dict)
    languages = str(described["options"].get("languages", ""))
    dataset = catalog.load(str(described["name"]), data, languages=languages)
    if manifest["sampled"]:
        dataset = dataset.sample(int(str(manifest["questions"])))
    return dataset


def _unsound(rows: Sequence[Row]) -> list[str]:
    wrong = []
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            wrong.append(f"{row.id}: stands twice")
        seen.add(row.id)
        if len(set(row.ranked)) != len(row.ranked):
            wrong.append(f"{row.id}: a unit is ranked twice")
        if row.ranks != ranks_of(row.gold, row.ranked):
            wrong.append(f"{row.id}: the ranks are not those of the gold units")
        if row.empty == bool(row.ranked):
            wrong.append(f"{row.id}: empty is {row.empty} with {len(row.ranked)} ranked")
    return wrong


def _other_key(dataset: Dataset, rows: dict[str, Row]) -> list[str]:
    """Rows whose answer key or labels are not those of the data."""
    wrong = [f"{name}: no such question in the data" for name in _surplus(dataset, rows)]
    for question in dataset.questions:
        row = rows.get(question.id)
        if row is None:
            wrong.append(f"{question.id}: has no row")
        elif row.gold != question.gold:
            wrong.append(f"{question.id}: gold is {row.gold}, {question.gold} in the data")
        elif (row.type, row.groups) != (question.type, question.groups):
            wrong.append(f"{question.id}: type or groups are not those of the data")
    return wrong


def _surplus(dataset: Dataset, rows: dict[str, Row]) -> list[str]:
    return sorted(rows.keys() - {question.id for question in dataset.questions})


def _first_difference(before: Sequence[str], again: Sequence[str]) -> str:
    pairs = zip(before, again, strict=False)
    for rank, (old, new) in enumerate(pairs, start=1):
        if old != new:
            return f"rank {rank} was {old}, is {new}"
    return f"{len(before)} were ranked, {len(again)} are"


def _figures(value: object) -> int:
    """How many numbers there are in a summary."""
    if isinstance(value, dict):
        return sum(_figures(one) for one in value.values())
    return int(isinstance(value, (int, float)))
