"""What the default recipe answers on the bundled sample. A change here is a change of product."""

from __future__ import annotations

import math

import pytest

import vademecum
from vademecum import PERSONAL, DocumentId, Filter, Query, Space, Unit, parse_space
from vademecum.ports import Scope

LANTERN = parse_space("project:lantern")


def _ask(vault: vademecum.Workspace, space: Space, text: str, limit: int = 3) -> vademecum.Answer:
    return vault.search(Query(text=text, spaces=(space,), limit=limit))


@pytest.mark.parametrize(
    ("space", "question", "first"),
    [
        (LANTERN, "ERR_TIDE_0042", "err-tide-0042"),
        (LANTERN, "ZX-4471", "gauge-zx-4471"),
        (LANTERN, "health.base", "health-base-key"),
        (LANTERN, "Which port does the API listen on now?", "api-port-8443"),
        (LANTERN, "how often do we poll the gauges", "poll-every-60-seconds"),
        (LANTERN, "does Ines like meetings in the morning", "ines-meeting-times"),
        (LANTERN, "when are deploys allowed", "no-deploys-on-friday"),
        (LANTERN, "Wer ist unser Ansprechpartner beim Hafenamt?", "ansprechpartner-hafenamt"),
        (LANTERN, "瓦片缓存", "tile-cache-zh"),
        (
            LANTERN,
            "备用的那台是哪一台?",
            "地图缓存和新办公室",
        ),
        (PERSONAL, "Who is Dr. Aylin Demirci?", "mikesch-vet-bremen"),
        (PERSONAL, "How much benazepril does Mikesch get?", "What the vet said about Mikesch"),
        (PERSONAL, "what is Lotte allergic to", "hazelnut-allergy"),
        (PERSONAL, "birthday present for Lotte", "lotte-birthday-ideas"),
        (PERSONAL, "green tea temperature", "green-tea-temperature"),
        (PERSONAL, "when does my passport expire", "passport-expiry"),
        (PERSONAL, '"rail pass"', "no-rail-pass"),
        (PERSONAL, "knee pain", "knee-pain-from-hip"),
        (PERSONAL, "喫茶ひばり", "kyoto-no-kissaten"),
        (PERSONAL, "日本語の目標", "nihongo-no-mokuhyou"),
        (PERSONAL, "gruenkohl", "gruenkohl-ohne-pinkel"),
        (PERSONAL, "cafe grossenwahn", "cafe-groessenwahn"),
        (PERSONAL, "Sao Tome", "sao-tome-chocolate"),
    ],
)
def test_the_first_hit_is_the_right_one(
    sample: vademecum.Workspace, space: Space, question: str, first: str
) -> None:
    hit = _ask(sample, space, question).hits[0]
    assert first in (hit.document.path.stem, hit.document.title)


def test_a_question_about_nothing_there_finds_nothing(sample: vademecum.Workspace) -> None:
    assert _ask(sample, PERSONAL, "quantum chromodynamics").hits == ()


def test_one_ranking_number_by_number(sample: vademecum.Workspace) -> None:
    answer = _ask(sample, LANTERN, "Which port does the API listen on now?")
    assert [(hit.document.path.stem, round(hit.score, 4)) for hit in answer.hits] == [
        ("api-port-8443", 2.3),
        ("api-port-8080", 1.8622),
        ("api-port-8088", 1.5812),
    ]
    second = {
        (one.channel, one.field): round(one.amount, 4) for one in answer.hits[1].contributions
    }
    assert second == {
        ("lexical/passage", "title"): 0.2141,
        ("lexical/passage", "body"): 0.0962,
        ("lexical/passage", "tags"): 0.1179,
        ("lexical/neighbours", "title"): 0.3853,
        ("lexical/neighbours", "body"): 0.1778,
        ("lexical/neighbours", "tags"): 0.2075,
        ("lexical/own-words", "title"): 0.2145,
        ("lexical/own-words", "body"): 0.096,
        ("lexical/own-words", "tags"): 0.1185,
        ("lexical/document", "title"): 0.1173,
        ("lexical/document", "body"): 0.047,
        ("lexical/document", "tags"): 0.0703,
    }


@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("name", vademecum.PRESETS)
def test_reasons_add_up_for_every_recipe_and_unit(
    sample: vademecum.Workspace, unit: Unit, name: str
) -> None:
    query = Query(text='Mara "tide data" ERR_TIDE_0042', spaces=(LANTERN,), unit=unit)
    hits = sample.search(query, vademecum.recipe(name)).hits
    assert hits
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    for hit in hits:
        assert math.fsum(one.amount for one in hit.contributions) == pytest.approx(hit.score)


@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("text", ["tide data", "Mara", "ZX-4471", "*", "?!", '"rail pass"'])
def test_rank_is_search_without_the_texts(
    sample: vademecum.Workspace, unit: Unit, text: str
) -> None:
    query = Query(text=text, spaces=(LANTERN,), unit=unit, limit=25)
    answer, ranking = sample.search(query), sample.rank(query)
    assert [(hit.document.id, hit.score) for hit in answer.hits] == [
        (place.document, place.score) for place in ranking.places
    ]
    assert answer.skipped == ranking.skipped
    for hit, place in zip(answer.hits, ranking.places, strict=True):
        whole = [passage.id for passage in _passages(sample, hit.document.id)]
        assert whole[place.passage] == hit.passage.id


def _passages(vault: vademecum.Workspace, identity: str) -> list[vademecum.Passage]:
    where = Filter(documents=frozenset({DocumentId(identity)}))
    with vault._index.reading(Scope((LANTERN,), where)) as reading:
        assert reading.allowed is not None
        return [one.passage for one in reading.found(reading.allowed.nonzero()[0].tolist())]
