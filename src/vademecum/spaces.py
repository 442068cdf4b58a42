"""Names of spaces, and which of them one query may read together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from vademecum.domain import PERSONAL, Space
from vademecum.errors import InvalidQuery, InvalidSpace

LONGEST_NAME: Final = 100
"""Characters."""

ANY: Final = Space("any")
"""In a list of spaces to mix with: every one. It cannot be the name of a space."""

_KIND: Final = re.compile(r"[a-z][a-z0-9-]{0,30}")
_HINT: Final = "Use `personal`, or a kind and a name such as `project:atlas`."
_JOINERS: Final = "\u200c\u200d"
"""Invisible, and part of the spelling in Persian, in Indian scripts and in emoji."""


def parse_space(text: str) -> Space:
    """`personal` or `kind:name`, in NFC and without capitals, so that it is one folder anywhere.

    InvalidSpace is raised for anything else.
    """
    name = _normal(text.strip())
    if name == PERSONAL:
        return PERSONAL
    kind, colon, rest = name.partition(":")
    if not colon or not _KIND.fullmatch(kind) or kind == PERSONAL:
        raise InvalidSpace(f"{text!r} is no space", hint=_HINT)
    if not rest.strip() or rest != rest.strip() or len(rest) > LONGEST_NAME:
        raise InvalidSpace(
            f"the name in space {text!r} must have 1 to {LONGEST_NAME} characters and none of them"
            " blank at its ends",
            hint=_HINT,
        )
    if any(_is_control(character) for character in rest):
        raise InvalidSpace(f"space {text!r} holds a control character", hint=_HINT)
    return Space(name)


@dataclass(frozen=True, slots=True)
class SpacePolicy:
    """Which space is meant when none is named, and which may be read together.

    Two spaces may be mixed if either lists the other, or lists `ANY`. A space that lists nothing
    follows the lists of the others.
    """

    default: Space = PERSONAL
    mixes: Mapping[Space, frozenset[Space]] = field(default_factory=dict)

    def may_mix(self, one: Space, other: Space) -> bool:
        """Whether one query may read both."""
        return self._lists(one, other) or self._lists(other, one)

    def readable(self, requested: Sequence[Space]) -> tuple[Space, ...]:
        """The spaces a query reads, in a fixed order.

        Without a request: the default space and those that it lists or that list it, by name;
        `ANY` adds none, so that nobody reads everything by accident. With a request: exactly
        these; InvalidQuery if two of them may not be mixed.
        """
        if not requested:
            listed = self.mixes.get(self.default, frozenset()) - {ANY}
            listing = {space for space, others in self.mixes.items() if self.default in others}
            return tuple(sorted({self.default, *listed, *listing}))
        wanted = tuple(sorted(set(requested)))
        for one, other in combinations(wanted, 2):
            if not self.may_mix(one, other):
                raise InvalidQuery(
                    f"spaces {one!r} and {other!r} may not be read together",
                    hint="Ask one after the other, or add the one to `mix` of the other under"
                    " [spaces] in vademecum.toml.",
                )
        return wanted

    def _lists(self, one: Space, other: Space) -> bool:
        listed = self.mixes.get(one, frozenset())
        return other in listed or ANY in listed


def _normal(text: str) -> str:
    # Decomposing first makes the result stable: folding it again changes nothing.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def _is_control(character: str) -> bool:
    """Controls, surrogates and marks of direction, which make two names look like one."""
    category = unicodedata.category(character)
    return category in ("Zl", "Zp") or (category.startswith("C") and character not in _JOINERS)
