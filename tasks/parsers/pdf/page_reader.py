"""Content of one page in reading order: from its characters to lines and tables, the page turned where its text is.

Where most text runs up or down an upright page, it is read as if the page were turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pdf.characters.character_settings import CHARACTERS
from tasks.parsers.pdf.characters.legibility import Char, read_characters, without_doubles
from tasks.parsers.pdf.characters.lost_glyphs import GlyphRepair, LostGlyph, mark_of
from tasks.parsers.pdf.characters.ruled_lines import RuledLine, RuledLines, read_rules
from tasks.parsers.pdf.lines.page_rows import PageRow, read_rows
from tasks.parsers.pdf.lines.small_digits import with_fractions, with_superscripts
from tasks.parsers.pdf.lines.text_lines import TextLine, text_line
from tasks.parsers.pdf.lines.word_builder import read_words
from tasks.parsers.pdf.tables.found_tables import FoundTable
from tasks.parsers.pdf.tables.page_tables import read_items
from warehouse.records import Box, Finding

if TYPE_CHECKING:
    from tasks.parsers.pdf.characters.page_interpreter import QuickPage


class TextDirection(Enum):
    """Which way the text runs."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class PageRotation:
    """A page `width` by `height` points, upright, whose text runs `way`; turned, it is `height` wide."""

    way: TextDirection
    width: float
    height: float

    def turned(self, box: Box) -> Box:
        """Where a box of the upright page stands on the turned one."""
        if self.way is TextDirection.UP:
            return Box(self.height - box.bottom, box.x0, self.height - box.top, box.x1)
        return Box(box.top, self.width - box.x1, box.bottom, self.width - box.x0)

    def upright(self, box: Box) -> Box:
        """Where a box of the turned page stands on the upright one."""
        if self.way is TextDirection.UP:
            x0, top, x1, bottom = box.top, self.height - box.x1, box.bottom, self.height - box.x0
        else:
            x0, top, x1, bottom = self.width - box.bottom, box.x0, self.width - box.top, box.x1
        return Box(round(x0, 2), round(top, 2), round(x1, 2), round(bottom, 2))

    def chars(self, chars: Sequence[Char]) -> list[Char]:
        """The characters on the turned page: those that ran up or down are upright there, the others are not."""
        return [self._char(char) for char in chars]

    def _char(self, char: Char) -> Char:
        box = self.turned(Box(char["x0"], char["top"], char["x1"], char["bottom"]))
        return {
            **char,
            "upright": not char["upright"],
            "x0": box.x0,
            "x1": box.x1,
            "top": box.top,
            "bottom": box.bottom,
            "doctop": box.top,
            "width": box.x1 - box.x0,
            "height": box.bottom - box.top,
            "size": box.bottom - box.top,
        }

    def rules(self, rules: RuledLines) -> RuledLines:
        """The lines of the page on the turned one: level ones stand upright there."""
        level = (self._rule(rule, level=False) for rule in rules.upright)
        upright = (self._rule(rule, level=True) for rule in rules.level)
        place = attrgetter("at", "start")
        return RuledLines(
            tuple(sorted(level, key=place)), tuple(sorted(upright, key=place)), tuple(map(self.turned, rules.curves))
        )

    def _rule(self, rule: RuledLine, *, level: bool) -> RuledLine:
        box = Box(rule.start, rule.at, rule.end, rule.at) if level else Box(rule.at, rule.start, rule.at, rule.end)
        found = self.turned(box)
        if level:
            return replace(rule, at=found.x0, start=found.top, end=found.bottom)
        return replace(rule, at=found.top, start=found.x0, end=found.x1)


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

    def with_texts(self, change: Callable[[str], str]) -> PageContent:
        """The page with a change made to each of its texts."""

        def change_lines(lines: Iterable[AssembledLine]) -> tuple[AssembledLine, ...]:
            return tuple(replace(line, text=change(line.text)) for line in lines)

        items: list[TextLine | FoundTable] = []
        for item in self.items:
            if isinstance(item, FoundTable):
                rows = tuple(tuple(map(change, row)) for row in item.rows)
                items.append(replace(item, rows=rows, leaders=change_lines(item.leaders)))
            else:
                (line,) = change_lines([item.line])
                items.append(replace(item, line=line, pieces=change_lines(item.pieces)))
        return replace(self, items=tuple(items), turned=change_lines(self.turned))

    @property
    def texts(self) -> Iterator[str]:
        """The text of each line and cell."""
        for item in self.items:
            if isinstance(item, FoundTable):
                yield from (cell for row in item.rows for cell in row)
            else:
                yield item.text
        yield from (line.text for line in self.turned)


