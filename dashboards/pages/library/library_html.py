"""HTML of the library: facts and headline of a document, its outline, tables and text pages, and source folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from dashboards.html.passage_markup import passage_html
from dashboards.html.safe_text import line_html, list_html, text_html
from dashboards.pages.library.library_queries import MentionedPeriod, OutlineSection, PageBlock, RuleCount, TableSummary
from tasks.quality.phrases import counted, size_words
from warehouse.records import BlockKind, CatalogEntry, DateOrigin, Root, Status
from warehouse.records.fiscal import rule_of


def document_facts(entry: CatalogEntry, file: Path, quality: float | None) -> list[tuple[str, str]]:
    """The names and values of all facts that a document has. `quality` is the mean of its passages, 0 to 1."""
    return [fact for fact in _every_fact(entry, file, quality) if fact[1]]


def headline_html(entry: CatalogEntry) -> str:
    """Kind, company, date with its origin, and size of a document, in one line."""
    date = f"{entry.document_date}{_origin_words(entry)}" if entry.document_date else "no date"
    parts = [entry.kind.value.capitalize(), entry.attributes.company, date]
    parts += [f"about {entry.reported_name}"] if entry.reported_name else []
    parts += [counted(entry.total_pages, "page")] if entry.total_pages else []
    parts.append(counted(entry.chunk_count, "passage"))
    return line_html(parts, "k-where k-headline")


def findings_html(counts: Sequence[RuleCount]) -> str:
    """The quality rules with findings, each with their number."""
    items = [
        f'<strong>{each.count}</strong> <span class="k-found-{each.severity}">{text_html(each.name)}</span> '
        f"<small>{text_html(each.code)}, {text_html(each.severity)}</small>"
        for each in counts
    ]
    return list_html("k-found", items)


def periods_html(periods: Sequence[MentionedPeriod]) -> str:
    """The periods, each with its first and last day as a title and the number of its mentions."""
    items = "".join(
        f'<li title="{each.start} to {each.end - timedelta(days=1)}">{text_html(each.name)} '
        f"<small>{each.mentions}</small></li>"
        for each in periods
    )
    return f'<ul class="k-chips">{items}</ul>'


def _every_fact(entry: CatalogEntry, file: Path, quality: float | None) -> Iterator[tuple[str, str]]:
    attributes = entry.attributes
    if entry.status is not Status.PUBLISHED:
        yield "Status", f"{entry.status.value}: {entry.reason}"
    yield "Kind", entry.kind.value
    yield "Date", f"{entry.document_date}{_origin_words(entry)}" if entry.document_date else "undated"
    if entry.reported_name:
        last = entry.reported_end - timedelta(days=1) if entry.reported_end else None
        yield "Period covered", f"{entry.reported_name}: {entry.reported_start} to {last}"
    yield "Company", attributes.company
    yield "Fiscal year end", str(rule_of(entry.fiscal_calendar)) if entry.fiscal_calendar else ""
    yield "Ticker", ", ".join(attributes.symbols)
    yield "Authors", ", ".join(entry.authors)
    yield "Journal", attributes.journal
    yield "Type of paper", attributes.paper_type
    yield (
        "Identifiers",
        ", ".join(filter(None, (attributes.pmcid, attributes.pmid and f"PMID {attributes.pmid}", attributes.doi))),
    )
    yield "Keywords", ", ".join((*attributes.keywords, *attributes.subjects))
    yield "Instructor", attributes.instructor
    yield "Lessons", str(len(attributes.lessons) or "")
    yield "Topic", attributes.topic
    yield "Tags", ", ".join(attributes.tags)
    yield "Also called", ", ".join(attributes.aliases)
    yield "Language", entry.language if entry.language != "und" else ""
    yield "Pages", f"{entry.total_pages:,}" if entry.total_pages else ""
    yield "Passages", f"{entry.chunk_count:,}" + ("" if quality is None else f", mean quality score {quality:.2f}")
    yield "Source", entry.file.source
    yield "File", f"{file} ({size_words(entry.file.size)})"


def _origin_words(entry: CatalogEntry) -> str:
    """The origin of the document's date, in parentheses."""
    if entry.date_origin is DateOrigin.CORRECTED:
        return f" ({DateOrigin.CORRECTED})"
    return f" (from {entry.date_origin.value})" if entry.date_origin else ""


