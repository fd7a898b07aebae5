"""The cross-foot check."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.assembly import Assembly
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.rule import RULES
from tasks.tables.totals import find_totals
from tests.tasks.documents import Draft
from warehouse.records import Document, Kind, Total, TotalOf

TATQA = Path(__file__).parents[3] / "../shared/data/tables_qa/tatqa_dev.json"
Rows = Sequence[Sequence[str]]


def checked(rows: Rows, **more: object) -> tuple[Total, ...]:
    return find_totals(Draft().table(rows, **more).document())  # type: ignore[arg-type]


def said(found: Sequence[Total], of: TotalOf = TotalOf.ROWS) -> list[tuple[int, int, tuple[int, ...], bool]]:
    return [(total.row, total.column, total.parts, total.adds_up) for total in found if total.of is of]


BALANCE = [
    ["($ in millions)", "2019", "2018"],
    ["Cash", "$130", "$91"],
    ["Receivables", "128", "126"],
    ["Total current assets", "258", "217"],
    ["Equipment", "2,235", "2,641"],
    ["Total assets", "$2,493", "$2,858"],
]


def test_subtotals_make_the_grand_total() -> None:
    found = checked(BALANCE)
    assert said(found) == [(3, 1, (1, 2), True), (3, 2, (1, 2), True), (5, 1, (3, 4), True), (5, 2, (3, 4), True)]
    assert (found[2].stated, found[2].computed, found[2].difference) == (2_493e6, 2_493e6, 0)


def test_a_wrong_figure_is_known_by_the_right_one_beside_it() -> None:
    wrong = [*BALANCE[:3], ["Total current assets", "258", "237"], *BALANCE[4:]]
    (found,) = [total for total in checked(wrong) if not total.adds_up]
    assert (found.row, found.column, found.difference, found.label) == (3, 2, 20e6, "Total current assets")


def test_a_plain_total_is_held_to_its_word() -> None:
    assert said(checked([["Item", "Cost"], ["Pens", "10"], ["Ink", "20"], ["Total", "35"]])) == [(3, 1, (1, 2), False)]


def test_rounding_is_no_error() -> None:
    rows = [["", "2019"], ["A", "1.4"], ["B", "1.4"], ["Total", "2.9"]]
    assert said(checked(rows)) == [(3, 1, (1, 2), True)]


def test_what_is_deducted() -> None:
    rows = [["", "2019"], ["Gross receivables", "8,000"], ["Less: allowance", "250"], ["Receivables, net", "7,750"]]
    (found,) = checked(rows)
    assert (found.parts, found.less, found.adds_up) == ((1,), (2,), True)
    statement = [["", "2019"], ["Revenue", "9,381"], ["Cost of sales", "4,102"], ["Gross profit", "5,279"]]
    (found,) = checked(statement)
    assert (found.parts, found.less, found.adds_up) == ((1,), (2,), True)


def test_columns_that_are_totals() -> None:
    last = [["", "Q1", "Q2", "Total"], ["North", "110", "215", "325"], ["South", "402", "511", "913"]]
    assert said(checked(last), TotalOf.COLUMNS) == [(1, 3, (1, 2), True), (2, 3, (1, 2), True)]
    first = [["", "Total", "2020", "2021"], ["Loans", "12,519", "5,269", "7,250"], ["Leases", "313", "52", "261"]]
    assert said(checked(first), TotalOf.COLUMNS) == [(1, 1, (2, 3), True), (2, 1, (2, 3), True)]


def test_chinese_totals() -> None:
    rows = [["项目", "2023年"], ["货币资金", "1,200"], ["应收账款", "300"], ["合计", "1,500"]]
    assert said(checked(rows)) == [(3, 1, (1, 2), True)]


@pytest.mark.parametrize(
    "rows",
    [
        [["", "Price"], ["May", "$72.00"], ["June", "$77.22"], ["Total", "$74.10"]],
        [["", "Margin"], ["Tea", "13.6%"], ["Milk", "8.5%"], ["Total", "11.7%"]],
        [["", "2019"], ["Total", "12"], ["of which new", "7"]],
        [["", "Sales", "Growth"], ["Tea", "1,100", "5%"], ["Milk", "2,050", "7%"], ["Total", "3,150", "6%"]],
        [["", "2019"], ["Sites", "n/a"], ["Shops", "7"], ["Total", "90"]],
    ],
)
def test_what_is_no_sum_is_not_blamed(rows: Rows) -> None:
    assert all(total.adds_up for total in checked(rows))


def test_a_part_of_the_next_total_is_no_total() -> None:
    rows = [["", "2018"], ["Swaps", "10,663"], ["Forwards", "1,429"], ["Total", "12,092"], ["Current", "2,091"]]
    found = checked([*rows, ["Non-current", "10,001"], ["Total", "12,092"]])
    assert said(found) == [(3, 1, (1, 2), True), (6, 1, (4, 5), True)]


@given(st.lists(st.integers(100, 10**6), min_size=2, max_size=12), st.integers(-5000, 5000))
def test_a_list_under_its_total_adds_up_or_not(parts: list[int], off: int) -> None:
    rows = [["", "Cost"], *([f"Item {number}", f"{part:,}"] for number, part in enumerate(parts))]
    found = checked([*rows, ["Total", f"{sum(parts) + off:,}"]])
    tolerance = (len(parts) + 1) / 2
    sums = [total for total in found if total.row == len(parts) + 1]
    for total in sums:
        assert total.adds_up == (abs(total.difference) <= tolerance)
    if abs(off) <= tolerance:
        assert [total.adds_up for total in sums] == [True]


def test_the_finding_names_the_place_once() -> None:
    document = Draft().table([["Item", "Cost"], ["Pens", "10"], ["Ink", "20"], ["Total", "35"]]).document()
    subject = CheckedDocument(document, (), (), None, 1000, 256)
    (found,) = RULES["total_does_not_add_up"].examine(subject)
    assert found.message == "'Total' in row 3, column 1 of table 1 is 35, its rows make 30"


@pytest.mark.skipif(not TATQA.exists(), reason=f"there is no {TATQA}")
def test_real_tables_are_not_blamed() -> None:
    found = [total for document in _annual_reports() for total in find_totals(document)]
    assert len(found) > 900
    assert [total for total in found if not total.adds_up] == []


def _annual_reports() -> Iterator[Document]:
    for entry in json.loads(TATQA.read_text(encoding="utf-8")):
        assembly = Assembly()
        assembly.add_table(entry["table"]["table"])
        yield assembly.finish(Kind.REPORT, "text/plain")
