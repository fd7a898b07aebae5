"""The slides of a presentation as a document: a page for each, with its shapes and the speaker's notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tasks import faults
from tasks.parsers import refusals
from tasks.parsers.assembly import AssembledLine, Assembly
from tasks.parsers.document_head import HEAD_LENGTH, find_datelines
from tasks.parsers.office.office_properties import FileDescription
from tasks.parsers.slides.chart_data import ChartData
from tasks.parsers.slides.slide_shapes import ReadSlide, SlideShape, is_furniture
from tasks.parsers.slides.slide_text import SlideLine
from tasks.parsers.table_form import RowPlace
from warehouse.records import BlockKind, Document, Finding, Kind

NOTES = "Speaker notes"
"""The heading above the speaker's notes to a slide."""


class SlideWriter:
    """Adds slides to a document: a slide's title is a heading; the notes to it are a section below that."""

    def __init__(self) -> None:
        self._assembly = Assembly()
        self._first_title = ""
        self._furniture_texts: set[str] = set()
        self._last_number = 0
        self._hidden_slides: list[int] = []
        self._damaged_slides: list[int] = []

    def add_slide(self, slide: ReadSlide) -> None:
        """Adds a slide and the notes to it."""
        self._last_number = slide.number
        self._hidden_slides += [slide.number] if slide.is_hidden else []
        self._damaged_slides += [slide.number] if slide.has_lost else []
        self._assembly.end_sections(1)
        for shape in slide.shapes:
            self._add_shape(shape, slide.number)
        notes = [line for line in slide.notes if not _is_number(line.text)]
        if notes:
            self._assembly.add_heading(NOTES, 2, slide.number)
            for is_list, group in groupby(notes, key=lambda line: line.level is not None):
                lines = [line.line if is_list else line.text for line in group]
                kind = BlockKind.LIST if is_list else BlockKind.PARAGRAPH
                for text in ["\n".join(lines)] if is_list else lines:
                    self._assembly.add(kind, text, page=slide.number)

    def finish(self, media_type: str, description: FileDescription) -> Document:
        """The document of all slides."""
        title, authors, dates = description
        return self._assembly.finish(
            Kind.REPORT,
            media_type,
            title=title or self._first_title,
            authors=authors,
            dates=[
                *find_datelines(
                    self._assembly.list_beginning(HEAD_LENGTH), self._assembly.list_first_tables(HEAD_LENGTH)
                ),
                *dates,
            ],
            total_pages=self._last_number,
            findings=[*_report_hidden_slides(self._hidden_slides), *_report_lost_objects(self._damaged_slides)],
        )

    def _add_shape(self, shape: SlideShape, page: int) -> None:
        if is_furniture(shape):
            text = " ".join(line.text for line in shape.lines)
            if text not in self._furniture_texts and not _is_number(text):
                self._furniture_texts.add(text)
                self._assembly.add_lines(BlockKind.FURNITURE, [AssembledLine(text, page, shape.box)])
        elif shape.placeholder is not None and shape.placeholder.is_title:
            text = " ".join(" ".join(line.text.split()) for line in shape.lines)
            self._first_title = self._first_title or text
            self._assembly.add_heading(text, 1, page, [AssembledLine(text, page, shape.box)])
        elif shape.table is not None:
            table = shape.table
            self._assembly.add_table(table.rows, header_rows=table.header_rows, merges=table.merges, places=shape.rows)
        elif shape.chart is not None:
            self._add_chart(shape.chart, shape, page)
        else:
            self._add_lines(shape.lines, shape, page)

    def _add_lines(self, lines: Sequence[SlideLine], shape: SlideShape, page: int) -> None:
        """Items that follow each other are one list, other paragraphs each a block."""
        for is_list, group in groupby(lines, key=lambda line: line.level is not None):
            if is_list:
                placed_lines = [AssembledLine(line.line, page, shape.box) for line in group]
                self._assembly.add_lines(BlockKind.LIST, placed_lines)
                continue
            for paragraph in group:
                placed_lines = [AssembledLine(text, page, shape.box) for text in paragraph.text.split("\n")]
                self._assembly.add_lines(BlockKind.PARAGRAPH, placed_lines)

    def _add_chart(self, chart: ChartData, shape: SlideShape, page: int) -> None:
        if chart.title:
            self._assembly.add_lines(BlockKind.PARAGRAPH, [AssembledLine(chart.title, page, shape.box)])
        for table in chart.tables:
            places = [RowPlace(page, shape.box)] * len(table.rows)
            self._assembly.add_table(table.rows, header_rows=int(table.has_header), caption=chart.title, places=places)


def _is_number(text: str) -> bool:
    """Whether a text is the number of its slide; old files write a star for it."""
    return text.isdigit() or text == "*"


def _report_hidden_slides(numbers: Sequence[int]) -> Iterator[Finding]:
    for number in numbers:
        message = f"slide {number} is hidden in the show; it is read all the same"
        yield faults.HIDDEN_CONTENT.make_finding(message, page=number)


def _report_lost_objects(numbers: Sequence[int]) -> Iterator[Finding]:
    if numbers:
        slides = f"slide{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
        yield refusals.report_lost_part(f"what is embedded on {slides}", "it is a file of another program")
