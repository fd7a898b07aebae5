"""The period that a document reports on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tasks.temporal.document import with_times
from tasks.temporal.fiscal_inference import make_calendar_from_month, make_declared_calendar
from tasks.temporal.reported_periods import (
    ReportedPeriod,
    find_file_period,
    find_period_in_name,
    find_reported_period,
)
from warehouse.records import Attributes, DateClaim, DateOrigin, Document, Kind


def document(text: str, title: str = "", kind: Kind = Kind.REPORT) -> Document:
    return Document(kind, "text/plain", text, (), title=title)


def read(text: str, first_month: int | None = None, title: str = "") -> tuple[str, str, str] | None:
    found = find_reported_period(document(text, title), make_calendar_from_month(first_month))
    return (found.name, str(found.start), str(found.end)) if found else None


@pytest.mark.parametrize(
    ("text", "first_month", "expected"),
    [
        ("FORM 10-Q\nFor the Quarterly Period Ended December 31, 2022", 7, ("Q2 2023", "2022-10-01", "2023-01-01")),
        ("FORM 10-K\nFor the fiscal year ended: June 30, 2022", 7, ("FY2022", "2021-07-01", "2022-07-01")),
        ("FORM 10-K\nFor the fiscal year ended 12/31/2019", 1, ("FY2019", "2019-01-01", "2020-01-01")),
        (
            "Acme reports fiscal 2023 results and gives outlook for fiscal 2024",
            7,
            ("FY2023", "2022-07-01", "2023-07-01"),
        ),
        ("Acme Reports First-Quarter 2023 Results", None, ("Q1 2023", "2023-01-01", "2023-04-01")),
        ("Acme Reports Full Year 2023 Results", 7, ("FY2023", "2022-07-01", "2023-07-01")),
        ("北光2025年第三季度报告", None, ("Q3 2025", "2025-07-01", "2025-10-01")),
        ("2023年年度报告", None, ("FY2023", "2023-01-01", "2024-01-01")),
    ],
)
def test_cover_and_headline(text: str, first_month: int | None, expected: tuple[str, str, str]) -> None:
    assert read(text, first_month) == expected


@pytest.mark.parametrize(
    "text",
    [
        "FORM 8-K\nDate of report: May 20, 2022\n1.125% Guaranteed Senior Notes Due 2027",
        "The cat sat on the mat in 2019.",
        "The board met. In the year ended June 30, 2020 the town had grown.",
    ],
)
def test_what_reports_nothing(text: str) -> None:
    assert read(text) is None


def test_papers_report_no_period() -> None:
    text = "For the fiscal year ended June 30, 2022"
    assert find_reported_period(document(text, kind=Kind.PAPER), None) is None
    assert find_reported_period(document(text), None) is not None


def test_the_title_speaks_where_the_text_does_not() -> None:
    assert read("Nothing here.", 7, title="Acme 4Q 2023 Exhibit 99.1") == ("Q4 2023", "2023-04-01", "2023-07-01")


@pytest.mark.parametrize(
    ("name", "first_month", "expected"),
    [
        ("AMCOR_2023Q2_10Q.pdf", 7, "2022-10-01"),
        ("AMCOR_2023Q2_10Q.pdf", None, "2023-04-01"),
        ("WALMART_2020_10K.pdf", 2, "2019-02-01"),
        ("3M_2018_10K.pdf", None, "2018-01-01"),
        ("annual-report-2021.pdf", None, "2021-01-01"),
        ("FOOTLOCKER_2022_8K_dated-2022-05-20.pdf", None, None),
        ("agenda-2030.pdf", None, None),
    ],
)
def test_a_file_name(name: str, first_month: int | None, expected: str | None) -> None:
    found = find_period_in_name(name, make_calendar_from_month(first_month))
    assert (str(found.start) if found else None) == expected


def test_the_calendar_of_the_text_names_the_period() -> None:
    cover = "FORM 10-Q\nFor the quarterly period ended July 29, 2023"
    text = f"{cover}\n\nOur fiscal year ends on the Saturday nearest the end of January."
    found = with_times(document(text)).attributes
    assert (found.reported_name, found.reported_start, found.reported_end) == (
        "Q2 2024",
        date(2023, 4, 30),
        date(2023, 7, 30),
    )


LATER = DateClaim(date(2026, 1, 1), DateOrigin.DATELINE)


class TestOfAFile:
    """Content, name, declared calendar and date together."""

    OWN = Attributes(
        reported_text="Q2 2025", reported_name="Q2 2025", reported_start=date(2025, 4, 1), reported_end=date(2025, 7, 1)
    )

    def test_the_content_goes_before_the_name(self) -> None:
        found = find_file_period(self.OWN, "2024Q4.pdf", None, LATER)
        assert found is not None
        assert found.start == date(2025, 4, 1)

    def test_a_declared_calendar_reads_the_words_anew(self) -> None:
        found = find_file_period(self.OWN, "a.pdf", make_declared_calendar("09-30"), LATER)
        assert found is not None
        assert (found.name, found.start) == ("Q2 2025", date(2025, 1, 1))

    def test_the_name_speaks_where_the_content_does_not(self) -> None:
        found = find_file_period(Attributes(), "ACME_2024Q4_10Q.pdf", None, LATER)
        assert found is not None
        assert found.name == "Q4 2024"

    def test_nothing_reports_the_future(self) -> None:
        assert find_file_period(self.OWN, "a.pdf", None, DateClaim(date(2025, 3, 31), DateOrigin.TEXT)) is None

    def test_a_release_reports_nothing_that_was_not_over(self) -> None:
        def found(origin: DateOrigin, day: date) -> ReportedPeriod | None:
            return find_file_period(self.OWN, "a.pdf", None, DateClaim(day, origin))

        assert found(DateOrigin.DATELINE, date(2025, 5, 25)) is None
        assert found(DateOrigin.DATELINE, date(2025, 6, 20)) is not None  # preliminary results
        assert found(DateOrigin.TEXT, date(2025, 5, 25)) is not None


OUTLOOKS = (
    "Tarn Outfitters Lowers Outlook for the Second Half of 2023",
    "Tarn Outfitters Announces Second Half 2023 Guidance",
    "Tarn Outfitters Announces Third Quarter 2023 Outlook",
    "Tarn Outfitters Earnings Update: Targets for Full Year 2023",
    "Tarn Outfitters Reports It Expects Fiscal 2023 to End Well",
)


@pytest.mark.parametrize("headline", OUTLOOKS)
def test_an_outlook_is_no_report(headline: str) -> None:
    assert read(headline) is None
    assert read(headline, 2) is None


@pytest.mark.parametrize("outlook", OUTLOOKS)
def test_a_report_with_an_outlook_is_of_what_was_over(outlook: str) -> None:
    text = f"Tarn Reports First Quarter 2023 Results\n{outlook}"
    assert read(text) == ("Q1 2023", "2023-01-01", "2023-04-01")


def test_a_quarter_that_was_not_over_gives_way_to_the_one_that_was() -> None:
    text = (
        "Review. Orders for the quarter ending June 30, 2023 rose. Results for the quarter ended March 31, 2023 are in."
    )
    found = find_reported_period(document(text), None)
    assert found is not None
    assert found.end == date(2023, 7, 1)
    written = Document(Kind.REPORT, "text/plain", text, (), dates=(DateClaim(date(2023, 5, 2), DateOrigin.DATELINE),))
    found = find_reported_period(written, None)
    assert found is not None
    assert found.end == date(2023, 4, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Quarterly statement Q1 2023/24", ("Q1 2024", "2023-10-01", "2024-01-01")),
        ("Interim report for the first half 2023/24", ("H1 2024", "2023-10-01", "2024-04-01")),
        ("Results 9M and 3Q 2022/23", ("Q3 2023", "2023-04-01", "2023-07-01")),
    ],
)
def test_a_year_named_by_both_of_its_years_is_the_one_it_ends_in(text: str, expected: tuple[str, str, str]) -> None:
    assert read(text, 10) == expected


def test_the_year_of_a_headline_without_one_is_that_of_the_first_sentences() -> None:
    text = (
        "Bullseye Reports Second Quarter Earnings\n\nBullseye today announced its second quarter 2023 results, above "
        "those of the second quarter of 2022.\n\nThree Months Ended\nJuly 29, 2023 July 30, 2022\nSales 24 25"
    )
    found = with_times(document(text)).attributes
    assert (found.reported_name, found.reported_start) == ("Q2 2023", date(2023, 4, 30))


def test_a_day_over_two_years_is_of_both() -> None:
    text = "Mallard releases Q1 FY24 earnings\n\nThree Months Ended\nApril 30,\n2023 2022 Percent Change\nSales 151 140"
    found = with_times(document(text)).attributes
    assert (found.reported_name, found.reported_start, found.reported_end) == (
        "Q1 2024",
        date(2023, 2, 1),
        date(2023, 5, 1),
    )


def test_a_cover_is_believed_before_the_first_day_in_its_text() -> None:
    own = Attributes(
        reported_text="fiscal year ended January 28, 2023",
        reported_name="FY2022",
        reported_start=date(2022, 1, 30),
        reported_end=date(2023, 1, 29),
    )
    assert find_file_period(own, "a.txt", None, DateClaim(date(2022, 1, 29), DateOrigin.TEXT)) is not None
    assert find_file_period(own, "a.txt", None, DateClaim(date(2022, 1, 29), DateOrigin.DATELINE)) is None


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Geschäftsbericht 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Jahresabschluss zum 31. Dezember 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Halbjahresfinanzbericht Januar – Juni 2023", ("H1 2023", "2023-01-01", "2023-07-01")),
        ("Zwischenbericht zum 30. Juni 2024", ("H1 2024", "2024-01-01", "2024-07-01")),
        ("Quartalsmitteilung Q1 2024", ("Q1 2024", "2024-01-01", "2024-04-01")),
        ("Rapport annuel 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Rapport financier semestriel 2024", ("H1 2024", "2024-01-01", "2024-07-01")),
        ("Comptes consolidés au 31 décembre 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Informe anual 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Relazione finanziaria annuale 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Relatório e Contas 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Jaarverslag 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Årsredovisning 2023", ("FY2023", "2023-01-01", "2024-01-01")),
        ("Interim report January–June 2024", ("H1 2024", "2024-01-01", "2024-07-01")),
        ("Nine-month results 2023", ("9M 2023", "2023-01-01", "2023-10-01")),
        ("Half-year report 2024", ("H1 2024", "2024-01-01", "2024-07-01")),
        ("Financial statements as at 31 March 2024", ("FY2024", "2023-04-01", "2024-04-01")),
    ],
)
def test_reports_in_european_languages_and_of_parts_of_years(title: str, expected: tuple[str, str, str]) -> None:
    for text in (title, f"Vale AG\n\n{title}\n\nVale AG"):
        language = "de" if title.startswith("Halbjahr") else "und"
        found = with_times(replace(document(text), language=language)).attributes
        assert (found.reported_name, str(found.reported_start), str(found.reported_end)) == expected
        assert find_file_period(found, "report.pdf", None, None) is not None


@pytest.mark.parametrize("name", ["Vale_half-year_report_2024.pdf", "Vale Halbjahresbericht 2024.pdf"])
def test_a_half_year_in_a_file_s_name(name: str) -> None:
    found = find_period_in_name(name, make_calendar_from_month(10))
    assert found is not None
    assert (found.name, str(found.start), str(found.end)) == ("H1 2024", "2023-10-01", "2024-04-01")


@pytest.mark.parametrize(
    "title",
    [
        "Review, 31 March 2024",
        "Report of 1 April 0001",
        "Results by March 2024",
        "Halbjahresbericht",
        "Report to 1/1/1",
    ],
)
def test_a_day_in_a_title_is_no_period_by_itself(title: str) -> None:
    assert read(title) is None


@pytest.mark.parametrize("owner", ["the Company’s", "our", "its", "the"])
@pytest.mark.parametrize(
    ("form", "name"), [("Annual Report on Form 10-K", "FY2023"), ("annual report on form 10-k/a", "FY2023")]
)
def test_the_period_of_a_report_that_is_referred_to_comes_last(owner: str, form: str, name: str) -> None:
    text = f"Vale Inc.\n\nForm 10-K\n\nSee Item 7 of {owner} {form} for the fiscal year ended June 30, 2022."
    found = read(text, 7, title="Vale Inc. 10-K FY2023")
    assert found == (name, "2022-07-01", "2023-07-01")
    assert read(text, 7) == ("FY2022", "2021-07-01", "2022-07-01")
