"""A chart of a result: what says most of it at first, whatever the reader chooses then."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from dashboards.charts.plans import ChartKind, Plan, Sort, sorts_of, usual
from dashboards.charts.results import drawn, most_of

NONE = "–"


def chart(table: pa.Table) -> None:
    """Draw the chart and what it can be made of; nothing where no column is a quantity."""
    sorts = sorts_of(table)
    if Sort.QUANTITY not in sorts.values() or table.num_rows < 2:
        return
    st.header("Chart", anchor=False)
    plan = _chosen(usual(table), sorts)
    told = f"{plan.kind.value}: {plan.y} by {plan.x}" + (f", {plan.by}" if plan.by else "")
    st.altair_chart(drawn(table, plan), theme="streamlit", width="stretch", alt=f"Chart, {told}")
    if table.num_rows > (most := most_of(plan.kind)):
        st.caption(f"The first {most:,} rows are drawn.")


def _chosen(first: Plan | None, sorts: dict[str, Sort]) -> Plan:
    """What the reader wants drawn. Widgets belong to the columns there are: another result begins anew."""
    names = list(sorts)
    amounts = [name for name in names if sorts[name] is Sort.QUANTITY]
    own = hash(tuple(sorts.items()))
    with st.container(key="filters"):
        columns = st.columns(4)
    kind = ChartKind(_one(columns[0], "Kind", [*ChartKind], first.kind if first else ChartKind.BAR, f"kind-{own}"))
    heat, bars = kind is ChartKind.HEAT, kind is ChartKind.BAR
    x = _one(columns[1], "Labels" if bars else "Horizontal", names, first.x if first else names[0], f"x-{own}")
    ups = names if heat else amounts
    y = _one(columns[2], "Values" if bars else "Vertical", ups, first.y if first else amounts[-1], f"y-{own}-{heat}")
    others = amounts if heat else [NONE, *names]
    by = _one(columns[3], "Shade" if heat else "Colour", others, (first and first.by) or NONE, f"by-{own}-{heat}")
    return Plan(kind, x, y, None if by == NONE else by)


def _one(column: st.delta_generator.DeltaGenerator, label: str, values: list[str], first: str, key: str) -> str:
    place = values.index(first) if first in values else 0
    return column.selectbox(label, values, place, key=f"sql-chart-{key}") or values[place]
