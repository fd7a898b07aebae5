"""Parts of a document that the library shows (facts, outline, tables, findings, periods, text pages) and their HTML."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from html import escape
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlencode

from dashboards.html.passage_markup import render_passage
from dashboards.html.safe_text import escape_text, render_line, render_list
from tasks.quality.phrases import format_count, format_size
from warehouse.reader import Warehouse
from warehouse.records import BlockKind, CatalogEntry, DateOrigin, Root, Status, get_page_unit
from warehouse.records.calendars import get_year_end_rule
from warehouse.store.catalog import read_queries

_SQL = read_queries(Path(__file__).with_name("queries.sql"))

MAX_SECTIONS = 400
MAX_TABLES = 200
MAX_PERIODS = 24
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


Part = TypeVar("Part", OutlineSection, TableSummary)


@dataclass(frozen=True, slots=True)
class DocumentView:
    """The parts of a document that its view shows. `pages` are those of its text; empty where pages are pictures."""

    sections: Sequence[OutlineSection]
    tables: Sequence[TableSummary]
    findings: Sequence[RuleCount]
    periods: Sequence[MentionedPeriod]
    pages: Sequence[Sequence[PageBlock]]

    def with_pages(self, parts: Sequence[Part]) -> list[tuple[Part, int]]:
        """Sections or tables, each with the number, from 1, of the page on which it begins."""
        return [(part, find_page_number(self.pages, part.start) if self.pages else part.page or 1) for part in parts]


def read_document(warehouse: Warehouse, document_id: str) -> DocumentView:
    """The first sections and tables of a document, its findings by rule and periods, the most frequent first."""
    snapshot, parameters = warehouse.snapshot, {"id": document_id}
    entry = snapshot.read_entries([document_id])[document_id]
    has_pictures = entry.total_pages and entry.file.path.lower().endswith(".pdf")
    return DocumentView(
        [OutlineSection(*row) for row in snapshot.query_rows(_SQL["sections"], {**parameters, "most": MAX_SECTIONS})],
        [TableSummary(*row) for row in snapshot.query_rows(_SQL["tables"], {**parameters, "most": MAX_TABLES})],
        [RuleCount(*row) for row in snapshot.query_rows(_SQL["findings"], parameters)],
        [MentionedPeriod(*row) for row in snapshot.query_rows(_SQL["periods"], {**parameters, "most": MAX_PERIODS})],
        () if has_pictures else split_into_pages(warehouse, document_id),
    )


def split_into_pages(warehouse: Warehouse, document_id: str) -> list[list[PageBlock]]:
    """The text of a document in pages of whole blocks, at most `PAGE_CHARACTERS` long unless one block is longer."""
    pages: list[list[PageBlock]] = []
    for kind, start, end, level in warehouse.snapshot.query_rows(_SQL["blocks"], {"id": document_id}):
        block = PageBlock(BlockKind(kind), start, end, level)
        if pages and block.end - pages[-1][0].start <= PAGE_CHARACTERS:
            pages[-1].append(block)
        else:
            pages.append([block])
    return pages


def find_page_number(pages: Sequence[Sequence[PageBlock]], offset: int) -> int:
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


def compute_mean_qualities(warehouse: Warehouse) -> dict[str, float]:
    """The mean quality of each document's passages, 0 to 1, by its id; documents without passages are left out."""
    return {str(name): float(mean) for name, mean in warehouse.snapshot.query_rows(_SQL["quality"]) if mean is not None}


