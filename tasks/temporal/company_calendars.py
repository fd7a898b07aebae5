"""The fiscal calendar of each company by all of its documents, and what they report on in it.

One release says when a quarter ended, another only which quarter it is: together they say which days that were.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from tasks.isolation import one_document
from tasks.temporal.learning import calendar_by
from tasks.temporal.reported import period_of_file
from warehouse.records import CorrectedField, Holding
from warehouse.records.fiscal import FiscalCalendar, YearEnd
from warehouse.records.year_end_rules import rule_of
from warehouse.search.called import company_key


def with_calendar(holding: Holding, calendar: FiscalCalendar | None) -> Holding:
    """A document with its company's calendar and the period that it reports on in it."""
    found = period_of_file(holding.attributes, PurePosixPath(holding.file.path).name, calendar, holding.date_claim)
    return replace(
        holding,
        fiscal_year_start=calendar.first_month if calendar else None,
        fiscal_calendar=calendar,
        reported_name=found.name if found else "",
        reported_start=found.start if found else None,
        reported_end=found.end if found else None,
    )


def with_company_calendars(holdings: Iterable[Holding], declared: Mapping[str, str]) -> list[Holding]:
    """The documents, those of a company with the calendar that all of them speak for.

    `declared` is the end of fiscal years (MM-DD) that the settings say of a root, by its name; what a person corrected
    of a document comes before it, and is noted with what it replaces. Raises `StageError` for a document on which this
    fails.
    """
    every = list(holdings)
    evidence: defaultdict[str, list[YearEnd]] = defaultdict(list)
    for holding in every:
        with one_document("publish", holding.document_id):
            evidence[_company(holding)] += holding.attributes.year_ends
    known: dict[tuple[str, str, str], FiscalCalendar | None] = {}

    def calendar_for(company: str, year_end: str, corrected: str) -> FiscalCalendar | None:
        if (company, year_end, corrected) not in known:
            known[company, year_end, corrected] = calendar_by(evidence[company], year_end, corrected)
        return known[company, year_end, corrected]

    made = []
    for holding in every:
        with one_document("publish", holding.document_id):
            company, year_end = _company(holding), declared.get(holding.file.root, "")
            correction = holding.corrected(CorrectedField.FISCAL_YEAR_END)
            calendar = holding.fiscal_calendar
            if company:
                calendar = calendar_for(company, year_end, correction.value if correction else "")
            made.append(holding if calendar == holding.fiscal_calendar else with_calendar(holding, calendar))
            if correction:
                own = holding.attributes.year_ends
                read = calendar_for(company, year_end, "") if company else calendar_by(own, year_end)
                made[-1] = with_former_year_end(made[-1], read)
    return made


def with_former_year_end(holding: Holding, read: FiscalCalendar | None) -> Holding:
    """A document whose corrected fiscal year end notes the calendar that was read instead."""
    was, was_from = (str(rule_of(read)), read.basis) if read else ("", "")
    noted = (
        replace(each, was=was, was_from=was_from) if each.field is CorrectedField.FISCAL_YEAR_END else each
        for each in holding.corrections
    )
    return replace(holding, corrections=tuple(noted))


def _company(holding: Holding) -> str:
    return company_key(holding.attributes.company)
