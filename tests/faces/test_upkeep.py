"""sync, check, rebuild, stats and recipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.faces.conftest import Vade


def test_sync_says_what_is_new(vade: Vade) -> None:
    (vade.root / "personal" / "memories" / "tea.md").write_text("green tea", encoding="utf-8")
    assert vade.json("sync")["added"] == 1
    assert vade("sync").out == "Nothing new.\n"


def test_check_fails_if_a_file_cannot_be_understood(vade: Vade) -> None:
    vade.add("fine")
    assert vade("check").code == 0
    torn = vade.root / "personal" / "sessions" / "torn.jsonl"
    torn.write_text("this is no session\n", encoding="utf-8")
    ran = vade("check")
    report = vade("check", "--json").json
    assert report["agrees"] is True
    assert report["clean"] is False
    assert ran.code == 1
    assert "torn.jsonl:1: error: " in ran.out


def test_a_rebuilt_index_answers_as_before(vade: Vade) -> None:
    vade.add("green tea")
    before = vade.json("search", "tea")["hits"]
    assert vade.json("rebuild")["documents"] == 1
    assert vade.json("search", "tea")["hits"] == before


def test_stats_count_the_vault(vade: Vade) -> None:
    vade.add("green tea")
    found = vade.json("stats")
    assert found["memories"] == 1
    assert found["files_bytes"] > 0
    assert str(vade.root) in vade("stats").out


def test_every_recipe_that_is_listed_can_be_asked_for(vade: Vade) -> None:
    vade.add("green tea")
    listed = vade.json("recipes")
    names = [recipe["name"] for recipe in listed["recipes"]]
    assert listed["default"] in names
    for name in names:
        assert vade.json("search", "tea", "--recipe", name)["recipe"] == name


def test_an_unknown_recipe_names_those_there_are(vade: Vade) -> None:
    ran = vade("search", "tea", "--recipe", "lexicl")
    assert ran.code == 2
    assert "lexical" in ran.err
