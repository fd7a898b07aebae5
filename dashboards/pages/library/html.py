"""HTML of the library: facts and headline of a document, its outline, tables and text pages, and source folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from dashboards.html.passages import passage_html
from dashboards.html.text import text_html
from dashboards.pages.library.queries import MentionedPeriod, OutlineSection, PageBlock, RuleCount, TableSummary
from tasks.quality.wording import counted, size_words
from warehouse.records import BlockKind, CatalogEntry, DateOrigin, Root, Status
from warehouse.records.year_end_rules import rule_of

Fact = tuple[str, str]
"""Its name and what it is."""


def document_facts(entry: CatalogEntry, file: Path, quality: float | None) -> list[Fact]:
    """Everything that is known and says something."""
    return [(name, words) for name, words in _every_fact(entry, file, quality) if words]


def document_facts_html(facts: Sequence[Fact]) -> str:
    """The facts, each with its name."""
    items = "".join(f"<dt>{text_html(name)}</dt><dd>{text_html(words)}</dd>" for name, words in facts)
    return f'<dl class="k-facts">{items}</dl>'


def headline_html(entry: CatalogEntry) -> str:
    """Its kind, company, date with where that is from, and size, in one line."""
    date = f"{entry.document_date}{_origin_words(entry)}" if entry.document_date else "no date"
    parts = [entry.kind.value.capitalize(), entry.attributes.company, date]
    parts += [f"about {entry.reported_name}"] if entry.reported_name else []
    parts += [counted(entry.total_pages, "page")] if entry.total_pages else []
    parts.append(counted(entry.chunk_count, "passage"))
    return f'<p class="k-where k-headline">{" · ".join(text_html(part) for part in parts if part)}</p>'


def findings_html(found: Sequence[RuleCount]) -> str:
    """The rules that found something, each with how often."""
    items = "".join(
        f'<li><strong>{each.count}</strong> <span class="k-found-{each.severity}">{text_html(each.name)}</span> '
        f"<small>{text_html(each.code)}, {text_html(each.severity)}</small></li>"
        for each in found
    )
    return f'<ul class="k-found">{items}</ul>'


def periods_html(periods: Sequence[MentionedPeriod]) -> str:
    """The periods that are mentioned, with their days as a title, and how often."""
    items = "".join(
        f'<li title="{each.start} to {each.end - timedelta(days=1)}">{text_html(each.name)} '
        f"<small>{each.mentions}</small></li>"
        for each in periods
    )
    return f'<ul class="k-chips">{items}</ul>'


def _every_fact(entry: CatalogEntry, file: Path, quality: float | None) -> Iterator[Fact]:
    own = entry.attributes
    if entry.status is not Status.PUBLISHED:
        yield "Status", f"{entry.status.value}: {entry.reason}"
    yield "Kind", entry.kind.value
    yield "Date", f"{entry.document_date}{_origin_words(entry)}" if entry.document_date else "undated"
    if entry.reported_name:
        last = entry.reported_end - timedelta(days=1) if entry.reported_end else None
        yield "Period covered", f"{entry.reported_name}: {entry.reported_start} to {last}"
    yield "Company", own.company
    yield "Fiscal year end", str(rule_of(entry.fiscal_calendar)) if entry.fiscal_calendar else ""
    yield "Ticker", ", ".join(own.symbols)
    yield "Authors", ", ".join(entry.authors)
    yield "Journal", own.journal
    yield "Type of paper", own.paper_type
    yield "Identifiers", ", ".join(filter(None, (own.pmcid, own.pmid and f"PMID {own.pmid}", own.doi)))
    yield "Keywords", ", ".join((*own.keywords, *own.subjects))
    yield "Instructor", own.instructor
    yield "Lessons", str(len(own.lessons) or "")
    yield "Topic", own.topic
    yield "Tags", ", ".join(own.tags)
    yield "Also called", ", ".join(own.aliases)
    yield "Language", entry.language if entry.language != "und" else ""
    yield "Pages", f"{entry.total_pages:,}" if entry.total_pages else ""
    yield "Passages", f"{entry.chunk_count:,}" + ("" if quality is None else f", mean quality score {quality:.2f}")
    yield "Source", entry.file.source
    yield "File", f"{file} ({size_words(entry.file.size)})"


def _origin_words(entry: CatalogEntry) -> str:
    """Where the date is from, in brackets."""
    if entry.date_origin is DateOrigin.CORRECTED:
        return f" ({DateOrigin.CORRECTED})"
    return f" (from {entry.date_origin.value})" if entry.date_origin else ""


def source_folder_html(root: Root, documents: int, *, inbox: bool) -> str:
    """Its name, how many documents it has, and where it lies, unless it is the warehouse's own `inbox`."""
    where = "files added in the dashboard" if inbox else str(root.folder)
    some = f", only {counted(len(root.only), 'file')} of it" if root.only is not None else ""
    count = counted(documents, "document")
    return (
        f'<p class="k-folder"><strong>{text_html(root.name)}</strong> <small>{count}{some}</small><br>'
        f"<small>{text_html(where)}</small></p>"
    )


