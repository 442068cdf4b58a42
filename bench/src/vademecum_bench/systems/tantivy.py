"""tantivy: a search library in Rust with files of its own."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import tantivy

from vademecum_bench.corpus import Session
from vademecum_bench.systems.engines import Search, size_of, texts_of
from vademecum_bench.systems.fts5 import storable
from vademecum_bench.systems.protocol import Built, Progress, words

ANALYZER = "en_stem"


class TantivyEngine:
    """English stems, nothing stored but the number of the document, any of the words."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("number", stored=True, fast=True)
        schema.add_text_field("text", stored=False, tokenizer_name=ANALYZER)
        self._index = tantivy.Index(schema.build(), path=str(folder))

    def build(self, sessions: Sequence[Session], progress: Progress) -> Built:
        texts = [storable(text) for text in texts_of(sessions)]
        progress("index tantivy", 0, 1)
        start = time.perf_counter()
        writer = self._index.writer()
        for number, text in enumerate(texts):
            writer.add_document(tantivy.Document(number=number, text=text))
        writer.commit()
        writer.wait_merging_threads()
        seconds = time.perf_counter() - start
        self._index.reload()
        self._searcher = self._index.searcher()
        progress("index tantivy", 1, 1)
        return Built(build_s=seconds, bytes=size_of(self._folder))

    def searches(self, limit: int) -> Mapping[str, Search]:
        return {"tantivy": lambda text: self._search(text, limit)}

    def _search(self, text: str, limit: int) -> object:
        query = self._index.parse_query(" ".join(words(text)), ["text"])
        return self._searcher.search(query, limit).hits

    def close(self) -> None:
        del self._searcher, self._index
