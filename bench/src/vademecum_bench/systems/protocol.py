"""What the harness asks of a system, and how documents become plain text for the baselines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from vademecum_bench.blind import unit_id
from vademecum_bench.corpus import Corpus, Probe, Turn, Unit

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and how much there is."""

WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What an index cost: seconds of indexing, and bytes it takes on disk."""

    build_s: float
    bytes: int


class System(Protocol):
    """One way of finding documents. It is handed blinded corpora and answers with their ids."""

    @property
    def name(self) -> str: ...

    def describe(self) -> Mapping[str, object]:
        """Its settings as plain values: all that makes its answers what they are."""
        ...

    def ingest(self, corpora: Sequence[Corpus], unit: Unit, progress: Progress) -> Built:
        """Take in all corpora of a run, before the first question."""
        ...

    def search(self, probe: Probe, limit: int) -> Sequence[str]:
        """Up to `limit` different units of the probe's corpus, best first."""
        ...

    def close(self) -> None: ...


def documents(corpus: Corpus, unit: Unit) -> Iterator[tuple[str, str]]:
    """The units of a corpus with all their words, speakers included."""
    for session in corpus.sessions:
        if unit is Unit.TURN:
            for turn in session.turns:
                yield unit_id(session.id, turn.id), spoken(turn)
        else:
            yield session.id, "\n".join(spoken(turn) for turn in session.turns)
    for text in corpus.texts:
        yield text.id, text.text


def spoken(turn: Turn) -> str:
    """`Caroline: Good to see you!`, or the words alone if nobody is named."""
    return f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text


def words(text: str) -> list[str]:
    """The words of a text in small letters, as often as they stand there."""
    return WORD.findall(text.lower())
