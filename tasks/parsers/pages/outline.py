"""The depth of headings, from how each stands out beside those that are open above it."""

from __future__ import annotations

from tasks.parsers.pages.headings import Style


class Outline:
    """The headings that are open, outermost first.

    Depth counts the open headings and not the styles of the document, so that no depth is skipped.
    """

    def __init__(self) -> None:
        self._open: list[Style] = []

    def level(self, style: Style) -> int:
        """The level of the next heading, from 1; what does not stand above it is closed."""
        del self._open[self._place(style) :]
        self._open.append(style)
        return len(self._open)

    def _place(self, style: Style) -> int:
        """How many headings stay open: those above its number where it goes on a numbering, else of higher rank."""
        if style.number:
            for place in range(len(self._open) - 1, -1, -1):
                number = self._open[place].number
                if number and number == style.number[: len(number)] and number != style.number:
                    return place + 1
                if len(number) == len(style.number) and number[:-1] == style.number[:-1] and number < style.number:
                    return place
        higher = (place for place, above in enumerate(self._open) if above.rank >= style.rank)
        return next(higher, len(self._open))
