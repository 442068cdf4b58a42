"""Help, mistakes, exit codes and odd surroundings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from vademecum import errors
from vademecum.faces.cli.exit_codes import MEANINGS, ExitCode, exit_code_of
from vademecum.faces.cli.program import program

if TYPE_CHECKING:
    from tests.faces.conftest import Process, Vade


VERBS = (
    "init", "add", "append", "import", "search", "show", "list", "spaces", "edit", "remove",
    "sync", "check", "rebuild", "stats", "recipes",
)  # fmt: skip


def test_the_verbs_are_all_there_and_only_they() -> None:
    assert tuple(program.commands) == VERBS


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_and_option_has_help(vade: Vade, verb: str) -> None:
    command = program.commands[verb]
    assert command.help
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, param.opts
    out = vade(verb, "--help").out
    for option in ("--vault", "--json", "--no-color"):
        assert option in out


def test_help_lists_every_exit_code(vade: Vade) -> None:
    out = vade("--help").out
    assert set(MEANINGS) == set(ExitCode)
    for code, meaning in MEANINGS.items():
        assert f"{int(code):<3}  {meaning}" in out


def test_every_error_of_the_engine_has_an_exit_code() -> None:
    codes = {
        errors.InvalidQuery("x"): 2,
        errors.InvalidInput("x"): 2,
        errors.InvalidSpace("x"): 2,
        errors.NotFound("x"): 3,
        errors.Ambiguous("x", ["a", "b"]): 4,
        errors.VaultError("x"): 6,
        errors.NoVault("x"): 6,
        errors.NewerFormat("x"): 6,
        errors.IndexUnavailable("x"): 6,
    }
    assert {type(error): int(exit_code_of(error)) for error in codes} == {
        type(error): code for error, code in codes.items()
    }


@pytest.mark.parametrize(
    ("arguments", "suggested"),
    [
        (["serach", "tea"], "search"),
        (["rm", "x"], "remove"),
        (["search", "tea", "--explian"], "--explain"),
        (["list", "--sinse", "2026-03-14"], "--since"),
        (["--jsn", "list"], "--json"),
        (["add", "x", "--type", "decison"], "decision"),
        (["search", "x", "--space", "my project"], "project:atlas"),
        (["search"], "TEXT"),
        (["search", "x", "-k", "0"], "x>=1"),
    ],
)
def test_a_slip_of_the_finger_names_the_right_word(
    vade: Vade, arguments: list[str], suggested: str
) -> None:
    ran = vade(*arguments)
    assert ran.code == 2
    assert ran.err.startswith("vade: ")
    assert "\nhint: " in ran.err
    assert suggested in ran.err
    assert "Traceback" not in ran.err


def test_without_a_vault_the_way_to_one_is_named(
    vade: Vade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VADEMECUM_VAULT", str(tmp_path / "none"))
    for arguments in (["add", "tea"], ["search", "tea"], ["list"]):
        ran = vade(*arguments)
        assert ran.code == 6
        assert "vade init" in ran.err
    assert "vade init" in vade().out


def test_errors_are_json_where_json_is_wanted(vade: Vade) -> None:
    for arguments, kind, code in (
        (["show", "nothing"], "NotFound", 3),
        (["serach"], "UsageError", 2),
        (["list", "--since", "x"], "UsageError", 2),
    ):
        ran = vade("--json", *arguments)
        assert ran.code == code
        assert ran.out == ""
        error = json.loads(ran.err)["error"]
        assert error["type"] == kind
        assert error["message"]


def test_candidates_are_listed_in_json(vade: Vade) -> None:
    vade.add("a", "--title", "same")
    vade.add("b", "--title", "same")
    ran = vade("show", "same", "--json")
    assert ran.code == 4
    assert len(json.loads(ran.err)["error"]["candidates"]) == 2


def test_an_interrupted_run_says_so(vade: Vade, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("vademecum.open_vault", interrupt, raising=False)
    ran = vade("list")
    assert ran.code == 130
    assert "interrupted" in ran.err


def test_vade_alone_is_a_friendly_page(vade: Vade) -> None:
    ran = vade()
    assert ran.code == 0
    assert "vade search" in ran.out
    assert str(vade.root) in ran.out


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], [], ["search", "--help"]])
def test_help_loads_neither_the_engine_nor_rich(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        f"sys.argv = ['vade', *{arguments!r}]\n"
        "from vademecum.faces.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "heavy = {'numpy', 'rich', 'sqlite3', 'Stemmer', 'yaml'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_version_prints_one_line(process: Process) -> None:
    done = process("--version")
    assert done.returncode == 0
    assert done.stdout.decode().split()[0] == "vade"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "gbk", "utf-8"])
def test_no_console_is_too_small_for_a_text(vade: Vade, process: Process, encoding: str) -> None:
    vade.add("tea 茶 ✓ 😀 \u00e9")
    for arguments in (
        ["search", "tea"],
        ["search", "tea", "--json"],
        ["list"],
        ["show", "nothing ✓ 茶"],
    ):
        done = process(*arguments, PYTHONIOENCODING=encoding)
        assert done.returncode == (3 if arguments[0] == "show" else 0), done.stderr
        assert b"Traceback" not in done.stderr
    answer = json.loads(process("search", "tea", "--json", PYTHONIOENCODING=encoding).stdout)
    assert answer["hits"][0]["text"] == "tea 茶 ✓ 😀 \u00e9"


def test_a_lone_surrogate_passes_through_json(vade: Vade) -> None:
    file = vade.root / "personal" / "sessions" / "odd.jsonl"
    talk = vade.json("append", "--new", "hello")
    source = (vade.root / talk["path"]).read_text(encoding="utf-8")
    (vade.root / talk["path"]).unlink()
    file.write_text(source.replace('"hello"', '"kettle \\ud800 \\u0000"'), encoding="utf-8")
    ran = vade("search", "kettle", "--json")
    assert ran.code == 0
    assert ran.out.encode()
    assert "kettle" in ran.json["hits"][0]["text"]
    assert vade("search", "kettle", "--full").code == 0
    assert vade("show", talk["session"]).code == 0


def test_a_reader_who_has_seen_enough_is_no_error(vade: Vade, tmp_path: Path) -> None:
    for number in range(30):
        vade.add(f"note {number} " + "word " * 400)
    done = subprocess.Popen(
        [sys.executable, "-m", "vademecum", "list", "--json", "--all"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert done.stdout is not None
    assert done.stderr is not None
    done.stdout.close()
    errors_said = done.stderr.read()
    done.stderr.close()
    assert done.wait() == 0
    assert errors_said == b""


def test_the_module_is_the_command(process: Process) -> None:
    assert process("--help").stdout.startswith(b"Usage: vade ")
