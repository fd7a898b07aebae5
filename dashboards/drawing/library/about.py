"""What is known of one document: its kind, date and size in a line, and everything as a list of facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from dashboards.drawing.escaping import text_html
from dashboards.facts.library.document import MentionedPeriod, RuleCount
from tasks.quality.wording import counted
from warehouse.records import CatalogEntry, DateOrigin, Status
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


def size_words(count: float) -> str:
    """A number of bytes as people write it."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"


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
