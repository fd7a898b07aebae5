"""The term of a course document, and its weeks: "Fall 2023", "Week 3: Sept 11-15".

A syllabus names its term once, and its days without a year: they are inside the term. Its weeks are counted from the
first week of the course, and are dated by the days next to some of them. A week is one of the calendar if its number is
that of ISO 8601.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tasks.temporal import readings
from tasks.temporal.tagger import tag
from warehouse.records import Document, Grain, Kind, Mention
from warehouse.records.calendars import DAY, WEEK, Interval

_HEAD_LENGTH, _LONGEST_LINE = 1500, 120
"""The characters of a text in which its term is searched for, and those of the longest line that may name it."""
_MAX_SEARCHED = 8000  # Characters of a text in which the words of courses are searched for.
_COURSE_WORDS = re.compile(
    r"\b(?:syllabus|courses?|lectures?|instructors?|professor|homework|assignments?|mid-?terms?|quizz?(?:es)?|finals?"
    r"|exams?|office hours|prerequisites?|semester|labs?|recitations?|problem sets?|lessons?|tutorials?"
    r"|vorlesung|übung|klausur|seminar|dozent(?:in)?|cours|examens?|enseignant|asignatura|profesora?|clases?"
    r"|corso|esame|docente|disciplina|provas?|college|tentamen|docent)\b|课程|作业|考试|教师|讲座|期末|學期|课堂",
    re.IGNORECASE,
)
_TRIAL_WORDS = re.compile(
    r"\b(?:baseline|placebo|randomi[sz]\w+|double-blind|participants?|endpoints?|doses?|dosing|adverse|cohort|enrol\w+"
    r"|gestation\w*|pregnan\w+)\b",
    re.IGNORECASE,
)
_STEM_LENGTH = 5  # Letters by which words of trials are distinguished.
_MIN_WORDS = 3
_KINDS = (Kind.COURSE, Kind.NOTE, Kind.REPORT, Kind.TEXT)
_TERM = re.compile(r"(?P<year>\d{4})-(?P<season>SP|SU|FA|WI)")
_SEASON_DAYS = {"SP": ((0, 1), (0, 7)), "SU": ((0, 5), (0, 10)), "FA": ((0, 8), (1, 2)), "WI": ((-1, 12), (0, 5))}
"""The (year offset, month) of a term's start and end: one of autumn runs from August to the end of January."""
_TERM_MARGIN = 31 * DAY  # A term with named months may begin this much earlier and end this much later.
_LONGEST_TERM = 370 * DAY
_TERM_LENGTHS = (Grain.HALF, Grain.YEAR)
_COUNTED_WEEK = re.compile(
    r"(?:the\s+)?(?:week|wk)\s+(?P<first>\d+)(?:\s?(?:[-–]|to|through)\s?(?:week\s+)?(?P<last>\d+))?", re.IGNORECASE
)
_MAX_DISTANCE = 80  # Characters between a week and its days, on one line.


def find_term(document: Document) -> Interval | None:
    """The days, half-open, of a course's term; None for a document that is no course or names no term at its head."""
    if document.kind not in _KINDS or not _is_of_course(document):
        return None
    for line in (document.title, *document.text[:_HEAD_LENGTH].splitlines()):
        if len(line) <= _LONGEST_LINE and (term := next(_iter_terms(line, document.language), None)):
            return term
    return None


def _is_of_course(document: Document) -> bool:
    if document.kind is Kind.COURSE:
        return True
    words = {match[0].lower().rstrip("s") for match in _COURSE_WORDS.finditer(document.text, 0, _MAX_SEARCHED)}
    return len(words) >= _MIN_WORDS


