"""The second hop: what the names in the first hit lead to, and when nobody takes it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Mode, Ranking, SearchRequest

PASSAGES = {
    "film": "The wild comedy about tanks was directed by a woman called Rachel Talalay for the studio.",
    "life": "As a student, Rachel Talalay swam, painted and looked after goats in Baltimore.",
    **{
        f"other{n}": f"The student number {n} who grew up somewhere directed traffic and sang a song." for n in range(9)
    },
}
QUESTION = "Where did the woman who directed the wild comedy about tanks grow up?"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder: Path = tmp_path_factory.mktemp("hop")
    (folder / "in").mkdir()
    for name, text in PASSAGES.items():
        (folder / "in" / f"{name}.txt").write_text(text, encoding="utf-8")
    return build_warehouse(folder / "w", folder / "in")


def found(warehouse: Warehouse, question: str, ranking: Ranking) -> list[str]:
    wanted = SearchRequest(question, ranking=ranking, k=3)
    answer = find(warehouse, wanted, open_embedder("hashing"), date(2025, 1, 1))
    for hit in answer.hits:
        assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)
        assert 0 <= hit.score <= 1
    return [Path(hit.citation.source).stem for hit in answer.hits]


def test_the_names_of_the_first_hit_lead_to_the_second(warehouse: Warehouse) -> None:
    assert found(warehouse, QUESTION, Ranking())[:2] == ["film", "life"]
    assert "life" not in found(warehouse, QUESTION, Ranking(relevance_feedback=False))


@pytest.mark.parametrize("mode", [Mode.DENSE, Mode.KEYWORD])
def test_one_half_alone_is_left_alone(warehouse: Warehouse, mode: Mode) -> None:
    assert found(warehouse, QUESTION, Ranking(mode=mode)) == found(
        warehouse, QUESTION, Ranking(mode=mode, relevance_feedback=False)
    )


def test_names_that_the_question_has_lead_nowhere(warehouse: Warehouse) -> None:
    asked = "Rachel Talalay Baltimore"
    assert found(warehouse, asked, Ranking()) == found(warehouse, asked, Ranking(relevance_feedback=False))


def test_a_table_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    table = "| Wild comedy about tanks | directed by the woman |\n| --- | --- |\n| Tank Girl | Rachel Talalay |\n"
    (tmp_path / "in" / "film.md").write_text(f"# Comedies\n\n{table}", encoding="utf-8")
    for name in ("life", "other1", "other2"):
        (tmp_path / "in" / f"{name}.txt").write_text(PASSAGES[name], encoding="utf-8")
    own = build_warehouse(tmp_path / "w", tmp_path / "in")
    assert found(own, QUESTION, Ranking())[0] == "film"
    assert found(own, QUESTION, Ranking()) == found(own, QUESTION, Ranking(relevance_feedback=False))
