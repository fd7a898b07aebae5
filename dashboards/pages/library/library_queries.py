"""Queries of the library: sections, tables, findings, periods and text pages of a document; mean quality and order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from dashboards.pages import read_queries
from warehouse.reader import Warehouse
from warehouse.records import BlockKind, CatalogEntry

_SQL = read_queries("library")

MOST_SECTIONS = 400
MOST_TABLES = 200
MOST_PERIODS = 24
PAGE_CHARACTERS = 8000  # Characters of a page of a document whose format has no pages.


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """A heading: its level from 1, its page where the format has pages, and its start in the text."""

    title: str
    level: int
    page: int | None
    start: int


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table: rows of its body, columns, the page it begins on where the format has pages, its start in the text."""

    number: int
    caption: str
    page: int | None
    rows: int
    columns: int
    start: int


@dataclass(frozen=True, slots=True)
class RuleCount:
    """The number of findings of a quality rule in a document."""

    code: str
    name: str
    severity: str
    count: int


@dataclass(frozen=True, slots=True)
class MentionedPeriod:
    """A half-open period and the number of its mentions in a document."""

    name: str
    start: date
    end: date
    mentions: int


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block of a document's text; `level` is that of a heading, else 0."""

    kind: BlockKind
    start: int
    end: int
    level: int


def list_sections(warehouse: Warehouse, document_id: str) -> list[OutlineSection]:
    """The first `MOST_SECTIONS` headings of a document."""
    rows = warehouse.snapshot.rows(_SQL["sections"], {"id": document_id, "most": MOST_SECTIONS})
    return [OutlineSection(*row) for row in rows]


def list_tables(warehouse: Warehouse, document_id: str) -> list[TableSummary]:
    """The first `MOST_TABLES` tables of a document."""
    return [
        TableSummary(*row) for row in warehouse.snapshot.rows(_SQL["tables"], {"id": document_id, "most": MOST_TABLES})
    ]


def count_findings(warehouse: Warehouse, document_id: str) -> list[RuleCount]:
    """The findings of a document, counted by rule, the most frequent first."""
    return [RuleCount(*row) for row in warehouse.snapshot.rows(_SQL["findings"], {"id": document_id})]


def list_periods(warehouse: Warehouse, document_id: str) -> list[MentionedPeriod]:
    """The `MOST_PERIODS` months, quarters, halves and years that a document mentions most often."""
    return [
        MentionedPeriod(*row)
        for row in warehouse.snapshot.rows(_SQL["periods"], {"id": document_id, "most": MOST_PERIODS})
    ]


def split_into_pages(warehouse: Warehouse, document_id: str) -> list[list[PageBlock]]:
    """The text of a document in pages of whole blocks, at most `PAGE_CHARACTERS` long unless one block is longer."""
    pages: list[list[PageBlock]] = []
    for kind, start, end, level in warehouse.snapshot.rows(_SQL["blocks"], {"id": document_id}):
        block = PageBlock(BlockKind(kind), start, end, level)
        if pages and block.end - pages[-1][0].start <= PAGE_CHARACTERS:
            pages[-1].append(block)
        else:
            pages.append([block])
    return pages


def page_at(pages: Sequence[Sequence[PageBlock]], offset: int) -> int:
    """The number, from 1, of the page with the character at this offset of the text."""
    return max(bisect_right([page[0].start for page in pages], offset), 1)


class DocumentOrder(StrEnum):
    """Orders of the list of documents, by the words that the page offers."""

    SOURCE = "file"
    TITLE = "title"
    NEWEST = "newest first"
    OLDEST = "oldest first"
    WORST = "lowest quality first"
    LONGEST = "most passages first"


def mean_qualities(warehouse: Warehouse) -> dict[str, float]:
    """The mean quality of each document's passages, 0 to 1, by its id; documents without passages are left out."""
    return {str(name): float(mean) for name, mean in warehouse.snapshot.rows(_SQL["quality"]) if mean is not None}


def sort_entries(
    entries: Iterable[CatalogEntry], quality: Mapping[str, float], order: DocumentOrder
) -> list[CatalogEntry]:
    """The documents in an order, equal ones by source; those without the value come last."""
    by_source = sorted(entries, key=lambda entry: entry.file.source)
    undated = {DocumentOrder.NEWEST: date.min, DocumentOrder.OLDEST: date.max}
    keys: dict[DocumentOrder, Callable[[CatalogEntry], object]] = {
        DocumentOrder.SOURCE: lambda entry: entry.file.source,
        DocumentOrder.TITLE: lambda entry: (entry.title or entry.file.path).casefold(),
        DocumentOrder.NEWEST: lambda entry: -(entry.document_date or undated[DocumentOrder.NEWEST]).toordinal(),
        DocumentOrder.OLDEST: lambda entry: (entry.document_date or undated[DocumentOrder.OLDEST]).toordinal(),
        DocumentOrder.WORST: lambda entry: quality.get(entry.document_id, 2.0),
        DocumentOrder.LONGEST: lambda entry: -entry.chunk_count,
    }
    return sorted(by_source, key=keys[order])  # type: ignore[arg-type]
