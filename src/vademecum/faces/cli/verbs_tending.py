"""Verbs that look after a vault: spaces, sync, check, rebuild, stats, recipes."""

from __future__ import annotations

import click

from vademecum.faces.cli import json_views, reports
from vademecum.faces.cli.app import App
from vademecum.faces.cli.exit_codes import ExitCode
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.printing import show
from vademecum.faces.cli.progress import bar


@click.command("spaces", cls=Verb)
@click.pass_obj
def spaces_verb(app: App) -> None:
    """List the spaces and how much each holds."""
    with app.open() as workspace:
        spaces = workspace.spaces()
    show(app, lambda: {"spaces": json_views.spaces_view(spaces)}, reports.of_spaces(spaces))


@click.command("sync", cls=Verb)
@click.pass_obj
def sync_verb(app: App) -> None:
    """Bring the index up to date with the files. Every reading verb does so by itself."""
    with app.open() as workspace, bar("Indexing") as progress:
        report = workspace.sync(progress=progress)
    show(app, lambda: json_views.sync_view(report), reports.of_sync(report, verb="Synced"))


@click.command("rebuild", cls=Verb)
@click.pass_obj
def rebuild_verb(app: App) -> None:
    """Make the index anew from the files. The files are not touched."""
    with app.open() as workspace, bar("Indexing") as progress:
        report = workspace.rebuild(progress=progress)
    show(app, lambda: json_views.sync_view(report), reports.of_sync(report, verb="Rebuilt"))


@click.command("check", cls=Verb)
@click.pass_obj
def check_verb(app: App) -> int:
    """Compare files and index; exit code 1 if they disagree or a file cannot be read."""
    with app.open() as workspace:
        checkup = workspace.check()
    show(app, lambda: json_views.checkup_view(checkup), reports.of_checkup(checkup))
    return ExitCode.DONE if checkup.is_clean else ExitCode.FOUND_FAULTS


@click.command("stats", cls=Verb)
@click.pass_obj
def stats_verb(app: App) -> None:
    """Print how much the vault and its index hold."""
    with app.open() as workspace:
        stats = workspace.stats()
    show(app, lambda: json_views.stats_view(stats), reports.of_stats(stats))


@click.command("recipes", cls=Verb)
@click.pass_obj
def recipes_verb(app: App) -> None:
    """List the ways to answer that --recipe takes."""
    recipes = app.engine.recipes()
    show(
        app,
        lambda: {"recipes": [json_views.recipe_view(recipe) for recipe in recipes.values()]},
        reports.of_recipes(recipes),
    )
