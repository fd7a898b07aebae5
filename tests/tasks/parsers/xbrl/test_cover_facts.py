"""What the tags of a cover say, for calendars and forms of several kinds."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.document_date import choose_date
from tasks.entities.companies import with_company
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.parsers.xbrl.cover_facts import read_cover_tags
from tasks.temporal.document import with_date, with_times
from tasks.temporal.fiscal_inference import infer_document_calendar
from tests.tasks.parsers.xbrl.invented_filing import amount, context, page, words
from tests.tasks.parsers.xbrl.northlight import northlight
from warehouse.records import DateOrigin, Document


def cover(form: str, start: str, end: str, **said: str) -> Document:
    """A page whose hidden tags are these, and whose words say otherwise."""
    tags = {"DocumentType": form, "DocumentPeriodEndDate": end, "EntityRegistrantName": "Northlight, Inc.", **said}
    hidden = "".join(words(text, f"dei:{name}", "c") for name, text in tags.items())
    quarter = amount("1", "us-gaap:Revenues", "q")
    body = f"<p>Wrong Corp Form 8-K</p><p>For the fiscal year ended December 31, 1999</p><p>Sales {quarter}</p>"
    contexts = [context("c", start, end), context("q", "2025-03-30", "2025-06-28")]
    return with_company(with_times(read(Raw("a.htm", page(body, contexts, hidden).encode()))))


def test_a_quarter_of_weeks_is_the_companys() -> None:
    focus = {
        "DocumentFiscalYearFocus": "2025",
        "DocumentFiscalPeriodFocus": "Q3",
        "CurrentFiscalYearEndDate": "--09-27",
    }
    document = cover("10-Q", "2024-09-29", "2025-06-28", TradingSymbol="NLI", **focus)
    attributes = document.attributes
    assert (attributes.company, attributes.paper_type, attributes.symbols) == ("Northlight, Inc.", "10-Q", ("NLI",))
    assert (attributes.reported_name, attributes.reported_start, attributes.reported_end) == (
        "Q3 2025", date(2025, 3, 30), date(2025, 6, 29),
    )  # fmt: skip
    calendar = infer_document_calendar(document)
    assert calendar
    assert (calendar.last_month, calendar.find_months(2025, 7, 3)) == (9, (date(2025, 3, 30), date(2025, 6, 29)))
    claim = choose_date(document.dates, "a.htm", document.kind)
    assert claim
    assert (claim.date, claim.origin) == (date(2025, 6, 28), DateOrigin.COVER_TAG)


@pytest.mark.parametrize(
    ("form", "start", "end", "focus", "name", "last_month"),
    [
        ("10-K", "2024-01-01", "2024-12-31", "FY", "FY2024", 12),
        ("10-K/A", "2024-02-04", "2025-02-01", "FY", "FY2024", 2),
        ("20-F", "2023-07-01", "2024-06-30", "", "FY2024", 6),
    ],
)
def test_a_year_has_the_name_that_its_filer_gives_it(
    form: str, start: str, end: str, focus: str, name: str, last_month: int
) -> None:
    said = {"DocumentFiscalPeriodFocus": focus, "DocumentFiscalYearFocus": name[2:]} if focus else {}
    document = cover(form, start, end, **said)
    assert document.attributes.reported_name == name
    assert document.attributes.paper_type == form.removesuffix("/A")
    calendar = infer_document_calendar(document)
    assert calendar
    assert calendar.find_months(int(name[2:]), 1, 12)[1] == document.attributes.reported_end
    assert calendar.last_month in (last_month, last_month - 1)


def test_a_current_report_has_a_day_and_no_period() -> None:
    document = cover("8-K", "2025-05-07", "2025-05-07")
    tags = read_cover_tags(document.facts)
    assert (tags.last, tags.period, tags.name) == (date(2025, 5, 7), None, "")
    assert document.attributes.paper_type == "8-K"


def test_what_a_person_corrects_stands_before_the_tags() -> None:
    document = with_times(read(Raw("a.htm", northlight().encode())))
    corrected = with_date(document, date(2025, 7, 24))
    assert choose_date(corrected.dates, "a.htm", corrected.kind).date == date(2025, 7, 24)  # type: ignore[union-attr]
    calendar = infer_document_calendar(corrected, corrected="06-30")
    assert calendar
    assert calendar.last_month == 6
    assert corrected.attributes.reported_name == "Q3 2025"


@pytest.mark.parametrize(
    "said",
    [
        {"DocumentPeriodEndDate": "soon"},
        {"DocumentPeriodEndDate": "9999-12-31", "DocumentFiscalPeriodFocus": "FY"},
        {"DocumentPeriodEndDate": "0001-01-01", "DocumentFiscalPeriodFocus": "Q1"},
        {"CurrentFiscalYearEndDate": "--13-45", "DocumentFiscalPeriodFocus": "Q1"},
        {"DocumentFiscalPeriodFocus": "Q9", "DocumentFiscalYearFocus": "MMXXV"},
        {"TradingSymbol": "N/A"},
        {"CurrentFiscalYearEndDate": "--02-29", "DocumentFiscalPeriodFocus": "Q1", "DocumentFiscalYearFocus": "2025"},
    ],
)
def test_tags_that_say_nothing_sound_do_no_harm(said: dict[str, str]) -> None:
    document = cover("10-Q", "2025-01-01", "2025-03-31", **said)
    assert document.attributes.company == "Northlight, Inc."
    assert document.attributes.symbols == ()
