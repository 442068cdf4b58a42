"""Conversations as JSON Lines: text to sessions and documents, and back."""

from vademecum.transcripts.lines import (
    header_line,
    legal_text,
    load,
    parse_header,
    parse_turn,
    turn_line,
)
from vademecum.transcripts.sessions import document_of, parse_session

__all__ = [
    "document_of",
    "header_line",
    "legal_text",
    "load",
    "parse_header",
    "parse_session",
    "parse_turn",
    "turn_line",
]
