"""A paper that several files hold counts once: in results, in counts and in lists, which name its copies."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.tools.contract import TOOLS, ToolContext
from tasks.ask.collection.answers import answer_collection_question
from tasks.parsers.pdf.blocks.document_writer import find_doi
from tasks.query.retrieval import find
from tests.building import build_warehouse
from tests.tasks.parsers.drawn_pdf import Drawing
from warehouse.records import Filters, SearchRequest
from warehouse.settings.loader import load_settings
from warehouse.store.works import find_copies

TODAY = date(2025, 11, 22)
TITLE = "Herring landings at northern quays"
PROSE = "Landings of herring fell by a third at the northern quays because nobody counted them in the dark."


def jats(doi: str, title: str = TITLE, author: str = "Smith") -> str:
    name = f"<name><surname>{author}</surname><given-names>Jane</given-names></name>"
    people = f"<contrib-group><contrib contrib-type='author'>{name}</contrib></contrib-group>"
    about = f"<article-id pub-id-type='doi'>{doi}</article-id>"
    titled = f"<title-group><article-title>{title}</article-title></title-group>"
    head = f"<front><article-meta>{about}{titled}{people}</article-meta></front>"
    body = f"<body><sec><title>Results</title><p>{PROSE}</p></sec></body>"
    return f"<article article-type='research-article'>{head}{body}</article>"


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder = tmp_path_factory.mktemp("works")
    sources = folder / "papers"
    sources.mkdir()
    (sources / "a.xml").write_text(jats("10.1234/herring.1"))
    (sources / "a again.xml").write_text(jats("https://doi.org/10.1234/HERRING.1").replace("in the dark", "at night"))
    (sources / "same title.xml").write_text(jats("", TITLE.upper()).replace("in the dark", "after dark"))
    (sources / "other.xml").write_text(
        jats("10.1234/cod.2", "Cod landings at southern quays").replace("herring", "cod")
    )
    lines = [
        (72.0, 72.0, "Herring landings"),
        (72.0, 90.0, "https://doi.org/10.1234/herring.1"),
        (72.0, 120.0, PROSE[:88]),
    ]
    (sources / "print.pdf").write_bytes(Drawing().page(lines).data())
    warehouse = build_warehouse(folder / "warehouse", sources)
    return ToolContext(
        load_settings({"warehouse": warehouse.layout.folder, "embed": {"model": "hashing"}}), warehouse, TODAY
    )


def test_a_paper_takes_one_place_and_names_its_copies(context: ToolContext) -> None:
    hits = find(
        context.warehouse,
        SearchRequest("Why did landings of herring fall at the northern quays?"),
        context.embedder,
        TODAY,
    ).hits
    sources = [hit.citation.source for hit in hits]
    assert len(sources) == 2
    assert "papers/other.xml" in sources
    first = next(hit for hit in hits if hit.citation.source != "papers/other.xml")
    also = {citation.source for citation in first.duplicates} | {first.citation.source}
    assert also == {"papers/a.xml", "papers/a again.xml", "papers/same title.xml", "papers/print.pdf"}


def test_a_copy_that_is_asked_for_is_read(context: ToolContext) -> None:
    printed = context.warehouse.find_document_id("papers/print.pdf") or ""
    wanted = SearchRequest("Why did landings of herring fall?", Filters(documents=(printed,)))
    hits = find(context.warehouse, wanted, context.embedder, TODAY).hits
    assert {hit.citation.source for hit in hits} == {"papers/print.pdf"}


def test_lists_name_its_copies_with_it_and_counts_say_how_many_there_are(context: ToolContext) -> None:
    answer = answer_collection_question(context.warehouse, "How many papers are there?", Filters(), TODAY)
    assert answer is not None
    assert "2 papers" in f"{answer.head} {answer.format_text()}"
    assert answer.notes == ("2 more files are copies of them",)
    listed = TOOLS["list_documents"].call(context, {})
    assert listed.data is not None
    assert (listed.data["count"], listed.data["copies"], len(listed.data["documents"])) == (5, 3, 2)
    assert listed.text.startswith("5 documents, 3 of them copies, named with the first:")
    assert listed.text.count("Copy: ") == 3


ROW = {"kind": "paper", "title": "", "authors": (), "doi": "", "pmcid": ""}


def copies(*rows: dict[str, Any]) -> dict[str, str]:
    return find_copies({**ROW, "document_id": str(place), **row} for place, row in enumerate(rows))


def test_what_makes_files_one_work() -> None:
    long = "On the counting of herring at quays"
    assert copies({"doi": "10.1000/A.b"}, {"doi": "https://doi.org/10.1000/a.B"}) == {"1": "0"}
    assert copies({"pmcid": "PMC12"}, {"pmcid": "12"}) == {"1": "0"}
    assert copies({"title": long, "authors": ("Jane Smith",)}, {"title": f"{long}.", "authors": ("Smith, J.",)}) == {
        "1": "0"
    }
    assert copies({"title": long, "authors": ("Jane Smith",)}, {"title": long, "authors": ("Per Dahl",)}) == {}
    assert copies({"title": "Editorial"}, {"title": "Editorial"}) == {}
    assert copies({"title": long, "kind": "report"}, {"title": long, "kind": "report"}) == {}
    assert copies({"doi": "10.1000/a", "title": long}, {"doi": "10.1000/a"}, {"title": long}) == {"1": "0", "2": "0"}
    assert copies({}, {}) == {}


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "10.1000/a", "10.1000/b"]), st.sampled_from(["", "PMC1", "PMC2"])), max_size=8
    )
)
def test_no_copy_counts_for_another(keys: list[tuple[str, str]]) -> None:
    found = copies(*({"doi": doi, "pmcid": pmcid} for doi, pmcid in keys))
    assert not set(found.values()) & found.keys()


def test_the_doi_of_a_printed_paper() -> None:
    assert find_doi("Harbours 3\ndoi: 10.1234/Herring.1.\nText") == "10.1234/herring.1"
    assert find_doi("https://doi.org/10.1234/a https://doi.org/10.1234/a") == "10.1234/a"
    assert find_doi("doi:10.1234/a and doi:10.1234/b") == ""
    assert find_doi("The directory 10.1234 holds") == ""
