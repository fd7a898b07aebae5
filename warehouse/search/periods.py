"""Periods of questions and documents: their wording, their two readings, company calendars, and missing periods."""

from __future__ import annotations

import re
from calendar import month_abbr
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from warehouse.records import Filters, Hit, Question, Subject, Window
from warehouse.records.calendars import DAY, FiscalCalendar, Interval
from warehouse.search.catalogue import make_company_key
from warehouse.search.filters import mask_allowed, mask_entry_passages
from warehouse.search.signals.temporal import MIN_ENDLESS_DAYS, SLACK_DAYS, WindowReading, list_readings, overlap
from warehouse.store.columns.passage_columns import EPOCH, NO_DAY, DocumentTimes, to_day_number
from warehouse.store.snapshot import Snapshot
from warehouse.store.words import split_content_words

MIN_SAME_OVERLAP = 0.75
"""The overlap from which two readings of a period count as the same: quarters of weeks differ from those of months by
some days, a fiscal year that ends in January from the calendar year by a month."""
Period = tuple[int, int, int]  # A year, the first of its months (1 to 12) and their number, as `Window.period`.
_MONTHS = tuple(month_abbr)
_QUARTER_OR_HALF_OF_YEAR = re.compile(r"(?P<part>[QH][1-4]) (?P<year>\d{4})")
_MAX_COMPANIES = 3
_SHORTEST_REPORTED_DAYS = 77  # Days of the shortest time that companies report on.
_COMPANIES_SQL = "SELECT document_id, company FROM documents WHERE document_id IN (SELECT unnest($ids))"
_REPORTED_PERIOD_SQL = """
    SELECT source, reported_name, reported_start, reported_end, fiscal_year_start FROM documents WHERE document_id = $id
"""


@dataclass(frozen=True, slots=True)
class Readings:
    """Two readings of a period that a question names, in words with their days.

    `used_reading` is the one that the search uses; `other_words` are words that mean only the other one.
    """

    text: str
    used_reading: str
    other_reading: str
    other_words: str


def format_days(start: date, end: date) -> str:
    """A half-open period by its first and last day: "Feb 13 to May 7, 2023", "Nov 21, 2022 to Feb 12, 2023"."""
    last = end - DAY
    first_day, last_day = (f"{_MONTHS[bound.month]} {bound.day}" for bound in (start, last))
    if start >= last:
        return f"{first_day}, {start.year}"
    return f"{first_day}{'' if start.year == last.year else f', {start.year}'} to {last_day}, {last.year}"


def format_reported_period(name: str, start: date, end: date, first_month: int | None) -> str:
    """A period that a document reports on, with its days: "Q2 fiscal 2023 (Nov 21, 2022 to Feb 12, 2023)"."""
    fiscal_name = _QUARTER_OR_HALF_OF_YEAR.sub(r"\g<part> fiscal \g<year>", name) if (first_month or 1) > 1 else name
    return f"{fiscal_name} ({format_days(start, end)})"


def read_source_and_period(snapshot: Snapshot, ordinal: int) -> tuple[str, str]:
    """The source of a document, and the period that it reports on, in words; empty if there is none."""
    ((source, name, *period),) = snapshot.query_rows(_REPORTED_PERIOD_SQL, {"id": snapshot.passages.documents[ordinal]})
    return str(source), format_reported_period(str(name), *period) if period[0] else str(name)


def find_both_readings(window: Window) -> Readings | None:
    """Both readings of a window that may be a period of the calendar or of its company; None if there is only one.

    There is also only one if the words say which is meant or if both are nearly the same days.
    """
    if window.period is None or window.fiscal or window.excluded:
        return None
    if not (window.start and window.end and window.other_start and window.other_end):
        return None
    used_days, other_days = (window.start, window.end), (window.other_start, window.other_end)
    if _measure_overlap(used_days, other_days) >= MIN_SAME_OVERLAP:
        return None
    fiscal_name, calendar_name = (_format_period(window.period, fiscal=fiscal) for fiscal in (True, False))
    is_calendar = window.start.timetuple()[:3] == (*window.period[:2], 1)
    used_name, other_name = (calendar_name, fiscal_name) if is_calendar else (fiscal_name, calendar_name)
    return Readings(
        _strip_article(window.text),
        f"{used_name} ({format_days(*used_days)})",
        f"{other_name} ({format_days(*other_days)})",
        other_name,
    )


