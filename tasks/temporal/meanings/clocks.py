"""Times of day (TIME), and numbers that are hours or days only next to certain words: "from 5 to 7 pm"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import ClassVar

from tasks.temporal import readings
from tasks.temporal.meanings.offsets import Origin, Shift
from tasks.temporal.readings import Context, Meaning, MentionFields
from warehouse.records import Grain, Modifier, TimexType

_TODAY = Shift(Grain.DAY, 0, Origin.LAST_MENTION)
_NOON, _SMALL_HOURS = 12, "05"


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day: `value` is the part after the T ("15:30", "18:00Z", "MO" for a morning).

    `half_unknown` says that the half of the day is not known: "7:30" is "07:30" unless an evening is named next to it.
    `is_24_hour` says that its hours are counted to 24: a time before it is not in the afternoon, "10:00-22:15".
    """

    value: str
    grain: Grain
    modifier: Modifier | None = None
    half_unknown: bool = False
    is_24_hour: bool = False

    def resolve(self, context: Context) -> MentionFields:
        """On the last mentioned day, if the last mention is a day; else on the anchor's day."""
        return TimeOnDay(_TODAY, self).resolve(context)

    def format_on(self, day: str) -> str:
        """The TIMEX3 value on a day, given by the value of the day."""
        return f"{day}T{self.value}"

    def with_half(self, *, after_noon: bool) -> Clock:
        """The same time in the half of the day that the text names elsewhere."""
        if not self.half_unknown:
            return self
        hour = int(self.value[:2]) % _NOON + (_NOON if after_noon else 0)
        return replace(self, value=f"{hour:02}{self.value[2:]}", half_unknown=False)


def make_clock(
    hour: int, minute: int = 0, second: int | None = None, zone: str = "", *, half_unknown: bool = False
) -> Clock:
    """15:30; raises `ValueError` where no clock shows that."""
    if not (0 <= hour <= 24 and 0 <= minute < 60 and 0 <= (second or 0) < 60):
        raise ValueError(f"no clock shows {hour}:{minute}")
    grain = Grain.SECOND if second is not None else Grain.MINUTE if minute else Grain.HOUR
    seconds = "" if second is None else f":{second:02}"
    return Clock(f"{hour:02}:{minute:02}{seconds}{zone}", grain, half_unknown=half_unknown and 1 <= hour <= _NOON)


@dataclass(frozen=True, slots=True)
class DayPart(Clock):
    """A morning, an afternoon, an evening or a night; one that is not `is_standalone` is a time only next to a day."""

    is_standalone: bool = True

    def resolve(self, context: Context) -> MentionFields:
        """Raises `ValueError` if the words are no time without a day: "Good morning"."""
        if not self.is_standalone:
            raise ValueError(f"a part of no day: {self.value}")
        return Clock.resolve(self, context)


@dataclass(frozen=True, slots=True)
class Hours:
    """From one time of a day to another: "3pm to 4pm"."""

    first: Clock
    last: Clock
    modifier: Modifier | None = None

    grain = property(attrgetter("last.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """On the day that a clock alone would be on."""
        return TimeOnDay(_TODAY, self).resolve(context)

    def format_on(self, day: str) -> str:
        """An ISO 8601 interval, from the first of several days to the last."""
        first, _, last = day.partition("/")
        return f"{self.first.format_on(first)}/{self.last.format_on(last or first)}"


def make_hours(first: Clock, last: Clock) -> Hours:
    """The halves of the day follow from each other: 5 to 6pm, 8am-3, 9:30-4:30pm."""
    if first.is_24_hour or last.is_24_hour:
        return Hours(first, last)
    if first.half_unknown and not last.half_unknown:
        morning, evening = first.with_half(after_noon=False), first.with_half(after_noon=True)
        first = evening if evening.value < last.value else morning
    elif last.half_unknown and not first.half_unknown:
        morning, evening = last.with_half(after_noon=False), last.with_half(after_noon=True)
        last = morning if first.value < morning.value else evening
    elif last.half_unknown and last.value < first.value:
        last = last.with_half(after_noon=True)
    return Hours(first, last)


def with_day_part(clock: Clock | Hours, part: DayPart) -> Clock | Hours:
    """The clock in the part of the day: 8 in the evening is 20:00, 3 at night is 03:00."""
    if isinstance(clock, Hours):
        return Hours(_with_part(clock.first, part), _with_part(clock.last, part))
    return _with_part(clock, part)


def _with_part(clock: Clock, part: DayPart) -> Clock:
    is_night = part.value == "NI" and clock.value >= _SMALL_HOURS
    return clock.with_half(after_noon=is_night or part.value in ("AF", "EV"))


@dataclass(frozen=True, slots=True)
class TimeOnDay:
    """A time of a day: "3:30 pm on Friday", "yesterday morning". Its interval is the day."""

    day: Meaning
    clock: Clock | Hours

    grain = property(attrgetter("clock.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """The day with the time in its value."""
        day = self.day.resolve(context)
        date = "XXXX-XX-XX" if day.value == readings.UNRESOLVED else day.value
        return replace(
            day,
            value=self.clock.format_on(date),
            grain=self.clock.grain,
            type=TimexType.TIME,
            modifier=self.clock.modifier or day.modifier,
        )


@dataclass(frozen=True, slots=True)
class BareNumber:
    """A number that is an hour or a day only next to certain words: the 5 of "from 5 to 7 pm"."""

    number: int
    minute: int = 0

    grain: ClassVar[None] = None

    @property
    def clock(self) -> Clock | None:
        """The time that it means next to a time or a day; None if no clock shows it."""
        return make_clock(self.number, self.minute, half_unknown=True) if self.number <= _NOON * 2 else None

    def resolve(self, context: Context) -> MentionFields:
        """Never a time alone: raises `ValueError`."""
        raise ValueError(f"{self.number} is a number")


@dataclass(frozen=True, slots=True)
class BareNumberRange:
    """Two such numbers as the sides of a range: "from 4 to 22" (this month), "between 3 and 5" (today).

    `has_preposition` is whether "from" or "between" is before them.
    """

    first: BareNumber
    last: BareNumber
    has_preposition: bool

    grain: ClassVar[None] = None

    def resolve(self, context: Context) -> MentionFields:
        """Never a time alone: raises `ValueError`."""
        raise ValueError(f"{self.first.number} and {self.last.number} are numbers")
