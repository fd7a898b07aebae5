"""Fiscal calendars: what a text says of its company's years, and which days follow from it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.temporal.fiscal_inference import infer_document_calendar, infer_text_calendar
from tasks.temporal.tagger import tag
from tests.tasks.documents import Draft
from warehouse.records import Calendar, Mention, Modifier
from warehouse.records.calendars import FiscalCalendar, Weeks, add_months

ANCHOR = date(2023, 8, 25)


def year(text: str, number: int, language: str = "en") -> tuple[str, str]:
    """The first and last day of a fiscal year by the calendar that a text speaks of."""
    calendar = infer_text_calendar(text, language)
    assert calendar is not None
    start, end = calendar.find_months(number, 1, 12)
    return start.isoformat(), (end - timedelta(days=1)).isoformat()


def only(text: str, calendar: FiscalCalendar | None) -> Mention:
    (found,) = tag(text, ANCHOR, "en", fiscal=calendar)
    return found


@pytest.mark.parametrize(
    ("text", "number", "first", "last"),
    [
        ("For the fiscal year ended September 30, 2023", 2023, "2022-10-01", "2023-09-30"),
        ("FOR THE FISCAL YEAR ENDED JUNE 30, 2022", 2024, "2023-07-01", "2024-06-30"),
        ("Our fiscal year ends on the Friday closest to November 30.", 2021, "2020-11-28", "2021-12-03"),
        ("a 52-week fiscal year that ends on the last Saturday of September", 2022, "2021-09-26", "2022-09-24"),
        ("our fiscal year is the 52 weeks ending on the Saturday nearest January 31", 2024, "2023-01-29", "2024-02-03"),
        ("The Company's fiscal year-end is February 28.", 2024, "2023-03-01", "2024-02-29"),
        ("the financial year ended April 5, 2023", 2024, "2023-04-06", "2024-04-05"),
        ("nine months ended March 31, 2023", 2023, "2022-07-01", "2023-06-30"),
        ("second quarter of fiscal 2024 (thirteen weeks ended July 29, 2023)", 2024, "2023-01-29", "2024-02-03"),
        ("the first quarter of fiscal 2023 ended on December 31, 2022", 2023, "2022-10-01", "2023-09-30"),
    ],
)
def test_a_text_says_when_its_years_end(text: str, number: int, first: str, last: str) -> None:
    assert year(text, number) == (first, last)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("公司的财年于每年9月30日结束。", "2023-09-30"),
        ("截至2023年3月31日止財政年度", "2023-03-31"),
        ("财政年度由4月1日至次年3月31日", "2023-03-31"),
        ("2023财年（截至二〇二三年三月三十一日）", "2023-03-31"),
        ("截至2022年9月30日止六个月", "2023-03-31"),
    ],
)
def test_chinese_says_it_too(text: str, last: str) -> None:
    assert year(text, 2023, "zh")[1] == last


@pytest.mark.parametrize(
    "text",
    [
        "",
        "FY24 sales of €12m",
        "₹ 12 crore in 2024",
        "in the 12 months ended June 30, 2023 prices rose",
        "the quarter ended June 30, 2023",
        "at year end in June",
    ],
)
def test_without_enough_evidence_nothing_is_learned(text: str) -> None:
    assert infer_text_calendar(text, "en") is None


@pytest.mark.parametrize(
    "text",
    [
        "for the fiscal year ended 9/30/2023",
        "for the fiscal year ended 9/30/23",
        "for the fiscal year ended 2023-09-30",
        "for the fiscal year ended 30.09.2023",
        "for the fiscal year ended 30/09/2023",
        "Fiscal year end: 09/30",
        "Our fiscal year ends on 9/30.",
        "Acme Reports Fourth Quarter Fiscal 2023 Results\nThree Months Ended\n9/30/2023   9/30/2022\nNet sales",
    ],
)
def test_the_last_day_may_be_written_in_numbers(text: str) -> None:
    found = infer_text_calendar(text, "en")
    assert found
    assert found.last_month == 9


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("Results Q3 FY25 (₹ crore)", 3),
        ("FY2024 sales of Rs. 412 crore, Rs 98 lakhs of tax", 3),
        ("Our financial year ends on 31 December. FY24 sales were ₹ 12 crore.", 12),
    ],
)
def test_fiscal_years_end_in_march_where_amounts_are_in_crore(text: str, month: int) -> None:
    calendar = infer_text_calendar(text, "en")
    assert calendar is not None
    assert calendar.last_month == month


def test_the_surest_evidence_wins() -> None:
    text = "Twelve months ended March 31, 2022. " * 3 + "Our fiscal year ends on June 30."
    assert year(text, 2022) == ("2021-07-01", "2022-06-30")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Fiscal 2022 ended January 28, 2023.", 2022),
        ("For the 52 weeks ended January 28, 2023 (“fiscal 2022”)", 2022),
        ("Fiscal year 2022 represented the 52 weeks ended January 28, 2023.", 2022),
        ("Fiscal 2022 consisted of 52 weeks ended January 28, 2023.", 2022),
        ("fiscal 2023 ended January 28, 2023", 2023),
        ("fiscal 2022 ended January 1, 2023", 2022),
    ],
)
def test_a_year_is_named_as_its_company_does(text: str, number: int) -> None:
    calendar = infer_text_calendar(text, "en")
    assert calendar is not None
    found = only("FY22" if number == 2022 else "FY23", calendar)
    assert found.end_date in (date(2023, 1, 29), date(2023, 1, 2))


def test_quarters_of_twelve_weeks_leave_the_last_the_rest() -> None:
    calendar = infer_text_calendar("fiscal year ended December 31, 2022; 12 weeks ended March 25, 2023", "en")
    assert calendar is not None
    quarters = [calendar.find_months(2023, first, 3)[0].isoformat() for first in (1, 4, 7, 10)]
    assert quarters == ["2023-01-01", "2023-03-26", "2023-06-18", "2023-09-10"]


def test_the_weeks_of_a_first_quarter_tell_where_the_year_before_ended() -> None:
    calendar = infer_text_calendar("fiscal year ended December 31, 2022; 12 weeks ended March 19, 2022", "en")
    found = only("The 12 weeks ended March 19, 2022 were good.", calendar)
    assert (found.value, found.start_date, found.end_date) == ("FY2022-Q1", date(2021, 12, 26), date(2022, 3, 20))
    assert only("The year ended December 31, 2022 was good.", calendar).start_date == date(2021, 12, 26)


def test_a_mention_says_which_calendar_it_was_read_with_and_keeps_the_other() -> None:
    september = infer_text_calendar("fiscal year ended September 30, 2023", "en")
    found = only("Revenue grew in Q1 2023.", september)
    assert (found.start_date, found.end_date) == (date(2022, 10, 1), date(2023, 1, 1))
    assert (found.other_start, found.other_end) == (date(2023, 1, 1), date(2023, 4, 1))
    assert (found.calendar, found.basis) == (Calendar.FISCAL, "fiscal year ended September 30, 2023")


def test_a_year_without_the_word_is_the_calendars_with_the_company_s_beside() -> None:
    september = infer_text_calendar("fiscal year ended September 30, 2023", "en")
    found = only("Revenue grew in 2023.", september)
    assert (found.start_date, found.calendar) == (date(2023, 1, 1), Calendar.GREGORIAN)
    assert (found.other_start, found.other_end) == (date(2022, 10, 1), date(2023, 10, 1))


def test_the_last_quarter_of_a_company_is_its_own() -> None:
    retailer = infer_text_calendar("Our fiscal year ends on the Saturday nearest January 31.", "en")
    found = only("Sales rose last quarter.", retailer)
    assert (found.start_date, found.end_date) == (date(2023, 4, 30), date(2023, 7, 30))


def test_the_settings_decide_and_the_text_refines() -> None:
    text = Draft().paragraph("52 weeks ended January 28, 2023").document()
    assert infer_document_calendar(text, "01-31") == infer_document_calendar(text)
    declared = infer_document_calendar(text, "09-30")
    assert declared is not None
    assert declared.find_months(2023, 1, 12) == (date(2022, 10, 1), date(2023, 10, 1))
    assert "settings" in declared.basis
    assert infer_document_calendar(Draft().paragraph("no year").document()) is None


calendars = st.builds(
    FiscalCalendar,
    st.integers(1, 12),
    st.just(""),
    st.sampled_from([31, 5, 15]),
    st.none() | st.builds(Weeks, st.integers(0, 6), st.booleans(), st.sampled_from([(13, 26, 39), (12, 24, 36)])),
    st.booleans(),
)


@given(calendar=calendars, number=st.integers(1900, 2200), months=st.sampled_from([1, 3, 6]))
def test_parts_tile_the_year(calendar: FiscalCalendar, number: int, months: int) -> None:
    parts = [calendar.find_months(number, first, months) for first in range(1, 13, months)]
    assert all(start < end for start, end in parts)
    assert [start for start, _ in parts[1:]] == [end for _, end in parts[:-1]]
    assert (parts[0][0], parts[-1][1]) == calendar.find_months(number, 1, 12)
    assert calendar.find_months(number, 1, 12)[1] == calendar.find_months(number + 1, 1, 12)[0]


@given(calendar=calendars, day=st.dates(date(1900, 1, 1), date(2200, 1, 1)))
def test_every_day_is_in_the_quarter_that_is_said(calendar: FiscalCalendar, day: date) -> None:
    start, end = calendar.find_months(calendar.find_year(day), calendar.find_quarter(day) * 3 - 2, 3)
    assert start <= day < end


@given(text=st.text(st.sampled_from("fiscal year ended on the 2023 January 31, 3/weks .quartof")))
def test_learning_never_fails(text: str) -> None:
    infer_text_calendar(text, "und")


WEEKS_TO_JANUARY = FiscalCalendar(1, "Saturday nearest January 31", weeks=Weeks(5), named_by_start=True)


@pytest.mark.parametrize(
    ("words", "calendar", "first", "last"),
    [
        ("last fiscal month", FiscalCalendar(1, "by months"), "2023-07-01", "2023-07-31"),
        ("last fiscal month", WEEKS_TO_JANUARY, "2023-06-25", "2023-07-29"),
        ("this fiscal week", WEEKS_TO_JANUARY, "2023-08-20", "2023-08-26"),
        ("this fiscal day", WEEKS_TO_JANUARY, "2023-08-25", "2023-08-25"),
        ("this fiscal decade", WEEKS_TO_JANUARY, "2020-01-01", "2029-12-31"),
    ],
)
def test_fiscal_units_of_every_size_follow_the_calendar(
    words: str, calendar: FiscalCalendar, first: str, last: str
) -> None:
    found = only(f"Sales of the {words} rose.", calendar)
    assert found.start_date
    assert found.end_date
    assert (found.start_date.isoformat(), (found.end_date - timedelta(days=1)).isoformat()) == (first, last)


@pytest.mark.parametrize(
    ("words", "calendar"),
    [("last fiscal month", None), ("this fiscal week", None), ("this fiscal week", FiscalCalendar(1, "by months"))],
)
def test_months_and_weeks_of_an_unknown_calendar_have_no_date(words: str, calendar: FiscalCalendar | None) -> None:
    found = only(f"Sales of the {words} rose.", calendar)
    assert (found.start_date, found.calendar) == (None, Calendar.FISCAL)


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("Fiscal Year 23 results", ["FY2023"]),
        ("fiscal '23 results", ["FY2023"]),
        ("in fiscal 23", ["FY2023"]),
        ("FY'23", ["FY2023"]),
        ("fiscal years 22 and 23", ["FY2022", "FY2023"]),
        ("FY21, 22 and 23", ["FY2021", "FY2022", "FY2023"]),
        ("fiscal year '22/'23", ["FY2023"]),
        ("fourth quarter of fiscal 23", ["FY2023-Q4"]),
        ("the fourth quarter '23", ["2023-Q4"]),
        ("in fiscal 52-week years", ["P52W"]),
        ("fiscal 23 percent", []),
        ("5 and 23 of them", []),
    ],
)
def test_fiscal_years_of_two_digits(words: str, values: list[str]) -> None:
    assert [found.value for found in tag(words, ANCHOR, "en")] == values


def test_a_week_more_in_a_first_quarter_moves_no_other() -> None:
    text = (
        "Our fiscal year is the 52- or 53-week period that ends on the last Saturday of September. "
        "Results for the third quarter of fiscal 2023, ended July 1, 2023."
    )
    calendar = infer_text_calendar(text, "en")
    assert calendar is not None
    quarters = [calendar.find_months(2023, first, 3)[0].isoformat() for first in (1, 4, 7, 10)]
    assert quarters == ["2022-09-25", "2023-01-01", "2023-04-02", "2023-07-02"]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("calendar Q2 2023", "2023-04-01", "2023-06-30"),
        ("the calendar second quarter of 2023", "2023-04-01", "2023-06-30"),
        ("calendar H2 2023", "2023-07-01", "2023-12-31"),
        ("calendar year 2023", "2023-01-01", "2023-12-31"),
    ],
)
def test_a_period_of_the_calendar_has_no_other_reading(text: str, first: str, last: str) -> None:
    found = only(text, infer_text_calendar("fiscal year ended September 30, 2023", "en"))
    assert found.start_date is not None
    assert found.end_date is not None
    assert (found.start_date.isoformat(), (found.end_date - timedelta(days=1)).isoformat()) == (first, last)
    assert found.other_start is None


@pytest.mark.parametrize("whole", ["2022", "Q2 2022", "H1 2022", "fiscal 2022", "fiscal Q3 2022"])
@pytest.mark.parametrize(
    "part", ["early {}", "mid {}", "the end of {}", "since {}", "after {}", "before {}", "until {}"]
)
def test_a_part_or_a_bound_is_taken_of_both_readings(whole: str, part: str) -> None:
    november = infer_text_calendar("fiscal year ended November 30, 2023", "en")
    plain, found = only(f"Sales in {whole} rose.", november), only(f"Sales {part.format(whole)} rose.", november)
    for side, bounds in (
        ((plain.start_date, plain.end_date), (found.start_date, found.end_date)),
        ((plain.other_start, plain.other_end), (found.other_start, found.other_end)),
    ):
        first, last = side
        assert first
        assert last
        open_sides = {"since": (first, None), "after": (last, None), "before": (None, first), "until": (None, last)}
        expected = open_sides.get(part.split()[0])
        if expected:
            assert bounds == expected
        else:
            assert bounds[0]
            assert bounds[1]
            assert first <= bounds[0] < bounds[1] <= last
            assert 2 * (bounds[1] - bounds[0]) < last - first


@pytest.mark.parametrize(
    "words",
    ["fiscal Q3 2022", "FY Q3 2022", "fiscal 3Q22", "fiscal Q3'22", "fiscal third quarter 2022", "Q3 fiscal 2022"],
)
def test_fiscal_may_stand_before_the_quarter(words: str) -> None:
    (found,) = tag(f"Sales rose since {words}.", date(2023, 8, 1), "en")
    assert (found.text.removeprefix("since ").strip(), found.value) == (words, "FY2022-Q3")
    assert found.modifier is Modifier.ON_OR_AFTER


@pytest.mark.parametrize("last_month", [1, 3, 6, 9])
@pytest.mark.parametrize("named_by_start", [False, True])
@pytest.mark.parametrize("words", ["2023/24", "2023-24", "the year 2023/24"])
def test_a_year_named_by_both_of_its_years_is_the_company_s(words: str, last_month: int, named_by_start: bool) -> None:
    calendar = FiscalCalendar(last_month, "learned", named_by_start=named_by_start)
    found = only(f"Sales of {words} rose.", calendar)
    assert found.end_date == add_months(date(2024, last_month, 1), 1)
    assert found.start_date == add_months(date(2023, last_month, 1), 1)


def test_a_season_and_years_that_end_with_december_stay() -> None:
    assert only("Goals of the season 2023/24.", FiscalCalendar(3, "learned")).start_date == date(2023, 8, 1)
    assert only("Sales of 2023/24 rose.", FiscalCalendar(12, "learned")).end_date == date(2025, 1, 1)


@pytest.mark.parametrize(
    ("text", "language", "month"),
    [
        ("Das Geschäftsjahr umfasst den Zeitraum vom 1. Oktober 2023 bis 30. September 2024.", "de", 9),
        ("Jahresabschluss. Geschäftsjahr zum 30. September 2024.", "de", 9),
        ("Das Geschäftsjahr endet am 30. Juni eines jeden Jahres.", "de", 6),
        ("Exercice clos le 30 juin 2024", "fr", 6),
        ("L'exercice social commence le 1er avril et se termine le 31 mars.", "fr", 3),
        ("L'exercice 2024/25 se clôture le 31 juillet 2025.", "fr", 7),
        ("Cuentas del ejercicio terminado el 31 de marzo de 2024.", "es", 3),
        ("El ejercicio social cierra el 31 de marzo de cada año.", "es", 3),
        ("Bilancio dell'esercizio chiuso al 30 giugno 2024", "it", 6),
        ("exercício findo em 30 de junho de 2024", "pt", 6),
        ("over het boekjaar eindigend op 30 juni 2024", "nl", 6),
        ("Our financial year runs from April to March.", "en", 3),
    ],
)
def test_texts_of_each_language_say_when_fiscal_years_end(text: str, language: str, month: int) -> None:
    calendar = infer_text_calendar(text, language)
    assert calendar is not None
    assert calendar.last_month == month


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Im Geschäftsjahr 2023/24 stieg der Umsatz.", "de"),
        ("Das Geschäftsjahr begann am 1. Oktober.", "de"),
        ("im dritten Quartal des Geschäftsjahres, endend am 30. Juni 2024", "de"),
        ("Au cours de l'exercice, le 3 mai 2024, la société a ouvert deux magasins.", "fr"),
        ("The financial year saw sales rise from April to June.", "en"),
    ],
)
def test_other_days_of_fiscal_years_say_nothing_of_their_end(text: str, language: str) -> None:
    assert infer_text_calendar(text, language) is None