def describe_period_readings(snapshot: Snapshot, question: Question, hits: Sequence[Hit]) -> tuple[str, ...]:
    """A sentence for each period of a question with two readings: which one was used, and how to ask for the other.

    If the question names no company, a period is that of each company: the sentence gives its days for those in `hits`.
    """
    notes = []
    for window in question.windows if question.ranking.times else ():
        if readings := find_both_readings(window):
            of_company = f" of {question.subjects[0].name}" if len(question.subjects) == 1 else ""
            # A fiscal period has its company's name before its days.
            used_words, other_words = (
                words if words.startswith("calendar") else words.replace(" (", f"{of_company} (", 1)
                for words in (readings.used_reading, readings.other_reading)
            )
            notes.append(
                f"“{readings.text}” was read as {used_words}; the other reading is {other_words}: "
                f"ask for “{readings.other_words}” to mean that"
            )
        elif window.period and not window.excluded and not window.other_start:
            notes += _describe_company_readings(snapshot, window, window.period, hits)
    return tuple(dict.fromkeys(notes))


def _strip_article(text: str) -> str:
    """The words of a time without "the" before them."""
    return re.sub(r"^the ", "", text, flags=re.IGNORECASE)


def _describe_company_readings(snapshot: Snapshot, window: Window, period: Period, hits: Sequence[Hit]) -> list[str]:
    """The meaning of a period without a company for each company in the hits, if that is another time."""
    ordinals = snapshot.passages.ordinal_of
    best_hits = hits[:_MAX_COMPANIES]
    by_id = {hit.document_id: ordinals[hit.document_id] for hit in best_hits if hit.document_id in ordinals}
    if not by_id or window.start is None or window.end is None:
        return []
    fiscal_name, calendar_name = (_format_period(period, fiscal=fiscal) for fiscal in (True, False))
    fiscal_reading = list_readings(window, snapshot.document_times, np.array(list(by_id.values())))[-1]
    companies = dict(snapshot.query_rows(_COMPANIES_SQL, {"ids": list(by_id)}))
    readings_by_company: dict[str, str] = {}
    for row, document in enumerate(by_id):
        # The fiscal reading has the full weight only if the calendar of the document's company is known.
        company = companies[document]
        if fiscal_reading.weight[row] < 1 or not company or not snapshot.document_times.first_month[by_id[document]]:
            continue
        # Within the years of the Gregorian calendar.
        days = (
            min(max(int(bounds[row]), to_day_number(date.min)), to_day_number(date.max))
            for bounds in (fiscal_reading.start, fiscal_reading.end)
        )
        start, end = (EPOCH + DAY * day for day in days)
        if _measure_overlap((start, end), (window.start, window.end)) < MIN_SAME_OVERLAP:
            readings_by_company.setdefault(
                make_company_key(company), f"{fiscal_name} of {company} ({format_days(start, end)})"
            )
    if not readings_by_company:
        return []
    words, company_readings = _strip_article(window.text), ", ".join(readings_by_company.values())
    if window.fiscal:
        return [f"“{words}” is each company's own: {company_readings}"]
    calendar = f"{calendar_name} ({format_days(window.start, window.end)})"
    advice = f"ask for “{calendar_name}” or “{fiscal_name}” to mean one"
    return [f"“{words}” was read as {calendar}, and also as {company_readings}: {advice}"]


