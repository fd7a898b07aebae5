"""Periods that no report covers, in words."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.drawing.escaping import plain

MOST = 60
"""Missing periods that are listed one by one."""


def missing_html(sentences: Sequence[str]) -> str:
    """A list of them."""
    items = "".join(f"<li>{plain(each)}</li>" for each in sentences[:MOST])
    more = f"<li>and {len(sentences) - MOST:,} more</li>" if len(sentences) > MOST else ""
    return f'<ul class="k-missing">{items}{more}</ul>'
