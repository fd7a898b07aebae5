"""A document's pages put down in reading order: headings, paragraphs, lists, tables, and what is set aside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tasks.parsers.assembly import AssembledLine, Assembly
from tasks.parsers.pages import furniture, hyphens, torn
from tasks.parsers.pages.captions import surroundings
from tasks.parsers.pages.continued_tables import TableContinuation, links
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.headings import Typography
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.orphans import with_orphans
from tasks.parsers.pages.outline import Outline
from tasks.parsers.pages.page_reader import PageContent
from tasks.parsers.pages.parts import join
from tasks.parsers.pages.prose import ProseBlock, passages
from tasks.parsers.pages.swallowed import with_heads_freed
from tasks.parsers.pages.typography import measure
from tasks.parsers.table_form import RowPlace
from tasks.parsers.titles import Heading, first_title
from warehouse.records import BlockKind

_CONTINUED = re.compile(r"[-–—(\s]*\b(?:continued|cont[’'.]?d)\b\W*|[(（]续[)）]", re.IGNORECASE)
_BEGINNING = 4_000
"""Characters in which the cover of a filing says what it is."""


@dataclass(frozen=True, slots=True)
class _Whole:
    """What only the whole document can tell."""

    aside: set[int]
    typography: Typography
    known: frozenset[str]
    chains: Mapping[int, list[FoundTable]]
    """The parts of each table by the `id` of its first; later parts are in no other list."""
    links: Mapping[int, TableContinuation]
    """What ties each later part to the one before, by the part's `id`."""
    labels: set[int]
    """The lines at page breaks that are rows of joined tables."""


def write(assembly: Assembly, read: Sequence[PageContent], bookmarks: Sequence[str] = ()) -> str:
    """Adds the pages that were read to the assembly. The title that the first page shows, or nothing.

    `bookmarks` are the titles of the file's outline.
    """
    freed, heads = with_heads_freed(read)
    aside = furniture.find_furniture(freed) | heads
    pages = with_orphans(freed, aside)
    inside = [line for page in pages for line in page.lines if id(line) not in aside]
    found = {id(link.below): link for link in links(pages, aside)}
    labels = {id(line) for link in found.values() for line in (*link.before, *link.after)}
    whole = _Whole(
        aside,
        measure(pages, aside, bookmarks),
        hyphens.vocabulary(line.text for line in inside),
        _chains(pages, found),
        found,
        labels,
    )
    writer = _Writer(assembly, pages, whole)
    for piece in torn.mend([piece for page in pages for piece in _pieces(page, whole)]):
        if isinstance(piece, FoundTable):
            writer.add_table(whole.chains[id(piece)])
        else:
            writer.add_passage(piece)
    return first_title(writer.headings, "\n".join(assembly.beginning(_BEGINNING)))


def _chains(pages: Iterable[PageContent], found: Mapping[int, TableContinuation]) -> dict[int, list[FoundTable]]:
    chains: dict[int, list[FoundTable]] = {}
    firsts: dict[int, int] = {}
    for table in (item for page in pages for item in page.items if isinstance(item, FoundTable)):
        first = firsts[id(found[id(table)].above)] if id(table) in found else id(table)
        firsts[id(table)] = first
        chains.setdefault(first, []).append(table)
    return chains


def _pieces(page: PageContent, whole: _Whole) -> Iterator[ProseBlock | FoundTable]:
    """The passages and tables of a page in order, each table at its first part."""
    items = [item for item in page.items if id(item) not in whole.labels]
    last = next((item for item in reversed(items) if id(item) not in whole.aside), None)
    for kind, run in groupby(items, key=lambda item: _kind(item, whole.aside)):
        same = list(run)
        lines = [item for item in same if isinstance(item, TextLine)]
        if kind is BlockKind.TABLE:
            yield from (item for item in same if isinstance(item, FoundTable) and id(item) not in whole.links)
        elif kind is BlockKind.FURNITURE:
            yield ProseBlock(kind, [lines])
        else:
            yield from passages(lines, whole.typography, ends_page=lines[-1] is last)
    if page.turned:
        yield ProseBlock(BlockKind.FURNITURE, [[TextLine(line, 0.0, bold=False) for line in page.turned]])


def _kind(item: TextLine | FoundTable, aside: set[int]) -> BlockKind:
    if isinstance(item, FoundTable):
        return BlockKind.TABLE
    return BlockKind.FURNITURE if id(item) in aside else BlockKind.PARAGRAPH


class _Writer:
    """Puts pieces down, their boxes on the paper."""

    def __init__(self, assembly: Assembly, pages: Sequence[PageContent], whole: _Whole) -> None:
        self._assembly = assembly
        self._pages = {page.number: page for page in pages}
        self._whole = whole
        self._outline = Outline()
        self._titles: set[str] = set()
        self.headings: list[Heading] = []
        self._before, self._follows = 0, False
        self._first = next((page.number for page in pages if page.items), 0)
        self._places = {id(item): (page, number) for page in pages for number, item in enumerate(page.items)}

    def add_passage(self, passage: ProseBlock) -> None:
        """A heading, paragraph, list or what is set aside; so is a heading that only says that another goes on."""
        lines = [self._placed(line) for line in self._lines(passage)]
        if passage.style is None:
            self._assembly.lines(passage.kind, lines)
            if passage.kind is not BlockKind.FURNITURE:
                self._before += sum(len(line.text) for line in lines)
                self._follows = False
            return
        title = " ".join(line.text for line in lines)
        if _CONTINUED.search(title) and _plain(_CONTINUED.sub("", title)) in self._titles:
            self._assembly.lines(BlockKind.FURNITURE, lines)
            return
        self._titles.add(_plain(title))
        if lines[0].page == self._first:
            self.headings.append(Heading(title, passage.style.step, self._before, self._follows))
            self._follows = True
        self._assembly.heading("", self._outline.level(passage.style), lines=lines)

    def _lines(self, passage: ProseBlock) -> Iterator[AssembledLine]:
        for paragraph in passage.paragraphs:
            lines = [line.line for line in paragraph]
            yield from lines if passage.kind is BlockKind.FURNITURE else hyphens.rejoin(lines, self._whole.known)

    def add_table(self, parts: Sequence[FoundTable]) -> None:
        """The table of all its parts; leading dots and repeated headers are set aside below it."""
        self._follows = False
        page, number = self._places[id(parts[0])]
        last_page, last = self._places[id(parts[-1])]
        joined, aside = join(parts, self._whole.links), self._whole.aside
        self._assembly.table(
            joined.rows,
            header_rows=joined.header_rows,
            caption=surroundings(page.items, number, aside).caption,
            notes=surroundings(last_page.items, last, aside).notes,
            merges=joined.merges,
            confidence=round(min(part.confidence for part in parts), 2),
            places=[
                RowPlace(part.page, self._pages[part.page].on_paper(box)) for part in joined.parts for box in part.boxes
            ],
        )
        for aside_lines in (*(part.leaders for part in parts), joined.repeated):
            for _, lines in groupby(aside_lines, key=lambda line: line.page):
                self._assembly.lines(BlockKind.FURNITURE, [self._placed(line) for line in lines])

    def _placed(self, line: AssembledLine) -> AssembledLine:
        page = self._pages[line.page]
        return line if page.turn is None else replace(line, box=page.on_paper(line.box))


def _plain(title: str) -> str:
    return re.sub(r"\W+", "", title).lower()