def overlaps_hits(snapshot: Snapshot, window: Window, hits: Sequence[Hit]) -> bool:
    """Whether a hit is of a window: it names the time, it has a dated row of it, or its document reports on some of it.

    No report is on a time shorter than a quarter; a hit is also of such a time if it names a day of it, or if its
    entry or document is of such a day.
    """
    ordinals, times, mentions = snapshot.passages.ordinal_of, snapshot.document_times, snapshot.mentions
    known_hits = [hit for hit in hits if hit.document_id in ordinals]
    if any(row.days and window.overlaps(*row.days) for hit in known_hits for row in hit.rows):
        return True
    if not known_hits:
        return False
    documents = np.array([ordinals[hit.document_id] for hit in known_hits])
    passages = snapshot.passages
    passage_rows = passages.find_rows([hit.chunk_id for hit in known_hits])
    passage_days = np.where(passage_rows >= 0, passages.day[passage_rows], NO_DAY)
    days = np.where(passage_days == NO_DAY, times.published[documents], passage_days)
    positions, rows = mentions.find_inside(
        documents, np.array([hit.start for hit in known_hits]), np.array([hit.end for hit in known_hits])
    )
    start, end = times.reported_start[documents].astype(np.int64), times.reported_end[documents].astype(np.int64)
    for reading in list_readings(window, times, documents):
        reports = (start != NO_DAY) & (start < reading.end) & (end > reading.start) & (reading.weight > 0)
        mention_start, mention_end = mentions.start_date[rows], mentions.end_date[rows]
        first, last = reading.start[positions], reading.end[positions]
        is_short = reading.end - reading.start < _SHORTEST_REPORTED_DAYS
        is_named = overlap(mention_start, mention_end, first, last) >= MIN_SAME_OVERLAP
        is_named |= is_short[positions] & (mention_start >= first) & (mention_end <= last)
        is_published = is_short & (days >= reading.start) & (days < reading.end)
        if (reports | is_published & (reading.weight > 0)).any() or (is_named & (reading.weight[positions] > 0)).any():
            return True
    return False


def _format_period(period: Period, *, fiscal: bool) -> str:
    """The name of a year, half or quarter: "Q3 fiscal 2023", "calendar Q3 2023", "fiscal 2023"."""
    year, month, count = period
    part = {12: "", 6: f"H{month // 6 + 1} ", 3: f"Q{month // 3 + 1} "}.get(count, "")
    return f"{part}fiscal {year}" if fiscal else f"calendar {part}{year}"


def _measure_overlap(first: Interval, second: Interval) -> float:
    """The common days of two half-open periods divided by those of their union, 0 to 1."""
    common_days = (min(first[1], second[1]) - max(first[0], second[0])).days
    return max(0, common_days) / max(1, (max(first[1], second[1]) - min(first[0], second[0])).days)


def find_fiscal_calendar(snapshot: Snapshot, subjects: Sequence[Subject], filters: Filters) -> FiscalCalendar | None:
    """The fiscal calendar of the documents that a question is about.

    Considers the documents of its subjects that satisfy the filters; if these have no calendar, all that satisfy them.
    If their calendars differ only by weeks, returns one of complete months; None if they differ by more, as the
    question does not say which one it means.
    """
    times = snapshot.document_times
    rows = mask_allowed(snapshot, filters)
    # Every document of `passages` has at least one.
    mask = np.ones(len(times.calendar), np.bool_) if rows is None else snapshot.passages.mask_documents(rows)
    is_of_subjects = np.zeros(len(times.calendar), np.bool_)
    is_of_subjects[snapshot.passages.list_ordinals(name for subject in subjects for name in subject.documents)] = True
    for selection in (mask & is_of_subjects, mask):
        numbers: set[int] = set(times.calendar[selection].tolist()) - {-1}
        calendars = [times.calendars[number] for number in numbers]
        months = set(times.first_month[selection].tolist()) - {0}
        if not months:
            continue
        if len(calendars) == 1:
            return calendars[0]
        if len(months) > 1:
            return None
        last_month = (months.pop() - 2) % 12 + 1
        named_by_start = {calendar.named_by_start for calendar in calendars} == {True}
        return FiscalCalendar(last_month, "their documents agree on the month", named_by_start=named_by_start)
    return None


