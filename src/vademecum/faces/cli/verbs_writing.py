"""Verbs that change what the vault holds: init, add, append, import, edit, remove."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vademecum.domain import (
    Conflict,
    ImportReport,
    Memory,
    MemoryType,
    Note,
    Outcome,
    Role,
    Saved,
    Severity,
    Space,
    Turn,
)
from vademecum.errors import InvalidInput
from vademecum.faces.cli import json_views, reports
from vademecum.faces.cli.app import App
from vademecum.faces.cli.exit_codes import ExitCode
from vademecum.faces.cli.failures import Conflicted, UsageHint
from vademecum.faces.cli.group import Verb
from vademecum.faces.cli.lines import Line, Run, Style, line, one_line
from vademecum.faces.cli.moments import Moment, first_moment
from vademecum.faces.cli.options import space_to_write, type_of_memory
from vademecum.faces.cli.pages import counted, visible_path
from vademecum.faces.cli.printing import show
from vademecum.faces.cli.progress import bar
from vademecum.faces.cli.streams import can_ask, remark, say_json, typed_by_a_person
from vademecum.faces.cli.texts import Draft, edited, given_text, keeping

if TYPE_CHECKING:
    from vademecum.domain import Session


@click.command("init", cls=Verb)
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.pass_obj
def init_verb(app: App, *, path: Path | None) -> None:
    """Make a new vault.

    Without PATH it is made where every verb looks for it: --vault, else VADEMECUM_VAULT, else
    the user's data folder.
    """
    usual = app.root
    with app.create(path) as workspace:
        root, space = workspace.root, workspace.default_space
    found_by_itself = (path is None and app.vault is None) or _same(usual, root)
    show(
        app,
        lambda: {"vault": str(root), "default_space": space},
        _welcome(root, needs_naming=not found_by_itself or app.vault is not None),
    )


def _same(one: Path, other: Path) -> bool:
    return one.expanduser().resolve() == other.expanduser().resolve()


def _welcome(root: Path, *, needs_naming: bool) -> list[Line]:
    vade = f"vade --vault {shlex.quote(str(root))}" if needs_naming else "vade"
    lines = [
        line("Made a vault in ", Run(str(root), Style.TITLE, str(root)), "."),
        line("It is a folder of plain files: yours to read, edit and copy."),
        line(""),
        line("Try next:"),
        line(Run(f'{vade} add "Mara prefers green tea at 80 degrees."', Style.COMMAND), indent=2),
        line(Run(f"{vade} search green tea", Style.COMMAND), indent=2),
    ]
    if needs_naming:
        lines += [
            line(""),
            line("To leave out --vault, set VADEMECUM_VAULT to that folder."),
        ]
    return lines


@click.command("add", cls=Verb)
@click.argument("text", nargs=-1)
@click.option("--title", default="", help="A title. Otherwise the first words are one.")
@type_of_memory
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag (repeatable).")
@space_to_write
@click.option(
    "--event-at", type=Moment(first_moment), help="When it happened, if that was not now."
)
@click.option("--pin", "pinned", is_flag=True, help="Mark it as one that always matters.")
@click.option("--importance", type=click.FloatRange(0, 1), help="How much it matters, from 0 to 1.")
@click.pass_obj
def add_verb(
    app: App,
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

    TEXT is the note; without it, or for -, standard input is read, and if that is the keyboard,
    your editor opens.
    """
    with app.open() as workspace:
        draft = given_text(text) or edited("")
        with keeping(draft):
            outcome = workspace.add(
                Note(
                    text=_not_empty(draft, "remember"),
                    space=space or workspace.default_space,
                    title=title,
                    type=MemoryType(memory_type) if memory_type else None,
                    tags=tuple(tag.removeprefix("#") for tag in tags),
                    event_at=event_at,
                    pinned=pinned,
                    importance=importance,
                )
            )
    _tell_outcome(app, outcome, draft)


def _not_empty(draft: Draft, verb: str) -> str:
    if not draft.text.strip():
        raise InvalidInput(f"there is no text to {verb}; nothing was written")
    return draft.text


def _tell_outcome(app: App, outcome: Outcome, draft: Draft) -> None:
    """Print what was written, or keep what could not be."""
    if isinstance(outcome, Conflict):
        copy = str(draft.kept())
        if app.json:
            say_json({**json_views.outcome_view(outcome), "saved_copy": copy})
        raise Conflicted(str(outcome.path), copy)
    word = "Saved" if isinstance(outcome, Saved) else "Unchanged:"
    show(
        app,
        lambda: json_views.outcome_view(outcome),
        [
            line(
                Run(word, Style.GOOD),
                f" {visible_path(outcome.path)}  ",
                Run(str(outcome.id), Style.ASIDE),
            )
        ],
    )


