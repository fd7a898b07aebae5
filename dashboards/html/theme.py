"""Colours, type and logo of the dashboard, light and dark, as options of Streamlit, and the style sheet beside it.

`style.css` holds what Streamlit's theme cannot express; it only mixes the theme's own colours.
"""

from __future__ import annotations

import json
from pathlib import Path

LIGHT_SHADES = "#f6e9e3 #efd3c8 #e6bbac #dba28f #cf8873 #c26e5a #b35343 #9e3a30 #842a23 #661d18"
DARK_SHADES = "#2b211d #43302a #5c3e36 #754c42 #8f5a4e #a96859 #c37765 #dc8772 #eda08d #f7c0b2"
"""Colours of amounts in charts, from none to most."""


def _charts(scheme: str, kinds: str, amounts: str) -> dict[str, str]:
    return {
        f"theme.{scheme}.chartCategoricalColors": json.dumps(kinds.split()),
        f"theme.{scheme}.chartSequentialColors": json.dumps(amounts.split()),
    }


THEME = {
    "theme.font": "sans-serif",
    "theme.headingFont": "serif",
    "theme.headingFontWeights": "600",
    "theme.headingFontSizes": '["2.25rem", "1.5rem", "1.25rem", "1.1rem", "1rem", "1rem"]',
    "theme.baseRadius": "small",
    "theme.metricValueFontSize": "1.75rem",
    "theme.codeFontSize": "0.8125rem",
    "theme.light.primaryColor": "#9e2f26",
    "theme.light.linkColor": "#9e2f26",
    "theme.light.backgroundColor": "#fdfcf9",
    "theme.light.secondaryBackgroundColor": "#f3efe7",
    "theme.light.textColor": "#241f1b",
    "theme.light.borderColor": "#ddd6c9",
    "theme.light.codeTextColor": "#4a423a",
    **_charts("light", "#9e2f26 #b8841f #3f6f8f #5b7a3d #76558c #8a8175", LIGHT_SHADES),
    "theme.dark.primaryColor": "#e2806f",
    "theme.dark.linkColor": "#eb9a8b",
    "theme.dark.backgroundColor": "#161412",
    "theme.dark.secondaryBackgroundColor": "#221f1b",
    "theme.dark.textColor": "#ece7de",
    "theme.dark.borderColor": "#3b362f",
    "theme.dark.codeTextColor": "#d3cabd",
    **_charts("dark", "#e2806f #e0b455 #7fb0d0 #9dbf7a #b797cd #a89f92", DARK_SHADES),
}
"""Ink, paper, and the red that marked the calends in Roman calendars."""


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
