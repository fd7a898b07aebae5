"""The look that Streamlit's theme cannot express, for light and dark alike: it only mixes the theme's own colours."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

MARK = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="Kalends">'
    '<rect x="8" y="8" width="80" height="80" rx="12" fill="#9e2f26"/>'
    '<path d="M8 32h80" stroke="#fdfcf9" stroke-width="5"/>'
    '<path d="M36 44v34M58 44 40 61l19 17" fill="none" stroke="#fdfcf9" stroke-width="8" stroke-linecap="square"/>'
    "</svg>"
)
"""A leaf of a calendar. Given as text, because Streamlit fetches other icons of a tab from a network."""

NAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 40" role="img" aria-label="Kalends">'
    '<text x="0" y="30" font-family="Source Serif 4, Georgia, Times New Roman, serif" font-size="32" '
    'font-weight="600" fill="#b8483b">Kalends</text></svg>'
)
"""The name, in a red that can be read on light and on dark."""

SHEET = Path(__file__).parent / "style.css"


def style() -> None:
    """Add the style sheet to the page."""
    st.html(SHEET)
