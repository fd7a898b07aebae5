"""An answer without a model says what it is: the answer, the nearest passages, or that no document is about it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from dashboards.assistant.answer_types import Answer, ExtractsStatus
from dashboards.assistant.extract_answers import NEAREST, extract_answer
from dashboards.assistant.tools.contract import ToolContext
from dashboards.serializers.answer_json import serialize_answer
from tests.building import build_warehouse
from warehouse.records import SearchRequest
from warehouse.settings.loader import load_settings

REPORT = """# Kestrel Optics Inc reports fiscal 2022 results

Kestrel Optics Inc (NASDAQ: KSTL) today reported results for the year ended December 31, 2022. Revenue was
$63.1 million, down 20 percent from 2021, because customers ordered fewer lenses.

## Competition

We compete with Hartwell in lenses for microscopes, where prices fell.

## Consolidated statements of income

(in millions, except per share amounts)

|  | Year ended December 31, 2022 | Year ended December 31, 2021 |
| --- | --- | --- |
| Revenue | 63.1 | 79.0 |
| Net income | 8.0 | 19.9 |
| Diluted earnings per share | 1.94 | 4.86 |

## Consolidated balance sheets

(in millions)

|  | December 31, 2022 | December 31, 2021 |
| --- | --- | --- |
| Cash and cash equivalents | 11.1 | 4.8 |
| Inventories | 13.2 | 10.8 |
| Accounts payable | 9.6 | 5.7 |
| Total assets | 182.1 | 168.4 |
"""


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder: Path = tmp_path_factory.mktemp("standing")
    sources = folder / "docs"
    sources.mkdir()
    (sources / "KESTRELOPTICS_2022_RESULTS.md").write_text(REPORT, encoding="utf-8")
    chosen: dict[str, Any] = {"sources": [{"folder": sources, "kind": "report"}]}
    warehouse = build_warehouse(folder / "warehouse", sources, **chosen)
    settings = load_settings({"warehouse": folder / "warehouse", "embed": {"model": "hashing"}, **chosen})
    return ToolContext(settings, warehouse, date(2023, 7, 1))


def answer(context: ToolContext, question: str) -> Answer:
    return extract_answer(context, SearchRequest(question), on_event=lambda _: None)


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What was the top line of Kestrel Optics in 2022?", "| Revenue | 63.1 | 79.0 |"),
        ("What was Kestrel Optics' bottom line in 2022?", "| Net income | 8.0 | 19.9 |"),
        ("What did Kestrel Optics earn per share, diluted, in 2022?", "| Diluted earnings per share | 1.94 | 4.86 |"),
        ("How much cash on hand did Kestrel Optics have on December 31, 2022?", "| Cash and cash equivalents | 11.1 |"),
        ("What did Kestrel Optics owe its suppliers on December 31, 2022?", "| Accounts payable | 9.6 | 5.7 |"),
        ("How big was the balance sheet of Kestrel Optics at the end of 2022?", "| Total assets | 182.1 | 168.4 |"),
        ("According to the annual report, how much revenue did Kestrel Optics make in 2022?", "| Revenue | 63.1 |"),
        ("Please tell me Kestrel Optics' net income for 2022.", "| Net income | 8.0 | 19.9 |"),
    ],
)
def test_figures_are_found_in_whatever_words_they_are_asked_for(context: ToolContext, question: str, row: str) -> None:
    found = answer(context, question)
    assert found.extracts_status is ExtractsStatus.ANSWER
    assert found.extracts[0].text.rpartition("\n")[2].startswith(row)


def test_a_row_carries_what_its_figures_are_in(context: ToolContext) -> None:
    found = answer(context, "What was Kestrel Optics' revenue in 2022?")
    assert found.text.startswith("Figures in millions")
    assert serialize_answer("?", found)["extracts"][0]["scale"].startswith("in millions")
    per_share = answer(context, "What did Kestrel Optics earn per share, diluted, in 2022?")
    assert not per_share.extracts[0].scale


@pytest.mark.parametrize(
    "question",
    [
        "How much did Kestrel Optics' revenue fall in 2022?",
        "By how much did the revenue of Kestrel Optics drop in 2022?",
    ],
)
def test_a_question_of_change_is_answered_by_a_percentage_or_two_figures(context: ToolContext, question: str) -> None:
    found = answer(context, question)
    assert found.extracts_status is ExtractsStatus.ANSWER
    assert any("down 20 percent" in each.text or "63.1 | 79.0" in each.text for each in found.extracts)


@pytest.mark.parametrize("question", ["Which lens coating lasts longest at sea?", "What is the cafeteria's menu?"])
def test_what_nothing_answers_is_a_list_and_no_denial(context: ToolContext, question: str) -> None:
    found = answer(context, question)
    assert found.extracts_status is ExtractsStatus.NEAREST
    assert found.text.startswith(NEAREST)
    assert 1 <= len(found.sources) <= 3
    assert len({each.hit for each in found.extracts}) == len(found.extracts)


@pytest.mark.parametrize(
    "question", ["What was Zephyrine Maritime's revenue in 2022?", "How much cash does Qorvell have?"]
)
def test_a_company_of_no_document_is_named(context: ToolContext, question: str) -> None:
    found = answer(context, question)
    assert found.extracts_status is ExtractsStatus.ABSENT
    assert found.text in ("No document of Zephyrine Maritime is here.", "No document of Qorvell is here.")
    assert not found.extracts


def test_a_period_that_no_document_covers_is_named_with_the_nearest(context: ToolContext) -> None:
    found = answer(context, "What was Kestrel Optics' revenue in 1994?")
    assert found.extracts_status is ExtractsStatus.ABSENT
    assert found.text.startswith("No document covers 1994 for Kestrel Optics")
    assert found.text.endswith("the nearest is FY2022 (Jan 1 to Dec 31, 2022).")


@pytest.mark.parametrize(
    "question",
    [
        "Wie hoch war der Umsatz von Kestrel Optics im Geschaeftsjahr 2022?",
        "Wie hoch war der Umsatz der Firma im Geschaeftsjahr?",
        "Welche Vorraete hatte das Unternehmen zum Jahresende?",
    ],
)
def test_the_nouns_of_another_language_are_no_names_that_documents_lack(context: ToolContext, question: str) -> None:
    found = answer(context, question)
    assert found.extracts_status is not ExtractsStatus.ABSENT
    assert "is here" not in found.text


def test_a_quarter_of_no_year_is_not_denied(context: ToolContext) -> None:
    assert (
        answer(context, "What was Kestrel Optics' revenue in the fourth quarter?").extracts_status
        is not ExtractsStatus.ABSENT
    )


@pytest.mark.parametrize(("year", "denied"), [(2024, True), (2025, False), (2026, False), (2028, True)])
def test_a_fiscal_year_that_either_calendar_year_may_name_is_not_denied(
    year: int, denied: bool, tmp_path: Path
) -> None:
    sources = tmp_path / "docs"
    sources.mkdir()
    (sources / "results.txt").write_text(
        "Fairholt Instruments Ltd.\n\nANNUAL REPORT\n\nFor the 53 weeks ended January 31, 2026\n\n"
        "Sales were $12.5 million. In the fourth quarter, the 14 weeks ended January 31, 2026, sales were $3.9 million."
    )
    warehouse = build_warehouse(tmp_path / "warehouse", sources)
    settings = load_settings({"warehouse": tmp_path / "warehouse", "embed": {"model": "hashing"}})
    found = answer(
        ToolContext(settings, warehouse, date(2026, 7, 1)),
        f"What were Fairholt's sales in the fourth quarter of fiscal {year}?",
    )
    assert (found.extracts_status is ExtractsStatus.ABSENT) is denied


def test_a_name_that_the_passage_lacks_is_not_answered_for(context: ToolContext) -> None:
    """Hartwell is in a sentence of the report, and no figure is Hartwell's."""
    assert answer(context, "What was Hartwell's net income in 2022?").extracts_status is ExtractsStatus.NEAREST


def test_a_period_that_a_table_compares_with_is_covered(context: ToolContext) -> None:
    assert answer(context, "What was Kestrel Optics' revenue in 2021?").extracts_status is ExtractsStatus.ANSWER


def test_nothing_is_quoted_twice(context: ToolContext) -> None:
    for question in ("What was Kestrel Optics' revenue in 2022?", "Kestrel Optics total assets"):
        texts = [each.text.rpartition("\n")[2] for each in answer(context, question).extracts]
        assert len(set(texts)) == len(texts)
