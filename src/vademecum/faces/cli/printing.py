"""Where a result goes: JSON, a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from vademecum.domain import Skipped
from vademecum.faces.cli.app import App
from vademecum.faces.cli.lines import Line, one_line
from vademecum.faces.cli.streams import remark, say_json, to_terminal

if TYPE_CHECKING:
    from collections.abc import Callable


def show(app: App, view: Callable[[], Mapping[str, object]], lines: Iterable[Line]) -> None:
    """Print a result. Only the form that is wanted is made."""
    if app.json:
        say_json(view())
    elif to_terminal():
        # rich takes longer to load than a search takes; a pipe has no use for it.
        from vademecum.faces.cli.render_rich import print_rich, terminal

        print_rich(lines, terminal(no_color=app.no_color))
    else:
        from vademecum.faces.cli.render_plain import print_plain

        print_plain(lines)


def mention(app: App, skipped: Sequence[Skipped]) -> None:
    """Say beside the result what could not take part; in JSON it is part of the result."""
    if not app.json:
        for one in skipped:
            remark(f"note: {one_line(one.part)}: {one_line(one.reason)}")
