"""`vade show`, `vade list` and `vade spaces`: what there is."""

from __future__ import annotations

from typing import Any

import click

from vademecum.domain import Memory, Page, Session, Space
from vademecum.faces.cli import json_views, text_views
from vademecum.faces.cli.app import App
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.options import (
    document_filters,
    empty_spaces,
    filter_of,
    spaces_to_read,
)
from vademecum.faces.cli.output import present, print_lines, remark_skipped
from vademecum.faces.cli.streams import remark, say_json, say_raw, to_terminal
from vademecum.faces.cli.surroundings import Excerpt, look_up


@click.command("show", cls=Verb)
@click.argument("reference", metavar="REF")
@click.pass_obj
def show(app: App, /, *, reference: str) -> None:
    """Print a memory, a conversation, or a cited passage.

    REF is an id or the beginning of one, a path, a file name or a title. The citation of a hit,
    as in 01J9...#12, prints that passage between its neighbours. In a pipe a memory is its file,
    byte for byte.
    """
    with app.open() as vault:
        found = look_up(vault, reference)
        root = vault.root
    match found:
        case Excerpt():
            present(app, found, json_views.excerpt, lambda value: text_views.excerpt(value, root))
        case Session():
            present(app, found, json_views.session, lambda value: text_views.session(value, root))
        case Memory() if app.json:
            say_json(json_views.memory(found))
        case Memory() if to_terminal():
            print_lines(app, text_views.memory(found, root))
        case Memory():
            say_raw(found.text)


@click.command("list", cls=Verb)
@spaces_to_read
@document_filters
@click.option(
    "--limit", type=click.IntRange(min=1), default=100, show_default=True, help="Most documents."
)
@click.option("--after", metavar="CURSOR", help="Go on after the page that named this cursor.")
@click.option("--all", "everything", is_flag=True, help="All of them, without pages.")
@click.pass_obj
def list_documents(
    app: App,
    /,
    *,
    spaces: tuple[Space, ...],
    limit: int,
    after: str | None,
    everything: bool,
    **filters: Any,
) -> None:
    """List memories and conversations, newest first."""
    where = filter_of(**filters)
    with app.open() as vault:
        page = vault.list(spaces=spaces, where=where, limit=limit, after=after)
        items = list(page.items)
        cursor = page.next
        while everything and cursor is not None:
            further = vault.list(spaces=spaces, where=where, limit=limit, after=cursor)
            items += further.items
            cursor = further.next
        page = Page(items=tuple(items), total=page.total, next=cursor)
        unknown = [] if items else empty_spaces(vault, spaces)
    present(app, page, json_views.page, text_views.page)
    if app.json:
        return
    if not items:
        remark("There is nothing to list.")
    remark_skipped(unknown)
    if page.next is not None:
        remark(f"{len(items):,} of {page.total:,} shown. Go on with: --after {page.next}")


@click.command("spaces", cls=Verb)
@click.pass_obj
def spaces(app: App, /) -> None:
    """List the spaces and how much each holds."""
    with app.open() as vault:
        found, default = vault.spaces(), vault.default_space
    present(
        app,
        found,
        lambda values: json_views.spaces(values, default),
        lambda values: text_views.spaces(values, default),
    )
    if not found and not app.json:
        remark(f"No space holds anything yet. The default space is {default}.")
