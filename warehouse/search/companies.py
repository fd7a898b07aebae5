"""Whose fiscal calendar a question is to be read with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warehouse.records import Filters, Subject
from warehouse.records.fiscal import FiscalCalendar
from warehouse.search.filter_masks import allowed_rows
from warehouse.store.clocks import Clocks
from warehouse.store.snapshot import Snapshot


def fiscal_calendar(snapshot: Snapshot, subjects: Sequence[Subject], filters: Filters) -> FiscalCalendar | None:
    """The fiscal calendar of the documents that a question is about.

    Of those that satisfy the filters, the documents of its subjects; all, where these say nothing of it. Where their
    calendars differ by weeks alone, that of whole months; None where they differ by more: nobody can tell then which is
    meant.
    """
    clocks = snapshot.clocks
    rows = allowed_rows(snapshot, filters)
    allowed = np.zeros(len(clocks.calendar), np.bool_)
    allowed[snapshot.passages.document if rows is None else snapshot.passages.document[rows]] = True
    ordinals = snapshot.passages.ordinal_of
    named = np.zeros(len(clocks.calendar), np.bool_)
    named[[ordinals[document] for each in subjects for document in each.documents if document in ordinals]] = True
    for chosen in (allowed & named, allowed):
        if (clocks.first_month[chosen] > 0).any():
            return _common(clocks, chosen)
    return None


def _common(clocks: Clocks, chosen: np.ndarray) -> FiscalCalendar | None:
    places: set[int] = set(clocks.calendar[chosen].tolist()) - {-1}
    if len(places) == 1:
        return clocks.calendars[places.pop()]
    months = set(clocks.first_month[chosen].tolist()) - {0}
    if len(months) > 1:
        return None
    month = months.pop()
    by_start = {clocks.calendars[place].named_by_start for place in places}
    return FiscalCalendar((month - 2) % 12 + 1, "their documents agree on the month", named_by_start=by_start == {True})
