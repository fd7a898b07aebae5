"""A document's fiscal calendar, learned from its own text."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tasks.parsers.language import has_chinese
from tasks.parsers.xbrl.cover_facts import cover_tags
from tasks.temporal.chinese.fiscal import year_ends as chinese_year_ends
from tasks.temporal.english.lexicon import MONTH_NAMES
from tasks.temporal.english.year_ends import quarter_ends
from tasks.temporal.english.year_ends import year_ends as english_year_ends
from tasks.temporal.grammar import LETTERS
from warehouse.records import DateClaim, DateOrigin, Document
from warehouse.records.fiscal import (
    BY_13_WEEKS,
    DAY,
    MONTH_END,
    PLAIN_YEAR,
    WEEK,
    FiscalCalendar,
    QuarterEnd,
    Weeks,
    YearEnd,
    YearEndRule,
    parse_year_end_rule,
)

_BY_12_WEEKS, _BY_16_WEEKS = (12, 24, 36), (16, 28, 40)
_LONG_QUARTER, _SHORT_QUARTER = {16, 17}, {12}
_PLAIN_QUARTER = {13, 14, 26, 27, 39}
_LATEST_NEXT, _EARLIEST_OWN = 3, 24
"""Years of weeks end in the last week of their month or on the first days of the next."""
_NEAR = timedelta(days=7)
_LONGEST_BASIS = 120
_MOST = 60  # What is kept of a document; annual reports of large companies come to some forty.

_Quarters = tuple[int, int, int]
_TRUST = tuple(DateOrigin)


def year_ends_of(text: str, language: str, written: date | None = None) -> tuple[YearEnd, ...]:
    """What a text says of the end of its company's fiscal years; `written` is its date, where that is known.

    `language` is "en", "zh" or "und"; Chinese is looked for unless it is "en" and no letter is Chinese. Each kind of
    evidence is given once, with how often it is said; of a long text the surest.
    """
    plain = text.translate(LETTERS)
    evidence = [*english_year_ends(plain), *quarter_ends(plain, written)]
    if language != "en" or has_chinese(text):
        evidence += chinese_year_ends(plain)
    texts: defaultdict[YearEnd, list[str]] = defaultdict(list)
    for each in evidence:
        texts[replace(each, text="")].append(each.text)
    found = [replace(bare, text=said[0][:_LONGEST_BASIS], times=len(said)) for bare, said in texts.items()]
    return tuple(sorted(found, key=lambda each: -each.weight * each.times)[:_MOST])


def fiscal_calendar(text: str, language: str, written: date | None = None) -> FiscalCalendar | None:
    """The calendar that a text's evidence speaks for; None without enough of it."""
    return learned_calendar(year_ends_of(text, language, written))


def learned_calendar(evidence: Sequence[YearEnd]) -> FiscalCalendar | None:
    """The calendar that evidence of one company speaks for; None without enough of it.

    The month with the weightiest evidence is the one in which years end; all evidence of that month says on which day
    of it and what the years are called. Where two ways to cut a year into quarters of weeks are possible, the one by
    which the evidence agrees better counts.
    """
    votes = [(_votes(evidence, quarters), quarters) for quarters in _ways(evidence)]
    (month, weight), quarters = max(votes, key=lambda vote: vote[0][1])
    return _calendar(month, evidence, quarters) if weight >= PLAIN_YEAR else None


def _votes(evidence: Iterable[YearEnd], quarters: _Quarters | None) -> tuple[int, int]:
    """The month in which years end and the weight of what says so.

    What would name a year otherwise than by the one that it ends in or the one before says nothing.
    """
    weights: Counter[int] = Counter()
    for each in evidence:
        close = each.estimate_year_end(quarters)
        if each.last is None or each.name is None or close.year - each.name in (0, 1):
            weights[close.month] += each.weight * each.times
    return max(weights.items(), key=lambda item: item[1], default=(0, 0))