_TITLE = re.compile(r"(?:President|Prime Minister|Chancellor|Minister|King|Queen|Sir|Dr|Mr|Mrs|Ms|Prof|Professor)\b")
"""Titles of people whom texts mention without the name: "I", "the President"."""
_PREPOSITIONS = ("between ", "from ", "since ", "after ", "before ", "until ")
_SEASON = re.compile(r"\b(?:spring|summer|autumn|fall|winter)(?:time)?\b|[春夏秋冬]", re.IGNORECASE)
"""No report is of a season: "for the winter" asks what is done then, not what was reported about it."""
MIN_COVERING_FIT = 0.75  # The fit from which a time is covered: more than a balance at its end, or the year up to it.


def describe_missing_periods(snapshot: Snapshot, question: Question, hits: Sequence[Hit] = ()) -> tuple[str, ...]:
    """A sentence for each period that the question demands and no relevant report or entry overlaps or mentions.

    Relevant are the reports of the documents of its subjects, or all reports if it has no subject. If none of them has
    a reported period, it is unknown what is missing, and there is no sentence. There is also none if a report is of a
    part of the period, or of more, in any calendar that may be meant, or if one of the `hits` names it: the shown hits
    would contradict the sentence.
    """
    windows = [time for time in _select_required_times(question) if not _SEASON.search(time.text)]
    passages, times = snapshot.passages, snapshot.document_times
    ordinals = passages.list_ordinals(name for subject in question.subjects for name in subject.documents)
    documents = np.array(ordinals, np.int64) if question.subjects else np.arange(len(passages.documents))
    reports = documents[times.reported_start[documents] != NO_DAY]
    for_company = f" for {question.subjects[0].name}" if len(question.subjects) == 1 else ""
    sentences = []
    for window in windows if len(reports) else ():
        window_readings = list_readings(window, times, reports)
        is_covered = any(_is_covered(snapshot, reading, reports) for reading in window_readings)
        if not is_covered and not overlaps_hits(snapshot, window, hits):
            nearest = _describe_nearest_report(snapshot, window_readings, reports)
            noun = "the time " if window.text.lower().startswith(_PREPOSITIONS) else ""
            sentence = f"no report covers {noun}{_describe_window(window)}{for_company}; nearest is {nearest}"
            sentences.append(sentence)
    return tuple(sentences) or tuple(_describe_missing_entries(snapshot, question, windows, hits))


def _describe_missing_entries(
    snapshot: Snapshot, question: Question, windows: Sequence[Window], hits: Sequence[Hit]
) -> Iterator[str]:
    """A sentence for each time that no relevant diary entry and no hit is of."""
    passages = snapshot.passages
    is_relevant = passages.is_entry
    if question.subjects:
        ordinals = passages.list_ordinals(name for subject in question.subjects for name in subject.documents)
        is_relevant = is_relevant & np.isin(passages.document, ordinals)
    mask = mask_allowed(snapshot, question.filters)
    is_relevant = is_relevant if mask is None else is_relevant & mask
    if not is_relevant.any():
        return
    for window in windows:
        if (mask_entry_passages(snapshot, [window]) & is_relevant).any() or overlaps_hits(snapshot, window, hits):
            continue
        start_day = to_day_number(window.start) if window.start else 0
        # An entry of several days begins on the first of them and ends on the last.
        days_before = passages.day_end[is_relevant & (passages.day < start_day)] - 1
        days_after = passages.day[is_relevant & (passages.day >= start_day)]
        days = [*([days_before.max()] if len(days_before) else ()), *([days_after.min()] if len(days_after) else ())]
        formatted_days = " and ".join(str(EPOCH + DAY * int(day)) for day in days)
        introduction = "the nearest entries are" if len(days) > 1 else "the nearest entry is"
        yield f"nothing is dated {_describe_window(window)}; {introduction} of {formatted_days}"


def _select_required_times(question: Question) -> list[Window]:
    """The closed times that a question names and does not exclude, if times are to count."""
    windows = question.windows if question.ranking.times else ()
    return [window for window in windows if window.required and not window.excluded and window.start and window.end]


