"""Companies of a warehouse, and the rows of companies and documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.coverage.companies import document_rows, list_companies
from tests.building import build_warehouse
from warehouse.reader import Warehouse


@pytest.fixture(scope="module")
def scattered(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("scattered")
    (folder / "f").mkdir()
    quarters = "".join(f"Sales rose in Q{q} {year}. " for year in range(2019, 2025) for q in (1, 2, 3, 4))
    for name, head, rest in (
        ("a", "---\ndate: 2024-05-02\n---\n", "The abbey was founded on October 14, 1066. The lease ends in 2100."),
        ("b", "", ""),
    ):
        (folder / "f" / f"{name}.md").write_text(f"{head}# Sales\n\n{quarters}{rest}\n", encoding="utf-8")
    return build_warehouse(folder / "w", folder / "f")


def test_one_company_under_two_names(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    for stem, name in (("a", "QUILL CO., INC."), ("b", "Quill")):
        text = f"FORM 10-K\n\n{name}\n\n(Exact name of registrant as specified in its charter)\n\nIt went on.\n"
        (tmp_path / "f" / f"{stem}.txt").write_text(text, encoding="utf-8")
    found = list_companies(build_warehouse(tmp_path / "w", tmp_path / "f"))
    assert [len(company.documents) for company in found] == [2]


def test_a_company_has_the_plainest_of_its_names_and_one_row(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    cover = "FORM 10-K\n\n{}\n\n(Exact name of registrant as specified in its charter)\n\nIt went on.\n"
    texts = {
        "a": cover.format("ORRIN CORP"),
        "b": cover.format("Orrin Corporation"),
        "c": "Orrin Reports Second-Quarter 2022 Results\n\nSales rose.\n",
        "d": "OBAN, Wash., May 25, 2023 (GLOBE NEWSWIRE) -- Vale Boxes, Inc. (NYSE: VLB) today announced results.\n",
        "e": "OBAN, Wash., May 26, 2022 (GLOBE NEWSWIRE) -- Vale (NYSE: VLB) today announced its results.\n",
    }
    for stem, text in texts.items():
        (tmp_path / "f" / f"{stem}.txt").write_text(text, encoding="utf-8")
    found = list_companies(build_warehouse(tmp_path / "w", tmp_path / "f"))
    assert [(company.name, company.spellings) for company in found] == [
        ("Orrin", ("ORRIN CORP", "Orrin", "Orrin Corporation")),
        ("Vale", ("Vale", "Vale Boxes, Inc.")),
    ]
    assert [len(company.documents) for company in found] == [3, 2]


def test_documents_of_one_title_have_a_row_each(scattered: Warehouse) -> None:
    assert [each.name for each in document_rows(scattered, 0, 9)] == ["Sales (f/a.md)", "Sales (f/b.md)"]
