"""What hits must satisfy, as a line of chips: each opens the choice, shows what is chosen, and can be cleared.

The address keeps all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.serializers.catalogue import LibraryCatalogue, distinct_values
from dashboards.serializers.documents import matching_documents
from dashboards.widgets import state
from dashboards.widgets.periods import pick_period
from tasks.ask.days import span_of
from warehouse.errors import BadInput
from warehouse.records import Filters, Kind

COUNTS = (3, 5, 10, 20, 50)
EARLIEST, LATEST = date(1, 1, 1), date(9999, 12, 31)
MOST_OFFERED = 500
"""Documents and companies to pick from; a name of any other can be typed."""
SHOWN = 26
"""Characters of what is chosen that a chip shows."""
_MORE = ("since", "until", "about", "root", "topic", "journal", "type", "tag", "language", "k")
_PERIOD = ("during", "period-year")


def filters_of(page: str, catalogue: LibraryCatalogue) -> tuple[Filters, int]:
    """What hits must satisfy, and how many there may be. Raises `BadInput` for what says nothing."""
    companies = distinct_values(entry.attributes.company for entry in catalogue.entries)
    with st.container(horizontal=True, key=f"{page}-chips", width="content", gap="small"):
        with _chip(page, "Kind", "kind"):
            kinds = _any(page, "Kind", "kind", catalogue.kinds)
        with _chip(page, "Document", "document"):
            documents = _documents(page, catalogue)
        with _chip(page, "Period mentioned", *_PERIOD):
            spoken = pick_period(page)
        owners: tuple[str, ...] = ()
        if companies:
            with _chip(page, "Company", "company"):
                owners = _any(page, "Company", "company", companies)
        with _chip(page, "More filters", *_MORE):
            more = _more(page, catalogue)
    if more.since and more.until and more.since >= more.until:
        raise BadInput(f"no day lies from {more.since} to before {more.until}", "choose a later end")
    filters = Filters(
        kinds=tuple(map(Kind, kinds)),
        roots=more.roots,
        documents=matching_documents(catalogue.entries, documents, owners),
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
    return filters, more.count


@contextmanager
def _chip(page: str, title: str, *names: str) -> Iterator[None]:
    """A button that opens what is drawn within; it shows what is chosen in these fields, and beside it clears them."""
    chosen = _chosen(page, names)
    shown = markdown_label(f"{len(chosen)}" if len(names) == len(_MORE) else ", ".join(chosen), SHOWN)
    key = f"{page}-chip-{names[0]}"
    with st.container(horizontal=True, key=key, width="content", gap=None, vertical_alignment="center"):
        with st.popover(f"{title}: **{shown}**" if chosen else title, key=f"{key}-open"):
            yield
        if chosen:
            st.button(
                "",
                icon=":material/close:",
                help=f"Clear: {title}",
                key=f"{key}-clear",
                type="tertiary",
                on_click=state.clear,
                args=(page, *names),
            )


def _chosen(page: str, names: Sequence[str]) -> list[str]:
    """What is chosen in some fields of the address, as words."""
    values = (
        state.value(page, name)
        for name in names
        if name not in _PERIOD[1:] and state.value(page, name) != state.default(page, name)
    )
    return [str(each) for value in values if value for each in (value if isinstance(value, list | tuple) else [value])]


@dataclass(frozen=True, slots=True)
class _More:
    """The filters that only some readers need, and how many hits there may be."""

    since: date | None
    until: date | None
    name: str
    roots: tuple[str, ...]
    topics: tuple[str, ...]
    journals: tuple[str, ...]
    paper_types: tuple[str, ...]
    tags: tuple[str, ...]
    languages: tuple[str, ...]
    count: int


def _more(page: str, catalogue: LibraryCatalogue) -> _More:
    first, last = _day(page, "Document dated from", "since"), _day(page, "Document dated before", "until")
    about = st.text_input(
        "Name", key=state.key(page, "about"), bind="query-params", placeholder="Must mention this name"
    )
    count = st.selectbox(
        "Passages shown", COUNTS, COUNTS.index(state.default(page, "k")), key=state.key(page, "k"), bind="query-params"
    )
    return _More(
        first,
        last,
        (about or "").strip(),
        _any(page, "Folder", "root", catalogue.roots),
        _any(page, "Topic", "topic", catalogue.topics),
        _any(page, "Journal", "journal", catalogue.journals),
        _any(page, "Type of paper", "type", catalogue.paper_types),
        _any(page, "Tag", "tag", catalogue.tags),
        _any(page, "Language", "language", catalogue.languages),
        count or state.default(page, "k"),
    )


def _documents(page: str, catalogue: LibraryCatalogue) -> tuple[str, ...]:
    """Documents as the reader names them: by the source, the id, or words of the title."""
    sources = [entry.file.source for entry in catalogue.entries if entry.chunk_count]
    said = st.multiselect(
        "Document",
        sources[:MOST_OFFERED],
        key=state.key(page, "document"),
        bind="query-params",
        accept_new_options=True,
        placeholder="Any document",
        help="Choose one, or type words of its title or file name.",
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


def _day(page: str, label: str, name: str) -> date | None:
    picked = st.date_input(
        label,
        None,
        EARLIEST,
        LATEST,
        key=state.key(page, name),
        format="YYYY-MM-DD",
        bind="query-params",
    )
    return picked if isinstance(picked, date) else None
