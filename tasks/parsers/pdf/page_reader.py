"""The content of a page of a PDF in reading order.

Where most text runs up, down or upside down on an upright page, the page is rotated before it is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pdf.characters.character_settings import CHARACTERS
from tasks.parsers.pdf.characters.legibility import Char, get_quarter_turns, read_characters, without_duplicates
from tasks.parsers.pdf.characters.lost_glyphs import GlyphRepair, LostGlyph, make_mark
from tasks.parsers.pdf.characters.ruled_lines import RuledLines, read_rules
from tasks.parsers.pdf.lines.page_rows import read_rows
from tasks.parsers.pdf.lines.raised_digits import with_fractions, with_subscripts, with_superscripts
from tasks.parsers.pdf.lines.text_lines import TextLine, make_text_line
from tasks.parsers.pdf.lines.word_builder import read_words
from tasks.parsers.pdf.tables.found_tables import FoundTable
from tasks.parsers.pdf.tables.page_tables import read_items
from warehouse.records import Box, Finding

if TYPE_CHECKING:
    from tasks.parsers.pdf.characters.page_interpreter import QuickPage


@dataclass(frozen=True, slots=True)
class PageRotation:
    """A rotation of a page of `width` by `height` points: its text ran up the page (1), upside down (2), down (3)."""

    quarters: int
    width: float
    height: float

    def rotate_box(self, box: Box) -> Box:
        """Where a box of the upright page stands on the turned one."""
        if self.quarters == 1:
            return Box(self.height - box.bottom, box.x0, self.height - box.top, box.x1)
        if self.quarters == 2:
            return Box(self.width - box.x1, self.height - box.bottom, self.width - box.x0, self.height - box.top)
        return Box(box.top, self.width - box.x1, box.bottom, self.width - box.x0)

    def unrotate_box(self, box: Box) -> Box:
        """Where a box of the turned page stands on the upright one."""
        back = PageRotation(4 - self.quarters, *self.rotated_size).rotate_box(box)
        return Box(round(back.x0, 2), round(back.top, 2), round(back.x1, 2), round(back.bottom, 2))

    @property
    def rotated_size(self) -> tuple[float, float]:
        """The width and height of the turned page in points."""
        return (self.width, self.height) if self.quarters == 2 else (self.height, self.width)

    def rotate_chars(self, chars: Sequence[Char]) -> list[Char]:
        """The characters on the turned page."""
        boxes = (self.rotate_box(Box(char["x0"], char["top"], char["x1"], char["bottom"])) for char in chars)
        turns = ((get_quarter_turns(char) - self.quarters) % 4 for char in chars)
        return [
            {
                **char,
                "upright": not turn,
                "turn": turn,
                "x0": box.x0,
                "x1": box.x1,
                "top": box.top,
                "bottom": box.bottom,
                "doctop": box.top,
                "width": box.x1 - box.x0,
                "height": box.bottom - box.top,
                "size": box.bottom - box.top,
            }
            for char, box, turn in zip(chars, boxes, turns, strict=True)
        ]

    def rotate_rules(self, rules: RuledLines) -> RuledLines:
        """The lines of the page on the turned one."""
        horizontal, vertical = [], []
        places = [(rule, Box(rule.position, rule.start, rule.position, rule.end)) for rule in rules.vertical]
        places += [(rule, Box(rule.start, rule.position, rule.end, rule.position)) for rule in rules.horizontal]
        for rule, place in places:
            box = self.rotate_box(place)
            if box.top == box.bottom:
                horizontal.append(replace(rule, position=box.top, start=box.x0, end=box.x1))
            else:
                vertical.append(replace(rule, position=box.x0, start=box.top, end=box.bottom))
        by_place = attrgetter("position", "start")
        curves = tuple(map(self.rotate_box, rules.curves))
        return RuledLines(tuple(sorted(horizontal, key=by_place)), tuple(sorted(vertical, key=by_place)), curves)


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of one page in reading order, and the findings about it. A page that could not be read is lost.

    `rotated_lines` is the text that runs in another direction. Where most text is not level, all places are those on
    the page rotated by `rotation`, `height` points high. In all texts, marks stand for the glyphs in `lost_glyphs`.
    """

    number: int
    height: float = 0.0
    items: tuple[TextLine | FoundTable, ...] = ()
    rotated_lines: tuple[AssembledLine, ...] = ()
    findings: tuple[Finding, ...] = ()
    rotation: PageRotation | None = None
    is_lost: bool = False
    lost_glyphs: tuple[LostGlyph, ...] = ()

    @property
    def lines(self) -> list[TextLine]:
        """The lines outside tables."""
        return [item for item in self.items if isinstance(item, TextLine)]

    @property
    def is_empty(self) -> bool:
        """Whether there is no text at all."""
        return not self.items and not self.rotated_lines

    def unrotate_box(self, box: Box) -> Box:
        """Where the box of an item stands on the upright page."""
        return self.rotation.unrotate_box(box) if self.rotation else box

    def map_texts(self, change: Callable[[str], str]) -> PageContent:
        """The page with a change made to each of its texts."""

        def change_lines(lines: Iterable[AssembledLine]) -> tuple[AssembledLine, ...]:
            return tuple(replace(line, text=change(line.text)) for line in lines)

        items: list[TextLine | FoundTable] = []
        for item in self.items:
            if isinstance(item, FoundTable):
                rows = tuple(tuple(map(change, row)) for row in item.rows)
                items.append(replace(item, rows=rows, leaders=change_lines(item.leaders)))
            else:
                items.append(replace(item, line=change_lines([item.line])[0], pieces=change_lines(item.pieces)))
        return replace(self, items=tuple(items), rotated_lines=change_lines(self.rotated_lines))

    @property
    def texts(self) -> Iterator[str]:
        """The text of each line and cell."""
        for item in self.items:
            if isinstance(item, FoundTable):
                yield from (cell for row in item.rows for cell in row)
            else:
                yield item.text
        yield from (line.text for line in self.rotated_lines)


