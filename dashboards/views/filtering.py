"""What hits must satisfy, as the reader gives it: values of the catalogue, and times; the address keeps all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

import streamlit as st

from dashboards.shapes.catalogue import Catalogue, named
from dashboards.shapes.documents import documents_meant
from dashboards.views import state
from dashboards.views.periods import pick_period
from tasks.ask.days import span_of
from warehouse.errors import BadInput
from warehouse.records import Filters

COUNTS = (3, 5, 10, 20, 50)
EARLIEST, LATEST = date(1, 1, 1), date(9999, 12, 31)
MOST_OFFERED = 500
"""Documents and companies to pick from; a name of any other can be typed."""


def filters_of(page: str, catalogue: Catalogue) -> tuple[Filters, int]:
    """What hits must satisfy, and how many there may be. Raises `BadInput` for what says nothing."""
    with st.container(key="filters"):
        kind, document, during, count = st.columns([2.5, 3.5, 4, 1.3], vertical_alignment="bottom")
    kinds = kind.multiselect(
        "Kind", catalogue.kinds, key=state.key(page, "kind"), bind="query-params", placeholder="Any kind"
    )
    with document:
        documents = _documents(page, catalogue)
    with during:
        spoken = pick_period(page)
    hits = count.selectbox(
        "Passages", COUNTS, COUNTS.index(state.default(page, "k")), key=state.key(page, "k"), bind="query-params"
    )
    more = _more(page, catalogue)
    filters = Filters(
        kinds=tuple(kinds),
        roots=more.roots,
        documents=documents_meant(catalogue.holdings, documents, more.companies),
        since=more.since,
        until=more.until,
        during=span_of(spoken, datetime.now(UTC).date()) if spoken else None,
        topics=more.topics,
        journals=more.journals,
        paper_types=more.paper_types,
        tags=more.tags,
        languages=more.languages,
        names=(more.name,) if more.name else (),
    )
    return filters, hits or state.default(page, "k")


_FEW_NEED = ("since", "until", "about", "root", "company", "topic", "journal", "type", "tag", "language")


def _is_set(page: str, name: str) -> bool:
    """Whether the reader or the address says something there: what counts is to be seen."""
    return bool(state.value(page, name)) or state.key(page, name) in st.query_params


@dataclass(frozen=True, slots=True)
class _More:
    """The filters that only some readers need."""

    since: date | None
    until: date | None
    name: str
    roots: tuple[str, ...]
    companies: tuple[str, ...]
    topics: tuple[str, ...]
    journals: tuple[str, ...]
    paper_types: tuple[str, ...]
    tags: tuple[str, ...]
    languages: tuple[str, ...]


def _more(page: str, catalogue: Catalogue) -> _More:
    with st.expander("More filters", expanded=any(_is_set(page, name) for name in _FEW_NEED), key=f"{page}-more"):
        since, until, name = st.columns([1, 1, 2])
        first, last = _day(page, since, "Dated from", "since"), _day(page, until, "Dated before", "until")
        if first and last and first >= last:
            raise BadInput(f"no day lies from {first} to before {last}", "choose a later end")
        about = name.text_input(
            "About", key=state.key(page, "about"), bind="query-params", placeholder="A name that is to stand there"
        )
        companies = named(holding.attributes.company for holding in catalogue.holdings)
        with st.container(key="values"):
            return _More(
                first,
                last,
                (about or "").strip(),
                _any(page, "Root", "root", catalogue.roots),
                _any(page, "Company", "company", companies),
                _any(page, "Topic", "topic", catalogue.topics),
                _any(page, "Journal", "journal", catalogue.journals),
                _any(page, "Type of paper", "type", catalogue.paper_types),
                _any(page, "Tag", "tag", catalogue.tags),
                _any(page, "Language", "language", catalogue.languages),
            )


def _documents(page: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Documents as the reader names them: by the source, the id, or words of the title."""
    sources = [holding.file.source for holding in catalogue.holdings if holding.chunk_count]
    said = st.multiselect(
        "Document",
        sources[:MOST_OFFERED],
        key=state.key(page, "document"),
        bind="query-params",
        accept_new_options=True,
        placeholder="Any document",
        help="Choose one, or type words of its title or source.",
    )
    return tuple(str(each) for each in said)


def _any(page: str, label: str, name: str, values: Sequence[str]) -> tuple[str, ...]:
    """The chosen ones of some values; nothing is drawn where there is nothing to choose."""
    if not values:
        return ()
    typed = len(values) > MOST_OFFERED
    return tuple(
        st.multiselect(
            label,
            values[:MOST_OFFERED],
            key=state.key(page, name),
            bind="query-params",
            placeholder="Any",
            accept_new_options=typed,
        )
    )


def _day(page: str, column: st.delta_generator.DeltaGenerator, label: str, name: str) -> date | None:
    picked = column.date_input(
        label,
        None,
        EARLIEST,
        LATEST,
        key=state.key(page, name),
        format="YYYY-MM-DD",
        bind="query-params",
        help="The document's date",
    )
    return picked if isinstance(picked, date) else None
