"""The source that the address names as opened, by the number of its answer and its own in that: `source=2.1`."""

from __future__ import annotations

import streamlit as st

SOURCE_PARAMETER = "source"


def open_source(turn: int, number: int) -> None:
    """Name a source in the address."""
    st.query_params[SOURCE_PARAMETER] = f"{turn}.{number}"


def close_source() -> None:
    """Name none."""
    st.query_params.pop(SOURCE_PARAMETER, None)


def source_in_address() -> tuple[int, int] | None:
    """The answer and the number that the address names; None where it names none."""
    return parse_source(st.query_params.get(SOURCE_PARAMETER, ""))


def parse_source(said: str) -> tuple[int, int] | None:
    """What "2.1" names; None for anything else."""
    turn, _, number = said.partition(".")
    return (int(turn), int(number)) if turn.isdecimal() and number.isdecimal() else None
