"""Lengths (DURATION, SET), parts of a time, units counted inside it, and times from one to another or left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from math import floor
from operator import attrgetter

from tasks.temporal.meanings.numeric_days import NumericDay
from tasks.temporal.meanings.offsets import Shift, TimeOffset, resolve_unit
from tasks.temporal.meanings.recurrences import Recurring, UnitWithin, make_half_of_year
from tasks.temporal.readings import UNRESOLVED, Context, Meaning, MentionFields, add_units, find_first_day, is_larger
from tasks.temporal.tense import Tense
from warehouse.records import Grain, Modifier, TimexType
from warehouse.records.calendars import DAY, Interval

SYMBOLS = {Grain.SECOND: "S", Grain.MINUTE: "M", Grain.HOUR: "H", Grain.DAY: "D", Grain.WEEKEND: "WE", Grain.WEEK: "W"}
SYMBOLS |= {Grain.MONTH: "M", Grain.QUARTER: "Q", Grain.YEAR: "Y", Grain.DECADE: "Y", Grain.CENTURY: "Y"}
_YEARS = {Grain.DECADE: 10, Grain.CENTURY: 100}
_TIME_UNITS = (Grain.SECOND, Grain.MINUTE, Grain.HOUR)
_SMALLER = {
    Grain.DECADE: (10, Grain.YEAR),
    Grain.YEAR: (12, Grain.MONTH),
    Grain.QUARTER: (3, Grain.MONTH),
    Grain.WEEK: (7, Grain.DAY),
    Grain.DAY: (24, Grain.HOUR),
    Grain.HOUR: (60, Grain.MINUTE),
}
_SIZES = {grain: size for size, grain in enumerate(SYMBOLS)}


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time: `amounts` of units from the largest down; None is an unknown number ("years": PXY)."""

    amounts: tuple[tuple[float | None, Grain], ...]
    modifier: Modifier | None = None

    @property
    def grain(self) -> Grain:
        """The smallest unit named."""
        return self.amounts[-1][1]

    @property
    def value(self) -> str:
        """As in ISO 8601, with X for an unknown number: P2Y6M, PT36H, PXD; decades and centuries are years: P10Y."""
        days: dict[str, float | None] = {}
        times: dict[str, float | None] = {}
        for amount, grain in self.amounts:
            amounts, symbol = times if grain in _TIME_UNITS else days, SYMBOLS[grain]
            previous = amounts.get(symbol, 0)
            amounts[symbol] = None if amount is None or previous is None else previous + amount * _YEARS.get(grain, 1)
        return f"P{_format_amounts(days)}{'T' if times else ''}{_format_amounts(times)}"

    @property
    def count(self) -> int | None:
        """The whole number of its one unit, where it has one unit and a whole number of it."""
        amount = self.amounts[0][0]
        return int(amount) if len(self.amounts) == 1 and amount is not None and amount == int(amount) else None

    @property
    def steps(self) -> tuple[tuple[int, Grain], ...] | None:
        """The length in whole numbers of units, of a smaller one where it must be; None where it is unknown."""
        whole_units = [_to_whole_units(*amount) for amount in self.amounts]
        return None if None in whole_units else tuple(unit for unit in whole_units if unit)

    def combine(self, other: Duration) -> Duration | None:
        """The sum of this and a smaller length: "two years and three months"; None if they do not form one length."""
        last, first = self.amounts[-1], other.amounts[0]
        if last[0] is None or first[0] is None or _SIZES[last[1]] <= _SIZES[first[1]]:
            return None
        return Duration((*self.amounts, *other.amounts), self.modifier or other.modifier)

    def resolve(self, context: Context) -> MentionFields:
        """A length has no place in time."""
        return MentionFields(self.value, None, self.grain, TimexType.DURATION, modifier=self.modifier)


@dataclass(frozen=True, slots=True)
class KnownLength(Duration):
    """A length with its article: "the two weeks", which before another time means all of their days, not the first."""


