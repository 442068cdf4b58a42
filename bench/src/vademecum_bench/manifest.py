"""What made a run: data, system, recipe, versions and machine, as a value."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from vademecum_bench import PROTOCOL, __version__
from vademecum_bench.corpus import Dataset
from vademecum_bench.errors import DataError
from vademecum_bench.recipes import plain

FILE = "manifest.json"
PACKAGES = ("vademecum", "numpy", "ir-measures")


def describe_run(
    dataset: Dataset, *, system: str, recipe: Mapping[str, object], sampled: bool, depth: int
) -> dict[str, Any]:
    """Everything about a run but what it measured.

    `key` stands for all that decides the rows: rows of runs with one key may be mixed. It
    covers the very source of the engine, so that work in progress never mixes.
    """
    decisive = plain(
        {
            "dataset": {
                "name": dataset.name,
                "unit": dataset.unit,
                "files": dataset.files,
                "options": dataset.options,
            },
            "questions": len(dataset.questions),
            "sampled": sampled,
            "depth": depth,
            "system": system,
            "recipe": recipe,
            "engine": engine_digest(),
            "versions": versions(),
            "harness": {"version": __version__, "protocol": PROTOCOL},
        }
    )
    return {
        "key": digest_of(decisive),
        **decisive,
        "git": git_state(),
        "machine": machine(),
    }


def digest_of(value: object) -> str:
    """SHA-256 of a plain value, in hexadecimal."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "source"
    return found


def machine() -> dict[str, object]:
    """What the speed depends on, and nothing that says whose machine it is."""
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "processors": os.cpu_count(),
        "memory_mb": _memory_mb(),
    }


def engine_folder() -> Path | None:
    """Where the source of the engine is; None if it is not installed."""
    spec = importlib.util.find_spec("vademecum")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def engine_digest() -> str:
    """SHA-256 over the source files of the engine; empty if it is not installed."""
    folder = engine_folder()
    if folder is None:
        return ""
    whole = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        whole.update(file.relative_to(folder).as_posix().encode() + b"\0")
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def git_state() -> dict[str, object] | None:
    """The commit that the engine's source stands at, and whether it was changed since."""
    folder = engine_folder()
    if folder is None:
        return None
    revision = _git(folder, "rev-parse", "HEAD")
    if revision is None:
        return None
    return {"revision": revision, "changed": bool(_git(folder, "status", "--porcelain", "."))}


def write(folder: Path, name: str, value: Mapping[str, object]) -> None:
    """A JSON file for people to read."""
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    (folder / name).write_text(text, encoding="utf-8")


def read(folder: Path, name: str = FILE) -> dict[str, Any]:
    """A JSON file of a run."""
    try:
        value = json.loads((folder / name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(
            f"cannot read {name} in {str(folder)!r}: {error}",
            hint="Give the folder that --out named.",
        ) from error
    if not isinstance(value, dict):
        raise DataError(f"{name} in {str(folder)!r} holds no object")
    return value


def _git(folder: Path, *arguments: str) -> str | None:
    program = shutil.which("git")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _processor() -> str:
    if sys.platform == "linux":
        try:
            lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        except OSError:
            lines = []
        for line in lines:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


def _memory_mb() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (AttributeError, OSError, ValueError):
        return None