def _ways(evidence: Iterable[YearEnd]) -> Sequence[_Quarters | None]:
    """The weeks after which the quarters of a year may end, the likeliest first; no weeks where none are counted.

    Quarters of 12 weeks go with one of 16, which is the first or the last of its year.
    """
    every = [each for each in evidence if each.counted]
    counted = {each.counted for each in every}
    numbered = {(each.quarter, each.counted in _LONG_QUARTER) for each in every if each.weight and each.counted < 18}
    if counted & {28, 40} or (1, True) in numbered:
        return (_BY_16_WEEKS,)
    if counted & _PLAIN_QUARTER:
        return (BY_13_WEEKS,)
    if counted & {24, 36} or (4, True) in numbered or (1, False) in numbered:
        return (_BY_12_WEEKS,)
    if counted & {*_SHORT_QUARTER, *_LONG_QUARTER}:
        return (_BY_12_WEEKS, _BY_16_WEEKS)
    return (BY_13_WEEKS,) if counted else (None,)


def declared_calendar(year_end: str) -> FiscalCalendar | None:
    """The calendar of the settings, whose fiscal years end on the day `year_end` (MM-DD); None where they say none."""
    if not year_end:
        return None
    month, day = map(int, year_end.split("-"))
    return FiscalCalendar(month, f"fiscal years end on {year_end}, as the settings say", _day_or_end(month, day))


def _day_or_end(month: int, day: int) -> int:
    return MONTH_END if day >= monthrange(2001, month)[1] else day


def calendar_of(document: Document, year_end: str = "", corrected: str = "") -> FiscalCalendar | None:
    """A document's calendar: what the settings declare, in the detail of what its text says where the two agree.

    What a person `corrected`, a rule as `parse_year_end_rule` reads it, comes before both.
    """
    return calendar_by(document.attributes.year_ends or evidence_in(document), year_end, corrected)


def calendar_by(evidence: Sequence[YearEnd], year_end: str = "", corrected: str = "") -> FiscalCalendar | None:
    """The calendar that the settings declare (`year_end`, MM-DD), in the detail of the evidence where the two agree.

    A rule that a person `corrected` comes before both.
    """
    if corrected:
        return corrected_calendar(evidence, parse_year_end_rule(corrected))
    declared, learned = declared_calendar(year_end), learned_calendar(evidence)
    if declared is None or (learned is not None and learned.last_month == declared.last_month):
        return learned
    return declared


def corrected_calendar(evidence: Sequence[YearEnd], rule: YearEndRule) -> FiscalCalendar:
    """The calendar of a rule that a person gave, in the detail that the evidence has of that month.

    Weeks that the evidence counts to the end of a month refine a day of the year, unless it is to be taken exactly;
    how a year is cut into quarters of weeks, the exact days of quarters, and by which year it is named come from the
    evidence as well.
    """

    def weight_by(quarters: _Quarters | None) -> int:
        ends = (each for each in evidence if each.estimate_year_end(quarters).month == rule.month)
        return sum(each.weight * each.times for each in ends)

    quarters = max(_ways(evidence), key=weight_by)
    basis = f"fiscal years end {rule.description}, as corrected by a person"
    learned = _calendar(rule.month, evidence, quarters) if weight_by(quarters) else FiscalCalendar(rule.month, basis)
    plain = FiscalCalendar(rule.month, basis, rule.day, named_by_start=learned.named_by_start)
    if rule.weeks:
        by_weeks = replace(plain, last_day=MONTH_END, weeks=replace(rule.weeks, quarters=quarters or BY_13_WEEKS))
        return replace(by_weeks, known=_known(by_weeks, evidence))
    if learned.weeks and rule.day == MONTH_END and not rule.exactly:
        return replace(learned, basis=basis)
    return plain


def evidence_in(document: Document) -> tuple[YearEnd, ...]:
    """What a document says of the end of its company's fiscal years, by the tags of its cover and in its text."""
    written = most_trusted(document.dates)
    tagged = cover_tags(document.facts).year_ends
    return (*tagged, *year_ends_of(document.text, document.language, written.date if written else None))


def most_trusted(claims: Iterable[DateClaim]) -> DateClaim | None:
    """The claim of the most trusted origin, the first among equals."""
    return min(claims, key=lambda claim: _TRUST.index(claim.origin), default=None)


def calendar_starting(month: int | None) -> FiscalCalendar | None:
    """The calendar of whole months whose fiscal years begin with `month` (1 to 12); None without one."""
    if month is None:
        return None
    return FiscalCalendar((month - 2) % 12 + 1, f"fiscal years begin in {MONTH_NAMES[month - 1].title()}")


