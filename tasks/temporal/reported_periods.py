"""The period that a document reports on, by its cover, its headline, its title, or the name of its file.

"For the fiscal year ended December 2, 2022", "Reports First-Quarter 2023 Results", "Halbjahresfinanzbericht 2024",
"2025年第三季度报告", "ACME_2023Q2_10Q.pdf". The days of a period and its name follow the company's calendar, which
is inferred from all its documents: one release says when a quarter ended, another only which quarter it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import MINYEAR, date, timedelta
from pathlib import PurePosixPath

from tasks.parsers.document_head import ANNUAL_REPORT, INTERIM_REPORT, REPORT, find_cover, find_running_titles
from tasks.parsers.xbrl.cover_facts import read_cover_tags
from tasks.temporal.english.year_ends import find_announced_quarter, is_outlook
from tasks.temporal.fiscal_inference import select_most_trusted
from tasks.temporal.readings import format_period, make_quarter_interval
from tasks.temporal.tagger import normalize_dates, tag
from warehouse.records import Attributes, DateClaim, DateOrigin, Document, Grain, Kind, Mention, TimexType
from warehouse.records.calendars import FiscalCalendar, Interval

HEAD = 3000  # Characters of a text in which its date is searched for.
HEADLINE = 600  # Characters of a text in which its headlines are.
_LONGEST_LINE = 160
_PERIODS = (Grain.QUARTER, Grain.HALF, Grain.YEAR)
_MIN_DAYS, _MAX_DAYS = 77, 380
"""Days of a reported period, from a quarter of twelve weeks that may begin a week later to a year of 53 weeks."""
_PUBLISHED = (DateOrigin.CORRECTED, DateOrigin.FRONT_MATTER, DateOrigin.PUBLICATION, DateOrigin.DATELINE)
"""The origins of dates of publication; dates of other origins may be anywhere in the period."""
_MIN_OWN_DAYS = 7  # Days of the shortest period that a line at the head of a text may name as that of the text.
_PRELIMINARY = timedelta(days=14)  # Preliminary results come up to two weeks before the end of their period.
_REPORTING_KINDS = (Kind.REPORT, Kind.TEXT, Kind.NOTE)
_ENDED = re.compile(r"\bend(?:ed|ing)\b", re.IGNORECASE)
_ENDED_ON = re.compile(r"\bended\b", re.IGNORECASE)
_COLON = re.compile(r"(?<=\bended)\s?:", re.IGNORECASE)
_FOR_BEFORE = re.compile(r"\bfor\s*$", re.IGNORECASE)
_IN_REFERENCE = re.compile(
    r"\bof\s(?:[\w’']+\s){1,3}(?:annual|quarterly)\s+report\s+on\s+form\s+\d\d-[kqf](?:/a)?,?\s+for\s+$", re.IGNORECASE
)
"""Words before the period of another report: "in Item 7 of the Company’s Annual Report on Form 10-K for …"."""
_REPORTS = re.compile(
    r"\b(?:results?|earnings|reports?|reported|statements?|review|update|form 10-?[KQ]|10-?[KQ]|[24]0-?F)\b"
    rf"|业绩|業績|决算|決算|报告|報告|财报|財報|[年季]报|(?<!\w){REPORT}",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"(?<![0-9A-Z])(?:10-?KT?|[24]0-?F|FY|annual|(?:full|fiscal)[ -]year|year)(?![0-9A-Z])|年度|年报|年報|全年"
    rf"|(?<!\w)(?:{ANNUAL_REPORT})",
    re.IGNORECASE,
)
"""Words that make a bare year the reported year."""
_PARTS_OF_YEAR = (
    (
        "H1",
        6,
        rf"\b(?:half|mid|six)[- ]?(?:year|month)|(?<!\w)(?:{INTERIM_REPORT})|halbjahr|halfjaar|halvår|半年|中期",
    ),
    ("9M", 9, r"\bnine[- ]months?\b|\b9m\b|neun[- ]?monat|neuf mois|nueve meses|nove mesi|前三季度|九个月"),
)
"""The first half of a year and its first nine months, with their count of months, and the words that say so."""
_UP_TO_DAY = re.compile(r"\b(?:zum|per|au|al|a|ao|as\s+(?:at|of)|at|op|pr\.?|den)\s+$", re.IGNORECASE)
"""Words before the last day of the period in a title: "Jahresabschluss zum 31. Dezember 2023"."""
_COUNTED_ON = re.compile(
    r"\b(?:stand|stichtag|état|situation|situación|situazione)\s?:\s?(?:am\s|au\s|al\s|a\s)?$|截[至止]$", re.IGNORECASE
)
"""Words before the day of a table's figures: "Stand: 31.12.2023"."""
_RANGE_WORD = re.compile(r"(?:al|au|bis|a|até|tot|t/m|to|[-–—])(?:\s(?:zum|el|le))?", re.IGNORECASE)
_SENTENCE = re.compile(r"[a-zß-ÿ]{2}[.!?](?:\s|\Z)|\d[.!?]\Z|[。！？]")
_BOUND_WORDS = re.compile(
    r"(?:\b(?:until|till|through|by|since|before|after|from|valid|due|expires?|expiry|next|copyright|seit|bis|ab|vor|nach"
    r"|gültig|jusqu\S+|depuis|desde|hasta|até|fino)\b|©)[\s:(]*(?:\w+[\s:]+){0,2}\Z",
    re.IGNORECASE,
)
"""Words before a time that is the beginning or end of something else."""
_WORD_START = re.compile(r"(?<![^\W_])[^\W_]|(?<=\D)\d")
_DAY_SIGN = re.compile("[日号號]")
_UNDATED_END = re.compile(r"\b(?:end(?:ed|ing)\b.{1,20}|as (?:at|of)\s\D{0,12}\d\d?\W{0,2}\D{0,12})\Z", re.IGNORECASE)
"""The end of a line that names the last day of a period and no year: "Years ended 31 March"."""
_MIN_ENDED_DAYS = 27  # Days of the shortest period that a line above a table may name by its last day.
_YEAR_PREFIX = "FY"  # Before the number of a year in its name.
_JOINTS = re.compile(r"[_\W]+")


