"""bm25s: scores of every word in every document computed beforehand, in memory."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import bm25s

from vademecum_bench.corpus import Session
from vademecum_bench.systems.engines import Search, size_of, texts_of
from vademecum_bench.systems.protocol import Built, Progress

STOPWORDS = "en"


class Bm25sEngine:
    """Its own tokens and English function words, no stems, compiled with numba.

    It lives in memory and takes no additions; its bytes are those of the index when saved.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._retriever = bm25s.BM25(backend="numba")

    def build(self, sessions: Sequence[Session], progress: Progress) -> Built:
        texts = texts_of(sessions)
        progress("index bm25s", 0, 1)
        self._documents = len(texts)
        start = time.perf_counter()
        tokens = bm25s.tokenize(texts, stopwords=STOPWORDS, show_progress=False)
        self._retriever.index(tokens, show_progress=False)
        seconds = time.perf_counter() - start
        self._retriever.save(str(self._folder))
        progress("index bm25s", 1, 1)
        return Built(build_s=seconds, bytes=size_of(self._folder))

    def searches(self, limit: int) -> Mapping[str, Search]:
        # It refuses to return more documents than there are.
        return {"bm25s": lambda text: self._search(text, min(limit, self._documents))}

    def _search(self, text: str, limit: int) -> object:
        tokens = bm25s.tokenize([text], stopwords=STOPWORDS, show_progress=False, return_ids=False)
        return self._retriever.retrieve(tokens, k=limit, show_progress=False)

    def close(self) -> None:
        del self._retriever
