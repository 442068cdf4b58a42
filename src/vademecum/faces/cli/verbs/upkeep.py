"""`vade sync`, `check`, `rebuild`, `stats` and `recipes`."""

from __future__ import annotations

import click

from vademecum.faces.cli import json_views, text_views
from vademecum.faces.cli.app import App
from vademecum.faces.cli.exit_codes import ExitCode
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.output import present, progress_bar


@click.command("sync", cls=Verb)
@click.pass_obj
def sync(app: App, /) -> None:
    """Bring the index up to date with the files.

    Every verb that reads does so by itself; this one shows what is new.
    """
    with app.open() as vault, progress_bar("Indexing") as progress:
        report = vault.sync(progress=progress)
    present(app, report, json_views.synced, text_views.synced)


@click.command("check", cls=Verb)
@click.pass_obj
def check(app: App, /) -> ExitCode:
    """Compare every file with the index.

    Exits with 1 if they do not agree, or if a file cannot be understood.
    """
    with app.open() as vault:
        report = vault.check()
    present(app, report, json_views.checkup, text_views.checkup)
    return ExitCode.DONE if report.is_clean else ExitCode.FOUND_FAULTS


@click.command("rebuild", cls=Verb)
@click.pass_obj
def rebuild(app: App, /) -> None:
    """Make the index anew from the files."""
    with app.open() as vault, progress_bar("Indexing") as progress:
        report = vault.rebuild(progress=progress)
    present(app, report, json_views.synced, text_views.rebuilt)


@click.command("stats", cls=Verb)
@click.pass_obj
def stats(app: App, /) -> None:
    """Say how much the vault and its index hold."""
    with app.open() as vault:
        found, root = vault.stats(), vault.root
    present(
        app,
        found,
        lambda value: json_views.stats(value, root),
        lambda value: text_views.stats(value, root),
    )


@click.command("recipes", cls=Verb)
@click.pass_obj
def recipes(app: App, /) -> None:
    """List the ways to rank that `search --recipe` knows."""
    from vademecum.recipes import DEFAULT, PRESETS

    present(
        app,
        [*PRESETS.values()],
        lambda values: json_views.recipes(values, DEFAULT),
        lambda values: text_views.recipes(values, DEFAULT),
    )
