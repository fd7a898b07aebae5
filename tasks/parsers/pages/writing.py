"""A document's pages put down in reading order: headings, paragraphs, lists, tables, and what is set aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tasks.parsers.assembly import Assembly, Line
from tasks.parsers.pages import furniture, headings, hyphens, paragraphs
from tasks.parsers.pages.captions import surroundings
from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.headings import Typography
from tasks.parsers.pages.joining import Link, join, links
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.reading import PageContent
from tasks.parsers.table_form import Place
from warehouse.records import BlockKind


@dataclass(frozen=True, slots=True)
class _Whole:
    """What only the whole document can tell."""

    aside: set[int]
    type_sizes: Typography
    known: frozenset[str]
    chains: dict[int, list[FoundTable]]
    """The parts of each table by the `id` of its first; later parts are in no other list."""
    links: Mapping[int, Link]
    """What ties each later part to the one before, by the part's `id`."""
    labels: set[int]
    """The lines at page breaks that are rows of joined tables."""


def write(assembly: Assembly, pages: Sequence[PageContent]) -> None:
    """Adds the pages to the assembly."""
    aside = furniture.find_furniture(pages)
    inside = [line for page in pages for line in page.lines if id(line) not in aside]
    found = {id(link.below): link for link in links(pages, aside)}
    labels = {id(line) for link in found.values() for line in (*link.before, *link.after)}
    whole = _Whole(
        aside,
        headings.measure(inside),
        hyphens.vocabulary(line.text for line in inside),
        _chains(pages, found),
        found,
        labels,
    )
    notes = {id(item): (page, number) for page in pages for number, item in enumerate(page.items)}
    for page in pages:
        _add_page(assembly, page, whole, notes)


def _chains(pages: Iterable[PageContent], found: Mapping[int, Link]) -> dict[int, list[FoundTable]]:
    chains: dict[int, list[FoundTable]] = {}
    firsts: dict[int, int] = {}
    for table in (item for page in pages for item in page.items if isinstance(item, FoundTable)):
        first = firsts[id(found[id(table)].above)] if id(table) in found else id(table)
        firsts[id(table)] = first
        chains.setdefault(first, []).append(table)
    return chains


def _add_page(assembly: Assembly, page: PageContent, whole: _Whole, places: dict[int, tuple[PageContent, int]]) -> None:
    items = [item for item in page.items if id(item) not in whole.labels]
    for kind, run in groupby(items, key=lambda item: _kind(item, whole.aside)):
        same = list(run)
        if kind is BlockKind.TABLE:
            for table in same:
                if id(table) not in whole.links:
                    _add_table(assembly, whole, whole.chains[id(table)], places)
            continue
        lines = [item for item in same if isinstance(item, TextLine)]
        if kind is BlockKind.FURNITURE:
            assembly.lines(kind, [line.line for line in lines])
        else:
            _add_prose(assembly, lines, whole)
    if page.turned:
        assembly.lines(BlockKind.FURNITURE, page.turned)


def _kind(item: TextLine | FoundTable, aside: set[int]) -> BlockKind:
    if isinstance(item, FoundTable):
        return BlockKind.TABLE
    return BlockKind.FURNITURE if id(item) in aside else BlockKind.PARAGRAPH


def _add_table(
    assembly: Assembly, whole: _Whole, parts: Sequence[FoundTable], places: dict[int, tuple[PageContent, int]]
) -> None:
    """The table of all its parts; leading dots and repeated headers are set aside below it."""
    page, number = places[id(parts[0])]
    last_page, last = places[id(parts[-1])]
    joined = join(parts, whole.links)
    assembly.table(
        joined.rows,
        header_rows=joined.header_rows,
        caption=surroundings(page.items, number, whole.aside).caption,
        notes=surroundings(last_page.items, last, whole.aside).notes,
        merges=joined.merges,
        confidence=round(min(part.confidence for part in parts), 2),
        places=[Place(part.page, box) for part in joined.parts for box in part.boxes],
    )
    for part in parts:
        if part.leaders:
            assembly.lines(BlockKind.FURNITURE, part.leaders)
    if joined.repeated:
        for _, lines in groupby(joined.repeated, key=lambda line: line.page):
            assembly.lines(BlockKind.FURNITURE, list(lines))


def _add_prose(assembly: Assembly, lines: Sequence[TextLine], whole: _Whole) -> None:
    for listed, run in groupby(paragraphs.group(lines), key=lambda found: paragraphs.starts_item(found[0])):
        found = list(run)
        if listed and len(found) > 1:
            held: list[Line] = []
            for item in found:
                held += hyphens.rejoin([line.line for line in item], whole.known)
            assembly.lines(BlockKind.LIST, held)
            continue
        for paragraph in found:
            _add_paragraph(assembly, paragraph, whole)


def _add_paragraph(assembly: Assembly, paragraph: Sequence[TextLine], whole: _Whole) -> None:
    lines = hyphens.rejoin([line.line for line in paragraph], whole.known)
    if level := whole.type_sizes.level(list(paragraph)):
        assembly.heading("", level, lines=lines)
    else:
        assembly.lines(BlockKind.PARAGRAPH, lines)
