"""What the running text of a document says of its own date, of its company's calendar and of the period it reports."""

from __future__ import annotations

from dataclasses import replace

from tasks.temporal.document import first_date
from tasks.temporal.learning import calendar_by, evidence_in
from tasks.temporal.reported import reported_period
from warehouse.records import DateClaim, DateOrigin, Document


def with_own_times(document: Document) -> Document:
    """A document as its parser made it, with its first date, the month of its fiscal years, and what it reports on."""
    found = first_date(document.text)
    dates = (*document.dates, DateClaim(found, DateOrigin.TEXT)) if found else document.dates
    document = replace(document, dates=dates)
    evidence = evidence_in(document)
    calendar = calendar_by(evidence)
    period = reported_period(document, calendar)
    first_month = calendar.first_month if calendar else None
    attributes = replace(document.attributes, fiscal_year_start=first_month, year_ends=evidence)
    if period:
        attributes = replace(
            attributes,
            reported_text=period.text,
            reported_name=period.name,
            reported_start=period.start,
            reported_end=period.end,
        )
    return replace(document, attributes=attributes)