def read_page(page: QuickPage, data: bytes) -> PageContent:
    """The content of a page of the PDF in `data`.

    pdfplumber's caches are let go, so that memory does not grow with the pages.
    """
    number, width, height = page.page_number, page.paper.width, page.paper.height
    legible, findings = read_characters(page, data)
    chars, rules = without_doubles(legible), read_rules(page)
    page.close()
    turn = turn_of(chars, width, height)
    if turn is not None and is_turned(chars):
        items = _items(number, turn.chars(chars), turn.rules(rules), width)
        across = tuple(AssembledLine(row.text, number, turn.turned(row.box)) for row in _rows(chars))
        return PageContent(number, width, items, across, findings, turn, lost=page.lost)
    along = _rows(turn.chars(chars)) if turn else ()
    turned = tuple(AssembledLine(row.text, number, turn.upright(row.box)) for row in along) if turn else ()
    return PageContent(number, height, _items(number, chars, rules, height), turned, findings, lost=page.lost)


def _rows(chars: Sequence[Char]) -> list[PageRow]:
    return read_rows(read_words(chars))


def _items(number: int, chars: Sequence[Char], rules: RuledLines, height: float) -> tuple[TextLine | FoundTable, ...]:
    words = with_superscripts(read_words(with_fractions(chars)))
    found = read_items(number, words, rules, height)
    return tuple(item if isinstance(item, FoundTable) else text_line(item, number) for item in found)


def repair_glyphs(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages of a document with text in place of the marks of all lost glyphs."""
    if not any(page.lost for page in pages):
        return list(pages)
    glyphs: dict[str, LostGlyph] = {}
    found = [page.with_texts(_renaming(page.lost, glyphs)) for page in pages]
    repair = GlyphRepair(glyphs, [text for page in found for text in page.texts])
    return [page.with_texts(repair.text) for page in found]


def _renaming(lost: Iterable[LostGlyph], glyphs: dict[str, LostGlyph]) -> Callable[[str], str]:
    """From the marks of one page to those of the document in `glyphs`, which gains the glyphs that are new."""
    known = {glyph.key: mark for mark, glyph in glyphs.items()}
    table = {}
    for glyph in lost:
        mark = known.get(glyph.key) or mark_of(len(glyphs))
        if mark is not None:
            glyphs.setdefault(mark, glyph)
        table[ord(glyph.mark)] = mark or glyph.text
    return lambda text: text.translate(table)


def turn_of(chars: Sequence[Char], width: float, height: float) -> PageRotation | None:
    """How a page has to be turned to read the text that runs up or down it; None where there is none.

    The way is that in which one character of the text follows the other.
    """
    turned = [char for char in chars if not char["upright"] and not char["text"].isspace()]
    if not turned:
        return None
    steps = [after["top"] - before["top"] for before, after in pairwise(turned) if _follows(before, after)]
    down = sum(step > 0 for step in steps)
    return PageRotation(TextDirection.DOWN if 2 * down > len(steps) else TextDirection.UP, width, height)


def is_turned(chars: Sequence[Char]) -> bool:
    """Whether most of a page's text runs up or down it."""
    inked = [char["upright"] for char in chars if not char["text"].isspace()]
    return inked.count(False) > CHARACTERS.turned_share * len(inked)


def _follows(before: Char, after: Char) -> bool:
    """Whether two characters stand above each other."""
    return bool(abs(before["x0"] - after["x0"]) < max(before["width"], 1.0) and before["top"] != after["top"])
