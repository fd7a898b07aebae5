"""The period that a document reports on, by its cover, its headline, its title or its file's name.

"For the fiscal year ended December 2, 2022", "Reports First-Quarter 2023 Results", "2025年第三季度报告",
"ACME_2023Q2_10Q.pdf". Which days that are and what they are called follows the company's own calendar, which all its
documents together tell: one release says when a quarter ended, another only which quarter it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import PurePosixPath

from tasks.faults import one_document
from tasks.tables.cells import normalize_dates
from tasks.temporal.english.year_ends import announced_quarter, is_outlook
from tasks.temporal.fiscal_inference import calendar_by, most_trusted
from tasks.temporal.prefix import period_name
from tasks.temporal.readings import quarter_interval
from tasks.temporal.tagger import tag
from warehouse.records import (
    Attributes,
    CatalogEntry,
    CorrectedField,
    DateClaim,
    DateOrigin,
    Document,
    Grain,
    Kind,
    Mention,
    TimexType,
)
from warehouse.records.fiscal import FiscalCalendar, YearEnd, rule_of
from warehouse.search.catalogue import company_key

HEAD = 3000  # How far into a text its cover reaches, in characters.
HEADLINE = 600  # How far into a text its headlines reach, in characters.
_LONGEST_LINE = 160
_PERIODS = (Grain.QUARTER, Grain.HALF, Grain.YEAR)
_SHORTEST, _LONGEST = 77, 380
"""Days of what is reported on, from a quarter of twelve weeks that may begin a week later to a year of 53."""
_PUBLISHED = (DateOrigin.CORRECTED, DateOrigin.FRONT_MATTER, DateOrigin.PUBLICATION, DateOrigin.DATELINE)
"""The dates that say when a text was given out; others may lie anywhere in the period."""
_EARLIEST = timedelta(days=14)  # Preliminary results come up to two weeks before the end of what they are of.
_REPORTERS = (Kind.REPORT, Kind.TEXT, Kind.NOTE)
_ENDED = re.compile(r"\bend(?:ed|ing)\b", re.IGNORECASE)
_ENDED_ON = re.compile(r"\bended\b", re.IGNORECASE)
_COLON = re.compile(r"(?<=\bended)\s?:", re.IGNORECASE)
_FOR = re.compile(r"\bfor\s*$", re.IGNORECASE)
_REPORTS = re.compile(
    r"\b(?:results?|earnings|reports?|reported|statements?|review|update|form 10-?[KQ]|10-?[KQ]|[24]0-?F)\b"
    r"|业绩|業績|报告|報告|财报|財報|[年季]报",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"(?<![0-9A-Z])(?:10-?KT?|[24]0-?F|FY|annual|(?:full|fiscal)[ -]year|year)(?![0-9A-Z])|年度|年报|年報|全年",
    re.IGNORECASE,
)
"""What makes a bare year the year that is reported on."""
_JOINTS = re.compile(r"[_\W]+")


@dataclass(frozen=True, slots=True)
class Reported:
    """A period reported on: how it is called ("FY2022", "Q2 2023"), its days, half-open, and the words that say so."""

    name: str
    start: date
    end: date
    text: str


def reported_period(document: Document, calendar: FiscalCalendar | None) -> Reported | None:
    """What the content says; None for papers and courses, and where it names no quarter, half or year of its own."""
    if document.kind not in _REPORTERS:
        return None
    text = _COLON.sub(" ", document.text[:HEAD])
    written = most_trusted(document.dates)
    found = (
        *_stated(normalize_dates(text, document.attributes.day_order), calendar),
        *_announced(text, calendar, written.date if written else None),
        *_headline(text, calendar),
        *_labelled(document.title, calendar),
    )
    # What was not over when the text was given out is only expected: what it reports on is named further on.
    return next((each for each in found if written is None or not _is_early(each, written)), next(iter(found), None))


def _announced(text: str, calendar: FiscalCalendar | None, written: date | None) -> Iterator[Reported]:
    """The quarter that a headline announces, its year said beside it or that of the last one that was over.

    A release of a last quarter is of its year too, where its headline says so.
    """
    quarter, year = announced_quarter(text) or (0, None)
    if not quarter or (quarter == 4 and any(_headline(text, calendar))):
        return
    try:
        if year is None:
            if calendar is None or written is None:
                return
            year = calendar.year_of(written)
            year -= calendar.months(year, quarter * 3, 1)[1] > written
        start, end = calendar.months(year, quarter * 3 - 2, 3) if calendar else quarter_interval(year, quarter)
    except (ValueError, OverflowError):
        return
    name = f"Q{quarter} {year}"
    yield Reported(name, start, end, name)


def period_in_name(name: str, calendar: FiscalCalendar | None) -> Reported | None:
    """What a file's name says: "2023Q2", or a year beside "10K", "annual" or "FY"."""
    return next(_labelled(_JOINTS.sub(" ", PurePosixPath(name).stem), calendar), None)


