"""Values as JSON objects. The keys are a promise: they are added to, never renamed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

from vademecum.domain import (
    Answer,
    Appended,
    Checkup,
    Conflict,
    DocumentSummary,
    Hit,
    ImportReport,
    Memory,
    Outcome,
    Page,
    Problem,
    Recipe,
    Removed,
    Saved,
    Session,
    Skipped,
    Space,
    SpaceStats,
    Stats,
    SyncReport,
    Turn,
    Unchanged,
    Use,
)
from vademecum.faces.cli.surroundings import Excerpt

Object = dict[str, Any]


def moment(value: datetime | None) -> str | None:
    """ISO 8601 with a zone; local time if the value has none."""
    if value is None:
        return None
    return (value if value.tzinfo is not None else value.astimezone()).isoformat()


def vault(root: Path, default_space: Space) -> Object:
    return {"vault": str(root.absolute()), "default_space": default_space}


def outcome(value: Outcome) -> Object:
    """What became of a note: `outcome` is saved, unchanged or conflict."""
    names: Mapping[type, str] = {Saved: "saved", Unchanged: "unchanged", Conflict: "conflict"}
    return {"id": value.id, "path": str(value.path), "outcome": names[type(value)]}


def appended(value: Appended) -> Object:
    return {
        "session": value.session,
        "path": str(value.path),
        "turns": list(value.turns),
        "repaired": value.repaired,
    }


def removed(values: Iterable[Removed]) -> Object:
    return {"removed": [{"id": value.id, "path": str(value.path)} for value in values]}


def answer(value: Answer) -> Object:
    return {
        "query": value.query.text,
        "recipe": value.recipe.name,
        "unit": value.query.unit.value,
        "spaces": list(value.spaces),
        "hits": [hit(one) for one in value.hits],
        "skipped": [skipped(one) for one in value.skipped],
        "timings": [
            {"step": timing.step, "milliseconds": round(timing.milliseconds, 3)}
            for timing in value.timings
        ],
    }


def hit(value: Hit) -> Object:
    passage, document = value.passage, value.document
    return {
        "id": passage.id,
        "document": document.id,
        "kind": document.kind.value,
        "type": _value_of(document.type),
        "space": document.space,
        "title": document.title,
        "heading": list(passage.heading),
        "date": moment(value.date),
        "speaker": passage.speaker,
        "role": _value_of(passage.role),
        "path": str(document.path),
        "line": passage.line,
        "score": value.score,
        "text": passage.text,
        "highlights": [{"start": span.start, "end": span.end} for span in value.highlights],
        "contributions": [
            {"channel": one.channel, "field": one.field, "amount": one.amount}
            for one in value.contributions
        ],
    }


def skipped(value: Skipped) -> Object:
    return {"part": value.part, "reason": value.reason}


def document(value: Memory | Session) -> Object:
    return memory(value) if isinstance(value, Memory) else session(value)


def memory(value: Memory) -> Object:
    return {
        "id": value.id,
        "kind": "memory",
        "space": value.space,
        "path": str(value.path),
        "title": value.title,
        "type": _value_of(value.type),
        "tags": list(value.tags),
        "aliases": list(value.aliases),
        "entities": list(value.entities),
        "date": moment(value.date),
        "created_at": moment(value.created_at),
        "updated_at": moment(value.updated_at),
        "event_at": moment(value.event_at),
        "valid_from": moment(value.valid_from),
        "valid_to": moment(value.valid_to),
        "expires_at": moment(value.expires_at),
        "status": value.status.value,
        "supersedes": list(value.supersedes),
        "superseded_by": value.superseded_by,
        "review": value.review.value,
        "source": value.source.value,
        "author": value.author,
        "derived_from": list(value.derived_from),
        "confidence": value.confidence,
        "importance": value.importance,
        "pinned": value.pinned,
        "digest": value.digest,
        "body": value.body,
        "text": value.text,
    }


def session(value: Session) -> Object:
    return {
        "id": value.id,
        "kind": "session",
        "space": value.space,
        "path": str(value.path),
        "title": value.title,
        "date": moment(value.header.started_at),
        "source": value.header.source.value,
        "metadata": dict(value.header.metadata),
        "digest": value.digest,
        "turns": [turn(one) for one in value.turns],
    }


def turn(value: Turn) -> Object:
    return {
        "id": value.id,
        "role": value.role.value,
        "speaker": value.speaker,
        "time": moment(value.time),
        "content": value.content,
        "metadata": dict(value.metadata),
    }


def excerpt(value: Excerpt) -> Object:
    return {
        "id": value.citation,
        "document": value.document.id,
        "kind": "memory" if isinstance(value.document, Memory) else "session",
        "space": value.document.space,
        "path": str(value.document.path),
        "title": value.document.title,
        "passages": [
            {
                "id": part.id,
                "cited": part.cited,
                "heading": list(part.heading),
                "role": part.role,
                "speaker": part.speaker,
                "date": moment(part.time),
                "text": part.text,
            }
            for part in value.parts
        ],
    }


def page(value: Page) -> Object:
    return {
        "items": [summary(one) for one in value.items],
        "total": value.total,
        "next": value.next,
    }


def summary(value: DocumentSummary) -> Object:
    return {
        "id": value.id,
        "kind": value.kind.value,
        "space": value.space,
        "path": str(value.path),
        "title": value.title,
        "type": _value_of(value.type),
        "tags": list(value.tags),
        "date": moment(value.date),
        "status": value.status.value,
        "passages": value.passages,
    }


def imported(value: ImportReport) -> Object:
    return {
        "read": value.read,
        "stored": value.stored,
        "updated": value.updated,
        "unchanged": value.unchanged,
        "skipped": [problem(one) for one in value.skipped],
    }


def problem(value: Problem) -> Object:
    return {
        "path": str(value.path),
        "line": value.line,
        "severity": value.severity.value,
        "message": value.message,
    }


def synced(value: SyncReport) -> Object:
    return {
        "added": value.added,
        "changed": value.changed,
        "moved": value.moved,
        "removed": value.removed,
        "documents": value.documents,
        "passages": value.passages,
        "busy": value.busy,
        "problems": [problem(one) for one in value.problems],
    }


def checkup(value: Checkup) -> Object:
    return {
        "clean": value.is_clean,
        "agrees": value.agrees,
        "files": value.files,
        "documents": value.documents,
        "passages": value.passages,
        "ghosts": [str(path) for path in value.ghosts],
        "orphans": [str(path) for path in value.orphans],
        "stale": [str(path) for path in value.stale],
        "faults": list(value.faults),
        "problems": [problem(one) for one in value.problems],
    }


def spaces(values: Iterable[SpaceStats], default: Space) -> Object:
    return {"default": default, "spaces": [space(value) for value in values]}


def space(value: SpaceStats) -> Object:
    return {
        "space": value.space,
        "memories": value.memories,
        "sessions": value.sessions,
        "passages": value.passages,
    }


def stats(value: Stats, root: Path) -> Object:
    return {
        "vault": str(root.absolute()),
        "spaces": [space(one) for one in value.spaces],
        "memories": sum(one.memories for one in value.spaces),
        "sessions": sum(one.sessions for one in value.spaces),
        "passages": sum(one.passages for one in value.spaces),
        "files_bytes": value.files_bytes,
        "index_bytes": value.index_bytes,
        "segments": value.segments,
        "generation": value.generation,
    }


def recipes(values: Iterable[Recipe], default: Recipe) -> Object:
    return {"default": default.name, "recipes": [recipe(value) for value in values]}


def recipe(value: Recipe) -> Object:
    weights = value.bm25.weights
    return {
        "name": value.name,
        "passages": [_use(use) for use in value.passages],
        "documents": [_use(use) for use in value.documents],
        "bm25": {
            "k1": value.bm25.k1,
            "b": value.bm25.b,
            "idf": value.bm25.idf.value,
            "weights": {
                "title": weights.title,
                "heading": weights.heading,
                "body": weights.body,
                "tags": weights.tags,
                "speaker": weights.speaker,
            },
        },
        "literal_bonus": value.literal_bonus,
    }


def _use(value: Use) -> Object:
    return {
        "channel": value.channel,
        "view": value.view.value,
        "weight": value.weight,
        "depth": value.depth,
        "rollup": value.rollup.value,
    }


def _value_of(value: Enum | None) -> Any:
    return None if value is None else value.value
