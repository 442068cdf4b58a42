"""Small made-up files in the format of each data set."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest


def write_gzip_lines(path: Path, records: Sequence[Any]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I adopted a parrot named Kiwi."},
                {
                    "speaker": "Ben",
                    "dia_id": "D1:2",
                    "text": "Look at my new bicycle!",
                    "blip_caption": "a photo of a red bicycle",
                    "img_url": ["somewhere"],
                },
            ],
            "session_2_date_time": "12:06 am on 11 November, 2023",
            "session_2": [
                {"speaker": "Ada", "dia_id": "D2:1", "text": "Kiwi learned to whistle."},
                {"speaker": "Ben", "dia_id": "D2:2", "text": "My brakes squeak."},
            ],
            # A date whose session is missing, as the data has them.
            "session_3_date_time": "9:00 am on 1 December, 2023",
        },
        "qa": [
            {
                "question": "What did the parrot Kiwi learn?",
                "answer": "to whistle",
                "evidence": ["D1:1; D2:1"],
                "category": 1,
            },
            {
                "question": "What colour is the bicycle?",
                "answer": "red",
                "evidence": ["D:1:2", "D"],
                "category": 4,
            },
            {"question": "Nothing?", "answer": "-", "evidence": [], "category": 2},
            {
                "question": "Who sold the parrot?",
                "adversarial_answer": "Ben",
                "evidence": ["D1:1"],
                "category": 5,
            },
            {"question": "A lost turn?", "answer": "-", "evidence": ["D2:9"], "category": 3},
        ],
    }
]

LONG_SESSIONS = [
    {
        "session_id": "filler_1",
        "turns": [
            {"role": "user", "content": "How do I boil an egg?"},
            {"role": "assistant", "content": "Seven minutes in boiling water."},
        ],
    },
    {
        "session_id": "answer_77",
        "turns": [
            {"role": "user", "content": "My violin teacher is called Orsolya.", "has_answer": True},
            {"role": "assistant", "content": "A lovely name.", "has_answer": False},
        ],
    },
    {
        "session_id": "answer_78",
        "turns": [{"role": "user", "content": "I moved my violin lessons to Thursday."}],
    },
]

LONG_QUESTIONS = [
    {
        "question_id": "q1",
        "question_type": "multi-session",
        "question": "What is the name of my violin teacher?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer": "Orsolya",
        "answer_session_ids": ["answer_77", "answer_78"],
        "haystack_dates": [
            "2023/05/20 (Sat) 02:21",
            "2023/05/21 (Sun) 10:00",
            "2023/05/22 (Mon) 11:30",
            "2023/05/23 (Tue) 12:00",
        ],
        "haystack_session_ids": ["filler_1", "answer_77", "filler_1", "answer_78"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "single-session-user",
        "question": "What is the name of my cello teacher?",
        "question_date": "2023/06/01 (Thu) 08:00",
        "answer": "unknown",
        "answer_session_ids": ["answer_78"],
        "haystack_dates": ["2023/05/19 (Fri) 09:00", "2023/05/20 (Sat) 10:00"],
        "haystack_session_ids": ["answer_78", "filler_1"],
    },
]

QMSUM = [
    {
        "topic_list": [],
        "general_query_list": [{"query": "Summarize the meeting.", "answer": "-"}],
        "specific_query_list": [
            {
                "query": "What did the Chair say about buttons?",
                "answer": "-",
                "relevant_text_span": [["0", "1"], ["1", "2"]],
            }
        ],
        "meeting_transcripts": [
            {"speaker": "Chair", "content": "The remote has too many buttons."},
            {"speaker": "Designer", "content": "Twelve buttons at most."},
            {"speaker": "Chair", "content": "Agreed."},
            {"speaker": "Chair", "content": "Now the budget."},
        ],
    }
]

XQUAD = {
    "en": ("The tower is made of iron.", "The river floods in spring."),
    "de": ("Der Turm ist aus Eisen.", "Der Fluss tritt im Frühling über die Ufer."),
}
XQUAD_QUESTIONS = {
    "en": ("What is the tower made of?", "When does the river flood?"),
    "de": ("Woraus ist der Turm?", "Wann tritt der Fluss über die Ufer?"),
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with all four data sets, a few documents each."""
    root = tmp_path / "data"
    for name in ("locomo", "longmemeval", "qmsum", "xquad"):
        (root / name).mkdir(parents=True)
    (root / "locomo/locomo10.json").write_text(json.dumps(LOCOMO), encoding="utf-8")
    write_gzip_lines(root / "longmemeval/sessions.jsonl.gz", LONG_SESSIONS)
    write_gzip_lines(root / "longmemeval/questions.jsonl.gz", LONG_QUESTIONS)
    write_gzip_lines(root / "qmsum/test.jsonl.gz", QMSUM)
    for language, contexts in XQUAD.items():
        paragraphs = [
            {
                "context": context,
                "qas": [{"id": f"id{at}", "question": XQUAD_QUESTIONS[language][at]}],
            }
            for at, context in enumerate(contexts)
        ]
        content = {"version": "1.1", "data": [{"title": "T", "paragraphs": paragraphs}]}
        path = root / f"xquad/xquad.{language}.json"
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return root
