"""An answer about companies stands on their documents and on those of no company."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.answer_types import Answer
from dashboards.assistant.answers import answer
from dashboards.assistant.tools.contract import ToolContext
from tests.building import build_warehouse
from tests.dashboards.assistant.tool_contexts import tool_context_at
from tests.examples import examples
from warehouse.records import Filters, SearchRequest

COMPANIES = ["Brandtworks", "Ostergaard", "Quillfeather", "Mandelbright"]
TABLE = """| (in millions) | Q1 2023 | Q1 2022 |
| --- | --- | --- |
| Total revenue | {0}.5 | {0}.1 |
| Gross profit | {0}.7 | {0}.2 |
"""
FORMS = [
    "What was {}'s total revenue in Q1 2023?",
    "What was the gross profit of {} in Q1 2023?",
    "Why did revenue rise at {}?",
    "{} gross profit Q1 2022",
]


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    """Of one company a single short document, of the others several; one memo of no company."""
    folder = tmp_path_factory.mktemp("scope")
    root = folder / "filings"
    root.mkdir()
    for place, name in enumerate(COMPANIES):
        for year in range(2020 + place, 2024):
            table = TABLE.format(100 * (place + 1) + year - 2019)
            text = f"# {name}, Inc. results {year}\n\n{table}\nRevenue of {name} rose since more of it was sold.\n"
            (root / f"{name.upper()}_{year}_10K.md").write_text(text)
    (root / "memo.md").write_text("# A memo\n\nTotal revenue of all firms rose in Q1 2023, says the trade body.\n")
    build_warehouse(folder / "w", root)
    return tool_context_at(folder / "w")


def asked(context: ToolContext, question: str, filters: Filters | None = None) -> Answer:
    wanted = SearchRequest(question, filters or Filters())
    return answer(
        context, wanted, None, on_event=lambda event: None, ask_permission=lambda name, given: False, extracts_only=True
    )


def owners(found: Answer) -> set[str]:
    """The companies whose documents were read, quoted or cited."""
    files = {hit.citation.source.rpartition("/")[2] for hit in found.hits}
    return {name for name in COMPANIES for file in files if file.startswith(name.upper())}


@given(name=st.sampled_from(COMPANIES), form=st.sampled_from(FORMS))
@examples(0.6)
def test_only_the_company_that_is_named_enters(name: str, form: str, context: ToolContext) -> None:
    found = asked(context, form.format(name))
    assert owners(found) == {name}
    assert not any(other in found.text for other in COMPANIES if other != name)


@pytest.mark.parametrize("pair", list(combinations(COMPANIES, 2))[:3])
def test_a_comparison_has_both(pair: tuple[str, str], context: ToolContext) -> None:
    found = asked(context, f"Compare the total revenue of {pair[0]} and {pair[1]} in Q1 2023")
    assert owners(found) == set(pair)


def test_a_question_of_no_company_has_all(context: ToolContext) -> None:
    assert len(owners(asked(context, "What was the total revenue in Q1 2023?"))) > 1


def test_documents_that_are_demanded_stay(context: ToolContext) -> None:
    (only,) = context.warehouse.resolve("OSTERGAARD_2021_10K").documents
    found = asked(context, "What was Brandtworks' total revenue?", Filters(documents=(only,)))
    assert owners(found) <= {"Ostergaard"}
