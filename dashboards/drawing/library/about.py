"""What is known of one document: its kind, date and size in a line, and everything as a list of facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from dashboards.drawing.escaping import plain
from dashboards.facts.library.document import Found, Period
from tasks.quality.wording import counted
from warehouse.records import DateOrigin, Holding, Status
from warehouse.records.year_end_rules import rule_of

Fact = tuple[str, str]
"""Its name and what it is."""


def facts_of(holding: Holding, file: Path, quality: float | None) -> list[Fact]:
    """Everything that is known and says something."""
    return [(name, words) for name, words in _facts(holding, file, quality) if words]


def facts_html(facts: Sequence[Fact]) -> str:
    """The facts, each with its name."""
    items = "".join(f"<dt>{plain(name)}</dt><dd>{plain(words)}</dd>" for name, words in facts)
    return f'<dl class="k-facts">{items}</dl>'


def headline_html(holding: Holding) -> str:
    """Its kind, company, date with where that is from, and size, in one line."""
    date = f"{holding.document_date}{_origin(holding)}" if holding.document_date else "no date"
    parts = [holding.kind.value.capitalize(), holding.attributes.company, date]
    parts += [f"about {holding.reported_name}"] if holding.reported_name else []
    parts += [counted(holding.total_pages, "page")] if holding.total_pages else []
    parts.append(counted(holding.chunk_count, "passage"))
    return f'<p class="k-where k-headline">{" · ".join(plain(part) for part in parts if part)}</p>'


def found_html(found: Sequence[Found]) -> str:
    """The rules that found something, each with how often."""
    items = "".join(
        f'<li><strong>{each.count}</strong> <span class="k-found-{each.severity}">{plain(each.name)}</span> '
        f"<small>{plain(each.code)}, {plain(each.severity)}</small></li>"
        for each in found
    )
    return f'<ul class="k-found">{items}</ul>'


def periods_html(periods: Sequence[Period]) -> str:
    """The periods that are mentioned, with their days as a title, and how often."""
    items = "".join(
        f'<li title="{each.start} to {each.end - timedelta(days=1)}">{plain(each.name)} '
        f"<small>{each.mentions}</small></li>"
        for each in periods
    )
    return f'<ul class="k-chips">{items}</ul>'


def size_of(count: float) -> str:
    """A number of bytes as people write it."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"


def _facts(holding: Holding, file: Path, quality: float | None) -> Iterator[Fact]:
    own = holding.attributes
    if holding.status is not Status.PUBLISHED:
        yield "Status", f"{holding.status.value}: {holding.reason}"
    yield "Kind", holding.kind.value
    yield "Date", f"{holding.document_date}{_origin(holding)}" if holding.document_date else "undated"
    if holding.reported_name:
        last = holding.reported_end - timedelta(days=1) if holding.reported_end else None
        yield "Period covered", f"{holding.reported_name}: {holding.reported_start} to {last}"
    yield "Company", own.company
    yield "Fiscal year end", str(rule_of(holding.fiscal_calendar)) if holding.fiscal_calendar else ""
    yield "Ticker", ", ".join(own.symbols)
    yield "Authors", ", ".join(holding.authors)
    yield "Journal", own.journal
    yield "Type of paper", own.paper_type
    yield "Identifiers", ", ".join(filter(None, (own.pmcid, own.pmid and f"PMID {own.pmid}", own.doi)))
    yield "Keywords", ", ".join((*own.keywords, *own.subjects))
    yield "Instructor", own.instructor
    yield "Lessons", str(len(own.lessons) or "")
    yield "Topic", own.topic
    yield "Tags", ", ".join(own.tags)
    yield "Also called", ", ".join(own.aliases)
    yield "Language", holding.language if holding.language != "und" else ""
    yield "Pages", f"{holding.total_pages:,}" if holding.total_pages else ""
    yield "Passages", f"{holding.chunk_count:,}" + ("" if quality is None else f", mean quality score {quality:.2f}")
    yield "Source", holding.file.source
    yield "File", f"{file} ({size_of(holding.file.size)})"


def _origin(holding: Holding) -> str:
    """Where the date is from, in brackets."""
    if holding.date_origin is DateOrigin.CORRECTED:
        return f" ({DateOrigin.CORRECTED})"
    return f" (from {holding.date_origin.value})" if holding.date_origin else ""
