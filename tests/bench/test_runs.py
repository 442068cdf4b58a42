from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import vademecum
from vademecum_bench import summary as summaries
from vademecum_bench.comparison import compare
from vademecum_bench.corpus import Corpus, Probe, Unit
from vademecum_bench.datasets import catalog
from vademecum_bench.errors import DataError
from vademecum_bench.experiment import Run, run
from vademecum_bench.recipes import plain
from vademecum_bench.systems.catalog import system_for
from vademecum_bench.systems.ours import handed_in, recipe_from, recipe_of
from vademecum_bench.systems.protocol import Built, Progress
from vademecum_bench.verify import verify_figures, verify_retrieval

DATASETS = list(catalog.LOADERS)


def quiet(step: str, done: int, total: int) -> None:
    """Says nothing."""


def load(name: str, data: Path) -> Any:
    return catalog.load(name, data, languages="en:en,de:de,en:de" if name == "xquad" else "")


def run_with(recipe: str, name: str, data: Path, out: Path) -> Run:
    folder = out.with_name(f"{out.name}-index")
    folder.mkdir()
    system = system_for(recipe, folder)
    try:
        return run(load(name, data), system, out=out, progress=quiet)
    finally:
        system.close()


class Listener:
    """A system that finds nothing and writes down all that it is handed."""

    name = "listener"

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.asked = 0

    def describe(self) -> Mapping[str, object]:
        return {"name": self.name}

    def ingest(self, corpora: Sequence[Corpus], unit: Unit, progress: Progress) -> Built:
        self.heard.append(repr(corpora))
        progress("index", 1, 1)
        self.heard += [repr(handed_in(session)) for c in corpora for session in c.sessions]
        self.unit = unit
        return Built(build_s=0.0, bytes=0)

    def search(self, probe: Probe, limit: int) -> Sequence[str]:
        self.heard.append(repr(probe))
        self.asked += 1
        return [][:limit]

    def close(self) -> None:
        pass


@pytest.mark.parametrize("name", DATASETS)
def test_no_label_reaches_a_system(name: str, data: Path) -> None:
    dataset = load(name, data)
    listener = Listener()
    run(dataset, listener, out=None, progress=quiet)
    heard = "\n".join(listener.heard)
    labels = {question.type for question in dataset.questions}
    labels |= {question.id for question in dataset.questions}
    labels |= {corpus.id for corpus in dataset.corpora if len(corpus.id) > 2}
    labels |= {"answer_", "has_answer", "answerable", "evidence", "gold", "category", "_abs"}
    found = {label for label in labels if re.search(rf"\b{re.escape(label)}|_{label}", heard)}
    assert found == set()
    assert listener.asked == len(dataset.questions)


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("recipe", ["grep", "fts5", "lexical"])
def test_every_run_verifies_figures_and_ranking(
    name: str, recipe: str, data: Path, tmp_path: Path
) -> None:
    finished = run_with(recipe, name, data, tmp_path / "out")
    assert finished.summary["questions"] == len(finished.rows) > 0
    assert verify_figures(tmp_path / "out").differences == []
    verdict = verify_retrieval(tmp_path / "out", data, sample=3, progress=quiet)
    assert verdict.differences == []
    assert verdict.compared == min(3, len(finished.rows))


def test_a_summary_has_every_promised_key(data: Path, tmp_path: Path) -> None:
    run_with("lexical", "longmemeval-session", data, tmp_path / "out")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["dataset"] == "longmemeval-session"
    assert summary["recipe"] == "lexical"
    assert summary["questions"] == 2
    expected = {f"{family}@{k}" for family in ("any", "all", "frac") for k in (1, 3, 5, 10, 20)}
    assert set(summary["metrics"]) == expected | {"mrr", "ndcg@10"}
    assert set(summary["by_type"]) == {"multi-session", "single-session-user"}
    assert summary["subsets"]["answerable"]["questions"] == 1
    assert set(summary["latency_ms"]) == {"p50", "p95"}
    assert set(summary["index"]) == {"build_s", "bytes", "text_bytes"}
    assert summary["index"]["bytes"] > 0
    assert {"empty", "peak_rss_mb"} <= set(summary)


def test_ours_finds_what_was_said(data: Path, tmp_path: Path) -> None:
    finished = run_with("lexical", "locomo-turn", data, tmp_path / "out")
    ranked = {row.id: row.ranked for row in finished.rows}
    assert set(ranked["conv-1/q0"][:2]) == {"D1:1", "D2:1"}
    assert ranked["conv-1/q1"][0] == "D1:2"


def edited(path: Path, change: Callable[[Any], None]) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def test_verify_names_a_tampered_figure(data: Path, tmp_path: Path) -> None:
    run_with("fts5", "locomo-turn", data, tmp_path / "out")
    edited(tmp_path / "out" / "summary.json", lambda s: s["metrics"].update({"any@5": 99.9}))
    (difference,) = verify_figures(tmp_path / "out").differences
    assert difference.startswith("metrics.any@5: is 99.9")


@pytest.mark.parametrize(
    ("section", "key"),
    [("by_type", "multi-hop"), ("latency_ms", "p95"), ("index", "bytes"), ("empty", "")],
)
def test_verify_looks_at_every_part_of_a_summary(
    section: str, key: str, data: Path, tmp_path: Path
) -> None:
    run_with("fts5", "locomo-turn", data, tmp_path / "out")

    def tamper(value: Any) -> None:
        if key:
            value[section][key] = 12345
        else:
            value[section] = 12345

    edited(tmp_path / "out" / "summary.json", tamper)
    assert any(one.startswith(section) for one in verify_figures(tmp_path / "out").differences)


