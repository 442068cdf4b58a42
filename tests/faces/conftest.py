"""A vault of its own for each test, and `vade` in this process and in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from vademecum.faces.cli.program import program


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Vade:
    """`vade` on one vault, without a terminal."""

    root: Path

    def __call__(self, *arguments: str, text: str | bytes | None = None) -> Ran:
        result = CliRunner().invoke(program, arguments, input=text, catch_exceptions=False)
        return Ran(result.exit_code, result.stdout, result.stderr)

    def json(self, *arguments: str, text: str | None = None) -> Any:
        ran = self(*arguments, "--json", text=text)
        assert ran.code == 0, ran.err
        return ran.json

    def add(self, text: str, *options: str) -> str:
        """The id of a new memory."""
        return str(self.json("add", *options, text=text)["id"])

    def file(self, identity: str) -> Path:
        return self.root / str(self.json("show", identity)["path"])


@pytest.fixture
def vade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vade:
    root = tmp_path / "vault"
    monkeypatch.setenv("VADEMECUM_VAULT", str(root))
    for name in ("VISUAL", "EDITOR", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    made = Vade(root)
    assert made("init").code == 0
    return made


Process = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def process() -> Process:
    """`vade` in a process of its own."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "vademecum", *arguments],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )

    return run


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """An $EDITOR that runs Python lines on `path`."""

    def make(code: str) -> None:
        script = tmp_path / "an editor.py"
        script.write_text(
            f"import pathlib, sys\npath = pathlib.Path(sys.argv[1])\n{code}\n", encoding="utf-8"
        )
        monkeypatch.setenv("EDITOR", f'"{sys.executable}" "{script}"')

    return make
