"""A citation names the page of the lines that it quotes, in words and link, where a passage stands on several pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.answer_types import AnswerSource
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.document_spans import DocumentSpan, find_hits_at
from dashboards.serializers.answer_json import serialize_answer
from tasks.ask.excerpts import with_excerpts
from tasks.chunkers.parts.document_spans import find_page_at, list_page_starts
from tasks.query.retrieval import find
from tests.building import build_warehouse
from tests.tasks.parsers.drawn_pdf import Drawing, prose, rows
from warehouse.reader import Warehouse
from warehouse.records import Block, BlockKind, Box, Document, Kind, PageStart, Region, SearchRequest
from warehouse.settings.loader import load_settings

TODAY = date(2025, 11, 22)
HARBOURS = ("Anchorage", "Bergen", "Calais", "Dover", "Esbjerg", "Falmouth")


def landings(harbours: Sequence[str]) -> list[tuple[str, ...]]:
    return [(name, f"{100 + 7 * place}", f"{200 + 9 * place}") for place, name in enumerate(harbours)]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "sources").mkdir()
    drawing = Drawing()
    head = ("Herring landed", "2023", "2022")
    drawing.page(prose(72, 40))
    drawing.page([*rows(500, head, *landings(HARBOURS[:3])), *prose(640, 3)])
    drawing.page([(72, 85, "The quay at Dover closed in March after a storm tore its gates away.")])
    drawing.page(rows(72, head, *landings(HARBOURS)))
    (folder / "sources" / "fleet.pdf").write_bytes(drawing.data())
    return build_warehouse(folder / "warehouse", folder / "sources")


@pytest.fixture
def context(warehouse: Warehouse) -> ToolContext:
    return ToolContext(
        load_settings({"warehouse": warehouse.layout.folder, "embed": {"model": "hashing"}}), warehouse, TODAY
    )


def test_the_page_of_a_quoted_sentence_is_cited(context: ToolContext) -> None:
    wanted = SearchRequest("Why did the quay at Dover close in March?")
    found = find(context.warehouse, wanted, context.embedder, TODAY)
    first = found.hits[0]
    assert first.citation.page < 3 <= first.pages[-1].page, "the passage begins on an earlier page"
    read = with_excerpts(found.question, found.hits, context.embedder)[0]
    assert "Dover closed in March" in read.excerpt_text
    assert read.citation.page == context.warehouse.read_lines(read.document_id, *read.excerpt or (0, 0))[0].page
    answer = extract_answer(context, wanted, on_event=lambda _: None)
    source = answer.sources[0]
    assert source.citation.page == 3
    assert source.citation.url.endswith("fleet.pdf#page=3")
    assert source.citation.location == "Page 3"
    said = serialize_answer(wanted.text, answer)
    assert [each["citation"]["page"] for each in (said["extracts"][0], said["sources"][0])] == [3, 3]


def test_each_place_of_a_passage_is_cited_at_its_page(warehouse: Warehouse) -> None:
    document = warehouse.find_document_id("sources/fleet.pdf") or ""
    for start, end, name in _named(warehouse.read_text(document)):
        (line,) = warehouse.read_lines(document, start, end)
        for hit in find_hits_at(warehouse, DocumentSpan(document, start, end)):
            assert hit.citation.page == line.page, name
            assert hit.citation.url.endswith(f"#page={line.page}")
            assert AnswerSource(1, hit, ((start, end),)).citation.page == line.page


def test_a_passage_quoted_twice_is_cited_at_the_page_of_the_last_quotation(warehouse: Warehouse) -> None:
    document = warehouse.find_document_id("sources/fleet.pdf") or ""
    place = warehouse.read_text(document).index("Dover closed")
    hit = find_hits_at(warehouse, DocumentSpan(document, place, place + 12))[0]
    again = hit.with_excerpt(hit.start, hit.start + 10)
    assert (hit.citation.page, again.citation.page) == (3, hit.pages[0].page)
    assert again.citation.url.endswith(f"#page={hit.pages[0].page}")


def _named(text: str) -> list[tuple[int, int, str]]:
    found = []
    for name in HARBOURS:
        place = text.find(name)
        while place >= 0:
            found.append((place, place + len(name), name))
            place = text.find(name, place + 1)
    return found


@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_the_pages_of_a_span_are_those_of_its_lines(steps: list[list[int]], data: st.DataObject) -> None:
    document = _document(steps)
    start = data.draw(st.integers(0, len(document.text) - 1))
    end = data.draw(st.integers(start + 1, len(document.text)))
    found = list_page_starts(document, start, end)
    pages = [each.page for each in found]
    assert all(a != b for a, b in pairwise(pages))
    for block in document.blocks:
        for line in block.regions:
            for place in range(max(line.start, start), min(line.end, end)):
                said = [each.page for each in found if each.start <= place]
                assert said[-1:] == [line.page] == [find_page_at(block, place)]


def _document(steps: list[list[int]]) -> Document:
    """Blocks of lines of three characters; each number is how many pages further a line stands."""
    blocks: list[Block] = []
    place, page = 0, 1
    for ordinal, lines in enumerate(steps):
        regions = []
        for step in lines:
            page += step
            regions.append(Region(place + 4 * len(regions), place + 4 * len(regions) + 3, page, Box(0, 0, 1, 1)))
        end = regions[-1].end
        first = regions[0].page
        blocks.append(Block(ordinal, BlockKind.PARAGRAPH, place, end, first, 0, (), None, tuple(regions)))
        place = end + 2
    return Document(Kind.REPORT, "application/pdf", "x" * blocks[-1].end, tuple(blocks))


def test_formats_without_pages_have_none() -> None:
    block = Block(0, BlockKind.PARAGRAPH, 0, 4)
    assert list_page_starts(Document(Kind.TEXT, "text/plain", "text", (block,)), 0, 4) == ()
    assert list_page_starts(Document(Kind.TEXT, "text/plain", "text", (Block(0, BlockKind.TABLE, 0, 4, 7),)), 1, 3) == (
        PageStart(1, 7),
    )
