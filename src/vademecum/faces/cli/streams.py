"""Bytes in and out of the process: encodings, JSON, and who is a terminal."""

from __future__ import annotations

import codecs
import json
import math
import sys
from typing import Final, TextIO

from vademecum.errors import InvalidInput

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def make_printable() -> None:
    """Let no character stop the program: what a console cannot show, it shows as `?`."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def to_terminal() -> bool:
    """Whether a person reads what is printed."""
    return _is_terminal(sys.stdout)


def can_ask() -> bool:
    """Whether there is a person who can answer a question."""
    return _is_terminal(sys.stdin) and _is_terminal(sys.stderr)


def can_show_progress() -> bool:
    return _is_terminal(sys.stderr)


def typed_by_a_person() -> bool:
    """Whether standard input is a keyboard and not a pipe or a file."""
    return _is_terminal(sys.stdin)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def say(text: str) -> None:
    """Print a line for the reader of the result."""
    sys.stdout.write(f"{text}\n")


def say_raw(text: str) -> None:
    """Print a text as it is: its line ends stay, and none is added."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    buffer.write(text.encode(errors="surrogateescape"))
    buffer.flush()


def remark(text: str) -> None:
    """Print a line beside the result, where a pipe does not take it along."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def say_json(value: object) -> None:
    _write_json(value, sys.stdout, indent=2 if to_terminal() else None)


def remark_json(value: object) -> None:
    _write_json(value, sys.stderr, indent=None)
    sys.stderr.flush()


def _write_json(value: object, stream: TextIO, *, indent: int | None) -> None:
    encoding = codecs.lookup(stream.encoding or "utf-8").name
    stream.write(as_json(value, indent=indent, ascii_only=not encoding.startswith("utf")) + "\n")


def as_json(value: object, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """JSON text that any UTF-8 stream can carry.

    Characters are not escaped, except lone surrogates, which no encoding has, and all that are
    not ASCII if asked. What JSON has no number for (NaN, infinity) becomes null.
    """
    try:
        text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=ascii_only, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def read_standard_input() -> str:
    """All of standard input as text. InvalidInput if it is neither UTF-8 nor marked UTF-16."""
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        return sys.stdin.read()
    return decode(buffer.read())


def decode(data: bytes) -> str:
    """Text from bytes with line ends as they are, without a byte order mark."""
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"standard input is not {encoding.upper()}: byte {data[error.start]:#04x} at"
            f" position {error.start}",
            hint="Convert it first, for example: iconv -f latin1 -t utf-8",
        ) from error
