"""The named recipes: how to answer, as values."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from vademecum.domain import Bm25, ChannelName, FieldWeights, Recipe, Use, View
from vademecum.errors import InvalidQuery

_LEXICAL: Final = ChannelName("lexical")

LEXICAL: Final = Recipe(
    name="lexical",
    passages=(
        Use(channel=_LEXICAL, view=View.PASSAGE, weight=1.0),
        Use(channel=_LEXICAL, view=View.NEIGHBOURS, weight=1.0),
    ),
    documents=(
        Use(channel=_LEXICAL, view=View.DOCUMENT, weight=1.0),
        Use(channel=_LEXICAL, view=View.PASSAGE, weight=1.0),
        Use(channel=_LEXICAL, view=View.OWN_WORDS, weight=1.0),
    ),
    bm25=Bm25(weights=FieldWeights(title=1.0, heading=1.0, body=1.0, tags=1.0, speaker=1.0)),
)
"""Keywords at every granularity at which they say something different."""

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


