"""What one page holds: its lines and tables in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Line
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.legibility import read_characters
from tasks.parsers.pages.lines import TextLine, text_line
from tasks.parsers.pages.rows import read_turned
from tasks.parsers.pages.rules import read_rules
from tasks.parsers.pages.tables import read_items
from tasks.parsers.pages.words import read_words
from warehouse.records import Finding

if TYPE_CHECKING:
    from pdfplumber.page import Page


@dataclass(frozen=True, slots=True)
class PageContent:
    """What one page of `height` points holds in reading order, and what is to be said of it.

    `turned` are words that run up or down the page. A page that could not be read is lost.
    """

    number: int
    height: float = 0.0
    items: tuple[TextLine | FoundTable, ...] = ()
    turned: tuple[Line, ...] = ()
    findings: tuple[Finding, ...] = ()
    is_lost: bool = False

    @property
    def lines(self) -> list[TextLine]:
        """The lines outside tables."""
        return [item for item in self.items if isinstance(item, TextLine)]

    @property
    def is_empty(self) -> bool:
        """Whether there is no text at all."""
        return not self.items and not self.turned


def read_page(page: Page, data: bytes) -> PageContent:
    """The content of a page of the PDF in `data`.

    pdfplumber's caches are let go, so that memory does not grow with the pages.
    """
    number = page.page_number
    chars, findings = read_characters(page, data)
    found = read_items(number, read_words(chars), read_rules(page), float(page.height))
    items = tuple(item if isinstance(item, FoundTable) else text_line(item, number) for item in found)
    turned = tuple(Line(row.text, number, row.box) for row in read_turned(chars))
    content = PageContent(number, float(page.height), items, turned, findings)
    page.close()
    return content
