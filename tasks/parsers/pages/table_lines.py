"""A line of a table: what stands in which of its columns."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.parsers.pages.columns import Span
from tasks.parsers.pages.figures import is_amount


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: its spans by column, and where it stands."""

    spans: tuple[Span, ...]
    top: float
    bottom: float
    size: float

    @property
    def label(self) -> Span | None:
        """What stands in the first column."""
        return self.spans[0] if self.spans and self.spans[0].first == 0 else None

    @property
    def has_data(self) -> bool:
        """Whether a figure other than a year stands beyond the first column."""
        return any(span.first > 0 and is_amount(span.text) for span in self.spans)

    @property
    def is_label(self) -> bool:
        """Whether there is nothing but a label."""
        return len(self.spans) == 1 and self.spans[0].first == 0

    @property
    def spanning(self) -> list[Span]:
        """What reaches over several columns, labels left out."""
        return [span for span in self.spans if span.last > span.first > 0]
