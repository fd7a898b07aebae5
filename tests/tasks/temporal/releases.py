"""Releases of fictional companies, each saying when its quarter ended in a way of its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from warehouse.records.calendars import WEEK, FiscalCalendar

ORDINALS = ("First", "Second", "Third", "Fourth")
WORDS = {12: "twelve", 13: "thirteen", 14: "fourteen", 16: "sixteen", 17: "seventeen"}
DELAY = timedelta(days=24)
"""Between the end of a quarter and its release."""
COMPANY = "Harrow Provisions Inc."


class Release:
    """What a company reports of a quarter, 1 to 4, of its fiscal `year`, by its true calendar."""

    def __init__(self, calendar: FiscalCalendar, year: int, quarter: int, company: str = COMPANY) -> None:
        self.calendar, self.year, self.quarter, self.company = calendar, year, quarter, company
        self.start, self.end = calendar.find_months(year, quarter * 3 - 2, 3)
        first = calendar.find_months(year, 1, 3)[0]
        self.before = calendar.find_months(year - 1, quarter * 3 - 2, 3)[1] - timedelta(days=1)
        self.last, self.written = self.end - timedelta(days=1), self.end + DELAY
        self.weeks, self.to_date = (self.end - self.start) // WEEK, (self.end - first) // WEEK
        self.ordinal = ORDINALS[quarter - 1]

    @property
    def dateline(self) -> str:
        return f"SALEM, Ore., {day(self.written)} (Business Wire) - {self.company} (NYSE: HRRW) today announced"

    @property
    def length(self) -> str:
        return f"{self.weeks} Weeks" if self.calendar.weeks else "Three Months"

    @property
    def length_to_date(self) -> str:
        return f"{self.to_date} Weeks" if self.calendar.weeks else f"{self.quarter * 3} Months"

    @property
    def table(self) -> str:
        head = f"|  | {self.length} Ended |  |\n|---|---|---|\n|  | {day(self.last)} | {day(self.before)} |"
        return f"{head}\n| Sales | 41 | 38 |\n"


def day(moment: date) -> str:
    return f"{moment:%B} {moment.day}, {moment.year}"


def in_one_sentence(of: Release) -> str:
    weeks = f" ({WORDS[of.weeks]} weeks)" if of.calendar.weeks else ""
    to_date = f" and the first {of.length_to_date.lower()} of" if of.quarter > 1 else " of"
    return (
        f"{of.company} Reports {of.ordinal} Quarter and Year-to-Date Operating Results for Fiscal {of.year}\n\n"
        f"{of.dateline} its results for the {of.ordinal.lower()} quarter{weeks}{to_date} fiscal {of.year}, ended "
        f"{day(of.last)}.\n\n{of.table}"
    )


def in_a_table(of: Release) -> str:
    headline = f"{of.company} Reports {of.ordinal} Quarter Fiscal {of.year} Results"
    return f"{headline}\n\n{of.dateline} its results. Sales grew.\n\n{of.table}"


def in_a_page(of: Release) -> str:
    """Days and years on lines of their own, as the text of a page has them."""
    days = f"{of.last:%B} {of.last.day}, {of.before:%B} {of.before.day},"
    years = f"{of.last.year} {of.before.year}"
    return (
        f"{of.company} Announces Q{of.quarter} FY{of.year % 100:02} Earnings\n{of.dateline} earnings for the period.\n"
        f"{of.length} Ended {of.length_to_date} Ended\n{days} {days}\n{years} {years}\nSales 41 38 95 90\n"
    )


def by_its_name(of: Release) -> str:
    return (
        f"{of.company} Announces Fiscal {of.year} {of.ordinal} Quarter Results\n\n{of.dateline} results for the "
        f"{of.ordinal.lower()} quarter ended {day(of.last)}. Sales grew.\n\n{of.table}"
    )


def without_days(of: Release) -> str:
    headline = f"{of.company} Reports {of.ordinal} Quarter Fiscal {of.year} Results"
    return f"{headline}\n\n{of.dateline} its results. Sales of the {of.ordinal.lower()} quarter were 41 million.\n"


STYLES: tuple[Callable[[Release], str], ...] = (in_one_sentence, in_a_table, in_a_page, by_its_name)
