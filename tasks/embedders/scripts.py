"""Which script a text is written in."""

from __future__ import annotations

import unicodedata


def is_latin(text: str) -> bool:
    """Whether at least half of its letters are of the Latin script."""
    letters = [char for char in text if char.isalpha()]
    latin = sum(unicodedata.name(char, "").startswith("LATIN") for char in letters)
    return 2 * latin >= len(letters)
