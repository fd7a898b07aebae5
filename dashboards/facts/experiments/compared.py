"""Two configurations side by side: the change of each measure, and the questions that were won and lost."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from tasks.evaluate.comparing import changes
from tasks.evaluate.experiments.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Flip:
    """A question that two configurations answer differently: its marks, and the ranks of the first hit that answers."""

    question: str
    text: str
    before: float
    after: float
    rank_before: int | None
    rank_after: int | None

    @property
    def won(self) -> bool:
        """Whether it is answered better than before."""
        return self.after > self.before


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


def flips(before: Outcome, after: Outcome, measure: str) -> list[Flip]:
    """The questions whose mark differs, the furthest lost first."""
    was = {each.question: each for each in before.questions}
    found = []
    for now in after.questions:
        marks = (before.values.get(now.question, {}).get(measure), after.values[now.question].get(measure))
        if marks[0] is not None and marks[1] is not None and marks[0] != marks[1]:
            found.append(Flip(now.question, now.text, marks[0], marks[1], was[now.question].rank, now.rank))
    return sorted(found, key=lambda flip: (flip.after - flip.before, flip.question))


def flip_table(found: list[Flip]) -> pa.Table:
    """The same as a table."""
    rows = [{"outcome": "won" if each.won else "lost", **asdict(each)} for each in found]
    return pa.Table.from_pylist(rows)
