"""A local-first memory engine for AI agents and the people who work with them.

>>> import vademecum
>>> with vademecum.create_vault("my-vault") as vault:       # doctest: +SKIP
...     vault.add("Mara prefers green tea at 80 degrees.")
...     for hit in vault.search("how does Mara like her tea?").hits:
...         print(hit.score, hit.passage.text)

Importing this module reads nothing, starts nothing and loads no library: the engine is loaded
when a vault is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vademecum.domain import (
    PERSONAL,
    Answer,
    Appended,
    Bm25,
    ChannelName,
    Checkup,
    Conflict,
    Contribution,
    Digest,
    DocumentId,
    DocumentKind,
    DocumentSummary,
    Field,
    FieldWeights,
    Filter,
    Hit,
    Idf,
    ImportReport,
    Memory,
    MemoryType,
    Note,
    Page,
    Passage,
    PassageId,
    Place,
    Problem,
    Query,
    Ranking,
    Recipe,
    Removed,
    Role,
    Rollup,
    Saved,
    Session,
    SessionHeader,
    Severity,
    Skipped,
    Source,
    Space,
    SpaceStats,
    Span,
    Stats,
    Status,
    SyncReport,
    Turn,
    Unchanged,
    Unit,
    Use,
    View,
)
from vademecum.errors import (
    Ambiguous,
    IndexUnavailable,
    InvalidInput,
    InvalidQuery,
    InvalidSpace,
    NewerFormat,
    NotFound,
    NoVault,
    VademecumError,
    VaultError,
)
from vademecum.recipes import PRESETS, recipe
from vademecum.spaces import parse_space

if TYPE_CHECKING:
    from vademecum.workspace import Workspace, create_vault, open_vault

__version__ = "0.1.0"

_OPENED_LATE = ("Workspace", "create_vault", "open_vault")
"""Names whose module loads NumPy and SQLite; they are looked up when first used."""


def __getattr__(name: str) -> Any:
    if name in _OPENED_LATE:
        from vademecum import workspace

        return getattr(workspace, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "PERSONAL",
    "PRESETS",
    "Ambiguous",
    "Answer",
    "Appended",
    "Bm25",
    "ChannelName",
    "Checkup",
    "Conflict",
    "Contribution",
    "Digest",
    "DocumentId",
    "DocumentKind",
    "DocumentSummary",
    "Field",
    "FieldWeights",
    "Filter",
    "Hit",
    "Idf",
    "ImportReport",
    "IndexUnavailable",
    "InvalidInput",
    "InvalidQuery",
    "InvalidSpace",
    "Memory",
    "MemoryType",
    "NewerFormat",
    "NoVault",
    "NotFound",
    "Note",
    "Page",
    "Passage",
    "PassageId",
    "Place",
    "Problem",
    "Query",
    "Ranking",
    "Recipe",
    "Removed",
    "Role",
    "Rollup",
    "Saved",
    "Session",
    "SessionHeader",
    "Severity",
    "Skipped",
    "Source",
    "Space",
    "SpaceStats",
    "Span",
    "Stats",
    "Status",
    "SyncReport",
    "Turn",
    "Unchanged",
    "Unit",
    "Use",
    "VademecumError",
    "VaultError",
    "View",
    "Workspace",
    "__version__",
    "create_vault",
    "open_vault",
    "parse_space",
    "recipe",
]
