"""The words of the harness: corpora of documents, and questions whose answers are known.

A data set is read into a `Dataset`, with its own ids and its labels. What a system is handed is
made by `vademecum_bench.blind` and consists of `Corpus` and `Probe` only: these types have no
place for a label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TypeVar

T = TypeVar("T")


class Unit(Enum):
    """What is ranked and judged."""

    TURN = "turn"
    SESSION = "session"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message. `id` is unique within its corpus."""

    id: str
    text: str
    role: str = "user"
    speaker: str = ""
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation."""

    id: str
    turns: tuple[Turn, ...]
    started_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One plain document."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What one question is asked of: either sessions or texts. Ids are unique within it."""

    id: str
    sessions: tuple[Session, ...] = ()
    texts: tuple[Text, ...] = ()

    @property
    def text_bytes(self) -> int:
        """Bytes of what was said, in UTF-8, without speakers and times."""
        return sum(len(text.encode("utf-8", "surrogatepass")) for text in self._said())

    def _said(self) -> Iterator[str]:
        for session in self.sessions:
            for turn in session.turns:
                yield turn.text
        for text in self.texts:
            yield text.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its answer key. `groups` are the subsets it is also reported in."""

    id: str
    corpus: str
    text: str
    type: str
    gold: tuple[str, ...]
    asked_at: datetime | None = None
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Corpora and questions of one benchmark. `files` maps the files read to their SHA-256."""

    name: str
    unit: Unit
    corpora: Sequence[Corpus]
    questions: Sequence[Question]
    files: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    def sample(self, count: int) -> Dataset:
        """`count` questions, evenly spaced, and the corpora that these need."""
        questions = evenly_spaced(self.questions, count)
        needed = {question.corpus for question in questions}
        return Dataset(
            name=self.name,
            unit=self.unit,
            corpora=tuple(corpus for corpus in self.corpora if corpus.id in needed),
            questions=questions,
            files=self.files,
            options=self.options,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """All that a system learns of a question."""

    corpus: str
    text: str
    asked_at: datetime | None = None


def evenly_spaced(items: Sequence[T], count: int) -> tuple[T, ...]:
    """`count` of the items, in order, from the first on; all of them if there are fewer."""
    total = len(items)
    if count >= total:
        return tuple(items)
    return tuple(items[index * total // count] for index in range(count))
