"""English times relative to now or to the last mention: "yesterday", "last quarter", "the past five years"."""

from __future__ import annotations

import re

from tasks.temporal.english.durations import SIZES
from tasks.temporal.english.lexicon import (
    COUNT,
    FISCAL,
    KIND,
    LONG_UNITS,
    PLURAL_UNITS,
    UNITS,
    WEEKDAY,
    WEEKDAYS,
    S,
    match_any,
    match_before,
    match_unit,
    parse_grain,
    parse_number,
)
from tasks.temporal.grammar import GrammarRule, make_rule
from tasks.temporal.meanings.offsets import (
    AdjacentUnit,
    ComparedPeriod,
    LastMention,
    Origin,
    Rolling,
    SamePeriod,
    Shift,
    TimeOffset,
)
from tasks.temporal.meanings.recurrences import Recurring, SteppedUnit, UnitWithin, make_weekday, make_weekend
from tasks.temporal.meanings.spans import Duration, EdgeLength, LengthAhead, NumberedUnit
from tasks.temporal.readings import Meaning, MentionFields, Vague
from warehouse.records import Grain

_BACK = ("last", "past", "previous", "prior", "preceding", "latest")
_FORWARD = ("next", "coming", "following", "upcoming", "ensuing", "succeeding", "subsequent")
_FROM_MENTION = ("previous", "prior", "preceding", "following", "ensuing", "succeeding", "subsequent")
_EDGES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "opening": 0, "last": -1, "final": -1, "closing": -1}
_SIZED = rf"(?:{match_any(SIZES)}{S})?"
_COUNT_WORDS = (
    rf"(?P<count>{COUNT}(?:{S}?\([0-9]{{1,3}}\))?|(?:a{S})?couple(?:{S}of)?|(?:a{S})?few|several|many|number{S}of)"
)
_NO_VERB = "".join(
    rf"(?<!\b{word} )" for word in ("to", "can", "could", "may", "might", "should", "will", "would", "not")
)
"""It may last three weeks."""
_ROLLING_LEAD = (
    rf"(?:(?:the|these|those){S}|{_NO_VERB})(?P<way>{match_any((*_BACK, *_FORWARD))}){S}{_SIZED}{_COUNT_WORDS}"
    rf"(?:{S}|-){KIND}"
)
_EDGE = rf"(?:the{S}|{_NO_VERB})(?:very{S})?(?P<way>{match_any(_EDGES)}){S}"
_OF_THINGS = re.compile(r"\s{1,3}of\s[a-z]")  # After "the last week": the talks, but not the $3 that were made then.


def _parse_count(text: str) -> int | None:
    word = text.lower()
    if "couple" in word:
        return 2
    return (
        None if any(quantifier in word for quantifier in ("few", "several", "many", "number")) else parse_number(word)
    )


def _read_rolling(match: re.Match[str]) -> Meaning:
    count, grain, step_word = _parse_count(match["count"]), parse_grain(match["unit"]), match["way"].lower()
    length = Duration(((count, grain),))
    if count is None:
        return length
    origin = Origin.LAST_MENTION if step_word in _FROM_MENTION else Origin.WRITTEN
    return Rolling(grain, -count if step_word in _BACK else count, length.value, origin=origin)


def _read_units_at_edge(match: re.Match[str]) -> Meaning:
    length = Duration(((_parse_count(match["count"]), parse_grain(match["unit"])),))
    return EdgeLength(length, first=_EDGES[match["way"].lower()] >= 0)


def _read_unit_at_edge(match: re.Match[str]) -> Meaning:
    """Last year; "the last year of the talks" means nothing without the talks."""
    grain, edge = parse_grain(match["unit"]), match["way"].lower()
    is_last_unit = edge == "last" and not (
        match[0].lower().startswith("the") and _OF_THINGS.match(match.string, match.end())
    )
    return NumberedUnit(grain, _EDGES[edge], Shift(grain, -1) if is_last_unit else None)


