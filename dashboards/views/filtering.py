"""The question and what its hits must satisfy, as the reader gives them; the page's address keeps all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

import streamlit as st

from dashboards.shapes.catalogue import Catalogue
from tasks.ask.days import span_of
from warehouse.errors import BadInput
from warehouse.records import Filters

COUNTS = (3, 5, 10, 20, 50)
FEW = 5
EARLIEST, LATEST = date(1, 1, 1), date(9999, 12, 31)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the reader wants to know."""

    text: str
    filters: Filters
    count: int


def asked_of(catalogue: Catalogue) -> Asked:
    """What is asked now. Raises `BadInput` for times that say nothing."""
    text = st.text_input(
        "Question",
        key="q",
        type="search",
        bind="query-params",
        icon=":material/search:",
        placeholder="Ask in your own words, or give names, figures, periods",
        label_visibility="collapsed",
    )
    filters, count = filters_of(catalogue)
    return Asked((text or "").strip(), filters, count)


def filters_of(catalogue: Catalogue) -> tuple[Filters, int]:
    """What hits must satisfy, and how many there may be. Raises `BadInput` for times that say nothing."""
    with st.container(key="filters"):
        kind, root, since, until, count = st.columns([3, 3, 2, 2, 1.3])
    kinds = kind.multiselect("Kind", catalogue.kinds, key="kind", bind="query-params", placeholder="Any kind")
    roots = root.multiselect("Root", catalogue.roots, key="root", bind="query-params", placeholder="Any root")
    first = _day(since, "Dated from", "since")
    last = _day(until, "Dated before", "until")
    hits = count.selectbox("Passages", COUNTS, COUNTS.index(FEW), key="k", bind="query-params")
    if first and last and first >= last:
        raise BadInput(f"no day lies from {first} to before {last}", "choose a later end")
    more = _more(catalogue)
    filters = Filters(
        kinds=tuple(kinds),
        roots=tuple(roots),
        since=first,
        until=last,
        during=span_of(more.during, datetime.now(UTC).date()) if more.during else None,
        topics=more.topics,
        journals=more.journals,
        paper_types=more.paper_types,
        tags=more.tags,
        languages=more.languages,
    )
    return filters, hits or FEW


@dataclass(frozen=True, slots=True)
class _More:
    """The filters that only some readers need."""

    during: str
    topics: tuple[str, ...]
    journals: tuple[str, ...]
    paper_types: tuple[str, ...]
    tags: tuple[str, ...]
    languages: tuple[str, ...]


def _more(catalogue: Catalogue) -> _More:
    with st.expander("More filters"):
        during = st.text_input(
            "Speaks of", key="during", bind="query-params", placeholder="A time: Q2 2023, last year, 2021-06-30"
        )
        return _More(
            (during or "").strip(),
            _any("Topic", "topic", catalogue.topics),
            _any("Journal", "journal", catalogue.journals),
            _any("Type of paper", "type", catalogue.paper_types),
            _any("Tag", "tag", catalogue.tags),
            _any("Language", "language", catalogue.languages),
        )


def _any(label: str, key: str, values: Sequence[str]) -> tuple[str, ...]:
    """The chosen ones of some values; nothing is drawn where there is nothing to choose."""
    if not values:
        return ()
    return tuple(st.multiselect(label, values, key=key, bind="query-params", placeholder="Any"))


def _day(column: st.delta_generator.DeltaGenerator, label: str, key: str) -> date | None:
    picked = column.date_input(
        label, None, EARLIEST, LATEST, key=key, format="YYYY-MM-DD", bind="query-params", help="The document's date"
    )
    return picked if isinstance(picked, date) else None
