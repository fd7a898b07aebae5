"""What the first words of a heading say of its place: a part, an item, a note, the number of a section."""

from __future__ import annotations

import re
from enum import Enum

_PART = re.compile(
    r"(?:part|chapter|appendix|annex|schedule)\s+(?:[IVX]{1,5}|\d{1,2}|[A-H])\b(?!\s+(?:of|to|and)\s+[a-z])"
    r"|exhibit\s+\d[\d.]*$|(?:exhibit\s+)?signatures?$|exhibit\s+index$|第[一二三四五六七八九十百\d]+[编篇部章节]",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:item|article)\s+(?:\d{1,2}(?:\.\d{2})?[A-C]?|[IVX]{1,5})\b", re.IGNORECASE)
_NOTE = re.compile(r"(?:note|section)\s+(?:\d{1,2}|[A-H])\b", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+(?=[^\W\d_])")


class Label(Enum):
    """What a heading calls itself."""

    PART = "part"
    ITEM = "item"
    NOTE = "note"


def label_of(text: str) -> Label | None:
    """What the first words say."""
    for form, label in ((_PART, Label.PART), (_ITEM, Label.ITEM), (_NOTE, Label.NOTE)):
        if form.match(text):
            return label
    return None


def section_number(text: str) -> tuple[int, ...]:
    """The number a heading begins with: (2, 1) for "2.1 Methods", nothing where there is none."""
    found = _NUMBER.match(text)
    return tuple(map(int, found[1].split("."))) if found else ()
