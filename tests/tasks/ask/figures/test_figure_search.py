"""Which row and column of a filing's statements a question for a figure leads to."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.ask.figures.figure_query import parse_figure_query, split_item_words
from tasks.ask.figures.figure_search import search_figures
from tests.building import build_warehouse
from warehouse.reader import Warehouse

REPORT = """# Harrow Stores, Inc. Form 10-K, fiscal year ended December 31, 2022

## Consolidated Statements of Income

| (in millions) | 2022 | 2021 |
| --- | --- | --- |
| Total revenue | 9,583 | 10,329 |
| Cost of sales | 7,363 | 8,042 |
| Operating income | 348 | 371 |
| Provision for income taxes | 95 | 67 |

## Results

| | 2022 | 2021 |
| --- | --- | --- |
| Comparable sales % change | (6.2)% | (12.1)% |
| Operating income as a % of revenue | 3.6% | 3.7% |
| Adjusted earnings before interest, tax, depreciation and amortisation | 514 | 530 |
| Depreciation and amortisation of property, plant and equipment | 166 | 159 |
| Number of employees | 90,150 | 105,210 |
| Cash dividends declared per common share | $3.52 | $2.80 |

## Non-Operating Income (Expense), Net

| (in millions) | 2022 | 2021 |
| --- | --- | --- |
| Percentage of total revenue | 0.1% | 0.4% |

## Consolidated Balance Sheets

| (in millions) | December 31, 2022 | December 31, 2021 |
| --- | --- | --- |
| Trade receivables, net of allowances for doubtful accounts of $23 and $16 | 856 | 840 |
| Deferred revenue | 996 | 1,116 |
| Long-term debt, less current portion | 1,145 | 1,184 |

## Consolidated Statements of Cash Flows

| (in millions) | 2022 | 2021 |
| --- | --- | --- |
| Changes in operating assets and liabilities: | | |
| Trade receivables, net | (16) | (27) |
| Deferred revenue | (120) | 44 |
| Investing activities: | | |
| Purchases of property and equipment | (395) | (441) |
| Financing activities: | | |
| Dividends paid | (802) | (797) |
| Supplemental disclosures: | | |
| Cash paid for income taxes | 78 | 61 |

## Exhibits

| Number | Description | Form | Date |
| --- | --- | --- | --- |
| 10.1 | 2020 Employee Stock Purchase Plan | 10-K | 1/15/21 |
| 10.2 | Number of employees plan | 8-K | 1/15/21 |
"""
FIGURES = """
Did comparable sales rise or fall in 2022? -> (6.2)%
What was comparable sales growth in 2022? -> (6.2)%
What were like-for-like sales in 2021? -> (12.1)%
Did revenue grow in 2022? -> 9,583
What was the operating margin in 2022? -> 3.6%
How much was depreciation and amortization in 2022? -> 166
How high was D&A in 2021? -> 159
How many employees were there in 2022? -> 90,150
What were dividends per share in 2022? -> $3.52
How much was paid in dividends in 2022? -> (802)
What was the dividend for each share in 2021? -> $2.80
What were trade receivables at the end of 2022? -> 856
What was deferred revenue at the end of 2022? -> 996
What was unearned revenue at the end of 2021? -> 1,116
How much did trade receivables change in 2022? -> (16)
What was capital spending in 2022? -> (395)
How much income tax was paid in cash in 2022? -> 78
What was income tax in 2022? -> 95
What was long-term debt at the end of 2022? -> 1,145
"""


@pytest.fixture(scope="module")
def filing(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("filing")
    (folder / "docs").mkdir()
    (folder / "docs" / "harrow.md").write_text(REPORT, encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "docs")


@pytest.mark.parametrize("line", FIGURES.strip().splitlines())
def test_a_question_leads_to_its_row_and_column(filing: Warehouse, line: str) -> None:
    question, figure = line.split(" -> ")
    best = search_figures(filing, parse_figure_query(filing, question, "", (), date(2026, 1, 1)))[0]
    assert best.figure.text == figure


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("comparable sales", "compared sales", False),
        ("receivables", "received", False),
        ("net earnings", "net earned", False),
        ("bookings", "booked", False),
        ("non-operating income", "operating income", False),
        ("non-current assets", "Noncurrent assets", True),
        ("Non-Controlling interests", "noncontrolling interests", True),
        ("non-USD sales", "USD sales", False),
        ("amortisation", "amortization", True),
        ("unrecognised tax benefits", "unrecognized tax benefits", True),
        ("organisational costs", "organizational cost", False),  # only verbs and what is made of them
        ("exercised options", "exercise option", True),
        ("trade receivable", "trade receivables", True),
    ],
)
def test_words_of_items_are_the_same_or_not(one: str, other: str, same: bool) -> None:
    assert (split_item_words(one) == split_item_words(other)) is same


REPORTS = {
    "tessner-2023.md": """# Tessner AG, Geschäftsbericht 2023

| in Mio. EUR | 2023 | 2022 |
| --- | --- | --- |
| Umsatzerlöse | 91,7 | 84,2 |
| Jahresüberschuss | 7,4 | 6,1 |
| Forschung und Entwicklung | 2,6 | 2,2 |
""",
    "dumas-2023.md": """# Verrerie Dumas SA, rapport annuel 2023

| milliers d'euros | 2023 | 2022 |
| --- | --- | --- |
| Chiffre d'affaires | 33 905 | 31 450 |
| Total de l'actif | 42 780 | 40 320 |
| Capitaux propres | 19 570 | 18 260 |
""",
    "crane-2023.md": """# Crane Tools Ltd, summary 2023

| | 2023 | 2022 |
| --- | ---: | ---: |
| Revenue | 55.3 | 51.9 |
| Net income | 4.9 | 4.4 |
""",
    "prices-2022-03.csv": "Tool,Price\nHammer,11.40\nSaw,19.80\n",
    "prices-2024-02.csv": "Tool,Price\nHammer,12.60\nSaw,20.70\n",
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("reports")
    (folder / "docs").mkdir()
    for name, text in REPORTS.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "docs")


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What was the revenue of Tessner in 2023?", "91,7"),
        ("What was the net income of Tessner in 2022?", "6,1"),
        ("How much did Tessner spend on research and development in 2023?", "2,6"),
        ("What were the total assets of Verrerie Dumas in 2023?", "42 780"),
        ("Wie hoch war das Eigenkapital von Verrerie Dumas 2022?", "18 260"),
        ("Wie hoch war der Umsatz von Crane Tools 2023?", "55.3"),
        ("Wie hoch war der Jahresüberschuss von Crane Tools 2022?", "4.4"),
        ("Quel était le chiffre d'affaires de Crane Tools en 2022?", "51.9"),
        ("Quel était le résultat net de Tessner en 2023?", "7,4"),
        ("What did the hammer cost in March 2022?", "11.40"),
        ("What is the current price of a saw?", "20.70"),
    ],
)
def test_items_are_found_under_their_names_in_other_languages_and_documents(
    reports: Warehouse, question: str, figure: str
) -> None:
    best = search_figures(reports, parse_figure_query(reports, question, "", (), date(2026, 1, 1)))[0]
    assert best.figure.text == figure
