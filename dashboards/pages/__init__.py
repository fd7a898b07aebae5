"""Pages of the dashboard, a folder each.

In the folder X, `X_page.draw_page` draws with Streamlit, `X_queries` reads, `X_html` and `X_charts` render.
"""

from __future__ import annotations

import re
from pathlib import Path

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


def read_queries(page: str) -> dict[str, str]:
    """The queries of a page by their names: its `queries.sql`, where a line "-- name: NAME" is above each."""
    text = (Path(__file__).parent / page / "queries.sql").read_text(encoding="utf-8")
    _, *pairs = _NAME.split(text)
    return {name: query.strip() for name, query in zip(pairs[::2], pairs[1::2], strict=True)}
