"""Mentions in the tables of a document, and the intervals behind them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.assembly import Assembly
from tasks.temporal.document import find_mentions, with_times
from tasks.temporal.readings import (
    MentionFields,
    make_half,
    make_month,
    make_months_until,
    make_quarter,
    make_week,
    make_year,
)
from tests.examples import examples
from tests.tasks.documents import Draft, documents
from warehouse.records import Document, Kind, Merge
from warehouse.records.calendars import Interval, add_months


def test_equal_values_are_told_apart_by_position() -> None:
    rows = [["Item", "Date", "End Date"], ["Loan | a", "2023-01-01", "2023-01-01"]]
    found = find_mentions(Draft().paragraph("In 2021.").table(rows).document(), None)
    assert [(m.text, m.table, m.row_header, m.column_header) for m in found] == [
        ("2021", None, "", ""),
        ("2023-01-01", 1, "Loan | a", "Date"),
        ("2023-01-01", 1, "Loan | a", "End Date"),
    ]


def test_one_date_settles_the_order_of_all() -> None:
    for text, days in (("on 1/3/2019 and 30/6/2020", "03-01"), ("on 1/3/2019 and 6/30/2020", "01-03")):
        document = with_times(Draft().paragraph(text).document())
        assert str(find_mentions(document, None)[0].start_date)[5:] == days


@pytest.mark.parametrize("kind", list(Kind))
def test_weeks_of_trials_and_courses_are_none_of_the_calendar(kind: Kind) -> None:
    document = replace(Draft().paragraph("The dose was raised at week 24, in week 3 of 2019.").document(), kind=kind)
    found = [mention.text for mention in find_mentions(document, date(2020, 5, 1))]
    assert found == [*(["week 24"] if kind not in (Kind.PAPER, Kind.COURSE) else []), "week 3 of 2019"]


def test_weeks_of_a_trial_are_none_of_the_calendar_in_any_file() -> None:
    text = "Participants were randomised to placebo. At week 26 the change from baseline was small."
    assert find_mentions(Draft().paragraph(text).document(), date(2020, 5, 1)) == ()


def test_numbers_of_invoices_are_no_days_of_the_year() -> None:
    for text in ("Facture 2023-118", "Order no. 2024-031 of the shop", "see invoice 2023-064."):
        assert find_mentions(Draft().paragraph(text).document(), None) == (), text


def test_a_rate_is_no_day_of_april() -> None:
    for text in ("APR 21.99% (v)", "Apr 4.5 points", "Mar 3.5 mm of rain"):
        assert find_mentions(Draft().paragraph(text).document(), date(2024, 5, 1)) == (), text
    assert [each.value for each in find_mentions(Draft().paragraph("Apr 21. Then").document(), date(2024, 5, 1))]


@pytest.mark.parametrize("born", ["(b. 03/11/1949)", "Mrs K., b. 03/11/1949", "DOB: 03/11/1949"])
def test_a_day_of_birth_dates_no_document(born: str) -> None:
    document = with_times(Draft().paragraph(f"LIST OF DRUGS - {born}\nReviewed: 22 March 2024.").document())
    assert [claim.date for claim in document.dates] == [date(2024, 3, 22)]


def test_headers_have_a_column_and_first_columns_no_row_header() -> None:
    found = find_mentions(Draft().table([["Quarter", "FY2022"], ["Q1 2023", "5"]]).document(), None)
    assert [(m.text, m.row_header, m.column_header) for m in found] == [
        ("FY2022", "", "FY2022"),
        ("Q1 2023", "", "Quarter"),
    ]


def test_separator_lines_and_markers_hold_no_mentions() -> None:
    document = Draft().table([["Year", "Sum"], ["a", "b"]]).document()
    broken = document.text.replace("---", "2023")
    spans = tuple(
        (start + 2 * (index > 0), end + 2 * (index > 0))
        for index, (start, end) in enumerate(document.tables[0].row_spans)
    )
    table = replace(document.tables[0], row_spans=spans, end=document.tables[0].end + 2)
    assert "2023" in broken
    assert find_mentions(replace(document, text=broken, tables=(table,)), None) == ()


def test_nothing_runs_from_cell_to_cell() -> None:
    found = find_mentions(Draft().table([["March", "2023"], ["a", "b"]]).document(), None)
    assert [mention.text for mention in found] == ["2023"]


def test_a_merged_header_heads_all_its_columns() -> None:
    assembly = Assembly()
    rows = [["Loan", "Due", ""], ["", "first", "last"], ["A", "2023-01-01", "2024-01-01"]]
    assembly.add_table(rows, header_rows=2, merges=[Merge(0, 1, 1, 2), Merge(0, 0, 2, 1)])
    found = find_mentions(assembly.finish(Kind.REPORT, "text/html"), None)
    assert [(m.text, m.row_header, m.column_header) for m in found] == [
        ("2023-01-01", "A", "Due / first"),
        ("2024-01-01", "A", "Due / last"),
    ]


def test_numeric_dates_are_read_in_the_order_of_the_file() -> None:
    document = Draft().paragraph("Paid on 03/04/2023.").document()
    ordered = replace(document, attributes=replace(document.attributes, day_order="day first"))
    days = [find_mentions(each, None)[0].start_date for each in (document, ordered)]
    assert days == [date(2023, 3, 4), date(2023, 4, 3)]


def test_fiscal_periods_are_read_by_the_documents_own_year_or_the_one_declared() -> None:
    document = Draft().paragraph("fiscal year ended June 30, 2023").table([["", "Q1 2023"], ["Sales", "5"]]).document()
    (own,) = (m for m in find_mentions(document, None) if m.table)
    (declared,) = (m for m in find_mentions(document, None, "09-30") if m.table)
    assert (own.start_date, declared.start_date) == (date(2022, 7, 1), date(2022, 10, 1))


def closed(reading: MentionFields) -> Interval:
    assert reading.bounds is not None
    return reading.bounds


@examples(2)
@given(document=documents())
def test_spans_lie_in_the_document(document: Document) -> None:
    for mention in find_mentions(document, date(2023, 5, 17)):
        assert document.text[mention.start : mention.end] == mention.text
        tables = [table.number for table in document.tables if table.start <= mention.start < table.end]
        assert tables == ([] if mention.table is None else [mention.table])


@given(day=st.dates(date(1900, 1, 1), date(2900, 1, 1)), months=st.integers(-600, 600))
def test_months_keep_their_ends(day: date, months: int) -> None:
    there = add_months(day, months)
    assert (there.year * 12 + there.month) - (day.year * 12 + day.month) == months
    assert there.day == day.day or (
        there.day < day.day and closed(make_month(there.year, there.month))[1].toordinal() - 1 == there.toordinal()
    )


@given(year=st.integers(1, 9990))
def test_units_tile_the_year(year: int) -> None:
    for unit, count in ((make_month, 12), (make_quarter, 4), (make_half, 2)):
        parts = [closed(unit(year, number)) for number in range(1, count + 1)]
        assert (parts[0][0], parts[-1][1]) == make_year(year).bounds
        assert all(before[1] == after[0] for before, after in pairwise(parts))


def test_weeks_and_ends() -> None:
    assert make_week(date(2021, 1, 1)).bounds == (date(2020, 12, 28), date(2021, 1, 4))
    assert make_months_until(date(2024, 2, 29), 12).bounds == (date(2023, 3, 1), date(2024, 3, 1))
    with pytest.raises(OverflowError, match="outside the calendar"):
        add_months(date(9999, 12, 1), 1)


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        (["12,50", "8,00", "1.204,75"], date(2024, 3, 1)),
        (["12.50", "8.00", "1,204.75"], date(2024, 1, 3)),
        (["12,50", "8.00", "3,75"], date(2024, 1, 3)),
        (["1,204", "12,000", "7"], date(2024, 1, 3)),
    ],
    ids=["commas", "points", "both", "thousands"],
)
def test_tables_with_decimal_commas_write_the_day_first(amounts: list[str], expected: date) -> None:
    days = ("01/03/2024", "02/03/2024", "03/03/2024")
    document = with_times(Draft().table([["Data", "Kwota"], *zip(days, amounts, strict=True)]).document())
    assert find_mentions(document, None)[0].start_date == expected


def test_the_first_column_of_a_table_settles_the_order_of_its_days() -> None:
    days = ("01/03/2024", "05/03/2024", "12/03/2024", "02/04/2024")
    document = with_times(Draft().table([["Date", "Item"], *((day, "Fuel") for day in days)]).document())
    assert find_mentions(document, None)[1].start_date == date(2024, 3, 5)


def test_a_month_below_a_table_continues_nothing_that_a_cell_says() -> None:
    draft = Draft(language="zh", kind=Kind.REPORT).heading("华新股份有限公司2024年年度报告")
    draft = draft.table([["项目", "2024年12月31日", "2023年12月31日"], ["总资产", "15", "14"]])
    document = with_times(draft.paragraph("报告期内,公司于3月完成了改造。").document())
    assert [each.value for each in find_mentions(document, None) if each.text == "3月"] == ["2024-03"]


def test_a_narrative_goes_on_after_its_first_day() -> None:
    text = "A man was admitted on 20 November 2022. He was discharged on 3 February and had been well until 12 October."
    document = with_times(Draft().paragraph(text).document())
    found = [each.value for each in find_mentions(document, date(2022, 11, 20))]
    assert found == ["2022-11-20", "2023-02-03", "2022-10-12"]


@pytest.mark.parametrize("turned", [False, True])
def test_years_of_fiscal_columns_and_rows_have_the_days_of_their_cells(*, turned: bool) -> None:
    rows = [["", "2024", "2023"], ["Sales", "71", "72"]]
    rows = [list(row) for row in zip(*rows, strict=True)] if turned else rows
    draft = Draft().heading("Income statement for the year ended 31 March 2024").table(rows)
    found = find_mentions(with_times(draft.heading("Since 2020").document()), None)
    assert [(each.value, str(each.start_date)) for each in found[1:]] == [
        ("FY2024", "2023-04-01"),
        ("FY2023", "2022-04-01"),
        ("2020", "2020-01-01"),
    ]
