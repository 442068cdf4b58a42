"""The command `vade-bench`."""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from rich.console import Console

import vademecum
from vademecum_bench import PROTOCOL, __version__, report, smoke, speed, startup, verify
from vademecum_bench.comparison import compare
from vademecum_bench.corpus import Dataset
from vademecum_bench.datasets import catalog
from vademecum_bench.datasets.xquad import DEFAULT_PAIRS
from vademecum_bench.errors import BenchError
from vademecum_bench.experiment import Run
from vademecum_bench.experiment import run as run_experiment
from vademecum_bench.progress import progress_bar
from vademecum_bench.systems.catalog import BASELINES, system_for
from vademecum_bench.systems.protocol import Progress

FOLDER = click.Path(path_type=Path, file_okay=False)
EXISTING_FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)

data_option = click.option(
    "--data", required=True, type=EXISTING_FOLDER, help="The folder that holds locomo/ and so on."
)


def plain_errors(command: Callable[..., None]) -> Callable[..., None]:
    """What went wrong in a line, and what to do about it in another; exit code 2."""

    @functools.wraps(command)
    def guarded(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except (BenchError, vademecum.VademecumError) as error:
            click.echo(f"error: {error}", err=True)
            if error.hint:
                click.echo(error.hint, err=True)
            sys.exit(2)

    return guarded


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="vade-bench")
def main() -> None:
    """Measure how well and how fast Vademecum finds things again.

    Results go to standard output, progress to standard error. Exit code 0 if all is well, 1 if
    a verification failed, 2 for a mistake in what was asked.
    """


@main.command()
@click.argument("dataset", type=click.Choice(list(catalog.LOADERS)))
@data_option
@click.option(
    "--recipe",
    help="A preset, a file RECIPE.json, or a baseline: grep, fts5. Otherwise the product's own"
    " default.",
)
@click.option("--out", type=FOLDER, help="Where rows, manifest and summary go.")
@click.option("--questions", type=click.IntRange(min=1), help="Only so many, evenly spaced.")
@click.option("--cache", type=FOLDER, help="Keep the vault there and use it again.")
@click.option("--languages", default="", help=f"Pairs for xquad. Default: {DEFAULT_PAIRS}.")
@plain_errors
def run(
    dataset: str,
    *,
    data: Path,
    recipe: str | None,
    out: Path | None,
    questions: int | None,
    cache: Path | None,
    languages: str,
) -> None:
    """Ask every question of a data set.

    An interrupted run goes on where it stopped if --out is the same.
    """
    loaded = catalog.load(dataset, data, languages=languages)
    sampled = questions is not None and questions < len(loaded.questions)
    if questions is not None:
        loaded = loaded.sample(questions)
    kept = None if cache is None or recipe in BASELINES else cache / cache_name(loaded)
    with progress_bar() as progress:
        finished = _run(loaded, recipe, out=out, folder=kept, progress=progress, sampled=sampled)
    if finished.kept:
        click.echo(f"went on with {finished.kept} rows that were there", err=True)
    _print_run(finished)


@main.command(name="compare")
@click.argument("out_a", type=EXISTING_FOLDER)
@click.argument("out_b", type=EXISTING_FOLDER)
@plain_errors
def compare_command(out_a: Path, out_b: Path) -> None:
    """Wins and losses of OUT_B against OUT_A, question by question, with an exact sign test."""
    _console().print(report.comparison_table(compare(out_a, out_b)))


@main.command(name="verify")
@click.argument("folder", metavar="DIR", type=EXISTING_FOLDER)
@click.option("--data", type=EXISTING_FOLDER, help="Also ask some questions again.")
@click.option(
    "--sample", default=20, show_default=True, type=click.IntRange(min=1), help="How many of them."
)
@plain_errors
def verify_command(folder: Path, data: Path | None, sample: int) -> None:
    """Recompute every figure of a run from its rows. Exit code 1 if anything differs."""
    verdicts = {"figures": verify.verify_figures(folder)}
    if data is not None:
        with progress_bar() as progress:
            verdicts["questions asked again"] = verify.verify_retrieval(
                folder, data, sample=sample, progress=progress
            )
    for what, verdict in verdicts.items():
        click.echo(f"{verdict.compared} {what}: {len(verdict.differences)} differences")
        for difference in verdict.differences:
            click.echo(f"  {difference}")
    sys.exit(int(any(verdict.differences for verdict in verdicts.values())))