def period_of_file(
    attributes: Attributes, name: str, calendar: FiscalCalendar | None, claim: DateClaim | None
) -> Reported | None:
    """What a document reports on, by its content, else by its file's name; None where neither says, or of the future.

    `calendar` is that of its company, in which the words of the content are read anew, `claim` its own date, None if it
    is undated. A cover that gives the last day without the company's calendar leaves the name to the file. What was
    published before a period was over does not report it: its quarter is of a calendar that nobody knows.
    """
    own, named = _own(attributes, calendar), period_in_name(name, calendar)
    if own and named and calendar is None:
        own = replace(own, name=named.name)
    found = own or named
    if found is None or claim is None:
        return found
    # The first day that a text names need not be its own: a cover that says when its period ended is believed.
    is_over = claim.origin is DateOrigin.TEXT and bool(_ENDED_ON.search(found.text))
    return found if is_over or (found.start <= claim.date and not _is_early(found, claim)) else None


def _is_early(found: Reported, claim: DateClaim) -> bool:
    return claim.origin in _PUBLISHED and found.end > claim.date + _EARLIEST


def _own(attributes: Attributes, calendar: FiscalCalendar | None) -> Reported | None:
    """What the content says, its words read in a calendar that the content itself may not give."""
    if not attributes.reported_name or attributes.reported_start is None or attributes.reported_end is None:
        return None
    known = Reported(
        attributes.reported_name, attributes.reported_start, attributes.reported_end, attributes.reported_text
    )
    anew = (found for found, _ in _dated(attributes.reported_text, calendar)) if calendar else iter(())
    return next(anew, known)


def _stated(text: str, calendar: FiscalCalendar | None) -> Iterator[Reported]:
    """The periods with their last day: after "for" on a cover, anywhere below words that announce a report."""
    if not _ENDED.search(text):
        return
    announced = _REPORTS.search(text)
    for found, mention in _dated(text, calendar):
        is_cover = bool(_FOR.search(text[max(0, mention.start - 10) : mention.start]))
        is_announced = is_cover or (announced and announced.start() < mention.start)
        if _ENDED.search(mention.text) and is_announced and not is_outlook(text, mention.start, mention.end):
            yield found


def _headline(text: str, calendar: FiscalCalendar | None) -> Iterator[Reported]:
    """The period nearest to the words that announce a report, of each headline that has some."""
    for line in text[:HEADLINE].splitlines():
        announced = _REPORTS.search(line)
        if announced and len(line) <= _LONGEST_LINE:
            dated = ((each, m) for each, m in _dated(line, calendar) if not is_outlook(line, m.start, m.end))
            places = [(abs(m.start - announced.start()), each) for each, m in dated]
            if places:
                yield min(places, key=lambda place: place[0])[1]


