"""One line of a session file and the header or turn it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from vademecum.domain import DocumentId, Role, SessionHeader, Source, Turn

FORMAT: Final = "vademecum-session"
VERSION: Final = 1

_ROLES: Final = {role.value: role for role in Role} | {
    "human": Role.USER,
    "model": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "developer": Role.SYSTEM,
    "function": Role.TOOL,
}
_SOURCES: Final = {source.value: source for source in Source}


def load(line: bytes) -> Mapping[str, Any]:
    """The object on a line. ValueError says what is wrong with it.

    Lone surrogates, which some programs write as escapes, become replacement characters.
    """
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        found = json.loads(line.decode("utf-8", errors="replace"))
        found = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
    if not isinstance(found, dict):
        raise ValueError(f"expected an object, got {type(found).__name__}")
    return found


def parse_header(values: Mapping[str, Any]) -> SessionHeader | None:
    """The header of a session; None if these are not the values of one.

    ValueError is raised for a header of a later version, or without a usable id.
    """
    if values.get("format") != FORMAT:
        return None
    version = values.get("version")
    if version != VERSION:
        raise ValueError(f"session format version {version!r}; this program reads {VERSION}")
    identity = values.get("id")
    if not isinstance(identity, str) or not identity.strip():
        raise ValueError(f"the header's id is {identity!r}")
    return SessionHeader(
        id=DocumentId(identity),
        title=_text(values.get("title")),
        started_at=_moment(values.get("started_at")),
        source=_SOURCES.get(str(values.get("source")), Source.USER),
        metadata=_mapping(values.get("metadata")),
    )


def parse_turn(values: Mapping[str, Any]) -> Turn:
    """A turn. ValueError says which value can't be one; unknown keys are passed over."""
    role = values.get("role", Role.USER.value)
    if role not in _ROLES:
        raise ValueError(f"role is {role!r}, not one of {', '.join(_ROLES)}")
    return Turn(
        id=_text(values.get("id")),
        role=_ROLES[role],
        speaker=_text(values.get("speaker")),
        time=_moment(values.get("time")),
        content=content_text(values.get("content")),
        metadata=_mapping(values.get("metadata")),
    )


def header_line(header: SessionHeader) -> bytes:
    """The header as one line, with its line end."""
    return _line(
        {
            "format": FORMAT,
            "version": VERSION,
            "id": header.id,
            "title": header.title,
            "started_at": header.started_at and header.started_at.isoformat(),
            "source": header.source.value,
            "metadata": dict(header.metadata),
        }
    )


def turn_line(turn: Turn) -> bytes:
    """The turn as one line, with its line end."""
    return _line(
        {
            "id": turn.id,
            "role": turn.role.value,
            "speaker": turn.speaker,
            "time": turn.time and turn.time.isoformat(),
            "content": turn.content,
            "metadata": dict(turn.metadata),
        }
    )


def content_text(content: object) -> str:
    """The text of a turn: a string, or the text parts of a list, other parts named in brackets."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise ValueError(f"content is {type(content).__name__}, not a text or a list of parts")
    parts = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict):
            text = part.get("text")
            parts.append(text if isinstance(text, str) else f"[{part.get('type', 'part')}]")
    return "\n\n".join(part for part in parts if part)


def _line(values: Mapping[str, object]) -> bytes:
    """Without empty values: what is not there is not known."""
    kept = {key: value for key, value in values.items() if value or key == "content"}
    text = json.dumps(kept, ensure_ascii=False, default=str)
    return text.encode("utf-8", errors="replace") + b"\n"


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _moment(value: object) -> datetime | None:
    """ISO 8601; without a zone it is UTC. ValueError for anything else."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ValueError(f"time is {value!r}, not an ISO date and time")
    try:
        found = datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"time is {value!r}, not an ISO date and time") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
