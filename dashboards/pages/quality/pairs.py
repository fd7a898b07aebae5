"""Near duplicates: all of them as a list, and two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.drawing.notices import note_html, nothing_html
from dashboards.drawing.quality.near import MOST_WORDS, is_truncated, side_by_side_html
from dashboards.facts.quality.checked import Examination
from dashboards.facts.quality.pairs import DuplicatePair, DuplicateSide, read_pair_texts
from dashboards.pages.quality.choosing import PAGE_SIZE, select_page, select_row
from dashboards.pages.quality.going import QualityAddress, draw_link, open_address
from dashboards.widgets.downloading import draw_download
from tasks.quality.wording import counted
from warehouse.reader import Warehouse


def draw_pairs(examined: Examination) -> None:
    """The pairs, the most alike first."""
    if examined.report is None:
        cure = "Switch on 'Compare documents' above; it takes a while the first time."
        st.html(nothing_html("Documents have not been compared yet.", cure))
        return
    pairs = examined.pairs
    if not pairs:
        st.html(nothing_html("No near duplicates.", "No passage repeats much of another."))
        return
    st.caption(f"{counted(len(pairs), 'pair')}, the most alike first; open one to see both side by side.")
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        number = select_page(len(pairs), "pairs-page")
        draw_download("kalends-near-duplicates", len(pairs), lambda: pa.Table.from_pylist(list(map(_row, pairs))))
    config = st.column_config
    columns = {
        "share": config.ProgressColumn("Alike", format="%d %%", min_value=0, max_value=100),
        "again": config.TextColumn("Duplicate", width="medium"),
        "first": config.TextColumn("Of", width="medium"),
    }
    with place:
        row = select_row(_rows(pairs, number), columns, "quality-pairs", "Near duplicates, the most alike first")
    if row:
        open_address(QualityAddress(twin=row["name"]))


def draw_pair(warehouse: Warehouse, examined: Examination, name: str) -> None:
    """Both sides of a pair, with the words marked in which they differ."""
    pair = next((each for each in examined.pairs if each.name == name), None)
    if pair is None:
        st.html(nothing_html("This pair is not among the findings.", "Switch on 'Compare documents', or go back."))
        return
    st.header(f"{pair.share:.0%} the same", anchor=False)
    st.caption("Words that only one of the two has are marked; case and spacing do not count.")
    both = read_pair_texts(warehouse, pair)
    if is_truncated(both):
        st.html(note_html(f"Only the first {MOST_WORDS:,} words of each are compared."))
    st.html(side_by_side_html((describe_side(pair.first), describe_side(pair.again)), both))
    for column, side in zip(st.columns(2), (pair.first, pair.again), strict=True):
        what = QualityAddress(document=warehouse.document_id(side.source) or "", chunk=side.chunk_id)
        with column:
            draw_link(what, "Open the passage" if side.chunk_id else "Open the document")


def describe_side(side: DuplicateSide) -> str:
    """A side in words."""
    page = f", page {side.page}" if side.page else ""
    return f"{side.source}{page}, passage {side.number}" if side.number else side.source


def _rows(pairs: Sequence[DuplicatePair], number: int) -> list[dict[str, Any]]:
    return [_row(pair) for pair in pairs[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]]


def _row(pair: DuplicatePair) -> dict[str, Any]:
    own = {"code": pair.code, "share": round(100 * pair.share), "name": pair.name}
    return {**own, "again": describe_side(pair.again), "first": describe_side(pair.first)}
