"""The time that hits are to speak of: in words, or picked of the years that the documents name."""

from __future__ import annotations

from datetime import date

import streamlit as st

from dashboards.facts.search.periods import PARTS, period_words, years
from dashboards.views.resources import Place, place

KEY = "during"
_YEAR, _PART, _DAYS = "period-year", "period-part", "period-days"


def pick_period() -> str:
    """The period in words, empty for any time; the picker writes into the same field."""
    words, picker = st.columns([5, 2], vertical_alignment="bottom")
    said = words.text_input(
        "Speaks of",
        key=KEY,
        bind="query-params",
        placeholder="Any time: Q2 2023, last year",
        help="Only passages that name this time, or whose document reports on it.",
    )
    with picker.popover("Pick", key="period", width="stretch"):
        here = place()
        _pick(_years(str(here.settings.warehouse), here.state, here))
    return (said or "").strip()


def _pick(there: list[int]) -> None:
    if there:
        st.selectbox("Year", there, index=None, key=_YEAR, placeholder="A year that documents name", on_change=_set)
        st.pills("Part of it", PARTS, default=PARTS[0], required=True, key=_PART, on_change=_set)
    st.date_input(
        "Or from a day to another", [], date(1, 1, 1), date(9999, 12, 30), key=_DAYS, format="YYYY-MM-DD",
        on_change=_set_days,
    )  # fmt: skip
    st.button("Any time", key="period-none", on_click=_clear, icon=":material/close:")


def _set() -> None:
    year = st.session_state.get(_YEAR)
    if year:
        st.session_state[KEY] = period_words(year, st.session_state.get(_PART) or PARTS[0])


def _set_days() -> None:
    days = st.session_state[_DAYS]
    if len(days) == 2:
        st.session_state[KEY] = f"{days[0]} to {days[1]}"


def _clear() -> None:
    st.session_state[KEY] = ""
    st.session_state[_YEAR] = None


@st.cache_data(show_spinner=False, max_entries=4)
def _years(folder: str, state: str, _here: Place) -> list[int]:
    return years(_here.warehouse.at())