@dataclass(frozen=True, slots=True)
class AdjacentLength:
    """The days of a length right before (`direction` -1) or after (1) a time: "the two weeks before Christmas 2023"."""

    length: Duration
    direction: int
    base: Meaning

    grain = property(attrgetter("length.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """A DURATION that has a place in time where the base has one."""
        base, steps = self.base.resolve(context), self.length.steps
        plain = self.length.resolve(context)
        if base.bounds is None or steps is None:
            return plain
        edge = other_edge = base.bounds[0] if self.direction < 0 else base.bounds[1]
        for count, grain in steps:
            other_edge = add_units(other_edge, grain, self.direction * count)
        interval = (min(edge, other_edge), max(edge, other_edge))
        if interval[0] == interval[1]:
            return plain
        return replace(plain, interval=interval, relative=base.relative, anchor=base.anchor)


@dataclass(frozen=True, slots=True)
class LengthAhead:
    """The 6 weeks of "Return in 6 weeks": the day that far from the anchor, or the length if the text looks back."""

    length: Duration

    grain = property(attrgetter("length.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """Weeks, too, are counted from day to day."""
        steps = self.length.steps
        if context.tense is Tense.PAST or steps is None or context.anchor is None:
            return self.length.resolve(context)
        *first, (count, grain) = steps
        today = Shift(Grain.DAY, 0)
        return TimeOffset(grain, count, today, first=tuple(first), to_day=True).resolve(context)


@dataclass(frozen=True, slots=True)
class Age:
    """An age: "22-year-old". TIMEX3 tags it as a length; it is not a time of the text's events."""

    length: Duration

    grain = property(attrgetter("length.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """The length."""
        return self.length.resolve(context)


def _to_whole_units(amount: float | None, grain: Grain) -> tuple[int, Grain] | None:
    """Half a year is six months; a number that is not whole in the smaller unit either is rounded to it."""
    if amount is None:
        return None
    if amount == int(amount) or grain not in _SMALLER:
        return round(amount), grain
    size, smaller_unit = _SMALLER[grain]
    return round(amount * size), smaller_unit


def _format_amounts(amounts: Mapping[str, float | None]) -> str:
    return "".join(f"{'X' if amount is None else f'{amount:g}'}{symbol}" for symbol, amount in amounts.items())


@dataclass(frozen=True, slots=True)
class TimeSet:
    """A SET: "weekly" (P1W), "every Monday" (XXXX-WXX-1), "twice a year" (P1Y, freq 2X)."""

    value: str
    grain: Grain | None
    quant: str = "EVERY"
    freq: str = ""

    def resolve(self, context: Context) -> MentionFields:
        """It recurs, and so has no place in time."""
        return MentionFields(self.value, None, self.grain, TimexType.SET, quant=self.quant, freq=self.freq)


# A week belongs to the month or year that holds most of its days, as in ISO 8601.
_MIDWEEK = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class NumberedUnit:
    """A unit waiting for the time that it is counted in: "the last week". `index` is from 0, or from the end.

    `default` is what it means where none follows, if anything.
    """

    unit: Grain
    index: int
    default: Meaning | None = None

    grain = property(attrgetter("unit"))

    def resolve(self, context: Context) -> MentionFields:
        """Raises `ValueError` where it means nothing alone: "the third day"."""
        if self.default is None:
            raise ValueError(f"a {self.unit} of what?")
        return self.default.resolve(context)


@dataclass(frozen=True, slots=True)
class NumberedIn:
    """The unit inside `outer`; relative where the outer time is."""

    unit: NumberedUnit
    outer: Meaning

    grain = property(attrgetter("unit.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """The calendar unit. Raises `ValueError` where the outer time has too few."""
        outer, grain, index = self.outer.resolve(context), self.unit.grain, self.unit.index
        if outer.bounds is None:
            return MentionFields(UNRESOLVED, None, grain, relative=outer.relative)
        weekly = grain in (Grain.WEEK, Grain.WEEKEND)
        start, last = outer.bounds[0], outer.bounds[1] - DAY
        edge = start + _MIDWEEK * weekly if index >= 0 else last - _MIDWEEK * weekly
        day = add_units(find_first_day(grain, edge), grain, index if index >= 0 else index + 1)
        if not find_first_day(grain, start) <= day <= last:
            raise ValueError(f"{outer.value} has no such {grain}")
        return replace(resolve_unit(grain, day, context), relative=outer.relative, anchor=outer.anchor)


@dataclass(frozen=True, slots=True)
class EdgeLength:
    """The first (or, not `first`, the last) days of a time: "the first nine months of 2012". Its value is the length.

    Alone, without an `outer` time, it is that length.
    """

    length: Duration
    first: bool
    outer: Meaning | None = None

    grain = property(attrgetter("length.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """A DURATION that has a place in time where the outer time has one."""
        plain, count = self.length.resolve(context), self.length.count
        outer = self.outer.resolve(context) if self.outer else None
        if outer is None or outer.bounds is None or count is None:
            return plain
        start, end = outer.bounds
        interval = (
            (start, add_units(start, self.grain, count)) if self.first else (add_units(end, self.grain, -count), end)
        )
        if interval[0] < start or interval[1] > end or interval[0] >= interval[1]:
            raise ValueError(f"{outer.value} is shorter than {plain.value}")
        reading = replace(plain, interval=interval, type=TimexType.DURATION)
        return replace(reading, relative=outer.relative, anchor=outer.anchor)


_SIDES = (Modifier.START, Modifier.MID, Modifier.END)
_THIRD, _HALF = Fraction(1, 3), Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class ModifiedTime:
    """Part of a time: "early 2021", "the end of March", "about 1990".

    START, MID and END are its first days, those around its middle and its last: `share` of all.
    """

    whole: Meaning
    modifier: Modifier
    share: Fraction = _THIRD

    grain = property(attrgetter("whole.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """The value is the whole's, as TIMEX3 has it; the interval is the part's."""
        reading = self.whole.resolve(context)
        if reading.bounds is None or self.modifier not in _SIDES:
            return replace(reading, modifier=self.modifier)
        interval, other = self._select_part(reading.bounds), reading.other_bounds
        return replace(
            reading, interval=interval, other_interval=other and self._select_part(other), modifier=self.modifier
        )

    def _select_part(self, whole: Interval) -> Interval:
        """In whole days, never empty."""
        start, days = whole[0], (whole[1] - whole[0]).days
        if days < 3:
            return whole
        first = (1 - self.share) * _SIDES.index(self.modifier) / 2
        return start + floor(days * first) * DAY, start + floor(days * (first + self.share)) * DAY


def make_half(whole: Meaning, modifier: Modifier) -> Meaning:
    """The first half of a time (START) or the second: that of a year has a name, 2022-H1."""
    if whole.grain is Grain.YEAR:
        return UnitWithin(make_half_of_year(1 if modifier is Modifier.START else 2), whole)
    return ModifiedTime(whole, modifier, _HALF)


@dataclass(frozen=True, slots=True)
class DividedTime:
    """The past or future part of a time: "earlier this month" (START), "later this year", "the rest of" (END)."""

    whole: Meaning
    modifier: Modifier

    grain = property(attrgetter("whole.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """Up to and with the anchor's day, or from it on; a third of the whole where the anchor is outside."""
        reading, day = self.whole.resolve(context), context.anchor
        if reading.bounds is None or day is None or not reading.bounds[0] <= day < reading.bounds[1]:
            return ModifiedTime(reading, self.modifier).resolve(context)
        start, end = reading.bounds
        interval = (start, day + DAY) if self.modifier is Modifier.START else (day, end)
        return replace(reading, interval=interval, other_interval=None, modifier=self.modifier)


@dataclass(frozen=True, slots=True)
class OpenRange:
    """A bound: "since 2019" (ON_OR_AFTER), "after May" (AFTER), "before Q2" (BEFORE), "until 2020" (ON_OR_BEFORE)."""

    bound: Meaning
    modifier: Modifier

    grain = property(attrgetter("bound.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """The value is the bound's; one side of the interval is None."""
        reading = self.bound.resolve(context)
        if reading.bounds is None:
            return replace(reading, modifier=self.modifier)
        # The day of a time of day is on both sides of it.
        includes_bound = reading.type is TimexType.TIME
        interval, other = self._open_side(reading.bounds, includes_bound=includes_bound), reading.other_bounds
        return replace(
            reading,
            interval=interval,
            other_interval=other and self._open_side(other, includes_bound=includes_bound),
            modifier=self.modifier,
        )

    def _open_side(self, interval: Interval, *, includes_bound: bool) -> tuple[date | None, date | None]:
        start, end = interval
        sides: dict[Modifier, tuple[date | None, date | None]] = {
            Modifier.BEFORE: (None, end if includes_bound else start),
            Modifier.ON_OR_BEFORE: (None, end),
            Modifier.AFTER: (start if includes_bound else end, None),
            Modifier.ON_OR_AFTER: (start, None),
        }
        return sides[self.modifier]


@dataclass(frozen=True, slots=True)
class TimeBetween:
    """From the start of one time to the end of another: "from March to May 2021", "2019-2021".

    A recurring first side is its last instance before the other side: "March" is that of 2021. A recurring last side is
    its first instance after a more exact first side: "from 1 March 2021 to May", "from April 9 to the 17th".
    """

    first: Meaning
    last: Meaning

    grain = property(attrgetter("last.grain"))

    def resolve(self, context: Context) -> MentionFields:
        """An ISO 8601 interval of the two values. Raises `ValueError` where the first is not before the last."""
        first, last = self._resolve_sides(context)
        if first.bounds is None or last.bounds is None:
            return MentionFields(f"{first.value}/{last.value}", None, self.grain, relative=True)
        if not first.bounds[0] < last.bounds[1]:
            raise ValueError(f"{first.value} is after {last.value}")
        return replace(
            last,
            value=f"{first.value}/{last.value}",
            interval=(first.bounds[0], last.bounds[1]),
            modifier=None,
            relative=first.relative or last.relative,
            anchor=last.anchor or first.anchor,
        )

    def _resolve_sides(self, context: Context) -> tuple[MentionFields, MentionFields]:
        first, last = _to_recurring(self.first, context), _to_recurring(self.last, context)
        if isinstance(first, Recurring) and not (isinstance(last, Recurring) and is_larger(first.parent, last.parent)):
            end = last.resolve(context)
            if end.bounds is None:
                return first.resolve(context), end
            return replace(first.find_before(end.bounds[0], context), relative=end.relative, anchor=end.anchor), end
        start = first.resolve(context)
        if isinstance(last, Recurring) and start.bounds:
            end = last.find_after(start.bounds[0], context)
            return start, replace(end, relative=start.relative, anchor=start.anchor)
        return start, last.resolve(replace(context, last_reading=start))


def _to_recurring(side: Meaning, context: Context) -> Meaning:
    return side.to_recurring(context) if isinstance(side, NumericDay) else side
