"""The fiscal calendar of each company by all of its documents, and what they report on in it.

One release says when a quarter ended, another only which quarter it is: together they say which days that were.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from tasks.isolation import one_document
from tasks.temporal.fiscal_inference import calendar_by
from tasks.temporal.reported import period_of_file
from warehouse.records import CatalogEntry, CorrectedField
from warehouse.records.fiscal import FiscalCalendar, YearEnd
from warehouse.records.year_end_rules import rule_of
from warehouse.search.name_variants import company_key


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
