"""Lists of documents, and what a reference given by a person can mean."""

from __future__ import annotations

import base64
import binascii
import json
import sqlite3
from collections.abc import Sequence

from vademecum.domain import (
    DocumentKind,
    DocumentSummary,
    Page,
    Space,
    SpaceStats,
)
from vademecum.errors import InvalidQuery
from vademecum.ports import Scope
from vademecum.store.reading import SUMMARY, summary
from vademecum.store.snapshot import document_condition
from vademecum.store.times import microseconds

_UNDATED = "-9223372036854775808"


def list_documents(
    connection: sqlite3.Connection, scope: Scope, *, limit: int, after: str | None
) -> Page:
    """Documents of a scope by date, newest first, undated last, equal dates by id.

    A document is in a range of time if its own date is. The cursor names the last item shown, so
    that the list goes on rightly while others write.
    """
    where = scope.where
    condition, values = document_condition(where)
    base = f"space in ({','.join('?' * len(scope.spaces))}) and {condition}"
    arguments: list[object] = [*scope.spaces, *values]
    if where.since is not None:
        base += " and date_us >= ?"
        arguments.append(microseconds(where.since))
    if where.until is not None:
        base += " and date_us < ?"
        arguments.append(microseconds(where.until))
    total = connection.execute(f"select count(*) from documents where {base}", arguments).fetchone()
    if after is not None:
        date, identity = _cursor(after)
        base += f" and (-coalesce(date_us, {_UNDATED} + 1), id) > (?, ?)"
        arguments += [date, identity]
    rows = connection.execute(
        f"select {SUMMARY}, -coalesce(date_us, {_UNDATED} + 1) from documents where {base}"
        f" order by -coalesce(date_us, {_UNDATED} + 1), id limit ?",
        [*arguments, limit + 1],
    ).fetchall()
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(
        items=tuple(summary(row) for row in shown),
        total=int(total[0]),
        next=_as_cursor(shown[-1][10], shown[-1][0]) if more and shown else None,
    )


def resolve(connection: sqlite3.Connection, reference: str) -> Sequence[DocumentSummary]:
    """Every document that a reference can mean, by the first of these that fits any.

    An id; a path in the vault; a file name; a title; a prefix of an id of four characters or
    more, whatever its capitals. Nothing in a reference is a wildcard.
    """
    tail = "/" + reference.lstrip("/")
    attempts: list[tuple[str, list[str]]] = [
        ("id = ?", [reference]),
        ("path = ?", [reference]),
        ("substr(path, -length(?)) = ?", [tail, tail]),
        ("title = ? collate nocase", [reference]),
    ]
    if len(reference) >= 4:
        attempts.append(
            ("upper(substr(id, 1, length(?))) = upper(?)", [reference, reference]),
        )
    for condition, values in attempts:
        rows = connection.execute(
            f"select {SUMMARY} from documents where {condition} order by path limit 50", values
        ).fetchall()
        if rows:
            return [summary(row) for row in rows]
    return []


def resembling(connection: sqlite3.Connection, reference: str) -> Sequence[DocumentSummary]:
    """Documents whose title or path contains the reference: to suggest, never to pick from."""
    if not reference.strip():
        return []
    rows = connection.execute(
        f"select {SUMMARY} from documents"
        " where instr(lower(title), lower(?)) or instr(lower(path), lower(?))"
        " order by path limit 20",
        [reference, reference],
    )
    return [summary(row) for row in rows]


def spaces(connection: sqlite3.Connection) -> Sequence[SpaceStats]:
    """How much each space holds, by name."""
    rows = connection.execute(
        "select space, sum(kind = ?), sum(kind = ?), sum(passages) from documents"
        " group by space order by space",
        [DocumentKind.MEMORY.value, DocumentKind.SESSION.value],
    )
    return [
        SpaceStats(space=Space(space), memories=memories, sessions=sessions, passages=passages)
        for space, memories, sessions, passages in rows
    ]


def _as_cursor(date: int, identity: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([date, identity]).encode()).decode()


def _cursor(text: str) -> tuple[int, str]:
    try:
        date, identity = json.loads(base64.urlsafe_b64decode(text.encode()))
        return int(date), str(identity)
    except (ValueError, TypeError, binascii.Error) as error:
        raise InvalidQuery(
            f"{text!r} is no cursor of this list", hint="Use `next` of the page before."
        ) from error
