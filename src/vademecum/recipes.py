"""The named recipes: how to answer, as values."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from vademecum.domain import ChannelName, Recipe, Rollup, Use, View
from vademecum.errors import InvalidQuery

_LEXICAL: Final = ChannelName("lexical")

LEXICAL: Final = Recipe(
    name="lexical",
    passages=(
        Use(channel=_LEXICAL, view=View.PASSAGE, weight=0.5),
        Use(channel=_LEXICAL, view=View.NEIGHBOURS, weight=1.0),
        Use(channel=_LEXICAL, view=View.OWN_WORDS, weight=0.5),
        Use(channel=_LEXICAL, view=View.DOCUMENT, weight=0.3, depth=0),
    ),
    documents=(
        Use(channel=_LEXICAL, view=View.DOCUMENT, weight=1.0),
        Use(channel=_LEXICAL, view=View.NEIGHBOURS, weight=1.0),
        Use(channel=_LEXICAL, view=View.OWN_WORDS, weight=1.0),
        Use(
            channel=_LEXICAL,
            view=View.PASSAGE,
            weight=0.5,
            rollup=Rollup.MEAN_OF_BEST_THREE,
        ),
    ),
)
"""Keywords at every granularity at which they say something different.

The weights are round numbers set by hand (docs/evaluation.md says from what): the words around a
passage say what it is about, what a person said or wrote is more often what is asked for than
what an assistant answered, and the document as a whole decides between equals.
"""

LEXICAL_PASSAGE: Final = Recipe(
    name="lexical-passage",
    passages=(Use(channel=_LEXICAL, view=View.PASSAGE),),
    documents=(Use(channel=_LEXICAL, view=View.PASSAGE),),
)
"""Plain BM25 of single passages: the baseline for the others."""

LEXICAL_SESSION: Final = Recipe(
    name="lexical-session",
    passages=(
        Use(channel=_LEXICAL, view=View.DOCUMENT, depth=0),
        Use(channel=_LEXICAL, view=View.PASSAGE, weight=0.5),
    ),
    documents=(Use(channel=_LEXICAL, view=View.DOCUMENT),),
)
"""Plain BM25 of whole memories and sessions; passages first by that of their document."""

PRESETS: Final[Mapping[str, Recipe]] = MappingProxyType(
    {recipe.name: recipe for recipe in (LEXICAL, LEXICAL_PASSAGE, LEXICAL_SESSION)}
)

DEFAULT: Final = LEXICAL


def recipe(name: str) -> Recipe:
    """The preset of this name. InvalidQuery lists those there are."""
    found = PRESETS.get(name)
    if found is None:
        near = difflib.get_close_matches(name, PRESETS, n=1)
        raise InvalidQuery(
            f"there is no recipe {name!r}",
            hint=(f"Did you mean {near[0]!r}? " if near else "")
            + f"There are {', '.join(PRESETS)}.",
        )
    return found
