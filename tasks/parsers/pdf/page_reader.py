"""An open PDF file: the content of its pages in reading order, and what it says of itself in properties and bookmarks.

Where most text runs up or down an upright page, it is read as if the page were turned.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import pairwise
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING

import pdfplumber
from pdfminer.pdfdocument import PDFEncryptionError
from pdfminer.pdfparser import PDFSyntaxError
from pdfminer.pdftypes import PDFObjRef, dict_value, resolve1
from pdfminer.psexceptions import PSException
from pdfminer.utils import decode_text
from pdfplumber.utils.exceptions import PdfminerException

from tasks.parsers import refusals
from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pdf import PdfFront
from tasks.parsers.pdf.characters.character_settings import CHARACTERS
from tasks.parsers.pdf.characters.legibility import Char, read_characters, without_doubles
from tasks.parsers.pdf.characters.lost_glyphs import GlyphRepair, LostGlyph, mark_of
from tasks.parsers.pdf.characters.page_interpreter import quick_page, quick_pages
from tasks.parsers.pdf.characters.ruled_lines import RuledLines, read_rules
from tasks.parsers.pdf.lines.page_rows import read_rows
from tasks.parsers.pdf.lines.raised_digits import with_fractions, with_superscripts
from tasks.parsers.pdf.lines.text_lines import TextLine, text_line
from tasks.parsers.pdf.lines.word_builder import read_words
from tasks.parsers.pdf.tables.found_tables import FoundTable
from tasks.parsers.pdf.tables.page_tables import read_items
from tasks.parsers.titles import is_placeholder
from tasks.parsers.written_dates import make_date
from warehouse.errors import UnreadableFile
from warehouse.records import Box, DateClaim, DateOrigin, Finding

if TYPE_CHECKING:
    from tasks.parsers.pdf.characters.page_interpreter import QuickPage


@dataclass(frozen=True, slots=True)
class PageRotation:
    """A page `width` by `height` points, upright, whose text runs up or `down`; turned, it is `height` wide."""

    down: bool
    width: float
    height: float

    def turned(self, box: Box) -> Box:
        """Where a box of the upright page stands on the turned one."""
        if self.down:
            return Box(box.top, self.width - box.x1, box.bottom, self.width - box.x0)
        return Box(self.height - box.bottom, box.x0, self.height - box.top, box.x1)

    def upright(self, box: Box) -> Box:
        """Where a box of the turned page stands on the upright one."""
        if self.down:
            x0, top, x1, bottom = self.width - box.bottom, box.x0, self.width - box.top, box.x1
        else:
            x0, top, x1, bottom = box.top, self.height - box.x1, box.bottom, self.height - box.x0
        return Box(round(x0, 2), round(top, 2), round(x1, 2), round(bottom, 2))

    def chars(self, chars: Sequence[Char]) -> list[Char]:
        """The characters on the turned page: those that ran up or down are upright there, the others are not."""
        boxes = (self.turned(Box(char["x0"], char["top"], char["x1"], char["bottom"])) for char in chars)
        return [
            {
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
            for char, box in zip(chars, boxes, strict=True)
        ]

    def rules(self, rules: RuledLines) -> RuledLines:
        """The lines of the page on the turned one: level ones stand upright there."""
        level, upright = [], []
        for rule in rules.upright:
            box = self.turned(Box(rule.at, rule.start, rule.at, rule.end))
            level.append(replace(rule, at=box.top, start=box.x0, end=box.x1))
        for rule in rules.level:
            box = self.turned(Box(rule.start, rule.at, rule.end, rule.at))
            upright.append(replace(rule, at=box.x0, start=box.top, end=box.bottom))
        place = attrgetter("at", "start")
        curves = tuple(map(self.turned, rules.curves))
        return RuledLines(tuple(sorted(level, key=place)), tuple(sorted(upright, key=place)), curves)


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

        def changed(lines: Iterable[AssembledLine]) -> tuple[AssembledLine, ...]:
            return tuple(replace(line, text=change(line.text)) for line in lines)

        items: list[TextLine | FoundTable] = []
        for item in self.items:
            if isinstance(item, FoundTable):
                rows = tuple(tuple(map(change, row)) for row in item.rows)
                items.append(replace(item, rows=rows, leaders=changed(item.leaders)))
            else:
                items.append(replace(item, line=changed([item.line])[0], pieces=changed(item.pieces)))
        return replace(self, items=tuple(items), turned=changed(self.turned))

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
    chars = without_doubles([char for char in legible if not char.get("slanted")])
    slanted = tuple(_slanted_lines([char for char in legible if char.get("slanted")], number))
    rules = read_rules(page)
    page.close()
    turn = _turn_of(chars, width, height)
    if turn is None:
        return PageContent(number, height, _items(number, chars, rules, height), slanted, findings, lost=page.lost)
    along = turn.chars(chars)
    inked = [char["upright"] for char in chars if not char["text"].isspace()]
    if inked.count(False) > CHARACTERS.turned_share * len(inked):
        items = _items(number, along, turn.rules(rules), width)
        across = (AssembledLine(row.text, number, turn.turned(row.box)) for row in read_rows(read_words(chars)))
        over = (replace(line, box=turn.turned(line.box)) for line in slanted)
        return PageContent(number, width, items, (*across, *over), findings, turn, lost=page.lost)
    turned = (AssembledLine(row.text, number, turn.upright(row.box)) for row in read_rows(read_words(along)))
    items = _items(number, chars, rules, height)
    return PageContent(number, height, items, (*turned, *slanted), findings, lost=page.lost)


def _slanted_lines(chars: Sequence[Char], number: int) -> Iterator[AssembledLine]:
    """Texts that run across a page at an angle, watermarks and labels of charts, in the order of drawing."""
    lines: list[list[Char]] = []
    for char in chars:
        if not lines or not _goes_on(lines[-1][-1], char):
            lines.append([])
        lines[-1].append(char)
    for line in lines:
        if text := " ".join("".join(char["text"] for char in line).split()):
            left, top = min(char["x0"] for char in line), min(char["top"] for char in line)
            right, bottom = max(char["x1"] for char in line), max(char["bottom"] for char in line)
            yield AssembledLine(text, number, Box(round(left, 2), round(top, 2), round(right, 2), round(bottom, 2)))


def _goes_on(before: Char, char: Char) -> bool:
    """Whether a letter of a slanted text stands next to the one before."""
    across = abs(before["x0"] + before["x1"] - char["x0"] - char["x1"]) / 2
    down = abs(before["top"] + before["bottom"] - char["top"] - char["bottom"]) / 2
    reach = CHARACTERS.slanted_reach * max(before["height"], before["width"])
    return bool(before["fontname"] == char["fontname"] and max(across, down) <= reach)


def _items(number: int, chars: Sequence[Char], rules: RuledLines, height: float) -> tuple[TextLine | FoundTable, ...]:
    words = with_superscripts(read_words(with_fractions(chars)))
    found = read_items(number, words, rules, height)
    return tuple(item if isinstance(item, FoundTable) else text_line(item, number) for item in found)


def repair_glyphs(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages of a document with text in place of the marks of all lost glyphs."""
    if not any(page.lost for page in pages):
        return list(pages)
    glyphs: dict[str, LostGlyph] = {}  # by the document's marks
    found = []
    for page in pages:
        known = {glyph.key: mark for mark, glyph in glyphs.items()}
        marks = {}  # from those of the page to those of the document
        for glyph in page.lost:
            mark = known.get(glyph.key) or mark_of(len(glyphs))
            if mark is not None:
                glyphs.setdefault(mark, glyph)
            marks[glyph.mark] = mark or glyph.text
        found.append(page.with_texts(methodcaller("translate", str.maketrans(marks))))
    repair = GlyphRepair(glyphs, [text for page in found for text in page.texts])
    return [page.with_texts(repair.text) for page in found]


