"""Verbs that only read: search, show, list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from vademecum.domain import DocumentId, Filter, Memory, Query, Session, Space, Unit
from vademecum.errors import InvalidInput
from vademecum.faces.cli import json_views, pages
from vademecum.faces.cli.app import App
from vademecum.faces.cli.excerpts import Excerpt, look_up
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.moments import Moment, first_moment
from vademecum.faces.cli.options import (
    check_spaces,
    document_filters,
    filter_of,
    spaces_to_read,
    turn_filters,
)
from vademecum.faces.cli.printing import mention, show
from vademecum.faces.cli.streams import remark, say_raw

if TYPE_CHECKING:
    from vademecum.domain import Page
    from vademecum.workspace import Workspace


@click.command("search", cls=Verb)
@click.argument("text", nargs=-1, required=True)
@click.option(
    "-k",
    "--limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="At most so many hits.",
)
@spaces_to_read
@document_filters
@turn_filters
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="REF",
    help="Only in this document (repeatable): an id, a path, a file name or a title.",
)
@click.option(
    "--unit",
    type=click.Choice([unit.value for unit in Unit]),
    default=Unit.PASSAGE.value,
    show_default=True,
    help="What a hit is: a passage, or a whole memory, session or either, by its passages.",
)
@click.option("--recipe", metavar="NAME", help="How to answer; `vade recipes` lists them.")
@click.option(
    "--asked-at",
    type=Moment(first_moment),
    help="Answer as if the question was asked then.",
)
@click.option("--explain", is_flag=True, help="Print what each score is made of.")
@click.option("--full", is_flag=True, help="Print whole passages, not snippets.")
@click.pass_obj
def search_verb(
    app: App,
    *,
    text: tuple[str, ...],
    limit: int,
    spaces: tuple[Space, ...],
    documents: tuple[str, ...],
    unit: str,
    recipe: str | None,
    asked_at: datetime | None,
    explain: bool,
    full: bool,
    **filters: Any,
) -> None:
    """Find what was said or written, best first.

    The words are joined by a space and any text is legal; put -- before words that begin with a
    dash. A passage that holds one of the words is found, one that holds more of them comes
    first. "Quoted words" and exact names such as health.base or C++ count as they are.

    The text "*" lists everything that the options leave, newest first.
    """
    where = filter_of(**filters)
    chosen = app.engine.recipe(recipe) if recipe is not None else None
    with app.open() as workspace:
        check_spaces(workspace, spaces)
        query = Query(
            text=" ".join(text),
            limit=limit,
            spaces=spaces,
            where=replace(where, documents=_ids(workspace, documents)),
            unit=Unit(unit),
            asked_at=asked_at,
        )
        answer = workspace.search(query, chosen)
        root = workspace.root
    show(
        app,
        lambda: json_views.answer_view(answer, root),
        pages.of_answer(answer, root, explain=explain, full=full),
    )
    mention(app, answer.skipped)


def _ids(workspace: Workspace, references: Sequence[str]) -> frozenset[DocumentId]:
    return frozenset(workspace.show(reference).id for reference in references)


@click.command("show", cls=Verb)
@click.argument("reference", metavar="REF")
@click.option("--raw", is_flag=True, help="Print a memory's file exactly as it is.")
@click.pass_obj
def show_verb(app: App, *, reference: str, raw: bool) -> None:
    """Print a memory, a session or a cited passage.

    REF is an id, a beginning of one, a path in the vault, a file name or a title. A citation
    such as 01JA...#12, as search prints it, shows that passage between its neighbours.
    """
    with app.open() as workspace:
        found = look_up(workspace, reference)
        root = workspace.root
    if raw:
        say_raw(_raw_text(found))
        return
    match found:
        case Memory():
            show(app, lambda: json_views.memory_view(found), pages.of_memory(found, root))
        case Session():
            show(app, lambda: json_views.session_view(found), pages.of_session(found, root))
        case Excerpt():
            show(app, lambda: json_views.excerpt_view(found), pages.of_excerpt(found, root))


def _raw_text(found: Memory | Session | Excerpt) -> str:
    if isinstance(found, Memory):
        return found.text
    raise InvalidInput(
        "--raw prints the file of a memory; this is none",
        hint="For a session or a passage use --json.",
    )


@click.command("list", cls=Verb)
@spaces_to_read
@document_filters
@click.option(
    "-k",
    "--limit",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="At most so many documents.",
)
@click.option("--after", metavar="CURSOR", help="Go on after the page that named this cursor.")
@click.option("--all", "everything", is_flag=True, help="All of them, however many.")
@click.pass_obj
def list_verb(
    app: App,
    *,
    spaces: tuple[Space, ...],
    limit: int,
    after: str | None,
    everything: bool,
    **filters: Any,
) -> None:
    """List memories and sessions by time, newest first."""
    where = filter_of(**filters)
    with app.open() as workspace:
        check_spaces(workspace, spaces)
        page = workspace.list(spaces=spaces, where=where, limit=limit, after=after)
        if everything:
            page = _with_the_rest(workspace, page, spaces, where)
    show(app, lambda: json_views.page_view(page), pages.of_page(page))
    if page.next is not None and not app.json:
        remark(f"{len(page.items):,} of {page.total:,}; to go on, add: --after {page.next}")


def _with_the_rest(
    workspace: Workspace, first: Page, spaces: Sequence[Space], where: Filter
) -> Page:
    items, cursor = list(first.items), first.next
    while cursor is not None:
        page = workspace.list(spaces=spaces, where=where, limit=1000, after=cursor)
        items += page.items
        cursor = page.next
    return replace(first, items=tuple(items), next=None)
