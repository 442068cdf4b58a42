"""The command line as a whole: which verbs there are, and what `vade` alone prints."""

from __future__ import annotations

import click

from vademecum.faces.cli.app import App
from vademecum.faces.cli.group import Program
from vademecum.faces.cli.lines import Line, Run, Style, line
from vademecum.faces.cli.printing import show
from vademecum.faces.cli.verbs_asking import list_verb, search_verb, show_verb
from vademecum.faces.cli.verbs_tending import (
    check_verb,
    rebuild_verb,
    recipes_verb,
    spaces_verb,
    stats_verb,
    sync_verb,
)
from vademecum.faces.cli.verbs_writing import (
    add_verb,
    append_verb,
    edit_verb,
    import_verb,
    init_verb,
    remove_verb,
)


@click.group(
    cls=Program,
    sections={
        "Put in": (init_verb, add_verb, append_verb, import_verb),
        "Find": (search_verb, show_verb, list_verb),
        "Change": (edit_verb, remove_verb),
        "Look after": (
            spaces_verb,
            stats_verb,
            recipes_verb,
            sync_verb,
            check_verb,
            rebuild_verb,
        ),
    },
    invoke_without_command=True,
)
@click.pass_context
def program(ctx: click.Context) -> None:
    """Keep what was said and decided in plain files, and find it again."""
    if ctx.invoked_subcommand is None:
        app = ctx.ensure_object(App)
        is_there = app.root.expanduser().is_dir()
        show(app, lambda: {"vault": str(app.root), "exists": is_there}, _start(app, is_there))


def _start(app: App, is_there: bool) -> list[Line]:
    commands = [
        ('vade add "We ship on Thursdays."', "keep a note"),
        ("vade import ~/notes", "take in a folder of Markdown or sessions"),
        ("vade search when do we ship", "find it again"),
    ]
    if not is_there:
        commands.insert(0, ("vade init", "make a vault: a folder of plain files"))
    width = max(len(command) for command, _ in commands)
    return [
        line(
            Run("Vademecum", Style.TITLE), " keeps what was said and decided, and finds it again."
        ),
        line(""),
        *(
            line(Run(command.ljust(width), Style.COMMAND), f"  {what}", indent=2)
            for command, what in commands
        ),
        line(""),
        line(
            "Your vault is " if is_there else "The vault will be ",
            Run(str(app.root), Style.ASIDE),
            ".",
        ),
        line("All verbs: vade --help"),
    ]


def main() -> None:
    """Run `vade` with the arguments of the process, and leave with its exit code."""
    program.main()
