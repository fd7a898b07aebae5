"""What invented filings and releases of many layouts are of, and that nothing that is shown of them is denied."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tasks.coverage import list_companies
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from tests.tasks.temporal.filed_documents import FILED
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest
from warehouse.search.catalogue import make_company_key

TODAY = date(2026, 1, 1)
PERIODS = [path for path, filed in FILED.items() if filed.start and filed.last]
ORDINALS = {"1": "first", "2": "second", "3": "third", "4": "fourth"}


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("filed")
    (folder / "f").mkdir()
    for path, document in FILED.items():
        (folder / "f" / path).write_text(document.text, encoding="utf-8")
    return build_warehouse(folder / "w", folder / "f")


def test_each_document_is_of_its_company_and_its_period(filed: Warehouse) -> None:
    sql = "SELECT path, company, reported_name, reported_start, reported_end FROM documents ORDER BY path"
    wrong = []
    for path, company, name, start, end in filed.snapshot.query_rows(sql):
        true = FILED[path]
        if make_company_key(company) != make_company_key(true.company):
            wrong.append((path, "company", company))
        if true.name and name != true.name:
            wrong.append((path, "name", name))
        if true.start and start != true.start:
            wrong.append((path, "start", str(start)))
        if true.last and (end is None or end - timedelta(days=1) != true.last):
            wrong.append((path, "end", str(end)))
        if path.startswith("guidance") and name:
            wrong.append((path, "guidance", name))
    assert wrong == []


def test_each_company_has_one_name(filed: Warehouse) -> None:
    found = list_companies(filed)
    assert len(found) == len({make_company_key(document.company) for document in FILED.values()})
    assert sum(len(company.documents) for company in found) == len(FILED)


def questions(path: str) -> list[str]:
    """Ways to ask for the period of a document."""
    true = FILED[path]
    assert true.last
    whose, last = true.company, f"{true.last:%B} {true.last.day}, {true.last.year}"
    asked = [f"What did {whose} report for the quarter ended {last}?", f"Results of the period ended {last}"]
    if true.name and true.name.startswith("Q"):
        quarter, year = true.name[1], true.name[3:]
        words = (f"Q{quarter} {year}", f"Q{quarter} fiscal {year}", f"the {ORDINALS[quarter]} quarter of {year}")
        asked += [f"What did {whose} report for {each}?" for each in words]
    elif true.name:
        asked.append(f"What did {whose} report for fiscal {true.name[-4:]}?")
    return asked


@pytest.mark.parametrize("path", PERIODS)
def test_nothing_that_is_shown_is_denied(filed: Warehouse, path: str) -> None:
    for question in questions(path):
        found = find(filed, SearchRequest(question), open_embedder("hashing"), TODAY)
        denied = [note for note in found.notes if "no report covers" in note]
        assert not denied, question
        assert not filed.explain_absence(found.question), question


def test_a_month_in_which_a_shown_document_was_published_is_not_denied(filed: Warehouse) -> None:
    found = find(filed, SearchRequest("What did Orrin file in October 2023?"), open_embedder("hashing"), TODAY)
    assert found.hits[0].citation.source.endswith("8k.txt")
    assert found.notes == ()
    (note,) = find(filed, SearchRequest("What did Orrin file in October 2019?"), open_embedder("hashing"), TODAY).notes
    assert note.startswith("no report covers October 2019 for Orrin; nearest is ")
