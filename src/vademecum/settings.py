"""`vademecum.toml`: the format version of a vault, and the policies of its spaces."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vademecum.domain import PERSONAL
from vademecum.errors import InvalidSpace, NewerFormat, VaultError
from vademecum.spaces import SpacePolicy, parse_space

FORMAT: Final = 1
"""The format of the files that this program reads and writes (docs/format.md)."""

FILE_NAME: Final = "vademecum.toml"

TEMPLATE: Final = f"""\
# A Vademecum vault: memories and conversations in plain files.
# What the folders and files mean is promised in docs/format.md of the project.

format = {FORMAT}

# The space that is meant when none is named.
default_space = "{PERSONAL}"

# Which spaces may be read together. By default none: a query reads one space.
# [spaces."project:atlas"]
# mix = ["personal"]
"""


@dataclass(frozen=True, slots=True)
class VaultSettings:
    """What `vademecum.toml` says."""

    policy: SpacePolicy = SpacePolicy()


def parse_settings(text: str, *, source: str) -> VaultSettings:
    """The settings in a text. VaultError names the source and what is wrong; NewerFormat."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VaultError(f"{source}: {error}", hint="Correct the file; nothing was read.") from error
    found = values.get("format")
    if not isinstance(found, int):
        raise VaultError(
            f"{source}: `format` must be a whole number, got {found!r}",
            hint=f"Set `format = {FORMAT}`.",
        )
    if found > FORMAT:
        raise NewerFormat(
            f"{source}: the vault has format {found}, this program knows up to {FORMAT}",
            hint="Upgrade: pip install --upgrade vademecum. Nothing was changed.",
        )
    try:
        default = parse_space(str(values.get("default_space", PERSONAL)))
        mixes = {
            parse_space(name): frozenset(parse_space(other) for other in _mix(name, table, source))
            for name, table in values.get("spaces", {}).items()
        }
    except InvalidSpace as error:
        raise VaultError(f"{source}: {error}", hint=error.hint) from error
    return VaultSettings(SpacePolicy(default, mixes))


def _mix(name: str, table: object, source: str) -> list[str]:
    mix = table.get("mix", []) if isinstance(table, dict) else None
    if not isinstance(mix, list) or not all(isinstance(other, str) for other in mix):
        raise VaultError(
            f"{source}: `mix` of space {name!r} must be a list of spaces, got {table!r}",
            hint='Write for example: mix = ["personal"]',
        )
    return mix


def default_vault_path(environment: Mapping[str, str]) -> Path:
    """Where the vault is if no path is given: VADEMECUM_VAULT, else the user's data folder."""
    if chosen := environment.get("VADEMECUM_VAULT"):
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("vademecum", appauthor=False) / "vault"