def _turn_of(chars: Sequence[Char], width: float, height: float) -> PageRotation | None:
    """How a page has to be turned to read the text that runs up or down it; None where there is none.

    The way is that in which one character of the text follows the other, above or below it.
    """
    turned = [char for char in chars if not char["upright"] and not char["text"].isspace()]
    if not turned:
        return None
    steps = [
        after["top"] - before["top"]
        for before, after in pairwise(turned)
        if abs(before["x0"] - after["x0"]) < max(before["width"], 1.0) and before["top"] != after["top"]
    ]
    return PageRotation(2 * sum(step > 0 for step in steps) > len(steps), width, height)


_MOST_BOOKMARKS = 2_000  # Bookmarks that are read: a file may have more than headings.
_SHORTEST = 5  # Letters that a title in Latin script has at least.
_DATE = re.compile(r"(?:D:)?(\d{4})-?(\d{2})-?(\d{2})")


class OpenPdf:
    """A PDF whose pages can be read one by one, in any order."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for encrypted files, and damaged ones that PDFium cannot mend either."""
        logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of every odd colour and font
        self._data = data
        try:
            self._open()
        except PdfminerException as error:
            if isinstance(_cause(error), (PDFEncryptionError, MemoryError)) or (mended := _mended(data)) is None:
                raise _refusal(error) from error
            self._data = mended
            try:
                self._open()
            except PdfminerException:
                raise _refusal(error) from error

    def _open(self) -> None:
        """Raises `PdfminerException`."""
        self._pdf = pdfplumber.open(BytesIO(self._data))
        try:
            self._pages = quick_pages(self._pdf)
        except (AttributeError, LookupError, PSException, RecursionError, TypeError, ValueError) as error:
            raise PdfminerException(error) from error
        if not self._pages:
            raise PdfminerException(PDFSyntaxError("it has no pages"))

    @property
    def count(self) -> int:
        """The number of pages."""
        return len(self._pages)

    @property
    def front(self) -> PdfFront:
        """The information dictionary's title, authors and dates, and the bookmarks."""
        metadata = self._pdf.metadata
        names = (name.strip() for name in str(metadata.get("Author") or "").split(";"))
        authors = tuple(name for name in names if " " in name)
        bookmarks = tuple(find_bookmarks(self._pdf.doc.catalog))
        return PdfFront(proper_title(metadata), authors, tuple(_dates(metadata)), bookmarks)

    def read(self, number: int) -> PageContent:
        """Page `number`, from 1. Nothing of it is kept, so that memory does not grow with the pages."""
        try:
            return read_page(quick_page(self._pdf, self._pages[number - 1], number), self._data)
        except PdfminerException as error:
            raise _refusal(error) from error

    def close(self) -> None:
        """Lets the file go. pdfplumber's own `close` would make all of its pages first, only to close them."""
        self._pdf.stream.close()


