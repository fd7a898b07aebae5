"""Figures are found by what they are called, by their time in their company's calendar, and by whose they are."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from dashboards.assistant.tools.contract import TOOLS, ToolContext
from tests.building import build_warehouse
from warehouse.errors import BadInput
from warehouse.settings.loader import load_settings

ALPHA = """# Alpha Tools plc reports second quarter fiscal 2023 results

Alpha Tools plc (NYSE: ALPH) today reported results for the second quarter of fiscal 2023. Its fiscal year ends on June
30, so that fiscal 2023 ends on June 30, 2023.

## Condensed consolidated statements of income (in millions)

|  | Three Months Ended December 31, 2022 | Three Months Ended December 31, 2021 | Six Months Ended December 31, 2022 |
| --- | --- | --- | --- |
| Net sales | $ 3,642 | $ 3,507 | $ 7,354 |
| Cost of sales | (2,980) | (2,862) | (6,024) |
| Restructuring | — | (10) | (12) |
| Gross profit as a percentage of net sales | 18.2 % | 18.4 % | 18.1 % |

## Condensed consolidated balance sheets (in millions)

|  | December 31, 2022 | June 30, 2022 |
| --- | --- | --- |
| Cash and cash equivalents | 837 | 775 |
| Total assets | 17,475 | 17,426 |

## Segments (in millions)

|  | Three Months Ended December 31, 2022 | Three Months Ended December 31, 2021 |
| --- | --- | --- |
| Net sales, Flexibles segment | 2,812 | 2,713 |
| Net sales | 3,642 | 3,507 |
"""
BETA = """# Beta Foods Inc reports first quarter 2023 results

Beta Foods Inc (NASDAQ: BETA) today reported results for the three months ended March 31, 2023.

## Statements of income (in millions)

|  | Three Months Ended March 31, 2023 | Three Months Ended March 31, 2022 |
| --- | --- | --- |
| Net revenue | $ 17,846 | $ 16,200 |
| Purchases of property, plant and equipment | (442) | (348) |
"""


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder = tmp_path_factory.mktemp("figures")
    sources = folder / "docs"
    sources.mkdir()
    (sources / "ALPHATOOLS_2023Q2_RESULTS.md").write_text(ALPHA, encoding="utf-8")
    (sources / "BETAFOODS_2023Q1_RESULTS.md").write_text(BETA, encoding="utf-8")
    chosen: dict[str, Any] = {"sources": [{"folder": sources, "kind": "report"}]}
    warehouse = build_warehouse(folder / "warehouse", sources, **chosen)
    settings = load_settings({"warehouse": folder / "warehouse", "embed": {"model": "hashing"}, **chosen})
    return ToolContext(settings, warehouse, date(2023, 7, 1))


def first(context: ToolContext, item: str, **others: Any) -> dict[str, Any]:
    figures: list[dict[str, Any]] = TOOLS["query_cells"].call(context, {"item": item, **others}).data["figures"]
    return figures[0]


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("net sales Q2 2023 ALPHATOOLS", "$ 3,642"),
        ("revenue Q2 2023 Alpha Tools", "$ 3,642"),
        ("Alpha Tools sales in the six months ended December 31, 2022", "$ 7,354"),
        ("Alpha Tools flexibles net sales Q2 fiscal 2023", "2,812"),
        ("Alpha Tools COGS three months ended December 31, 2021", "(2,862)"),
        ("Alpha Tools gross margin Q2 2023", "18.2 %"),
        ("Alpha Tools total assets June 30, 2022", "17,426"),
        ("Alpha Tools cash Q2 2023", "837"),
        ("revenue Beta Foods Q1 2023", "$ 17,846"),
        ("capex Beta Foods Q1 2022", "(348)"),
        ("beta foods revnue Q1 2023", "$ 17,846"),
    ],
)
def test_the_right_cell_comes_first(context: ToolContext, item: str, text: str) -> None:
    assert first(context, item)["text"] == text


def test_a_figure_has_its_value_in_units_its_period_and_its_place(context: ToolContext) -> None:
    found = first(context, "revenue", period="Q2 2023", documents=["ALPHATOOLS_2023Q2_RESULTS"])
    assert (found["value"], found["currency"], found["scale"]) == (3.642e9, "USD", 1e6)
    assert (found["period_start"], found["period_end"]) == ("2022-10-01", "2023-01-01")
    assert (found["row"], found["table"], found["place"]) == (["Net sales"], 1, [1, 1])
    assert found["also_in_tables"] == [3]


def test_without_a_time_the_newest_comes_first(context: ToolContext) -> None:
    assert first(context, "Alpha Tools total assets")["period_end"] == "2023-01-01"


def test_a_dash_is_no_figure_and_not_another_periods(context: ToolContext) -> None:
    found = first(context, "Alpha Tools restructuring", period="three months ended December 31, 2022")
    assert (found["text"], found["value"]) == ("—", None)


def test_it_is_said_when_no_figure_is_of_the_time(context: ToolContext) -> None:
    text = TOOLS["query_cells"].call(context, {"item": "Beta Foods revenue 1999"}).text
    assert text.startswith("Note: no figure is of '1999'")


def test_it_is_said_when_nobody_has_the_name(context: ToolContext) -> None:
    text = TOOLS["query_cells"].call(context, {"item": "Gamma Motors revenue 2023"}).text
    assert "no document is known by 'Gamma Motors'" in text


def test_what_no_table_has_is_not_made_up(context: ToolContext) -> None:
    found = TOOLS["query_cells"].call(context, {"item": "headcount"})
    assert (found.data["figures"], found.hits) == ([], ())
    assert "No table has a figure called 'headcount'" in found.text


def test_the_next_figures_follow(context: ToolContext) -> None:
    asked = {"item": "net sales", "documents": ["ALPHATOOLS_2023Q2_RESULTS"]}
    whole = TOOLS["query_cells"].call(context, {**asked, "count": 4}).data["figures"]
    rest = TOOLS["query_cells"].call(context, {**asked, "count": 2, "after": 2}).data["figures"]
    assert rest == whole[2:]


@pytest.mark.parametrize("given", [{"item": "?!"}, {"item": "revenue", "period": "soonish"}])
def test_what_says_nothing_is_refused(context: ToolContext, given: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        TOOLS["query_cells"].call(context, given)


def test_a_document_that_is_not_there_is_refused_with_the_nearest(context: ToolContext) -> None:
    with pytest.raises(BadInput, match="did you mean docs/BETAFOODS"):
        TOOLS["query_cells"].call(context, {"item": "revenue", "documents": ["BETAFOODS_2022"]})
