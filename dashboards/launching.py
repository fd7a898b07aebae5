"""How Streamlit is run: bound to this machine, silent to the outside, and in the dashboard's own colours."""

from __future__ import annotations

import sys
from pathlib import Path

APP = Path(__file__).parent / "app.py"

SERVICE = {
    "server.headless": "true",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
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
    "theme.dark.primaryColor": "#e2806f",
    "theme.dark.linkColor": "#eb9a8b",
    "theme.dark.backgroundColor": "#161412",
    "theme.dark.secondaryBackgroundColor": "#221f1b",
    "theme.dark.textColor": "#ece7de",
    "theme.dark.borderColor": "#3b362f",
    "theme.dark.codeTextColor": "#d3cabd",
}
"""Ink, paper and the red in which the calends stood in Roman calendars."""


def command(port: int, address: str = "127.0.0.1") -> list[str]:
    """The command line that serves the dashboard."""
    options = {"server.address": address, "server.port": str(port), **SERVICE, **THEME}
    flags = [f"--{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "streamlit", "run", str(APP), *flags]
