"""Days without a year in texts that say at their head which month, quarter or year they are of."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.tables.cells import read_cells
from tasks.temporal.document import find_mentions, with_times
from tasks.temporal.reported_periods import find_own_period
from warehouse.records import DateClaim, DateOrigin, Document

FILE_DATE = date(2026, 9, 1)
MAY = (date(2023, 5, 1), date(2023, 6, 1))


def make_text(*lines: str) -> Document:
    return with_times(read(Raw("a.txt", "\n".join(lines).encode())))


def find_day(document: Document, words: str, anchor: date | None = None) -> str:
    """The first day of an expression; of files that say when they were made, where there is an anchor."""
    found = {each.text: each.start_date for each in find_mentions(document, anchor)}
    return str(found[words])


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        ("Statement for May 2023", "The rent was paid in cash."),
        ("Newsletter, May 2023", "We have opened the new hall."),
        ("Period: May 2023", "The crane was mended and it is fit."),
        ("Statement period: 1 May 2023 to 31 May 2023", "The rent was paid in cash."),
        ("Statement from 1 May 2023 to 31 May 2023", "The rent was paid in cash."),
        ("Auszug vom 1. Mai 2023 bis 31. Mai 2023", "Die Miete wurde am Anfang des Monats bezahlt."),
        ("Kontoauszug Mai 2023", "Die Miete wurde am Anfang des Monats bezahlt."),
        ("Zeitraum: 01.05.2023 bis 31.05.2023", "Die Miete wurde am Anfang des Monats bezahlt."),
        ("Relevé de compte, mai 2023", "Le loyer a été payé au début du mois par la banque."),
        ("Extracto de mayo de 2023", "El alquiler se pagó a principios del mes por el banco."),
        ("Extrato de maio de 2023", "O aluguel foi pago no início do mês pelo banco."),
        ("Estratto conto maggio 2023", "La pigione è stata pagata all'inizio del mese dalla banca."),
    ],
)
def test_a_line_at_the_head_says_of_which_month_a_text_is(head: str, sentence: str) -> None:
    assert find_own_period(make_text(head, "", sentence)) == MAY


@pytest.mark.parametrize(
    "head",
    [
        "Valid until May 2025",
        "The crane was inspected in May 2022.",
        "Copyright 2021 Harbour Ltd",
        "April 2023 and May 2023",
        "Minutes of 31 May 2023",
        "Next review: June 2024",
        "| May 2023 | 120 |",
        "Model 2019",
        "From 1990 to 2020",
    ],
)
def test_other_times_at_the_head_are_no_period_of_the_text(head: str) -> None:
    assert find_own_period(make_text(head, "", "Work began on 15 May.")) is None


@pytest.mark.parametrize(
    ("sentence", "words", "day"),
    [
        ("The crane was inspected on 15 May.", "15 May", "2023-05-15"),
        ("15 May  Rent", "15 May", "2023-05-15"),
        ("We will meet on 20 May.", "20 May", "2023-05-20"),
        ("Work begins on 5 June.", "5 June", "2023-06-05"),
        ("The last inspection was on 12 April.", "12 April", "2023-04-12"),
        ("The books were closed on 20 December.", "20 December", "2022-12-20"),
    ],
)
@pytest.mark.parametrize("anchor", [None, FILE_DATE])
def test_a_day_without_a_year_is_of_the_period(sentence: str, words: str, day: str, anchor: date | None) -> None:
    document = make_text("Works report, May 2023", "", sentence)
    if anchor:
        document = replace(document, dates=(DateClaim(anchor, DateOrigin.PROPERTIES),))
    assert find_day(document, words, anchor) == day


@pytest.mark.parametrize(("words", "day"), [("15 May", "2022-05-15"), ("12 September", "2021-09-12")])
def test_what_was_done_in_a_fiscal_year_lies_in_it(words: str, day: str) -> None:
    document = make_text("Annual report for the fiscal year ended June 30, 2022", "", f"We opened the hall on {words}.")
    assert find_day(document, words) == day


def test_what_a_yearly_report_announces_lies_behind_it() -> None:
    document = make_text("Annual report for the fiscal year ended June 30, 2022", "", "We will pay it on 12 August.")
    assert find_day(document, "12 August") == "2022-08-12"


def test_a_text_given_out_later_keeps_its_days_in_the_month_that_it_is_of() -> None:
    document = make_text("Statement for May 2023", "", "Rent was paid on 15 May.", "It closes on 3 February.")
    assert find_day(document, "15 May", date(2024, 2, 1)) == "2023-05-15"
    assert find_day(document, "3 February", date(2024, 2, 1)) == "2024-02-03"


def test_a_dated_text_without_a_period_counts_from_its_date() -> None:
    assert find_day(make_text("Notes", "", "Rent was paid on 15 May."), "15 May", date(2024, 6, 1)) == "2024-05-15"


def test_a_text_without_date_and_period_leaves_the_year_open() -> None:
    assert find_day(make_text("Notes", "", "Call the dentist on 15 May."), "15 May") == "None"


@pytest.mark.parametrize(
    ("head", "start"),
    [("Statement for May 2023\n\n", "2023-05-15"), ("Hours, May 2022\n\n", "2022-05-15"), ("", "None")],
)
def test_rows_of_days_are_of_the_period(head: str, start: str) -> None:
    text = head + "| Day | Item | Paid |\n|---|---|---|\n| 15 May | Rent | 820 |\n| 28 May | Light | 61 |\n"
    cells = read_cells(with_times(read(Raw("a.md", text.encode()))), ())
    assert [str(cell.period_start) for cell in cells if cell.text == "820"] == [start]
