"""A line of a table: what stands in which of its columns."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.parsers.pages.columns import ColumnSpan
from tasks.parsers.pages.figures import counts, is_amount


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a table: its spans by column, and where it stands."""

    spans: tuple[ColumnSpan, ...]
    top: float
    bottom: float
    size: float

    @property
    def label(self) -> ColumnSpan | None:
        """What stands in the first column."""
        return self.spans[0] if self.spans and self.spans[0].first == 0 else None

    @property
    def has_data(self) -> bool:
        """Whether a figure other than a year or the number of a column stands beyond the first column."""
        beyond = [span.text for span in self.spans if span.first > 0]
        return any(map(is_amount, beyond)) and (self._is_labelled or not counts(beyond))

    @property
    def _is_labelled(self) -> bool:
        """Whether words stand in the first column."""
        return self.label is not None and not self.label.is_figure

    @property
    def is_label(self) -> bool:
        """Whether there is nothing but a label."""
        return len(self.spans) == 1 and self.spans[0].first == 0

    @property
    def spanning(self) -> list[ColumnSpan]:
        """What reaches over several columns, labels left out."""
        return [span for span in self.spans if span.last > span.first > 0]
