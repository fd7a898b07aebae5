"""Comparison of two configurations: the change of every measure, and the questions with another result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.html.notices import error_html
from dashboards.pages.experiments.cached_queries import load_losses
from dashboards.pages.experiments.html import flip_html
from dashboards.pages.experiments.queries import change_rows, flip_table
from dashboards.widgets import state
from dashboards.widgets.navigation import draw_link
from dashboards.widgets.resources import PageContext
from dashboards.widgets.row_lists import draw_download
from flows.experiments.losses import LostQuestion
from tasks.evaluate.experiments.outcome import GridOutcome, TrialOutcome
from tasks.evaluate.flips import Flip, flips
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError

_ROW, _TALLEST = 35, 420


def draw_comparison(here: PageContext, found: GridOutcome, measure: str, name: str) -> None:
    """Draw the comparison of the two that the address names; `name` is the round's.

    Where it names none: from what is nearest to the settings in force to the best, or from the second to that.
    """
    if len(found.trials) < 2:
        return
    st.header("Compare two configurations")
    ranked = {each.name: each for each in found.ranked(measure)}
    left, right = st.columns(2)
    names = list(ranked)
    near = max(names.index(found.trials[0].name), 1)
    before = ranked[choose_option(left, "From", "from", names, name, near)]
    after = ranked[choose_option(right, "To", "to", names, name)]
    if before is after:
        st.caption("Both are the same configuration; choose another.")
        return
    _changes(before, after)
    _flips(here, before, after, measure)


def _changes(before: TrialOutcome, after: TrialOutcome) -> None:
    rows = change_rows(before, after)
    table = pa.Table.from_pylist(rows)
    config = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        height=_ROW * (len(rows) + 1) + 3,
        column_config={
            "measure": config.TextColumn("Measure"),
            "before": config.NumberColumn("From", format="%.3f"),
            "after": config.NumberColumn("To", format="%.3f"),
            "difference": config.NumberColumn("Difference", format="%+.3f"),
            "low": config.NumberColumn("Interval from", format="%+.3f", help="Lower end of the 95 % interval"),
            "high": config.NumberColumn("Interval to", format="%+.3f", help="Upper end of the 95 % interval"),
            "p": config.NumberColumn(
                "p",
                format="%.3f",
                help="Chance of such a difference if both were equally good (paired randomization test)",
            ),
        },
        alt="Every measure of both configurations with the difference, its interval and p",
    )
    draw_download("kalends-difference", len(rows), lambda: table)


def _flips(here: PageContext, before: TrialOutcome, after: TrialOutcome, measure: str) -> None:
    changed = flips(after, before, measure)
    found = (*changed.lost, *changed.won)
    st.subheader("Questions with another result")
    won, lost = len(changed.won), len(changed.lost)
    st.caption(
        f"Of {counted(len(after.questions), 'question')}, {won:,} got better and {lost:,} worse by {measure}. "
        "Select one to see why."
    )
    if not found:
        return
    texts = {each.question: each.text for each in after.questions}
    table = flip_table(changed, texts)
    config = st.column_config
    event = st.dataframe(
        table,
        key=f"experiments-flips-{before.record.trial_id}-{after.record.trial_id}-{measure}",
        hide_index=True,
        height=min(_ROW * (len(found) + 1) + 3, _TALLEST),
        placeholder="–",
        column_order=("outcome", "text", "before", "after", "rank_before", "rank_after"),
        column_config={
            "outcome": config.TextColumn("Outcome", width="small"),
            "text": config.TextColumn("Question", width="large"),
            "before": config.NumberColumn("From", format="%.3f"),
            "after": config.NumberColumn("To", format="%.3f"),
            "rank_before": config.NumberColumn(
                "Rank from", help="Rank of the first passage that answers, in the first configuration"
            ),
            "rank_after": config.NumberColumn("Rank to", help="The same in the second configuration"),
        },
        on_select="rerun",
        selection_mode="single-row",
        alt="Questions that the two answer differently, the worse ones first; the chosen one is shown below",
    )
    draw_download("kalends-flips", len(found), lambda: table)
    picked = event["selection"]["rows"]
    if picked and picked[0] < len(found):
        st.query_params["question"] = found[picked[0]].question
    asked = st.query_params.get("question", "")
    chosen = next((each for each in found if each.question == asked), None)
    if chosen:
        why = {} if chosen.won else draw_losses(here, before, after)
        _one(chosen, texts[chosen.question], measure, why.get(chosen.question))


def _one(flip: Flip, text: str, measure: str, loss: LostQuestion | None) -> None:
    with st.container(border=True, key="flip"):
        st.html(flip_html(flip, text, measure, loss))
        draw_link("search", "Search for it", icon=":material/search:", q=" ".join(text.split()))


def draw_losses(here: PageContext, before: TrialOutcome, after: TrialOutcome) -> dict[str, LostQuestion]:
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


def choose_option(
    where: DeltaGenerator, label: str, parameter: str, options: Sequence[str], within: str, first: int = 0
) -> str:
    """The option that the reader or the address names, else the one at `first`; `within` is the round's name."""
    asked = st.query_params.get(parameter, "")
    index = options.index(asked) if asked in options else first
    picked = where.selectbox(label, options, index, key=f"experiments-{parameter}-{within}")
    if picked != asked and (asked or picked != options[first]):
        st.query_params[parameter] = picked
    return picked
