"""A passage asked instead of a question is looked for as a whole; a time that leaves nothing becomes a wish."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import PASSAGE_NOTE, find, is_passage
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest

ARGUMENT = (
    "Herring boats should stay in harbour while the shoals are young. In May 2019 the council of Port Elmer let them"
    " sail, and old skippers still call that month a mistake: nets came back with fish too small to sell, prices sank,"
    " canneries closed their doors, and families that had lived from the quay moved inland to look for other work."
    " A closed season costs little, protects the next catch and keeps the harbour alive for those who come after us."
)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder: Path = tmp_path_factory.mktemp("passages")
    (folder / "in").mkdir()
    texts = {
        "counter": "A closed season for herring boats only moves the young shoals to other nets; the harbour starves.",
        "minutes": "Minutes of May 2019. The council of Port Elmer met in May 2019 and talked about benches.",
    }
    for name, text in texts.items():
        (folder / "in" / f"{name}.txt").write_text(text, encoding="utf-8")
    return build_warehouse(folder / "w", folder / "in")


def test_what_a_passage_names_in_passing_is_not_asked_for(warehouse: Warehouse) -> None:
    found = find(warehouse, SearchRequest(ARGUMENT), open_embedder("hashing"), date(2025, 1, 1))
    assert found.notes == (PASSAGE_NOTE,)
    assert {part.name for hit in found.hits for part in hit.parts} == {"meaning", "words"}
    asked = find(
        warehouse, SearchRequest("What did the council do in May 2019?"), open_embedder("hashing"), date(2025, 1, 1)
    )
    assert not asked.notes
    assert "time" in {part.name for hit in asked.hits for part in hit.parts}


@pytest.mark.parametrize(
    "text", ["revenue in Q2 2023", f"{ARGUMENT} What was the catch in May 2019?", "", "收入是多少"]
)
def test_questions_are_no_passages(text: str) -> None:
    assert not is_passage(text)


@pytest.mark.parametrize("text", [ARGUMENT, "鲱鱼船应当在鱼群幼小时留在港口。" * 12])
def test_passages_say_much_and_ask_nothing(text: str) -> None:
    assert is_passage(text)


@pytest.fixture(scope="module")
def zeppelin(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("widening")
    (folder / "in").mkdir()
    (folder / "in" / "note.md").write_text("The zeppelin left Friedrichshafen on 4 March 2021.\n")
    return build_warehouse(folder / "w", folder / "in")


@pytest.mark.parametrize(
    ("years", "said"),
    [
        ((2019, 2020), "from 2019-01-01 up to 2020-12-31"),
        ((9998, 9999), "from 9998-01-01"),
        ((9999, 9999), "from 9999"),
    ],
)
def test_years_that_hold_nothing_are_said(years: tuple[int, int], said: str, zeppelin: Warehouse) -> None:
    wanted = SearchRequest("zeppelin", Filters(years=years))
    found = find(zeppelin, wanted, open_embedder("hashing"), date(2025, 1, 1))
    assert [hit.citation.source for hit in found.hits] == ["in/note.md"]
    assert found.notes[0].startswith(f"nothing falls in the time {said}")


@pytest.mark.parametrize(
    ("time", "year"), [("on 4 March", 2021), ("in March", 2021), ("in Q1", 2021), ("on 5 April", 2024)]
)
def test_a_time_without_a_year_is_in_the_last_one_that_a_document_names(
    time: str, year: int, zeppelin: Warehouse
) -> None:
    request = SearchRequest(f"What did the zeppelin leave {time}?")
    found = find(zeppelin, request, open_embedder("hashing"), date(2025, 1, 1))
    assert [window.start and window.start.year for window in found.question.windows] == [year]
