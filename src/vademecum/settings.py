"""`vademecum.toml`: the format version of a vault, and the policies of its spaces."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from vademecum.domain import PERSONAL, Space
from vademecum.errors import InvalidSpace, NewerFormat, VaultError
from vademecum.spaces import ANY, SpacePolicy, parse_space

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
# A list counts for both sides; a query that names no space reads the default space
# with all that are listed for it. `mix = "{ANY}"` lets a space be named together with any other.
# [spaces."project:atlas"]
# mix = ["personal"]
"""


@dataclass(frozen=True, slots=True)
class VaultSettings:
    """What `vademecum.toml` says."""

    policy: SpacePolicy = field(default_factory=SpacePolicy)


def parse_settings(text: str, *, source: str) -> VaultSettings:
    """The settings in a text.

    VaultError names the source, the line and what is wrong; NewerFormat is raised for a vault of
    a later program. Keys of other programs are passed over.
    """
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        hint = "Correct the file; nothing was read."
        raise VaultError(f"{source}: {error}", hint=hint) from error
    where = _Where(text, source)
    _check_format(values.get("format"), where)
    default = values.get("default_space", PERSONAL)
    if not isinstance(default, str):
        raise where.wrong("default_space", f"must be the name of a space, got {default!r}")
    tables = values.get("spaces", {})
    if not isinstance(tables, dict):
        raise where.wrong("spaces", f"must be tables by space, got {tables!r}")
    mixes: dict[Space, frozenset[Space]] = {}
    for name, table in tables.items():
        space = where.space(name)
        mixes[space] = mixes.get(space, frozenset()) | _mix(name, table, where)
    return VaultSettings(SpacePolicy(where.space(default), mixes))


def default_vault_path(environment: Mapping[str, str]) -> Path:
    """Where the vault is if no path is given: VADEMECUM_VAULT, else the user's data folder."""
    if chosen := environment.get("VADEMECUM_VAULT"):
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("vademecum", appauthor=False) / "vault"


@dataclass(frozen=True, slots=True)
class _Where:
    """The text that is read, to say where something in it is wrong."""

    text: str
    source: str

    def wrong(self, key: str, what: str, *, hint: str = "Correct the file.") -> VaultError:
        return VaultError(f"{self.line_of(key)}: `{key}` {what}", hint=hint)

    def space(self, name: str) -> Space:
        try:
            return parse_space(name)
        except InvalidSpace as error:
            raise VaultError(f"{self.line_of(name)}: {error}", hint=error.hint) from error

    def line_of(self, name: str) -> str:
        """The source with the first line that holds a name outside a comment."""
        pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        for number, line in enumerate(self.text.splitlines(), start=1):
            if pattern.search(line) and not line.lstrip().startswith("#"):
                return f"{self.source}, line {number}"
        return self.source


def _check_format(found: object, where: _Where) -> None:
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        what = f"must be a whole number from 1, got {found!r}"
        raise where.wrong("format", what, hint=f"Set `format = {FORMAT}`.")
    if found > FORMAT:
        raise NewerFormat(
            f"{where.source}: the vault has format {found}, this program knows up to {FORMAT}",
            hint="Upgrade: pip install --upgrade vademecum. Nothing was changed.",
        )


def _mix(name: str, table: object, where: _Where) -> frozenset[Space]:
    mix = table.get("mix", []) if isinstance(table, dict) else None
    if mix == ANY:
        return frozenset({ANY})
    if not isinstance(mix, list) or not all(isinstance(other, str) for other in mix):
        raise VaultError(
            f"{where.line_of(name)}: `mix` of space {name!r} must be a list of spaces or"
            f' "{ANY}", got {table!r}',
            hint='Write for example: mix = ["personal"]',
        )
    return frozenset(where.space(other) for other in mix)
