"""The SQLite file itself: opening it, its schema, its transactions."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SCHEMA_VERSION: Final = 2
"""Raised with every change of a table. There is no migration: another version is rebuilt."""

BUSY_SECONDS: Final = 60.0

_SCHEMA: Final = """
create table meta (key text primary key, value text not null) without rowid;

create table files (
    path text primary key,
    size integer not null,
    modified_ns integer not null,
    changed_ns integer not null,
    racy integer not null,
    digest text not null,
    claims text,
    document text
) without rowid;

create table problems (
    path text not null,
    line integer not null,
    message text not null,
    severity text not null,
    in_file integer not null
);
create index problems_by_path on problems (path);

create table documents (
    id text primary key,
    kind text not null,
    space text not null,
    path text not null,
    title text not null,
    type text,
    tags text not null,
    date text,
    date_us integer,
    status text not null,
    encoding text not null,
    segment integer not null,
    ordinal integer not null,
    passages integer not null,
    locators blob not null
);
create unique index documents_by_place on documents (segment, ordinal);
create index documents_by_date on documents (space, date_us desc, id);
create index documents_by_path on documents (path);

create table tags (
    document text not null,
    tag text not null,
    primary key (document, tag)
) without rowid;

create table segments (
    id integer primary key autoincrement,
    space text not null,
    documents integer not null,
    passages integer not null,
    languages text not null,
    names text not null,
    kinds blob not null,
    sizes blob not null,
    roles blob not null,
    times blob not null,
    zones blob not null,
    speakers blob not null
);
create index segments_by_space on segments (space);

create table tombstones (
    segment integer not null,
    ordinal integer not null,
    primary key (segment, ordinal)
) without rowid;
"""


class Database:
    """One connection. What is read inside `reading` is one consistent state."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.connection = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            self._configure()
        except BaseException:
            self.connection.close()
            raise

    def _configure(self) -> None:
        execute = self.connection.execute
        # Only effective in an empty file; larger pages suit posting lists of many kilobytes.
        execute("pragma page_size = 8192")
        execute("pragma journal_mode = wal")
        # The index is derived: losing the last commits to a power cut costs a sync, not data.
        execute("pragma synchronous = normal")
        execute("pragma mmap_size = 1073741824")
        execute("pragma cache_size = -32768")

    def close(self) -> None:
        self.connection.close()

    def version(self) -> int:
        """The schema version of the file, 0 for an empty one."""
        return int(self.connection.execute("pragma user_version").fetchone()[0])

    def create(self, channel_schemas: str) -> None:
        """Make the tables, inside the caller's transaction."""
        for statement in _statements(_SCHEMA + channel_schemas):
            self.connection.execute(statement)
        self.connection.execute(f"pragma user_version = {SCHEMA_VERSION}")
        self.set_meta("generation", "0")

    def drop_everything(self) -> None:
        """Remove every table, inside the caller's transaction."""
        names = self.connection.execute(
            "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        ).fetchall()
        for (name,) in names:
            self.connection.execute(f'drop table "{name}"')

    def meta(self, key: str) -> str | None:
        row = self.connection.execute("select value from meta where key = ?", [key]).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        self.connection.execute("insert or replace into meta values (?, ?)", [key, value])

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read transaction; nested calls share the outer one."""
        if self.connection.in_transaction:
            yield self.connection
            return
        self.connection.execute("begin")
        try:
            yield self.connection
        finally:
            self.connection.execute("rollback")

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: commits on leaving, rolls back on an exception."""
        self.connection.execute("begin immediate")
        try:
            yield self.connection
        except BaseException:
            self.connection.execute("rollback")
            raise
        self.connection.execute("commit")


def _statements(script: str) -> Iterator[str]:
    """Single statements: `executescript` would commit the transaction that is under way."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
