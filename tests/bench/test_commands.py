from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from vademecum_bench import speed, startup
from vademecum_bench.cli import main
from vademecum_bench.errors import BenchError
from vademecum_bench.startup import Startup, time_searches


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


def test_run_verify_and_compare_from_the_command_line(data: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    first = invoke("run", "locomo-turn", "--data", data, "--out", one)
    assert first.exit_code == 0
    assert "locomo-turn, lexical: 3 questions" in first.stdout
    cache = tmp_path / "cache"
    for _ in range(2):
        again = invoke("run", "locomo-turn", "--data", data, "--out", other, "--cache", cache)
        assert again.exit_code == 0
    assert len(list(cache.iterdir())) == 1
    compared = invoke("compare", one, other)
    assert compared.exit_code == 0
    assert "any@10" in compared.stdout
    verified = invoke("verify", other, "--data", data)
    assert verified.exit_code == 0, verified.output


def test_verify_exits_with_1_and_lists_what_differs(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    invoke("run", "qmsum", "--data", data, "--recipe", "grep", "--out", out)
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    summary["metrics"]["mrr"] = 0.999
    (out / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    result = invoke("verify", out)
    assert result.exit_code == 1
    assert "metrics.mrr: is 0.999" in result.stdout


def test_a_run_of_some_questions_can_be_verified(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = invoke("run", "locomo-session", "--data", data, "--questions", 2, "--out", out)
    assert asked.exit_code == 0
    assert len((out / "rows.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    assert invoke("verify", out, "--data", data).exit_code == 0


def test_a_mistake_is_said_in_a_line_with_the_way_out(data: Path, tmp_path: Path) -> None:
    missing = invoke("run", "locomo-turn", "--data", tmp_path / "data" / "qmsum")
    assert missing.exit_code == 2
    assert missing.stderr.startswith("error: no locomo data")
    unknown = invoke("run", "locomo-turn", "--data", data, "--recipe", "lexicla")
    assert unknown.exit_code == 2
    assert "lexical" in unknown.stderr


def test_smoke_passes_on_the_engine_as_it_is() -> None:
    result = invoke("smoke")
    assert result.exit_code == 0, result.output
    for recipe in ("lexical", "grep", "fts5"):
        assert f"smoke, {recipe}: 10 questions" in result.stdout


def test_speed_writes_a_row_for_each_engine_and_says_who_is_missing(
    data: Path, tmp_path: Path
) -> None:
    result = invoke("speed", "--data", data, "--passages", 4, "--queries", 2, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    rows = json.loads((tmp_path / "speed.json").read_text(encoding="utf-8"))
    engines = {row["engine"] for row in rows}
    assert {"vademecum", "vademecum-lexical", "vademecum-answer", "fts5"} <= engines
    for missing in {"tantivy", "bm25s"} - engines:
        assert f"{missing} skipped" in result.stdout
    for row in rows:
        assert {"engine", "passages", "p50_ms", "p95_ms", "build_s", "bytes"} <= set(row)
        assert row["passages"] == row["turns"] == 4
        assert 0 < row["p50_ms"] <= row["p95_ms"]
        assert row["bytes"] > 0


def test_engines_take_turns_and_the_first_pass_is_not_measured() -> None:
    order: list[str] = []
    searches = [lambda text: order.append(f"a{text}"), lambda text: order.append(f"b{text}")]
    latencies = speed.interleaved(searches, ["1", "2"], lambda *_: None)
    assert order == ["a1", "b1", "b2", "a2"] * 2
    assert [len(one) for one in latencies] == [2, 2]


def test_startup_times_whole_processes(tmp_path: Path) -> None:
    import sys

    program = [sys.executable, "-c", "print('{}')"]
    found = time_searches(tmp_path, "tea", runs=2, program=program)
    assert len(found.seconds) == 2
    with pytest.raises(BenchError, match="failed with 3"):
        time_searches(tmp_path, "x", runs=1, program=[sys.executable, "-c", "exit(3)"])


def test_startup_takes_the_vault_as_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    # The arguments of the process become the hits that it prints.
    echo = "import json, sys; print(json.dumps(sys.argv[1:]))"
    monkeypatch.setattr(startup, "command", lambda: [sys.executable, "-c", echo])
    result = invoke("startup", "--vault", tmp_path, "green tea", "--runs", 2)
    assert result.exit_code == 0
    assert result.stdout.startswith("2 fresh processes: median ")


def test_startup_reports_median_and_p95() -> None:
    found = Startup([0.5, 0.1, 0.3])
    assert (found.median, found.p95) == (0.3, 0.5)
