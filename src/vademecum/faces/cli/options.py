"""Options that several verbs share, and the filter that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from vademecum.domain import (
    DocumentId,
    DocumentKind,
    Filter,
    MemoryType,
    Role,
    Skipped,
    Space,
)
from vademecum.faces.cli.dates import Moment, first_moment, moment_after
from vademecum.faces.cli.failures import UsageHint, meant
from vademecum.spaces import parse_space

if TYPE_CHECKING:
    from vademecum.workspace import Workspace

    _ParamType = click.ParamType[Space]
else:
    # Generic to type checkers only: older releases of click cannot be subscripted.
    _ParamType = click.ParamType

_Command = TypeVar("_Command", bound=Callable[..., Any])


class SpaceName(_ParamType):
    """A space. What cannot be one is an InvalidSpace."""

    name = "space"

    def convert(self, value: Any, param: object, ctx: object) -> Space:  # noqa: ARG002
        return parse_space(str(value))


def space_to_write(command: _Command) -> _Command:
    return click.option(
        "--space",
        type=SpaceName(),
        help="The space it goes into: personal, or a kind and a name such as project:atlas.",
    )(command)


def spaces_to_read(command: _Command) -> _Command:
    return click.option(
        "--space",
        "spaces",
        type=SpaceName(),
        multiple=True,
        help="Read this space (repeatable). Otherwise the default one and what it may be mixed"
        " with.",
    )(command)


def type_of_memory(command: _Command) -> _Command:
    return click.option(
        "--type",
        "memory_type",
        type=click.Choice([kind.value for kind in MemoryType]),
        help="What kind of memory it is.",
    )(command)


def document_filters(command: _Command) -> _Command:
    """--type, --tag, --kind, --since and --until."""
    for option in reversed(
        (
            click.option(
                "--type",
                "types",
                type=click.Choice([kind.value for kind in MemoryType]),
                multiple=True,
                help="Only memories of this type (repeatable: any of them).",
            ),
            click.option(
                "--tag",
                "tags",
                multiple=True,
                metavar="TAG",
                help="Only memories with this tag (repeatable: all of them).",
            ),
            click.option(
                "--kind",
                "kinds",
                type=click.Choice([kind.value for kind in DocumentKind]),
                multiple=True,
                help="Only memories, or only sessions.",
            ),
            click.option(
                "--since",
                type=Moment(first_moment),
                help="Only from this day or moment on, local time unless it has a zone.",
            ),
            click.option(
                "--until",
                type=Moment(moment_after),
                help="Only up to the end of this day, or before this moment.",
            ),
        )
    ):
        command = option(command)
    return command


def turn_filters(command: _Command) -> _Command:
    """--role and --speaker."""
    for option in (
        click.option(
            "--speaker",
            "speakers",
            multiple=True,
            metavar="NAME",
            help="Only turns of this speaker (repeatable: any of them).",
        ),
        click.option(
            "--role",
            "roles",
            type=click.Choice([role.value for role in Role]),
            multiple=True,
            help="Only turns of this role (repeatable: any of them).",
        ),
    ):
        command = option(command)
    return command


def filter_of(
    *,
    types: Sequence[str],
    tags: Sequence[str],
    kinds: Sequence[str],
    since: datetime | None,
    until: datetime | None,
    roles: Sequence[str] = (),
    speakers: Sequence[str] = (),
    documents: Sequence[DocumentId] = (),
) -> Filter:
    """The filter that the options mean. A range that holds no moment is wrong usage."""
    if since is not None and until is not None and since >= until:
        raise UsageHint(
            f"nothing can be from {since.isoformat()} on and before {until.isoformat()}",
            hint="--since must be earlier than --until.",
        )
    return Filter(
        kinds=frozenset(map(DocumentKind, kinds)),
        types=frozenset(map(MemoryType, types)),
        tags=frozenset(tag.removeprefix("#") for tag in tags),
        roles=frozenset(map(Role, roles)),
        speakers=frozenset(speakers),
        documents=frozenset(documents),
        since=since,
        until=until,
    )


def empty_spaces(workspace: Workspace, wanted: Sequence[Space]) -> list[Skipped]:
    """Spaces that were asked for and hold nothing, with the one that may have been meant."""
    if not wanted:
        return []
    known = [stats.space for stats in workspace.spaces()]
    return [
        Skipped(f"space {space}", f"it holds nothing. {meant(space, known)}".rstrip())
        for space in dict.fromkeys(wanted)
        if space not in known
    ]
