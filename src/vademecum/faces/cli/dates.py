"""Dates and times as they are typed on the command line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

import click

FORMS = "2026-03-14, 2026-03-14T15:30 or 2026-03-14T15:30+01:00"


def first_moment(text: str) -> datetime:
    """A date-time, or the first moment of a date. Without a zone it is local time.

    ValueError for anything that is not ISO 8601.
    """
    found = _parse(text)
    return found if isinstance(found, datetime) else _local(datetime.combine(found, time()))


def moment_after(text: str) -> datetime:
    """A date-time, or the first moment after a date, so that a range up to it holds the day."""
    found = _parse(text)
    if isinstance(found, datetime):
        return found
    try:
        return _local(datetime.combine(found + timedelta(days=1), time()))
    except OverflowError as error:
        raise ValueError(f"{text!r} is out of range") from error


def _parse(text: str) -> date | datetime:
    stripped = text.strip()
    try:
        return date.fromisoformat(stripped)
    except ValueError:
        return _local(datetime.fromisoformat(stripped))


def _local(moment: datetime) -> datetime:
    """With the zone of this machine at that time of the year, unless it has one."""
    if moment.tzinfo is not None:
        return moment
    try:
        return moment.astimezone()
    except (OverflowError, OSError) as error:
        raise ValueError(f"{moment.isoformat()} is out of range") from error


if TYPE_CHECKING:
    _ParamType = click.ParamType[datetime]
else:
    # Generic to type checkers only: older releases of click cannot be subscripted.
    _ParamType = click.ParamType


class Moment(_ParamType):
    """An option's date, read by one of the two functions above."""

    name = "date"

    def __init__(self, read: Callable[[str], datetime]) -> None:
        self._read = read

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            return self._read(str(value))
        except ValueError:
            self.fail(f"{value!r} is no date; write {FORMS}", param, ctx)
