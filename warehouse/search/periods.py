"""Periods of questions and documents: their wording, their two readings, company calendars, and missing periods."""

from __future__ import annotations

import re
from calendar import month_abbr
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from warehouse.records import Filters, Hit, Question, Subject, Window
from warehouse.records.fiscal import DAY, FiscalCalendar, Interval
from warehouse.search.catalogue import make_company_key
from warehouse.search.filters import mask_allowed, mask_entry_passages
from warehouse.search.signals.temporal import ENDLESS, SLACK, WindowReading, list_readings, overlap
from warehouse.store.columns.passage_columns import EPOCH, UNKNOWN, Clocks, to_day_number
from warehouse.store.snapshot import Snapshot
from warehouse.store.words import split_content_words

ALIKE = 0.75
"""From which fit on two readings of a period are the same to a reader: quarters of weeks differ from those of months
by some days, a fiscal year that ends in January from that of the calendar by a month."""
Period = tuple[int, int, int]  # A year, the first of its months (1 to 12) and their number, as `Window.period`.
_MONTHS = tuple(month_abbr)
_NAME = re.compile(r"(?P<part>[QH][1-4]) (?P<year>\d{4})")
_MOST_COMPANIES = 3
_QUARTER = 77  # Days of the shortest time that companies report on.
_COMPANIES = "SELECT document_id, company FROM documents WHERE document_id IN (SELECT unnest($ids))"
_REPORTED = """
    SELECT source, reported_name, reported_start, reported_end, fiscal_year_start FROM documents WHERE document_id = $id
"""


@dataclass(frozen=True, slots=True)
class Readings:
    """Two readings of a period that a question names, in words with their days.

    `taken` is the one that the search takes, `other` the other; `instead` are words that mean the other one alone.
    """

    text: str
    taken: str
    other: str
    instead: str


def format_days(start: date, end: date) -> str:
    """A half-open period by its first and last day: "Feb 13 to May 7, 2023", "Nov 21, 2022 to Feb 12, 2023"."""
    last = end - DAY
    first, until = (f"{_MONTHS[each.month]} {each.day}" for each in (start, last))
    if start >= last:
        return f"{first}, {start.year}"
    return f"{first}{'' if start.year == last.year else f', {start.year}'} to {until}, {last.year}"


def format_reported_period(name: str, start: date, end: date, first_month: int | None) -> str:
    """A period that a document reports on, with its days: "Q2 fiscal 2023 (Nov 21, 2022 to Feb 12, 2023)"."""
    called = _NAME.sub(r"\g<part> fiscal \g<year>", name) if (first_month or 1) > 1 else name
    return f"{called} ({format_days(start, end)})"


def read_source_and_period(snapshot: Snapshot, ordinal: int) -> tuple[str, str]:
    """The source of a document, and in words the period that it reports on, if it does."""
    ((source, name, *period),) = snapshot.query_rows(_REPORTED, {"id": snapshot.passages.documents[ordinal]})
    return str(source), format_reported_period(str(name), *period) if period[0] else str(name)


def find_both_readings(window: Window) -> Readings | None:
    """Both readings of a window that may be the calendar's period or its company's; None where there is only one.

    There is only one, too, where the words say which is meant or where both are nearly the same days.
    """
    if window.period is None or window.fiscal or window.excluded:
        return None
    if not (window.start and window.end and window.other_start and window.other_end):
        return None
    taken, other = (window.start, window.end), (window.other_start, window.other_end)
    if _measure_overlap(taken, other) >= ALIKE:
        return None
    own, plain = (_format_period(window.period, fiscal=fiscal) for fiscal in (True, False))
    is_plain = window.start.timetuple()[:3] == (*window.period[:2], 1)
    first, second = (plain, own) if is_plain else (own, plain)
    return Readings(
        _strip_article(window.text), f"{first} ({format_days(*taken)})", f"{second} ({format_days(*other)})", second
    )