def _read_recent(match: re.Match[str]) -> Meaning:
    """The two most recent fiscal years, the most recent quarter, the month just ended."""
    grain, count = parse_grain(match["unit"]), match.groupdict().get("count")
    fiscal = (match["kind"] or "").lower() in FISCAL
    if count is None:
        return Shift(grain, -1, fiscal=fiscal)
    return Rolling(grain, -parse_number(count), Duration(((parse_number(count), grain),)).value)


_ENDED = "(?:ended|completed|concluded|closed|finished)"
_RECENT = (
    rf"(?:(?:the{S})?(?:(?P<count>{COUNT}){S})?most{S}recent(?:ly{S}{_ENDED})?"
    rf"|(?:the{S}|(?<=our )|(?<=its )|(?<=their ))(?:just|recently)(?:{S}|-){_ENDED}){S}{KIND}"
)
_JUST_ENDED = rf"{S}(?:(?:that|which){S}(?:has{S})?)?just{S}{_ENDED}\b"

_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1}
_STEPS_FROM_ANCHOR = {"last": -1, "latest": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1}
_STEPS_FROM_MENTION = {
    **dict.fromkeys(("previous", "prior", "preceding"), -1),
    "that": 0,
    **dict.fromkeys(("following", "ensuing", "subsequent"), 1),
}
_ROLLING_STEPS = frozenset(step for step, count in _STEPS_FROM_MENTION.items() if count)
"""With these a decade is ten years next to the last mention, not one of the calendar."""
_STEPS = _STEPS_FROM_ANCHOR | _STEPS_FROM_MENTION
_UNIT = match_unit(LONG_UNITS)
_UNITS = match_unit(PLURAL_UNITS)
_ALL_UNITS = {*PLURAL_UNITS, *LONG_UNITS}
_STEP = rf"(?:(?:the|that|this){S})?(?P<step>{match_any(_STEPS)}){S}{KIND}"
_WITHIN = r"(?:(?<=\bover )|(?<=\bwithin )|(?<=\bthroughout ))"
_REFERENCES = {
    "these": "PRESENT_REF",
    **dict.fromkeys(("recent", "past", "previous", "those", "earlier", "last"), "PAST_REF"),
    **dict.fromkeys(("coming", "upcoming", "future", "subsequent", "following", "ensuing"), "FUTURE_REF"),
}
_REFERENCE_LEAD = rf"(?:(?:the|more){S})?(?:(?:most|more){S})?(?P<way>{match_any(_REFERENCES)}){S}"


def _read_stepped(match: re.Match[str]) -> Meaning | None:
    """The unit; None for "the last week of the talks"."""
    step, grain = match["step"].lower(), parse_grain(match["unit"])
    if grain is Grain.HOUR or (
        match[0].lower().startswith("the") and step == "last" and _OF_THINGS.match(match.string, match.end())
    ):
        return None
    if grain in (Grain.DECADE, Grain.CENTURY) and step in _ROLLING_STEPS:
        return Rolling(grain, _STEPS_FROM_MENTION[step], Duration(((1, grain),)).value, origin=Origin.LAST_MENTION)
    is_from_mention = step in _STEPS_FROM_MENTION or (
        step == "next" and (grain is Grain.DAY or match[0].lower().startswith("the"))
    )
    fiscal = (match["kind"] or "").lower() in FISCAL
    return Shift(grain, _STEPS[step], Origin.LAST_MENTION if is_from_mention else Origin.WRITTEN, fiscal=fiscal)


def _read_rolling_unit(match: re.Match[str]) -> Meaning:
    """One unit back or forward from the anchor: "over the past decade", "within the next year"."""
    grain = parse_grain(match["unit"])
    is_forward = match["step"].lower() in ("next", "coming")
    return Rolling(grain, 1 if is_forward else -1, Duration(((1, grain),)).value)