@dataclass(frozen=True, slots=True)
class ReportedPeriod:
    """A reported period: its name ("FY2022", "Q2 2023"), its days, half-open, and the words that name it."""

    name: str
    start: date
    end: date
    text: str


def find_reported_period(document: Document, calendar: FiscalCalendar | None) -> ReportedPeriod | None:
    """The period by the content; None for papers and courses, and for content that names no reported period.

    The tags of a filing's cover come before its words.
    """
    if document.kind not in _REPORTING_KINDS:
        return None
    tags = read_cover_tags(document.facts) if document.facts else None
    if tags and tags.period and tags.name:
        return ReportedPeriod(tags.name, *tags.period, "")
    # The cover of a filing may follow the pages of a designed annual report: the text is read from the cover on.
    start, end = find_cover(document.text)
    text = _COLON.sub(" ", document.text[start : min(end, start + 2 * HEAD)] if start else document.text[:HEAD])
    claim = select_most_trusted(document.dates)
    normalized_text = normalize_dates(text, document.attributes.day_order)
    stated_periods = [
        (period, _IN_REFERENCE.search(normalized_text, 0, offset))
        for period, offset in _iter_stated_periods(normalized_text, calendar)
    ]
    periods = (
        *(period for period, reference in stated_periods if not reference),
        *_iter_announced_quarters(text, calendar, claim.date if claim else None),
        *_iter_headline_periods(text, calendar),
        *_iter_label_periods(document.title, calendar),
        *(period for period, reference in stated_periods if reference),
    )
    if not periods:
        periods = tuple(
            period for line in find_running_titles(document.text) for period in _iter_label_periods(line, calendar)
        ) or tuple(_iter_headline_ranges(text, document.language))
    # A period that was not over at the publication is only expected: the reported one is named further on.
    return next(
        (period for period in periods if claim is None or not _is_early(period, claim)), next(iter(periods), None)
    )


