"""`vade import`: what was written elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from vademecum.domain import ImportReport, Severity, Space
from vademecum.faces.cli import json_views, text_views
from vademecum.faces.cli.app import App
from vademecum.faces.cli.exit_codes import ExitCode
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.options import space_to_write
from vademecum.faces.cli.output import present, progress_bar


@click.command("import", cls=Verb)
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    metavar="PATH...",
    type=click.Path(exists=True, path_type=Path),
)
@space_to_write
@click.pass_obj
def take_in(app: App, /, *, paths: tuple[Path, ...], space: Space | None) -> ExitCode:
    """Copy in Markdown notes and conversations.

    PATH is a folder of Markdown (.md) such as an Obsidian vault, a folder of sessions in
    Vademecum's own JSON Lines format (.jsonl), or one such file. Doing it again brings in only
    what is new or has changed. The originals are left as they are.
    """
    with app.open() as vault:
        report = ImportReport()
        for path in paths:
            with progress_bar(f"Importing {path.name or path}") as progress:
                one = vault.import_path(path, space=space, progress=progress)
            report = _sum(report, one)
        if report.stored or report.updated:
            with progress_bar("Indexing") as progress:
                vault.sync(progress=progress)
    present(app, report, json_views.imported, text_views.imported)
    failed = any(problem.severity is Severity.ERROR for problem in report.skipped)
    return ExitCode.FOUND_FAULTS if failed else ExitCode.DONE


def _sum(one: ImportReport, other: ImportReport) -> ImportReport:
    return ImportReport(
        read=one.read + other.read,
        stored=one.stored + other.stored,
        updated=one.updated + other.updated,
        unchanged=one.unchanged + other.unchanged,
        skipped=one.skipped + other.skipped,
    )
