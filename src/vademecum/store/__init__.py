"""The derived side: one SQLite file that can be deleted at any time and rebuilt from the files."""

from vademecum.store.index import SqliteIndex
from vademecum.store.sides import Part
from vademecum.store.snapshot import Snapshot

__all__ = ["Part", "Snapshot", "SqliteIndex"]
