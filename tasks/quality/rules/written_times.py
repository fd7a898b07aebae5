"""Rules of dates and times that are missing, impossible, in the future, or may be read in several ways."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from tasks.parsers.written_dates import DAY_FIRST, MONTH_FIRST
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.corpus import Corpus, Digest
from tasks.quality.phrases import format_count, shorten_text
from tasks.quality.rule import Scope, Violation, index_by_name, make_corpus_rule, make_document_rule
from warehouse.records import Calendar, DateClaim, DateOrigin, Severity

_ORDERLESS_DAY = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(?:(?:1[6-9]|2[01])\d\d|\d\d)(?![\d/-])")
_MONTHS = 12


def ambiguous_day_order(subject: CheckedDocument) -> Iterator[Violation]:
    """TMP001: a date that may be read in two ways.

    What: day and month are both twelve or less, and nothing in the file shows which comes first.
    Why it hurts retrieval: a question about April finds March, or the other way round.
    Example: `03/04/2023`
    Cure: write 2023-04-03, or the month in words.
    """
    # One finding per file, at the first date; none if another date of the file settles the order.
    mentions = [mention for mention in subject.mentions if _is_ambiguous(mention.text)]
    if not mentions or subject.document.attributes.day_order in (DAY_FIRST, MONTH_FIRST):
        return
    first = mentions[0]
    reading = f"; '{first.text}' is read as {first.start_date.isoformat()}" if first.start_date else ""
    message = f"{format_count(len(mentions), 'date')} may be day or month first{reading}: write it as YYYY-MM-DD"
    yield Violation(message, first.start, first.end)


def _is_ambiguous(text: str) -> bool:
    """Whether a date, or one end of a span of dates, is ambiguous; equal numbers of day and month are not."""
    pairs = [(int(match[1]), int(match[3])) for match in _ORDERLESS_DAY.finditer(text)]
    return any(first != second and min(first, second) > 0 and max(first, second) <= _MONTHS for first, second in pairs)


_END_OF_PERIOD = re.compile(
    r"(?:the )?(?:(?:beginning|start|middle|end|close) of (?:the )?)?(?:fiscal |financial )?"
    r"(?:year|quarter|month|period)(?:[- ]end)?",
    re.IGNORECASE,
)


def unanchored_relative_date(subject: CheckedDocument) -> Iterator[Violation]:
    """TMP002: a relative date in a document that has no date.

    What: "last quarter" or "yesterday" where nothing says when the text was written; it is read as no day.
    Why it hurts retrieval: no question about a time finds the statement, and no reader knows which time it means.
    Example: `Sales fell last month.` in a text without a date.
    Cure: date the document, or write the period out.
    """
    # One finding per file, at the first of them. "Year end" belongs to the year that its table's columns or text name.
    if subject.date is not None:
        return
    is_of_time = any(mention.start_date for mention in subject.mentions)
    mentions = [
        mention
        for mention in subject.mentions
        if mention.relative
        and mention.anchor is None
        and not (_END_OF_PERIOD.fullmatch(mention.text) and (is_of_time or mention.table is not None))
    ]
    if mentions:
        first = mentions[0]
        count = f"and {len(mentions) - 1} more are read as no day" if len(mentions) > 1 else "is read as no day"
        message = f"'{shorten_text(first.text)}' {count}, since the document is undated: date it"
        yield Violation(message, first.start, first.end)


def unknown_fiscal_calendar(subject: CheckedDocument) -> Iterator[Violation]:
    """TMP004: a fiscal period of a company whose calendar is not known.

    What: "fiscal 2023" or "Q2 FY23" in a document that does not say when its fiscal years end.
    Why it hurts retrieval: the period is taken for the calendar year, up to eleven months off.
    Example: `Revenue grew in the second quarter of fiscal 2023.`
    Cure: say once when the fiscal year ends: "our fiscal year ends on June 30".
    """
    from tasks.temporal.meanings.company import CALENDAR_UNKNOWN

    # One finding a file, at the first period.
    first = next((m for m in subject.mentions if m.calendar is Calendar.FISCAL and CALENDAR_UNKNOWN in m.basis), None)
    if first is not None:
        problem = f"'{shorten_text(first.text)}' is taken for the calendar's, for nothing says when fiscal years end"
        message = f"{problem}: say so once ('our fiscal year ends on June 30')"
        yield Violation(message, first.start, first.end)


_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|Aug(?:ust|\.)?"
    r"|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d|21\d\d)"
_FORMS = (
    re.compile(rf"\b(?P<name>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? {_YEAR}\b|(?!\d|[.,:/-]\d| \w))"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<name>{_MONTH})(?:,? {_YEAR})?\b"),
    re.compile(rf"(?<![\d./-]){_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)(?![\d/-]|\.\d)"),
    re.compile(rf"(?<![\w.,/+-]){_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>3[0-9])(?![\w/+-]|[.,]\d)"),
    re.compile(rf"(?:{_YEAR}年)?(?<!\d)(?P<month>\d{{1,2}})月(?P<day>\d{{1,2}})[日号號]"),
)
_NUMERIC = re.compile(rf"(?<![\d./-])(\d{{1,2}})([/.-])(\d{{1,2}})\2{_YEAR}(?![\d/-]|\.\d)")
_LEAP_YEAR = 2024
_MAX_MONTH_DAYS = 31


def impossible_date(subject: CheckedDocument) -> Iterator[Violation]:
    """TMP003: a date that there is not.

    What: a day that its month does not have, or a month above twelve.
    Why it hurts retrieval: it names no day, so no question about a time finds the passage.
    Example: `February 30, 2023`, `2023-13-05`
    Cure: correct the date.
    """
    for match in _find_impossible_dates(subject.document.text):
        yield Violation(f"there is no {match[0]}: correct the date", match.start(), match.end())


def _find_impossible_dates(text: str) -> Iterator[re.Match[str]]:
    """The dates that do not exist; without a year, 29 February and numbers over 31 are ignored."""
    for form in _FORMS:
        for match in form.finditer(text):
            parts, day, year = match.groupdict(), int(match["day"]), match["year"]
            month = _NAMES.index(parts["name"][:3].lower()) + 1 if "name" in parts else int(parts["month"])
            if (year or day <= _MAX_MONTH_DAYS) and not _exists(int(year or _LEAP_YEAR), month, day):
                yield match
    for match in _NUMERIC.finditer(text):
        first, second, year = int(match[1]), int(match[3]), int(match["year"])
        if not (_exists(year, first, second) or _exists(year, second, first)):
            yield match


def _exists(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


_MIN_TEXT_LENGTH = 200


def missing_date(subject: CheckedDocument) -> Iterator[Violation]:
    """DOC019: a document that does not say when it was written.

    What: neither its properties, its text nor its name give a date; it is undated.
    Why it hurts retrieval: filters by date leave it out, the newest come before it, and "last year" in it is no year.
    Example: `minutes.txt` without a date in it.
    Cure: put a date into the front matter, the first lines or the name.
    """
    # Files with some text; a note of a few words has no date to give, and a wrong date is another fault.
    if subject.date is None and not subject.document.dates and len(subject.document.text) >= _MIN_TEXT_LENGTH:
        yield Violation("nothing in it says when it was written: put a date into the front matter, first lines or name")


_TRUSTED_ORIGINS = frozenset(DateOrigin) - {DateOrigin.FILE_TIME, DateOrigin.ROWS, DateOrigin.TEXT}
_DAY = timedelta(days=1)  # In other time zones it may be tomorrow.


def future_date(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """DOC020: a document dated in the future.

    What: the date that its front matter, properties, dateline or name gives is after today's.
    Why it hurts retrieval: it wins every question for the newest, and none about the time it is really of.
    Example: `date: 2052-03-04` for 2025-03-04
    Cure: correct the date.
    """
    latest = corpus.today + _DAY
    for source, digest in corpus.digests.items():
        first = min(_select_future_claims(digest, latest), key=lambda claim: claim.date, default=None)
        if first is not None:
            yield source, Violation(f"{first.date.isoformat()} ({first.origin}) is in the future: correct it")


def _select_future_claims(digest: Digest, latest: date) -> list[DateClaim]:
    """The claims after a day; a diary whose first entries are in the past may have plans as well."""
    if digest.date and digest.date.origin is DateOrigin.CORRECTED:
        return [digest.date] if digest.date.date > latest else []
    claims = [claim for claim in (*digest.claims, digest.date) if claim and claim.origin in _TRUSTED_ORIGINS]
    has_begun = any(claim.origin is DateOrigin.HEADING and claim.date <= latest for claim in claims)
    judged_claims = (claim for claim in claims if not (has_begun and claim.origin is DateOrigin.HEADING))
    return [claim for claim in judged_claims if claim.date > latest]


members = index_by_name(
    make_document_rule(missing_date, Severity.NOTE, 0.0, Scope.DOCUMENT),
    make_corpus_rule(future_date, Severity.WARNING, 0.0),
    make_document_rule(impossible_date, Severity.WARNING, 0.05),
    make_document_rule(ambiguous_day_order, Severity.WARNING, 0.05),
    # Its penalty is nothing: leaving such chunks out changed no answer that did not ask for a time.
    make_document_rule(unanchored_relative_date, Severity.WARNING, 0.0),
    # Its penalty is nothing: no answer was lost where years were called fiscal.
    make_document_rule(unknown_fiscal_calendar, Severity.NOTE, 0.0),
)
