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
from tasks.coverage import Company, Interval, list_companies
from warehouse.reader import Warehouse


def cached_companies(warehouse: Warehouse) -> list[Company]:
    """The companies of a warehouse, by name."""
    return _companies(str(warehouse.layout.folder), generation_key(warehouse), warehouse)


def cached_extent(warehouse: Warehouse) -> DateExtent | None:
    """The days of mentions and documents; None where there are neither."""
    return _extent(str(warehouse.layout.folder), generation_key(warehouse), warehouse)


def cached_names(warehouse: Warehouse, by: str) -> dict[str, str]:
    """The names of a grouping: each as documents write it, with its display name."""
    return _names(str(warehouse.layout.folder), generation_key(warehouse), by, warehouse)


def cached_interval(warehouse: Warehouse, query: TimelineQuery) -> Interval:
    """The finest interval with bars wide enough to see."""
    return _interval(str(warehouse.layout.folder), generation_key(warehouse), query, warehouse)


def cached_counts(warehouse: Warehouse, query: TimelineQuery, most_periods: int) -> TimelineCounts:
    """The counts of mentions and documents that a query selects."""
    return _counts(str(warehouse.layout.folder), generation_key(warehouse), query, most_periods, warehouse)


def generation_key(warehouse: Warehouse) -> str:
    """The manifest of the published generation: part of each cache key, it differs with every generation."""
    return warehouse.snapshot.generation.manifest.to_json()


def today() -> date:
    """The current day in UTC."""
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
def _interval(folder: str, state: str, query: TimelineQuery, _warehouse: Warehouse) -> Interval:
    return fitting_interval(_warehouse, query)


@st.cache_data(show_spinner=False, max_entries=32)
def _counts(folder: str, state: str, query: TimelineQuery, most_periods: int, _warehouse: Warehouse) -> TimelineCounts:
    return timeline_counts(_warehouse, query, most_periods)