def sort_entries(
    entries: Iterable[CatalogEntry], quality: Mapping[str, float], order: DocumentOrder
) -> list[CatalogEntry]:
    """The documents in an order, equal ones by source; those without the value come last."""
    keys: dict[DocumentOrder, Callable[[CatalogEntry], object]] = {
        DocumentOrder.SOURCE: lambda entry: entry.file.source,
        DocumentOrder.TITLE: lambda entry: (entry.title or entry.file.path).casefold(),
        DocumentOrder.NEWEST: lambda entry: -(entry.document_date or date.min).toordinal(),
        DocumentOrder.OLDEST: lambda entry: (entry.document_date or date.max).toordinal(),
        DocumentOrder.WORST: lambda entry: quality.get(entry.document_id, 2.0),
        DocumentOrder.LONGEST: lambda entry: -entry.chunk_count,
    }
    by_source = sorted(entries, key=lambda entry: entry.file.source)
    return sorted(by_source, key=keys[order])  # type: ignore[arg-type]


def list_document_facts(entry: CatalogEntry, file: Path, quality: float | None) -> list[tuple[str, str]]:
    """The names and values of all facts that a document has. `quality` is the mean of its passages, 0 to 1."""
    attributes, calendar = entry.attributes, entry.fiscal_calendar
    last = entry.reported_end - timedelta(days=1) if entry.reported_end else None
    pmid = attributes.pmid and f"PMID {attributes.pmid}"
    facts = (
        ("Status", "" if entry.status is Status.PUBLISHED else f"{entry.status.value}: {entry.reason}"),
        ("Kind", entry.kind.value),
        ("Date", f"{entry.document_date}{_describe_origin(entry)}" if entry.document_date else "undated"),
        ("Period covered", entry.reported_name and f"{entry.reported_name}: {entry.reported_start} to {last}"),
        ("Company", attributes.company),
        ("Fiscal year end", str(get_year_end_rule(calendar)) if calendar else ""),
        ("Ticker", ", ".join(attributes.symbols)),
        ("Authors", ", ".join(entry.authors)),
        ("Journal", attributes.journal),
        ("Type of paper or report", attributes.paper_type),
        ("Identifiers", ", ".join(filter(None, (attributes.pmcid, pmid, attributes.doi)))),
        ("Keywords", ", ".join((*attributes.keywords, *attributes.subjects))),
        ("Instructor", attributes.instructor),
        ("Lessons", str(len(attributes.lessons) or "")),
        ("Topic", attributes.topic),
        ("Tags", ", ".join(attributes.tags)),
        ("Also called", ", ".join(attributes.aliases)),
        ("Language", entry.language if entry.language != "und" else ""),
        ("Pages", f"{entry.total_pages:,}" if entry.total_pages else ""),
        ("Passages", f"{entry.chunk_count:,}" + ("" if quality is None else f", mean quality score {quality:.2f}")),
        ("Source", entry.file.source),
        ("File", f"{file} ({format_size(entry.file.size)})"),
    )
    return [fact for fact in facts if fact[1]]


def render_headline(entry: CatalogEntry) -> str:
    """Kind, company, date with its origin, and size of a document, in one line."""
    date = f"{entry.document_date}{_describe_origin(entry)}" if entry.document_date else "no date"
    parts = [entry.kind.value.capitalize(), entry.attributes.company, date]
    parts += [f"about {entry.reported_name}"] if entry.reported_name else []
    parts += [format_count(entry.total_pages, get_page_unit(entry.media_type))] if entry.total_pages else []
    parts.append(format_count(entry.chunk_count, "passage"))
    return render_line(parts, "k-where k-headline")


def render_findings(counts: Sequence[RuleCount]) -> str:
    """The quality rules with findings, each with their number."""
    items = [
        f'<strong>{count.count}</strong> <span class="k-found-{count.severity}">{escape_text(count.name)}</span> '
        f"<small>{escape_text(count.code)}, {escape_text(count.severity)}</small>"
        for count in counts
    ]
    return render_list("k-found", items)


def render_periods(periods: Sequence[MentionedPeriod]) -> str:
    """The periods, each with its first and last day as a title and the number of its mentions."""
    items = "".join(
        f'<li title="{period.start} to {period.end - timedelta(days=1)}">{escape_text(period.name)} '
        f"<small>{period.mentions}</small></li>"
        for period in periods
    )
    return f'<ul class="k-chips">{items}</ul>'


