"""QMSum: questions about long meetings, with the turns that answer them.

Zhong et al., "QMSum: A New Benchmark for Query-based Multi-domain Meeting Summarization",
NAACL 2021, MIT.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vademecum_bench.corpus import Corpus, Dataset, Question, Session, Turn, Unit
from vademecum_bench.datasets.files import checksums, folder_of, read_gzip_lines

FILE = "test.jsonl.gz"


def load(data: Path) -> Dataset:
    """The test meetings, one corpus each, and their specific queries.

    General queries have no evidence. Gold are the turns of the spans, both ends included and
    counted from 0.
    """
    folder = folder_of(data, "qmsum", [FILE])
    corpora: list[Corpus] = []
    questions: list[Question] = []
    for number, record in enumerate(read_gzip_lines(folder / FILE), start=1):
        name = f"meeting-{number:02d}"
        turns = tuple(
            Turn(id=str(index), text=str(turn["content"]), speaker=str(turn["speaker"]))
            for index, turn in enumerate(record["meeting_transcripts"])
        )
        corpora.append(Corpus(id=name, sessions=(Session(id=name, turns=turns),)))
        for at, query in enumerate(record["specific_query_list"], start=1):
            questions.append(
                Question(
                    id=f"{name}/q{at}",
                    corpus=name,
                    text=str(query["query"]),
                    type="specific",
                    gold=turns_of(query["relevant_text_span"]),
                )
            )
    return Dataset(
        name="qmsum",
        unit=Unit.TURN,
        corpora=corpora,
        questions=questions,
        files=checksums(folder, [FILE]),
    )


def turns_of(spans: Any) -> tuple[str, ...]:
    """The numbers of the turns in the spans, ascending, each once."""
    numbers = {turn for first, last in spans for turn in range(int(first), int(last) + 1)}
    return tuple(str(number) for number in sorted(numbers))