def explain_absence(snapshot: Snapshot, question: Question) -> str:
    """Why no document can answer: a sentence if none has the names of the question or is of its times; else nothing.

    The sentence requires that all names or all times of the question are absent: that no passage has a word of a name,
    or that no report and no mention in the documents that the question is about is of a time.
    """
    unknown = find_unknown_names(snapshot, question)
    has_known_subject = question.subjects or question.filters.documents or set(question.names) - set(unknown)
    if unknown and not has_known_subject and not any(_TITLE.match(name) for name in unknown):
        return f"No document of {' or '.join(unknown)} is here."
    windows = _select_required_times(question)
    # The documents that a question is about: its subjects', or those it is limited to, or all.
    subject_documents = {document for subject in question.subjects for document in subject.documents}
    filter_documents = set(question.filters.documents)
    document_ids = (subject_documents & filter_documents) or subject_documents or filter_documents
    ordinals = snapshot.passages.list_ordinals(document_ids)
    documents = np.array(ordinals, np.int64) if document_ids else np.arange(len(snapshot.passages.documents))
    mentions = np.flatnonzero(np.isin(snapshot.mentions.document, documents))
    # "The fourth quarter" is of a year that the words leave open: the document's, not the reader's.
    if not windows or not all(any(map(str.isdigit, window.text)) for window in windows) or not len(mentions):
        return ""
    times = snapshot.document_times
    window_readings = [reading for window in windows for reading in list_readings(window, times, documents)]
    possible_readings = [
        *window_readings,
        *(reading for window in windows for reading in _iter_readings_by_start(window, times, documents)),
    ]
    if any(_has_overlap(snapshot, reading, documents, mentions) for reading in possible_readings):
        return ""
    for_subject = f" for {question.subjects[0].text}" if len(question.subjects) == 1 else ""
    window_words = " or ".join(_describe_window(window) for window in windows)
    nearest = _describe_nearest_time(snapshot, window_readings, documents, mentions)
    return f"No document covers {window_words}{for_subject}; the nearest is {nearest}."


def _iter_readings_by_start(window: Window, times: DocumentTimes, documents: np.ndarray) -> Iterator[WindowReading]:
    """A fiscal time, if years are named after the year in which they begin, as many retailers name them.

    A year that ended in January 2026 is the fiscal 2025 of some and the fiscal 2026 of others; if the documents do not
    say which, both are accepted.
    """
    if not window.fiscal or window.period is None:
        return
    year, month, count = window.period
    reading_of_next_year = list_readings(replace(window, period=(year + 1, month, count)), times, documents)[-1]
    is_open = (times.first_month[documents] > 1) & ~times.named_by_start[documents]
    yield WindowReading(reading_of_next_year.start, reading_of_next_year.end, reading_of_next_year.weight * is_open)


_DOCUMENT_CODE = re.compile(r"(?<![\w.,/-])(?=[\w/-]*\d{3})(?=\d*[A-Z/-])[A-Z\d]+(?:[-/][A-Z\d]+)*(?![\w/-])")
"""Numbers of documents and contracts, with letters or parted by hyphens: "PD-3391", "2025-0812", "HH-660-41872"."""


def find_unknown_names(snapshot: Snapshot, question: Question) -> tuple[str, ...]:
    """The names and codes ("PD-3391") in a question with a word that no passage has.

    Abbreviations are not among them, as documents write them out.
    """
    names = () if question.foreign else [name for name in question.names if not name.isupper()]
    times = " ".join(window.text for window in question.windows)
    names = [*names, *(code for code in _DOCUMENT_CODE.findall(question.text) if code not in times)]
    # A word of one or two letters distinguishes nothing.
    words_by_name = {name: [word for word in split_content_words(name) if len(word) > 2] for name in names}
    return tuple(name for name in names if not all(map(snapshot.keywords.count_passages, words_by_name[name])))


