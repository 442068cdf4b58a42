"""`vade edit` and `vade remove`."""

from __future__ import annotations

import click

from vademecum.domain import Conflict, Memory, Session
from vademecum.errors import InvalidInput
from vademecum.faces.cli import json_views, text_views
from vademecum.faces.cli.app import App
from vademecum.faces.cli.failures import ConflictedError, UsageHint
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.lines import one_line
from vademecum.faces.cli.output import present
from vademecum.faces.cli.streams import can_ask, remark
from vademecum.faces.cli.texts import Draft, edited, given_text, keeping, save_beside

_FRONT_MATTER = ("---\n", "---\r\n")


@click.command("edit", cls=Verb)
@click.argument("reference", metavar="REF")
@click.option("--text", help="The new text; - reads it from standard input.")
@click.pass_obj
def edit(app: App, /, *, reference: str, text: str | None) -> None:
    """Change a memory.

    Opens the whole file in $VISUAL or $EDITOR. A text from --text or a pipe replaces the body
    and leaves the front matter; one that begins with front matter (---) replaces the whole file.

    If the file is changed by somebody else meanwhile, nothing is overwritten, and your text is
    saved beside it.
    """
    with app.open() as vault:
        memory = vault.show(reference)
        if isinstance(memory, Session):
            raise InvalidInput(
                f"{reference!r} is a session; sessions are appended to, never rewritten",
                hint=f"To add a turn: vade append {memory.id} TEXT",
            )
        given = given_text(() if text is None else (text,))
        draft = edited(memory.text) if given is None else _whole_file(memory, given)
        with keeping(draft):
            if not draft.text.strip():
                raise InvalidInput(
                    "the new text is empty; nothing was written",
                    hint=f"To delete it: vade remove {memory.id}.",
                )
            outcome = vault.edit(str(memory.path), draft.text, expected=memory.digest)
            if isinstance(outcome, Conflict):
                copy = save_beside(vault.root / outcome.path, draft.text)
        if isinstance(outcome, Conflict):
            raise ConflictedError(str(outcome.path), str(copy))
        present(
            app, outcome, json_views.outcome, lambda value: text_views.outcome(value, vault.root)
        )


def _whole_file(memory: Memory, given: Draft) -> Draft:
    """The file with this body, unless the text brings front matter of its own."""
    if not given.text.strip() or given.text.startswith(_FRONT_MATTER):
        return given
    front = memory.text.removesuffix(memory.body)
    blank = memory.body[: len(memory.body) - len(memory.body.lstrip("\r\n"))] if front else ""
    end = "" if given.text.endswith("\n") else "\n"
    return Draft(f"{front}{blank}{given.text}{end}")


@click.command("remove", cls=Verb)
@click.argument("references", nargs=-1, required=True, metavar="REF...")
@click.option("-y", "--yes", is_flag=True, help="Do not ask. Needed where nobody can be asked.")
@click.pass_obj
def remove(app: App, /, *, references: tuple[str, ...], yes: bool) -> None:
    """Delete memories or conversations.

    REF is an id or the beginning of one, a path, a file name or a title. Nothing is deleted
    unless all of them are found.
    """
    if not yes and not can_ask():
        raise UsageHint(
            "remove asks first, and there is nobody to ask",
            hint="To remove without being asked: --yes. Nothing was removed.",
        )
    with app.open() as vault:
        found = {one.id: one for one in map(vault.show, references)}
        if not yes and not _agreed([*found.values()]):
            remark("Nothing was removed.")
            return
        removed = [vault.remove(str(one.path)) for one in found.values()]
    present(app, removed, json_views.removed, text_views.removed)


def _agreed(documents: list[Memory | Session]) -> bool:
    for document in documents:
        remark(f"{document.id}  {one_line(document.title)}  ({document.path})")
    what = "this file" if len(documents) == 1 else f"these {len(documents)} files"
    return click.confirm(f"Delete {what}?", err=True)