def describe_period_readings(snapshot: Snapshot, question: Question, hits: Sequence[Hit]) -> tuple[str, ...]:
    """A sentence for each period of a question with two readings: which was taken, and how to ask for the other.

    Where the question names no company, a period is each company's own: which days that are for those that were found.
    """
    notes = []
    for window in question.windows if question.ranking.times else ():
        if both := find_both_readings(window):
            of_company = f" of {question.subjects[0].name}" if len(question.subjects) == 1 else ""
            # A fiscal period has its company's name before its days.
            taken, other = (
                words if words.startswith("calendar") else words.replace(" (", f"{of_company} (", 1)
                for words in (both.taken, both.other)
            )
            notes.append(
                f"“{both.text}” was read as {taken}; the other reading is {other}: "
                f"ask for “{both.instead}” to mean that"
            )
        elif window.period and not window.excluded and not window.other_start:
            notes += _describe_company_readings(snapshot, window, window.period, hits)
    return tuple(dict.fromkeys(notes))


def _strip_article(text: str) -> str:
    """The words of a time without "the" before them."""
    return re.sub(r"^the ", "", text, flags=re.IGNORECASE)


def _describe_company_readings(snapshot: Snapshot, window: Window, period: Period, hits: Sequence[Hit]) -> list[str]:
    """What a period without a company means for each of the companies found, where that is another time."""
    ordinals = snapshot.passages.ordinal_of
    best = hits[:_MOST_COMPANIES]
    found = {hit.document_id: ordinals[hit.document_id] for hit in best if hit.document_id in ordinals}
    if not found or window.start is None or window.end is None:
        return []
    fiscal, plain = (_format_period(period, fiscal=fiscal) for fiscal in (True, False))
    fiscal_reading = list_readings(window, snapshot.clocks, np.array(list(found.values())))[-1]
    companies = dict(snapshot.query_rows(_COMPANIES, {"ids": list(found)}))
    readings_by_company: dict[str, str] = {}
    for place, document in enumerate(found):
        # Only where the calendar of the document's company is known has its own reading the whole weight.
        company = companies[document]
        if fiscal_reading.weight[place] < 1 or not company or not snapshot.clocks.first_month[found[document]]:
            continue
        # Within the years of the Gregorian calendar.
        days = (
            min(max(int(side[place]), to_day_number(date.min)), to_day_number(date.max))
            for side in (fiscal_reading.start, fiscal_reading.end)
        )
        start, end = (EPOCH + DAY * each for each in days)
        if _measure_overlap((start, end), (window.start, window.end)) < ALIKE:
            readings_by_company.setdefault(
                make_company_key(company), f"{fiscal} of {company} ({format_days(start, end)})"
            )
    if not readings_by_company:
        return []
    asked, others = _strip_article(window.text), ", ".join(readings_by_company.values())
    if window.fiscal:
        return [f"“{asked}” is each company's own: {others}"]
    taken = f"{plain} ({format_days(window.start, window.end)})"
    return [f"“{asked}” was read as {taken}, and also as {others}: ask for “{plain}” or “{fiscal}” to mean one"]


def is_touched_by_hits(snapshot: Snapshot, window: Window, hits: Sequence[Hit]) -> bool:
    """Whether a passage found is of a window: it names the time, or its document reports on some of it.

    Of a time shorter than a quarter, on which nobody reports, a passage is also that names a day of it, or whose
    entry or document is of one.
    """
    ordinals, clocks, mentions = snapshot.passages.ordinal_of, snapshot.clocks, snapshot.mentions
    known = [hit for hit in hits if hit.document_id in ordinals]
    if not known:
        return False
    documents = np.array([ordinals[hit.document_id] for hit in known])
    passages = snapshot.passages
    passage_rows = passages.find_rows([hit.chunk_id for hit in known])
    passage_days = np.where(passage_rows >= 0, passages.day[passage_rows], UNKNOWN)
    days = np.where(passage_days == UNKNOWN, clocks.published[documents], passage_days)
    places, rows = mentions.find_inside(
        documents, np.array([hit.start for hit in known]), np.array([hit.end for hit in known])
    )
    start, end = clocks.reported_start[documents].astype(np.int64), clocks.reported_end[documents].astype(np.int64)
    for reading in list_readings(window, clocks, documents):
        reports = (start != UNKNOWN) & (start < reading.end) & (end > reading.start) & (reading.weight > 0)
        begin, until = mentions.start_date[rows], mentions.end_date[rows]
        first, last = reading.start[places], reading.end[places]
        is_short = reading.end - reading.start < _QUARTER
        named = overlap(begin, until, first, last) >= ALIKE
        named |= is_short[places] & (begin >= first) & (until <= last)
        published = is_short & (days >= reading.start) & (days < reading.end)
        if (reports | published & (reading.weight > 0)).any() or (named & (reading.weight[places] > 0)).any():
            return True
    return False


