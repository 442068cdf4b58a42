"""`vademecum.toml` and where the vault is."""

from __future__ import annotations

from pathlib import Path

import pytest

from vademecum.domain import PERSONAL, Space
from vademecum.errors import NewerFormat, VaultError
from vademecum.settings import TEMPLATE, VaultSettings, default_vault_path, parse_settings
from vademecum.spaces import ANY


def parsed(text: str) -> VaultSettings:
    return parse_settings(text, source="v/vademecum.toml")


def test_the_template_says_what_holds_without_it() -> None:
    assert parsed(TEMPLATE) == VaultSettings()
    assert parsed(TEMPLATE).policy.default == PERSONAL


def test_the_example_in_the_template_is_valid_when_its_comment_signs_are_taken_away() -> None:
    lines = [
        line.removeprefix("# ") if line.startswith(("# [", "# mix")) else line
        for line in TEMPLATE.splitlines()
    ]
    policy = parsed("\n".join(lines)).policy
    assert policy.mixes == {Space("project:atlas"): frozenset({PERSONAL})}


def test_spaces_and_their_policies_are_read_in_normal_form() -> None:
    policy = parsed(
        'format = 1\ndefault_space = "Project:Atlas"\nlater = 3\n'
        '[spaces."Project:Atlas"]\nmix = ["Personal"]\n'
        '[spaces."project:atlas"]\nmix = ["app:x"]\n'
        '[spaces."app:y"]\nmix = "any"\n[spaces."app:z"]\n'
    ).policy
    assert policy.default == "project:atlas"
    assert policy.mixes == {
        "project:atlas": {"personal", "app:x"},
        "app:y": {ANY},
        "app:z": frozenset(),
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("format = 1\ndefault_space = \n", "line 2"),
        ("", "`format` must be a whole number"),
        ('# format\nformat = "1"\n', "line 2: `format` must be a whole number from 1, got '1'"),
        ("format = true\n", "got True"),
        ("format = 0\n", "got 0"),
        ("format = 1\ndefault_space = 5\n", "line 2: `default_space` must be the name"),
        ('format = 1\n\ndefault_space = "atlas"\n', "line 3: 'atlas' is no space"),
        ("format = 1\nspaces = 3\n", "line 2: `spaces` must be tables"),
        ('format = 1\n[spaces]\n"app:x" = 3\n', "line 3: `mix` of space 'app:x'"),
        ('format = 1\n[spaces."app:x"]\nmix = "personal"\n', "line 2: `mix` of space 'app:x'"),
        ('format = 1\n[spaces."app:x"]\nmix = [1]\n', "must be a list of spaces"),
        ('format = 1\n[spaces."app:x"]\nmix = ["y"]\n', "line 3: 'y' is no space"),
        ('format = 1\n[spaces."nope"]\n', "line 2: 'nope' is no space"),
        ("format = 1\nx = " + "[" * 100_000, "v/vademecum.toml"),
    ],
)
def test_what_is_wrong_is_said_with_the_file_and_the_line(text: str, complaint: str) -> None:
    with pytest.raises(VaultError) as caught:
        parsed(text)
    assert str(caught.value).startswith("v/vademecum.toml")
    assert complaint in str(caught.value)
    assert caught.value.hint


def test_a_newer_format_is_refused_with_the_way_out() -> None:
    with pytest.raises(NewerFormat) as caught:
        parsed("format = 2\nspaces = 'in a form this program does not know'\n")
    assert "format 2" in str(caught.value)
    assert "pip install --upgrade" in caught.value.hint


def test_the_environment_says_where_the_vault_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/mara")
    monkeypatch.setenv("USERPROFILE", "/home/mara")
    assert default_vault_path({"VADEMECUM_VAULT": "/data/my vault"}) == Path("/data/my vault")
    assert default_vault_path({"VADEMECUM_VAULT": "~/v"}) == Path("/home/mara/v")


def test_without_it_the_vault_is_in_the_data_folder_of_the_user() -> None:
    for environment in ({}, {"VADEMECUM_VAULT": ""}):
        found = default_vault_path(environment)
        assert found.name == "vault"
        assert "vademecum" in found.parts
        assert found.is_absolute()
