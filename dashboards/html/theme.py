"""Theme of the dashboard: `theme.toml`, as options of Streamlit, the style sheet for all other, and two pictures."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
SHEET = _FOLDER / "style.css"
MARK = (_FOLDER / "mark.svg").read_text(encoding="utf-8")
"""A leaf of a calendar. Given as text, because Streamlit fetches other icons of a tab from a network."""
NAME = (_FOLDER / "name.svg").read_text(encoding="utf-8")  # The name, in a red that can be read on light and on dark.


def _flatten_options(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten_options(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value if isinstance(value, str) else json.dumps(value)


THEME = dict(_flatten_options(tomllib.loads((_FOLDER / "theme.toml").read_text(encoding="utf-8"))))
"""Options by their names on the command line of Streamlit."""