def _cause(error: PdfminerException) -> BaseException:
    """The error of pdfminer that pdfplumber wraps."""
    cause = error.args[0] if error.args else error
    return cause if isinstance(cause, BaseException) else error


def _mended(data: bytes) -> bytes | None:
    """The file as PDFium saves it, which rebuilds cross-references; None where it finds no pages either."""
    import pypdfium2

    saved = BytesIO()
    try:
        with closing(pypdfium2.PdfDocument(data)) as document:
            if not len(document):
                return None
            document.save(saved)
    except pypdfium2.PdfiumError:
        return None
    return saved.getvalue()


def _refusal(error: PdfminerException) -> UnreadableFile:
    """What pdfminer's error says about the file."""
    cause = _cause(error)
    if isinstance(cause, PDFEncryptionError):
        return refusals.encrypted()
    if isinstance(cause, MemoryError):
        return refusals.out_of_memory()
    if isinstance(cause, RecursionError):
        return refusals.damaged("PDF", "its objects contain themselves")
    words = str(cause) if isinstance(cause, PSException) else ""
    return refusals.damaged("PDF", words.removesuffix(" - Is this really a PDF?").rstrip("!") or "it has no pages")


def proper_title(metadata: Mapping[str, object]) -> str:
    """The title, or nothing where it is a file name, a program's default or a single code."""
    text = " ".join(str(metadata.get("Title") or "").split())
    return "" if is_placeholder(text) or (text.isascii() and len(text) < _SHORTEST) else text


def _dates(metadata: Mapping[str, object]) -> list[DateClaim]:
    """The date of creation, else of the last change."""
    matches = (_DATE.match(str(metadata.get(key) or "")) for key in ("CreationDate", "ModDate"))
    days = (make_date(*map(int, match.groups())) for match in matches if match)
    return [DateClaim(day, DateOrigin.PROPERTIES) for day in days if day][:1]


def find_bookmarks(catalog: Mapping[str, object]) -> Iterator[str]:
    """The titles in a file's outline, in no particular order; what is damaged in it is left out."""
    waiting, seen = [catalog.get("Outlines")], set[int]()
    while waiting and len(seen) < _MOST_BOOKMARKS:
        place = waiting.pop()
        if not isinstance(place, PDFObjRef) or place.objid in seen:
            continue
        seen.add(place.objid)
        entry = dict_value(place)
        title = resolve1(entry.get("Title"))
        if isinstance(title, bytes):
            yield " ".join(decode_text(title).split())
        waiting += [entry.get("First"), entry.get("Next")]
