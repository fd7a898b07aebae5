"""English words that modify or join adjacent times, and their joins: "since", "early", "two weeks ago"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from tasks.temporal.english.lexicon import S, match_any
from tasks.temporal.grammar import GrammarRule, JoinRule, Signal, SignalRole, make_rule
from tasks.temporal.meanings.clocks import Clock, TimeOnDay
from tasks.temporal.meanings.company import Period, YearOfTwo
from tasks.temporal.meanings.numeric_days import NumericDate, NumericDay
from tasks.temporal.meanings.offsets import (
    AdjacentUnit,
    ComparedPeriod,
    LastMention,
    Rolling,
    SamePeriod,
    Shift,
    TimeOffset,
)
from tasks.temporal.meanings.recurrences import (
    Policy,
    Recurring,
    SteppedUnit,
    UnitOfYear,
    UnitWithin,
    WeekOf,
)
from tasks.temporal.meanings.spans import (
    AdjacentLength,
    DividedTime,
    Duration,
    EdgeLength,
    KnownLength,
    ModifiedTime,
    NumberedIn,
    NumberedUnit,
    OpenRange,
    make_half,
)
from tasks.temporal.readings import Meaning, MentionFields, Vague, is_larger, make_years_interval
from warehouse.records import Grain, Modifier

_SIGNALS_BY_WORD = {
    "from": Signal(SignalRole.FROM),
    "to": Signal(SignalRole.TO),
    "through": Signal(SignalRole.TO, Modifier.ON_OR_BEFORE),
    "thru": Signal(SignalRole.TO, Modifier.ON_OR_BEFORE),
    "between": Signal(SignalRole.BETWEEN),
    "and": Signal(SignalRole.AND),
    "of": Signal(SignalRole.OF),
    "at": Signal(SignalRole.AT),
    "since": Signal(SignalRole.BOUND, Modifier.ON_OR_AFTER),
    "until": Signal(SignalRole.TO, Modifier.ON_OR_BEFORE),
    "till": Signal(SignalRole.TO, Modifier.ON_OR_BEFORE),
    "by": Signal(SignalRole.BOUND, Modifier.ON_OR_BEFORE),
    "before": Signal(SignalRole.BOUND, Modifier.BEFORE),
    "after": Signal(SignalRole.BOUND, Modifier.AFTER),
    "ago": Signal(SignalRole.AGO),
    "hence": Signal(SignalRole.HENCE),
    "earlier": Signal(SignalRole.EARLIER, Modifier.START),
    "later": Signal(SignalRole.LATER, Modifier.END),
    **dict.fromkeys(("about", "around", "approximately", "roughly"), Signal(SignalRole.LENGTH, Modifier.APPROX)),
}
_MODIFIERS_BY_PHRASE = {
    **dict.fromkeys(("prior to", "earlier than"), Modifier.BEFORE),
    **dict.fromkeys(("no later than", "not later than", "on or before"), Modifier.ON_OR_BEFORE),
    **dict.fromkeys(("in no event later than", "in no case later than", "on or prior to"), Modifier.ON_OR_BEFORE),
    **dict.fromkeys(("on or after", "no earlier than", "no sooner than", "not before"), Modifier.ON_OR_AFTER),
    "later than": Modifier.AFTER,
    **dict.fromkeys(("starting", "starting in", "starting from", "starting on"), Modifier.ON_OR_AFTER),
    **dict.fromkeys(("beginning", "beginning in", "beginning on", "beginning from"), Modifier.ON_OR_AFTER),
    **dict.fromkeys(("commencing", "commencing in", "commencing on", "commencing from"), Modifier.ON_OR_AFTER),
    **dict.fromkeys(("valid from", "effective from", "in force from", "with effect from"), Modifier.ON_OR_AFTER),
}
_EDGES = {
    **dict.fromkeys(("beginning", "start", "outset", "dawn", "turn", "early part", "early days"), Modifier.START),
    "opening": Modifier.START,
    **dict.fromkeys(("middle", "midpoint", "height"), Modifier.MID),
    **dict.fromkeys(("end", "close", "latter part", "late part"), Modifier.END),
}
_TWO_THIRDS = Fraction(2, 3)
_PARTS = {"early": Modifier.START, "mid": Modifier.MID, "late": Modifier.END}
_REMAINDERS = ("rest", "remainder", "balance")
_THE_VERY = rf"(?:the{S})?(?:very{S})?"


def _normalize_spaces(text: str) -> str:
    return " ".join(text.lower().split())


def _match_phrases(phrases: Iterable[str]) -> str:
    return match_any(phrases).replace(r"\ ", S)


_HALVES = {
    **dict.fromkeys(("first", "front", "1st", "former"), Modifier.START),
    **dict.fromkeys(("second", "latter", "back", "last", "2nd", "final"), Modifier.END),
}


def _read_half(match: re.Match[str]) -> Signal:
    return Signal(SignalRole.HALF, _HALVES[match["half"].lower()])


def _read_larger_part(match: re.Match[str]) -> Signal | None:
    """Mid-to-late; "early to late" is all of it."""
    first, last = (_PARTS[match[group].lower()] for group in ("first", "last"))
    if Modifier.MID not in (first, last) or first is last:
        return None
    return Signal(SignalRole.LARGER_PART, last if first is Modifier.MID else first)


_ON = Signal(SignalRole.TRAILING_BOUND, Modifier.ON_OR_AFTER)
_AFTER_FROM = re.compile(r"\bfrom\s(?:\S{1,12}\s){1,4}\Z", re.IGNORECASE)
_FROM_REACH = 40


def _read_on(match: re.Match[str]) -> Signal | None:
    """The end of "from Monday on"."""
    return _ON if _AFTER_FROM.search(match.string, max(0, match.start() - _FROM_REACH), match.start()) else None


RULES: tuple[GrammarRule, ...] = (
    make_rule(_SIGNALS_BY_WORD, match_any(_SIGNALS_BY_WORD), lambda match: _SIGNALS_BY_WORD[match[0].lower()]),
    make_rule(
        {phrase.split()[0] for phrase in _MODIFIERS_BY_PHRASE},
        _match_phrases(_MODIFIERS_BY_PHRASE),
        lambda match: Signal(SignalRole.BOUND, _MODIFIERS_BY_PHRASE[_normalize_spaces(match[0])]),
    ),
    make_rule(
        {edge.split()[0] for edge in _EDGES},
        rf"(?P<edge>{_match_phrases(_EDGES)}){S}of\b",
        lambda match: Signal(SignalRole.PART, _EDGES[_normalize_spaces(match["edge"])]),
        lead=_THE_VERY,
    ),
    make_rule({"end"}, r"(?<![A-Za-z0-9]-)end-(?=(?-i:[A-Z])|[12][0-9]{3})", Signal(SignalRole.PART, Modifier.END)),
    make_rule(
        _PARTS,
        rf"(?P<part>early|mid|late)(?:-|\b)(?:{S}(?:in|on)\b)?",
        lambda match: Signal(SignalRole.PART, _PARTS[match["part"].lower()]),
        lead=_THE_VERY,
    ),
    make_rule(
        _PARTS,
        rf"(?P<first>early|mid)(?:{S}|-)to(?:{S}|-)(?P<last>mid|late)(?:-|\b)(?:{S}(?:in|on)\b)?",
        _read_larger_part,
        lead=_THE_VERY,
    ),
    make_rule({"half"}, rf"half{S}of\b", _read_half, lead=rf"(?:the{S})?(?P<half>{match_any(_HALVES)}){S}"),
    make_rule(
        {"back"},
        rf"back\b(?=\s{{0,2}}(?:[.,;:)!?]|\Z)|{S}(?:I|we|he|she|it|they|you|there|when|in)\b)",
        Signal(SignalRole.AGO),
    ),
    make_rule(
        {"c", "ca", "circa", "abt"},
        r"(?:c\.|ca\.|ca(?=\s[1-9])|[Cc]irca\b|(?:[Aa]bt|ABT)(?:\.|\b))(?=\s?(?:[0-9A-Z]|the\b))",
        Signal(SignalRole.PART, Modifier.APPROX),
        exact_case=True,
    ),
    make_rule({"bef"}, r"(?:bef\.|BEF\b|Bef\.)", Signal(SignalRole.BOUND, Modifier.BEFORE), exact_case=True),
    make_rule({"aft"}, r"(?:aft\.|AFT\b|Aft\.)", Signal(SignalRole.BOUND, Modifier.AFTER), exact_case=True),
    make_rule({"bet"}, r"(?:bet\.|BET\b|Bet\.)", Signal(SignalRole.BETWEEN), exact_case=True),
    make_rule({"earlier"}, rf"earlier{S}in\b", Signal(SignalRole.DIVIDED, Modifier.START)),
    make_rule({"later"}, rf"later{S}in\b", Signal(SignalRole.DIVIDED, Modifier.END)),
    make_rule({"so"}, rf"so{S}far(?:{S}in)?\b", Signal(SignalRole.DIVIDED, Modifier.START)),
    make_rule(
        _REMAINDERS, rf"{match_any(_REMAINDERS)}{S}of\b", Signal(SignalRole.DIVIDED, Modifier.END), lead=rf"(?:the{S})?"
    ),
    make_rule({"from"}, rf"from{S}(?:now|today)\b", Signal(SignalRole.HENCE)),
    make_rule({"on"}, rf"on\b(?=\s{{0,2}}(?:[.,;:)!?]|\Z)|{S}(?:I|we|he|she|it|they|you|there|all|no)\b)", _read_on),
    make_rule({"onward", "onwards"}, r"onwards?\b", Signal(SignalRole.TRAILING_BOUND, Modifier.ON_OR_AFTER)),
)

THE = re.compile(r"\s{1,3}(?:the\s)?", re.IGNORECASE)
DATED = (
    *(
        MentionFields,
        NumericDate,
        Period,
        YearOfTwo,
        Recurring,
        SteppedUnit,
        UnitWithin,
        Shift,
        TimeOffset,
        SamePeriod,
        LastMention,
    ),
    *(NumberedIn, ModifiedTime, DividedTime, NumericDay, UnitOfYear, WeekOf, ComparedPeriod),
)
_DATES = (MentionFields, NumericDate, NumericDay, UnitOfYear)
_NOW = Shift(Grain.DAY, 0)
_IN = re.compile(r"\s{1,3}(?:(?:in|during|for|from)\s(?:the\s)?)?", re.IGNORECASE)
_PART_GAP = re.compile(r"\s?(?:the\s)?|-", re.IGNORECASE)
_BOUND_GAP = re.compile(
    r"\s{1,3}(?:(?:at\sleast|around|about|early\sas|as\searly\sas|roughly)\s)?(?:the\s)?", re.IGNORECASE
)
_COMMA = re.compile(r",?\s{1,3}")

# The modifier of a date by that of its distance ("more than a year ago"), as in TIMEX3.
_BEFORE_NOW = {
    Modifier.MORE_THAN: Modifier.BEFORE,
    Modifier.LESS_THAN: Modifier.AFTER,
    Modifier.EQUAL_OR_MORE: Modifier.ON_OR_BEFORE,
    Modifier.EQUAL_OR_LESS: Modifier.ON_OR_AFTER,
    Modifier.APPROX: Modifier.APPROX,
}


def _make_offset(
    length: Duration, direction: int, base: Meaning, reference: str = "", *, to_day: bool = False
) -> Meaning:
    """The time a length before (direction -1) or after (1) the base; a reference alone for "years ago"."""
    steps = length.steps
    if steps is None:
        return Vague(reference)
    modifier = length.modifier and (_BEFORE_NOW[length.modifier] if direction < 0 else length.modifier)
    *first, (count, grain) = ((direction * count, grain) for count, grain in steps)
    return TimeOffset(grain, count, base, modifier, tuple(first), to_day)


def _join_length_and_bound(length: Duration, base: Meaning, modifier: Modifier) -> Meaning | None:
    direction = {Modifier.BEFORE: -1, Modifier.AFTER: 1}.get(modifier)
    return (
        None
        if direction is None or length.steps is None
        else _make_offset(length, direction, base, to_day=base.grain is Grain.DAY)
    )


def _join_adjacent_length(length: KnownLength, base: Meaning, modifier: Modifier) -> AdjacentLength | None:
    """The two weeks before Christmas: all of their days."""
    direction = {Modifier.BEFORE: -1, Modifier.AFTER: 1}.get(modifier)
    return AdjacentLength(length, direction, base) if direction and length.count and base.grain is Grain.DAY else None


def _join_length_from(length: Duration, base: Meaning) -> Meaning | None:
    """A week from Friday, which is the next one; "five years from 2010" is a range of years."""
    if base.grain is not Grain.DAY or length.steps is None:
        return None
    if isinstance(base, Recurring) and base.parent is Grain.WEEK:
        base = replace(base, policy=Policy.NEXT)
    return _make_offset(length, 1, base, to_day=True)


def _join_ago_today(ago: TimeOffset, day: Shift) -> Meaning | None:
    """Three weeks ago today, a year ago yesterday: the day itself, not its week or year."""
    if day.grain is not Grain.DAY or ago.base != _NOW or ago.count >= 0:
        return None
    return TimeOffset(Grain.DAY, 0, day, first=(*ago.first, (ago.count, ago.grain)))


def _join_lengths(first: Duration, second: Duration) -> Meaning | None:
    return None if first.modifier and second.modifier else first.combine(second)


def _join_numbered_within(unit: NumberedUnit, outer: Meaning) -> Meaning | None:
    return NumberedIn(unit, outer) if outer.grain and is_larger(outer.grain, unit.grain) else None


_POSSESSIVE = re.compile(r"['’]s\s{1,2}")


def _join_part_of_year(year: Shift, part: Recurring) -> UnitWithin | None:
    """Last year's third quarter."""
    return UnitWithin(part, year) if year.grain is part.parent and part.grain in (Grain.QUARTER, Grain.HALF) else None


