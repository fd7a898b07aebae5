"""Parts of charts: bars of rows, and what a pointer shows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pyarrow as pa


def build_tooltips(titles: Mapping[str, str], formats: Mapping[str, str] | None = None) -> list[alt.Tooltip]:
    """Tooltips of a chart's marks: fields like `count:Q` with their titles, some in a format of D3."""
    return [
        alt.Tooltip(field, title=title, format=(formats or {}).get(field, alt.Undefined))
        for field, title in titles.items()
    ]


def build_bar_chart(
    rows: Sequence[Mapping[str, Any]], height: float | alt.Step, mark: Mapping[str, Any], **channels: Any
) -> alt.Chart:
    """Bars of the rows, `height` pixels high together, with these properties of the `mark` and these channels."""
    chart: alt.Chart = (
        alt.Chart(pa.Table.from_pylist(list(rows))).mark_bar(**mark).encode(**channels).properties(height=height)
    )
    return chart
