"""Which time a document is of, in columns: when it was published and which period it reports, in days since 1970."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from warehouse.records.fiscal import FiscalCalendar
from warehouse.store.catalog import script
from warehouse.store.columns import fetched, filled_column
from warehouse.store.schemas import records_of

UNKNOWN = np.iinfo(np.int32).min
"""A day that nobody knows."""


@dataclass(frozen=True, eq=False)
class Clocks:
    """A row a document, in the order of `Passages.documents`.

    `published` is the document's date, `reported_start` and `reported_end` its reported period, half-open; `UNKNOWN`
    where it has none. `first_month` is the month, 1 to 12, in which its fiscal years begin, 0 if unknown; `early` says
    that they are named by the year that they begin in. `calendar` is the place of its company's among the `calendars`,
    -1 where none is known.
    """

    published: np.ndarray
    reported_start: np.ndarray
    reported_end: np.ndarray
    first_month: np.ndarray
    early: np.ndarray
    calendar: np.ndarray
    calendars: tuple[FiscalCalendar, ...] = ()


def clocks_of(connection: Any) -> Clocks:
    """The columns; the table `passages` must be there."""
    found = fetched(connection, script("clocks.sql"))
    held = connection.sql(script("fiscal_calendars.sql")).fetchall()
    calendar = np.full(len(found["published"]), -1)
    for place, (_, documents) in enumerate(held):
        calendar[documents] = place
    return Clocks(
        published=filled_column(found["published"], UNKNOWN),
        reported_start=filled_column(found["reported_start"], UNKNOWN),
        reported_end=filled_column(found["reported_end"], UNKNOWN),
        first_month=filled_column(found["first_month"], 0),
        early=filled_column(found["early"], 0).astype(np.bool_),
        calendar=calendar,
        calendars=records_of(FiscalCalendar, [row for row, _ in held]),
    )
