"""A batch of documents into the posting lists of one new segment."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vademecum.analysis import Analyzer, Language, detect
from vademecum.channels.lexical.postings import pack_many
from vademecum.domain import Document, Field

PASSAGE_FIELDS: Final = (Field.BODY, Field.HEADING, Field.SPEAKER)
"""Fields that each passage has of its own; the others belong to the whole document."""

DOCUMENT_FIELDS: Final = (Field.TITLE, Field.TAGS)

_LONGEST_REMEMBERED: Final = 40
_MOST_REMEMBERED: Final = 1_000_000
_LANGUAGE_SAMPLE: Final = 2000


class Vocabulary:
    """Numbers for chunks and for terms, remembered over many batches.

    A text becomes the numbers of its chunks, and only a chunk that was not met before is
    analysed.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self.forget()

    def forget(self) -> None:
        """Start anew, so that memory stays bounded."""
        self.names: list[str] = []
        self._terms: dict[str, int] = {}
        self._yields = array("q")
        self._sizes = array("q")
        self._chunks = {language: _Chunks(self, language) for language in Language}

    def is_full(self) -> bool:
        return len(self._sizes) > _MOST_REMEMBERED

    def numbers(self, text: str, language: Language) -> Iterator[int]:
        """The chunk numbers of a text, in order."""
        return map(self._chunks[language].__getitem__, text.split())

    def learn(self, chunk: str, language: Language) -> int:
        """A number for a chunk that has none yet."""
        terms = self._analyzer.terms(chunk, language)
        known = self._terms
        for term in terms:
            number = known.get(term)
            if number is None:
                number = known[term] = len(self.names)
                self.names.append(term)
            self._yields.append(number)
        self._sizes.append(len(terms))
        return len(self._sizes) - 1

    def table(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many terms each chunk yields, and the term numbers of all chunks in a row."""
        return np.array(self._sizes, np.int64), np.array(self._yields, np.int64)


class _Chunks(dict[str, int]):
    """Chunk to number for one language; what is missing is learned."""

    def __init__(self, vocabulary: Vocabulary, language: Language) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._language = language

    def __missing__(self, chunk: str) -> int:
        number = self._vocabulary.learn(chunk, self._language)
        if len(chunk) <= _LONGEST_REMEMBERED:
            self[chunk] = number
        return number


@dataclass(slots=True)
class _Stream:
    """The chunks of one field: those of each unit (passage or document) one after the other."""

    chunks: array[int] = field(default_factory=lambda: array("q"))
    sizes: array[int] = field(default_factory=lambda: array("q"))

    def add(self, numbers: Iterable[int]) -> None:
        before = len(self.chunks)
        self.chunks.extend(numbers)
        self.sizes.append(len(self.chunks) - before)


@dataclass(frozen=True, slots=True)
class FieldPostings:
    """One field of a segment: its posting lists by term, and the length of each unit in terms."""

    field: Field
    lengths: NDArray[np.int64]
    terms: Sequence[str]
    blobs: Iterator[bytes]


class Builder:
    """Collects documents; `fields` then gives everything to be stored."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._streams = {which: _Stream() for which in (*PASSAGE_FIELDS, *DOCUMENT_FIELDS)}
        self.languages: set[Language] = set()

    def add(self, document: Document) -> None:
        language = detect(_sample(document))
        self.languages.add(language)
        numbers = self._vocabulary.numbers
        streams = self._streams
        streams[Field.TITLE].add(numbers(document.title, language))
        labels = " ".join((*document.tags, *document.aliases, *document.entities))
        streams[Field.TAGS].add(numbers(labels, language))
        body, heading, speaker = (streams[which] for which in PASSAGE_FIELDS)
        for passage in document.passages:
            body.add(numbers(passage.text, language))
            heading.add(numbers(" ".join(passage.heading), language) if passage.heading else ())
            speaker.add(numbers(passage.speaker, language) if passage.speaker else ())

    def fields(self) -> Iterator[FieldPostings]:
        sizes, yields = self._vocabulary.table()
        names = self._vocabulary.names
        for which, stream in self._streams.items():
            terms, units = _occurrences(stream, sizes, yields)
            lengths = np.bincount(units, minlength=len(stream.sizes))
            keys = (terms << 32) | units
            keys.sort()
            firsts = np.flatnonzero(np.diff(keys, prepend=-1))
            counts = np.diff(firsts, append=len(keys))
            keys = keys[firsts]
            starts = np.flatnonzero(np.diff(keys >> 32, prepend=-1))
            yield FieldPostings(
                which,
                lengths,
                [names[number] for number in (keys[starts] >> 32).tolist()],
                pack_many(keys & 0xFFFFFFFF, counts, starts),
            )


def _occurrences(
    stream: _Stream, sizes: NDArray[np.int64], yields: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every single occurrence in a field: its term number and its unit."""
    chunks = np.array(stream.chunks, np.int64)
    counts = sizes[chunks]
    first_yield = np.cumsum(sizes) - sizes
    first_here = np.cumsum(counts) - counts
    positions = np.repeat(first_yield[chunks] - first_here, counts)
    positions += np.arange(len(positions))
    units = np.repeat(np.arange(len(stream.sizes)), np.array(stream.sizes, np.int64))
    return yields[positions], np.repeat(units, counts)


def _sample(document: Document) -> str:
    parts: list[str] = []
    left = _LANGUAGE_SAMPLE
    for passage in document.passages:
        parts.append(passage.text[:left])
        left -= len(passage.text)
        if left <= 0:
            break
    return " ".join(parts)
