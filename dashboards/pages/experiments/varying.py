"""The settings that vary and their values, kept in the address."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.facts.experiments.choices import EMPTY_VALUE, SETTING_LABELS, list_values
from dashboards.widgets import state
from tasks.evaluate.experiments.dimensions import short

_FEW = 3
"""Of no more values all are tried if nothing is chosen."""


def draw_settings() -> dict[str, Sequence[str]]:
    """The values of each dimension that varies, as they are written."""
    known = list_values()
    names = {short(name): name for name in known}
    varied = st.multiselect(
        "Settings",
        list(names),
        key=state.key("experiments", "vary"),
        bind="query-params",
        placeholder="Choose settings",
        help="All other settings stay as they are in use.",
    )
    found: dict[str, Sequence[str]] = {}
    for each in varied:
        whole = names[each]
        few = known[whole] if len(known[whole]) <= _FEW else ()
        found[whole] = st.multiselect(
            f"{each}: {SETTING_LABELS[whole][0].lower()}{SETTING_LABELS[whole][1:]}",
            known[whole],
            few,
            format_func=lambda value: "none" if value == EMPTY_VALUE else str(value),
            key=f"{state.key('experiments', 'vary')}-{each}",
            bind="query-params",
            accept_new_options=True,
            placeholder="Choose values or type your own",
        )
    return found


def draw_exclusions() -> str:
    """The combinations that are left out, as a list in YAML."""
    text = st.text_area(
        "Combinations to leave out (YAML)",
        key=state.key("experiments", "exclude"),
        bind="query-params",
        height=80,
        max_chars=20_000,
        placeholder="- {chunker: fixed, size: 400}",
        help="A combination is left out if it has all values of a line.",
    )
    return text or ""
