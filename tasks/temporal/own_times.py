"""What the running text of a document says of its own date, of its company's calendar and of the period it reports."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tasks.temporal.document import first_date
from tasks.temporal.fiscal_inference import calendar_by, evidence_in
from tasks.temporal.reported import reported_period
from warehouse.records import DateClaim, DateOrigin, Document


def with_own_times(document: Document) -> Document:
    """A document as its parser made it, with its first date, the month of its fiscal years, and what it reports on."""
    found = first_date(document.text)
    dates = (*document.dates, DateClaim(found, DateOrigin.TEXT)) if found else document.dates
    return _with_periods(replace(document, dates=dates))


def with_date(document: Document, day: date) -> Document:
    """A document as parsed whose date a person corrected: what its text says of time is read as written on that day."""
    return _with_periods(replace(document, dates=(DateClaim(day, DateOrigin.CORRECTED), *document.dates)))


def _with_periods(document: Document) -> Document:
    """A document with the month of its fiscal years and what it reports on, by its dates."""
    evidence = evidence_in(document)
    calendar = calendar_by(evidence)
    found = reported_period(document, calendar)
    attributes = replace(
        document.attributes,
        fiscal_year_start=calendar.first_month if calendar else None,
        year_ends=evidence,
        reported_text=found.text if found else "",
        reported_name=found.name if found else "",
        reported_start=found.start if found else None,
        reported_end=found.end if found else None,
    )
    return replace(document, attributes=attributes)
