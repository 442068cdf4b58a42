"""How verbs are found and helped with: global options, suggestions, help in sections."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from vademecum.faces.cli.app import App
from vademecum.faces.cli.exit_codes import MEANINGS, ExitCode
from vademecum.faces.cli.failures import UsageHint, failure_of, meant
from vademecum.faces.cli.streams import make_printable, remark

SYNONYMS: Final = {
    "ask": "search",
    "capture": "add",
    "create": "init",
    "delete": "remove",
    "del": "remove",
    "doctor": "check",
    "find": "search",
    "get": "show",
    "grep": "search",
    "help": "--help",
    "info": "stats",
    "load": "import",
    "ls": "list",
    "new": "add",
    "open": "show",
    "query": "search",
    "recall": "search",
    "refresh": "sync",
    "reindex": "rebuild",
    "remember": "add",
    "rm": "remove",
    "save": "add",
    "status": "stats",
    "update": "edit",
    "verify": "check",
    "version": "--version",
    "view": "show",
    "write": "add",
}
"""What people type who know another tool. Suggested, never run."""


def _into(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """A callback that notes a global option, wherever on the line it stands."""
    # Signatures that click prescribes have arguments that are of no use here.

    def note(ctx: click.Context, param: click.Parameter, value: Any) -> None:  # noqa: ARG001
        app = ctx.find_object(App)
        if app is not None and value:
            setattr(app, name, value)

    return note


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001
    if not value or ctx.resilient_parsing:
        return
    from vademecum import __version__

    click.echo(f"vade {__version__}")
    ctx.exit()


def _global_options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--vault"],
            type=click.Path(path_type=Path),
            metavar="PATH",
            expose_value=False,
            callback=_into("vault"),
            help="The vault's folder. Otherwise VADEMECUM_VAULT, or the user's data folder.",
        ),
        click.Option(
            ["--json"],
            is_flag=True,
            expose_value=False,
            callback=_into("json"),
            help="Print JSON, and errors as JSON on standard error.",
        ),
        click.Option(
            ["--no-color"],
            is_flag=True,
            expose_value=False,
            callback=_into("no_color"),
            help="Print without colours, as if NO_COLOR was set.",
        ),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the version.",
        ),
    ]


class Verb(click.Command):
    """A verb with the global options beside its own."""

    def __init__(
        self, name: str | None, *, params: Iterable[click.Parameter] = (), **more: Any
    ) -> None:
        super().__init__(name, params=[*params, *_global_options()], **more)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        everywhere = {param.name for param in _global_options()} | {"help"}
        own: list[tuple[str, str]] = []
        common: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and param.param_type_name == "option":
                (common if param.name in everywhere else own).append(record)
        for title, records in (("Options", own), ("Options of every verb", common)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class Program(click.Group):
    """All verbs, in sections; the one place where errors become messages and exit codes."""

    def __init__(
        self, *args: Any, sections: dict[str, Sequence[click.Command]], **more: Any
    ) -> None:
        super().__init__(*args, params=_global_options(), **more)
        self.sections = sections
        for verbs in sections.values():
            for verb in verbs:
                self.add_command(verb)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [verb.name or "" for verbs in self.sections.values() for verb in verbs]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, verbs in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(verb.name or "", verb.get_short_help_str(limit=70)) for verb in verbs]
                )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        typed = args[0]
        if self.get_command(ctx, typed) is None and not typed.startswith("-"):
            hint = meant(typed, self.commands, synonyms=SYNONYMS)
            raise UsageHint(
                f"there is no verb {typed!r}",
                hint=f"{hint} To look for it: vade search {typed}".lstrip(),
                ctx=ctx,
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; a reader who has seen enough (`| head`) is no error."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _forget_output()
            return ExitCode.DONE

    def main(self, args: Sequence[str] | None = None, **more: Any) -> NoReturn:  # type: ignore[override]
        """Run a command line and leave the process with its exit code."""
        # Handing the arguments over keeps click from expanding `*` on Windows: it is a query.
        arguments = list(sys.argv[1:] if args is None else args)
        make_printable()
        more |= {"standalone_mode": False, "prog_name": "vade"}
        more.setdefault("obj", App())
        sys.exit(_run(lambda: super(Program, self).main(arguments, **more), arguments))


def _run(command: Callable[[], object], arguments: list[str]) -> int:
    """The exit code of a command whose expected errors were reported."""
    try:
        result = command()
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
        return ExitCode.DONE
    except (KeyboardInterrupt, EOFError, click.Abort):
        remark("vade: interrupted")
        return ExitCode.INTERRUPTED
    except Exception as error:
        failure = failure_of(error)
        if failure is None:
            raise
        failure.report(json=_wants_json(arguments))
        return failure.code
    return result if isinstance(result, int) else ExitCode.DONE


def _wants_json(arguments: list[str]) -> bool:
    """Whether errors are wanted as JSON, also if the line could not be understood."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return "--json" in arguments[:end]


def _forget_output() -> None:
    """Keep the interpreter from complaining about what nobody reads any more."""
    import os

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
