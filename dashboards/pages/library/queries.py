"""Queries of the library: sections, tables, findings, periods and text pages of a document; mean quality and order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from warehouse.reader import Warehouse
from warehouse.records import BlockKind, CatalogEntry

MOST_SECTIONS = 400
MOST_TABLES = 200
MOST_PERIODS = 24
PAGE_CHARACTERS = 8000
"""Characters of a piece of text that is shown at once, as far as blocks allow."""

_SECTIONS = """
    SELECT section[-1], greatest(level, 1), page, start FROM blocks
    WHERE document_id = $id AND kind = 'heading' AND len(section) > 0 ORDER BY start LIMIT $most
"""
_TABLES = """
    SELECT number, caption, parts[1].page, len(rows) - header_rows, coalesce(len(rows[1]), 0), start FROM tables
    WHERE document_id = $id ORDER BY number LIMIT $most
"""
_FINDINGS = """
    SELECT code, name, severity, count(*) AS often FROM findings
    WHERE document_id = $id GROUP BY ALL ORDER BY often DESC, code
"""
_PERIODS = """
    SELECT period, start_date, end_date, sum(mentions)::BIGINT AS often FROM timeline
    WHERE document_id = $id AND grain IN ('year', 'half', 'quarter', 'month') AND period NOT LIKE 'P%' GROUP BY ALL
    ORDER BY often DESC, start_date DESC LIMIT $most
"""
_BLOCKS = 'SELECT kind, start, "end", level FROM blocks WHERE document_id = $id ORDER BY start'


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """A heading: its depth from 1, the page it stands on, if there are pages, and where it begins in the text."""

    title: str
    level: int
    page: int | None
    start: int


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table in short: the rows of its body, its columns, and the page it begins on, if there are pages."""

    number: int
    caption: str
    page: int | None
    rows: int
    columns: int
    start: int


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How often a rule was found in the document."""

    code: str
    name: str
    severity: str
    count: int


@dataclass(frozen=True, slots=True)
class MentionedPeriod:
    """A half-open time that the document names, and how often."""

    name: str
    start: date
    end: date
    mentions: int


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block of the text: `level` is the depth of a heading, else 0."""

    kind: BlockKind
    start: int
    end: int
    level: int


def list_sections(warehouse: Warehouse, document_id: str) -> list[OutlineSection]:
    """Its headings in order, the first `MOST_SECTIONS`."""
    found = warehouse.snapshot.rows(_SECTIONS, {"id": document_id, "most": MOST_SECTIONS})
    return [OutlineSection(*row) for row in found]


def list_tables(warehouse: Warehouse, document_id: str) -> list[TableSummary]:
    """Its tables in order, the first `MOST_TABLES`."""
    return [TableSummary(*row) for row in warehouse.snapshot.rows(_TABLES, {"id": document_id, "most": MOST_TABLES})]


def count_findings(warehouse: Warehouse, document_id: str) -> list[RuleCount]:
    """What the rules found in it, the most frequent first."""
    return [RuleCount(*row) for row in warehouse.snapshot.rows(_FINDINGS, {"id": document_id})]


def list_periods(warehouse: Warehouse, document_id: str) -> list[MentionedPeriod]:
    """The months, quarters, halves and years that it names most often."""
    return [
        MentionedPeriod(*row) for row in warehouse.snapshot.rows(_PERIODS, {"id": document_id, "most": MOST_PERIODS})
    ]


def split_into_pages(warehouse: Warehouse, document_id: str) -> list[list[PageBlock]]:
    """Split its text into pages of whole blocks of about `PAGE_CHARACTERS`; a longer block is a page of its own."""
    found: list[list[PageBlock]] = []
    for kind, start, end, level in warehouse.snapshot.rows(_BLOCKS, {"id": document_id}):
        piece = PageBlock(BlockKind(kind), start, end, level)
        if found and piece.end - found[-1][0].start <= PAGE_CHARACTERS:
            found[-1].append(piece)
        else:
            found.append([piece])
    return found


def page_at(pages: Sequence[Sequence[PageBlock]], place: int) -> int:
    """The number, from 1, of the leaf that a place of the text stands in."""
    return max(bisect_right([leaf[0].start for leaf in pages], place), 1)


_QUALITY = "SELECT document_id, avg(quality_score) FROM scores GROUP BY document_id"


class DocumentOrder(StrEnum):
    """By what documents are ordered."""

    SOURCE = "file"
    TITLE = "title"
    NEWEST = "newest first"
    OLDEST = "oldest first"
    WORST = "lowest quality first"
    LONGEST = "most passages first"


def mean_qualities(warehouse: Warehouse) -> dict[str, float]:
    """The mean quality of each document's passages, 0 to 1, by its id; those without passages have none."""
    return {str(name): float(mean) for name, mean in warehouse.snapshot.rows(_QUALITY) if mean is not None}


def sort_entries(
    entries: Iterable[CatalogEntry], quality: Mapping[str, float], order: DocumentOrder
) -> list[CatalogEntry]:
    """The documents in some order, of equals those of the first source first; what has no value comes last."""
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