def _describe_origin(entry: CatalogEntry) -> str:
    if entry.date_origin is DateOrigin.CORRECTED:
        return f" ({DateOrigin.CORRECTED})"
    return f" (from {entry.date_origin.value})" if entry.date_origin else ""


def render_source_folder(root: Root, documents: int, *, inbox: bool) -> str:
    """Name, number of documents, and path of a source folder; `inbox` is that of files added in the dashboard."""
    where = "files added in the dashboard" if inbox else str(root.folder)
    subset = f", only {format_count(len(root.only), 'file')} of it" if root.only is not None else ""
    count = format_count(documents, "document")
    return (
        f'<p class="k-folder"><strong>{escape_text(root.name)}</strong> <small>{count}{subset}</small><br>'
        f"<small>{escape_text(where)}</small></p>"
    )


def render_removal_help(root: str, file: Path) -> str:
    """Instructions to remove a document whose source folder Kalends does not change."""
    return (
        f"<p>This document comes from the folder <strong>{escape_text(root)}</strong>. "
        "Kalends never changes files there: delete or move the file yourself, then press <em>Import again</em>.</p>"
        f"<p><small>{escape_text(str(file))}</small></p>"
        "<p>To remove the whole folder from the library: <em>Library, Add documents, Folders, Remove</em>.</p>"
    )


_TOP_HEADING = 3  # Level of a document's top headings in HTML: h1 and h2 are headings of the dashboard.


def render_text_page(text: str, blocks: Sequence[PageBlock]) -> str:
    """A page of a document: `text` is that of the whole document, the blocks are spans of it."""
    html = "".join(_render_block(text[block.start : block.end], block) for block in blocks)
    return f'<div class="k-leaf" dir="auto">{html}</div>'


def _render_block(text: str, block: PageBlock) -> str:
    match block.kind:
        case BlockKind.HEADING:
            level = min(block.level + _TOP_HEADING - 1, 6)
            return f"<h{level}>{escape_text(text)}</h{level}>"
        case BlockKind.TABLE:
            return render_passage(text, frozenset())
        case BlockKind.CODE:
            return f"<pre>{escape_text(text)}</pre>"
        case BlockKind.FURNITURE:
            return f'<p class="k-furniture">{escape_text(text)}</p>'
        case _:
            return f"<p>{escape_text(text)}</p>"


MAX_INDENT_LEVEL = 6  # Levels below the top section that are indented more than the one above.


def render_outline(document_id: str, sections: Sequence[tuple[OutlineSection, int]], current: int | None) -> str:
    """The sections with their pages, indented by level; those of the `current` page are marked, without it no pages."""
    top, items = min((section.level for section, _ in sections), default=1), ""
    for section, page in sections:
        mark = ' aria-current="true"' if page == current else ""
        number = "" if current is None else f"<small>{page}</small>"
        indent = f"padding-left:{min(section.level - top, MAX_INDENT_LEVEL) * 0.9:.1f}rem"
        items += f'<li style="{indent}"{mark}>{_render_page_link(document_id, page, section.title)}{number}</li>'
    return f'<nav class="k-outline" aria-label="Outline" tabindex="0"><ol>{items}</ol></nav>'


def render_tables(document_id: str, tables: Sequence[tuple[TableSummary, int]]) -> str:
    """The tables, each with its caption or number, its size, and the page that it begins on."""
    items = "".join(
        f"<li>{_render_page_link(document_id, page, table.caption or f'Table {table.number}')}"
        f"<small>{table.rows} × {table.columns}, page {page}</small></li>"
        for table, page in tables
    )
    return f'<nav class="k-outline" aria-label="Tables" tabindex="0"><ol>{items}</ol></nav>'


def _render_page_link(document_id: str, page: int, words: str) -> str:
    address = escape(f"?{urlencode({'document': document_id, 'page': page})}")
    return f'<a href="{address}" target="_self" data-leaf="{page}">{escape_text(words)}</a>'
