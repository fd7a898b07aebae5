"""Document of the pages that were read: headings, paragraphs, lists and tables in order, and furniture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from tasks.parsers.assembly import AssembledLine, Assembly
from tasks.parsers.course import as_course
from tasks.parsers.document_head import HEAD_LENGTH, Heading, find_datelines, find_first_title
from tasks.parsers.pdf import PdfFront
from tasks.parsers.pdf.blocks.block_settings import BLOCKS
from tasks.parsers.pdf.blocks.page_furniture import find_furniture, separate_running_heads
from tasks.parsers.pdf.blocks.paragraph_builder import ProseBlock, iter_prose_blocks, join_torn_blocks
from tasks.parsers.pdf.blocks.typography import Outline, measure_typography
from tasks.parsers.pdf.lines.text_lines import TextLine, join_hyphenated_words
from tasks.parsers.pdf.page_reader import PageContent, repair_glyphs
from tasks.parsers.pdf.tables.found_tables import FoundTable
from tasks.parsers.pdf.tables.table_captions import find_caption, find_notes
from tasks.parsers.pdf.tables.table_continuation import (
    join_parts,
    with_orphan_headers,
    with_orphan_rows,
)
from tasks.parsers.pdf.tables.table_sides import find_continuations, split_continued_sides
from tasks.parsers.plain_text.printed_lines import collect_words
from tasks.parsers.table_form import RowPlace
from tasks.parsers.written_dates import is_date_heading
from warehouse.records import Attributes, BlockKind, Document, Kind

_CONTINUED = re.compile(r"[-–—(\s]*\b(?:continued|cont[’'.]?d)\b\W*|[(（]续[)）]", re.IGNORECASE)
_PAPER_PART = re.compile(
    r"(?:[\dIVX.]{1,5}\s+)?(?:(?P<abstract>abstract)|(?P<introduction>introduction|background)"
    r"|(?P<methods>(?:(?:patients|materials?|subjects|participants) and )?methods?|experimental(?: setup)?)"
    r"|(?P<results>results?(?: and discussion)?|findings)|(?P<discussion>discussion(?: and conclusions?)?)"
    r"|(?P<conclusion>conclusions?)|(?P<references>references|bibliography))\W*",
    re.IGNORECASE,
)
"""The headings of the parts of a paper, and which part each is."""
_DOI = re.compile(
    r"\bdoi(?:\.org/|\s?[:：]?\s?)(?:https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE
)


def make_document(front: PdfFront, pages: Sequence[PageContent], media_type: str) -> Document:
    """The document of all pages, its title, dates and DOI taken from `front` or from its beginning."""
    assembly = Assembly()
    writer = _DocumentWriter(assembly, repair_glyphs(pages), front.bookmarks)
    title = writer.write()
    beginning = assembly.list_beginning(HEAD_LENGTH)
    document = assembly.finish(
        Kind.REPORT,
        media_type,
        title=title if front.title and title.lower().startswith(front.title.lower()) else front.title or title,
        authors=front.authors,
        dates=[
            *find_datelines([*beginning, writer.join_first_pieces()], assembly.list_first_tables(HEAD_LENGTH)),
            *front.dates,
        ],
        total_pages=len(pages),
        attributes=Attributes(doi=find_doi("\n".join(beginning))),
        findings=[finding for page in pages for finding in page.findings],
    )
    return as_course(replace(document, kind=Kind.PAPER) if _is_paper(document) else document)


def _is_paper(document: Document) -> bool:
    """Whether headings are those of a research paper: results or an abstract, and other parts around them."""
    headings = (block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING and block.section)
    parts = {match.lastgroup for heading in headings if (match := _PAPER_PART.fullmatch(heading))}
    return len(parts) >= BLOCKS.paper_min_parts and ("results" in parts or "abstract" in parts)


def find_doi(beginning: str) -> str:
    """The DOI at the beginning of a paper; empty if there are none or several."""
    dois = {match[1].rstrip(".,;)").lower() for match in _DOI.finditer(beginning)}
    return dois.pop() if len(dois) == 1 else ""


class _DocumentWriter:
    """Writes pages with the information that only the whole document gives; boxes are those on the paper.

    Lines and tables are identified by their `id`: `_furniture_ids` are running heads, `_chains` the parts of each table
    by its first (later parts are in no other list), `_links` the links of each later part to the one before, `_labels`
    the lines at page breaks that are rows of joined tables.
    """

    def __init__(self, assembly: Assembly, page_contents: Sequence[PageContent], bookmarks: Sequence[str]) -> None:
        """`bookmarks` are the titles of the file's outline."""
        pages, heads = separate_running_heads(page_contents)
        self._furniture_ids = find_furniture(pages, bookmarks) | heads
        pages_with_headers = with_orphan_headers(with_orphan_rows(pages, self._furniture_ids), self._furniture_ids)
        self._pages = split_continued_sides(pages_with_headers, self._furniture_ids)
        self._typography = measure_typography(self._pages, self._furniture_ids, bookmarks)
        self._words = collect_words(
            line.text for page in self._pages for line in page.lines if id(line) not in self._furniture_ids
        )
        links = (find_continuations(page, following, self._furniture_ids) for page, following in pairwise(self._pages))
        self._links = {id(link.below): link for page_links in links for link in page_links}
        self._labels = {id(line) for link in self._links.values() for line in (*link.lines_before, *link.lines_after)}
        self._chains: dict[int, list[FoundTable]] = {}
        firsts: dict[int, int] = {}
        for table in (item for page in self._pages for item in page.items if isinstance(item, FoundTable)):
            link = self._links.get(id(table))
            first = firsts[id(table)] = firsts[id(link.above)] if link else id(table)
            self._chains.setdefault(first, []).append(table)
        self._item_places = {id(item): (page, index) for page in self._pages for index, item in enumerate(page.items)}
        self._pages_by_number = {page.number: page for page in self._pages}
        self._assembly = assembly
        self._outline = Outline()
        self._titles: set[str] = set()
        self._first_page = next((page.number for page in self._pages if page.items), 0)
        self._headings: list[Heading] = []
        self._prose_length, self._follows_heading = 0, False

    def write(self) -> str:
        """Adds everything to the assembly. Returns the title that the first page shows, or nothing."""
        for piece in join_torn_blocks([piece for page in self._pages for piece in self._iter_pieces(page)]):
            if isinstance(piece, FoundTable):
                self._add_table(self._chains[id(piece)])
            else:
                self._add_prose(piece)
        return find_first_title(self._headings, "\n".join(self._assembly.list_beginning(BLOCKS.cover_length)))

    def join_first_pieces(self) -> str:
        """The pieces of the first page's lines with wide gaps, a line each: the date of a letter is beside other text.

        Dates alone are left out, which may be those of events in columns.
        """
        lines = next((page.lines for page in self._pages if page.items), [])
        pieces = (piece.text for line in lines if line.has_wide_gap for piece in line.pieces)
        return "\n".join(piece for piece in pieces if not is_date_heading(piece))

    def _iter_pieces(self, page: PageContent) -> Iterator[ProseBlock | FoundTable]:
        """The prose and tables of a page in order, each table at its first part."""
        items = [item for item in page.items if id(item) not in self._labels]
        last = next((item for item in reversed(items) if id(item) not in self._furniture_ids), None)
        for kind, run in groupby(items, key=self._classify_item):
            same_items = list(run)
            lines = [item for item in same_items if isinstance(item, TextLine)]
            if kind is BlockKind.TABLE:
                yield from (item for item in same_items if isinstance(item, FoundTable) and id(item) not in self._links)
            elif kind is BlockKind.FURNITURE:
                yield ProseBlock(kind, [lines])
            else:
                yield from iter_prose_blocks(lines, self._typography, ends_page=lines[-1] is last)
        if page.rotated_lines:
            yield ProseBlock(BlockKind.FURNITURE, [[TextLine(line, 0.0, bold=False) for line in page.rotated_lines]])

    def _classify_item(self, item: TextLine | FoundTable) -> BlockKind:
        if isinstance(item, FoundTable):
            return BlockKind.TABLE
        return BlockKind.FURNITURE if id(item) in self._furniture_ids else BlockKind.PARAGRAPH

    def _add_prose(self, block: ProseBlock) -> None:
        """A heading, paragraph, list or furniture; a heading that only says that another continues is furniture."""
        lines = [self._unrotate_line(line) for line in self._iter_lines(block)]
        if block.style is None:
            self._assembly.add_lines(block.kind, lines)
            if block.kind is not BlockKind.FURNITURE:
                self._prose_length += sum(len(line.text) for line in lines)
                self._follows_heading = False
            return
        title = " ".join(line.text for line in lines)
        if _CONTINUED.search(title) and _normalize_title(_CONTINUED.sub("", title)) in self._titles:
            self._assembly.add_lines(BlockKind.FURNITURE, lines)
            return
        self._titles.add(_normalize_title(title))
        if lines[0].page == self._first_page:
            self._headings.append(Heading(title, block.style.step, self._prose_length, self._follows_heading))
            self._follows_heading = True
        self._assembly.add_heading("", self._outline.add_heading(block.style), lines=lines)

    def _iter_lines(self, block: ProseBlock) -> Iterator[AssembledLine]:
        for paragraph in block.paragraphs:
            lines = [line.line for line in paragraph]
            yield from lines if block.kind is BlockKind.FURNITURE else join_hyphenated_words(lines, self._words)

    def _add_table(self, parts: Sequence[FoundTable]) -> None:
        """The table of all its parts; leading dots and repeated headers are furniture below it."""
        self._follows_heading = False
        page, number = self._item_places[id(parts[0])]
        last_page, last_number = self._item_places[id(parts[-1])]
        table = join_parts(parts, self._links)
        self._assembly.add_table(
            table.rows,
            header_rows=table.header_rows,
            caption=find_caption(page.items, number, self._furniture_ids),
            notes=find_notes(last_page.items, last_number, self._furniture_ids),
            merges=table.merges,
            confidence=round(min(part.confidence for part in parts), 2),
            places=[
                RowPlace(part.page, self._pages_by_number[part.page].unrotate_box(box))
                for part in table.parts
                for box in part.boxes
            ],
        )
        for furniture_lines in (*(part.leaders for part in parts), table.repeated_lines):
            for _, lines in groupby(furniture_lines, key=lambda line: line.page):
                self._assembly.add_lines(BlockKind.FURNITURE, [self._unrotate_line(line) for line in lines])

    def _unrotate_line(self, line: AssembledLine) -> AssembledLine:
        page = self._pages_by_number[line.page]
        return line if page.rotation is None else replace(line, box=page.unrotate_box(line.box))


def _normalize_title(title: str) -> str:
    return re.sub(r"\W+", "", title).lower()