@click.command("append", cls=Verb)
@click.argument("arguments", nargs=-1, metavar="[SESSION] [TEXT]...")
@click.option("--new", is_flag=True, help="Start a session; all arguments are the text.")
@click.option("--title", default="", help="The title of a new session.")
@space_to_write
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.USER.value,
    show_default=True,
    help="Who spoke, by role.",
)
@click.option("--speaker", default="", metavar="NAME", help="Who spoke, by name.")
@click.option("--time", "moment", type=Moment(first_moment), help="When, if that was not now.")
@click.pass_obj
def append_verb(
    app: App,
    *,
    arguments: tuple[str, ...],
    new: bool,
    title: str,
    space: Space | None,
    role: str,
    speaker: str,
    moment: datetime | None,
) -> None:
    """Add a turn to a session, verbatim.

    SESSION is an id, a path, a file name or a title; with --new one is started, and the turn may
    be left out. Without TEXT, or for -, standard input is read.
    """
    if not new and (title or space):
        raise UsageHint("--title and --space are for a new session", hint="Add --new.")
    if not new and not arguments:
        raise UsageHint("which session?", hint="vade append SESSION TEXT, or vade append --new")
    content = _turn_text(arguments if new else arguments[1:], may_be_none=new)
    turns = [Turn(content=content, role=Role(role), speaker=speaker, time=moment)]
    with app.open() as workspace:
        if new:
            session = str(workspace.start_session(title=title, space=space))
        else:
            session = arguments[0]
        if content:
            appended = workspace.append(session, turns)
            view = json_views.appended_view(appended, started=new)
        else:
            view = json_views.started_view(workspace.show(session))
    show(app, lambda: view, _appended_lines(view))


def _turn_text(words: tuple[str, ...], *, may_be_none: bool) -> str:
    if may_be_none and not words and typed_by_a_person():
        return ""
    draft = given_text(words)
    content = draft.text if draft is not None else ""
    # A pipe ends with a line end that the speaker did not say.
    content = content.removesuffix("\n").removesuffix("\r") if not words else content
    if not content.strip() and not may_be_none:
        raise InvalidInput("there is no text to append", hint="vade append SESSION TEXT")
    return content if content.strip() else ""


def _appended_lines(view: json_views.Json) -> list[Line]:
    verb = "Started" if view["outcome"] == "started" else "Appended to"
    turns = view["turns"]
    ids = [f"#{one_line(str(turn))}" for turn in turns] if isinstance(turns, list) else []
    return [
        line(
            Run(verb, Style.GOOD),
            f" {visible_path(view['path'])}  ",
            Run(f"{view['id']}{', '.join(ids)}", Style.ASIDE),
        )
    ]


@click.command("import", cls=Verb)
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    metavar="PATH...",
    type=click.Path(exists=True, path_type=Path),
)
@space_to_write
@click.pass_obj
def import_verb(app: App, *, sources: tuple[Path, ...], space: Space | None) -> int:
    """Copy notes and conversations into the vault.

    PATH is a folder of Markdown, such as an Obsidian vault, a Markdown file, or a folder or file
    of sessions as JSON Lines. What is there already stays as it is, so it can be run again.
    """
    report = ImportReport()
    with app.open() as workspace:
        for source in sources:
            with bar(f"Reading {source.name or source}") as progress:
                report = _sum(report, workspace.import_path(source, space=space, progress=progress))
        with bar("Indexing") as progress:
            workspace.sync(progress=progress)
    show(app, lambda: json_views.import_view(report), reports.of_import(report))
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


@click.command("edit", cls=Verb)
@click.argument("reference", metavar="REF")
@click.option("--text", help="The new text; - reads standard input.")
@click.pass_obj
def edit_verb(app: App, *, reference: str, text: str | None) -> None:
    """Change a memory in your editor ($VISUAL or $EDITOR), or with --text or a pipe.

    In the editor you have the whole file. A text from --text or a pipe replaces the note below
    its front matter, unless the text begins with a front matter of its own.
    """
    with app.open() as workspace:
        memory = _memory(workspace.show(reference), reference)
        draft = given_text((text,) if text is not None else ())
        if draft is None:
            draft = edited(memory.text)
        else:
            draft = Draft(_whole_file(memory, _not_empty(draft, "write")))
        with keeping(draft):
            outcome = workspace.edit(
                str(memory.path), _not_empty(draft, "write"), expected=memory.digest
            )
    _tell_outcome(app, outcome, draft)


def _memory(found: Memory | Session, reference: str) -> Memory:
    if isinstance(found, Memory):
        return found
    raise InvalidInput(
        f"{reference!r} is a session; what was said is not rewritten",
        hint="To add a turn: vade append",
    )


def _whole_file(memory: Memory, text: str) -> str:
    """The file with its text replaced, front matter and the blank line below it kept."""
    if text.startswith(("---\n", "---\r\n")):
        return text
    front = memory.text.removesuffix(memory.body)
    blank = memory.body[: len(memory.body) - len(memory.body.lstrip("\r\n"))] if front else ""
    return front + blank + text + ("" if text.endswith("\n") else "\n")


@click.command("remove", cls=Verb)
@click.argument("references", nargs=-1, required=True, metavar="REF...")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def remove_verb(app: App, *, references: tuple[str, ...], yes: bool) -> None:
    """Delete the files of memories or sessions, after asking."""
    if not yes and not can_ask():
        raise UsageHint(
            "remove asks first, and there is nobody to ask",
            hint="To remove without being asked: --yes",
        )
    with app.open() as workspace:
        # All are looked up before the first is removed: a slip in one spares the others.
        chosen = {found.path: found for found in map(workspace.show, references)}
        if not yes and not _agreed(list(chosen.values())):
            remark("Nothing was removed.")
            return
        removed = [workspace.remove(str(path)) for path in chosen]
    show(
        app,
        lambda: json_views.removed_view(removed),
        [line(Run("Removed", Style.GOOD), f" {visible_path(one.path)}") for one in removed],
    )


def _agreed(chosen: Sequence[Memory | Session]) -> bool:
    for found in chosen:
        remark(f"  {visible_path(found.path)}  {one_line(found.title)}")
    return click.confirm(f"Remove {counted(len(chosen), 'document')}?", err=True)
