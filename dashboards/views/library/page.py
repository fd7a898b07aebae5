"""The library: every document, what is known of it, and what was found wrong."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import streamlit as st

from dashboards.drawing.listing import COLUMNS, Row, as_csv, chosen
from dashboards.drawing.notices import nothing_html, unreadable_html
from dashboards.shapes.catalogue import Catalogue
from dashboards.views.frame import framed
from dashboards.views.resources import place
from warehouse.records import Holding, Status

MOST_REASONS = 100
"""Unreadable files told one by one; the table and its CSV hold all."""


@framed
def page() -> None:
    """Draw the library of the published generation."""
    st.title("Library")
    catalogue = place().catalogue()
    _headline(catalogue)
    _documents(catalogue)
    _unreadable([holding for holding in catalogue.holdings if holding.status is not Status.PUBLISHED])
    _findings(catalogue.findings)


def _headline(catalogue: Catalogue) -> None:
    held = catalogue.holdings
    run = catalogue.runs[-1]
    figures = {
        "Documents": catalogue.readable,
        "Chunks": catalogue.chunks,
        "Tables": sum(holding.table_count for holding in held),
        "Unreadable files": sum(holding.status is not Status.PUBLISHED for holding in held),
    }
    with st.container(key="figures"):
        for column, (name, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(name, f"{value:,}", border=True)
    published = run.started + timedelta(seconds=run.seconds)
    st.caption(
        f"Generation {catalogue.generation}, published {published:%Y-%m-%d %H:%M} UTC: {run.new:,} new, "
        f"{run.changed:,} changed, {run.gone:,} gone in {run.seconds:,.1f} s."
    )


def _documents(catalogue: Catalogue) -> None:
    st.header("Documents")
    found = _filtered(catalogue)
    if not found:
        st.html(nothing_html("No document satisfies these filters.", "Take one away."))
        return
    rows = [Row.of(holding) for holding in found]
    st.dataframe(
        {name: [getattr(row, name) for row in rows] for name in COLUMNS},
        hide_index=True,
        placeholder="–",
        height=min(35 * (len(rows) + 1) + 3, 520),
        column_config=_columns(),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download as CSV",
            as_csv(rows),
            f"kalends-library-{catalogue.generation}.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        st.caption(f"{len(found):,} of {len(catalogue.holdings):,} files")


def _filtered(catalogue: Catalogue) -> list[Holding]:
    with st.container(key="filters"):
        words, kind, root = st.columns(3)
    text = words.text_input(
        "Find",
        key="text",
        type="search",
        live=True,
        bind="query-params",
        placeholder="Title, source, author, tag or reason",
    )
    kinds = kind.multiselect("Kind", catalogue.kinds, key="kind", bind="query-params", placeholder="Any kind")
    roots = root.multiselect("Root", catalogue.roots, key="root", bind="query-params", placeholder="Any root")
    return chosen(catalogue.holdings, kinds, roots, text or "")


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "title": config.TextColumn("Title", width="large"),
        "kind": config.TextColumn("Kind"),
        "date": config.DateColumn("Date", format="YYYY-MM-DD"),
        "date_from": config.TextColumn("Date from", help="Where the date came from"),
        "pages": config.NumberColumn("Pages", format="localized"),
        "tables": config.NumberColumn("Tables", format="localized"),
        "chunks": config.NumberColumn("Chunks", format="localized"),
        "status": config.TextColumn("Status", help="stale: the last good version still answers"),
        "reason": config.TextColumn("Reason", width="medium"),
        "root": config.TextColumn("Root"),
        "source": config.TextColumn("Source", width="large"),
    }


def _unreadable(refused: Sequence[Holding]) -> None:
    if not refused:
        return
    st.header("Files that could not be read")
    st.html(unreadable_html(refused[:MOST_REASONS]))
    if len(refused) > MOST_REASONS:
        st.caption(f"and {len(refused) - MOST_REASONS:,} more: the table above has them all")


def _findings(findings: Sequence[dict[str, Any]]) -> None:
    st.header("Findings by rule")
    if not findings:
        st.html(nothing_html("No rule found anything.", "Every passage reads well by itself."))
        return
    config = st.column_config
    most = max(row["count"] for row in findings)
    st.dataframe(
        {name: [row[name] for row in findings] for name in ("code", "name", "severity", "count")},
        hide_index=True,
        column_config={
            "code": config.TextColumn("Rule"),
            "name": config.TextColumn("Fault", width="medium"),
            "severity": config.TextColumn("Severity"),
            "count": config.ProgressColumn("Count", format="%d", min_value=0, max_value=most, width="medium"),
        },
    )
