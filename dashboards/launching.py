"""How Streamlit is run: bound to this machine, silent to the outside, and in the dashboard's own colours."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

from dashboards.drawing.theme import THEME
from dashboards.listening import PASSWORD, is_local
from warehouse.errors import BadInput

APP = Path(__file__).parent / "pages" / "app.py"

SECRETS = (Path(".streamlit/secrets.toml"), Path("~/.streamlit/secrets.toml"))
"""Where Streamlit looks for `[auth]`."""

SERVER_OPTIONS = {
    "server.headless": "true",
    "runner.postScriptGC": "false",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
}


def check_exposure(host: str) -> None:
    """Raise `BadInput` for an address beyond this machine while neither a password nor a login is set up."""
    if is_local(host) or os.environ.get(PASSWORD) or any("auth" in _secrets(file) for file in SECRETS):
        return
    raise BadInput(f"whoever reaches {host} would see every document", f"set {PASSWORD}, or [auth] in {SECRETS[0]}")


def _secrets(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.expanduser().read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadInput(f"{file} cannot be read ({error})", "mend it: it is TOML") from None


def server_command(port: int, address: str = "127.0.0.1") -> list[str]:
    """The command line that serves the dashboard."""
    options = {"server.address": address, "server.port": str(port), **SERVER_OPTIONS, **THEME}
    flags = [f"--{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "dashboards.server", "run", str(APP), *flags]
