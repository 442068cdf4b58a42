"""A whole session file: its turns, its faults, its passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from vademecum.domain import (
    Digest,
    Document,
    DocumentId,
    DocumentKind,
    Passage,
    PassageId,
    Problem,
    Session,
    SessionHeader,
    Severity,
    Space,
    Turn,
)
from vademecum.splitting import LONGEST_PART, split
from vademecum.transcripts.lines import load, parse_header, parse_turn

_MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark that some editors on Windows put first."""


@dataclass(frozen=True, slots=True)
class ParsedSession:
    """A session with where each turn stands: the number of its line, its first byte, its length.

    `torn` is the number of bytes at the end that a crash left of an unfinished line.
    """

    session: Session
    places: Sequence[tuple[int, int, int]]
    problems: Sequence[Problem]
    torn: int


def parse_session(
    data: bytes, *, path: PurePosixPath, space: Space, digest: Digest, fallback_id: DocumentId
) -> ParsedSession:
    """The session in the bytes of a file. A line that can't be read is a problem, not an end.

    `fallback_id` is the id of a file whose header is missing.
    """
    header: SessionHeader | None = None
    turns: list[Turn] = []
    places: list[tuple[int, int, int]] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    repeats: Counter[str] = Counter()
    torn = 0
    position = len(_MARK) if data.startswith(_MARK) else 0
    for number, line in enumerate(data[position:].split(b"\n"), start=1):
        start, position = position, position + len(line) + 1
        if not line.strip():
            continue
        faults: list[str] = []
        try:
            values = load(line)
        except ValueError as error:
            if position > len(data):
                torn = len(line)
                message = f"the last line is unfinished ({torn} bytes); passed over"
                problems.append(Problem(path, number, message))
            else:
                problems.append(Problem(path, number, f"passed over: {error}", Severity.ERROR))
            continue
        try:
            found = parse_header(values, faults) if header is None and not turns else None
            turn = None if found else parse_turn(values, faults)
        except ValueError as error:
            problems.append(Problem(path, number, f"passed over: {error}", Severity.ERROR))
            continue
        problems += [Problem(path, number, fault) for fault in faults]
        if turn is None:
            header = found
            continue
        name = turn.id or str(len(turns) + 1)
        if name in seen:
            if turn.id:
                problems.append(Problem(path, number, f"turn id {name!r} stands twice"))
            name = _unlike(name, seen, repeats)
        seen.add(name)
        turns.append(turn if turn.id == name else replace(turn, id=name))
        places.append((number, start, len(line)))
    if header is None:
        problems.append(Problem(path, 1, "the header is missing; the id comes from the path"))
        header = SessionHeader(id=fallback_id)
    session = Session(header=header, space=space, path=path, turns=tuple(turns), digest=digest)
    return ParsedSession(session, places, problems, torn)


def document_of(parsed: ParsedSession) -> Document:
    """What the index needs of a session: a passage for every turn, or for every part of one."""
    session = parsed.session
    date = session.header.started_at
    if date is None:
        date = next((turn.time for turn in session.turns if turn.time), None)
    return Document(
        id=session.id,
        kind=DocumentKind.SESSION,
        space=session.space,
        path=session.path,
        title=session.title,
        digest=session.digest,
        passages=tuple(_passages(parsed)),
        date=date,
    )


def _passages(parsed: ParsedSession) -> Iterator[Passage]:
    document = parsed.session.id
    names = {turn.id for turn in parsed.session.turns}
    repeats: Counter[str] = Counter()
    for turn, (line, start, length) in zip(parsed.session.turns, parsed.places, strict=True):
        text = turn.content
        if len(text) <= LONGEST_PART:
            ranges = [(0, len(text))] if text.strip() else []
        else:
            ranges = split(text)
        for part, (low, high) in enumerate(ranges, start=1):
            label = _unlike(f"{turn.id}.{part}", names, repeats) if len(ranges) > 1 else turn.id
            yield Passage(
                id=PassageId(f"{document}#{label}"),
                text=text[low:high],
                line=line,
                start=start,
                length=length,
                clip=(low, high),
                turn=turn.id,
                role=turn.role,
                speaker=turn.speaker,
                time=turn.time,
            )


def _unlike(name: str, taken: Collection[str], repeats: Counter[str]) -> str:
    """The name, with a mark and a number behind it if need be; `repeats` counts on."""
    found = name
    while found in taken:
        repeats[name] += 1
        found = f"{name}'{repeats[name]}"
    return found