def _iter_announced_quarters(
    text: str, calendar: FiscalCalendar | None, publication_date: date | None
) -> Iterator[ReportedPeriod]:
    """The quarter that a headline announces, in the year named next to it, else the latest such quarter that was over.

    Nothing for a fourth quarter if a headline names another period, such as the whole year.
    """
    quarter, year = find_announced_quarter(text) or (0, None)
    if not quarter or (quarter == 4 and any(_iter_headline_periods(text, calendar))):
        return
    try:
        if year is None:
            if calendar is None or publication_date is None:
                return
            year = calendar.find_year(publication_date)
            year -= calendar.find_months(year, quarter * 3, 1)[1] > publication_date
        start, end = (
            calendar.find_months(year, quarter * 3 - 2, 3) if calendar else make_quarter_interval(year, quarter)
        )
    except (ValueError, OverflowError):
        return
    name = f"Q{quarter} {year}"
    yield ReportedPeriod(name, start, end, name)


def find_period_in_name(name: str, calendar: FiscalCalendar | None) -> ReportedPeriod | None:
    """The period by a file's name: "2023Q2", or a year next to "10K", "annual" or "FY"."""
    return next(_iter_label_periods(_JOINTS.sub(" ", PurePosixPath(name).stem), calendar), None)


def find_own_period(document: Document) -> Interval | None:
    """The days that a text is about: its reported period, else the only time in its title or in a line at its head.

    A line without a sentence, of a week to a year: "Statement for May 2023", "Period: 1 to 31 May 2023"; a year by
    itself only with words of a report.
    """
    if document.kind not in _REPORTING_KINDS:
        return None
    start, end = document.attributes.reported_start, document.attributes.reported_end
    if start and end:
        return start, end
    for printed_line in (document.title, *document.text[:HEADLINE].splitlines()):
        if len(printed_line) > _LONGEST_LINE or printed_line.startswith("|") or _SENTENCE.search(printed_line):
            continue
        line = normalize_dates(printed_line, document.attributes.day_order, document.language)
        mentions = tag(line, None, document.language)
        mention_by_days = {
            (mention.start_date, mention.end_date): mention for mention in mentions if mention.type is TimexType.DATE
        }
        if days := _find_range(mentions, line):
            return days
        if len(mention_by_days) != 1:
            continue
        (((start, end), mention),) = mention_by_days.items()
        if start is None or end is None or mention.relative or mention.modifier:
            continue
        is_range = "/" in mention.value
        is_bound_or_outlook = is_outlook(line, mention.start, mention.end) or (
            not is_range and _BOUND_WORDS.search(line[: mention.start])
        )
        is_bare_year = mention.grain is Grain.YEAR and not _REPORTS.search(line)
        if _MIN_OWN_DAYS <= (end - start).days <= _MAX_DAYS and not is_bound_or_outlook and not is_bare_year:
            return start, end
    return None


def _find_range(mentions: Sequence[Mention], line: str) -> Interval | None:
    """The days from one to another, the only two of a line, with a word between that another language has for "to"."""
    match mentions:
        case [Mention(grain=Grain.DAY, start_date=date() as start), Mention(grain=Grain.DAY, end_date=date() as end)]:
            between = line[mentions[0].end : mentions[1].start].strip()
            return (
                (start, end)
                if _RANGE_WORD.fullmatch(between) and _MIN_OWN_DAYS <= (end - start).days <= _MAX_DAYS
                else None
            )
    return None


def list_ended_periods(line: str, last_year: int, *, language: str, day_order: str) -> dict[int, Interval]:
    """The periods that a line above a table names by their last day, or the month end "as at" which it is, by year.

    Nothing if it names two that end on one day, or if the latest is not of the `last_year`, which is added to a day
    without a year ("Years ended 31 March").
    """
    text = normalize_dates(line, day_order, language)
    mentions = tag(text, None, language)
    undated_mention = next((mention for mention in mentions if mention.value.startswith("XXXX-")), None)
    if undated_mention and not any(mention.start_date for mention in mentions):
        lead = text[: undated_mention.end]
        if _UNDATED_END.search(lead) is None:
            return {}
        text = f"{lead} {last_year}"
        mentions = tag(text, None, language)
    periods: dict[int, Interval] = {}
    last_days = [mention.end_date for mention in mentions if mention.type is TimexType.DATE]
    for mention in mentions:
        if days := _find_ended_days(mention, text, language):
            if last_days.count(days[1]) > 1:
                return {}
            periods[(days[1] - timedelta(days=1)).year] = days
    return periods if max(periods, default=0) == last_year else {}


