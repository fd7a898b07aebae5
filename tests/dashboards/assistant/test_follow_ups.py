"""The questions that are offered after an answer go on from it, and the documents answer each."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from dashboards.assistant.answer_types import ExtractsStatus
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.follow_ups import MAX_QUESTIONS, find_follow_ups
from dashboards.assistant.tools.contract import ToolContext
from tests.building import build_warehouse
from warehouse.records import Filters, SearchRequest
from warehouse.settings.loader import load_settings

REPORT = """# {name} Inc reports results for {year}

{name} Inc (NASDAQ: {symbol}) today reported results for the year ended December 31, {year}.

## Consolidated statements of income

(in millions)

|  | Year ended December 31, {year} | Year ended December 31, {before} |
| --- | --- | --- |
| Revenue | {a} | {b} |
| Net income | {c} | {d} |
"""


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder: Path = tmp_path_factory.mktemp("follow-ups")
    sources = folder / "docs"
    sources.mkdir()
    for place, (name, symbol) in enumerate((("Kestrel", "KSTL"), ("Hartwell", "HRTW"), ("Marlow", "MRLW"))):
        figures = {key: 50 + 7 * place + step for step, key in enumerate("abcd")}
        text = REPORT.format(name=name, symbol=symbol, year=2022, before=2021, **figures)
        (sources / f"{name.upper()}_2022_RESULTS.md").write_text(text, encoding="utf-8")
    (sources / "note.md").write_text("# Lamps\n\nLamps age with use, and light grows dim.\n")
    warehouse = build_warehouse(folder / "w", sources)
    return ToolContext(
        load_settings({"warehouse": folder / "w", "embed": {"model": "hashing"}}), warehouse, date(2023, 7, 1)
    )


@pytest.mark.parametrize(
    "question",
    [
        "What was Kestrel's revenue in 2022?",
        "What was the net income of Hartwell in 2021?",
        "How much did Kestrel's revenue fall in 2022?",
        "What was Marlow's revenue?",
        "Why do lamps age?",
        "lamps",
        "What was Qorvell's revenue in 2022?",
    ],
)
def test_each_is_answered_and_new(context: ToolContext, question: str) -> None:
    offered = find_follow_ups(context, SearchRequest(question))
    assert len(offered) <= MAX_QUESTIONS
    assert len({each.casefold() for each in offered} - {question.casefold()}) == len(offered)
    for each in offered:
        found = extract_answer(context, SearchRequest(each), on_event=lambda event: None)
        assert found.extracts_status is ExtractsStatus.ANSWER, each
        assert not any("no report covers" in note for note in found.notes)


def test_another_period_another_company_and_a_change(context: ToolContext) -> None:
    offered = find_follow_ups(context, SearchRequest("What was Kestrel's revenue in 2022?"))
    assert "What was Kestrel's revenue in 2021?" in offered
    assert any("Hartwell" in each or "Marlow" in each for each in offered)
    assert "How much did Kestrel's revenue change from 2021 to 2022?" in offered


def test_of_another_period_nobody_knows_whether_it_fell(context: ToolContext) -> None:
    offered = find_follow_ups(context, SearchRequest("How much did Kestrel's revenue fall in 2022?"))
    assert not any(" fall " in each for each in offered)


def test_limits_hold_for_what_is_offered(context: ToolContext) -> None:
    kestrel = context.warehouse.resolve("KESTREL_2022_RESULTS.md").documents
    offered = find_follow_ups(context, SearchRequest("What was Kestrel's revenue in 2022?", Filters(documents=kestrel)))
    assert offered
    assert not any("Hartwell" in each or "Marlow" in each for each in offered)
