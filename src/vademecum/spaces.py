"""Names of spaces, and which of them one query may read together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from vademecum.domain import PERSONAL, Space
from vademecum.errors import InvalidQuery, InvalidSpace

LONGEST_NAME: Final = 100
_KIND: Final = re.compile(r"[a-z][a-z0-9-]{0,30}")
_HINT: Final = "Use `personal`, or a kind and a name such as `project:atlas`."


def parse_space(text: str) -> Space:
    """`personal` or `kind:name`, in NFC and without capitals, so that it is one folder anywhere.

    InvalidSpace is raised for anything else.
    """
    name = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text.strip()).casefold())
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
    if any(unicodedata.category(character)[0] == "C" for character in rest):
        raise InvalidSpace(f"space {text!r} holds a control character", hint=_HINT)
    return Space(name)


@dataclass(frozen=True, slots=True)
class SpacePolicy:
    """Which space is meant when none is named, and which may be read together.

    Two spaces may be mixed if either lists the other.
    """

    default: Space = PERSONAL
    mixes: Mapping[Space, frozenset[Space]] = field(default_factory=dict)

    def may_mix(self, one: Space, other: Space) -> bool:
        nothing: frozenset[Space] = frozenset()
        return other in self.mixes.get(one, nothing) or one in self.mixes.get(other, nothing)

    def readable(self, requested: Sequence[Space]) -> tuple[Space, ...]:
        """The spaces a query reads, in a fixed order.

        Without a request: the default space and those it may be mixed with. With one: exactly
        these; InvalidQuery if two of them may not be mixed.
        """
        if not requested:
            others = {
                space
                for space in (*self.mixes, *(s for mixed in self.mixes.values() for s in mixed))
                if space != self.default and self.may_mix(self.default, space)
            }
            return tuple(sorted({self.default, *others}))
        wanted = tuple(sorted(set(requested)))
        for at, one in enumerate(wanted):
            for other in wanted[at + 1 :]:
                if not self.may_mix(one, other):
                    raise InvalidQuery(
                        f"spaces {one!r} and {other!r} may not be read together",
                        hint="Ask one after the other, or add the one to `mix` of the other under"
                        " [spaces] in vademecum.toml.",
                    )
        return wanted
