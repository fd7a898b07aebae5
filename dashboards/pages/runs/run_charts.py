"""Charts of the runs page: seconds of each stage, and disk use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import altair as alt

from dashboards.html.chart_parts import build_bar_chart, build_tooltips
from dashboards.pages.runs.run_queries import DiskPart, StageRow

NAMED = 5  # Stages with a colour of their own.
OTHERS = "others"
MAX_NARROW_BARS = 8  # The number of bars below which they are drawn narrow, with gaps between them.


def chart_stage_times(rows: Sequence[StageRow]) -> alt.Chart:
    """A bar of seconds for each run: the longest stages in their order, and the others as one."""
    bars = _with_others(rows)
    order = list(dict.fromkeys(row.stage for row in bars))
    few = len({row.generation for row in rows}) < MAX_NARROW_BARS
    room = alt.Scale(paddingInner=0.75 if few else 0.4, paddingOuter=1.0 if few else 0.2)
    values = [
        {
            "generation": row.generation,
            "stage": row.stage,
            "place": order.index(row.stage),
            "seconds": round(row.seconds, 3),
            "worked": row.cache_misses,
            "spared": row.cache_hits,
        }
        for row in bars
    ]
    titles = {"generation:O": "Generation", "stage:N": "Stage", "seconds:Q": "Seconds"}
    return build_bar_chart(
        values,
        300,
        {},
        x=alt.X("generation:O", title="Generation", axis=alt.Axis(labelAngle=0), scale=room),
        y=alt.Y("seconds:Q", title="Seconds", stack=True),
        color=alt.Color("stage:N", title="Stage", sort=order, legend=alt.Legend(orient="bottom", columns=3)),
        order=alt.Order("place:Q"),
        tooltip=build_tooltips(
            titles | {"worked:Q": "Processed", "spared:Q": "From cache"},
            {"seconds:Q": ",.2f", "worked:Q": ",", "spared:Q": ","},
        ),
    )


def chart_disk_use(parts: Sequence[DiskPart]) -> alt.Chart:
    """A bar of megabytes for each part, the largest first."""
    return build_bar_chart(
        [{"part": part.name, "megabytes": round(part.bytes / 2**20, 3), "files": part.files} for part in parts],
        34 * max(len(parts), 1) + 30,
        {},
        y=alt.Y("part:N", title=None, sort=[part.name for part in parts]),
        x=alt.X("megabytes:Q", title="MB", axis=alt.Axis(tickCount=6)),
        tooltip=build_tooltips(
            {"part:N": "Part", "megabytes:Q": "MB", "files:Q": "Files"}, {"megabytes:Q": ",.1f", "files:Q": ","}
        ),
    )


def _with_others(rows: Sequence[StageRow]) -> list[StageRow]:
    seconds: defaultdict[str, float] = defaultdict(float)
    for row in rows:
        seconds[row.stage] += row.seconds
    longest = sorted(seconds, key=lambda stage: -seconds[stage])[:NAMED]
    rest: dict[int, StageRow] = {}
    for row in rows:
        if row.stage not in longest:
            total = rest.get(row.generation, StageRow(row.generation, OTHERS, 0, 0, 0.0))
            misses, hits = max(total.cache_misses, row.cache_misses), max(total.cache_hits, row.cache_hits)
            rest[row.generation] = StageRow(row.generation, OTHERS, misses, hits, total.seconds + row.seconds)
    return [*(row for row in rows if row.stage in longest), *rest.values()]
