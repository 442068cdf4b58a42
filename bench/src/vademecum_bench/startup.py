"""How long a person waits for one search from a cold command line."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vademecum_bench.errors import BenchError
from vademecum_bench.measures import percentile


@dataclass(frozen=True, slots=True)
class Startup:
    """Seconds of each run, from starting the process to its end."""

    seconds: Sequence[float]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def p95(self) -> float:
        return percentile(self.seconds, 0.95)


def command() -> list[str]:
    """`vade` of this Python's environment, or else of the search path."""
    beside = shutil.which("vade", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("vade")
    if found is None:
        raise BenchError("there is no command vade", hint="Install the package vademecum.")
    return [found]


def time_searches(vault: Path, query: str, *, runs: int, program: Sequence[str]) -> Startup:
    """Run `vade search` so many times, each in a process of its own, after one to warm up."""
    seconds: list[float] = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        done = subprocess.run(
            [*program, "--vault", str(vault), "search", query, "--json"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        seconds.append(time.perf_counter() - start)
        # 1 may mean that nothing was found; a usage error or a crash prints no JSON.
        if not done.stdout.lstrip().startswith(("{", "[")):
            raise BenchError(f"vade search failed with {done.returncode}: {done.stderr.strip()}")
    return Startup(seconds[1:])
