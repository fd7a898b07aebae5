"""Texts without what differs between two readings of one page: white space, signs, case, ligatures."""

from __future__ import annotations

from array import array
from unicodedata import normalize


def squeezed(text: str) -> str:
    """The letters and digits of a text in small letters, compatibility forms resolved (NFKC)."""
    return "".join(map(_letters, text))


def squeezed_with_places(text: str) -> tuple[str, array[int]]:
    """The same, and the place in the text that each letter or digit comes from."""
    letters: list[str] = []
    places = array("Q")
    for place, character in enumerate(text):
        found = _letters(character)
        if found:
            letters.append(found)
            places.extend([place] * len(found))
    return "".join(letters), places


def _letters(character: str) -> str:
    if character.isascii():
        return character.lower() if character.isalnum() else ""
    return "".join(filter(str.isalnum, normalize("NFKC", character).casefold()))
