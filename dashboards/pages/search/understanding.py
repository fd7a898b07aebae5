"""What a question was understood to mean, for its reader to change."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.drawing.notices import note_html
from dashboards.drawing.understanding import fact_list_html
from dashboards.facts.search.readings import QuestionReading, list_alternatives, list_readings
from dashboards.pages.search.asking import PLAINLY, Asked
from dashboards.widgets import state
from tasks.ask.explaining import facts
from warehouse.records import Found

_READINGS_KEY = "search-readings"


def draw_understanding(asked: Asked, found: Found, *, explain: bool) -> None:
    """The readings to take back or to take up again, the notes, and all that was understood."""
    _draw_readings(asked, found)
    for note in found.notes:
        st.html(note_html(note))
    for number, other in enumerate(list_alternatives(found.question)):
        st.button(
            f"Read it as {markdown_label(other.told, 120)}",
            icon=":material/calendar_month:",
            key=f"search-other-reading-{number}",
            on_click=_ask_alternative,
            args=(other.question,),
        )
    with st.expander("How the question was understood", expanded=explain, type="compact"):
        st.html(fact_list_html(list(facts(found.question))))


def _ask_alternative(question: str) -> None:
    state.put("search", "q", question)
    st.query_params.pop(PLAINLY, None)


def _draw_readings(asked: Asked, found: Found) -> None:
    """Each reading is pressed or not; its words stand in the address once it is not."""
    counted = list_readings(found.question)
    kept = {reading.words.lower() for reading in counted}
    back = tuple(QuestionReading(words, "plain words") for words in asked.plainly if words.lower() not in kept)
    there = {reading.words: reading for reading in (*counted, *back)}
    if not there:
        return
    key = f"{_READINGS_KEY}-{asked.text}-{len(there)}-{'-'.join(asked.plainly)}"
    st.pills(
        "Understood in the question",
        list(there),
        selection_mode="multi",
        default=[reading.words for reading in counted],
        format_func=lambda words: _reading_label(there[words]),
        key=key,
        on_change=partial(_update_literal_words, key, list(there)),
        help="Press one to search for its words as plain text. To set another period or name, "
        "use the filters “Period mentioned” and, under “More filters”, “Name”.",
    )


def _update_literal_words(key: str, there: list[str]) -> None:
    chosen = st.session_state[key]
    left = [words for words in there if words not in chosen]
    if left:
        st.query_params[PLAINLY] = left
    else:
        st.query_params.pop(PLAINLY, None)


def _reading_label(reading: QuestionReading) -> str:
    told = reading.told or f"“{reading.words}”"
    return f"**{markdown_label(reading.what)}** {markdown_label(told, 120)}"
