"""The context put before what is embedded."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tasks.chunkers.chunk_builder import (
    MAX_PREFIX_LENGTH,
    format_context_prefix,
    format_course_prefix,
    format_note_prefix,
    format_paper_prefix,
)
from tasks.temporal.document import find_mentions
from tasks.temporal.tagger import tag
from tests.tasks.documents import Draft
from warehouse.records import Entity

DAY = date(2023, 12, 31)


def prefix(text: str) -> str:
    return format_context_prefix(DAY, tag(text, None, "en"), has_table=False)


def test_is_as_in_the_reference() -> None:
    draft = Draft().table([["Quarter", "Sum"], ["Q1 2023", "1"], ["Q2 2023", "2"]])
    document = draft.paragraph("On 2023-01-15 and in 2021.").document()
    assert format_context_prefix(DAY, find_mentions(document, None), has_table=True) == (
        "[TEMPORAL_CONTEXT: Document Date: 2023-12-31 | Contains Table Data | "
        "Fiscal Quarters (Tabular): Q1 2023, Q2 2023 | Dates: 2023-01-15 | Years: 2021]"
    )


def test_years_of_finer_mentions_are_not_repeated() -> None:
    assert prefix("December 2023; 2023; 2022; FY2022") == (
        "[TEMPORAL_CONTEXT: Document Date: 2023-12-31 | Fiscal Years: FY2022 | Periods: December 2023]"
    )


def test_every_kind_of_time_is_written_as_people_do() -> None:
    text = "In the 1990s, on 2023-01-15 at 3:30 pm, since 2019, between Q1 2020 and Q2 2021 and in December 2022."
    assert prefix(text) == (
        "[TEMPORAL_CONTEXT: Document Date: 2023-12-31 | Dates: 2023-01-15 | "
        "Periods: 1990s, Q1 2020 to Q2 2021, December 2022 | Years: 2019]"
    )


def test_lengths_and_times_that_recur_are_not_listed() -> None:
    assert prefix("For three years, every Monday, twice a year, recently.") == (
        "[TEMPORAL_CONTEXT: Document Date: 2023-12-31]"
    )


def test_an_open_time_covers_the_year_it_names() -> None:
    assert prefix("before May 2020; 2020 and 2021") == (
        "[TEMPORAL_CONTEXT: Document Date: 2023-12-31 | Periods: May 2020 | Years: 2021]"
    )


def test_is_cut_at_the_last_whole_item() -> None:
    text = " ".join(f"{year}-01-01 Q1 {year} June {year}, FY{year}, H1 {year}" for year in range(2001, 2012))
    cut = prefix(text)
    assert len(cut) <= MAX_PREFIX_LENGTH
    assert cut.endswith("...]")
    assert cut.startswith("[TEMPORAL_CONTEXT: Document Date: 2023-12-31 | Fiscal Quarters: Q1 2001, Q1 2002")
    assert cut[:-4].rpartition(" | ")[2] == "Fiscal Halves: H1 2001, H1 2002, H1 2003, H1 2004, H1 2005, H1 2006"


def test_is_empty_without_anything_to_say() -> None:
    assert format_context_prefix(None, (), has_table=False) == ""


def test_other_kinds() -> None:
    assert (
        format_paper_prefix("A trial", ("A trial", "Results", "Cohort")) == "Paper: A trial | Section: Results > Cohort"
    )
    assert format_paper_prefix("A trial", ()) == "Paper: A trial"
    assert format_course_prefix("MCP", 2) == "Course: MCP | Lesson 2 content:"
    assert format_course_prefix("MCP", None) == "Course: MCP"
    ada = Entity(0, 3, "Ada", "PERSON", "Ada")
    assert format_note_prefix("T", (ada, ada), "v/t.md", DAY) == (
        "[title: T] [entities: PERSON:Ada] [source: v/t.md] [date: 2023-12-31]"
    )
    assert format_note_prefix("T", (), "", None) == "[title: T]"


def test_notes_list_whole_names_and_keep_the_end_of_their_path() -> None:
    people = [Entity(0, 1, "", "PERSON", f"Person Number {number}") for number in range(9)]
    prefix = format_note_prefix("T", people, "vault/" + "folder/" * 9 + "day.md", None)
    assert "[entities: PERSON:Person Number 0, PERSON:Person Number 1]" in prefix
    assert prefix.endswith("folder/day.md]")


@given(text=st.text(max_size=400), names=st.lists(st.text(min_size=1, max_size=60), max_size=9))
def test_no_prefix_is_longer_than_the_limit(text: str, names: list[str]) -> None:
    entities = [Entity(0, 1, name, "ORG", name) for name in names]
    assert len(format_note_prefix(text, entities, text, DAY)) <= MAX_PREFIX_LENGTH
    assert len(format_paper_prefix(text, tuple(names))) <= MAX_PREFIX_LENGTH
    assert len(format_course_prefix(text, 12)) <= MAX_PREFIX_LENGTH
    assert len(format_course_prefix(text, 10**150)) <= MAX_PREFIX_LENGTH
