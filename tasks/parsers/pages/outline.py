"""The depth of headings, from how each stands out beside those that are open above it."""

from __future__ import annotations

from tasks.parsers.pages.headings import HeadingMark, HeadingStyle


class Outline:
    """The headings that are open, outermost first.

    Depth counts the open headings and not the styles of the document, so that no depth is skipped.
    """

    def __init__(self) -> None:
        self._open: list[HeadingStyle] = []
        self._first: HeadingStyle | None = None

    def level(self, style: HeadingStyle) -> int:
        """The level of the next heading, from 1; what does not stand above it is closed."""
        del self._open[self._place_of_statement(style) if style.is_statement else self._place(style) :]
        self._first = self._first or style
        self._open.append(style)
        return len(self._open)

    def _place_of_statement(self, style: HeadingStyle) -> int:
        """How many headings a financial statement stands below: the document's title, parts, items and the like.

        A section on forward-looking statements, on contacts or on the outlook ends where a statement begins; a note on
        the statements holds those that it shows.
        """
        others = (place for place, above in enumerate(self._open) if not above.is_frame and above is not self._first)
        frames = next(others, len(self._open))
        in_note = any(above.mark is HeadingMark.NOTE for above in self._open[:frames])
        return frames if in_note else min(self._place(style), frames)

    def _place(self, style: HeadingStyle) -> int:
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
