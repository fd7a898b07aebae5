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
from warehouse.records import Holding
from warehouse.records.fiscal import FiscalCalendar, YearEnd
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

    `declared` is the end of fiscal years (MM-DD) that the settings say of a root, by its name. Raises `StageError` for
    a document on which this fails.
    """
    every = list(holdings)
    evidence: defaultdict[str, list[YearEnd]] = defaultdict(list)
    for holding in every:
        with one_document("publish", holding.document_id):
            evidence[_company(holding)] += holding.attributes.year_ends
    known: dict[tuple[str, str], FiscalCalendar | None] = {}
    made = []
    for holding in every:
        with one_document("publish", holding.document_id):
            company, year_end = _company(holding), declared.get(holding.file.root, "")
            if company and (company, year_end) not in known:
                known[company, year_end] = calendar_by(evidence[company], year_end)
            calendar = known[company, year_end] if company else holding.fiscal_calendar
            made.append(holding if calendar == holding.fiscal_calendar else with_calendar(holding, calendar))
    return made


def _company(holding: Holding) -> str:
    return company_key(holding.attributes.company)