def removal_help_html(root: str, file: Path) -> str:
    """How to remove a document that comes from a folder of its owner's."""
    return (
        f"<p>This document comes from the folder <strong>{text_html(root)}</strong>. "
        "Kalends never changes files there: delete or move the file yourself, then press <em>Import again</em>.</p>"
        f"<p><small>{text_html(str(file))}</small></p>"
        "<p>To remove the whole folder from the library: <em>Library, Add documents, Folders, Remove</em>.</p>"
    )


_TOP_HEADING = 3
"""The level that the uppermost heading has on a page of ours, which has headings of its own."""


def text_page_html(text: str, pieces: Sequence[PageBlock]) -> str:
    """The blocks of `text` that the pieces name, in order."""
    drawn = "".join(_block_html(text[piece.start : piece.end], piece) for piece in pieces)
    return f'<div class="k-leaf" dir="auto">{drawn}</div>'


def _block_html(text: str, piece: PageBlock) -> str:
    match piece.kind:
        case BlockKind.HEADING:
            level = min(piece.level + _TOP_HEADING - 1, 6)
            return f"<h{level}>{text_html(text)}</h{level}>"
        case BlockKind.TABLE:
            return passage_html(text, frozenset())
        case BlockKind.CODE:
            return f"<pre>{text_html(text)}</pre>"
        case BlockKind.FURNITURE:
            return f'<p class="k-furniture">{text_html(text)}</p>'
        case _:
            return f"<p>{text_html(text)}</p>"


DEEPEST = 6


def outline_html(document_id: str, sections: Sequence[tuple[OutlineSection, int]], here: int | None) -> str:
    """Each section, indented by its depth, with the number of its leaf; those of the leaf `here` are marked.

    None where there is but one leaf.
    """
    top = min((section.level for section, _ in sections), default=1)
    items = "".join(_section_html(document_id, section, leaf, here, top) for section, leaf in sections)
    return f'<nav class="k-outline" aria-label="Outline" tabindex="0"><ol>{items}</ol></nav>'


def tables_html(document_id: str, tables: Sequence[tuple[TableSummary, int]]) -> str:
    """Each table: its number and caption, its size, and the leaf that it begins on."""
    items = "".join(
        f"<li>{_page_link(document_id, leaf, table.caption or f'Table {table.number}')}"
        f"<small>{table.rows} × {table.columns}, page {leaf}</small></li>"
        for table, leaf in tables
    )
    return f'<nav class="k-outline" aria-label="Tables" tabindex="0"><ol>{items}</ol></nav>'


def _section_html(document_id: str, section: OutlineSection, leaf: int, here: int | None, top: int) -> str:
    depth = min(section.level - top, DEEPEST)
    number = "" if here is None else f"<small>{leaf}</small>"
    mark = ' aria-current="true"' if leaf == here else ""
    link = _page_link(document_id, leaf, section.title)
    return f'<li style="padding-left:{depth * 0.9:.1f}rem"{mark}>{link}{number}</li>'


def _page_link(document_id: str, leaf: int, words: str) -> str:
    address = escape(f"?{urlencode({'document': document_id, 'page': leaf})}")
    return f'<a href="{address}" target="_self" data-leaf="{leaf}">{text_html(words)}</a>'
