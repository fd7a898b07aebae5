"""Passages of a log are filtered, ordered and cited by the days of their rows, and parts of tables by their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from dashboards.assistant.answer_types import AnswerSource
from dashboards.assistant.citable_passages import CitablePassage
from dashboards.assistant.tools.document_spans import load_hits
from dashboards.cli.text_output import format_citation_heading
from dashboards.html.hits import describe_location, render_hit
from dashboards.serializers.search_results import format_hits_markdown, serialize_citation, serialize_hit
from tasks.ask.excerpts import with_excerpts
from tasks.ask.extracts import cite_quotations, find_extracts
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Citation, Filters, Hit, PageUnit, PassageRow, SearchRequest
from warehouse.search.topic import compile_hours

TODAY = date(2026, 11, 26)
DAY = timedelta(days=1)
FIRST = date(2021, 1, 1)
PORTS = ("Bergen", "Oslo", "Tromso", "Narvik")


def landings() -> list[str]:
    """400 rows, two a day, the newest first."""
    days = [FIRST + timedelta(place // 2) for place in reversed(range(400))]
    return [f"{day},{PORTS[place % 4]},{862 + place}" for place, day in enumerate(days)]


def readings() -> list[str]:
    """A row each twenty minutes of four days."""
    times = [datetime(2024, 3, 1) + timedelta(minutes=20 * place) for place in range(288)]  # noqa: DTZ001
    return [
        f"{time:%Y-%m-%dT%H:%M:%SZ},{12 + place % 7}.{place % 10},{60 + place % 11}" for place, time in enumerate(times)
    ]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("logs")
    files: Mapping[str, tuple[str, list[str]]] = {
        "landings": ("Day,Port,Cargo", landings()),
        "readings": ("Time,Temperature,Pressure", readings()),
        "months": ("Month,Sales", [f"20{year}-{month:02},{month}" for year in (19, 20) for month in range(1, 13)]),
        "bonds": ("Bond,Maturity", [f"B{place},20{30 + place}-05-01" for place in range(9)]),
    }
    (folder / "files").mkdir()
    for name, (header, rows) in files.items():
        (folder / "files" / f"{name}.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "files")


def ask(house: Warehouse, text: str, **filters: object) -> list[Hit]:
    request = SearchRequest(text, Filters(**filters))  # type: ignore[arg-type]
    found = find(house, request, open_embedder("hashing"), TODAY)
    return with_excerpts(found.question, found.hits, open_embedder("hashing"))


def test_documents_are_of_their_last_row_or_undated(house: Warehouse) -> None:
    dated = {entry.file.path: entry.document_date for entry in house.list_documents()}
    last = FIRST + timedelta(199)
    assert dated == {
        "landings.csv": last, "readings.csv": date(2024, 3, 4), "months.csv": date(2020, 12, 31), "bonds.csv": None,
    }  # fmt: skip


def test_each_passage_of_a_long_table_names_its_rows_and_days(house: Warehouse) -> None:
    ids = [
        name for (name,) in house.snapshot.query_rows("SELECT chunk_id FROM chunks ORDER BY document_id, chunk_index")
    ]
    hits = [hit for hit in load_hits(house, ids) if hit.citation.title == "landings"]
    lines = landings()
    assert len(hits) > 10
    seen = 0
    for hit in hits:
        assert hit.citation.rows
        first, last = hit.citation.rows
        assert first == seen + 1
        seen = last
        own = [line.split(",") for line in lines[first - 1 : last]]
        assert [hit.text[row.start - hit.start : row.end - hit.start] for row in hit.rows] == [
            f"| {' | '.join(cells)} |" for cells in own
        ]
        days = [date.fromisoformat(cells[0]) for cells in own]
        assert [row.days for row in hit.rows] == [(day, day + DAY) for day in days]
        assert (hit.citation.date, hit.citation.last_date) == (days[-1], days[0])
    assert seen == len(lines)


def test_filters_by_date_find_the_rows_of_the_days(house: Warehouse) -> None:
    day = FIRST + timedelta(121)
    for filters in ({"since": day}, {"until": day + DAY}, {"since": day, "until": day + DAY}):
        hits = ask(house, f"cargo of {day}", **filters)
        assert f"| {day} |" in hits[0].text
    assert {hit.citation.title for hit in ask(house, "cargo", since=date(2024, 3, 4))} == {"readings"}
    request = SearchRequest("cargo", Filters(since=date(2025, 1, 1)))
    assert any(
        "2024-03-04, an entry in" in note for note in find(house, request, open_embedder("hashing"), TODAY).notes
    )
    assert {hit.citation.title for hit in ask(house, "sales", until=date(2019, 6, 1))} == {"months"}


@pytest.mark.parametrize("place", [0, 7, 300, 301, 398])
def test_the_row_of_a_day_and_what_it_says_is_found_shown_and_cited(house: Warehouse, place: int) -> None:
    day, port, cargo = landings()[place].split(",")
    best = ask(house, f"What was the cargo in {port} on {day}?")[0]
    assert f"| {day} | {port} | {cargo} |" in best.excerpt_text
    assert best.headed_excerpt.startswith("[TABLE 1]\n| Day | Port | Cargo |\n| --- | --- | --- |\n| ")
    assert best.excerpt_text.count("\n") == 1  # The two rows of the day.
    assert (best.citation.shown_date, best.citation.place) == (day, f"rows {place // 2 * 2 + 1}–{place // 2 * 2 + 2}")


@pytest.mark.parametrize("asked", ["at 13:40", "at 1:40 pm", "13:40"])
@pytest.mark.parametrize("day", [1, 2, 4])
def test_the_passage_of_an_hour_comes_first(house: Warehouse, asked: str, day: int) -> None:
    best = ask(house, f"What was the temperature on 2024-03-0{day} {asked}?")[0]
    assert f"| 2024-03-0{day}T13:40:00Z |" in best.text


def test_the_newest_rows_come_first_where_the_latest_is_asked_for(house: Warehouse) -> None:
    hits = ask(house, "latest cargo in Oslo")
    assert hits[0].citation.rows
    assert hits[0].citation.rows[0] == 1
    question = find(house, SearchRequest("latest cargo in Oslo"), open_embedder("hashing"), TODAY).question
    extracts = find_extracts(question, hits, open_embedder("hashing"))
    newest = next(line for line in landings() if "Oslo" in line)
    assert extracts[0].text == f"| Day | Port | Cargo |\n| {' | '.join(newest.split(','))} |"
    assert cite_quotations(hits[0], extracts[0].text).place == "row 2"


def test_several_quoted_rows_are_cited_together(house: Warehouse) -> None:
    hit = ask(house, f"cargo of {FIRST + timedelta(121)}")[0]
    rows = hit.rows[4], hit.rows[0]
    spans = [(row.start, row.end) for row in rows]
    texts = [f"{hit.row_header}\n{hit.text[start - hit.start : end - hit.start]}" for start, end in spans]
    for cited in (cite_quotations(hit, *texts), AnswerSource(1, hit, tuple(spans)).citation):
        assert cited.rows == (rows[1].number, rows[0].number)
        assert [cited.date, cited.last_date] == sorted(row.days[0] for row in rows if row.days)


def test_a_table_that_a_passage_holds_whole_has_days_and_no_numbers(house: Warehouse) -> None:
    best = ask(house, "sales in May 2019")[0]
    assert (best.citation.place, best.citation.shown_date) == ("", "2019-05-01 to 2019-05-31")
    assert best.headed_excerpt.endswith("| --- | --- |\n| 2019-05 | 5 |")


def test_rows_that_mature_date_no_passage(house: Warehouse) -> None:
    (bonds,) = [hit for hit in ask(house, "maturity of bond B3") if hit.citation.title == "bonds"]
    assert (bonds.citation.shown_date, bonds.rows) == ("undated", ())


def test_all_interfaces_name_the_rows(house: Warehouse) -> None:
    best = ask(house, f"cargo of {FIRST + timedelta(121)}")[0]
    best = best.with_excerpt(best.rows[0].start, best.rows[0].end)
    cited = best.citation
    assert cited.rows
    place, days = f"row {cited.rows[0]}", f"{cited.date}"
    assert format_citation_heading("1.", cited) == f"1. landings, {place}, {days}"
    assert cited.formatted.startswith(f"landings (Row {cited.rows[0]}, Chunk ")
    assert f"Date: {days} |" in cited.formatted
    assert describe_location(cited).startswith(f"Row {cited.rows[0]}, passage ")
    assert f"**landings, {place}, {days}**" in format_hits_markdown([best])
    assert serialize_citation(cited)["rows"] == cited.rows
    assert serialize_hit(best)["citation"]["location"] == cited.location
    assert "rows" not in serialize_hit(best)
    assert f"Row {cited.rows[0]}, passage " in render_hit(1, best, frozenset())
    assert cited.location in CitablePassage(best, ((0, 1),)).title


def test_a_citation_says_page_sheet_and_rows() -> None:
    cited = Citation("d", "Log", "a.pdf", 3, 0, 1, (), 1.0, FIRST, "Log", "", rows=(41, 1_280))
    assert (cited.place, cited.location) == ("page 3, rows 41–1,280", "Page 3, rows 41–1,280, Chunk 2")
    sheet = replace(cited, page=None, section=("Prices",), unit=PageUnit.SHEET)
    assert (sheet.place, sheet.location) == ("sheet Prices, rows 41–1,280", "Sheet Prices, rows 41–1,280, Chunk 1")
    rows = [PassageRow(0, 5, 41, (FIRST, FIRST + DAY)), PassageRow(6, 9, 42, (FIRST + DAY, FIRST + 2 * DAY))]
    both, one = cited.with_rows(rows), cited.with_rows(rows[:1])
    assert (both.rows, both.shown_date) == ((41, 42), "2021-01-01 to 2021-01-02")
    assert (one.place, one.shown_date) == ("page 3, row 41", "2021-01-01")
    undated = cited.with_rows([PassageRow(0, 5, 41)])
    assert (undated.rows, undated.date) == ((41, 41), FIRST)
    unnumbered = replace(cited, rows=None).with_rows([PassageRow(0, 5, None, (FIRST, FIRST + DAY))])
    assert (unnumbered.place, unnumbered.date) == ("page 3", FIRST)


@pytest.mark.parametrize(
    ("question", "said", "other"),
    [
        ("at 6:30", ["06:30", "T06:30:00Z", "6:30:15"], ["16:30", "06:31", "6:30 pm", "06:300"]),
        ("at 1:05 pm", ["13:05", "1:05 PM", "01:05:00 p.m."], ["01:05", "1:05 am"]),
        ("12:00 am", ["00:00", "12:00 AM"], ["12:00 pm", "12:00"]),
    ],
)
def test_hours_are_found_as_logs_write_them(question: str, said: list[str], other: list[str]) -> None:
    pattern = compile_hours(f"What was it on 2024-03-01 {question}?")
    assert pattern
    assert all(pattern.search(f"| {line} |") for line in said)
    assert not any(pattern.search(f"| {line} |") for line in other)
    assert compile_hours("What was the ratio in 2024, version 3.4?") is None
