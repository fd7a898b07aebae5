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
from dashboards.widgets.row_lists import ROW, draw_download
from flows.experiments.losses import LostQuestion
from tasks.evaluate.experiments.grid_outcome import GridOutcome, TrialOutcome
from tasks.evaluate.outcomes import Flip, flips
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError

_TABLE_HEIGHT = 420
"""Largest height of a table, in pixels."""


def draw_comparison(context: PageContext, outcome: GridOutcome, measure: str, name: str) -> None:
    """Draw the comparison of the two configurations that the address names; `name` is that of the experiment.

    By default it goes from the configuration closest to the current settings (or the second best) to the best.
    """
    if len(outcome.trials) < 2:
        return
    st.header("Compare two configurations")
    ranked = {each.name: each for each in outcome.ranked(measure)}
    left_column, right_column = st.columns(2)
    names = list(ranked)
    default = max(names.index(outcome.trials[0].name), 1)
    before = ranked[choose_option(left_column, "From", "from", names, name, default)]
    after = ranked[choose_option(right_column, "To", "to", names, name)]
    if before is after:
        st.caption("Both are the same configuration; choose another.")
        return
    _draw_changes(before, after)
    _draw_flips(context, before, after, measure)


def _draw_changes(before: TrialOutcome, after: TrialOutcome) -> None:
    rows = change_rows(before, after)
    table = pa.Table.from_pylist(rows)
    config = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        height=ROW * (len(rows) + 1) + 3,
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


def _draw_flips(context: PageContext, before: TrialOutcome, after: TrialOutcome, measure: str) -> None:
    differences = flips(after, before, measure)
    flipped = (*differences.lost, *differences.won)
    st.subheader("Questions with another result")
    won, lost = len(differences.won), len(differences.lost)
    st.caption(
        f"Of {counted(len(after.questions), 'question')}, {won:,} got better and {lost:,} worse by {measure}. "
        "Select one to see why."
    )
    if not flipped:
        return
    texts = {each.question: each.text for each in after.questions}
    table = flip_table(differences, texts)
    config = st.column_config
    event = st.dataframe(
        table,
        key=f"experiments-flips-{before.record.trial_id}-{after.record.trial_id}-{measure}",
        hide_index=True,
        height=min(ROW * (len(flipped) + 1) + 3, _TABLE_HEIGHT),
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
    draw_download("kalends-flips", len(flipped), lambda: table)
    selected = event["selection"]["rows"]
    if selected and selected[0] < len(flipped):
        st.query_params["question"] = flipped[selected[0]].question
    requested = st.query_params.get("question", "")
    selected_flip = next((each for each in flipped if each.question == requested), None)
    if selected_flip:
        losses = {} if selected_flip.won else draw_losses(context, before, after)
        _draw_flip(selected_flip, texts[selected_flip.question], measure, losses.get(selected_flip.question))


def _draw_flip(flip: Flip, text: str, measure: str, loss: LostQuestion | None) -> None:
    with st.container(border=True, key="flip"):
        st.html(flip_html(flip, text, measure, loss))
        draw_link("search", "Search for it", icon=":material/search:", q=" ".join(text.split()))


def draw_losses(context: PageContext, before: TrialOutcome, after: TrialOutcome) -> dict[str, LostQuestion]:
    """Draw a switch and, if it is on, why each question got worse; return the reasons by question id."""
    if not st.toggle(
        "Explain what got worse",
        key=state.key("experiments", "why"),
        bind="query-params",
        help="Shows for each question the first processing stage whose output differs at the answer.",
    ):
        return {}
    try:
        losses = load_losses(context, before.record.trial_id, after.record.trial_id)
    except KalendsError as error:
        st.html(error_html(error))
        return {}
    stages = Counter(each.stage for each in losses.lost)
    stage_counts = ", ".join(f"{stage} {count:,}" for stage, count in stages.most_common())
    st.caption(f"First stage that differs, by {losses.measure}: {stage_counts or 'no question got worse'}.")
    if losses.lost:
        table = pa.table(
            {
                "stage": [each.stage for each in losses.lost],
                "question": [each.text for each in losses.lost],
                "reason": [each.reason for each in losses.lost],
            }
        )
        st.dataframe(
            table,
            hide_index=True,
            height=min(ROW * (table.num_rows + 1) + 3, _TABLE_HEIGHT),
            column_config={
                "stage": st.column_config.TextColumn("Stage", width="small"),
                "question": st.column_config.TextColumn("Question", width="medium"),
                "reason": st.column_config.TextColumn("What differs", width="large"),
            },
            alt="Questions that got worse, with the first stage that differs",
        )
        draw_download("kalends-losses", table.num_rows, lambda: table)
    return {each.question: each for each in losses.lost}


def choose_option(
    container: DeltaGenerator, label: str, parameter: str, options: Sequence[str], within: str, first: int = 0
) -> str:
    """Draw a selection kept in the address; a value in the address that is no option falls back to `first`.

    `within` is the name of the experiment, as another experiment has other options.
    """
    requested = st.query_params.get(parameter, "")
    index = options.index(requested) if requested in options else first
    selected = container.selectbox(label, options, index, key=f"experiments-{parameter}-{within}")
    if selected != requested and (requested or selected != options[first]):
        st.query_params[parameter] = selected
    return selected
