"""Which paragraph is the caption of which table of a Word document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.parsers.word.story import StoryPart
from warehouse.records import BlockKind

_OF_TABLE = re.compile(
    r"(?:table|tab\.|tabelle|tableau|tabla|exhibit|表)\s*[\dIVXA-Z一二三四五六七八九十]", re.IGNORECASE
)
_OF_FIGURE = re.compile(r"(?:fig|abb|image|photo|chart|box|图|圖)", re.IGNORECASE)
_LONGEST_CAPTION = 400


def captions(pieces: Sequence[StoryPart]) -> Iterator[tuple[int, str]]:
    """The caption of each table by its place: the caption paragraph above it, else the one below."""
    used: set[int] = set()
    for place, piece in enumerate(pieces):
        if piece.table is None:
            continue
        for beside in (place - 1, place + 1):
            if 0 <= beside < len(pieces) and beside not in used and _is_caption(pieces[beside]):
                used.add(beside)
                yield place, pieces[beside].line
                break


def _is_caption(piece: StoryPart) -> bool:
    """A paragraph in the style of captions, or one that begins like the caption of a table."""
    if piece.kind is not BlockKind.PARAGRAPH or len(piece.text) > _LONGEST_CAPTION:
        return False
    return bool(_OF_TABLE.match(piece.text)) or (piece.is_caption and not _OF_FIGURE.match(piece.text))
