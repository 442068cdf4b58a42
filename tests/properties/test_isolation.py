"""What is in one space never shows in an answer from another, not even in a score."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import vademecum
from vademecum import Filter, Note, Query, Turn, Unit, parse_space

WORDS = ["tea", "kettle", "harbour", "tide", "port", "deploy", "friday", "ZX-4471"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=10).map(" ".join)
A, B = parse_space("project:a"), parse_space("project:b")


@settings(max_examples=25, deadline=None)
@given(st.lists(texts, min_size=1, max_size=6), st.lists(texts, min_size=1, max_size=9), texts)
def test_another_space_changes_no_answer_and_no_score(
    here: list[str], there: list[str], asked: str
) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        vademecum.create_vault(Path(folder) / "v") as vault,
    ):
        for text in here:
            vault.add(Note(text=text, space=A))
        queries = [
            Query(text=asked, spaces=(A,), unit=unit, where=where)
            for unit in Unit
            for where in (Filter(), Filter(speakers=frozenset({""})))
        ]
        before = [vault.search(query).hits for query in queries]
        for text in there:
            vault.add(Note(text=text, space=B))
        session = vault.start_session(title=asked, space=B)
        vault.append(session, [Turn(content=text) for text in there])
        vault.sync()
        assert [vault.search(query).hits for query in queries] == before


def test_the_filter_comes_before_the_top_k(tmp_path: Path) -> None:
    with vademecum.create_vault(tmp_path / "v") as vault:
        for number in range(300):
            vault.add(Note(text=f"kettle kettle kettle {number}", tags=("common",)))
        vault.add(
            Note(
                text="a long note that only says kettle once among many other words", tags=("rare",)
            )
        )
        where = Filter(tags=frozenset({"rare"}))
        (hit,) = vault.search(Query(text="kettle", where=where, limit=10)).hits
        assert hit.document.tags == ("rare",)
