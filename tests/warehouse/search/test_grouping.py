"""Which passages get a place among the hits: what says the same shares one, parents take that of their leaves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from tests.tasks.parsers.drawn_pdf import Drawing
from warehouse.reader import Warehouse
from warehouse.records import Hit, Ranking, SearchRequest
from warehouse.search.grouping import MAX_PART_LENGTH

NOTICE = (
    "The harbour office takes no liability for goods that stay on the quay overnight, whoever left them there "
    "and for whatever reason, and asks all skippers to read the posted rules before they moor."
)


def warehouse_of(folder: Path, files: dict[str, str], **settings: Any) -> Warehouse:
    for name, text in files.items():
        (folder / "files").mkdir(exist_ok=True)
        (folder / "files" / name).write_text(text, encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "files", **settings)


def hits(warehouse: Warehouse, question: str, k: int = 5, **ranking: Any) -> Sequence[Hit]:
    wanted = SearchRequest(question, ranking=Ranking(**ranking), k=k)
    return find(warehouse, wanted, open_embedder("hashing"), date(2024, 1, 1)).hits


@pytest.fixture(scope="module")
def notices(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    others = {f"other{number}.txt": f"Skippers of ship {number} read the rules of the quay." for number in range(6)}
    same = {f"notice{number}.txt": NOTICE for number in range(3)}
    dated = {"dated.txt": NOTICE.replace("overnight", "overnight in 2024")}
    return warehouse_of(tmp_path_factory.mktemp("notices"), {**others, **same, **dated})


def test_what_says_the_same_takes_one_place_and_says_where_else_it_stands(notices: Warehouse) -> None:
    found = hits(notices, "liability for goods on the quay")
    sources = [hit.citation.source for hit in found]
    assert sources.count("files/dated.txt") == 1
    (notice,) = [hit for hit in found if "notice" in hit.citation.source]
    assert {notice.citation.source, *(each.source for each in notice.duplicates)} == {
        f"files/notice{number}.txt" for number in range(3)
    }


def test_those_below_move_up(notices: Warehouse) -> None:
    assert len(hits(notices, "liability for goods on the quay", k=8)) == 8
    assert len(hits(notices, "liability for goods on the quay", k=10)) == 8


def test_every_passage_has_its_place_where_that_is_asked(notices: Warehouse) -> None:
    found = hits(notices, "liability for goods on the quay", k=10, distinct=False)
    assert len(found) == 10
    assert not any(hit.duplicates for hit in found)


def test_at_most_so_many_hits_are_of_one_document(tmp_path: Path) -> None:
    long = "\n\n".join(f"Herring number {number} was landed at quay {number}. " * 8 for number in range(300))
    held = warehouse_of(tmp_path, {"long.txt": long, "a.txt": "A herring.", "b.txt": "Cod, no other fish."})
    assert len({hit.document_id for hit in hits(held, "herring landed")}) == 1
    assert len(hits(held, "herring landed", per_document=1)) == 3
    assert len(hits(held, "herring landed", per_document=2)) == 4


@pytest.fixture(scope="module")
def leaves(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    chapters = [
        f"# Chapter {topic}\n\n"
        + "\n\n".join(f"The {topic} of part {part} is told here at some length, and so on. " * 2 for part in range(4))
        for topic in ("herring", "lighthouse", "weather")
    ]
    return warehouse_of(
        tmp_path_factory.mktemp("leaves"),
        {"book.md": "\n\n".join(chapters)},
        chunk={"chunker": "hierarchical", "size": 150},
    )


def test_a_parent_takes_the_place_of_its_leaves(leaves: Warehouse) -> None:
    first, *rest = hits(leaves, "lighthouse of part", k=4)
    assert len(first.leaves) > 2
    assert first.text.count("lighthouse of part") >= 2 * len(first.leaves) - 1
    assert leaves.read_text(first.document_id)[first.start : first.end] == first.text
    assert sum(part.value for part in first.parts) == pytest.approx(first.score)
    assert [hit.score for hit in (first, *rest)] == sorted((hit.score for hit in (first, *rest)), reverse=True)
    assert not any("lighthouse" in hit.text for hit in rest)


def test_leaves_stay_where_that_is_asked(leaves: Warehouse) -> None:
    found = hits(leaves, "lighthouse of part", k=4, merge=False)
    assert len(found) == 4
    assert not any(hit.leaves for hit in found)


def test_few_leaves_bring_no_parent(leaves: Warehouse) -> None:
    assert not any(hit.leaves for hit in hits(leaves, "lighthouse of part", k=1))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A PDF of three pages with several passages each; the second is longer than what is read in one piece."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "files").mkdir()
    topics = {"herring": 24, "lighthouse": 52, "weather": 24}
    drawing = Drawing()
    for topic, count in topics.items():
        lines = [
            f"The {topic} of part {part} is told here, at some length, by keeper {part + 7}." for part in range(count)
        ]
        drawing.page([(72.0, 40.0 + 14 * place, line) for place, line in enumerate(lines)])
    (folder / "files" / "report.pdf").write_bytes(drawing.data())
    return build_warehouse(folder / "warehouse", folder / "files", chunk={"size": 120})


def test_passages_of_one_page_are_read_in_one_piece(pages: Warehouse) -> None:
    first, *_ = found = hits(pages, "herring of part", k=3)
    assert {each.page for each in first.pages} == {1}
    assert len(first.leaves) > 1
    assert first.chunk_id in first.leaves
    leaves = pages.snapshot.read_chunks(first.leaves)
    assert first.start == min(chunk.start for chunk, _ in leaves.values())
    assert first.end == max(chunk.end for chunk, _ in leaves.values())
    assert pages.read_text(first.document_id)[first.start : first.end] == first.text
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert all(hit.end - hit.start <= MAX_PART_LENGTH for hit in found)


def test_passages_of_one_page_have_their_places_where_that_is_asked(pages: Warehouse) -> None:
    apart = hits(pages, "herring of part", k=3, distinct=False)
    assert not any(hit.leaves for hit in apart)
    assert len({each.page for hit in apart for each in hit.pages}) == 1


def test_a_long_page_is_read_in_several_pieces(pages: Warehouse) -> None:
    held = [hit for hit in hits(pages, "lighthouse of part", k=10) if {each.page for each in hit.pages} == {2}]
    assert len(held) > 1
    assert all(len(hit.text) <= MAX_PART_LENGTH for hit in held)
    assert len({leaf for hit in held for leaf in hit.leaves}) == sum(len(hit.leaves) for hit in held)
