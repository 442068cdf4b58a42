"""Takes every label out of a data set before a system sees it.

Documents are numbered through (`d000123`), turns within their document (`t4`), corpora too
(`c0007`): an id such as `answer_4be1b6b4_2` never reaches an engine. A unit that a system returns
is `d000123` for a session or a text and `d000123/t4` for a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vademecum_bench.corpus import Corpus, Dataset, Probe, Question, Session, Text, Unit


def unit_id(document: str, turn: str) -> str:
    """How systems and harness call one turn of one document."""
    return f"{document}/{turn}"


@dataclass(frozen=True, slots=True)
class Blinded:
    """What a system may see, and the way back from its ids to those of the data set."""

    unit: Unit
    corpora: tuple[Corpus, ...]
    corpus_ids: dict[str, str]
    originals: dict[str, str]

    def probe(self, question: Question) -> Probe:
        return Probe(
            corpus=self.corpus_ids[question.corpus],
            text=question.text,
            asked_at=question.asked_at,
        )

    def reveal(self, units: Sequence[str]) -> tuple[str, ...]:
        """The data set's ids of units that a system returned, in the same order."""
        return tuple(self.originals[unit] for unit in units)


def blind(dataset: Dataset) -> Blinded:
    """The corpora of a data set with neutral ids."""
    corpora: list[Corpus] = []
    corpus_ids: dict[str, str] = {}
    originals: dict[str, str] = {}
    number = 0
    for position, corpus in enumerate(dataset.corpora, start=1):
        corpus_ids[corpus.id] = f"c{position:04d}"
        sessions: list[Session] = []
        texts: list[Text] = []
        for session in corpus.sessions:
            number += 1
            name = f"d{number:06d}"
            turns = tuple(replace(turn, id=f"t{at}") for at, turn in enumerate(session.turns, 1))
            sessions.append(Session(id=name, turns=turns, started_at=session.started_at))
            if dataset.unit is Unit.TURN:
                for new, old in zip(turns, session.turns, strict=True):
                    originals[unit_id(name, new.id)] = old.id
            else:
                originals[name] = session.id
        for text in corpus.texts:
            number += 1
            texts.append(Text(id=f"d{number:06d}", text=text.text))
            originals[texts[-1].id] = text.id
        corpora.append(
            Corpus(id=corpus_ids[corpus.id], sessions=tuple(sessions), texts=tuple(texts))
        )
    return Blinded(
        unit=dataset.unit,
        corpora=tuple(corpora),
        corpus_ids=corpus_ids,
        originals=originals,
    )
