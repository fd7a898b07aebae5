"""Processor seconds: what a process and the children that it waited for computed, whatever else the machine did."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from time import monotonic


def processor_seconds() -> float:
    """Of this process and of its children that have ended, user and system."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds that passed, and processor seconds."""

    passed: float
    processor: float

    def __sub__(self, earlier: Spent) -> Spent:
        """What was spent between two readings."""
        return Spent(self.passed - earlier.passed, self.processor - earlier.processor)


def reading() -> Spent:
    """The clocks now."""
    return Spent(monotonic(), processor_seconds())
