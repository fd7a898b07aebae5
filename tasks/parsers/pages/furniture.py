"""Running heads, feet and page numbers, known by their repetition from page to page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tasks.parsers.pages.lines import TextLine

_EDGE_LINES = 2
_FEWEST_PAGES = 3
_LEAST_SHARE = 0.3
_LONGEST = 120
_NUMBER = re.compile(r"\W*(?:page\s*)?#(?:\s*(?:of|/)\s*#)?\W*", re.IGNORECASE)


def find_furniture(pages: Sequence[Sequence[TextLine]]) -> set[int]:
    """The `id` of each line that is set aside.

    It is one of the first or last two lines of its page, and either a page number or, but for its digits, the same as
    on three pages and three tenths of all.
    """
    edges = [_edge(lines) for lines in pages]
    counts = Counter(key for lines in edges for key in {_key(line) for line in lines})
    enough = max(_FEWEST_PAGES, _LEAST_SHARE * len(pages))
    return {
        id(line)
        for lines in edges
        for line in lines
        if _NUMBER.fullmatch(_key(line)) or (counts[_key(line)] >= enough and len(line.text) <= _LONGEST)
    }


def _edge(lines: Sequence[TextLine]) -> list[TextLine]:
    """The outermost lines; a page of a few lines has none but a page number, so that no short page is lost."""
    ordered = sorted(lines, key=lambda line: line.box.top)
    if len(ordered) <= 2 * _EDGE_LINES:
        return [line for line in ordered[:1] + ordered[-1:] if len(ordered) > 1 and _NUMBER.fullmatch(_key(line))]
    return [*ordered[:_EDGE_LINES], *ordered[-_EDGE_LINES:]]


def _key(line: TextLine) -> str:
    return re.sub(r"\d+", "#", " ".join(line.text.split()))
