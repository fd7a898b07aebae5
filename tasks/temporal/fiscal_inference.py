"""A document's fiscal calendar, inferred from its text."""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import islice

from tasks.parsers.language import EUROPEAN, has_chinese
from tasks.parsers.xbrl.cover_facts import read_cover_tags
from tasks.temporal.chinese.fiscal import find_year_ends as chinese_year_ends
from tasks.temporal.english.lexicon import MONTH_NAMES
from tasks.temporal.english.year_ends import find_quarter_ends
from tasks.temporal.english.year_ends import find_year_ends as english_year_ends
from tasks.temporal.european.lexicon import UNACCENTED, EuropeanLexicon, match_any_phrase, split_phrases
from tasks.temporal.grammar import LETTERS
from tasks.temporal.tagger import tag
from warehouse.records import DateClaim, DateOrigin, Document, Mention, TimexType
from warehouse.records.calendars import (
    BY_13_WEEKS,
    DAY,
    FULL_YEAR,
    MONTH_END,
    OTHER_YEAR,
    STATED,
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
_MAX_EARLY_DAY, _MIN_LATE_DAY = 3, 24
"""Years of weeks end in the last week of their month or on the first days of the next."""
_MAX_DIFFERENCE = timedelta(days=7)
_LONGEST_BASIS = 120
_MAX_EVIDENCE = 60  # Evidence stored of a document; annual reports of large companies have about forty pieces.

_MAX_FISCAL_WORDS = 60  # Words for fiscal years that are read in a European text, in some 20 ms.
_SEARCH_LENGTH = 110  # Characters from such a word on in which the end of the year is looked for.
_SHORTEST_YEAR, _LONGEST_YEAR = timedelta(days=357), timedelta(days=373)
_EACH_YEAR = re.compile(r"XXXX-(?P<month>\d\d)-(?P<day>\d\d)")
_END_WORDS = re.compile(
    r"\b(?:ende[tn]?|endend|schlie[ßs]+t|clos|cl[ôo]tur\w*|ach[èe]v\w*|termin\w*|cierr\w*|cerrad\w*|finaliz\w*|chiu\w*"
    r"|encerr\w*|find[oa]|eindig\w*|afgesloten)\b[^.;]{0,30}\Z",
    re.IGNORECASE,
)
"""Words before the last day of fiscal years."""
_PART_WORDS = re.compile(
    r"\b(?:\w*quartale?s?|halbjahr\w*|\w*monate[ns]?|semestr\w*|trimestr\w*|kwarta\w+|halfjaar|mois|meses|mesi|maanden)\b"
    r"[^.;\n]{0,20}\Z",
    re.IGNORECASE,
)
"""Words before a fiscal year of which only a part ends: "im dritten Quartal des Geschäftsjahres, endend am …"."""

_Quarters = tuple[int, int, int]
_ORIGINS_BY_TRUST = tuple(DateOrigin)


def find_year_ends(text: str, language: str, publication_date: date | None = None) -> tuple[YearEnd, ...]:
    """The evidence in a text for the end of its company's fiscal years; `publication_date` is the text's, if known.

    `language` is that of the text; Chinese is looked for unless it is "en" and no letter is Chinese. Each kind of
    evidence is given once, with the number of times it was found; of a long text only the strongest.
    """
    normalized_text = text.translate(LETTERS)
    evidence = [*english_year_ends(normalized_text), *find_quarter_ends(normalized_text, publication_date)]
    if language != "en" or has_chinese(text):
        evidence += chinese_year_ends(normalized_text)
    if language in EUROPEAN:
        evidence += _find_european_year_ends(text, language)
    texts_by_evidence: defaultdict[YearEnd, list[str]] = defaultdict(list)
    for statement in evidence:
        texts_by_evidence[replace(statement, text="")].append(statement.text)
    summarized_evidence = [
        replace(year_end, text=texts[0][:_LONGEST_BASIS], times=len(texts))
        for year_end, texts in texts_by_evidence.items()
    ]
    return tuple(sorted(summarized_evidence, key=lambda statement: -statement.weight * statement.times)[:_MAX_EVIDENCE])


def _find_european_year_ends(text: str, language: str) -> Iterator[YearEnd]:
    """The days on which fiscal years end in a European text: the last of a year, or that of each year.

    "Exercice clos le 30 juin 2024", "Geschäftsjahr vom 1. April 2023 bis 31. März 2024", "Das Geschäftsjahr endet am
    30. Juni". The first two times after a word for such a year are read.
    """
    for word in islice(_compile_fiscal_words(language).finditer(text.translate(UNACCENTED)), _MAX_FISCAL_WORDS):
        following_text = text[word.start() : word.start() + _SEARCH_LENGTH].partition("\n\n")[0]
        is_part = _PART_WORDS.search(text, max(0, word.start() - _SEARCH_LENGTH), word.start()) is not None
        for mention in islice(tag(following_text, None, language), 2):
            if year_end := _read_european_year_end(following_text, mention, is_part=is_part):
                yield year_end
                break


def _read_european_year_end(following_text: str, mention: Mention, *, is_part: bool) -> YearEnd | None:
    """What a time after a word for a fiscal year says of its end; `is_part` says that only a part of it may end."""
    start, end, basis = mention.start_date, mention.end_date, " ".join(following_text[: mention.end].split())
    is_end = not is_part and _END_WORDS.search(following_text[: mention.start]) is not None
    if unresolved_day := _EACH_YEAR.fullmatch(mention.value):
        return YearEnd(int(unresolved_day["month"]), int(unresolved_day["day"]), STATED, basis) if is_end else None
    if start is None or end is None or mention.type is not TimexType.DATE:
        return None
    last = end - DAY
    is_year = _SHORTEST_YEAR <= end - start <= _LONGEST_YEAR and str(last.day) in mention.text
    is_last_day = is_end and start == last
    return YearEnd(last.month, last.day, FULL_YEAR, basis, last.year) if is_year or is_last_day else None


@cache
def _compile_fiscal_words(language: str) -> re.Pattern[str]:
    words = match_any_phrase(split_phrases(EuropeanLexicon.read(language).fiscal_year))
    return re.compile(rf"\b{words}\b", re.IGNORECASE)


def infer_text_calendar(text: str, language: str, publication_date: date | None = None) -> FiscalCalendar | None:
    """The calendar by the evidence in a text; None without enough of it."""
    return infer_calendar(find_year_ends(text, language, publication_date))


def infer_calendar(evidence: Sequence[YearEnd]) -> FiscalCalendar | None:
    """The calendar by the evidence of one company; None without enough of it.

    Years end in the month whose evidence weighs most; all evidence of that month gives the day and how years are
    named. If a year can be divided into quarters of weeks in two ways, the one that agrees better with the evidence
    is used.
    """
    choices = [(_choose_month(evidence, quarters), quarters) for quarters in _list_quarter_weeks(evidence)]
    (month, weight), quarters = max(choices, key=lambda choice: choice[0][1])
    return _build_calendar(month, evidence, quarters) if weight >= OTHER_YEAR else None


def _choose_month(evidence: Iterable[YearEnd], quarters: _Quarters | None) -> tuple[int, int]:
    """The month in which years end and the weight of its evidence.

    Evidence does not count if its name of the year is neither the year in which it ends nor the one before.
    """
    weights: Counter[int] = Counter()
    for statement in evidence:
        year_end = statement.estimate_year_end(quarters)
        if statement.last is None or statement.name is None or year_end.year - statement.name in (0, 1):
            weights[year_end.month] += statement.weight * statement.times
    return max(weights.items(), key=lambda item: item[1], default=(0, 0))


def _list_quarter_weeks(evidence: Iterable[YearEnd]) -> Sequence[_Quarters | None]:
    """The weeks after which the quarters of a year may end, the likeliest first; [None] where no weeks are counted.

    Quarters of 12 weeks go with one of 16, which is the first or the last of its year.
    """
    counted_evidence = [statement for statement in evidence if statement.counted]
    week_counts = {statement.counted for statement in counted_evidence}
    quarter_lengths = {
        (statement.quarter, statement.counted in _LONG_QUARTER)
        for statement in counted_evidence
        if statement.weight and statement.counted < 18
    }
    if week_counts & {28, 40} or (1, True) in quarter_lengths:
        return (_BY_16_WEEKS,)
    if week_counts & _PLAIN_QUARTER:
        return (BY_13_WEEKS,)
    if week_counts & {24, 36} or (4, True) in quarter_lengths or (1, False) in quarter_lengths:
        return (_BY_12_WEEKS,)
    if week_counts & {*_SHORT_QUARTER, *_LONG_QUARTER}:
        return (_BY_12_WEEKS, _BY_16_WEEKS)
    return (BY_13_WEEKS,) if week_counts else (None,)


def make_declared_calendar(year_end: str) -> FiscalCalendar | None:
    """The calendar of the settings, whose fiscal years end on the day `year_end` (MM-DD); None for an empty one."""
    if not year_end:
        return None
    month, day = map(int, year_end.split("-"))
    return FiscalCalendar(month, f"fiscal years end on {year_end}, as the settings say", _to_day_or_end(month, day))


def _to_day_or_end(month: int, day: int) -> int:
    return MONTH_END if day >= monthrange(2001, month)[1] else day


def infer_document_calendar(document: Document, year_end: str = "", corrected: str = "") -> FiscalCalendar | None:
    """A document's calendar as in `choose_calendar`; `corrected` is a rule of a person for `parse_year_end_rule`."""
    return choose_calendar(document.attributes.year_ends or collect_evidence(document), year_end, corrected)


def choose_calendar(evidence: Sequence[YearEnd], year_end: str = "", corrected: str = "") -> FiscalCalendar | None:
    """The calendar that the settings declare (`year_end`, MM-DD), with the details of the evidence where both agree.

    A rule that a person `corrected` comes before both.
    """
    if corrected:
        return make_corrected_calendar(evidence, parse_year_end_rule(corrected))
    declared_calendar, inferred_calendar = make_declared_calendar(year_end), infer_calendar(evidence)
    if declared_calendar is None or (
        inferred_calendar is not None and inferred_calendar.last_month == declared_calendar.last_month
    ):
        return inferred_calendar
    return declared_calendar


def make_corrected_calendar(evidence: Sequence[YearEnd], rule: YearEndRule) -> FiscalCalendar:
    """The calendar of a rule that a person gave, with the details that the evidence has for its month.

    If the evidence counts weeks to the end of a month, they refine the rule's day, unless the rule is exact. The
    evidence also gives how a year is divided into quarters of weeks, the exact days of quarters, and the year by which
    it is named.
    """

    def measure_weight(quarters: _Quarters | None) -> int:
        ends = (statement for statement in evidence if statement.estimate_year_end(quarters).month == rule.month)
        return sum(end.weight * end.times for end in ends)

    quarters = max(_list_quarter_weeks(evidence), key=measure_weight)
    basis = f"fiscal years end {rule.description}, as corrected by a person"
    inferred_calendar = FiscalCalendar(rule.month, basis)
    if measure_weight(quarters):
        inferred_calendar = _build_calendar(rule.month, evidence, quarters)
    rule_calendar = FiscalCalendar(rule.month, basis, rule.day, named_by_start=inferred_calendar.named_by_start)
    if rule.weeks:
        week_calendar = replace(
            rule_calendar, last_day=MONTH_END, weeks=replace(rule.weeks, quarters=quarters or BY_13_WEEKS)
        )
        return replace(week_calendar, known=_collect_known_ends(week_calendar, evidence))
    if inferred_calendar.weeks and rule.day == MONTH_END and not rule.exactly:
        return replace(inferred_calendar, basis=basis)
    return rule_calendar


def collect_evidence(document: Document) -> tuple[YearEnd, ...]:
    """The evidence for the end of fiscal years in the tags of a document's cover and in its text."""
    claim = select_most_trusted(document.dates)
    tagged_year_ends = read_cover_tags(document.facts).year_ends if document.facts else ()
    return (*tagged_year_ends, *find_year_ends(document.text, document.language, claim.date if claim else None))


def select_most_trusted(claims: Iterable[DateClaim]) -> DateClaim | None:
    """The claim of the most trusted origin, the first among equals."""
    return min(claims, key=lambda claim: _ORIGINS_BY_TRUST.index(claim.origin), default=None)


def make_calendar_from_month(month: int | None) -> FiscalCalendar | None:
    """The calendar of whole months whose fiscal years begin with `month` (1 to 12); None without one."""
    if month is None:
        return None
    return FiscalCalendar((month - 2) % 12 + 1, f"fiscal years begin in {MONTH_NAMES[month - 1].title()}")


def _build_calendar(month: int, evidence: Sequence[YearEnd], quarters: _Quarters | None) -> FiscalCalendar:
    month_evidence = [
        statement for statement in evidence if statement.weight and statement.estimate_year_end(quarters).month == month
    ]
    strongest = max(month_evidence, key=lambda statement: statement.weight)
    named_by_start = _is_named_by_start(month_evidence, quarters)
    month_calendar = FiscalCalendar(month, strongest.text[:_LONGEST_BASIS], named_by_start=named_by_start)
    ends = [
        (statement.estimate_year_end(quarters).year, statement.last)
        for statement in month_evidence
        if statement.last and statement.quarter == 4
    ]
    previous_ends = [
        day
        for statement in evidence
        if statement.counted and statement.last
        for day in [statement.last - statement.counted * WEEK]
    ]
    ends += [(close_day.year, day) for day in previous_ends if (close_day := day - _MAX_DIFFERENCE / 2).month == month]
    days = [
        *(day for statement in month_evidence if (day := statement.last) for _ in range(statement.times)),
        *(day for _, day in ends),
    ]
    stated_weeks = next((statement.weeks for statement in month_evidence if statement.weeks), None)
    rule = stated_weeks or _infer_weeks(month, days, ends, counts_weeks=quarters is not None)
    if rule is None:
        return replace(month_calendar, last_day=_find_last_day(month, month_evidence))
    week_calendar = replace(month_calendar, weeks=replace(rule, quarters=quarters or BY_13_WEEKS))
    known_ends = _collect_known_ends(week_calendar, evidence)
    return replace(week_calendar, known=_with_year_ends(week_calendar, known_ends) if stated_weeks else known_ends)


def _is_named_by_start(evidence: Iterable[YearEnd], quarters: _Quarters | None) -> bool:
    """Whether years are named by the one they begin in: "fiscal 2022 ended January 28, 2023"."""
    offsets: Counter[int] = Counter()
    for statement in evidence:
        if statement.name and statement.last:
            offsets[statement.estimate_year_end(quarters).year - statement.name] += statement.weight * statement.times
    return offsets[1] > offsets[0]


def _infer_weeks(
    month: int, days: Sequence[date], ends: Iterable[tuple[int, date]], *, counts_weeks: bool
) -> Weeks | None:
    """The rule by which years of weeks end, from their last days; None for years that always end on the same day.

    The weekday is that of most days: the one nearest to the month's end, unless only the last in the month fits.
    """
    # Near the end of a month but not on its last day.
    is_moving = any((day.day <= _MAX_EARLY_DAY or day.day >= _MIN_LATE_DAY) and (day + DAY).day != 1 for day in days)
    if not days or not (counts_weeks or is_moving):
        return None
    weekday = Counter(day.weekday() for day in days).most_common(1)[0][0]
    month_ends = [(date(year, month, monthrange(year, month)[1]), end) for year, end in set(ends)]
    rules = Weeks(weekday), Weeks(weekday, nearest=False)
    return max(rules, key=lambda rule: sum(rule.find_last_day(month_end) == end for month_end, end in month_ends))


def _find_last_day(month: int, evidence: Iterable[YearEnd]) -> int:
    """The day of the month on which most years end; `MONTH_END` for its last."""
    days = Counter(statement.day for statement in evidence if statement.quarter == 4 and statement.month == month)
    return _to_day_or_end(month, max(days, key=lambda day: days[day], default=MONTH_END))


def _with_year_ends(calendar: FiscalCalendar, known_ends: Sequence[QuarterEnd]) -> tuple[QuarterEnd, ...]:
    """The known ends and, by the rule that the text states, the end of the year before each.

    Counted back from the end of a quarter it would be a week off where that quarter's year has 53 weeks.
    """
    years = sorted({end.year - 1 for end in known_ends} - {end.year for end in known_ends if end.quarter == 4})
    calendar_without_ends = replace(calendar, known=())
    ends = (QuarterEnd(year, 4, calendar_without_ends.find_months(year, 12, 1)[1] - DAY) for year in years)
    return tuple(sorted((*known_ends, *ends), key=lambda end: (end.year, end.quarter)))


def _collect_known_ends(calendar: FiscalCalendar, evidence: Iterable[YearEnd]) -> tuple[QuarterEnd, ...]:
    """The exact ends of quarters in the evidence that are near those of the calendar, the strongest of each quarter.

    A number of weeks that end on a day also gives the end of the period before them.
    """
    best_ends: dict[tuple[int, int], tuple[int, date]] = {}
    for statement in evidence:
        if statement.last is None:
            continue
        for day in (statement.last, statement.last - statement.counted * WEEK):
            year, quarter = calendar.find_year_ending(day), calendar.find_quarter(day - _MAX_DIFFERENCE)
            best = best_ends.get((year, quarter), (-1, day))
            if (
                abs(calendar.find_months(year, quarter * 3, 1)[1] - DAY - day) <= _MAX_DIFFERENCE
                and statement.weight > best[0]
            ):
                best_ends[year, quarter] = statement.weight, day
    return tuple(QuarterEnd(year, quarter, day) for (year, quarter), (_, day) in sorted(best_ends.items()))
