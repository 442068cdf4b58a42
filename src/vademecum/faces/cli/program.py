"""All verbs, put together."""

from __future__ import annotations

import click

from vademecum.faces.cli.app import App
from vademecum.faces.cli.group import Program
from vademecum.faces.cli.verbs import begin, change, find, read, take_in, upkeep, write


def _alone(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        begin.start_page(ctx.ensure_object(App))


program = Program(
    "vade",
    callback=click.pass_context(_alone),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Keep notes and conversations in plain files, and find them again.",
    sections={
        "Remember": [begin.init, write.add, write.append, take_in.take_in],
        "Recall": [find.search, read.show, read.list_documents, read.spaces],
        "Change": [change.edit, change.remove],
        "Look after": [upkeep.sync, upkeep.check, upkeep.rebuild, upkeep.stats, upkeep.recipes],
    },
)


def main() -> None:
    """The console script."""
    program.main()
