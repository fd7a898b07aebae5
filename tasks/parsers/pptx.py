"""PowerPoint presentations (ECMA-376): a page for each slide, its shapes in reading order, then the speaker's notes.

A chart is the table of its figures. Dates, footers and numbers of slides are set aside, each text once; comments are
left out. Slides that the show leaves out are read, since PowerPoint shows them to whoever opens the file, and a finding
names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tasks import faults
from tasks.parsers.assembly import AssembledLine, Assembly
from tasks.parsers.office_package import is_office
from tasks.parsers.office_properties import described
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.slides.chart_data import ChartData
from tasks.parsers.slides.slide_package import MAIN_NAME, SlideEntry, SlidePackage, placeholder_of
from tasks.parsers.slides.slide_shapes import ShapeReader, SlideShape, is_furniture
from tasks.parsers.slides.slide_text import SlideLine, lines_of
from tasks.parsers.table_form import RowPlace
from tasks.parsers.written_dates import WITHIN, datelines
from warehouse.records import BlockKind, Document, Finding, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

NOTES = "Speaker notes"
"""The heading above what the speaker noted to a slide."""


class Pptx:
    """A slide's title is a heading; the notes to it stand in a section below that."""

    version = 1
    media_type = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    suffixes: tuple[str, ...] = (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\APK\x03\x04"), confirms=lambda raw: is_office(raw, "ppt", MAIN_NAME, Pptx.suffixes)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = SlidePackage(raw.data)
        writer = SlideWriter(package)
        slides, hidden = 0, []
        for slide in package.slides():
            slides = slide.number
            hidden += [slide.number] if slide.is_hidden else []
            writer.add(slide)
        title, authors, dates = described(package.core_properties())
        assembly = writer.assembly
        return assembly.finish(
            Kind.REPORT,
            self.media_type,
            title=title or writer.first_title,
            authors=authors,
            dates=[*datelines(assembly.beginning(WITHIN)), *dates],
            total_pages=slides,
            findings=list(_hidden_slides(hidden)),
        )


class SlideWriter:
    """Adds slides to an assembly; `first_title` is the title of the first slide that has one."""

    def __init__(self, package: SlidePackage) -> None:
        self.assembly = Assembly()
        self.first_title = ""
        self._package = package
        self._reader = ShapeReader(package)
        self._aside: set[str] = set()

    def add(self, slide: SlideEntry) -> None:
        """Adds a slide and the notes to it."""
        self.assembly.leave(1)
        for shape in self._reader.read(slide):
            self._add_shape(shape, slide.number)
        root = self._package.notes(slide)
        notes = [] if root is None else list(_notes(root))
        if notes:
            self.assembly.heading(NOTES, 2, slide.number)
            for is_list, group in groupby(notes, key=lambda line: line.level is not None):
                lines = [line.line if is_list else line.text for line in group]
                kind = BlockKind.LIST if is_list else BlockKind.PARAGRAPH
                for text in ["\n".join(lines)] if is_list else lines:
                    self.assembly.add(kind, text, page=slide.number)

    def _add_shape(self, shape: SlideShape, page: int) -> None:
        if is_furniture(shape):
            text = " ".join(line.text for line in shape.lines)
            if text not in self._aside and not text.isdigit():
                self._aside.add(text)
                self.assembly.lines(BlockKind.FURNITURE, [AssembledLine(text, page, shape.box)])
        elif shape.placeholder is not None and shape.placeholder.is_title:
            text = " ".join(" ".join(line.text.split()) for line in shape.lines)
            self.first_title = self.first_title or text
            self.assembly.heading(text, 1, page, [AssembledLine(text, page, shape.box)])
        elif shape.table is not None:
            laid = shape.table
            self.assembly.table(laid.rows, header_rows=laid.header_rows, merges=laid.merges, places=shape.rows)
        elif shape.chart is not None:
            self._add_chart(shape.chart, shape, page)
        else:
            self._add_lines(shape.lines, shape, page)

    def _add_lines(self, lines: Sequence[SlideLine], shape: SlideShape, page: int) -> None:
        """Items that follow each other are one list, other paragraphs each a block."""
        for is_list, group in groupby(lines, key=lambda line: line.level is not None):
            if is_list:
                placed = [AssembledLine(line.line, page, shape.box) for line in group]
                self.assembly.lines(BlockKind.LIST, placed)
                continue
            for paragraph in group:
                placed = [AssembledLine(text, page, shape.box) for text in paragraph.text.split("\n")]
                self.assembly.lines(BlockKind.PARAGRAPH, placed)

    def _add_chart(self, chart: ChartData, shape: SlideShape, page: int) -> None:
        if chart.title:
            self.assembly.lines(BlockKind.PARAGRAPH, [AssembledLine(chart.title, page, shape.box)])
        for table in chart.tables:
            places = [RowPlace(page, shape.box)] * len(table.rows)
            self.assembly.table(table.rows, header_rows=1, caption=chart.title, places=places)


def _notes(root: _Element) -> Iterator[SlideLine]:
    """The lines of the notes on a page of notes, the picture of the slide, its number and footers left out."""
    for shape in root.iter("sp"):
        held, body = placeholder_of(shape), shape.find("txBody")
        if held is not None and held.kind == "body" and body is not None:
            yield from lines_of(body)


def _hidden_slides(numbers: Sequence[int]) -> Iterator[Finding]:
    for number in numbers:
        message = f"slide {number} is hidden in the show; it is read all the same"
        yield faults.HIDDEN_CONTENT.finding(message, page=number)


member = Pptx()
