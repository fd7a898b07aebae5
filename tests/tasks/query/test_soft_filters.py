"""What a question plainly says of the passages it wants, and nothing that it does not say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.query.soft_filters import find_sections, find_soft_filters
from warehouse.records import Filters, Kind

VALUES = {
    "kinds": ("paper", "note", "course"),
    "journals": ("PLoS Medicine", "Cell"),
    "paper_types": ("Research Article", "Review", "Article Commentary"),
    "tags": ("reading/papers", "garden"),
    "topics": ("oceanography",),
}


@pytest.mark.parametrize(
    ("question", "sections"),
    [
        ("What is in the Results of the paper on drift?", ("Results",)),
        ("the abstract of the paper on drift", ("abstract",)),
        ("What do the methods of Ada's study say?", ("methods",)),
        ("What stands under Limitations?", ("Limitations",)),
        ("Item 1A risk factors of Amcor's 10-Q", ("Item 1A",)),
        ("In the Segment Information section, what is named?", ("Segment Information",)),
        ("结论部分说了什么？", ("结论",)),
        ("What were the results of the election?", ()),
        ("In summary, what did methods of 1990 cost under the plan?", ()),
    ],
)
def test_sections_are_those_plainly_named(question: str, sections: tuple[str, ...]) -> None:
    assert find_sections(question) == sections


@pytest.mark.parametrize(
    ("question", "soft_filters"),
    [
        ("papers in PLoS Medicine about malaria", Filters(kinds=(Kind.PAPER,), journals=("PLoS Medicine",))),
        ("What do studies published in Cell show?", Filters(journals=("Cell",))),
        ("reviews on malaria", Filters(paper_types=("Review",))),
        ("commentaries about reproduction", Filters(paper_types=("Article Commentary",))),
        ("my notes tagged #reading", Filters(kinds=(Kind.NOTE,), tags=("reading",))),
        ("the oceanography papers", Filters(topics=("oceanography",))),
        ("Does a cell divide in papers?", Filters()),
        ("the notes tagged unknown", Filters(kinds=(Kind.NOTE,))),
        ("What does oceanography study?", Filters()),
    ],
)
def test_a_question_leans_to_what_documents_have_and_it_says(question: str, soft_filters: Filters) -> None:
    found = find_soft_filters(question, lambda field: VALUES[field])
    assert {**_given(found)} == {**_given(soft_filters)}


def _given(filters: Filters) -> dict[str, tuple[object, ...]]:
    fields = ("kinds", "journals", "paper_types", "tags", "topics", "sections")
    return {field: values for field in fields if (values := getattr(filters, field))}


def test_values_are_not_asked_for_without_need() -> None:
    asked: list[str] = []
    find_soft_filters("What is the capital expenditure of 3M?", lambda field: asked.append(field) or ())
    assert asked == []


@given(st.text(max_size=80))
def test_any_question_is_safe(question: str) -> None:
    assert all(section in question for section in find_soft_filters(question, lambda field: VALUES[field]).sections)