_TIMES = ("period", "time", "point")
_PART_NOUNS = (
    *("end", "half", "rest", "beginning", "start", "middle", "remainder", "part", "months", "weeks", "days", "month"),
    *("week", "day", "quarter", "quarters", "most", "much", "close", "course", "balance", "turn", "ends", "all"),
)
_AFTER_PART_NOUN = f"(?:(?<!of )|{match_before(*(f'{word} of' for word in _PART_NOUNS))})"
"""Words before "of the year" as in "the end of the year"; not "the player of the year"."""
# "The day of reckoning", "the year that changed us", "the year 2000".
_DEFINED = r"(?:of|that|when|where|after|before|which|to|ended|ending|one|two|care|job|off|[0-9])"
_NOT_OF = rf"(?!-|['’]s{S}(?:eve|day)\b|{S}{_DEFINED})"
_EARLY_IN = r"(?:(?<=late in )|(?<=later in )|(?<=early in )|(?<=earlier in ))"
_YEAR_AGO = (
    rf"(?:(?:the|an?){S})?(?:(?:prior|previous|preceding|last)(?:-|{S})year(?:['’]s)?|year(?:-|{S})(?:ago|earlier)){S}"
)
_SIDE = r"(?P<side>before|after|earlier|later|previous|prior|following)"
_REACH = 50
_COMPARISON = re.compile(
    r"\b(?:from|with|than|over|versus|vs\.?|to|against)\s(?:(?:a\s(?:loss|profit|gain)\sof\s)?[^\sA-Za-z]{0,3}[0-9][0-9.,]{0,9}%?\s"
    r"(?:[a-z]{2,10}\s){0,3})?\Z"
)
"""After these "a year ago" is the compared period: "down from 8.3 percent a year ago"."""
_SAME_LEAD = (
    rf"(?:(?:the|this|that){S})?(?:very{S})?(?P<like>same|comparable|corresponding|equivalent|like){S}"
    rf"(?:(?:three|six|nine|twelve|fiscal)(?:-|{S})(?:months?{S})?)?"
)


_KINDS_OF_DAYS = frozenset(("school", "working", "business", "trading"))


def _read_mentioned_unit(match: re.Match[str]) -> Meaning | None:
    """The unit of the last mention; a weekend is chosen by the sentence's tense. None for "the school day"."""
    grain, kind = parse_grain(match["unit"]), (match["kind"] or "").lower()
    if grain is Grain.DAY and kind in _KINDS_OF_DAYS:
        return None
    fiscal = kind in FISCAL
    return make_weekend() if grain is Grain.WEEKEND else Shift(grain, 0, Origin.LAST_MENTION, fiscal=fiscal)


def _read_year_ago(match: re.Match[str]) -> Meaning:
    """The same unit a year before, as in "the prior-year quarter"."""
    if match["unit"].lower() == "period":
        return SamePeriod(Shift(Grain.YEAR, -1, Origin.LAST_MENTION))
    return Shift(parse_grain(match["unit"]), 0, Origin.LAST_MENTION, months_back=12)


def _read_adjacent_to_mention(match: re.Match[str]) -> Meaning:
    """The day before, if no time follows to which it is relative."""
    count = 1 if match["side"].lower() in ("after", "later", "following") else -1
    return Shift(parse_grain(match["unit"]), count, Origin.LAST_MENTION)


def _read_same_period(match: re.Match[str]) -> Meaning:
    unit = match["unit"].lower()
    return SamePeriod(
        None, None if unit in _TIMES else parse_grain(unit), is_standalone=match["like"].lower() == "same"
    )


def _read_weekday_beyond(match: re.Match[str]) -> UnitWithin:
    """The Monday after next, Friday before last."""
    week = Shift(Grain.WEEK, -2 if match["before"] else 2)
    return UnitWithin(make_weekday(WEEKDAYS[match["weekday"].lower()]), week)


