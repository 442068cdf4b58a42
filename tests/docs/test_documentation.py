"""The pages say what the program does: their code runs, their links lead somewhere."""

from __future__ import annotations

import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import vademecum
from vademecum.faces.cli.exit_codes import MEANINGS
from vademecum.faces.cli.program import program
from vademecum.settings import FORMAT

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SUMMED = re.compile(r"(?m)^ +(\d+\.\d\d) = (.+)$")


def blocks(page: Path, language: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [code for name, code in found if name == language]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


PYTHON = [
    pytest.param(code, id=f"{name_of(page)}:{number}")
    for page in PAGES
    for number, code in enumerate(blocks(page, "python"), start=1)
]


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_readme_has_python_that_runs() -> None:
    assert blocks(ROOT / "README.md", "python")


@pytest.mark.parametrize("code", PYTHON)
def test_python_on_a_page_runs_without_warnings(code: str, tmp_path: Path) -> None:
    (tmp_path / "page.py").write_text(code, encoding="utf-8")
    done = run(["-W", "error", "page.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout, "an example shows something"


@pytest.mark.parametrize("page", ["README.md", "docs/cli.md"])
def test_commands_on_a_page_do_what_the_page_says_one_after_the_other(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VADEMECUM_VAULT", "my-vault")
    shutil.copytree(ROOT / "sample", tmp_path / "sample")
    lines = [line for block in blocks(ROOT / page, "sh") for line in block.splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("vade ")]
    assert len(commands) > 5
    for command in commands:
        done = CliRunner().invoke(program, command, catch_exceptions=False)
        assert done.exit_code == 0, f"{command}: {done.stderr}"
        if command[0] in ("search", "list", "show"):
            assert done.stdout.strip(), f"{command} shows nothing"


@pytest.mark.parametrize("verb", sorted(program.commands))
def test_every_verb_has_a_section_with_an_example(verb: str) -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    section = text.partition(f"\n### {verb}\n")[2].partition("\n### ")[0]
    assert f"\nvade {verb}" in section


@pytest.mark.parametrize("verb", sorted(program.commands))
def test_every_option_of_a_verb_is_named(verb: str) -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for param in program.commands[verb].params:
        if param.param_type_name == "option":
            longest = max(param.opts, key=len)
            assert re.search(rf"{longest}\b", text), f"{verb} {longest}"


def test_exit_codes_are_those_of_the_program() -> None:
    table = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").partition("## Exit codes")[2]
    rows = re.findall(r"(?m)^\| (\d+) \| (.+) \|$", table)
    meanings = {str(int(code)): meaning for code, meaning in MEANINGS.items()}
    assert {code: text.replace("`", "") for code, text in rows} == meanings


def test_no_verb_is_documented_that_is_not_there() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert set(re.findall(r"(?m)^### (\w+)$", text)) == set(program.commands)


def test_every_public_verb_of_a_workspace_is_mentioned() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    verbs = [
        name
        for name, _ in inspect.getmembers(vademecum.Workspace, inspect.isfunction)
        if not name.startswith("_")
    ]
    functions = [
        name
        for name in vademecum.__all__
        if name.islower() and not name.startswith("_") and callable(getattr(vademecum, name))
    ]
    assert "search" in verbs
    assert "open_vault" in functions
    missing = [name for name in [*verbs, *functions] if not re.search(rf"[`.]{name}[`(]", text)]
    assert not missing


def test_the_glossary_is_about_names_that_can_be_imported() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = {word.lower() for word in re.findall(r"(?m)^\| ([A-Z]\w+) \|", text)}
    central = {
        "answer", "contribution", "digest", "field", "filter", "hit", "memory", "outcome",
        "passage", "problem", "query", "recipe", "rollup", "session", "skipped", "space", "turn",
        "unit", "use", "view",
    }  # fmt: skip
    assert central <= words


def test_every_front_matter_key_that_is_read_is_in_the_format() -> None:
    text = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    own = {"path", "text", "body", "digest"}
    keys = set(vademecum.Memory.__dataclass_fields__) - own
    assert not [key for key in sorted(keys) if f"`{key}`" not in text]


def test_every_key_of_a_turn_and_a_header_is_in_the_format() -> None:
    text = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    for record in (vademecum.Turn, vademecum.SessionHeader):
        for key in record.__dataclass_fields__:
            assert f"| `{key}` |" in text, f"{record.__name__}.{key}"


def test_the_format_page_is_of_the_format_that_is_written() -> None:
    first = (ROOT / "docs" / "format.md").read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# The format of the files, version {FORMAT}"


def test_the_layers_are_those_of_the_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["id"] == "layers")
    pictures = blocks(ROOT / "docs" / "architecture.md", "text")
    drawn = next(picture for picture in pictures if picture.startswith("__main__"))
    assert [re.sub(r" \(.*\)", "", line) for line in drawn.splitlines()] == layers


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("#"):
            assert (page.parent / target.partition("#")[0]).exists(), target


def test_every_decision_is_listed_and_has_its_three_parts() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    decisions = sorted(folder.glob("0*.md"))
    assert decisions
    for page in decisions:
        text = page.read_text(encoding="utf-8")
        assert f"({page.name})" in index
        assert text.startswith(f"# {page.name[:4]} ")
        for part in ("**Context.**", "**Decision.**", "**What would change our mind.**"):
            assert part in text, f"{page.name}: {part}"


def test_the_readme_opens_with_the_two_commands() -> None:
    first = blocks(ROOT / "README.md", "sh")[0].splitlines()
    assert [line.partition("#")[0].strip() for line in first] == ["make try", "make test"]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `make try` prints."""
    folder = tmp_path_factory.mktemp("try")
    arguments = ["-W", "error", str(ROOT / "examples" / "try.py"), "vault"]
    done = run(arguments, folder)
    assert done.returncode == 0, done.stderr
    again = run(arguments, folder)
    assert again.stdout == done.stdout, "a second run on the same vault shows the same"
    return done.stdout


def test_the_example_asks_five_questions_and_the_right_answer_comes_first(tried: str) -> None:
    asked = re.split(r"(?m)^\d\. ", tried)[1:]
    assert len(asked) == 5
    expected = ("36 hours", "8443", "Tierarztpraxis", "ZX-4502", "half a tablet")
    for text, words in zip(asked, expected, strict=True):
        first_hit = SUMMED.split(text)[0]
        assert words in " ".join(first_hit.split())


def test_the_reasons_in_the_example_add_up_to_the_score(tried: str) -> None:
    found = SUMMED.findall(tried)
    assert len(found) >= 5
    for score, parts in found:
        amounts = [float(part.split()[-1]) for part in parts.split(" + ")]
        # Each amount is rounded to two places.
        assert abs(sum(amounts) - float(score)) <= 0.005 * (len(amounts) + 1)


def test_the_example_says_what_to_type_next_and_fits_a_terminal(tried: str) -> None:
    assert "--vault vault search" in tried
    answers = tried.partition("\nNext:")[0]
    assert max(len(line.rstrip()) for line in answers.splitlines()) <= 100
