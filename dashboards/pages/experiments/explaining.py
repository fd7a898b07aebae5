"""Why questions got worse: the first stage whose output differs at the answer."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import streamlit as st

from dashboards.drawing.notices import error_html
from dashboards.pages.experiments.held import load_losses
from dashboards.widgets import state
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.resources import PageContext
from flows.experiments.losses import LostQuestion
from tasks.evaluate.experiments.outcome import Outcome
from warehouse.errors import KalendsError

_ROW, _TALLEST = 35, 420


def draw_losses(here: PageContext, before: Outcome, after: Outcome) -> dict[str, LostQuestion]:
    """Why each question was lost, once the reader wants to know."""
    if not st.toggle(
        "Explain what got worse",
        key=state.key("experiments", "why"),
        bind="query-params",
        help="Shows for each question the first processing stage whose output differs at the answer.",
    ):
        return {}
    try:
        found = load_losses(here, before.record.trial_id, after.record.trial_id)
    except KalendsError as error:
        st.html(error_html(error))
        return {}
    stages = Counter(each.stage for each in found.lost)
    counted = ", ".join(f"{stage} {count:,}" for stage, count in stages.most_common())
    st.caption(f"First stage that differs, by {found.measure}: {counted or 'no question got worse'}.")
    if found.lost:
        table = pa.table(
            {
                "stage": [each.stage for each in found.lost],
                "question": [each.text for each in found.lost],
                "reason": [each.reason for each in found.lost],
            }
        )
        st.dataframe(
            table,
            hide_index=True,
            height=min(_ROW * (table.num_rows + 1) + 3, _TALLEST),
            column_config={
                "stage": st.column_config.TextColumn("Stage", width="small"),
                "question": st.column_config.TextColumn("Question", width="medium"),
                "reason": st.column_config.TextColumn("What differs", width="large"),
            },
            alt="Questions that got worse, with the first stage that differs",
        )
        draw_download("kalends-losses", table.num_rows, lambda: table)
    return {each.question: each for each in found.lost}
