"""Words that mean no time themselves but bend or join the times beside them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from warehouse.records import Modifier


class SignalRole(Enum):
    """What a signal does."""

    FROM = "from"
    TO = "to"
    BETWEEN = "between"
    AND = "and"
    OF = "of"
    AT = "at"
    DIVIDED = "what is over of a time, or still to come"
    PART = "the early, middle or late part of a time"
    LENGTH = "about, more or less than a length or a time"
    BOUND = "since, before, after, until"
    AGO = "before now"
    HENCE = "from now"
    EARLIER = "before the time told"
    LATER = "after the time told"
    TRAILING_PART = "the early, middle or late part of the time before it"
    TRAILING_LENGTH = "about the length or the time before it"
    TRAILING_BOUND = "before, after, since or until the time before it, or so much before or after now"
    LEADING_BOUND = "since or until the time right after it"
    QUANTITY = "a number that is no time"


@dataclass(frozen=True, slots=True)
class Signal:
    """A word, or some words, with the TIMEX3 modifier that it puts on what it stands beside."""

    word: SignalRole
    modifier: Modifier | None = None
