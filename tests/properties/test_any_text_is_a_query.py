"""No text is an error, and what is answered is in order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import vademecum
from vademecum import Query, Turn, Unit


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[vademecum.Workspace]:
    path: Path = tmp_path_factory.mktemp("any") / "vault"
    with vademecum.create_vault(path) as opened:
        opened.add(
            "Call health.base before deploy; the kettle (C++) is in C:\\lab\\run.ini 🎉 会议"
        )
        session = opened.start_session(title="NEAR(tea OR")
        opened.append(session, [Turn(content="tea AND NOT draft* \x00 \ud800"), Turn(content="é")])
        opened.sync()
        yield opened


@settings(max_examples=200, deadline=None)
@given(st.text(), st.sampled_from(Unit))
@example("\x00", Unit.PASSAGE)
@example("\ud800 kettle", Unit.DOCUMENT)
@example("kettle " * 3000, Unit.PASSAGE)
@example("".join(map(chr, range(0x4E00, 0x4E00 + 20000))), Unit.PASSAGE)
@example('"', Unit.PASSAGE)
@example("?!()[]{}^~:-_", Unit.SESSION)
@example("🎉", Unit.MEMORY)
def test_any_text_is_answered_in_order(vault: vademecum.Workspace, text: str, unit: Unit) -> None:
    answer = vault.search(Query(text=text, unit=unit, limit=3))
    scores = [hit.score for hit in answer.hits]
    assert len(scores) <= 3
    assert scores == sorted(scores, reverse=True)
    if text.strip() != "*":
        assert all(math.isfinite(score) and score > 0 for score in scores)
    for hit in answer.hits:
        assert math.fsum(c.amount for c in hit.contributions) == pytest.approx(hit.score)


@pytest.mark.parametrize("text", ["", "   ", "\\", "...", "?!", "\x00"])
def test_a_query_without_a_word_finds_nothing_and_says_so(
    vault: vademecum.Workspace, text: str
) -> None:
    answer = vault.search(text)
    assert answer.hits == ()
    assert "no searchable word" in answer.skipped[0].reason
