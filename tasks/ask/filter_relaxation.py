"""Relaxation of filters that leave nothing: a filter by time becomes a preference, a filter by names becomes words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import MAXYEAR, date

from warehouse.months import DAY
from warehouse.reader import Warehouse
from warehouse.records import Filters, Found, Question, SearchRequest, Window


def search_relaxing_times(warehouse: Warehouse, question: Question) -> Found:
    """Search; where the filters by time leave no hits, search all times, those near the filters' time first."""
    hits = warehouse.search(question)
    undated, missing = warehouse.undated_note(question.filters), warehouse.absences(question, hits)
    # A sentence that denies a period says both of its readings.
    notes = (*undated, *(missing or warehouse.reading_notes(question, hits)))
    demanded = _demanded(question.filters)
    if hits or not demanded:
        return Found(question, tuple(hits), notes)
    wider = replace(question, filters=question.filters.timeless, windows=(*question.windows, *demanded))
    hits = warehouse.search(wider)
    if not hits:
        return Found(question, (), notes)
    return Found(wider, tuple(hits), (_said(warehouse, question.filters, demanded), *warehouse.absences(wider, hits)))


def _said(warehouse: Warehouse, filters: Filters, demanded: Sequence[Window]) -> str:
    asked = " and ".join(window.text for window in demanded)
    near = " and ".join(warehouse.nearest(filters))
    return f"nothing falls in the time {asked}: these are of others{f'; nearest is {near}' if near else ''}"


def _demanded(filters: Filters) -> tuple[Window, ...]:
    """The times that filters demand, as windows."""
    windows = []
    if filters.during and any(filters.during):
        windows.append(_window(*filters.during))
    if filters.since or filters.until:
        windows.append(_window(filters.since, filters.until))
    if filters.years:
        first, last = filters.years
        # The last year there is has no day after it.
        windows.append(_window(date(first, 1, 1), date(last + 1, 1, 1) if last < MAXYEAR else None))
    if filters.as_of:
        windows.append(_window(None, filters.as_of + DAY))
    return tuple(windows)


def _window(start: date | None, end: date | None) -> Window:
    """A window with its days for its words."""
    sides = (f"from {start.isoformat()}" if start else "", f"up to {(end - DAY).isoformat()}" if end else "")
    return Window(start, end, text=" ".join(filter(None, sides)))


def without_name_filter(wanted: SearchRequest) -> SearchRequest:
    """The same without its filter by names, their words added to the question."""
    missing = [name for name in wanted.filters.names if name.lower() not in wanted.text.lower()]
    return replace(wanted, text=" ".join([wanted.text, *missing]), filters=replace(wanted.filters, names=()))


def with_missing_names_note(found: Found, wanted: SearchRequest) -> Found:
    """The hits with a note that the names were not found, where there are hits."""
    if not found.hits:
        return found
    names = " or ".join(repr(name) for name in wanted.filters.names)
    return replace(found, notes=(f"nothing names {names}: these are the nearest in words", *found.notes))
