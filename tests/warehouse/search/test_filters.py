"""Each filter, alone and with others, on documents of every kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import parse_question
from tasks.query.retrieval import find
from tests.building import build_warehouse
from tests.examples import examples
from warehouse.reader import Warehouse
from warehouse.records import Filters, Kind, Mode, Ranking, SearchRequest
from warehouse.records.calendars import Interval, add_months
from warehouse.search.filters import find_latest_known_days, mask_allowed
from warehouse.store.columns.passage_columns import to_day_number

SAMPLES = Path(__file__).parents[3] / "samples"
PAPER, Q4 = "samples/papers/nitrate-drift.xml", "samples/reports/northlight-fy2025-q4.pdf"
COURSES = {"samples/courses/ocean-time-series.txt", "samples/courses/reading-quarters.txt"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_warehouse(tmp_path_factory.mktemp("filters") / "house", SAMPLES)


def passages(house: Warehouse, filters: Filters) -> list[dict[str, Any]]:
    """The chunks, with their document's facts, that the filters allow."""
    rows = house.snapshot.query_records("SELECT * FROM chunks JOIN documents USING (document_id)")
    mask = mask_allowed(house.snapshot, filters)
    assert mask is not None
    allowed = set(house.snapshot.passages.get_chunk_ids(np.flatnonzero(mask)))
    return [row for row in rows if row["chunk_id"] in allowed]


@pytest.mark.parametrize(
    ("filters", "sources"),
    [
        (Filters(kinds=(Kind.COURSE,)), COURSES),
        (Filters(folders=("reports/",), kinds=(Kind.REPORT,), languages=("EN",), since=date(2025, 9, 1)), {Q4}),
        (Filters(folders=("samples/courses",)), COURSES),
        (Filters(folders=("./Courses",)), COURSES),
        (Filters(folders=("cour",)), set()),
        (Filters(languages=("zh",)), {"samples/chinese/beiguang-2025-q3.md"}),
        (Filters(journals=("journal of sea instruments",)), {PAPER}),
        (Filters(paper_types=("Research article",)), {PAPER}),
        (Filters(tags=("#Field-Work",)), {"samples/vault/Field log.md", "samples/vault/Mooring array.md"}),
        (Filters(tags=("field",)), set()),
        (Filters(years=(2024, 2024), kinds=(Kind.PAPER, Kind.COURSE)), {PAPER}),
        (Filters(as_of=date(2024, 2, 11)), {"samples/vault/Nitrate sensor.md"}),
        (Filters(topics=("Nothing",)), set()),
        (Filters(roots=("elsewhere",)), set()),
    ],
)
def test_filters_of_documents(house: Warehouse, filters: Filters, sources: set[str]) -> None:
    assert {row["source"] for row in passages(house, filters)} == sources


def test_filter_of_quality(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "whole.txt").write_text("The turbine was mended in the spring. It has run ever since.\n")
    (tmp_path / "notes" / "cut.txt").write_text("and because of that it never came to be the way that they\n")
    house = build_warehouse(tmp_path / "warehouse", tmp_path / "notes")
    assert {row["source"] for row in passages(house, Filters(min_quality=0.99))} == {"notes/whole.txt"}


@pytest.mark.parametrize(
    ("filters", "holds"),
    [
        (Filters(pages=(2, 3)), lambda row: row["page"] in (2, 3)),
        (Filters(lessons=(3,)), lambda row: row["lesson"] == 3),
        (Filters(tables=True), lambda row: row["has_table"]),
        (Filters(tables=False), lambda row: not row["has_table"]),
        (Filters(sections=("LESSON 3",)), lambda row: "Lesson 3" in " ".join(row["section"])),
        (
            Filters(sections=("3 lesson", "outlook")),
            lambda row: re.search(r"lesson.*3|3.*lesson|outlook", " ".join(row["section"]).lower()),
        ),
    ],
)
def test_filters_of_passages(house: Warehouse, filters: Filters, holds: Callable[[dict[str, Any]], object]) -> None:
    everything = house.snapshot.query_records("SELECT * FROM chunks JOIN documents USING (document_id)")
    expected = {row["chunk_id"] for row in everything if holds(row)}
    assert {row["chunk_id"] for row in passages(house, filters)} == expected
    assert 0 < len(expected) < len(everything)


def test_during_asks_for_a_time_that_the_passage_names_or_its_document_reports(house: Warehouse) -> None:
    since, until = date(2025, 4, 1), date(2025, 7, 1)
    found = {row["chunk_id"] for row in passages(house, Filters(during=(since, until)))}
    named = house.snapshot.query_rows(
        "SELECT chunk_id FROM chunks c JOIN during($since, $until) m ON m.document_id = c.document_id "
        'AND m.start >= c.start AND m.start < c."end"',
        {"since": since, "until": until},
    )
    reported = house.snapshot.query_rows(
        "SELECT chunk_id FROM chunks JOIN documents USING (document_id) "
        "WHERE reported_start < $until AND reported_end > $since",
        {"since": since, "until": until},
    )
    assert found == {chunk for (chunk,) in named} | {chunk for (chunk,) in reported}
    assert {chunk for (chunk,) in reported} - {chunk for (chunk,) in named}
    assert allowed_count(house, Filters(during=(None, None))) < len(house.snapshot.passages)


