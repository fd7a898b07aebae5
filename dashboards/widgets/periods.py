"""The period that passages must mention: in words, or picked from the years that the documents mention."""

from __future__ import annotations

from datetime import date

import streamlit as st

from dashboards.facts.search.periods import YEAR_PARTS, list_years, period_words
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context


def pick_period(page: str) -> str:
    """Draw the field for the period in words and, below it, what sets it; returns the words, empty for any time."""
    said = st.text_input(
        "Period mentioned",
        key=state.key(page, "during"),
        bind="query-params",
        placeholder="Q2 2023, last year, May 2021",
        help="Only passages that mention this period, or whose document reports on it.",
    )
    here = page_context()
    _pick(page, _years(str(here.settings.warehouse), here.state, here))
    return (said or "").strip()


def _pick(page: str, there: list[int]) -> None:
    if there:
        st.selectbox(
            "Year",
            there,
            index=None,
            key=state.key(page, "period-year"),
            placeholder="A year that documents mention",
            on_change=_set,
            args=(page,),
        )
        st.pills(
            "Part of the year",
            YEAR_PARTS,
            default=YEAR_PARTS[0],
            required=True,
            key=state.key(page, "period-part"),
            on_change=_set,
            args=(page,),
        )
    st.date_input(
        "Or from one day to another", [], date(1, 1, 1), date(9999, 12, 30), key=state.key(page, "period-days"),
        format="YYYY-MM-DD", on_change=_set_days, args=(page,),
    )  # fmt: skip


def _set(page: str) -> None:
    year = state.value(page, "period-year")
    if year:
        state.put(page, "during", period_words(year, state.value(page, "period-part") or YEAR_PARTS[0]))


def _set_days(page: str) -> None:
    days = state.value(page, "period-days")
    if days and len(days) == 2:
        state.put(page, "during", f"{days[0]} to {days[1]}")


@st.cache_data(show_spinner=False, max_entries=4)
def _years(folder: str, state: str, _here: PageContext) -> list[int]:
    return list_years(_here.warehouse.at())
