"""What one page holds: its lines and tables in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pages.doubled import without_doubles
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.fractions import with_fractions
from tasks.parsers.pages.legibility import read_characters
from tasks.parsers.pages.lines import TextLine, text_line
from tasks.parsers.pages.lost_glyphs import LostGlyph
from tasks.parsers.pages.raised import with_superscripts
from tasks.parsers.pages.rotation import PageRotation, is_turned, lines_across, lines_along, turn_of
from tasks.parsers.pages.rules import RuledLines, read_rules
from tasks.parsers.pages.tables import read_items
from tasks.parsers.pages.words import Char, read_words
from warehouse.records import Box, Finding

if TYPE_CHECKING:
    from tasks.parsers.pages.quick import QuickPage


@dataclass(frozen=True, slots=True)
class PageContent:
    """What one page holds in reading order, and what is to be said of it. A page that could not be read is lost.

    `turned` is the text that runs across the rest. Where most text runs up or down the page, everything stands on the
    page turned by `turn`, `height` points high. In all texts, marks stand for the glyphs in `lost`.
    """

    number: int
    height: float = 0.0
    items: tuple[TextLine | FoundTable, ...] = ()
    turned: tuple[AssembledLine, ...] = ()
    findings: tuple[Finding, ...] = ()
    turn: PageRotation | None = None
    is_lost: bool = False
    lost: tuple[LostGlyph, ...] = ()

    @property
    def lines(self) -> list[TextLine]:
        """The lines outside tables."""
        return [item for item in self.items if isinstance(item, TextLine)]

    @property
    def is_empty(self) -> bool:
        """Whether there is no text at all."""
        return not self.items and not self.turned

    def on_paper(self, box: Box) -> Box:
        """Where the box of an item stands on the upright page."""
        return self.turn.upright(box) if self.turn else box


def read_page(page: QuickPage, data: bytes) -> PageContent:
    """The content of a page of the PDF in `data`.

    pdfplumber's caches are let go, so that memory does not grow with the pages.
    """
    number, width, height = page.page_number, page.paper.width, page.paper.height
    legible, findings = read_characters(page, data)
    chars, rules = without_doubles(legible), read_rules(page)
    page.close()
    turn, turned = turn_of(chars, width, height), is_turned(chars)
    if turn is not None and turned:
        aside = lines_across(chars, turn, number)
        items = _items(number, turn.chars(chars), turn.rules(rules), width)
        return PageContent(number, width, items, aside, findings, turn, lost=page.lost)
    aside = lines_along(chars, turn, number) if turn else ()
    return PageContent(number, height, _items(number, chars, rules, height), aside, findings, lost=page.lost)


def _items(number: int, chars: Sequence[Char], rules: RuledLines, height: float) -> tuple[TextLine | FoundTable, ...]:
    words = with_superscripts(read_words(with_fractions(chars)))
    found = read_items(number, words, rules, height)
    return tuple(item if isinstance(item, FoundTable) else text_line(item, number) for item in found)
