"""LoCoMo: questions about ten long conversations between two friends.

Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", ACL 2024.
The data is CC BY-NC 4.0: for measuring only, never part of this project.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from vademecum_bench.corpus import Corpus, Dataset, Question, Session, Turn, Unit
from vademecum_bench.datasets.files import checksums, folder_of, read_json
from vademecum_bench.errors import DataError

FILE = "locomo10.json"
ADVERSARIAL = 5
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "commonsense", 4: "single-hop"}
# One entry can hold several ids ("D8:6; D9:17") and a stray colon ("D:11:26").
EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
SESSION_KEY = re.compile(r"session_(\d+)")
TURN_PACE = timedelta(minutes=1)


def load(data: Path, unit: Unit) -> Dataset:
    """The ten conversations, one corpus each, and the questions that have evidence.

    Category 5 (adversarial) and questions without evidence are left out: 1,536 remain. An
    evidence id that matches no turn stays in the gold, where it cannot be found.
    """
    folder = folder_of(data, "locomo", [FILE])
    corpora: list[Corpus] = []
    questions: list[Question] = []
    for record in read_json(folder / FILE):
        name = str(record["sample_id"])
        corpora.append(Corpus(id=name, sessions=_sessions(record["conversation"])))
        for number, entry in enumerate(record["qa"]):
            evidence = parse_evidence(entry.get("evidence") or ())
            if entry["category"] == ADVERSARIAL or not evidence:
                continue
            gold = evidence if unit is Unit.TURN else sessions_of(evidence)
            questions.append(
                Question(
                    id=f"{name}/q{number}",
                    corpus=name,
                    text=str(entry["question"]),
                    type=CATEGORIES[entry["category"]],
                    gold=gold,
                )
            )
    return Dataset(
        name=f"locomo-{unit.value}",
        unit=unit,
        corpora=corpora,
        questions=questions,
        files=checksums(folder, [FILE]),
    )


def parse_evidence(entries: Any) -> tuple[str, ...]:
    """Turn ids such as `D1:3`, in order, each once."""
    found = (match.groups() for entry in entries for match in EVIDENCE.finditer(str(entry)))
    return tuple(dict.fromkeys(f"D{session}:{turn}" for session, turn in found))


def sessions_of(turn_ids: tuple[str, ...]) -> tuple[str, ...]:
    """The sessions that turn ids belong to, in order, each once."""
    return tuple(dict.fromkeys(f"session_{turn[1:].partition(':')[0]}" for turn in turn_ids))


def parse_time(text: str) -> datetime:
    """`1:56 pm on 8 May, 2023`. The data has no zone: taken as UTC."""
    try:
        return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError as error:
        raise DataError(f"not a LoCoMo date: {text!r}") from error


def _sessions(conversation: dict[str, Any]) -> tuple[Session, ...]:
    keys = [match for key in conversation if (match := SESSION_KEY.fullmatch(key))]
    sessions = []
    for match in sorted(keys, key=lambda found: int(found[1])):
        key = match[0]
        started_at = parse_time(conversation[f"{key}_date_time"])
        turns = tuple(
            Turn(
                id=str(turn["dia_id"]),
                text=_said(turn),
                speaker=str(turn["speaker"]),
                time=started_at + index * TURN_PACE,
            )
            for index, turn in enumerate(conversation[key])
        )
        sessions.append(Session(id=key, turns=turns, started_at=started_at))
    return tuple(sessions)


def _said(turn: dict[str, Any]) -> str:
    """The words of a turn; a shared image is part of what it says."""
    caption = turn.get("blip_caption")
    return f"{turn['text']}\n[image: {caption}]" if caption else str(turn["text"])
