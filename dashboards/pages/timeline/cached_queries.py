"""Queries of the timeline, cached for each generation of a warehouse."""

from __future__ import annotations

from datetime import UTC, date, datetime

import streamlit as st

from dashboards.pages.timeline.queries import (
    DateExtent,
    TimelineCounts,
    TimelineQuery,
    date_extent,
    fitting_interval,
    group_names,
    timeline_counts,
)
from tasks.coverage.calendar import Interval
from tasks.coverage.companies import Company, list_companies
from warehouse.reader import Warehouse


def known_companies(warehouse: Warehouse) -> list[Company]:
    """The companies, by name."""
    return _companies(str(warehouse.layout.folder), state_of(warehouse), warehouse)


def known_extent(warehouse: Warehouse) -> DateExtent | None:
    """Which days are mentioned; None where none is and no document has a date."""
    return _extent(str(warehouse.layout.folder), state_of(warehouse), warehouse)


def known_names(warehouse: Warehouse, by: str) -> dict[str, str]:
    """The names that bars are grouped by, each with the one that is shown for it."""
    return _names(str(warehouse.layout.folder), state_of(warehouse), by, warehouse)


def known_interval(warehouse: Warehouse, shown: TimelineQuery) -> Interval:
    """The interval that fits what is drawn."""
    return _interval(str(warehouse.layout.folder), state_of(warehouse), shown, warehouse)


def known_over_time(warehouse: Warehouse, shown: TimelineQuery, most_periods: int) -> TimelineCounts:
    """What is drawn."""
    return _over_time(str(warehouse.layout.folder), state_of(warehouse), shown, most_periods, warehouse)


def state_of(warehouse: Warehouse) -> str:
    """What changes with each generation of a warehouse."""
    return warehouse.snapshot.generation.manifest.to_json()


def today() -> date:
    """The day in UTC."""
    return datetime.now(UTC).date()


@st.cache_data(show_spinner=False, max_entries=4)
def _companies(folder: str, state: str, _warehouse: Warehouse) -> list[Company]:
    return list_companies(_warehouse)


@st.cache_data(show_spinner=False, max_entries=4)
def _extent(folder: str, state: str, _warehouse: Warehouse) -> DateExtent | None:
    return date_extent(_warehouse)


@st.cache_data(show_spinner=False, max_entries=16)
def _names(folder: str, state: str, by: str, _warehouse: Warehouse) -> dict[str, str]:
    return group_names(_warehouse, by)


@st.cache_data(show_spinner=False, max_entries=64)
def _interval(folder: str, state: str, shown: TimelineQuery, _warehouse: Warehouse) -> Interval:
    return fitting_interval(_warehouse, shown)


@st.cache_data(show_spinner=False, max_entries=32)
def _over_time(
    folder: str, state: str, shown: TimelineQuery, most_periods: int, _warehouse: Warehouse
) -> TimelineCounts:
    return timeline_counts(_warehouse, shown, most_periods)
