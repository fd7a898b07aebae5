"""Values of a figure by period and document: restatements, roundings and scales in doubt."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.pages.timeline.figure import (
    FigureValue,
    describe_length,
    find_figure_series,
    is_different_value,
    is_other_scale,
    list_figure_labels,
    mark_doubtful_scales,
)
from tasks.ask.figures.figure_cells import FigureCell
from tests.building import build_warehouse
from tests.building_reports import build_reports
from warehouse.reader import Warehouse

TODAY = date(2026, 1, 1)
SINCE, UNTIL = date(2023, 1, 1), date(2026, 1, 1)


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_reports(tmp_path_factory.mktemp("filed"))


def test_a_later_value_restates_an_earlier_one(filed: Warehouse) -> None:
    said_of = find_figure_series(filed, "Total revenue", (), TODAY)
    assert [(each.value, each.earlier) for each in said_of if each.earlier is not None] == [
        (103_200_000.0, 101_500_000.0)
    ]
    assert {each.length for each in said_of} == {"quarter"}
    assert "Total revenue" in list_figure_labels(filed, ())


def test_rows_that_name_nothing_are_not_offered(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    rows = "".join(f"| {name} | 12 |\n" for name in ("Total", "Other, net", "2023", "Total sales"))
    text = f"---\ndate: 2024-03-31\n---\n# Sales\n\n| Item | Q1 2024 |\n| --- | --- |\n{rows}"
    (tmp_path / "f" / "a.md").write_text(text, encoding="utf-8")
    assert list_figure_labels(build_warehouse(tmp_path / "W", tmp_path / "f"), ()) == ["Total sales"]


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [("101.5", "101.52", False), ("101.5", "101.8", True), ("1,015", "1,016", False), ("1,015", "1,017", True)],
)
def test_a_rounded_value_is_no_restatement(one: str, other: str, apart: bool) -> None:
    assert is_different_value(figure(one), figure(other)) == apart


def figure(text: str, scale: float = 1.0) -> FigureCell:
    value = float(text.replace(",", "")) * scale
    return FigureCell("", 1, 1, 1, "", "", text, 0, 0, value, "", scale, "USD", SINCE, UNTIL, "", "", "", 1.0, None)


def test_the_same_digits_in_another_scale_are_in_doubt_and_no_restatement() -> None:
    assert is_other_scale(figure("52,604"), figure("52,604", 1e6))
    assert not is_other_scale(figure("52,604", 1e6), figure("51,610", 1e6))
    assert not is_other_scale(figure("52,604"), figure("-52,604", 1e6))
    assert not is_other_scale(figure("52,604"), figure("51.61", 1e9))


@given(st.lists(st.floats(4e9, 9e9), min_size=3, max_size=9), st.sampled_from([1e-6, 1e-3, 1e3]))
def test_a_value_far_from_most_is_in_doubt(values: list[float], scale: float) -> None:
    usual = [FigureValue(figure(f"{value:.0f}"), "f/a", None, "quarter") for value in values]
    assert not any(each.doubt for each in mark_doubtful_scales(usual))
    wrong = FigureValue(figure(f"{values[0]:.0f}", scale), "f/b", None, "quarter")
    found = mark_doubtful_scales([*usual, wrong])
    assert [bool(each.doubt) for each in found] == [*[False] * len(values), True]
    assert found[-1].doubt.endswith("its scale may be another")


def test_two_documents_of_one_period_with_other_scales(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    head = "FORM 10-Q\n\nVale Holdings, Inc.\n\n(Exact name of registrant as specified in its charter)\n\n{}\n\n"
    table = "| Item | Q1 2024 |\n| --- | --- |\n| Net sales | $52,604 |\n"
    for stem, scale in (("a", "(in millions)"), ("b", "(in dollars)")):
        text = head.format(f"Date: April 2{'a' in stem:d}, 2024\n\n{scale}") + table
        (tmp_path / "f" / f"{stem}.md").write_text(text, encoding="utf-8")
    found = find_figure_series(build_warehouse(tmp_path / "w", tmp_path / "f"), "Net sales", (), TODAY)
    assert sorted(each.value for each in found) == [52_604.0, 52_604e6]
    assert [each.earlier for each in found] == [None, None]
    assert [bool(each.doubt) for each in found] == [False, True]


@pytest.mark.parametrize(
    ("days", "name"),
    [
        (1, "at a day"),
        (28, "month"),
        (31, "month"),
        (91, "quarter"),
        (112, "quarter"),
        (119, "quarter"),
        (168, "half year"),
        (182, "half year"),
        (371, "year"),
    ],
)
def test_lengths_have_names(days: int, name: str) -> None:
    assert describe_length(date(2024, 1, 1), date.fromordinal(date(2024, 1, 1).toordinal() + days)) == name
