"""Months, quarters and halves that head rows and columns, in the year that their table has elsewhere."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.document import find_mentions
from tests.tasks.documents import Draft
from warehouse.records import Document, Mention

MARCH, FIRST_QUARTER, FIRST_HALF = (
    ("2023-03", date(2023, 3, 1), date(2023, 4, 1)),
    ("2023-Q1", date(2023, 1, 1), date(2023, 4, 1)),
    ("2023-H1", date(2023, 1, 1), date(2023, 7, 1)),
)
PARTS = [
    ("en", "March", MARCH),
    ("en", "Mar", MARCH),
    ("en", "Q1", FIRST_QUARTER),
    ("en", "H1", FIRST_HALF),
    ("de", "März", MARCH),
    ("de", "1. Halbjahr", FIRST_HALF),
    ("fr", "Mars", MARCH),
    ("fr", "T1", FIRST_QUARTER),
    ("es", "marzo", MARCH),
    ("it", "mar", MARCH),
    ("pt", "Março", MARCH),
    ("nl", "maart", MARCH),
]


def columns(part: str, year: str) -> list[list[str]]:
    return [["", part], ["Sales", "12"], ["Costs", "9"]]


def rows(part: str, year: str) -> list[list[str]]:
    return [["Period", "Sales"], [part, "12"]]


def sections(part: str, year: str) -> list[list[str]]:
    return [["Period", "Sales", "Costs"], [year, "", ""], [part, "12", "9"]]


def below_year(part: str, year: str) -> list[list[str]]:
    return [["", year], ["", part], ["Sales", "12"]]


def beside_year(part: str, year: str) -> list[list[str]]:
    return [["Year", "Period", "Sales"], [year, part, "12"]]


def find_part(document: Document, part: str) -> Mention | None:
    return next((mention for mention in find_mentions(document, None) if mention.text == part), None)


@pytest.mark.parametrize(("language", "part", "expected"), PARTS)
@pytest.mark.parametrize("form", [columns, rows, sections, below_year, beside_year])
def test_parts_of_years_have_the_year_of_their_table(language, part, expected, form) -> None:  # type: ignore[no-untyped-def]
    draft = Draft(language=language)
    header_rows = 2 if form is below_year else 1
    caption = "" if form in (sections, below_year, beside_year) else "Sales 2023"
    if caption:
        draft.paragraph(caption)
    document = draft.table(form(part, "2023"), header_rows=header_rows, caption=caption).document()
    found = find_part(document, part)
    assert found is not None
    assert (found.value, found.start_date, found.end_date) == expected
    assert found.table == 1
    assert not found.relative
    assert document.text[found.start : found.end] == part


@pytest.mark.parametrize("part", ["March", "Q1", "H1", "May"])
@pytest.mark.parametrize("caption", ["", "Sales 2022 and 2023", "Sales by month"])
def test_parts_of_years_stay_without_a_year_where_the_table_has_none_or_several(part: str, caption: str) -> None:
    draft = Draft().table([["", part], ["Sales", "12"], ["Costs", "9"]], caption=caption)
    found = find_part(draft.document(), part)
    assert found is None or found.start_date is None


@pytest.mark.parametrize("part", ["March", "Mar", "H1"])
def test_cells_of_the_body_are_no_heads(part: str) -> None:
    draft = Draft().table([["Item", "2023"], ["Name", part], ["Sales", "12"]], caption="Sales 2023")
    assert find_part(draft.document(), part) is None