def _read_counted_weekday(match: re.Match[str]) -> TimeOffset:
    """Two Mondays ago, three Fridays from now: the number of weeks less one from the last or the next."""
    count, step = parse_number(match["count"]), -1 if match["way"].lower() == "ago" else 1
    if count < 2:
        raise ValueError(f"{count} is not several")
    return TimeOffset(Grain.WEEK, step * (count - 1), SteppedUnit(_make_named_weekday(match), step), to_day=True)


def _read_week_after_weekday(match: re.Match[str]) -> TimeOffset:
    """Friday week, a fortnight on Friday: counted from the next Friday."""
    weeks = 2 if match["length"].lower() == "fortnight" else 1
    return TimeOffset(Grain.WEEK, weeks, SteppedUnit(_make_named_weekday(match), 1), to_day=True)


def _make_named_weekday(match: re.Match[str]) -> Recurring:
    return make_weekday(WEEKDAYS[match["weekday"].lower()])


def _read_compared_period(match: re.Match[str]) -> Meaning | None:
    """The compared period, if only a figure or nothing is between it and "from" or "compared with"."""
    if not _COMPARISON.search(match.string[max(0, match.start() - _REACH) : match.start()]):
        return None
    count = parse_number(match["count"]) if match["count"].lower() not in ("a", "one") else 1
    return ComparedPeriod(count, Origin.WRITTEN if match["way"].lower() == "ago" else Origin.LAST_MENTION)


_VAGUE_WORDS = {
    **dict.fromkeys(("now", "nowadays", "currently", "presently"), "PRESENT_REF"),
    **dict.fromkeys(("recently", "lately"), "PAST_REF"),
    **dict.fromkeys(("soon", "shortly"), "FUTURE_REF"),
}
_WEEKDAY_NAME = "|".join(WEEKDAYS)
_THE_NEAR = rf"the{S}(?:(?:near|not-too-distant|foreseeable|distant|immediate|recent|very){S})?"
_NOT_A_NOUN = (
    r"(?=[.,;:!?)\"'’”]|\s{1,2}(?:and|or|but|to|with|by|for|in|on|as|at|is|was|were|has|had|have|that|when|where|which"
    r"|than|will|would|can|could|may|should|it|he|she|they|we|you|I|because|if|there)\b|\s{0,3}\Z)"
)
_NOT_THEN = rf"(?!{S}(?:that|after|before|afterwards?|thereafter|let|suppose|consider|to{S}be)\b)"
"""Soon after something, and "now that": no times."""
_NO_CLAUSE = rf"(?!{S}(?:I|you|we|he|she|it|they|of|when|that)\b)"
_LONG_TIME = rf"(?:(?:not|so|very){S})?(?:an?{S})?(?:(?:long|short|some){S}time|long)"
_ACCOUNTS = (
    "assets?|liabilit(?:y|ies)|portion|debt|accounts?|tax(?:es)?|income tax(?:es)?|service cost|ratio|maturities"
    "|borrowings?|receivables?|payables?|investments?|provisions?|and|or"
)
"""Nouns after "current" in a balance sheet."""
_ADJACENT_UNITS = ("day", "week", "weekend", "month", "quarter", "year")
_TERMS = match_any(("long", "longer", "near", "short", "shorter", "medium", "immediate"))


def _read_vague(match: re.Match[str]) -> Vague:
    return Vague(_VAGUE_WORDS[match["word"].lower()])


_FUTURE_EVENT = re.compile(
    r"(?:\b(?:rtc|f/u|follow[- ]?ups?|return(?:ing)?|re-?(?:check|visit|evaluate|assess)|check|come|get|due|meet"
    r"|(?:will|['’]ll|shall|should)\s(?:not\s)?be"
    r"|appointment|appt|see\s(?:you|me|him|her|us|them|patient|pt)|starts|begins|opens|expires|ends|arrives|leaves|leaving|remind\sme|next\s\w{3,12})\b"
    r"(?:\s(?!not\b|that\b)[a-z'’/-]{1,12}){0,3}\s)\Z",
    re.IGNORECASE,
)
"""Words before "in 6 weeks" if it is a future day, not the length that something takes."""
_FUTURE_EVENT_REACH = 70