@main.command(name="speed")
@data_option
@click.option(
    "--passages", type=click.IntRange(min=1), help="One size instead of 10,000, 50,000, 200,000."
)
@click.option("--queries", default=200, show_default=True, type=click.IntRange(min=1))
@click.option("--out", type=FOLDER, help="Where speed.json goes.")
@plain_errors
def speed_command(data: Path, passages: int | None, queries: int, out: Path | None) -> None:
    """Keyword queries against bare FTS5, and against tantivy and bm25s where installed."""
    sizes = speed.SIZES if passages is None else (passages,)
    with progress_bar() as progress:
        result = speed.measure(data, sizes=sizes, queries=queries, progress=progress)
    _console().print(report.speed_table(result.measured))
    for skipped in result.skipped:
        click.echo(f"{skipped.engine} skipped: {skipped.reason}")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        rows = [one.row() for one in result.measured]
        (out / "speed.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


@main.command(name="startup")
@click.option("--vault", required=True, type=EXISTING_FOLDER, help="The vault to search.")
@click.argument("query")
@click.option("--runs", default=20, show_default=True, type=click.IntRange(min=1))
@plain_errors
def startup_command(*, vault: Path, query: str, runs: int) -> None:
    """How long `vade search` takes as a whole process, from a cold start."""
    program = startup.command()
    found = startup.time_searches(vault, query, runs=runs, program=program)
    click.echo(report.startup_line(found))


@main.command(name="smoke")
@plain_errors
def smoke_command() -> None:
    """A tiny data set of its own, in seconds. Exit code 1 if we miss what any engine finds."""
    dataset = smoke.load()
    found: dict[str | None, float] = {}
    for recipe in (None, *BASELINES):
        finished = _run(dataset, recipe, out=None, folder=None, progress=lambda *_: None)
        found[recipe] = finished.summary["metrics"]["any@3"]
        _print_run(finished)
    if found[None] < smoke.FLOOR:
        click.echo(f"any@3 is {found[None]}, should be at least {smoke.FLOOR}", err=True)
        sys.exit(1)


def cache_name(dataset: Dataset) -> str:
    """A folder name that stands for exactly these files, documents and numbers."""
    whole = hashlib.sha256(
        json.dumps(
            [
                PROTOCOL,
                dataset.name,
                dict(dataset.files),
                dict(dataset.options),
                [corpus.id for corpus in dataset.corpora],
            ],
            sort_keys=True,
        ).encode()
    )
    return f"{dataset.name}-{whole.hexdigest()[:12]}"


def _run(
    dataset: Dataset,
    recipe: str | None,
    *,
    out: Path | None,
    folder: Path | None,
    progress: Progress,
    sampled: bool = False,
) -> Run:
    with _place(folder) as place:
        system = system_for(recipe, place)
        try:
            return run_experiment(dataset, system, out=out, progress=progress, sampled=sampled)
        finally:
            system.close()


@contextmanager
def _place(folder: Path | None) -> Iterator[Path]:
    """That folder, or a temporary one."""
    if folder is None:
        with TemporaryDirectory() as temporary:
            yield Path(temporary)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def _print_run(finished: Run) -> None:
    console = _console()
    console.print(report.metrics_table(finished.summary))
    console.print(report.types_table(finished.summary))
    console.print(report.cost_line(finished.summary), highlight=False)


def _console() -> Console:
    # Tables in a pipe or a log keep their columns, however narrow the terminal is said to be.
    console = Console()
    return console if console.is_terminal else Console(width=140)
