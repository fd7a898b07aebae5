"""Days of table rows: a log's passages are of the days of their rows, in every format, and no report's are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.chunkers.chunk_builder import make_chunks
from tasks.chunkers.chunker import CHUNKERS
from tasks.chunkers.packed import StructuralChunker
from tasks.document_date import choose_date, find_date_disputes
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.temporal.document import find_mentions, with_times
from tasks.temporal.row_dates import find_row_dates
from tests.examples import examples
from tests.tasks.documents import Draft
from tests.tasks.table_files import FORMATS
from warehouse.records import Chunk, DateClaim, DateOrigin, Document, Kind, Merge
from warehouse.records.calendars import Interval

DAY = timedelta(days=1)
TODAY = date(2026, 11, 26)
FORMS: Mapping[str, Callable[[date], str]] = {
    "iso": date.isoformat,
    "minute": lambda day: f"{day} 13:45",
    "instant": lambda day: f"{day}T23:59:59.120Z",
    "zone": lambda day: f"{day}T00:10:00+02:00",
    "german": lambda day: f"{day:%d.%m.%Y}",
    "american": lambda day: f"{day:%m/%d/%Y} 1:05 PM",
    "words": lambda day: f"{day.day} {day:%B %Y}",
    "spreadsheet": lambda day: f"{day.day}-{day:%b-%y}",
    "compact": lambda day: f"{day:%Y%m%d}",
    "chinese": lambda day: f"{day.year}年{day.month}月{day.day}日",
}
"""How a cell has its day."""
ORDERS: Mapping[str, Callable[[Sequence[date]], list[date]]] = {
    "rising": sorted,
    "falling": lambda days: sorted(days, reverse=True),
    "mixed": lambda days: [*days[1::2], *days[::2]],
}


def chunks_of(document: Document, claim: DateClaim | None = None, chunker: str = "structural") -> tuple[Chunk, ...]:
    return make_chunks(
        document, document_id="d", title="Prices", source="a", date_claim=claim, mentions=(), entities=(),
        chunker=replace(CHUNKERS[chunker], tokens_of=""),
    )  # fmt: skip


def table(*rows: Sequence[str], header_rows: int = 1) -> Document:
    return Draft().table(rows, header_rows=header_rows).document()


def days_of(document: Document) -> Interval | None:
    return find_row_dates(document).find_days(0, len(document.text))


def listed(form: str, days: Sequence[date]) -> list[tuple[str, ...]]:
    rows = ((f"key{place:04}", FORMS[form](day), "65.81 in the morning") for place, day in enumerate(days))
    return [("Key", "Day", "Close"), *rows]


@examples(0.5)
@given(
    form=st.sampled_from(sorted(FORMS)),
    order=st.sampled_from(sorted(ORDERS)),
    first=st.dates(date(1970, 1, 1), date(2049, 1, 1)),
    steps=st.lists(st.integers(0, 40), min_size=230, max_size=260),
)
@pytest.mark.parametrize("file", sorted(FORMATS))
def test_each_passage_of_a_log_is_of_the_days_of_its_rows(
    file: str, form: str, order: str, first: date, steps: list[int]
) -> None:
    days = ORDERS[order]([first + timedelta(sum(steps[:place]) % 7_000) for place in range(len(steps))])
    document = with_times(FORMATS[file](listed(form, days)))
    chunks = chunks_of(document)
    assert len(chunks) > 3
    for chunk in chunks:
        own = [day for place, day in enumerate(days) if f"key{place:04}" in chunk.text]
        expected = (min(own), max(own) + DAY, DateOrigin.ROWS) if own else (None, None, None)
        assert (chunk.passage_date, chunk.passage_end, chunk.passage_date_origin) == expected
    assert sum(f"key{place:04}" in chunk.text for chunk in chunks for place in range(len(days))) == len(days)
    assert {claim.origin for claim in document.dates} == {DateOrigin.ROWS}
    assert max(claim.date for claim in document.dates) == max(days)


@pytest.mark.parametrize("chunker", [name for name in CHUNKERS if name != "semantic"])  # That one loads a model.
def test_every_chunker_has_the_days_of_its_rows(chunker: str) -> None:
    days = [date(2021, 1, 1) + timedelta(place) for place in range(300)]
    for chunk in chunks_of(FORMATS["csv"](listed("iso", days)), chunker=chunker):
        own = [day for place, day in enumerate(days) if f"key{place:04}" in chunk.text]
        assert (chunk.passage_date, chunk.passage_end) == (own[0], own[-1] + DAY)


@pytest.mark.parametrize(
    ("cells", "days"),
    [
        (["2023-01", "2023-02"], (date(2023, 1, 1), date(2023, 3, 1))),
        (["Jan 2023", "Mar 2023"], (date(2023, 1, 1), date(2023, 4, 1))),
        (["Jan-23", "Dec-98"], (date(1998, 12, 1), date(2023, 2, 1))),
        (["Q2 2023", "Q3 2023", "Q4 2023", "Q1 2024", "Total"], (date(2023, 4, 1), date(2024, 4, 1))),
        (["2024-W05", "2024-W06"], (date(2024, 1, 29), date(2024, 2, 12))),
        (["28.03.24", "27.03.24"], (date(2024, 3, 27), date(2024, 3, 29))),
        (["1.2.24", "1.3.0"], None),
        (["10.04.22", "22.13.01"], None),
        (["2019", "2020"], None),  # Any number of four digits may be one.
        (["12", "13"], None),
        (["2023-01-01", "Total"], None),
        (["", ""], None),
        (["2023-13-01", "2023-14-01"], None),
    ],
)
def test_cells_are_days_weeks_months_and_quarters(cells: list[str], days: Interval | None) -> None:
    assert days_of(table(["When", "Sales"], *([cell, "4"] for cell in cells))) == days


@pytest.mark.parametrize(
    ("header", "rows", "days"),
    [
        (["Year", "Month", "Sales"], [["2023", "5", "1"], ["2023", "6", "2"]], (date(2023, 5, 1), date(2023, 7, 1))),
        (["Jahr", "Monat"], [["2023", "May"], ["2023", "June"]], (date(2023, 5, 1), date(2023, 7, 1))),
        (["A", "Quarter", "Year"], [["9", "Q2", "2023"], ["9", "3", "2023"]], (date(2023, 4, 1), date(2023, 10, 1))),
        (["year", "month", "day"], [["2023", "5", "1"], ["2023", "5", "9"]], (date(2023, 5, 1), date(2023, 5, 10))),
        (["Year", "Sales"], [["2023", "5"], ["2023", "6"]], None),
        (["Month", "Sales"], [["5", "5"], ["6", "6"]], None),
    ],
)  # fmt: skip
def test_columns_of_parts_make_a_day_together(header: list[str], rows: list[list[str]], days: Interval | None) -> None:
    assert days_of(table(header, *rows)) == days


def test_a_cell_over_several_rows_is_the_day_of_each() -> None:
    document = table(["Day", "Ship"], ["2023-05-01", "Heron"], ["", "Kestrel"], ["2023-05-02", "Heron"])
    merged = replace(document.tables[0], merges=(Merge(1, 0, 2),))
    found = find_row_dates(replace(document, tables=(merged,)))
    assert [row.days[0].day for row in found.rows] == [1, 1, 2]


def test_of_several_columns_the_first_in_order_is_that_of_the_rows() -> None:
    rows = [["2023-07-01", "2023-01-05"], ["2023-06-01", "2023-01-06"], ["2023-09-01", "2023-01-09"]]
    assert days_of(table(["Shipped", "Ordered"], *rows)) == (date(2023, 1, 5), date(2023, 1, 10))
    assert days_of(table(["Due", "Paid"], ["2023-01-01", "2023-05-01"], ["2023-01-02", "2023-04-01"])) == (
        date(2023, 4, 1), date(2023, 5, 2),
    )  # fmt: skip


@pytest.mark.parametrize("header", ["Maturity", "born", "Date of birth", "Due date", "Expires", "fällig am", "到期日"])
def test_days_that_rows_only_tell_of_date_nothing(header: str) -> None:
    document = with_times(table(["Bond", header], ["A", "2031-05-01"], ["B", "2029-05-01"]))
    assert days_of(document) is None
    assert document.dates == ()
    assert chunks_of(document)[0].passage_date is None


def test_a_table_in_a_report_and_dates_above_columns_date_nothing() -> None:
    rows = [["Day", "Event"], ["2023-01-01", "a"], ["2023-01-02", "b"]]
    prose = "The board met several times in the year, and the shares did well. " * 3
    assert days_of(Draft().paragraph(prose).table(rows).document()) is None
    assert days_of(Draft().paragraph("Our log.").table(rows).document()) == (date(2023, 1, 1), date(2023, 1, 3))
    statement = [["", "2023-12-31", "2022-12-31"], ["Revenue", "1", "2"], ["Cost", "1", "2"]]
    assert days_of(table(*statement)) is None


@pytest.mark.parametrize("kind", [Kind.PAPER, Kind.COURSE, Kind.BOOK, Kind.MESSAGE])
def test_other_kinds_of_documents_are_no_logs(kind: Kind) -> None:
    document = table(["Day", "Event"], ["2023-01-01", "a"], ["2023-01-02", "b"])
    assert days_of(replace(document, kind=kind)) is None


def test_headings_that_date_entries_come_before_rows() -> None:
    rows = "| Day | Done |\n| --- | --- |\n| 2023-01-01 | a |\n| 2023-01-02 | b |\n"
    diary = read(Raw("a.md", f"## 2024-05-05\n\n{rows}\n## 2024-05-06\n\n{rows}".encode()))
    assert {chunk.passage_date_origin for chunk in chunks_of(diary, chunker="dated")} == {DateOrigin.HEADING}
    front = DateClaim(date(2024, 7, 1), DateOrigin.FRONT_MATTER)
    note = read(Raw("a.md", f"---\ndate: 2024-07-01\n---\n# Log\n\n{rows}".encode()))
    assert [chunk.passage_date for chunk in chunks_of(note, front) if "|" in chunk.text] == [date(2023, 1, 1)]


def test_a_log_is_dated_by_its_last_row_that_has_been() -> None:
    days = [date(2026, 9, 1) + timedelta(place) for place in range(200)]
    claims = with_times(FORMATS["csv"](listed("iso", days))).dates
    assert [claim.date for claim in claims][:2] == [date(2026, 9, 30), date(2026, 10, 31)]
    assert choose_date(claims, "plan.csv", Kind.TEXT, today=TODAY) == DateClaim(date(2026, 10, 31), DateOrigin.ROWS)
    assert choose_date(claims, "plan.csv", Kind.NOTE, today=date(2028, 1, 1)) == claims[-1]
    assert choose_date(claims, "plan.csv", Kind.TEXT, today=date(2026, 1, 1)) == claims[0]


def test_a_day_in_the_name_comes_before_rows_and_a_year_is_told_by_them() -> None:
    claims = with_times(FORMATS["csv"](listed("iso", [date(2023, 5, 1), date(2023, 11, 3)]))).dates
    given = [
        choose_date(claims, name, Kind.TEXT, today=TODAY) for name in ("a_2024-07-01.csv", "a 2023.csv", "a 2021.csv")
    ]
    assert [claim and (claim.date, claim.origin) for claim in given] == [
        (date(2024, 7, 1), DateOrigin.FILE_NAME),
        (date(2023, 11, 3), DateOrigin.ROWS),
        (date(2021, 12, 31), DateOrigin.FILE_NAME),
    ]
    assert find_date_disputes(claims, "a 2010.csv", given[2]) == find_date_disputes((), "a 2010.csv", given[2])


def test_what_stands_above_the_table_may_date_it() -> None:
    document = with_times(
        read(Raw("a.csv", b"Born in May\nGiven on 2024-05-06\nName,Born\nAda,1990-01-01\nBo,1991-01-01\n"))
    )
    assert document.dates == (DateClaim(date(2024, 5, 6), DateOrigin.TEXT),)


def test_rows_in_one_order_alone_are_read_in_it() -> None:
    document = with_times(table(["Day", "Close"], ["03/04/2021", "1"], ["03/25/2021", "2"]))
    assert days_of(document) == (date(2021, 3, 4), date(2021, 3, 26))


def test_a_chunk_outside_the_table_is_undated() -> None:
    days = [date(2021, 1, 1) + timedelta(place) for place in range(300)]
    document = Draft().paragraph("Closing prices.").table([["Day", "Close"], *([f"{day}", "65.8123"] for day in days)])
    first, second, *_ = make_chunks(
        document.document(), document_id="d", title="", source="", date_claim=None, mentions=(), entities=(),
        chunker=StructuralChunker(),
    )  # fmt: skip
    assert (first.passage_date, second.passage_date) == (None, days[0])


def test_relative_times_count_from_the_day_of_their_row() -> None:
    rows = [
        ["2021-03-01", "ordered yesterday"],
        ["2021-03-05", "came two days ago"],
        ["2021-03-09", "Q1 2020 was better"],
    ]
    document = with_times(table(["Day", "Remark"], *rows))
    found = [(each.text, each.start_date) for each in find_mentions(document, TODAY) if not each.text[0].isdigit()]
    assert found == [
        ("yesterday", date(2021, 2, 28)),
        ("two days ago", date(2021, 3, 3)),
        ("Q1 2020", date(2020, 1, 1)),
    ]


def test_numbers_of_invoices_are_no_days_of_their_rows() -> None:
    rows = [["Invoice", "Date", "Amount"], ["2023-101", "2023-04-02", "5"], ["2023-102", "2023-04-09", "7"]]
    found = find_row_dates(Draft().table(rows).document()).rows
    assert [row.days[0] for row in found] == [date(2023, 4, 2), date(2023, 4, 9)]


@pytest.mark.parametrize(
    ("cells", "language", "days"),
    [
        (["12/08", "12/20", "01/02"], "en", ["2023-12-08", "2023-12-20", "2024-01-02"]),
        (["02.05.", "03.05.", "06.05."], "de", ["2024-05-02", "2024-05-03", "2024-05-06"]),
        (["3/4", "1/2", "1/4"], "en", []),
    ],
)
def test_columns_of_days_without_a_year(cells: list[str], language: str, days: list[str]) -> None:
    rows = [["Date", "Text"], *([cell, "x"] for cell in cells)]
    document = replace(Draft().table(rows).document(), language=language)
    anchor = date(2024, 1, 5) if language == "en" else date(2024, 6, 1)
    assert [each.value for each in find_mentions(document, anchor)] == days


def test_totals_at_the_end_of_a_statement_have_no_day() -> None:
    rows = [
        ["Date", "Solde"],
        *([f"0{day}/03/2024", "5"] for day in range(1, 6)),
        ["TOTAL", "9"],
        ["NOUVEAU SOLDE", "7"],
    ]
    assert len(find_row_dates(Draft().table(rows).document()).rows) == 5


def test_names_with_their_days_are_no_list_of_days() -> None:
    rows = [["Order no.", "4711"], ["Order date", "12 March 2024"], ["Delivery date", "20 March 2024"]]
    assert find_row_dates(Draft().table(rows, header_rows=0).document()).rows == ()