def test_verify_finds_rows_that_do_not_come_out_again(data: Path, tmp_path: Path) -> None:
    """Rows and summary that agree with each other, but not with the engine."""
    finished = run_with("fts5", "locomo-turn", data, tmp_path / "out")
    rows_file = tmp_path / "out" / "rows.jsonl"
    lines = rows_file.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[2])
    assert row["ranks"] == [None]
    row["ranked"] = ["D2:9", *row["ranked"]]
    row["ranks"] = [1]
    row["empty"] = False
    rows_file.write_text("\n".join([*lines[:2], json.dumps(row)]) + "\n", encoding="utf-8")
    from vademecum_bench import rows as row_files

    forged = summaries.summarise(finished.manifest, row_files.read(tmp_path / "out"))
    (tmp_path / "out" / "summary.json").write_text(json.dumps(forged), encoding="utf-8")
    assert verify_figures(tmp_path / "out").differences == []
    verdict = verify_retrieval(tmp_path / "out", data, sample=10, progress=quiet)
    assert [one.split(":")[0] for one in verdict.differences] == ["conv-1/q4"]


def test_verify_finds_rows_with_another_answer_key(data: Path, tmp_path: Path) -> None:
    run_with("fts5", "locomo-turn", data, tmp_path / "out")
    rows_file = tmp_path / "out" / "rows.jsonl"
    lines = rows_file.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[1])
    row["gold"] = [row["ranked"][0]]
    row["type"] = "temporal"
    row["ranks"] = [1]
    rows_file.write_text("\n".join([lines[0], json.dumps(row), lines[2]]) + "\n", encoding="utf-8")
    verdict = verify_retrieval(tmp_path / "out", data, sample=1, progress=quiet)
    assert any(one.startswith("conv-1/q1: ") for one in verdict.differences)


def test_verify_finds_other_data(data: Path, tmp_path: Path) -> None:
    run_with("fts5", "locomo-turn", data, tmp_path / "out")
    file = data / "locomo" / "locomo10.json"
    file.write_text(file.read_text(encoding="utf-8").replace("whistle", "sing"), encoding="utf-8")
    verdict = verify_retrieval(tmp_path / "out", data, sample=1, progress=quiet)
    assert any("checksum" in one for one in verdict.differences)


def test_an_interrupted_run_keeps_its_rows(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_with("fts5", "locomo-turn", data, out)
    (out / "summary.json").unlink()
    lines = (out / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[0])
    row["latency_ms"] = 4242.0
    # The second line was cut off when the process ended.
    (out / "rows.jsonl").write_text(json.dumps(row) + "\n" + lines[1][:20], encoding="utf-8")
    system = system_for("fts5", tmp_path)
    again = run(load("locomo-turn", data), system, out=out, progress=quiet)
    system.close()
    assert again.kept == 1
    assert [one.latency_ms == 4242.0 for one in again.rows] == [True, False, False]
    assert verify_figures(out).differences == []


def test_rows_of_another_system_are_not_kept(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_with("fts5", "locomo-turn", data, out)
    (out / "summary.json").unlink()
    again = run(load("locomo-turn", data), system_for("grep", tmp_path), out=out, progress=quiet)
    assert again.kept == 0
    assert len(again.rows) == 3


def test_a_finished_run_is_measured_anew(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_with("grep", "locomo-turn", data, out)
    again = run(load("locomo-turn", data), system_for("grep", tmp_path), out=out, progress=quiet)
    assert again.kept == 0


def test_a_comparison_pairs_the_questions(data: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run_with("fts5", "locomo-turn", data, tmp_path / name)
    rows_file = tmp_path / "b" / "rows.jsonl"
    lines = rows_file.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[1])
    assert row["ranked"][0] == "D1:2"
    row["ranked"] = ["x", "D1:2"]
    # In another order, too: rows are paired by question.
    rows_file.write_text("\n".join([json.dumps(row), lines[2], lines[0]]) + "\n", encoding="utf-8")
    found = {one.measure: one for one in compare(tmp_path / "a", tmp_path / "b").measures}
    first = found["any@1"]
    assert (first.wins, first.losses, first.ties, first.p) == (0, 1, 2, 1.0)
    assert (found["any@5"].wins, found["any@5"].losses) == (0, 0)
    assert found["mrr"].losses == 1


def test_runs_over_other_data_are_not_compared(data: Path, tmp_path: Path) -> None:
    run_with("grep", "locomo-turn", data, tmp_path / "a")
    run_with("grep", "qmsum", data, tmp_path / "b")
    with pytest.raises(DataError, match="not the same data"):
        compare(tmp_path / "a", tmp_path / "b")


def test_a_recipe_comes_back_from_its_plain_form() -> None:
    for recipe in vademecum.PRESETS.values():
        assert recipe_from(json.loads(json.dumps(plain(recipe)))) == recipe


def test_a_recipe_can_be_a_file(tmp_path: Path) -> None:
    value = plain(vademecum.recipe("lexical"))
    value["bm25"]["k1"] = 0.9
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    assert recipe_of(str(file)).bm25.k1 == 0.9
    file.write_text('{"name": "x", "shape": 1}', encoding="utf-8")
    with pytest.raises(DataError, match="not a Recipe"):
        recipe_of(str(file))


def test_a_manifest_names_data_recipe_and_versions_but_no_host(data: Path, tmp_path: Path) -> None:
    import socket

    run_with("lexical", "locomo-turn", data, tmp_path / "out")
    text = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    manifest = json.loads(text)
    assert recipe_from(manifest["recipe"]) == vademecum.recipe("lexical")
    assert len(manifest["dataset"]["files"]["locomo10.json"]) == 64
    assert {"python", "sqlite", "numpy", "vademecum"} <= set(manifest["versions"])
    assert str(tmp_path) not in text
    assert f'"{socket.gethostname()}"' not in text
