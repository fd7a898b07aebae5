"""What a question names brings its passages and puts them first; the report of the right period before the others."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Filters, Ranking, SearchRequest, SearchResult
from warehouse.search.signals.metadata import measure_nearness

FILLER = "The company keeps records of many matters that say little of this. "


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("naming")
    (folder / "filings").mkdir()
    for stem, company in (("QUILLCO", "QUILL CO., INC."), ("BRANDTWORKS", "Brandt Works Company")):
        for year in (2020, 2021, 2022):
            text = (
                f"FORM 10-K\n\nFor the fiscal year ended December 31, {year}\n\n{company}\n\n"
                "(Exact name of registrant as specified in its charter)\n\n"
                f"Capital expenditure was {year} dollars.\n\n" + FILLER * 300
            )
            (folder / "filings" / f"{stem}_{year}_10K.txt").write_text(text, encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "filings")


def asked(warehouse: Warehouse, text: str, wanted: Filters | None = None, *, names: bool = True) -> SearchResult:
    ranking = Ranking(names=names, distinct=False)
    return find(
        warehouse, SearchRequest(text, wanted or Filters(), ranking), open_embedder("hashing"), date(2024, 1, 1)
    )


@pytest.mark.parametrize(("company", "stem"), [("Quill", "QUILLCO"), ("Brandt Works", "BRANDTWORKS")])
@pytest.mark.parametrize("year", [2020, 2021, 2022])
def test_the_report_of_the_company_and_year_is_first(warehouse: Warehouse, company: str, stem: str, year: int) -> None:
    hits = asked(warehouse, f"What was {company}'s capital expenditure for FY{year}?").hits
    assert Path(hits[0].citation.source).stem == f"{stem}_{year}_10K"
    assert "Capital expenditure" in hits[0].text


def test_the_report_of_the_year_after_is_nearer_than_one_that_has_nothing_of_the_time(warehouse: Warehouse) -> None:
    snapshot = warehouse.snapshot
    question = asked(warehouse, "What was Quill's capital expenditure for FY2021?").question
    nearness = measure_nearness(snapshot, question)
    found = {}
    for stem in ("QUILLCO_2020_10K", "QUILLCO_2021_10K", "QUILLCO_2022_10K", "BRANDTWORKS_2021_10K"):
        ordinal = snapshot.passages.ordinal_of[warehouse.find_document_id(f"filings/{stem}.txt") or ""]
        (found[stem],) = set(nearness[snapshot.passages.document == ordinal].tolist())
    assert found["QUILLCO_2021_10K"] == 1.0
    assert 0.5 < found["QUILLCO_2022_10K"] < 1.0
    assert found["QUILLCO_2020_10K"] == found["BRANDTWORKS_2021_10K"] == 0.0
    assert measure_nearness(snapshot, asked(warehouse, "capital expenditure").question).min() == 1.0


def test_the_score_still_adds_up(warehouse: Warehouse) -> None:
    hit = asked(warehouse, "What was Quill's capital expenditure for FY2021?").hits[0]
    assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)
    assert {part.name for part in hit.parts} >= {"name"}
    assert 0 <= hit.score <= 1


def test_names_that_do_not_count_change_nothing(warehouse: Warehouse) -> None:
    found = asked(warehouse, "What was Quill's capital expenditure?", names=False)
    assert found.question.subjects == ()
    assert all(part.name != "name" for hit in found.hits for part in hit.parts)


def test_a_question_that_names_nobody_is_ranked_as_without_names(warehouse: Warehouse) -> None:
    text = "capital expenditure in dollars"
    assert asked(warehouse, text).hits == asked(warehouse, text, names=False).hits


def test_a_subject_stays_within_the_filters(warehouse: Warehouse) -> None:
    only = Filters(documents=(warehouse.find_document_id("filings/BRANDTWORKS_2020_10K.txt") or "",))
    hits = asked(warehouse, "Quill's capital expenditure", only).hits
    assert {Path(hit.citation.source).stem for hit in hits} == {"BRANDTWORKS_2020_10K"}


def test_a_name_that_nothing_holds_is_looked_for_in_words(warehouse: Warehouse) -> None:
    found = asked(warehouse, "capital expenditure", Filters(names=("Zanzibar",)))
    assert found.hits
    assert "'Zanzibar'" in found.notes[0]


def test_the_company_is_a_column(warehouse: Warehouse) -> None:
    found = warehouse.snapshot.query_rows("SELECT DISTINCT company FROM documents ORDER BY company")
    assert [row[0] for row in found] == ["Brandt Works Company", "QUILL CO., INC."]