def _calendar(month: int, evidence: Sequence[YearEnd], quarters: _Quarters | None) -> FiscalCalendar:
    chosen = [each for each in evidence if each.weight and each.estimate_year_end(quarters).month == month]
    surest = max(chosen, key=lambda each: each.weight)
    named_by_start = _named_by_start(chosen, quarters)
    by_month = FiscalCalendar(month, surest.text[:_LONGEST_BASIS], named_by_start=named_by_start)
    ends = [(each.estimate_year_end(quarters).year, each.last) for each in chosen if each.last and each.quarter == 4]
    before = [day for each in evidence if each.counted and each.last for day in [each.last - each.counted * WEEK]]
    ends += [(close.year, day) for day in before if (close := day - _NEAR / 2).month == month]
    days = [*(day for each in chosen if (day := each.last) for _ in range(each.times)), *(day for _, day in ends)]
    stated = next((each.weeks for each in chosen if each.weeks), None)
    rule = stated or _weeks(month, days, ends, by_weeks=quarters is not None)
    if rule is None:
        return replace(by_month, last_day=_last_day(month, chosen))
    by_week = replace(by_month, weeks=replace(rule, quarters=quarters or BY_13_WEEKS))
    known = _known(by_week, evidence)
    return replace(by_week, known=_with_year_ends(by_week, known) if stated else known)


def _named_by_start(chosen: Iterable[YearEnd], quarters: _Quarters | None) -> bool:
    """Whether years are named by the one they begin in: "fiscal 2022 ended January 28, 2023"."""
    offsets: Counter[int] = Counter()
    for each in chosen:
        if each.name and each.last:
            offsets[each.estimate_year_end(quarters).year - each.name] += each.weight * each.times
    return offsets[1] > offsets[0]


def _weeks(month: int, days: Sequence[date], ends: Iterable[tuple[int, date]], *, by_weeks: bool) -> Weeks | None:
    """How years of weeks end, by the days that they ended on; None for years that end on the same day each time.

    The weekday is that of most days, and the one nearest to the month's end unless only the last in the month fits.
    """
    # Near the end of a month and not on it.
    drift = any((day.day <= _LATEST_NEXT or day.day >= _EARLIEST_OWN) and (day + DAY).day != 1 for day in days)
    if not days or not (by_weeks or drift):
        return None
    weekday = Counter(day.weekday() for day in days).most_common(1)[0][0]
    known = [(date(year, month, monthrange(year, month)[1]), end) for year, end in set(ends)]
    rules = Weeks(weekday), Weeks(weekday, nearest=False)
    return max(rules, key=lambda rule: sum(rule.find_last_day(month_end) == end for month_end, end in known))


def _last_day(month: int, chosen: Iterable[YearEnd]) -> int:
    """The day of the month on which most years end; `MONTH_END` for its last."""
    days = Counter(each.day for each in chosen if each.quarter == 4 and each.month == month)
    return _day_or_end(month, max(days, key=lambda day: days[day], default=MONTH_END))


def _with_year_ends(calendar: FiscalCalendar, known: Sequence[QuarterEnd]) -> tuple[QuarterEnd, ...]:
    """The known ends and, by the rule that the text states, the end of the year before each.

    Counted back from the end of a quarter it would be a week off where that quarter's year has 53 weeks.
    """
    there = {(each.year, each.quarter) for each in known}
    years = sorted({each.year - 1 for each in known} - {year for year, quarter in there if quarter == 4})
    bare = replace(calendar, known=())
    ends = (QuarterEnd(year, 4, bare.find_months(year, 12, 1)[1] - DAY) for year in years)
    return tuple(sorted((*known, *ends), key=lambda each: (each.year, each.quarter)))


def _known(calendar: FiscalCalendar, evidence: Iterable[YearEnd]) -> tuple[QuarterEnd, ...]:
    """The ends that texts give to the day, where they lie near those of the calendar, the surest of each quarter.

    Weeks that end on a day begin on the day after another end.
    """
    found: dict[tuple[int, int], tuple[int, date]] = {}
    for each in evidence:
        if each.last is None:
            continue
        for day in (each.last, each.last - each.counted * WEEK):
            year, quarter = calendar.find_year_ending(day), calendar.find_quarter(day - _NEAR)
            best = found.get((year, quarter), (-1, day))
            if abs(calendar.find_months(year, quarter * 3, 1)[1] - DAY - day) <= _NEAR and each.weight > best[0]:
                found[year, quarter] = each.weight, day
    return tuple(QuarterEnd(year, quarter, day) for (year, quarter), (_, day) in sorted(found.items()))
