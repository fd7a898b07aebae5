"""One of several, kept in the address; an address that names another harms nothing."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


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
