"""A result on standard output: as JSON, in colours for a terminal, or plain for a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from vademecum.domain import Skipped
from vademecum.faces.cli.app import App
from vademecum.faces.cli.lines import Line, one_line
from vademecum.faces.cli.render_plain import print_plain
from vademecum.faces.cli.streams import can_show_progress, remark, say_json, to_terminal

if TYPE_CHECKING:
    from vademecum.ports import Progress

_Value = TypeVar("_Value")


def present(
    app: App,
    value: _Value,
    as_json: Callable[[_Value], object],
    as_lines: Callable[[_Value], Iterable[Line]],
) -> None:
    """Print a value in the form that was asked for."""
    if app.json:
        say_json(as_json(value))
    else:
        print_lines(app, as_lines(value))


def print_lines(app: App, lines: Iterable[Line]) -> None:
    """Print for a person or for a pipe."""
    if to_terminal():
        from vademecum.faces.cli.render_rich import print_rich, terminal

        print_rich(lines, terminal(no_color=app.no_color))
    else:
        print_plain(lines)


def remark_skipped(skipped: Iterable[Skipped]) -> None:
    """Say beside the result what could not take part in it."""
    for one in skipped:
        remark(f"note: {one_line(one.part)}: {one_line(one.reason)}")


@contextmanager
def progress_bar(label: str) -> Iterator[Progress | None]:
    """A bar on standard error while something long runs, if somebody is there to see it."""
    if not can_show_progress():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(label, total=None)

        def show(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total or None)

        yield show
