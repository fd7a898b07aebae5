"""Three clocks in the ranking: what is mentioned, what is reported, when it was published; and what nothing is of."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Filters, Ranking, SearchRequest, SearchResult

TODAY = date(2025, 11, 22)
COVERS = {
    "q1": "Quarterly report\n\nFor the quarterly period ended September 30, 2022\n\nPublished November 3, 2022.",
    "q2": "Quarterly report\n\nFor the quarterly period ended December 31, 2022\n\nPublished February 3, 2023.",
    "q3": "Quarterly report\n\nFor the quarterly period ended March 31, 2023\n\nPublished May 3, 2023.",
}
SAME = "The turbine works sold turbines and made a profit. Our fiscal year ends on June 30."


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("clocks")
    (folder / "reports").mkdir()
    for name, cover in COVERS.items():
        # A page of its own for the cover: the passage that answers says nothing of time.
        (folder / "reports" / f"{name}.md").write_text(
            f"# Report {name}\n\n{cover}\n\n{'Contents. ' * 150}\n\n## Results\n\n{SAME} Item {name}.\n",
            encoding="utf-8",
        )
    return build_warehouse(folder / "warehouse", folder / "reports")


def ask(warehouse: Warehouse, text: str, **more: object) -> SearchResult:
    filters = more.get("filters", Filters())
    assert isinstance(filters, Filters)
    ranking = Ranking(times=more.get("times", True) is True, distinct=False)
    return find(warehouse, SearchRequest(text, filters, ranking), open_embedder("hashing"), TODAY)


def first(found: SearchResult) -> str:
    return Path(found.hits[0].citation.source).stem


def test_the_period_of_each_document_is_known(warehouse: Warehouse) -> None:
    rows = warehouse.snapshot.query_rows("SELECT reported_name, reported_start FROM documents ORDER BY path")
    assert rows == [("Q1 2023", date(2022, 7, 1)), ("Q2 2023", date(2022, 10, 1)), ("Q3 2023", date(2023, 1, 1))]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("in Q1 of fiscal 2023", "q1"),
        ("in Q2 FY2023", "q2"),
        ("in FY2023Q3", "q3"),
        ("for the quarter ended December 31, 2022", "q2"),
    ],
)
def test_a_passage_without_a_time_has_that_of_its_document(warehouse: Warehouse, words: str, name: str) -> None:
    assert first(ask(warehouse, f"Did the turbine works make a profit {words}?")) == name


def test_the_latest_is_the_newest_there_is(warehouse: Warehouse) -> None:
    assert first(ask(warehouse, "latest profit of the turbine works sold turbines")) == "q3"


def test_as_of_a_day_prefers_what_was_known(warehouse: Warehouse) -> None:
    assert first(ask(warehouse, "turbine works sold turbines profit as of January 2023")) in {"q1", "q2"}


def test_a_time_left_out_goes_down(warehouse: Warehouse) -> None:
    found = ask(warehouse, "turbine works sold turbines profit other than in Q2 FY2023")
    assert found.question.windows[0].excluded
    assert first(found) != "q2"


def test_what_no_report_covers_is_said(warehouse: Warehouse) -> None:
    assert ask(warehouse, "profit in Q3 of fiscal 2023").notes == ()
    assert ask(warehouse, "profit in Q2 of fiscal 2019").notes == (
        "no report covers Q2 of fiscal 2019; nearest is Q1 fiscal 2023 (Jul 1 to Sep 30, 2022)",
    )
    (note,) = ask(warehouse, "profit between May and August 2019").notes
    assert note.startswith("no report covers the time between May and August 2019; nearest is Q1 fiscal 2023")


@pytest.mark.parametrize(
    "words", ["between May and August 2024", "in summer and autumn 2024", "from June 2024 to May 2025"]
)
def test_dated_rows_cover_the_time_that_no_report_covers(tmp_path: Path, words: str) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents/report.md").write_text(f"# Report\n\n{COVERS['q1']}\n\n{SAME}\n", "utf-8")
    rows = "".join(f"2024-{month:02}-12,Orbit,{month}00.00\n" for month in range(3, 12))
    (tmp_path / "documents/payments.csv").write_text(f"Date,Payee,Amount\n{rows}", "utf-8")
    payments = build_warehouse(tmp_path / "warehouse", tmp_path / "documents")
    assert ask(payments, f"payments to Orbit {words}").notes == ()


@pytest.mark.parametrize("season", ["for the winter", "in Winter", "this summer", "last autumn", "in the fall of 2019"])
def test_no_report_is_missed_of_a_season(warehouse: Warehouse, season: str) -> None:
    assert ask(warehouse, f"How much profit should be kept {season}?").notes == ()


def test_a_demand_that_leaves_nothing_is_widened_and_said(warehouse: Warehouse) -> None:
    filters = Filters(during=(date(2010, 1, 1), date(2010, 4, 1)))
    found = ask(warehouse, "turbine profit", filters=filters)
    assert found.hits
    said = "nothing falls in the time from 2010-01-01 up to 2010-03-31: these are of others; nearest is "
    assert found.notes[0].startswith(said)


WORDS = st.lists(st.sampled_from(["turbine", "works", "sold", "profit", "results", "report"]), min_size=1)


@given(WORDS)
def test_a_question_without_a_time_never_loses_by_time(warehouse: Warehouse, words: list[str]) -> None:
    text = " ".join(words)
    assert ask(warehouse, text).hits == ask(warehouse, text, times=False).hits
