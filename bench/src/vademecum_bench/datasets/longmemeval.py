"""LongMemEval-S: questions to an assistant about earlier conversations with the same person.

Wu et al., "LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory",
ICLR 2025, MIT. Read from the deduplicated form: `sessions.jsonl.gz` and `questions.jsonl.gz`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from vademecum_bench.corpus import Corpus, Dataset, Question, Session, Turn, Unit
from vademecum_bench.datasets.files import checksums, folder_of, read_gzip_lines
from vademecum_bench.errors import DataError

SESSIONS = "sessions.jsonl.gz"
QUESTIONS = "questions.jsonl.gz"
ABSTENTION = "_abs"
ANSWERABLE = "answerable"
POOL = "pool"
TURN_PACE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Said:
    """One message as the data has it, with its label."""

    role: str
    text: str
    is_evidence: bool


Talks = dict[str, tuple[Said, ...]]


def load_sessions(data: Path) -> Dataset:
    """Each question over its own haystack; gold are the answer sessions.

    Abstention questions are asked too; the others are the group `answerable`.
    """
    return _over_haystacks(data, Unit.SESSION)


def load_turns(data: Path) -> Dataset:
    """Each question over its own haystack; gold are the turns marked as evidence.

    Questions without any such turn are left out, and so are those that have no answer.
    """
    return _over_haystacks(data, Unit.TURN)


def load_pooled(data: Path) -> Dataset:
    """All sessions in one corpus; the questions that have an answer.

    A session stands once, with the date it has in the first haystack that holds it.
    """
    folder = folder_of(data, "longmemeval", [SESSIONS, QUESTIONS])
    records = list(read_gzip_lines(folder / QUESTIONS))
    dates: dict[str, datetime] = {}
    for record in records:
        for name, date in _haystack(record):
            dates.setdefault(name, date)
    sessions = tuple(_session(name, said, dates.get(name)) for name, said in _talks(folder).items())
    questions = [
        _question(record, corpus=POOL, gold=tuple(record["answer_session_ids"]))
        for record in records
        if not _is_abstention(record)
    ]
    return Dataset(
        name="longmemeval-pooled",
        unit=Unit.SESSION,
        corpora=[Corpus(id=POOL, sessions=sessions)],
        questions=questions,
        files=checksums(folder, [SESSIONS, QUESTIONS]),
    )


def read_turns(data: Path, limit: int) -> tuple[list[Session], int]:
    """The first `limit` turns, each unique session once, in the order of the file.

    The last session is cut where the limit is reached. Also says how many turns there are,
    which is fewer than asked for when the data ends first.
    """
    folder = folder_of(data, "longmemeval", [SESSIONS, QUESTIONS])
    sessions: list[Session] = []
    left = limit
    for number, record in enumerate(read_gzip_lines(folder / SESSIONS), start=1):
        said = _said(record)[:left]
        if not said:
            continue
        sessions.append(_session(f"s{number}", said, None))
        left -= len(said)
        if left == 0:
            break
    return sessions, limit - left


def read_question_texts(data: Path) -> list[str]:
    """The words of every question, in the order of the file."""
    folder = folder_of(data, "longmemeval", [SESSIONS, QUESTIONS])
    return [str(record["question"]) for record in read_gzip_lines(folder / QUESTIONS)]


def parse_time(text: str) -> datetime:
    """`2023/05/20 (Sat) 02:21`. The data has no zone: taken as UTC."""
    try:
        day, _, clock = text.split()
        return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
    except ValueError as error:
        raise DataError(f"not a LongMemEval date: {text!r}") from error


def _over_haystacks(data: Path, unit: Unit) -> Dataset:
    folder = folder_of(data, "longmemeval", [SESSIONS, QUESTIONS])
    talks = _talks(folder)
    corpora: list[Corpus] = []
    questions: list[Question] = []
    for record in read_gzip_lines(folder / QUESTIONS):
        if unit is Unit.TURN and _is_abstention(record):
            continue
        answers = frozenset(record["answer_session_ids"])
        sessions: list[Session] = []
        gold: list[str] = []
        times_seen: dict[str, int] = {}
        for name, date in _haystack(record):
            # Thirteen haystacks hold one session twice: two documents, equally right.
            times_seen[name] = times_seen.get(name, 0) + 1
            copy = name if times_seen[name] == 1 else f"{name}~{times_seen[name]}"
            session = _session(copy, talks[name], date)
            sessions.append(session)
            if name not in answers:
                continue
            if unit is Unit.SESSION:
                gold.append(copy)
            else:
                marked = zip(session.turns, talks[name], strict=True)
                gold.extend(turn.id for turn, said in marked if said.is_evidence)
        if not gold:
            continue
        in_subset = unit is Unit.SESSION and not _is_abstention(record)
        question = _question(
            record,
            corpus=str(record["question_id"]),
            gold=tuple(gold),
            groups=(ANSWERABLE,) if in_subset else (),
        )
        corpora.append(Corpus(id=question.corpus, sessions=tuple(sessions)))
        questions.append(question)
    return Dataset(
        name=f"longmemeval-{unit.value}",
        unit=unit,
        corpora=corpora,
        questions=questions,
        files=checksums(folder, [SESSIONS, QUESTIONS]),
    )


def _talks(folder: Path) -> Talks:
    return {
        str(record["session_id"]): _said(record) for record in read_gzip_lines(folder / SESSIONS)
    }


def _said(record: Any) -> tuple[Said, ...]:
    return tuple(
        Said(
            role=str(turn["role"]),
            text=str(turn["content"]),
            is_evidence=bool(turn.get("has_answer")),
        )
        for turn in record["turns"]
    )


def _haystack(record: Any) -> Iterator[tuple[str, datetime]]:
    names: Sequence[str] = record["haystack_session_ids"]
    dates: Sequence[str] = record["haystack_dates"]
    for name, date in zip(names, dates, strict=True):
        yield name, parse_time(date)


def _session(name: str, said: Sequence[Said], date: datetime | None) -> Session:
    turns = tuple(
        Turn(
            id=f"{name}#{index}",
            text=one.text,
            role=one.role,
            time=None if date is None else date + index * TURN_PACE,
        )
        for index, one in enumerate(said)
    )
    return Session(id=name, turns=turns, started_at=date)


def _question(
    record: Any, *, corpus: str, gold: tuple[str, ...], groups: tuple[str, ...] = ()
) -> Question:
    return Question(
        id=str(record["question_id"]),
        corpus=corpus,
        text=str(record["question"]),
        type=str(record["question_type"]),
        gold=tuple(dict.fromkeys(gold)),
        asked_at=parse_time(record["question_date"]),
        groups=groups,
    )


def _is_abstention(record: Any) -> bool:
    return str(record["question_id"]).endswith(ABSTENTION)
