"""`vade search`: asking."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import click

from vademecum.domain import Answer, Query, Space, Unit
from vademecum.faces.cli import hit_views, json_views
from vademecum.faces.cli.app import App
from vademecum.faces.cli.dates import Moment, first_moment
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.options import (
    document_filters,
    empty_spaces,
    filter_of,
    spaces_to_read,
    turn_filters,
)
from vademecum.faces.cli.output import present, remark_skipped
from vademecum.faces.cli.streams import remark


@click.command("search", cls=Verb)
@click.argument("text", nargs=-1, required=True, metavar="TEXT...")
@click.option(
    "-k", "--limit", type=click.IntRange(min=1), default=10, show_default=True, help="Most hits."
)
@spaces_to_read
@document_filters
@turn_filters
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="REF",
    help="Only this memory or session: an id, path, file name or title (repeatable).",
)
@click.option(
    "--unit",
    type=click.Choice([unit.value for unit in Unit]),
    default=Unit.PASSAGE.value,
    show_default=True,
    help="What a hit is: a passage, or the best passage of each document of a kind.",
)
@click.option("--recipe", metavar="NAME", help="How to rank; `vade recipes` lists them.")
@click.option(
    "--asked-at", type=Moment(first_moment), help="When the question was asked, if not now."
)
@click.option("--full", is_flag=True, help="Print whole passages and not the best 300 characters.")
@click.option("--explain", is_flag=True, help="Print what each hit's score is made of.")
@click.pass_obj
def search(
    app: App,
    /,
    *,
    text: tuple[str, ...],
    limit: int,
    spaces: tuple[Space, ...],
    documents: tuple[str, ...],
    unit: str,
    recipe: str | None,
    asked_at: datetime | None,
    full: bool,
    explain: bool,
    **filters: Any,
) -> None:
    """Find passages by their words.

    TEXT needs no quoting and no operators: any of its words may match, and the more and the
    rarer the better. Words in double quotes are looked for as a phrase as well. The query "*"
    lists everything in the range given by the options, newest first.
    """
    import vademecum

    chosen = vademecum.recipe(recipe) if recipe is not None else None
    where = filter_of(**filters)
    with app.open() as vault:
        if documents:
            ids = frozenset(vault.show(reference).id for reference in documents)
            where = replace(where, documents=ids)
        query = Query(
            text=" ".join(text),
            limit=limit,
            spaces=spaces,
            where=where,
            unit=Unit(unit),
            asked_at=asked_at,
        )
        answer = vault.search(query, chosen)
        if not answer.hits:
            answer = replace(answer, skipped=(*answer.skipped, *empty_spaces(vault, spaces)))
        root = vault.root
        others = [] if answer.hits or spaces else [one.space for one in vault.spaces()]
    present(
        app,
        answer,
        json_views.answer,
        lambda value: hit_views.answer(value, root, full=full, explain=explain),
    )
    if not app.json:
        _remark(answer, others)


def _remark(answer: Answer, others: list[Space]) -> None:
    """What a person should know besides the hits."""
    if not answer.hits:
        remark(hit_views.nothing_found(answer))
    remark_skipped(answer.skipped)
    unread = [space for space in others if space not in answer.spaces]
    if unread:
        remark(f"hint: Not looked in: {', '.join(unread)}. Add --space NAME to read one.")
