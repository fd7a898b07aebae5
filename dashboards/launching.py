"""How Streamlit is run: bound to this machine, silent to the outside, and in the dashboard's own colours."""

from __future__ import annotations

import sys
from pathlib import Path

from dashboards.drawing.theme import THEME

APP = Path(__file__).parent / "app.py"

SERVICE = {
    "server.headless": "true",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
}


def command(port: int, address: str = "127.0.0.1") -> list[str]:
    """The command line that serves the dashboard."""
    options = {"server.address": address, "server.port": str(port), **SERVICE, **THEME}
    flags = [f"--{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "streamlit", "run", str(APP), *flags]
