"""What the running text of a document says of its own date and of its company's calendar."""

from __future__ import annotations

from dataclasses import replace

from tasks.temporal.document import first_date
from tasks.temporal.learning import calendar_of
from warehouse.records import DateClaim, DateOrigin, Document


def with_own_times(document: Document) -> Document:
    """A document as its parser made it, with the first date of its text and the month its fiscal years begin in."""
    found = first_date(document.text)
    dates = (*document.dates, DateClaim(found, DateOrigin.TEXT)) if found else document.dates
    calendar = calendar_of(document)
    start = calendar.first_month if calendar else None
    return replace(document, dates=dates, attributes=replace(document.attributes, fiscal_year_start=start))