def _iter_terms(line: str, language: str) -> Iterator[Interval]:
    for mention in tag(line, None, language):
        start, end = mention.start_date, mention.end_date
        if season := _TERM.fullmatch(mention.value):
            (first, month), (last, until) = _SEASON_DAYS[season["season"]]
            if date.min.year < (year := int(season["year"])) < date.max.year:
                yield date(year + first, month, 1), date(year + last, until, 1)
        elif start and end and "/" in mention.value and mention.grain in _TERM_LENGTHS and end - start < _LONGEST_TERM:
            is_inside = date.min + _TERM_MARGIN < start and end < date.max - _TERM_MARGIN
            yield (
                (start - _TERM_MARGIN, end + _TERM_MARGIN)
                if is_inside and mention.grain is Grain.HALF
                else (start, end)
            )


def is_of_trial(document: Document) -> bool:
    """Whether a text reports on a trial or another study, whose weeks are counted from its start."""
    words = {match[0].lower()[:_STEM_LENGTH] for match in _TRIAL_WORDS.finditer(document.text, 0, _MAX_SEARCHED)}
    return document.kind is Kind.PAPER or len(words) >= _MIN_WORDS


def is_counted_week(text: str) -> bool:
    """Whether an expression is only the number of a week, which may be counted from anything."""
    return bool(_COUNTED_WEEK.fullmatch(text))


def date_course_weeks(mentions: Sequence[Mention], text: str, *, is_course: bool) -> list[Mention]:
    """The mentions, with days for the weeks of a course; weeks of a course without a date are left out.

    If the document is not known to be a course, the days next to its weeks must show that they are not weeks of the
    calendar.
    """
    weeks = [mention for mention in mentions if is_counted_week(mention.text)]
    if not weeks:
        return list(mentions)
    mondays = _find_mondays(mentions, text)
    course_weeks = [number for number, monday in mondays.items() if monday.isocalendar()[1] != number]
    if not is_course and (len(course_weeks) < 2 or 2 * len(course_weeks) <= len(mondays)):
        return list(mentions)
    dated_weeks = {id(week): _date_week(week, mondays) for week in weeks}
    return [new_mention for mention in mentions if (new_mention := dated_weeks.get(id(mention), mention)) is not None]


def _find_mondays(mentions: Sequence[Mention], text: str) -> dict[int, date]:
    """The Monday of each week with a day next to it on its line, after it or else before it."""
    mondays: dict[int, date] = {}
    for index, week in enumerate(mentions):
        week_match = _COUNTED_WEEK.fullmatch(week.text)
        if week_match is None or week_match["last"]:
            continue
        sides_of_week = ((True, mentions[index + 1 : index + 2]), (False, mentions[max(0, index - 1) : index]))
        for is_after, neighbours in sides_of_week:
            for neighbour in neighbours:
                gap = text[week.end : neighbour.start] if is_after else text[neighbour.end : week.start]
                day = neighbour.days[0] if neighbour.days and neighbour.grain is Grain.DAY else None
                if day and len(gap) <= _MAX_DISTANCE and "\n" not in gap:
                    mondays.setdefault(int(week_match["first"]), day - timedelta(day.weekday()))
    return mondays


def _date_week(week: Mention, mondays: Mapping[int, date]) -> Mention | None:
    """The week, or range of weeks, counted from the nearest earlier week with a day, else from the first such week."""
    week_match = _COUNTED_WEEK.fullmatch(week.text)
    if week_match is None or not mondays:
        return None
    first = int(week_match["first"])
    last = int(week_match["last"] or first)
    known_week = max((number for number in mondays if number <= first), default=min(mondays))
    try:
        start, last_start, end = (
            mondays[known_week] + (number - known_week) * WEEK for number in (first, last, last + 1)
        )
    except OverflowError:
        return None
    values = [readings.make_week(day).value for day in (start, last_start)]
    return replace(
        week,
        value="/".join(dict.fromkeys(values)),
        start_date=start,
        end_date=end,
        relative=True,
        anchor=mondays[known_week],
        basis=f"week {known_week} of the course begins on {mondays[known_week]}",
    )