def source_folder_html(root: Root, documents: int, *, inbox: bool) -> str:
    """Name, number of documents, and path of a source folder; `inbox` is that of files added in the dashboard."""
    where = "files added in the dashboard" if inbox else str(root.folder)
    subset = f", only {counted(len(root.only), 'file')} of it" if root.only is not None else ""
    count = counted(documents, "document")
    return (
        f'<p class="k-folder"><strong>{text_html(root.name)}</strong> <small>{count}{subset}</small><br>'
        f"<small>{text_html(where)}</small></p>"
    )


def removal_help_html(root: str, file: Path) -> str:
    """Instructions to remove a document whose source folder Kalends does not change."""
    return (
        f"<p>This document comes from the folder <strong>{text_html(root)}</strong>. "
        "Kalends never changes files there: delete or move the file yourself, then press <em>Import again</em>.</p>"
        f"<p><small>{text_html(str(file))}</small></p>"
        "<p>To remove the whole folder from the library: <em>Library, Add documents, Folders, Remove</em>.</p>"
    )


_TOP_HEADING = 3  # Level of a document's top headings in HTML: h1 and h2 are headings of the dashboard.


def text_page_html(text: str, blocks: Sequence[PageBlock]) -> str:
    """A page of a document: `text` is that of the whole document, the blocks are spans of it."""
    html = "".join(_block_html(text[block.start : block.end], block) for block in blocks)
    return f'<div class="k-leaf" dir="auto">{html}</div>'


def _block_html(text: str, block: PageBlock) -> str:
    match block.kind:
        case BlockKind.HEADING:
            level = min(block.level + _TOP_HEADING - 1, 6)
            return f"<h{level}>{text_html(text)}</h{level}>"
        case BlockKind.TABLE:
            return passage_html(text, frozenset())
        case BlockKind.CODE:
            return f"<pre>{text_html(text)}</pre>"
        case BlockKind.FURNITURE:
            return f'<p class="k-furniture">{text_html(text)}</p>'
        case _:
            return f"<p>{text_html(text)}</p>"


DEEPEST = 6  # Levels below the top section that are indented more than the one above.


def outline_html(document_id: str, sections: Sequence[tuple[OutlineSection, int]], current: int | None) -> str:
    """The sections with the page that each begins on, indented by level; those of the `current` page are marked.

    Without a current page, for a document of one page, page numbers are left out.
    """
    top, items = min((section.level for section, _ in sections), default=1), ""
    for section, page in sections:
        mark = ' aria-current="true"' if page == current else ""
        number = "" if current is None else f"<small>{page}</small>"
        indent = f"padding-left:{min(section.level - top, DEEPEST) * 0.9:.1f}rem"
        items += f'<li style="{indent}"{mark}>{_page_link(document_id, page, section.title)}{number}</li>'
    return f'<nav class="k-outline" aria-label="Outline" tabindex="0"><ol>{items}</ol></nav>'


def tables_html(document_id: str, tables: Sequence[tuple[TableSummary, int]]) -> str:
    """The tables, each with its caption or number, its size, and the page that it begins on."""
    items = "".join(
        f"<li>{_page_link(document_id, page, table.caption or f'Table {table.number}')}"
        f"<small>{table.rows} × {table.columns}, page {page}</small></li>"
        for table, page in tables
    )
    return f'<nav class="k-outline" aria-label="Tables" tabindex="0"><ol>{items}</ol></nav>'


def _page_link(document_id: str, page: int, words: str) -> str:
    address = escape(f"?{urlencode({'document': document_id, 'page': page})}")
    return f'<a href="{address}" target="_self" data-leaf="{page}">{text_html(words)}</a>'