def _labelled(label: str, calendar: FiscalCalendar | None) -> Iterator[Reported]:
    """The quarters and halves that a title or a file's name has, then its years where they are a report's."""
    found = [(each, m) for each, m in _dated(label, calendar) if not is_outlook(label, m.start, m.end)]
    yield from (each for each, mention in found if mention.grain is not Grain.YEAR)
    if _YEARLY.search(label):
        yield from (each for each, _ in found)


def _dated(text: str, calendar: FiscalCalendar | None) -> Iterator[tuple[Reported, Mention]]:
    for mention in tag(text, None, "und", fiscal=calendar):
        if mention.type is not TimexType.DATE or mention.relative or mention.modifier:
            continue
        if mention.start_date is None or mention.end_date is None:
            continue
        start, end = mention.start_date, mention.end_date
        if mention.grain is Grain.YEAR and calendar and mention.value.isdigit() and not _ENDED.search(mention.text):
            start, end = calendar.months(int(mention.value), 1, 12)
        if mention.grain in _PERIODS and _SHORTEST <= (end - start).days <= _LONGEST:
            yield Reported(_name(mention), start, end, mention.text), mention


def _name(mention: Mention) -> str:
    name = period_name(mention)
    return f"FY{name}" if mention.grain is Grain.YEAR and name.isdigit() else name


def with_calendar(entry: CatalogEntry, calendar: FiscalCalendar | None) -> CatalogEntry:
    """A document with its company's calendar and the period that it reports on in it."""
    found = period_of_file(entry.attributes, PurePosixPath(entry.file.path).name, calendar, entry.date_claim)
    return replace(
        entry,
        fiscal_year_start=calendar.first_month if calendar else None,
        fiscal_calendar=calendar,
        reported_name=found.name if found else "",
        reported_start=found.start if found else None,
        reported_end=found.end if found else None,
    )


def with_company_calendars(entries: Iterable[CatalogEntry], declared: Mapping[str, str]) -> list[CatalogEntry]:
    """The documents, those of a company with the calendar that all of them speak for.

    `declared` is the end of fiscal years (MM-DD) that the settings say of a root, by its name; what a person corrected
    of a document comes before it, and is noted with what it replaces. Raises `StageError` for a document on which this
    fails.
    """
    every = list(entries)
    evidence: defaultdict[str, list[YearEnd]] = defaultdict(list)
    for entry in every:
        with one_document("publish", entry.document_id):
            evidence[_company(entry)] += entry.attributes.year_ends
    known: dict[tuple[str, str, str], FiscalCalendar | None] = {}

    def calendar_for(company: str, year_end: str, corrected: str) -> FiscalCalendar | None:
        if (company, year_end, corrected) not in known:
            known[company, year_end, corrected] = calendar_by(evidence[company], year_end, corrected)
        return known[company, year_end, corrected]

    made = []
    for entry in every:
        with one_document("publish", entry.document_id):
            company, year_end = _company(entry), declared.get(entry.file.root, "")
            correction = entry.corrected(CorrectedField.FISCAL_YEAR_END)
            calendar = entry.fiscal_calendar
            if company:
                calendar = calendar_for(company, year_end, correction.value if correction else "")
            made.append(entry if calendar == entry.fiscal_calendar else with_calendar(entry, calendar))
            if correction:
                own = entry.attributes.year_ends
                read = calendar_for(company, year_end, "") if company else calendar_by(own, year_end)
                made[-1] = with_former_year_end(made[-1], read)
    return made


def with_former_year_end(entry: CatalogEntry, read: FiscalCalendar | None) -> CatalogEntry:
    """A document whose corrected fiscal year end notes the calendar that was read instead."""
    was, was_from = (str(rule_of(read)), read.basis) if read else ("", "")
    noted = (
        replace(each, was=was, was_from=was_from) if each.field is CorrectedField.FISCAL_YEAR_END else each
        for each in entry.corrections
    )
    return replace(entry, corrections=tuple(noted))


def _company(entry: CatalogEntry) -> str:
    return company_key(entry.attributes.company)
