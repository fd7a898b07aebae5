"""How many tokens a text makes for a WordPiece model, estimated without the model."""

from __future__ import annotations

import re

_PIECE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|\d+|[^\W\d_]+|[^\w\s]|_")
_LETTERS, _DIGITS = 8, 3
"""The letters and digits that a piece of a word holds at most, as a rule."""


def estimated_tokens(text: str) -> int:
    """A token a short word, sign or Chinese character, and one for each further piece of long words and numbers."""
    return sum(_pieces(found[0]) for found in _PIECE.finditer(text)) + 2


def _pieces(piece: str) -> int:
    longest = _DIGITS if piece[0].isdigit() else _LETTERS
    return -(-len(piece) // longest)
