"""A note and the memory it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.domain import (
    PERSONAL,
    Digest,
    DocumentId,
    Memory,
    MemoryType,
    Note,
    Problem,
    Review,
    Source,
    Status,
)
from vademecum.markdown import parse_memory, path_id, render_memory

PATH = PurePosixPath("personal/memories/2026/tea.md")
NOW = datetime(2026, 2, 10, 16, 2, 3, 456_789, tzinfo=timezone(timedelta(hours=5.5)))


def read(text: str, path: PurePosixPath = PATH) -> tuple[Memory, list[Problem]]:
    return parse_memory(text, path=path, space=PERSONAL, digest=Digest("d"))


def memory(text: str, path: PurePosixPath = PATH) -> Memory:
    found, problems = read(text, path)
    assert problems == []
    return found


def test_every_key_of_the_format_is_read() -> None:
    found = memory(
        "---\n"
        "id: 01KC16ABRGNJ648WGYDR08HZDV\ntype: how-to\nspace: personal\ntitle: 'Tea: green'\n"
        "tags: [tea, kitchen]\naliases: [Sencha]\nentities: [Mara]\n"
        "created_at: 2026-02-10T16:02:00+01:00\nupdated_at: 2026-02-11T00:00:00Z\n"
        "event_at: 2026-02-09\nvalid_from: 2026-01-01\nvalid_to: 2026-12-31 23:59:59 +01:00\n"
        "expires_at: 2027-01-01T00:00\nstatus: deprecated\nsupersedes: [A1, '[[B2]]']\n"
        "superseded_by: C3\nreview: published\nreview_history: [{at: x}]\nsource: agent\n"
        "author: mara\nderived_from: [s1#4]\nconfidence: 0.9\nimportance: 0.7\npinned: true\n"
        "relations: [{to: x}]\nunknown: kept\n---\nBody\n"
    )
    zone = timezone(timedelta(hours=1))
    assert found.id == "01KC16ABRGNJ648WGYDR08HZDV"
    assert found.type is MemoryType.HOW_TO
    assert found.title == "Tea: green"
    assert found.tags == ("tea", "kitchen")
    assert found.aliases == ("Sencha",)
    assert found.entities == ("Mara",)
    assert found.created_at == datetime(2026, 2, 10, 16, 2, tzinfo=zone)
    assert found.updated_at == datetime(2026, 2, 11, tzinfo=UTC)
    assert found.event_at == datetime(2026, 2, 9, tzinfo=UTC)
    assert found.valid_from == datetime(2026, 1, 1, tzinfo=UTC)
    assert found.valid_to == datetime(2026, 12, 31, 23, 59, 59, tzinfo=zone)
    assert found.expires_at == datetime(2027, 1, 1, tzinfo=UTC)
    assert found.status is Status.DEPRECATED
    assert found.supersedes == ("A1", "B2")
    assert found.superseded_by == "C3"
    assert found.review is Review.PUBLISHED
    assert found.source is Source.AGENT
    assert found.author == "mara"
    assert found.derived_from == ("s1#4",)
    assert (found.confidence, found.importance, found.pinned) == (0.9, 0.7, True)
    assert found.body == "Body\n"
    assert found.text.endswith("unknown: kept\n---\nBody\n")
    assert found.date == found.event_at


def test_a_bare_file_is_a_memory() -> None:
    found = memory("Just text.\n")
    assert found.id == path_id(PATH)
    assert found.title == "tea"
    assert found.date is None
    assert found.body == found.text == "Just text.\n"
    assert found.status is Status.ACTIVE
    assert found.review is Review.APPROVED


def test_the_id_of_a_bare_file_depends_on_its_path_alone() -> None:
    assert path_id(PATH) == path_id(PurePosixPath(str(PATH)))
    assert path_id(PATH) != path_id(PurePosixPath("personal/memories/2026/tee.md"))
    composed, apart = PurePosixPath("p/\u00e9.md"), PurePosixPath("p/e\u0301.md")
    assert path_id(composed) == path_id(apart)
    assert len(path_id(PATH)) == len("path-") + 20
    assert set(path_id(PATH)[5:]) <= set("0123456789abcdefghjkmnpqrstvwxyz")


@pytest.mark.parametrize(
    ("body", "name", "title"),
    [
        ("intro\n\n# Green *tea* #\n\ntext", "x.md", "Green *tea*"),
        ("Green tea\n=========\ntext", "x.md", "Green tea"),
        ("```sh\n# a comment\n```\n", "x.md", "x"),
        ("## only deeper\n", "x.md", "x"),
        ("text", "2026-03-01 walk.md", "2026-03-01 walk"),
        ("\nI like tea.\nMuch.", "01KC16ABRGNJ648WGYDR08HZDV.md", "I like tea."),
        ("", "01KC16ABRGNJ648WGYDR08HZDV.md", "01KC16ABRGNJ648WGYDR08HZDV"),
        ("w" * 100, "01KC16ABRGNJ648WGYDR08HZDV-w.md", "w" * 80 + "\u2026"),
    ],
)
def test_a_note_without_a_title_takes_its_heading_or_its_name(
    body: str, name: str, title: str
) -> None:
    assert memory(body, PurePosixPath("personal/memories", name)).title == title


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("2026-03-01.md", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01-walk.md", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-13-01.md", None),
        ("2026-03-011.md", None),
        ("walk 2026-03-01.md", None),
    ],
)
def test_a_date_at_the_beginning_of_the_name_dates_a_note(name: str, date: datetime | None) -> None:
    assert memory("text", PurePosixPath(name)).date == date


def test_other_names_of_dates_are_understood() -> None:
    assert memory("---\ndate: 2026-03-01\n---\n").created_at == datetime(2026, 3, 1, tzinfo=UTC)
    assert memory("---\ncreated: 2026-03-01\n---\n").created_at == datetime(2026, 3, 1, tzinfo=UTC)
    assert memory("---\nupdated: 2026-03-01\n---\n").updated_at == datetime(2026, 3, 1, tzinfo=UTC)
    both = "---\ndate: 2020-01-01\ncreated_at: 2026-03-01\n---\n"
    assert memory(both).created_at == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("[a, b]", ("a", "b")),
        ("a, b c", ("a", "b c")),
        ("a b", ("a", "b")),
        ("'#a #b/c'", ("a", "b/c")),
        ("\n- '#a'\n- b c\n- a", ("a", "b c")),
        ("solo", ("solo",)),
        ("", ()),
        ("{a: 1}", ()),
        ("'#'", ()),
    ],
)
def test_tags_are_a_list_or_words(tags: str, expected: tuple[str, ...]) -> None:
    assert memory(f"---\ntags: {tags}\n---\n").tags == expected


def test_a_file_of_open_memex_is_a_memory() -> None:
    found = memory(
        "---\nid: 01KC16ABRGNJ648WGYDR08HZDV\nschema_version: 2\nscope: project\nscope_key: k\n"
        "visibility: internal\nproject_name: atlas\ntype: knowledge\nrole: knowledge\n"
        "importance: high\ntags: [x]\naliases: [k8s]\nalias: kube\ntarget: Kubernetes\n"
        "status: active\ncreated_at: 2026-03-01T00:00:00Z\nsource: inference\n"
        "review_state: proposed\nproposed_by: bot\nreview_history:\n  - at: x\n    by: y\n---\nB"
    )
    assert found.type is MemoryType.REFERENCE
    assert found.importance == 0.75
    assert found.aliases == ("k8s", "kube")
    assert found.entities == ("Kubernetes",)
    assert found.source is Source.DISTILLED
    assert found.review is Review.PROPOSED


def test_a_named_successor_means_superseded_unless_the_status_says_otherwise() -> None:
    assert memory("---\nsuperseded_by: X\n---\n").status is Status.SUPERSEDED
    found = memory("---\nsuperseded_by: X\nstatus: archived\n---\n")
    assert found.status is Status.ARCHIVED


def test_the_address_of_a_clipped_page_is_a_source() -> None:
    assert memory("---\nsource: https://tea.example/a\n---\n").source is Source.IMPORT


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("id: ../../etc", "'id' is '../../etc', not letters"),
        ("id: " + "x" * 65, "'id' is"),
        ("type: poem", "'type' is 'poem', not one of fact, decision"),
        ("status: done", "'status' is 'done'"),
        ("review: maybe", "'review' is 'maybe'"),
        ("source: dream", "'source' is 'dream'"),
        ("created_at: yesterday", "'created_at' is 'yesterday', not an ISO date"),
        ("created_at: 0001-01-01T00:00+14:00", "not an ISO date"),
        ("confidence: much", "'confidence' is 'much', not a number"),
        ("confidence: nan", "not a number from 0 to 1"),
        ("importance: 5", "from 0 to 1 or low, normal"),
        ("title:", "'title' is '', not a text"),
        ("space: project:atlas", "'space' is 'project:atlas', not that of the folder"),
        ("space: '::'", "'space' is '::'"),
        ("title: a: b", "'title' is no valid YAML"),
        ("tags: [x", "'tags' is no valid YAML"),
    ],
)
def test_a_value_that_cannot_be_one_is_a_warning_with_its_line(line: str, complaint: str) -> None:
    found, problems = read(f"---\nauthor: mara\n{line}\n---\nThe body stays.\n")
    assert found.body == "The body stays.\n"
    assert found.author == "mara"
    assert len(problems) == 1
    assert (problems[0].path, problems[0].line) == (PATH, 3)
    assert complaint in problems[0].message


@given(st.text())
def test_no_text_is_refused(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n", f"---\nid: {text}\ntitle: {text}\n---\n"):
        found, _ = read(whole)
        assert found.text == whole
        assert whole.endswith(found.body)
        assert found.space == PERSONAL


# --- writing --------------------------------------------------------------------------------


def test_a_new_file_has_only_the_keys_that_have_a_value() -> None:
    text = render_memory(Note(text="Mara likes tea."), identity=DocumentId("N1"), now=NOW)
    assert text == (
        "---\nid: N1\ncreated_at: '2026-02-10T16:02:03.456+05:30'\nsource: user\n---\n"
        "\nMara likes tea.\n"
    )


names = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufeff,"),
    min_size=1,
    max_size=30,
).filter(lambda name: name == " ".join(name.split()) and name not in ("~", "null", "None"))


@given(
    st.builds(
        Note,
        text=st.text(st.characters(exclude_categories=["Cs"])).filter(
            lambda text: not text.lstrip("\ufeff").startswith("---")
        ),
        title=names,
        type=st.one_of(st.none(), st.sampled_from(MemoryType)),
        tags=st.lists(names.filter(lambda name: not name.startswith("#")), unique=True).map(tuple),
        entities=st.lists(names, unique=True).map(tuple),
        source=st.sampled_from(Source),
        importance=st.one_of(st.none(), st.floats(0, 1)),
        pinned=st.booleans(),
        event_at=st.one_of(
            st.none(),
            st.datetimes(
                min_value=datetime(2, 1, 1),
                max_value=datetime(9998, 1, 1),
                timezones=st.just(timezone(timedelta(minutes=330))),
            ),
        ),
    )
)
def test_what_was_noted_is_read_back(note: Note) -> None:
    if any(name.startswith("[[") or name.endswith("]]") for name in note.entities + note.tags):
        return
    if {"null", "Null", "NULL", "None", "~"} & {note.title, *note.tags, *note.entities}:
        return
    found = memory(render_memory(note, identity=DocumentId("N1"), now=NOW))
    assert found.id == "N1"
    assert found.title == note.title
    assert found.type is note.type
    assert found.tags == note.tags
    assert found.entities == note.entities
    assert found.source is note.source
    assert found.importance == note.importance
    assert found.pinned is note.pinned
    assert found.event_at == note.event_at
    assert found.created_at == NOW.replace(microsecond=456_000)
    assert found.body.startswith("\n" + note.text.removeprefix("\ufeff"))


def test_a_noted_text_keeps_the_front_matter_it_brings_except_for_the_id() -> None:
    text = "---\nid: OTHER\ntitle: Mine\ncreated: 2020-01-01\nodd: x\n---\nBody\n"
    note = Note(text=text, title="Given", tags=("t",))
    written = render_memory(note, identity=DocumentId("N1"), now=NOW)
    assert written == (
        "---\nid: N1\ntitle: Mine\ncreated: 2020-01-01\nodd: x\ntags:\n- t\nsource: user\n---\n"
        "Body\n"
    )
