"""Letters with their accents, widths and cases folded away."""

from __future__ import annotations

import unicodedata
from functools import cache

# Letters that no Unicode decomposition takes apart, but that people type without their stroke.
_STROKES = str.maketrans(
    {
        "\u0142": "l", "\u0111": "d", "\u00f8": "o", "\u0131": "i", "\u00e6": "ae",
        "\u0153": "oe", "\u00fe": "th", "\u00f0": "d", "\u0127": "h", "\u0167": "t",
        "\u014b": "n", "\u0259": "e", "\u0451": "\u0435",
        # Typographic apostrophes and hyphens are those of the keyboard.
        "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-",
        # Soft hyphens, joiners, byte order marks, variation selectors, Arabic stretching.
        "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "",
        "\ufe0e": "", "\ufe0f": "", "\u0640": "",
    }
)  # fmt: skip


def compose(chunk: str) -> str:
    """Compatibility composition (NFKC): full-width forms, ligatures and fractions made plain.

    Lone surrogates, which JSON can smuggle in, become a replacement character.
    """
    if chunk.isascii():
        return chunk
    if any("\ud800" <= c <= "\udfff" for c in chunk):
        chunk = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in chunk)
    return unicodedata.normalize("NFKC", chunk).translate(_STROKES)


def fold(token: str) -> str:
    """`Łódź` and `lodz`, `Straße` and `STRASSE`, `İstanbul` and `istanbul` become equal.

    Marks are dropped from Latin and Greek letters only: elsewhere they carry the vowel.
    """
    if token.isascii():
        return token.lower()
    return "".join(map(_fold_character, token.casefold().translate(_STROKES)))


@cache
def _fold_character(character: str) -> str:
    if _is_combining_accent(character):
        return ""
    if not (
        "\u00c0" <= character <= "\u024f"
        or "\u0370" <= character <= "\u03ff"
        or "\u1e00" <= character <= "\u1fff"
    ):
        return character
    plain = unicodedata.normalize("NFD", character)
    return "".join(c for c in plain if not _is_combining_accent(c)).translate(_STROKES)


def _is_combining_accent(character: str) -> bool:
    # The block of general accents, and the vowel points that Arabic and Hebrew leave out.
    return (
        "\u0300" <= character <= "\u036f"
        or "\u064b" <= character <= "\u065f"
        or "\u0591" <= character <= "\u05c7"
    )