def read_page(page: QuickPage, data: bytes) -> PageContent:
    """The content of a page of the PDF in `data`.

    pdfplumber's caches are released, so that memory does not grow with the pages.
    """
    number, width, height = page.page_number, page.paper.width, page.paper.height
    legible_chars, findings = read_characters(page, data)
    chars = without_duplicates([char for char in legible_chars if not char.get("slanted")])
    slanted_lines = tuple(_iter_slanted_lines([char for char in legible_chars if char.get("slanted")], number))
    rules = read_rules(page)
    if page.is_damaged:
        findings += (refusals.report_damaged_page(number),)
    page.close()
    turn_counts = Counter(get_quarter_turns(char) for char in chars if not char["text"].isspace())
    usual_turn, count = turn_counts.most_common(1)[0] if turn_counts else (0, 0)
    rotation = None
    if usual_turn and count > CHARACTERS.rotated_share * turn_counts.total():
        rotation = PageRotation(usual_turn, width, height)
        width, height = rotation.rotated_size
        chars, rules = rotation.rotate_chars(chars), rotation.rotate_rules(rules)
        slanted_lines = tuple(replace(line, box=rotation.rotate_box(line.box)) for line in slanted_lines)
    turned_lines = tuple(
        AssembledLine(row.text, number, quarter_rotation.unrotate_box(row.box))
        for quarter_rotation in (
            PageRotation(quarters, width, height) for quarters in sorted({*map(get_quarter_turns, chars)} - {0})
        )
        for row in read_rows(read_words(quarter_rotation.rotate_chars(chars)))
    )
    items = _read_lines_and_tables(number, chars, rules, height)
    return PageContent(
        number, height, items, (*turned_lines, *slanted_lines), findings, rotation, lost_glyphs=page.lost_glyphs
    )


def _iter_slanted_lines(chars: Sequence[Char], number: int) -> Iterator[AssembledLine]:
    """Texts that run across a page at an angle, watermarks and labels of charts, in the order of drawing."""
    lines: list[list[Char]] = []
    for char in chars:
        if not lines or not _is_adjacent(lines[-1][-1], char):
            lines.append([])
        lines[-1].append(char)
    for line in lines:
        if text := " ".join("".join(char["text"] for char in line).split()):
            left, top = min(char["x0"] for char in line), min(char["top"] for char in line)
            right, bottom = max(char["x1"] for char in line), max(char["bottom"] for char in line)
            yield AssembledLine(text, number, Box(round(left, 2), round(top, 2), round(right, 2), round(bottom, 2)))


def _is_adjacent(previous: Char, char: Char) -> bool:
    """Whether a letter of a slanted text stands next to the one before."""
    across = abs(previous["x0"] + previous["x1"] - char["x0"] - char["x1"]) / 2
    down = abs(previous["top"] + previous["bottom"] - char["top"] - char["bottom"]) / 2
    reach = CHARACTERS.slanted_max_distance * max(previous["height"], previous["width"])
    return bool(previous["fontname"] == char["fontname"] and max(across, down) <= reach)


def _read_lines_and_tables(
    number: int, chars: Sequence[Char], rules: RuledLines, height: float
) -> tuple[TextLine | FoundTable, ...]:
    words = with_subscripts(with_superscripts(read_words(with_fractions(chars))))
    items = read_items(number, words, rules, height)
    return tuple(item if isinstance(item, FoundTable) else make_text_line(item, number) for item in items)


def repair_glyphs(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages of a document with text in place of the marks of all lost glyphs."""
    if not any(page.lost_glyphs for page in pages):
        return list(pages)
    glyphs: dict[str, LostGlyph] = {}  # by the document's marks
    marked_pages = list[PageContent]()
    for page in pages:
        marks_by_key = {glyph.key: mark for mark, glyph in glyphs.items()}
        marks = {}  # from those of the page to those of the document
        for glyph in page.lost_glyphs:
            mark = marks_by_key.get(glyph.key) or make_mark(len(glyphs))
            if mark is not None:
                glyphs.setdefault(mark, glyph)
            marks[glyph.mark] = mark or glyph.text
        marked_pages.append(page.map_texts(methodcaller("translate", str.maketrans(marks))))
    repair = GlyphRepair(glyphs, [text for page in marked_pages for text in page.texts])
    return [page.map_texts(repair.repair_text) for page in marked_pages]
