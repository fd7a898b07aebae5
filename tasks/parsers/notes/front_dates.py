"""The dates that the properties of a note give, in whatever form they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime

from tasks.parsers.date_headings import entry_date
from tasks.parsers.notes.front_matter import prop, values
from tasks.parsers.prose import make_date
from warehouse.records import DateClaim, DateOrigin

KEYS = (
    "date", "published", "publish_date", "pubdate", "created", "date created", "date_created", "created_at", "clipped",
    "start", "day", "updated", "date modified", "date_modified", "updated_at", "modified", "last_modified", "lastmod",
)  # fmt: skip
"""The names of properties that say when a note is from, the surest first."""

_COMPACT = re.compile(r"((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?\d{4,6})?")
_MONTH = re.compile(r"((?:19|20)\d{2})(?:[-/.](\d{1,2}))?")


def dates(properties: Mapping[str, object], order: str) -> list[DateClaim]:
    """The dates under the usual names, the surest name first; `order` is `Attributes.day_order` of the note."""
    days = (_day(prop(properties, name), order) for name in KEYS)
    return [DateClaim(day, DateOrigin.FRONT_MATTER) for day in days if day]


def _day(value: object, order: str) -> date | None:
    """The first date in it; of a month or a year that stands alone, its first day."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    text = next(values(value), "").strip("'\" ")
    if compact := _COMPACT.fullmatch(text):
        return make_date(*map(int, compact.groups()))
    if alone := _MONTH.fullmatch(text):
        return make_date(int(alone[1]), int(alone[2] or 1), 1)
    return entry_date(text, order)