def _format_period(period: Period, *, fiscal: bool) -> str:
    """What a year, half or quarter is called: "Q3 fiscal 2023", "calendar Q3 2023", "fiscal 2023"."""
    year, month, count = period
    part = {12: "", 6: f"H{month // 6 + 1} ", 3: f"Q{month // 3 + 1} "}.get(count, "")
    return f"{part}fiscal {year}" if fiscal else f"calendar {part}{year}"


def _measure_overlap(one: Interval, other: Interval) -> float:
    """The common days of two half-open periods by those of either, 0 to 1."""
    common = (min(one[1], other[1]) - max(one[0], other[0])).days
    return max(0, common) / max(1, (max(one[1], other[1]) - min(one[0], other[0])).days)


def find_fiscal_calendar(snapshot: Snapshot, subjects: Sequence[Subject], filters: Filters) -> FiscalCalendar | None:
    """The fiscal calendar of the documents that a question is about.

    Of those that satisfy the filters, the documents of its subjects; all, where these say nothing of it. Where their
    calendars differ by weeks alone, that of whole months; None where they differ by more: nobody can tell then which is
    meant.
    """
    clocks = snapshot.clocks
    rows = mask_allowed(snapshot, filters)
    # A document of the passages has some.
    allowed = np.ones(len(clocks.calendar), np.bool_) if rows is None else snapshot.passages.mask_documents(rows)
    ordinals = snapshot.passages.ordinal_of
    named = np.zeros(len(clocks.calendar), np.bool_)
    named[[ordinals[document] for each in subjects for document in each.documents if document in ordinals]] = True
    for chosen in (allowed & named, allowed):
        places: set[int] = set(clocks.calendar[chosen].tolist()) - {-1}
        calendars = [clocks.calendars[place] for place in places]
        months = set(clocks.first_month[chosen].tolist()) - {0}
        if not months:
            continue
        if len(calendars) == 1:
            return calendars[0]
        if len(months) > 1:
            return None
        last_month, by_start = (months.pop() - 2) % 12 + 1, {each.named_by_start for each in calendars}
        return FiscalCalendar(last_month, "their documents agree on the month", named_by_start=by_start == {True})
    return None


_PERSON = re.compile(r"(?:President|Prime Minister|Chancellor|Minister|King|Queen|Sir|Dr|Mr|Mrs|Ms|Prof|Professor)\b")
"""Whom texts speak of without the name: "I", "the President"."""
_SEASON = re.compile(r"\b(?:spring|summer|autumn|fall|winter)(?:time)?\b|[春夏秋冬]", re.IGNORECASE)
"""No report is of a season: "for the winter" asks what is done then, not what was reported of the coming one."""
COVERED = 0.75  # From which fit on a time is covered: more than a balance at its end, or the year to it.


def describe_missing_periods(snapshot: Snapshot, question: Question, hits: Sequence[Hit] = ()) -> tuple[str, ...]:
    """A sentence for each period that the question demands and no report or entry that it is about touches or mentions.

    Its reports are those of the documents of its subjects, of all without a subject. Where none of them says which
    period it reports, nobody can tell what is missing, and nothing is said. Nor is it where a report is of a part of
    the period, or of more, in any calendar that it may be meant in, or where one of the `hits` names it: what is shown
    then would give it the lie.
    """
    windows = [each for each in _select_required_times(question) if not _SEASON.search(each.text)]
    ordinals, clocks = snapshot.passages.ordinal_of, snapshot.clocks
    named = {ordinals[each] for subject in question.subjects for each in subject.documents if each in ordinals}
    documents = np.array(sorted(named), np.int64) if question.subjects else np.arange(len(ordinals))
    reports = documents[clocks.reported_start[documents] != UNKNOWN]
    for_company = f" for {question.subjects[0].name}" if len(question.subjects) == 1 else ""
    found = []
    for window in windows if len(reports) else ():
        window_readings = list_readings(window, clocks, reports)
        is_covered = any(_is_covered(snapshot, each, reports) for each in window_readings)
        if not is_covered and not is_touched_by_hits(snapshot, window, hits):
            nearest = _describe_nearest_report(snapshot, window_readings, reports)
            found.append(f"no report covers {_describe_window(window)}{for_company}; nearest is {nearest}")
    return tuple(found) or tuple(_describe_missing_entries(snapshot, question, windows, hits))


