"""What an answer puts between quotation marks, and whether a passage says it."""

from __future__ import annotations

import re
import unicodedata

_QUOTED = re.compile(
    r"“([^“”\n]{1,1000})”|\"([^\"\n]{1,1000})\"|「([^「」\n]{1,1000})」|«([^«»\n]{1,1000})»|„([^„“\n]{1,1000})“"
)
_LEFT_OUT = re.compile(r"\s*(?:\[?(?:…|\.{3,})\]?)\s*")
_SHORTEST = 2
"""Words, and of scripts without spaces letters twice: a word in quotation marks quotes nobody."""


def quotations(text: str) -> list[tuple[int, int]]:
    """The spans of the words quoted, marks aside, in order."""
    found = []
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 1
        words = match[group]
        if len(words.split()) >= _SHORTEST or (not words.isascii() and len(words) > 2 * _SHORTEST):
            found.append(match.span(group))
    return found


def says(passage: str, quotation: str) -> bool:
    """Whether a passage, as `solid` made it, says a quotation; of one with "…", each part, in order."""
    place = 0
    for part in filter(None, map(solid, _LEFT_OUT.split(quotation))):
        place = passage.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


def solid(text: str) -> str:
    """Letters and digits alone, in one case and form: quotations differ in spaces, line ends, dashes and marks."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())
