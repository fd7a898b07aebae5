"""Numbers that are hours or days only beside words that make them so: "from 5 to 7 pm", "from 4 to 22 this month"."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.temporal.context import Context
from tasks.temporal.meanings.clocks import Clock, of_hands
from tasks.temporal.readings import MentionFields

_NOON = 12


@dataclass(frozen=True, slots=True)
class Bare:
    """A number that is an hour or a day only beside words that make it one: the 5 of "from 5 to 7 pm"."""

    number: int
    minute: int = 0

    @property
    def grain(self) -> None:
        """None of its own."""

    @property
    def clock(self) -> Clock | None:
        """The time that it is beside a time or a day; None where no clock shows it."""
        return of_hands(self.number, self.minute, loose=True) if self.number <= _NOON * 2 else None

    def at(self, context: Context) -> MentionFields:
        """Never a time alone: raises `ValueError`."""
        raise ValueError(f"{self.number} is a number")


@dataclass(frozen=True, slots=True)
class Bares:
    """Two such numbers as the sides of a range: "from 4 to 22" (this month), "between 3 and 5" (today).

    `bounded` is whether such a word stands before them.
    """

    first: Bare
    last: Bare
    bounded: bool

    @property
    def grain(self) -> None:
        """None of its own."""

    def at(self, context: Context) -> MentionFields:
        """Never a time alone: raises `ValueError`."""
        raise ValueError(f"{self.first.number} and {self.last.number} are numbers")
