"""Difference between a run's generation and another one that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import pyarrow as pa
import streamlit as st

from dashboards.html.notices import error_html, nothing_html
from dashboards.pages.runs.queries import DocumentChangeKind, GenerationDifference, compare_generations
from dashboards.widgets.navigation import open_page
from dashboards.widgets.resources import PageContext
from dashboards.widgets.row_lists import draw_download, draw_row_list
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Run
from warehouse.store.generations import retained

_ROW, _TALLEST = 35, 360


def draw_comparison(here: PageContext, runs: Sequence[Run], run: Run) -> None:
    """Draw the difference between a run's generation and another one that the reader chooses."""
    st.header(f"What generation {run.generation} changed")
    generations = {int(folder.name) for folder in retained(here.warehouse.layout)}
    others = [each.generation for each in reversed(runs) if each.generation in generations - {run.generation}]
    if run.generation not in generations:
        st.html(nothing_html("This generation is no longer kept.", "Select one that is kept in the table above."))
        return
    if not others:
        st.html(
            nothing_html(
                "There is no other generation to compare with.", "The next import that changes something makes one."
            )
        )
        return
    earlier = [number for number in others if number < run.generation]
    other = st.selectbox(
        "Compared with generation",
        others,
        others.index(earlier[0]) if earlier else 0,
        key=f"runs-against-{run.generation}",
        width=240,
    )
    try:
        with st.spinner("Comparing …"):
            difference = _cached_comparison(
                str(here.settings.warehouse), here.state, other, run.generation, here.warehouse
            )
    except KalendsError as error:
        st.html(error_html(error))
        return
    _draw_counts(difference)
    _draw_documents(difference, f"{other}-{run.generation}")
    _draw_rules(difference, f"{other}-{run.generation}")
    _draw_settings(difference, f"{other}-{run.generation}")


def _draw_counts(difference: GenerationDifference) -> None:
    before, after = difference.chunks
    rules = sum(each.difference for each in difference.rules)
    figures = {
        "Added": (f"{difference.count(DocumentChangeKind.ADDED):,}", None),
        "Updated": (f"{difference.count(DocumentChangeKind.UPDATED):,}", None),
        "Processed again": (f"{difference.count(DocumentChangeKind.REPROCESSED):,}", None),
        "Removed": (f"{difference.count(DocumentChangeKind.REMOVED):,}", None),
        "Passages": (f"{after:,}", after - before),
        "Findings": (f"{rules:+,}" if rules else "0", None),
    }
    with st.container(key="figures"):
        for column, (name, (value, change)) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(name, value, change or None, delta_color="off", border=True)


def _draw_documents(difference: GenerationDifference, name: str) -> None:
    if not difference.documents:
        st.caption("No document changed.")
        return
    table = pa.Table.from_pylist([{**asdict(each), "change": each.change.value} for each in difference.documents])
    config = st.column_config
    columns = {
        "change": config.TextColumn("Change"),
        "title": config.TextColumn("Title", width=300),
        "chunks": config.NumberColumn("Passages", format="%+d", help="Difference to before"),
        "status": config.TextColumn("Status"),
        "source": config.TextColumn("File", width="large"),
    }
    place = draw_row_list(table, columns, f"runs-changed-{name}", "Documents that changed", tallest=_TALLEST)
    draw_download(f"kalends-changes-{name}", len(difference.documents), lambda: table)
    if place is not None and difference.documents[place].change is not DocumentChangeKind.REMOVED:
        open_page("library", document=difference.documents[place].document_id)


def _draw_rules(difference: GenerationDifference, name: str) -> None:
    if not difference.rules:
        return
    st.subheader("Findings")
    rows = [{**asdict(each), "difference": each.difference} for each in difference.rules]
    table = pa.Table.from_pylist(rows)
    config = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        height=min(_ROW * (len(rows) + 1) + 3, _TALLEST),
        column_config={
            "code": config.TextColumn("Rule"),
            "name": config.TextColumn("Name", width="medium"),
            "severity": config.TextColumn("Severity"),
            "before": config.NumberColumn("Before", format="localized"),
            "after": config.NumberColumn("After", format="localized"),
            "difference": config.NumberColumn("Difference", format="%+d"),
        },
        alt="Rules with more or fewer findings than before",
    )
    draw_download(f"kalends-findings-{name}", len(rows), lambda: table)


def _draw_settings(difference: GenerationDifference, name: str) -> None:
    if not difference.settings:
        return
    st.subheader("Settings")
    rows = {
        "setting": [setting for setting, _, _ in difference.settings],
        "before": [_setting_text(before) for _, before, _ in difference.settings],
        "after": [_setting_text(after) for _, _, after in difference.settings],
    }
    columns = {name: st.column_config.TextColumn(name.capitalize(), width="medium") for name in rows}
    st.dataframe(rows, hide_index=True, column_config=columns, alt="Settings that differ")
    draw_download(f"kalends-settings-{name}", len(difference.settings), lambda: pa.table(rows))


def _setting_text(value: object) -> str:
    return "–" if value is None else str(value)


@st.cache_data(show_spinner=False, max_entries=8)
def _cached_comparison(folder: str, state: str, before: int, after: int, _warehouse: Warehouse) -> GenerationDifference:
    return compare_generations(_warehouse.at(before), _warehouse.at(after))
