"""Running heads, feet and page numbers, known by their repetition from page to page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.margins import in_margin
from tasks.parsers.pages.reading import PageContent

_EDGE_LINES = 2
_FEWEST_PAGES = 3
_LEAST_SHARE = 0.3
_LONGEST = 120
_SAME_HEIGHT = 12.0
_NUMBERED = re.compile(r"\b(?:page|seite|p\.)\s*#|\b第\s*#\s*页", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\W*(?:page\s*)?#(?:\s*(?:of|/)\s*#)?\W*", re.IGNORECASE)


def find_furniture(pages: Sequence[PageContent]) -> set[int]:
    """The `id` of each line that is set aside.

    It is one of the first or last two lines of its page, and either a page number or, but for its digits, the same at
    the same height on three pages and three tenths of all; two pages are enough where it ends in the page's number.
    Of several pages, what stands in the outermost margin is set aside as well if it is repeated or has a number.
    """
    edges = [_edge(page.lines) for page in pages]
    counts = Counter(key for lines in edges for key in {_key(line) for line in lines})
    enough = max(_FEWEST_PAGES, _LEAST_SHARE * len(pages))
    repeated = {
        key for key, count in counts.items() if count >= enough or (count > 1 and _NUMBERED.search(key[0]) is not None)
    }
    margins = {
        id(line)
        for page in pages
        for line in page.lines
        if len(pages) > 1 and _in_margin(line, page.height) and (counts[_key(line)] > 1 or _DIGIT.search(line.text))
    }
    return margins | {
        id(line)
        for lines in edges
        for line in lines
        if _NUMBER.fullmatch(_key(line)[0]) or (_key(line) in repeated and len(line.text) <= _LONGEST)
    }


def _in_margin(line: TextLine, height: float) -> bool:
    """Whether a short line stands where no body text does."""
    return len(line.text) <= _LONGEST and in_margin(line.box.top, line.box.bottom, height)


def _edge(lines: Sequence[TextLine]) -> list[TextLine]:
    """The outermost lines: of a page of few lines only the first and the last, of a single line its page number."""
    ordered = sorted(lines, key=lambda line: line.box.top)
    if len(ordered) == 1:
        return [line for line in ordered if _NUMBER.fullmatch(_key(line)[0])]
    if len(ordered) <= 2 * _EDGE_LINES:
        return [ordered[0], ordered[-1]] if ordered else []
    return [*ordered[:_EDGE_LINES], *ordered[-_EDGE_LINES:]]


def _key(line: TextLine) -> tuple[str, int]:
    """The words but for their digits, and how far down the page they stand."""
    return re.sub(r"\d+", "#", " ".join(line.text.split())), round(line.box.top / _SAME_HEIGHT)