def _describe_missing_entries(
    snapshot: Snapshot, question: Question, windows: Sequence[Window], hits: Sequence[Hit]
) -> Iterator[str]:
    """A sentence for each time that no diary entry in question is of, and no hit either."""
    passages = snapshot.passages
    about = passages.is_entry
    if question.subjects:
        named = {document for subject in question.subjects for document in subject.documents}
        ordinals = [passages.ordinal_of[each] for each in named if each in passages.ordinal_of]
        about = about & np.isin(passages.document, ordinals)
    allowed = mask_allowed(snapshot, question.filters)
    about = about if allowed is None else about & allowed
    if not about.any():
        return
    for window in windows:
        if (mask_entry_passages(snapshot, [window]) & about).any() or is_touched_by_hits(snapshot, window, hits):
            continue
        first = to_day_number(window.start) if window.start else 0
        # What is of several days ended on the last of them, and began on the first.
        before = passages.day_end[about & (passages.day < first)] - 1
        after = passages.day[about & (passages.day >= first)]
        days = [*([before.max()] if len(before) else ()), *([after.min()] if len(after) else ())]
        near = " and ".join(str(EPOCH + DAY * int(each)) for each in days)
        nearest = "the nearest entries are" if len(days) > 1 else "the nearest entry is"
        yield f"nothing is dated {_describe_window(window)}; {nearest} of {near}"


def _select_required_times(question: Question) -> list[Window]:
    """The closed times that a question names and does not exclude, if times are to count."""
    windows = question.windows if question.ranking.times else ()
    return [each for each in windows if each.required and not each.excluded and each.start and each.end]


def explain_absence(snapshot: Snapshot, question: Question) -> str:
    """Why no document can answer: a sentence where none names what is asked about, or is of its time; else nothing.

    It needs every name and every time of the question to be absent: each word of a name, and for a time each report
    and each time that the documents mention, of those that the question is about.
    """
    unknown = find_unknown_names(snapshot, question)
    known = question.subjects or question.filters.documents or set(question.names) - set(unknown)
    if unknown and not known and not any(_PERSON.match(name) for name in unknown):
        return f"No document of {' or '.join(unknown)} is here."
    windows = _select_required_times(question)
    # The documents that a question is about: its subjects', or those it is limited to, or all.
    ordinals = snapshot.passages.ordinal_of
    about = {each for subject in question.subjects for each in subject.documents}
    filtered = set(question.filters.documents)
    named = (about & filtered) or about or filtered
    chosen = sorted(ordinals[each] for each in named if each in ordinals)
    documents = np.array(chosen, np.int64) if named else np.arange(len(ordinals))
    mentions = np.flatnonzero(np.isin(snapshot.mentions.document, documents))
    # "The fourth quarter" is of a year that the words leave open: the document's, not the reader's.
    if not windows or not all(any(map(str.isdigit, each.text)) for each in windows) or not len(mentions):
        return ""
    window_readings = [reading for window in windows for reading in list_readings(window, snapshot.clocks, documents)]
    either = [
        *window_readings,
        *(each for window in windows for each in _iter_readings_by_start(window, snapshot.clocks, documents)),
    ]
    if any(_is_touched(snapshot, each, documents, mentions) for each in either):
        return ""
    for_subject = f" for {question.subjects[0].text}" if len(question.subjects) == 1 else ""
    times = " or ".join(_describe_window(window) for window in windows)
    nearest = _describe_nearest_time(snapshot, window_readings, documents, mentions)
    return f"No document covers {times}{for_subject}; the nearest is {nearest}."


def _iter_readings_by_start(window: Window, clocks: Clocks, documents: np.ndarray) -> Iterator[WindowReading]:
    """A fiscal time where years are named after the one in which they begin, as many retailers name them.

    A year that ended in January 2026 is the fiscal 2025 of some and the fiscal 2026 of others; where the documents do
    not say which, neither is denied.
    """
    if not window.fiscal or window.period is None:
        return
    year, month, count = window.period
    later = list_readings(replace(window, period=(year + 1, month, count)), clocks, documents)[-1]
    is_open = (clocks.first_month[documents] > 1) & ~clocks.early[documents]
    yield WindowReading(later.start, later.end, later.weight * is_open)