_QUARTER_OF_CENTURY = 25


def _join_quarter_of_century(quarter: Recurring | NumberedUnit, century: MentionFields) -> MentionFields | None:
    """The last quarter of the 18th century: 25 years, not three months."""
    if quarter.grain is not Grain.QUARTER or century.grain is not Grain.CENTURY or century.bounds is None:
        return None
    index = quarter.index % 4 if isinstance(quarter, NumberedUnit) else int(quarter.unresolved_value[-1]) - 1
    first = century.bounds[0].year + _QUARTER_OF_CENTURY * index
    last = first + _QUARTER_OF_CENTURY - 1
    return MentionFields(f"{first:04}/{last:04}", make_years_interval(first, _QUARTER_OF_CENTURY), Grain.YEAR)


def _join_part_within(part: EdgeLength | SamePeriod, outer: Meaning) -> Meaning | None:
    return None if part.outer else replace(part, outer=outer)


LENGTHS: tuple[JoinRule, ...] = (
    JoinRule((Duration, Duration), _join_lengths, _COMMA),
    JoinRule((Duration, SignalRole.AND, Duration), _join_lengths),
    JoinRule((TimeOffset, Shift), _join_ago_today),
    JoinRule((Duration, SignalRole.AGO), lambda length: _make_offset(length, -1, _NOW, "PAST_REF")),
    JoinRule((Duration, SignalRole.HENCE), lambda length: _make_offset(length, 1, _NOW, "FUTURE_REF", to_day=True)),
    JoinRule((Duration, SignalRole.EARLIER), lambda length: _make_offset(length, -1, LastMention(), "PAST_REF")),
    JoinRule((Duration, SignalRole.LATER), lambda length: _make_offset(length, 1, LastMention(), "FUTURE_REF")),
    JoinRule((KnownLength, SignalRole.BOUND, DATED), _join_adjacent_length, THE, takes_modifier=True),
    JoinRule((Duration, SignalRole.BOUND, DATED), _join_length_and_bound, THE, takes_modifier=True),
    JoinRule((AdjacentUnit, DATED), lambda unit, base: unit.attach_to(base), THE),
    JoinRule((Duration, SignalRole.FROM, (Recurring, SteppedUnit, Shift)), _join_length_from),
    JoinRule(((Recurring, NumberedUnit), SignalRole.OF, MentionFields), _join_quarter_of_century, THE),
    JoinRule((Recurring, SignalRole.OF, DATED), UnitWithin, THE),
    JoinRule((Recurring, Shift), lambda unit, outer: UnitWithin(unit, outer) if outer.grain is unit.parent else None),
    JoinRule((Shift, Recurring), _join_part_of_year, _POSSESSIVE),
    JoinRule((NumberedUnit, SignalRole.OF, DATED), _join_numbered_within, THE),
    JoinRule((NumberedUnit, DATED), _join_numbered_within, _IN),
    JoinRule((EdgeLength, SignalRole.OF, DATED), _join_part_within, THE),
    JoinRule((SamePeriod, (SignalRole.OF, SignalRole.FROM), DATED), _join_part_within, THE),
    JoinRule((SamePeriod, DATED), _join_part_within, _IN),
)
PARTS: tuple[JoinRule, ...] = (
    JoinRule((SignalRole.PART, (*DATED, Rolling, TimeOnDay)), ModifiedTime, _PART_GAP, takes_modifier=True),
    JoinRule((SignalRole.HALF, DATED), make_half, THE, takes_modifier=True),
    JoinRule(
        (SignalRole.LARGER_PART, DATED),
        lambda whole, modifier: ModifiedTime(whole, modifier, _TWO_THIRDS),
        _PART_GAP,
        takes_modifier=True,
    ),
    JoinRule((SignalRole.DIVIDED, DATED), DividedTime, THE, takes_modifier=True),
    JoinRule(((SignalRole.EARLIER, SignalRole.LATER), DATED), DividedTime, takes_modifier=True),
)
BOUNDS: tuple[JoinRule, ...] = (
    # After the ranges: "ten days from 3 May to 12 May".
    JoinRule((Duration, SignalRole.FROM, _DATES), _join_length_from, THE),
    JoinRule((DATED, SignalRole.TRAILING_BOUND), OpenRange, _COMMA, (0, 1), takes_modifier=True),
    JoinRule(
        ((SignalRole.BOUND, SignalRole.TO), (*DATED, TimeOnDay, Clock)),
        lambda bound, modifier: modifier and OpenRange(bound, modifier),
        _BOUND_GAP,
        (1, 2),
        takes_modifier=True,
    ),
)
