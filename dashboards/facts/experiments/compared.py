"""Two configurations side by side: the change of each measure, and the questions that were won and lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from tasks.evaluate.comparing import changes
from tasks.evaluate.experiments.outcome import Outcome
from tasks.evaluate.flips import Flips


def change_rows(before: Outcome, after: Outcome) -> list[dict[str, Any]]:
    """The change of every measure, with its paired interval and p; those of both alone."""
    found = changes(after.values, before.values)
    return [
        {
            "measure": measure,
            "before": before.measures[measure].mean,
            "after": after.measures[measure].mean,
            **asdict(change),
        }
        for measure, change in found.items()
        if measure in before.measures and measure in after.measures
    ]


def flip_table(found: Flips, texts: Mapping[str, str]) -> pa.Table:
    """The questions that differ, the lost ones first, with their texts."""
    rows = [
        {"outcome": "better" if each.won else "worse", "text": texts[each.question], **asdict(each)}
        for each in (*found.lost, *found.won)
    ]
    return pa.Table.from_pylist(rows)