def _find_ended_days(mention: Mention, text: str, language: str) -> Interval | None:
    """The days of a mention that is a period and ends with a day in its words, or a month end "as at" which it is."""
    start, end = mention.start_date, mention.end_date
    if start is None or end is None or mention.modifier or mention.type is not TimexType.DATE:
        return None
    if mention.grain is Grain.DAY and (end - start).days == 1:
        text_before = text[: mention.start]
        is_last_day = end.day == 1 and (_UP_TO_DAY.search(text_before) or _COUNTED_ON.search(text_before))
        return (start, end) if is_last_day else None
    words = mention.text
    ends = (len(words), *(match.end() for match in _DAY_SIGN.finditer(words)))
    pieces = (words[match.start() : stop] for match in _WORD_START.finditer(words) for stop in ends)
    is_ended = (end - start).days >= _MIN_ENDED_DAYS and any(
        mention.grain is Grain.DAY and mention.end_date == end
        for piece in pieces
        for mention in tag(piece, None, language)[:1]
    )
    return (start, end) if is_ended else None


def find_file_period(
    attributes: Attributes, name: str, calendar: FiscalCalendar | None, claim: DateClaim | None
) -> ReportedPeriod | None:
    """The period of a document by its content, else by its file's name; None if neither gives one or it is to come.

    `calendar` is that of its company, by which the words of the content are read again, `claim` the document's date,
    None if it is undated. If a cover gives the last day and the company's calendar is not known, the name comes from
    the file. A document published before a period was over does not report on it: its quarter belongs to an unknown
    calendar.
    """
    content_period, period_in_name = _read_content_period(attributes, calendar), find_period_in_name(name, calendar)
    if content_period and period_in_name and calendar is None:
        content_period = replace(content_period, name=period_in_name.name)
    period = content_period or period_in_name
    if period is None or claim is None:
        return period
    # The first day in a text need not be its date: a cover that says when its period ended is trusted more.
    is_over = claim.origin is DateOrigin.TEXT and bool(_ENDED_ON.search(period.text))
    return period if is_over or (period.start <= claim.date and not _is_early(period, claim)) else None


def _is_early(period: ReportedPeriod, claim: DateClaim) -> bool:
    return claim.origin in _PUBLISHED and period.end > claim.date + _PRELIMINARY


def _read_content_period(attributes: Attributes, calendar: FiscalCalendar | None) -> ReportedPeriod | None:
    """The period that the content names, its words read by the company's calendar where there is one."""
    if not attributes.reported_name or attributes.reported_start is None or attributes.reported_end is None:
        return None
    name, text = attributes.reported_name, attributes.reported_text
    periods = (period for period, _ in _iter_periods(text, calendar)) if calendar else iter(())
    return next(periods, ReportedPeriod(name, attributes.reported_start, attributes.reported_end, text))


def _iter_stated_periods(text: str, calendar: FiscalCalendar | None) -> Iterator[tuple[ReportedPeriod, int]]:
    """The periods named with their last day, with their offsets: after "for" on a cover, or below words of a report."""
    if not _ENDED.search(text):
        return
    announcement = _REPORTS.search(text)
    for period, mention in _iter_periods(text, calendar):
        is_cover = bool(_FOR_BEFORE.search(text[max(0, mention.start - 10) : mention.start]))
        is_announced = is_cover or (announcement and announcement.start() < mention.start)
        if _ENDED.search(mention.text) and is_announced and not is_outlook(text, mention.start, mention.end):
            yield period, mention.start


def _iter_headline_periods(text: str, calendar: FiscalCalendar | None) -> Iterator[ReportedPeriod]:
    """For each headline with words that announce a report, the period nearest to them."""
    for line in text[:HEADLINE].splitlines():
        announcement = _REPORTS.search(line)
        if announcement and len(line) <= _LONGEST_LINE:
            periods = _iter_label_mentions(line, calendar)
            distances = [(abs(mention.start - announcement.start()), period) for period, mention in periods]
            if distances:
                yield min(distances, key=lambda pair: pair[0])[1]