def _has_overlap(snapshot: Snapshot, reading: WindowReading, documents: np.ndarray, mentions: np.ndarray) -> bool:
    """Whether a report or a mention has a day of the time asked about."""
    times, all_mentions = snapshot.document_times, snapshot.mentions
    start, end = times.reported_start[documents], times.reported_end[documents]
    if ((start != NO_DAY) & (start < reading.end) & (end > reading.start) & (reading.weight > 0)).any():
        return True
    positions = np.searchsorted(documents, all_mentions.document[mentions])
    starts, ends = (days[mentions].astype(np.int64) for days in (all_mentions.start_date, all_mentions.end_date))
    # If a time has an open side, the other must be within the time asked about: "since 1990" says little about 2009.
    is_overlapping = (starts < reading.end[positions]) & (ends > reading.start[positions])
    is_begun_or_ended_inside = (starts >= reading.start[positions]) | (ends <= reading.end[positions])
    is_overlapping &= (ends - starts < MIN_ENDLESS_DAYS) | is_begun_or_ended_inside
    return bool((is_overlapping & (reading.weight[positions] > 0)).any())


def _describe_nearest_time(
    snapshot: Snapshot, window_readings: list[WindowReading], documents: np.ndarray, mentions: np.ndarray
) -> str:
    """The period of the nearest report, or the year of the nearest mention if no document is a report."""
    reports = documents[snapshot.document_times.reported_start[documents] != NO_DAY]
    if len(reports):
        positions = np.searchsorted(documents, reports)
        report_readings = [
            WindowReading(reading.start[positions], reading.end[positions], reading.weight[positions])
            for reading in window_readings
        ]
        return _describe_nearest_report(snapshot, report_readings, reports)
    all_mentions = snapshot.mentions
    starts, ends = (days[mentions].astype(np.int64) for days in (all_mentions.start_date, all_mentions.end_date))
    is_closed = ends - starts < MIN_ENDLESS_DAYS
    middles = ((starts + ends) // 2)[is_closed] if is_closed.any() else starts
    asked_middle = int(window_readings[0].start[0] + window_readings[0].end[0]) // 2
    return str((EPOCH + DAY * int(middles[np.argmin(np.abs(middles - asked_middle))])).year)


def _describe_window(window: Window) -> str:
    """The time in the words of the question, with its days if the words alone do not say which: "the quarter".

    Both readings, if the period may be one of the calendar or of the company.
    """
    readings = find_both_readings(window)
    if readings:
        return f"{window.text}, neither {readings.used_reading} nor {readings.other_reading},"
    if window.start is None or window.end is None or any(map(str.isdigit, window.text)):
        return window.text
    return f"{window.text} ({format_days(window.start, window.end)})"


def _is_covered(snapshot: Snapshot, reading: WindowReading, reports: np.ndarray) -> bool:
    """Whether a report is of the time or of some of it, or mentions a moment of it."""
    times, mentions = snapshot.document_times, snapshot.mentions
    start, end = times.reported_start[reports].astype(np.int64), times.reported_end[reports].astype(np.int64)
    common_days = np.minimum(end, reading.end) - np.maximum(start, reading.start)
    if ((reading.weight > 0) & (common_days > np.minimum(SLACK_DAYS, (reading.end - reading.start) // 2))).any():
        return True
    index = np.full(len(times.published), -1)
    index[reports] = np.arange(len(reports))
    rows = index[mentions.document]
    mention_rows, rows = np.flatnonzero(rows >= 0), rows[rows >= 0]
    fit = overlap(
        mentions.start_date[mention_rows], mentions.end_date[mention_rows], reading.start[rows], reading.end[rows]
    )
    return bool(((reading.weight[rows] > 0) & (fit >= MIN_COVERING_FIT)).any())


def _describe_nearest_report(snapshot: Snapshot, window_readings: list[WindowReading], reports: np.ndarray) -> str:
    """The name of the reported period nearest to the time; the earlier one of two equally near."""
    times = snapshot.document_times
    doubled_middles = times.reported_start[reports].astype(np.int64) + times.reported_end[reports]
    distances = np.min(
        [
            np.where(reading.weight > 0, np.abs(doubled_middles - reading.start - reading.end), np.inf)
            for reading in window_readings
        ],
        axis=0,
    )
    nearest_reports = reports[np.flatnonzero(distances == distances.min())]
    return read_source_and_period(snapshot, int(nearest_reports[np.argmin(times.reported_end[nearest_reports])]))[1]