def _read_length_ahead(match: re.Match[str]) -> LengthAhead | None:
    text_before = match.string[max(0, match.start() - _FUTURE_EVENT_REACH) : match.start()]
    count = 1 if match["count"].lower() in ("a", "an") else parse_number(match["count"])
    if not text_before.lower().endswith("in ") or not _FUTURE_EVENT.search(text_before[:-3]):
        return None
    return LengthAhead(Duration(((count, parse_grain(match["unit"])),)))


_AHEAD_UNITS = frozenset(("day", "days", "week", "weeks", "wk", "wks", "month", "months", "mo", "mos", "year", "years"))
_DAY_OF_STAY = MentionFields("XXXX-XX-XX", None, Grain.DAY, relative=True)
"""A day counted from an operation or an admission whose date is not in the words."""
_DAY_NUMBER = r"(?:\s?#\s?|\s|-)?[0-9]{1,3}(?![0-9A-Za-z%]|[.,/:][0-9])"

RULES: tuple[GrammarRule, ...] = (
    make_rule({"pod", "hd", "dol"}, rf"(?:POD|HD(?=\s?#)|DOL){_DAY_NUMBER}", _DAY_OF_STAY, exact_case=True),
    make_rule(
        {"day"},
        rf"day{_DAY_NUMBER}",
        _DAY_OF_STAY,
        lead=rf"(?:post-?operative|post-?op|post(?:{S}|-)?partum|hospital|icu){S}",
    ),
    make_rule(_ALL_UNITS, rf"{match_unit(_ALL_UNITS)}(?!-)", _read_recent, lead=_RECENT),
    make_rule(LONG_UNITS, rf"{_UNIT}{_JUST_ENDED}", _read_recent, lead=rf"(?:(?:the|this){S})?{KIND}"),
    make_rule(
        _ALL_UNITS,
        rf"{match_unit(_ALL_UNITS)}(?!{S}of{S}(?:(?:the|this|that|last|next|fiscal)\b|[0-9]))",
        _read_rolling,
        lead=_ROLLING_LEAD,
    ),
    make_rule(
        PLURAL_UNITS,
        rf"{_UNITS}(?!{S}(?:later|earlier|ago)\b)",
        _read_units_at_edge,
        lead=rf"{_EDGE}{_SIZED}{_COUNT_WORDS}{S}{KIND}",
    ),
    make_rule(LONG_UNITS, rf"{_UNIT}(?={S}(?:of|in)\b)", _read_unit_at_edge, lead=rf"{_EDGE}(?:full{S})?"),
    make_rule(_DAYS, match_any(_DAYS), lambda match: Shift(Grain.DAY, _DAYS[match[0].lower()])),
    make_rule({"weekend"}, r"weekend\b(?!-)", make_weekend(), lead=rf"all{S}"),
    make_rule(
        _AHEAD_UNITS,
        rf"{match_unit(_AHEAD_UNITS)}\b(?!['’-]|{S}(?:of|from|after|before|later|ago|time|since)\b)",
        _read_length_ahead,
        lead=rf"(?:(?P<count>an?|{COUNT}){S})",
    ),
    make_rule(
        {"day"},
        rf"day{S}(?:last{S}year|(?P<count>an?|{COUNT}){S}years?{S}ago)\b",
        lambda match: TimeOffset(
            Grain.DAY, 0, Shift(Grain.DAY, 0), first=((-(parse_number(match["count"] or "") or 1), Grain.YEAR),)
        ),
        lead=rf"this{S}(?:very{S})?",
    ),
    make_rule({"yesterday"}, r"yesterday\b", Shift(Grain.DAY, -2), lead=rf"(?:the{S})?day{S}before{S}"),
    make_rule({"tomorrow"}, r"tomorrow\b", Shift(Grain.DAY, 2), lead=rf"(?:the{S})?day{S}after{S}"),
    make_rule(
        LONG_UNITS,
        rf"{_UNIT}{S}(?:(?P<before>before){S}last|after{S}(?:the{S})?next)\b",
        lambda match: Shift(parse_grain(match["unit"]), -2 if match["before"] else 2),
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        WEEKDAYS,
        rf"(?P<weekday>{WEEKDAY}){S}(?:(?P<before>before){S}last|after{S}(?:the{S})?next)\b",
        _read_weekday_beyond,
        lead=rf"(?:the{S})?",
    ),
    make_rule(
        {f"{day}s" for day in WEEKDAYS},
        rf"(?P<weekday>{_WEEKDAY_NAME})s{S}(?P<way>ago|from{S}now|hence)\b",
        _read_counted_weekday,
        lead=rf"(?P<count>{COUNT}){S}",
    ),
    make_rule(
        WEEKDAYS, rf"(?P<weekday>{WEEKDAY}){S}(?P<length>week|fortnight)\b{_NOT_A_NOUN}", _read_week_after_weekday
    ),
    make_rule(
        WEEKDAYS,
        rf"(?P<weekday>{WEEKDAY})(?!['’-])",
        _read_week_after_weekday,
        lead=rf"\ba{S}(?P<length>week|fortnight){S}on{S}",
    ),
    make_rule(
        WEEKDAYS,
        rf"(?P<weekday>{WEEKDAY})(?!['’-])",
        lambda match: UnitWithin(_make_named_weekday(match), Shift(Grain.WEEK, -1)),
        lead=rf"\ba{S}week{S}ago{S}(?:on{S})?",
    ),
    make_rule(
        _ADJACENT_UNITS,
        rf"{match_unit(_ADJACENT_UNITS)}{S}(?P<side>before|after)\b(?={S}(?:the{S})?(?:(?-i:[A-Z])|[0-9]|(?:last|next|this)\b))",
        lambda match: AdjacentUnit(parse_grain(match["unit"]), -1 if match["side"].lower() == "before" else 1),
        lead=rf"the{S}",
    ),
    make_rule({"eve"}, rf"eve{S}of\b", AdjacentUnit(Grain.DAY, -1), lead=rf"(?:the{S})?"),
    make_rule(
        {"time"},
        r"time\b",
        lambda match: TimeOffset(
            parse_grain(match["unit"]), parse_number(match["count"]) or 1, Shift(Grain.DAY, 0), to_day=True
        ),
        lead=rf"(?:(?<=\bin )|(?<=\bwithin ))(?P<count>an?|{COUNT}){S}{match_unit(_ALL_UNITS)}['’]s?{S}",
    ),
    make_rule(LONG_UNITS, rf"{_UNIT}(?!-)", _read_rolling_unit, lead=rf"(?:the{S})?(?P<step>past){S}(?:full{S})?"),
    make_rule(
        LONG_UNITS,
        rf"{_UNIT}(?!-)(?!{S}of\b)",
        _read_rolling_unit,
        lead=rf"{_WITHIN}the{S}(?P<step>last|next|coming){S}",
    ),
    make_rule({"decade", "century"}, rf"{_UNIT}(?!-)(?!{S}of\b)", _read_rolling_unit, lead=rf"the{S}(?P<step>last){S}"),
    make_rule(LONG_UNITS, rf"{_UNIT}(?!-)", _read_stepped, lead=_STEP),
    make_rule(PLURAL_UNITS, _UNITS, lambda match: Vague(_REFERENCES[match["way"].lower()]), lead=_REFERENCE_LEAD),
    make_rule(PLURAL_UNITS, rf"{_UNITS}{S}(?:ahead|to{S}come)\b", Vague("FUTURE_REF"), lead=rf"(?:the{S})?"),
    make_rule(LONG_UNITS, rf"(?P<kind>){_UNIT}(?!-)", _read_mentioned_unit, lead=rf"{_EARLY_IN}the{S}"),
    make_rule(LONG_UNITS, rf"{_UNIT}{_NOT_OF}", _read_mentioned_unit, lead=rf"{_AFTER_PART_NOUN}the{S}{KIND}"),
    make_rule({*UNITS, "period"}, match_unit((*UNITS, "period")), _read_year_ago, lead=_YEAR_AGO),
    make_rule(
        LONG_UNITS, rf"{_UNIT}{S}{_SIDE}(?={S}?(?:[.,;:)]|$|and\b|but\b))", _read_adjacent_to_mention, lead=rf"the{S}"
    ),
    make_rule(
        {*LONG_UNITS, *_TIMES}, rf"{match_unit((*LONG_UNITS, *_TIMES))}(?!-)", _read_same_period, lead=_SAME_LEAD
    ),
    make_rule(
        {"year", "years"},
        rf"years?{S}(?P<way>ago|earlier|before)\b",
        _read_compared_period,
        lead=rf"(?P<count>a|one|two|three|five){S}",
    ),
    make_rule({"year"}, r"year-(?:ago|earlier)\b", ComparedPeriod(1, Origin.LAST_MENTION)),
    make_rule(_TIMES, match_unit(_TIMES), _read_same_period, lead=rf"(?P<like>this){S}"),
    make_rule(
        _VAGUE_WORDS, rf"(?P<word>{match_any(_VAGUE_WORDS)}){_NOT_THEN}", _read_vague, lead=r"(?<!\bas )(?<!known )"
    ),
    make_rule({"now"}, r"now\b", Vague("PRESENT_REF"), lead=rf"(?:right|just){S}"),
    make_rule(
        {"recently", "soon"},
        rf"(?P<word>recently|soon)\b(?!{S}as\b){_NOT_THEN}",
        _read_vague,
        lead=rf"(?:more|most|very|quite){S}",
    ),
    make_rule({"recent"}, r"recent\b", Vague("PAST_REF")),
    make_rule({"current"}, rf"(?<!-)current\b(?!-|{S}(?:{_ACCOUNTS})\b)", Vague("PRESENT_REF")),
    *(
        make_rule({noun}, rf"{noun}\b{_NOT_A_NOUN}", Vague(f"{noun.upper()}_REF"), lead=_THE_NEAR)
        for noun in ("past", "future", "present")
    ),
    make_rule({"present"}, rf"present\b{_NOT_A_NOUN}", Vague("PRESENT_REF"), lead=r"(?<=\bat )"),
    make_rule({"term"}, r"term\b(?!-)", Vague("FUTURE_REF"), lead=rf"the{S}{_TERMS}{S}"),
    make_rule({"time"}, rf"time\b{_NO_CLAUSE}", Vague("PRESENT_REF"), lead=rf"the{S}(?:present|current){S}"),
    make_rule({"time"}, rf"time{S}being\b{_NO_CLAUSE}", Vague("PRESENT_REF"), lead=rf"the{S}"),
    make_rule(
        {"moment"},
        rf"moment\b{_NO_CLAUSE}",
        Vague("PRESENT_REF"),
        lead=rf"(?:the (?:(?<=at the )|(?<=for the ))|this{S})",
    ),
    make_rule({"time"}, r"time\b", LastMention(), lead=rf"(?:(?<=\bat )|(?<=\bby )|(?<=since )|(?<=until ))that{S}"),
    make_rule({"ago"}, r"ago\b", Vague("PAST_REF"), lead=rf"{_LONG_TIME}{S}"),
    make_rule(
        {"then"}, r"then\b", LastMention(), lead=r"(?:(?<=\bby )|(?<=since )|(?<=until )|(?<=\bback )|(?<=before ))"
    ),
)
