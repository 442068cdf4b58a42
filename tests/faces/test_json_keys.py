"""The keys of `--json` are a promise: a change here is a change for every caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.faces.conftest import Vade


HIT = {
    "id", "document", "kind", "type", "space", "title", "heading", "date", "speaker", "role",
    "path", "line", "score", "text", "highlights", "contributions",
}  # fmt: skip
SUMMARY = {
    "id", "kind", "space", "path", "title", "type", "tags", "date", "status", "passages",
}  # fmt: skip
MEMORY = {
    "id", "kind", "space", "path", "title", "type", "tags", "aliases", "entities", "date",
    "created_at", "updated_at", "event_at", "valid_from", "valid_to", "expires_at", "status",
    "supersedes", "superseded_by", "review", "source", "author", "derived_from", "confidence",
    "importance", "pinned", "digest", "body", "text",
}  # fmt: skip
SESSION = {
    "id", "kind", "space", "path", "title", "date", "source", "metadata", "digest", "turns",
}  # fmt: skip


def keys(value: Any) -> set[str]:
    assert isinstance(value, dict)
    return set(value)


def test_keys_of_writing_verbs(vade: Vade, tmp_path: Any) -> None:
    made = vade.json("init", str(tmp_path / "other"))
    assert keys(made) == {"vault", "default_space"}
    added = vade.json("add", "tea")
    assert keys(added) == {"id", "path", "outcome"}
    assert keys(vade.json("edit", added["id"], "--text", "x")) == {"id", "path", "outcome"}
    appended = vade.json("append", "--new", "hello")
    assert keys(appended) == {"session", "path", "turns", "repaired"}
    (tmp_path / "bad.jsonl").write_text("{}\n", encoding="utf-8")
    imported = vade("import", str(tmp_path / "bad.jsonl"), "--json").json
    assert keys(imported) == {"read", "stored", "updated", "unchanged", "skipped"}
    assert keys(imported["skipped"][0]) == {"path", "line", "severity", "message"}
    removed = vade.json("remove", added["id"], "--yes")
    assert keys(removed) == {"removed"}
    assert keys(removed["removed"][0]) == {"id", "path"}


def test_keys_of_an_answer(vade: Vade) -> None:
    vade.add("green tea")
    answer = vade.json("search", "tea")
    assert keys(answer) == {
        "query", "recipe", "unit", "spaces", "hits", "skipped", "timings",
    }  # fmt: skip
    hit = answer["hits"][0]
    assert keys(hit) == HIT
    assert keys(hit["contributions"][0]) == {"channel", "field", "amount"}
    assert keys(hit["highlights"][0]) == {"start", "end"}
    assert keys(answer["timings"][0]) == {"step", "milliseconds"}
    assert keys(vade.json("search", "?")["skipped"][0]) == {"part", "reason"}


def test_keys_of_what_is_shown(vade: Vade) -> None:
    memory = vade.add("green tea")
    assert keys(vade.json("show", memory)) == MEMORY
    vade.json("append", "--new", "--title", "Talk", "hello")
    session = vade.json("show", "Talk")
    assert keys(session) == SESSION
    assert keys(session["turns"][0]) == {"id", "role", "speaker", "time", "content", "metadata"}
    cited = vade.json("show", "Talk#1")
    assert keys(cited) == {"id", "document", "kind", "space", "path", "title", "passages"}
    assert keys(cited["passages"][0]) == {
        "id", "cited", "heading", "role", "speaker", "date", "text",
    }  # fmt: skip
    page = vade.json("list")
    assert keys(page) == {"items", "total", "next"}
    assert keys(page["items"][0]) == SUMMARY


def test_keys_of_upkeep(vade: Vade) -> None:
    vade.add("green tea")
    synced = {
        "added", "changed", "moved", "removed", "documents", "passages", "busy", "problems",
    }  # fmt: skip
    assert keys(vade.json("sync")) == synced
    assert keys(vade.json("rebuild")) == synced
    assert keys(vade.json("check")) == {
        "clean", "agrees", "files", "documents", "passages", "ghosts", "orphans", "stale",
        "faults", "problems",
    }  # fmt: skip
    space = {"space", "memories", "sessions", "passages"}
    assert keys(vade.json("spaces")) == {"default", "spaces"}
    assert keys(vade.json("spaces")["spaces"][0]) == space
    assert keys(vade.json("stats")) == {
        "vault", "spaces", "memories", "sessions", "passages", "files_bytes", "index_bytes",
        "segments", "generation",
    }  # fmt: skip
    recipes = vade.json("recipes")
    assert keys(recipes) == {"default", "recipes"}
    assert keys(recipes["recipes"][0]) == {
        "name", "passages", "documents", "bm25", "literal_bonus",
    }  # fmt: skip
    assert keys(recipes["recipes"][0]["passages"][0]) == {
        "channel", "view", "weight", "depth", "rollup",
    }  # fmt: skip


def test_dates_have_a_zone_and_characters_are_not_escaped(vade: Vade) -> None:
    vade.add("grüner Tee 茶", "--event-at", "2026-03-14T15:30:00+09:00")
    ran = vade("search", "茶", "--json")
    assert "grüner Tee 茶" in ran.out
    assert ran.json["hits"][0]["date"] == "2026-03-14T15:30:00+09:00"