def allowed_count(house: Warehouse, filters: Filters) -> int:
    mask = mask_allowed(house.snapshot, filters)
    assert mask is not None
    return int(mask.sum())


def test_a_name_may_be_one_of_the_document_or_words_of_the_passage(house: Warehouse) -> None:
    entities = house.snapshot.query_rows("SELECT DISTINCT document_id FROM entities WHERE name = 'Tuva Brekke'")
    entry = {document for (document,) in entities}
    found = passages(house, Filters(names=("tuva brekke",)))
    assert entry <= {row["document_id"] for row in found}
    assert any("Tuva" not in row["text"] for row in found), "its document holds the name elsewhere"
    words = passages(house, Filters(names=("dark spectrum",)))
    assert words
    assert all("dark" in row["text"].lower() and "spectr" in row["text"].lower() for row in words)


VALUES: dict[str, Any] = {
    "kinds": (Kind.REPORT, Kind.NOTE),
    "since": date(2024, 6, 1),
    "until": date(2025, 9, 1),
    "folders": ("reports", "vault"),
    "tags": ("nitrate", "field-work"),
    "languages": ("en",),
    "years": (2024, 2025),
    "as_of": date(2025, 8, 1),
    "pages": (1,),
    "sections": ("fiscal",),
    "tables": False,
    "min_quality": 0.99,
    "during": (date(2025, 1, 1), date(2025, 8, 1)),
    "names": ("Northlight Instruments", "Tuva Brekke"),
}


@given(chosen=st.sets(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4))
@examples(2)
def test_filters_together_allow_what_each_allows(house: Warehouse, chosen: set[str]) -> None:
    masks = [mask_allowed(house.snapshot, replace(Filters(), **{name: VALUES[name]})) for name in sorted(chosen)]
    together = mask_allowed(house.snapshot, Filters(**{name: VALUES[name] for name in chosen}))
    assert together is not None
    assert together.tolist() == np.logical_and.reduce([mask for mask in masks if mask is not None]).tolist()


@given(chosen=st.sets(st.sampled_from(sorted(VALUES)), max_size=3), k=st.integers(1, 60))
def test_a_search_finds_all_that_filters_allow(house: Warehouse, chosen: set[str], k: int) -> None:
    filters = Filters(**{name: VALUES[name] for name in chosen})
    plain = Ranking(mode=Mode.DENSE, distinct=False, merge=False)
    wanted = SearchRequest("revenue of the quarter", filters, plain, k)
    hits = house.search(parse_question(wanted, open_embedder("hashing"), date(2026, 1, 1)))
    mask = mask_allowed(house.snapshot, filters)
    everything = np.ones(len(house.snapshot.passages), np.bool_)
    allowed = set(house.snapshot.passages.get_chunk_ids(np.flatnonzero(everything if mask is None else mask)))
    # By meaning alone nothing finds what the model does not read.
    allowed &= {chunk_id for (chunk_id,) in house.snapshot.query_rows("SELECT DISTINCT chunk_id FROM chunk_vectors")}
    assert len(hits) == min(k, len(allowed))
    assert {hit.chunk_id for hit in hits} <= allowed


def test_every_field_counts_as_asking_for_something() -> None:
    asking = {**VALUES, **dict.fromkeys(("roots", "documents", "topics", "journals", "paper_types"), ("x",))}
    for field in fields(Filters):
        value = asking.get(field.name, (3,))
        assert Filters(**{field.name: value})
    assert not Filters()


def test_values_that_no_document_has_are_named_with_those_there_are(house: Warehouse) -> None:
    assert house.list_values("tags")[0] == "field-work"
    filters = Filters(tags=("#nitrate", "boats"), topics=("Tides",), languages=("zh",))
    found = find(house, SearchRequest("nitrate", filters), open_embedder("hashing"), date(2025, 1, 1))
    assert not found.hits
    assert found.notes == (
        "no document has a topic, so none has 'Tides'",
        "no document has the tag 'boats'; there are field-work, nitrate, hardware, person, 传感器, 财报",
    )


@examples(30)
@given(start=st.dates(date(2000, 1, 1), date(2040, 12, 31)), length=st.integers(1, 600))
def test_the_latest_known_days_are_the_first_that_hold_a_time(house: Warehouse, start: date, length: int) -> None:
    candidates = [(add_months(start, -12 * k), add_months(start + timedelta(length), -12 * k)) for k in range(31)]
    passages, mentions = house.snapshot.passages, house.snapshot.mentions

    def holds_time(days: Interval) -> bool:
        first, after = map(to_day_number, days)
        is_named = (mentions.start_date >= first) & (mentions.end_date <= after)
        return bool(is_named.any() or ((passages.day >= first) & (passages.day_end <= after)).any())

    known = next(filter(holds_time, candidates), None)
    assert find_latest_known_days(house.snapshot, candidates) == known
