"""Names of spaces and what may be read together."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.domain import PERSONAL, Space
from vademecum.errors import InvalidQuery, InvalidSpace
from vademecum.spaces import ANY, SpacePolicy, parse_space

ATLAS = Space("project:atlas")
BOREAS = Space("project:boreas")
HEALTH = Space("app:health")


@pytest.mark.parametrize(
    ("text", "space"),
    [
        ("personal", "personal"),
        ("Personal", "personal"),
        ("project:Atlas", "project:atlas"),
        ("project:my-app-web", "project:my-app-web"),
        ("app:a:b", "app:a:b"),
        ("team:Gro\u0308\u00dfe", "team:gr\u00f6sse"),
        ("project:two words", "project:two words"),
        ("project:\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", None),
        ("project:" + "x" * 100, None),
    ],
)
def test_a_space_is_personal_or_a_kind_and_a_name(text: str, space: str | None) -> None:
    assert parse_space(text) == (text if space is None else space)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "atlas",
        ":",
        "project:",
        "project: ",
        "project:  x",
        "project:x\ty",
        "personal:x",
        "1st:x",
        "Pro ject:x",
        "project:a\0b",
        "project:\ud800",
        "project:" + "x" * 101,
        "project:ab\u202ecd",
        "project:a\u2028b",
        "any",
        "..:x",
        "../x:y",
    ],
)
def test_anything_else_is_refused_with_the_value_and_a_hint(text: str) -> None:
    with pytest.raises(InvalidSpace) as caught:
        parse_space(text)
    assert repr(text) in str(caught.value)
    assert "project:atlas" in caught.value.hint


@given(st.text(min_size=1, max_size=20))
def test_a_parsed_space_parses_to_itself_and_is_in_normal_form(name: str) -> None:
    try:
        space = parse_space(f"project:{name}")
    except InvalidSpace:
        return
    assert parse_space(space) == space
    assert unicodedata.is_normalized("NFC", space)
    assert parse_space(f"project:{unicodedata.normalize('NFD', name)}") == space


def test_hyphenated_names_stay_distinct() -> None:
    assert parse_space("project:my-app-web") != parse_space("project:my-app")


def test_a_query_without_spaces_reads_the_default_space_only() -> None:
    assert SpacePolicy().readable(()) == (PERSONAL,)
    assert SpacePolicy(default=ATLAS).readable([]) == (ATLAS,)


def test_a_query_without_spaces_also_reads_what_is_listed_for_the_default_space() -> None:
    policy = SpacePolicy(mixes={PERSONAL: frozenset({ATLAS}), BOREAS: frozenset({HEALTH})})
    assert policy.readable(()) == (PERSONAL, ATLAS)
    policy = SpacePolicy(mixes={ATLAS: frozenset({PERSONAL}), BOREAS: frozenset({HEALTH})})
    assert policy.readable(()) == (PERSONAL, ATLAS)


def test_any_never_makes_a_query_without_spaces_read_everything() -> None:
    policy = SpacePolicy(mixes={PERSONAL: frozenset({ANY}), ATLAS: frozenset({BOREAS})})
    assert policy.readable(()) == (PERSONAL,)
    assert policy.readable([PERSONAL, ATLAS]) == (PERSONAL, ATLAS)


def test_an_explicit_request_reads_exactly_what_it_names() -> None:
    policy = SpacePolicy(mixes={PERSONAL: frozenset({ATLAS})})
    assert policy.readable([BOREAS]) == (BOREAS,)
    assert policy.readable([ATLAS, ATLAS]) == (ATLAS,)
    assert policy.readable([ATLAS, PERSONAL]) == (PERSONAL, ATLAS)


def test_spaces_that_neither_side_lists_are_not_mixed() -> None:
    policy = SpacePolicy(mixes={PERSONAL: frozenset({ATLAS, BOREAS})})
    with pytest.raises(InvalidQuery) as caught:
        policy.readable([PERSONAL, ATLAS, BOREAS])
    assert "'project:atlas' and 'project:boreas'" in str(caught.value)
    assert "mix" in caught.value.hint
    with pytest.raises(InvalidQuery):
        SpacePolicy().readable([PERSONAL, ATLAS])


spaces = st.sampled_from([PERSONAL, ATLAS, BOREAS, HEALTH])
mixes = st.dictionaries(spaces, st.frozensets(st.one_of(spaces, st.just(ANY))))


@given(mixes, st.lists(spaces))
def test_a_query_never_reads_a_space_that_was_not_named_or_listed(
    mixes: dict[Space, frozenset[Space]], requested: list[Space]
) -> None:
    policy = SpacePolicy(mixes=mixes)
    try:
        read = policy.readable(requested)
    except InvalidQuery:
        return
    if requested:
        assert set(read) == set(requested)
        assert all(policy.may_mix(a, b) for a in read for b in read if a != b)
    else:
        assert all(one == PERSONAL or policy.may_mix(PERSONAL, one) for one in read)
        assert ANY not in read