def find_unknown_names(snapshot: Snapshot, question: Question) -> tuple[str, ...]:
    """The names in a question with a word that no passage has; abbreviations are none, for documents write them out."""
    names = () if question.foreign else [name for name in question.names if not name.isupper()]
    # A word of one or two letters tells nothing.
    words = {name: [word for word in split_content_words(name) if len(word) > 2] for name in names}
    return tuple(name for name in names if not all(map(snapshot.keywords.count_passages, words[name])))


def _is_touched(snapshot: Snapshot, reading: WindowReading, documents: np.ndarray, mentions: np.ndarray) -> bool:
    """Whether a report or a mention shares a day with the time asked about."""
    clocks, every = snapshot.clocks, snapshot.mentions
    start, end = clocks.reported_start[documents], clocks.reported_end[documents]
    if ((start != UNKNOWN) & (start < reading.end) & (end > reading.start) & (reading.weight > 0)).any():
        return True
    place = np.searchsorted(documents, every.document[mentions])
    begin, until = (side[mentions].astype(np.int64) for side in (every.start_date, every.end_date))
    # Of a time with an open side the other must lie in the time asked about: "since 1990" says little of 2009.
    touches = (begin < reading.end[place]) & (until > reading.start[place])
    inside = (begin >= reading.start[place]) | (until <= reading.end[place])
    touches &= (until - begin < ENDLESS) | inside
    return bool((touches & (reading.weight[place] > 0)).any())


def _describe_nearest_time(
    snapshot: Snapshot, window_readings: list[WindowReading], documents: np.ndarray, mentions: np.ndarray
) -> str:
    """The period of the nearest report, or the year of the nearest mention where no document is a report."""
    reports = documents[snapshot.clocks.reported_start[documents] != UNKNOWN]
    if len(reports):
        places = np.searchsorted(documents, reports)
        return _describe_nearest_report(
            snapshot,
            [WindowReading(r.start[places], r.end[places], r.weight[places]) for r in window_readings],
            reports,
        )
    every = snapshot.mentions
    begin, until = (side[mentions].astype(np.int64) for side in (every.start_date, every.end_date))
    known = until - begin < ENDLESS
    middle = ((begin + until) // 2)[known] if known.any() else begin
    aim = int(window_readings[0].start[0] + window_readings[0].end[0]) // 2
    return str((EPOCH + DAY * int(middle[np.argmin(np.abs(middle - aim))])).year)


def _describe_window(window: Window) -> str:
    """The time as it was asked for, with its days where the words alone do not say which: "the quarter".

    Both readings of a period that may be the calendar's or the company's own.
    """
    both = find_both_readings(window)
    if both:
        return f"{window.text}, neither {both.taken} nor {both.other},"
    if window.start is None or window.end is None or any(map(str.isdigit, window.text)):
        return window.text
    return f"{window.text} ({format_days(window.start, window.end)})"


def _is_covered(snapshot: Snapshot, reading: WindowReading, reports: np.ndarray) -> bool:
    """Whether a report is of the time or of some of it, or a moment of the time that one mentions."""
    clocks, mentions = snapshot.clocks, snapshot.mentions
    start, end = clocks.reported_start[reports].astype(np.int64), clocks.reported_end[reports].astype(np.int64)
    common = np.minimum(end, reading.end) - np.maximum(start, reading.start)
    if ((reading.weight > 0) & (common > np.minimum(SLACK, (reading.end - reading.start) // 2))).any():
        return True
    place = np.full(len(clocks.published), -1)
    place[reports] = np.arange(len(reports))
    places = place[mentions.document]
    found, places = np.flatnonzero(places >= 0), places[places >= 0]
    fits = overlap(mentions.start_date[found], mentions.end_date[found], reading.start[places], reading.end[places])
    return bool(((reading.weight[places] > 0) & (fits >= COVERED)).any())


def _describe_nearest_report(snapshot: Snapshot, window_readings: list[WindowReading], reports: np.ndarray) -> str:
    """What the period nearest to the time is called; the earlier of two as near."""
    clocks = snapshot.clocks
    middle = clocks.reported_start[reports].astype(np.int64) + clocks.reported_end[reports]
    apart = np.min(
        [np.where(each.weight > 0, np.abs(middle - each.start - each.end), np.inf) for each in window_readings], axis=0
    )
    best = reports[np.flatnonzero(apart == apart.min())]
    return read_source_and_period(snapshot, int(best[np.argmin(clocks.reported_end[best])]))[1]
