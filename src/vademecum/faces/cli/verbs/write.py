"""`vade add` and `vade append`: what is to be remembered."""

from __future__ import annotations

from datetime import datetime

import click

from vademecum.domain import Appended, Memory, MemoryType, Note, Role, Session, Space, Turn
from vademecum.errors import InvalidInput
from vademecum.faces.cli import json_views, text_views
from vademecum.faces.cli.app import App
from vademecum.faces.cli.dates import Moment, first_moment
from vademecum.faces.cli.failures import UsageHint
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.options import space_to_write, type_of_memory
from vademecum.faces.cli.output import present
from vademecum.faces.cli.texts import Draft, edited, given_text, keeping


@click.command("add", cls=Verb)
@click.argument("text", nargs=-1)
@click.option("--title", default="", help="The title. Otherwise the beginning of the text.")
@type_of_memory
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag (repeatable).")
@space_to_write
@click.option("--event-at", type=Moment(first_moment), help="When it happened, if not now.")
@click.option("--pin", "pinned", is_flag=True, help="Mark it as one to have at hand always.")
@click.option("--importance", type=click.FloatRange(0, 1), help="How much it matters, from 0 to 1.")
@click.pass_obj
def add(
    app: App,
    /,
    *,
    text: tuple[str, ...],
    title: str,
    memory_type: str | None,
    tags: tuple[str, ...],
    space: Space | None,
    event_at: datetime | None,
    pinned: bool,
    importance: float | None,
) -> None:
    """Keep a note.

    TEXT is one note, its words joined by a space. For - or from a pipe the note is read from
    standard input; without either your editor is opened.
    """
    with app.open() as vault:
        draft = given_text(text) or edited("")
        with keeping(draft):
            _refuse_empty(draft)
            outcome = vault.add(
                Note(
                    text=draft.text,
                    space=space,
                    title=title,
                    type=MemoryType(memory_type) if memory_type else None,
                    tags=tuple(tag.removeprefix("#") for tag in tags),
                    event_at=event_at,
                    pinned=pinned,
                    importance=importance,
                )
            )
        present(
            app, outcome, json_views.outcome, lambda value: text_views.outcome(value, vault.root)
        )


@click.command("append", cls=Verb)
@click.argument("words", nargs=-1, metavar="[SESSION] [TEXT]...")
@click.option("--new", is_flag=True, help="Start a session first; SESSION is left out then.")
@click.option("--title", default="", help="The title of the new session.")
@space_to_write
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.USER.value,
    show_default=True,
    help="Whose turn it is.",
)
@click.option("--speaker", default="", metavar="NAME", help="Who speaks.")
@click.option("--time", "said_at", type=Moment(first_moment), help="When it was said, if not now.")
@click.pass_obj
def append(
    app: App,
    /,
    *,
    words: tuple[str, ...],
    new: bool,
    title: str,
    space: Space | None,
    role: str,
    speaker: str,
    said_at: datetime | None,
) -> None:
    r"""Add a turn to a conversation.

    SESSION is an id or the beginning of one, a path, a file name or a title. TEXT is what was
    said; for - or from a pipe it is read from standard input.

    \b
    Start a conversation:   vade append --new --title Standup "Good morning."
    Go on with it:          vade append Standup --role assistant "Good morning, Mara."
    """
    if not new and not words:
        raise UsageHint(
            "SESSION is missing",
            hint='Start one with: vade append --new --title TITLE "TEXT"',
        )
    if not new and (title or space):
        option = "--title" if title else "--space"
        raise UsageHint(f"{option} is for a new session", hint="Add --new, or leave it out.")
    with app.open() as vault:
        if new:
            draft = given_text(words) or Draft("")
        else:
            # Looked up before the text is written, so that a slip costs nobody their text.
            _require_session(vault.show(words[0]), words[0])
            draft = given_text(words[1:]) or edited("")
        # A pipe ends with a line end that nobody said.
        content = draft.text.removesuffix("\n").removesuffix("\r")
        turn = Turn(content=content, role=Role(role), speaker=speaker, time=said_at)
        with keeping(draft):
            if not new:
                _refuse_empty(draft)
            session = str(vault.start_session(title=title, space=space)) if new else words[0]
            if draft.text.strip():
                value = vault.append(session, [turn])
            else:
                started = vault.show(session)
                value = Appended(session=started.id, path=started.path, turns=())
        present(app, value, json_views.appended, lambda one: text_views.appended(one, vault.root))


def _require_session(document: Memory | Session, reference: str) -> None:
    if isinstance(document, Memory):
        raise InvalidInput(
            f"{reference!r} is a memory; turns are appended to a session",
            hint=f"To change it: vade edit {document.id}",
        )


def _refuse_empty(draft: Draft) -> None:
    if not draft.text.strip():
        if draft.file is not None:
            draft.file.unlink(missing_ok=True)
        raise InvalidInput(
            "there is no text; nothing was written",
            hint="Give it on the command line, through a pipe, or in an editor ($EDITOR).",
        )
