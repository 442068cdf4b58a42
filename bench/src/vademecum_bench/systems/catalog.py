"""Systems by the name that `--recipe` gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vademecum_bench.systems.fts5 import Fts5
from vademecum_bench.systems.grep import Grep
from vademecum_bench.systems.ours import Ours, recipe_from, recipe_of
from vademecum_bench.systems.protocol import System

BASELINES = (Grep.name, Fts5.name)


def system_for(recipe: str | None, folder: Path) -> System:
    """A baseline, or Vademecum with the recipe of that name or file, or with its own default.

    Indexes go to `folder`.
    """
    if recipe == Grep.name:
        return Grep()
    if recipe == Fts5.name:
        return Fts5(folder)
    return Ours(None if recipe is None else recipe_of(recipe), folder)


def system_again(name: str, recipe: Mapping[str, Any], folder: Path) -> System:
    """The system of a manifest, with the recipe it holds as a value."""
    if name in BASELINES:
        return system_for(name, folder)
    return Ours(recipe_from(recipe), folder)
