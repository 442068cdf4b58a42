"""One line of a session file and the header or turn it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from vademecum.domain import DOCUMENT_ID, DocumentId, Role, SessionHeader, Source, Turn
from vademecum.errors import InvalidInput

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
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def load(line: bytes) -> Mapping[str, Any]:
    """The object on a line. ValueError says what is wrong with it.

    Lone surrogates, which some programs write as escapes, and bytes that are no UTF-8 become
    replacement characters.
    """
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        # The standard library is slower and takes what orjson refuses, NaN and lone surrogates.
        try:
            found = json.loads(line.decode("utf-8", errors="replace"), object_hook=_legal)
        except RecursionError:
            raise ValueError("values are nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError(f"expected an object, got {type(found).__name__}")  # noqa: TRY004
    return found


def parse_header(
    values: Mapping[str, Any], faults: list[str] | None = None
) -> SessionHeader | None:
    """The header of a session; None if these are not the values of one.

    ValueError is raised for a header of a later version, or without a usable id. What is wrong
    with other values is added to `faults`; they are left out.
    """
    if values.get("format") != FORMAT:
        return None
    version = values.get("version")
    if version != VERSION:
        raise ValueError(f"session format version {version!r}; this program reads {VERSION}")
    identity = values.get("id")
    if not isinstance(identity, str) or not DOCUMENT_ID.fullmatch(identity):
        raise ValueError(
            f"the header's id is {identity!r}, not letters, digits and . _ - (at most 64)"
        )
    found = [] if faults is None else faults
    return SessionHeader(
        id=DocumentId(identity),
        title=_text(values.get("title")),
        started_at=_moment(values.get("started_at"), "started_at", found),
        source=_SOURCES.get(str(values.get("source")), Source.USER),
        metadata=_mapping(values.get("metadata")),
    )


def parse_turn(values: Mapping[str, Any], faults: list[str] | None = None) -> Turn:
    """A turn. ValueError is raised if it has no content that can be read.

    What is wrong with other values is added to `faults`: a role that is not known counts as
    the user's, a time that is none is left out. Unknown keys are passed over.
    """
    if "content" not in values:
        raise ValueError("neither a header nor a turn: there is no `content`")
    found = [] if faults is None else faults
    role = values.get("role") or Role.USER.value
    if not isinstance(role, str) or role.lower() not in _ROLES:
        found.append(f"role is {role!r}, not one of {', '.join(_ROLES)}; taken as the user's")
        role = Role.USER.value
    return Turn(
        id=_text(values.get("id")),
        role=_ROLES[role.lower()],
        speaker=_text(values.get("speaker")),
        time=_moment(values.get("time"), "time", found),
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
            "started_at": _written(header.started_at),
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
            "time": _written(turn.time),
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
        raise ValueError(  # noqa: TRY004
            f"content is {type(content).__name__}, not a text or a list of parts"
        )
    parts = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict):
            text = part.get("text")
            parts.append(text if isinstance(text, str) else f"[{part.get('type', 'part')}]")
    return "\n\n".join(part for part in parts if part)


def legal_text(text: str) -> str:
    """The text as it can be written: lone surrogates become replacement characters."""
    return _SURROGATE.sub("\ufffd", text)


def _legal(values: dict[str, Any]) -> dict[str, Any]:
    return {legal_text(key): _legal_value(value) for key, value in values.items()}


def _legal_value(value: Any) -> Any:
    if isinstance(value, str):
        return legal_text(value)
    if isinstance(value, list):
        return [_legal_value(item) for item in value]
    return value


def _line(values: Mapping[str, object]) -> bytes:
    """Without empty values: what is not there is not known."""
    kept = {key: value for key, value in values.items() if value or key == "content"}
    try:
        text = json.dumps(kept, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"metadata cannot be written as JSON: {error}",
            hint="Use texts, numbers, lists and mappings with texts as keys.",
        ) from error
    return legal_text(text).encode() + b"\n"


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _written(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()


def _moment(value: object, key: str, faults: list[str]) -> datetime | None:
    """ISO 8601; without a zone it is UTC."""
    if value is None or value == "":
        return None
    try:
        found = datetime.fromisoformat(value if isinstance(value, str) else "")
        aware = found if found.tzinfo else found.replace(tzinfo=UTC)
        # Moments at the edge of the calendar that no other zone could express are refused.
        if not 1 < aware.year < 9999:
            aware.astimezone(UTC)
    except (ValueError, OverflowError):
        faults.append(f"{key} is {value!r}, not an ISO date and time; left out")
        return None
    return aware
