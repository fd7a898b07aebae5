"""The transformation registries: what a page prints, by each kind of format, and what is refused."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.xbrl.transformations import UnknownFormat, transform_value


def value_of(name: str, text: str) -> str | type[Exception]:
    """The value, or which error there is."""
    try:
        return transform_value(name, text)
    except UnknownFormat:
        return UnknownFormat
    except (ValueError, OverflowError):
        return ValueError


READ = [
    ("num-dot-decimal", "1,234.50", "1234.50"),
    ("numcommadot", "1,234", "1234"),
    ("numspacedot", "1 234.5", "1234.5"),
    ("num-comma-decimal", "1.234.567,89", "1234567.89"),
    ("numdotcomma", "1.234", "1234"),
    ("numcomma", "1234,5", "1234.5"),
    ("num-dot-decimal-apos", "1'234'567.8", "1234567.8"),
    ("num-dot-decimal", "１２３", "123"),
    ("numdotdecimalin", "12,34,567.8", "1234567.8"),
    ("num-unit-decimal", "5 dollars 20 cents", "5.20"),
    ("zerodash", "—", "0"),
    ("numdash", "-", "0"),
    ("fixed-zero", "no", "0"),
    ("fixed-empty", "anything", ""),
    ("nocontent", "anything", ""),
    ("fixed-true", "—", "true"),
    ("booleanfalse", "No", "false"),
    ("numwordsen", "twenty-three thousand four hundred and five", "23405"),
    ("numwordsen", "A hundred", "100"),
    ("numwordsen", "None", "0"),
    ("date-monthname-day-year-en", "March 29, 2025", "2025-03-29"),
    ("datemonthdayyearen", "Mar. 29 2025", "2025-03-29"),
    ("datelonguk", "31 July 2022", "2022-07-31"),
    ("datelongus", "January 02, 2005", "2005-01-02"),
    ("dateslashus", "12/31/24", "2024-12-31"),
    ("dateslasheu", "31/12/2024", "2024-12-31"),
    ("date-day-month-year", "31.12.2023", "2023-12-31"),
    ("datedaymonthyeardk", "2. maj 2014", "2014-05-02"),
    ("date-day-monthname-year-de", "31. Dezember 2023", "2023-12-31"),
    ("date-day-monthname-year-de", "1. Jänner 2023", "2023-01-01"),
    ("date-day-monthname-year-fr", "1er août 2023", "2023-08-01"),
    ("date-day-monthname-year-cs", "30. července 2023", "2023-07-30"),
    ("date-day-monthname-year-pl", "31 października 2023", "2023-10-31"),
    ("date-day-monthname-year-el", "31 Δεκεμβρίου 2023", "2023-12-31"),
    ("date-day-monthname-year-hi", "11 जुलाई 2023", "2023-07-11"),
    ("date-year-day-monthname-lv", "2023. gada 31. decembris", "2023-12-31"),
    ("date-day-monthroman-year", "1.XII.2020", "2020-12-01"),
    ("date-year-month-day", "2023年12月31日", "2023-12-31"),
    ("dateyearmonthdaycjk", "2023年12月31日", "2023-12-31"),
    ("date-jpn-era-year-month-day", "令和6年3月31日", "2024-03-31"),
    ("dateerayearmonthjp", "平成元年3月", "1989-03"),
    ("date-monthname-day-en", "September 27", "--09-27"),
    ("date-month-year", "12/2024", "2024-12"),
    ("dateyearmonthen", "2024 June", "2024-06"),
    ("durwordsen", "two years and six months", "P2Y6M"),
    ("durwordsen", "Thirty days", "P30D"),
    ("duryear", "2.5", "P2Y6M"),
    ("durmonth", "18", "P18M"),
    ("durweek", "3", "P21D"),
    ("durday", "thirty", "P30D"),
    ("durhour", "4", "PT4H"),
    ("datequarterend", "second quarter of 2024", "2024-06-30"),
    ("boolballotbox", "☒", "true"),
    ("yesnoballotbox", "☐ No", "No"),
    ("exchnameen", "The Nasdaq Stock Market LLC", "The Nasdaq Stock Market LLC"),
]


@pytest.mark.parametrize(("name", "text", "value"), READ)
def test_what_a_format_means(name: str, text: str, value: str) -> None:
    assert transform_value(name, text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("num-dot-decimal", "—"),
        ("num-dot-decimal", "1.2.3"),
        ("num-dot-decimal", ""),
        ("numwordsen", "many"),
        ("date-monthname-day-year-en", "March 32, 2025"),
        ("date-monthname-day-year-en", "Frimaire 2, 2025"),
        ("date-day-month", "31.02"),
        ("date-day-month-year", "31.12"),
        ("boolballotbox", ""),
        ("boolballotbox", "?"),
        ("num-unit-decimal", "5"),
        ("durwordsen", "a while"),
        ("date-jpn-era-year-month", "元年"),
        ("datequarterend", "2024"),
    ],
)
def test_what_is_not_written_as_its_format_says(name: str, text: str) -> None:
    assert value_of(name, text) is ValueError


@pytest.mark.parametrize("name", ["num-roman", "date-day-monthname-year-xx", "date", ""])
def test_a_format_that_no_registry_has(name: str) -> None:
    assert value_of(name, "1") is UnknownFormat


@given(
    st.dates(date(2000, 1, 1), date(2099, 12, 31)),
    st.sampled_from(["{d}/{m}/{y}", "{d:02}.{m:02}.{y}", "{d} - {m} - {y}"]),
)
def test_any_day_is_read_back(day: date, form: str) -> None:
    text = form.format(d=day.day, m=day.month, y=day.year)
    assert transform_value("date-day-month-year", text) == day.isoformat()
    assert transform_value("date-monthname-day-year-en", f"{day:%B} {day.day}, {day.year}") == day.isoformat()


@given(st.sampled_from(sorted({name for name, _, _ in READ})), st.text(max_size=40))
def test_whatever_the_text_there_is_a_value_or_a_value_error(name: str, text: str) -> None:
    assert value_of(name, text) is ValueError or isinstance(value_of(name, text), str)