def _iter_label_periods(label: str, calendar: FiscalCalendar | None) -> Iterator[ReportedPeriod]:
    """The quarters and parts of years in a title or a file's name; with words of a yearly report also the years."""
    periods = [period for period, _ in _iter_label_mentions(label, calendar)]
    yield from (period for period in periods if not period.name.startswith(_YEAR_PREFIX))
    if _YEARLY.search(label):
        yield from periods


def _iter_headline_ranges(text: str, language: str) -> Iterator[ReportedPeriod]:
    """The ranges of months in a headline, "January–June 2024", and the months up to the last day in a headline."""
    for line in text[:HEADLINE].splitlines():
        if len(line) > _LONGEST_LINE or not _REPORTS.search(line):
            continue
        for mention in tag(line, None, language):
            start, end = mention.start_date, mention.end_date
            if start is None or end is None or end.day != 1 or start.year == MINYEAR:
                continue
            if mention.relative or is_outlook(line, mention.start, mention.end):
                continue
            months = 12 * (end.year - start.year) + end.month - start.month
            if mention.grain is Grain.DAY and _UP_TO_DAY.search(line[: mention.start]):
                part = _find_part(line)
                months = part[1] if part else 12
            elif mention.grain is not Grain.MONTH or start.day != 1 or months not in (3, 6, 9, 12):
                continue
            yield _make_period(end, months, mention.text)


def _make_period(end: date, months: int, text: str) -> ReportedPeriod:
    """The months that end before `end`, the first day of a month, with the name that they have in a calendar year."""
    last = end - timedelta(days=1)
    first = 12 * end.year + end.month - 1 - months
    prefixes = {3: f"Q{(last.month + 2) // 3} ", 6: f"H{(last.month + 5) // 6} ", 9: "9M ", 12: _YEAR_PREFIX}
    name = f"{prefixes[months]}{last.year}"
    return ReportedPeriod(name, date(first // 12, first % 12 + 1, 1), end, text)


def _iter_label_mentions(label: str, calendar: FiscalCalendar | None) -> Iterator[tuple[ReportedPeriod, Mention]]:
    """The periods of a title or headline that are not only expected; a year may be that of a half-year report."""
    for period, mention in _iter_periods(label, calendar):
        if not is_outlook(label, mention.start, mention.end) and not _IN_REFERENCE.search(label, 0, mention.start):
            is_year = mention.grain is Grain.YEAR and period.name.startswith(_YEAR_PREFIX)
            yield (_choose_part_of_year(period, label, calendar) if is_year else period), mention


def _choose_part_of_year(period: ReportedPeriod, label: str, calendar: FiscalCalendar | None) -> ReportedPeriod:
    """The part of a year that a label names: "Half-year report 2024"; the whole year if it names none."""
    part, year = _find_part(label), period.name.removeprefix(_YEAR_PREFIX)
    if part is None or not year.isdigit():
        return period
    name, months = part
    start, end = (
        calendar.find_months(int(year), 1, months)
        if calendar
        else (period.start, date(period.start.year, months + 1, 1))
    )
    return ReportedPeriod(f"{name} {year}", start, end, f"{name} {year}")


def _find_part(label: str) -> tuple[str, int] | None:
    parts = ((name, months) for name, months, words in _PARTS_OF_YEAR if re.search(words, label, re.IGNORECASE))
    return next(parts, None)


def _iter_periods(text: str, calendar: FiscalCalendar | None) -> Iterator[tuple[ReportedPeriod, Mention]]:
    """The quarters, halves and years that a text names, each with its mention."""
    for mention in tag(text, None, "und", fiscal=calendar):
        start, end = mention.start_date, mention.end_date
        if mention.type is not TimexType.DATE or mention.relative or mention.modifier or start is None or end is None:
            continue
        if mention.grain is Grain.YEAR and calendar and mention.value.isdigit() and not _ENDED.search(mention.text):
            start, end = calendar.find_months(int(mention.value), 1, 12)
        if mention.grain in _PERIODS and _MIN_DAYS <= (end - start).days <= _MAX_DAYS:
            name = format_period(mention)
            name = f"{_YEAR_PREFIX}{name}" if mention.grain is Grain.YEAR and name.isdigit() else name
            yield ReportedPeriod(name, start, end, mention.text), mention
