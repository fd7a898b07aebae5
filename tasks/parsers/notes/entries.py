"""The levels of headings in a diary, so that all that stands under a date stands in its section."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Entries:
    """Where the headings met so far have led: `outer` is the level above the entries, `entry` theirs, 0 for none.

    A line that is a date opens an entry below the heading it stands under, beside the entries before it. Later
    headings that were deeper than that heading belong to the entry and move down a level to make room.
    """

    outer: int = 0
    entry: int = 0
    closes: int = 0
    shift: int = 0

    def heading(self, level: int, *, is_date: bool) -> int:
        """The level at which a heading written at `level` stands."""
        if is_date:
            self.outer, self.entry, self.closes, self.shift = level - 1, level, level, 0
        elif self.entry and level > self.closes:
            return level + self.shift
        else:
            self.outer, self.entry, self.shift = level, 0, 0
        return level

    def date_line(self) -> int:
        """The level of a date that is alone on a line of text."""
        self.entry = self.entry or self.outer + 1
        self.closes, self.shift = self.entry - 1, 1
        return self.entry
