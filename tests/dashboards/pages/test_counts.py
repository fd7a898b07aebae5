"""One pile of files, and every face of it: the same numbers for files, documents, copies, passages and tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import httpx
import pytest
from streamlit.testing.v1 import AppTest

from dashboards.assistant.tools.contract import TOOLS, ToolContext
from dashboards.cli.status import read_warehouse_status
from dashboards.mcp.resources import list_resources
from dashboards.pages.quality.quality_queries import rank_documents as judged
from dashboards.pages.quality.quality_queries import summarize_scores
from dashboards.serializers.catalogue import LibraryCatalogue
from flows.doctor import CheckContext, check_counts
from tasks.ask.collection.answers import answer_collection_question
from tests.building import build_warehouse
from tests.dashboards.api.serving import served
from tests.dashboards.pages.elements import html_of
from tests.tasks.parsers.drawn_pdf import Drawing
from warehouse.reader import Warehouse
from warehouse.records import Filters
from warehouse.settings.loader import load_settings
from warehouse.store.generations import find_current
from warehouse.store.works import Counts

TODAY = date(2026, 1, 1)
PROSE = "The keepers of the southern quays count the herring that the boats land before the tide turns. "
PAPER = """<article article-type="research-article"><front><article-meta>
<article-id pub-id-type="doi">{doi}</article-id><title-group><article-title>Landings of herring at quay {number}
</article-title></title-group><contrib-group><contrib contrib-type="author"><name>
<surname>Dahl</surname></name></contrib></contrib-group></article-meta></front><body><sec><title>Results</title><p>{text}</p>
<table-wrap><table><tr><th>Year</th><th>Boats</th></tr><tr><td>2023</td><td>{number}1</td></tr><tr><td>2024</td><td>17
</td></tr></table></table-wrap></sec></body></article>"""
UNREADABLE: Mapping[str, bytes] = {
    "old.doc": b"\xd0\xcf\x11\xe0" + bytes(300),
    "empty.txt": b"",
    "cut.pdf": b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog",
    "picture.pdf": b"\x89PNG\r\n\x1a\n" + bytes(40),
    "data.bin": bytes(range(256)),
}
ATTACHED = ("logo.png", "icons/fav.ico", "talk.mp3", "all.zip", "site/face.woff2", "photo.JPEG")
SYSTEM = ("Thumbs.db", ".DS_Store", "icons/desktop.ini", "~$memo.docx")


def pile(folder: Path, seed: int) -> Counts:
    """Files of all sorts, so many of each as the seed gives; what there is, passages and tables left open."""
    chance = random.Random(seed)
    notes, papers, copies = chance.randint(2, 5), chance.randint(1, 3), chance.randint(1, 3)
    texts = {f"notes/note {n}.md": f"# Note {n}\n\n{PROSE * (n + 1)}\n" for n in range(notes)}
    texts |= {f"papers/{n}.xml": _paper(n) for n in range(papers)}
    texts |= {f"papers/copy {n}.xml": _paper(n % papers).replace("southern", "old southern") for n in range(copies)}
    texts["notes/twin.md"] = texts["notes/note 0.md"]
    unread = dict(chance.sample(sorted(UNREADABLE.items()), chance.randint(2, len(UNREADABLE))))
    printed = Drawing().page([(72, 72, "Landings"), (72, 90, "https://doi.org/10.1234/quay.0"), (72, 120, PROSE[:80])])
    files = {name: text.encode() for name, text in texts.items()} | unread | {"papers/print.pdf": printed.data()}
    files |= dict.fromkeys((*ATTACHED, *SYSTEM), b"\x89PNG\r\n\x1a\n")
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    readable = len(texts) + 1
    return Counts(readable + len(unread), readable, copies + 1, 0, len(unread), 0, 0)


def _paper(number: int) -> str:
    return PAPER.format(doi=f"10.1234/quay.{number}", number=number, text=PROSE * 3)


@pytest.fixture(scope="module", params=[1, 2])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Counts]:
    folder = tmp_path_factory.mktemp("counted")
    made = pile(folder / "pile", request.param)
    return build_warehouse(folder / "warehouse", folder / "pile"), made


@pytest.fixture
def pile_of(built: tuple[Warehouse, Counts], monkeypatch: pytest.MonkeyPatch) -> tuple[Warehouse, Counts]:
    """The warehouse, which the pages read too, and its counts."""
    warehouse, made = built
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(warehouse.layout.folder))
    found = LibraryCatalogue.from_warehouse(warehouse).counts
    assert (made.files, made.documents, made.copies, made.unreadable) == (
        found.files,
        found.documents,
        found.copies,
        found.unreadable,
    )
    return warehouse, found


def one(warehouse: Warehouse, sql: str) -> int:
    return int(warehouse.snapshot.query_rows(sql)[0][0])


def test_the_tables_of_sql(pile_of: tuple[Warehouse, Counts]) -> None:
    warehouse, counts = pile_of
    assert one(warehouse, "SELECT count(*) FROM documents") == counts.files
    assert one(warehouse, "SELECT count(*) FROM documents WHERE status <> 'unreadable'") == counts.documents
    assert one(warehouse, "SELECT count(*) FROM documents WHERE status = 'unreadable'") == counts.unreadable
    assert one(warehouse, "SELECT count(*) FROM chunks") == counts.passages
    assert one(warehouse, "SELECT count(*) FROM tables") == counts.tables
    assert len(warehouse.snapshot.copies) == counts.copies


def test_status_and_doctor(pile_of: tuple[Warehouse, Counts]) -> None:
    warehouse, counts = pile_of
    found = read_warehouse_status(warehouse.layout)
    assert {name: found[name] for name in ("files", "documents", "copies", "unreadable_files", "chunks", "tables")} == {
        "files": counts.files,
        "documents": counts.documents,
        "copies": counts.copies,
        "unreadable_files": counts.unreadable,
        "chunks": counts.passages,
        "tables": counts.tables,
    }
    assert found["attachments"] == len(ATTACHED)
    assert sum(found["kinds"].values()) == counts.documents
    assert len(found["unreadable"]) == counts.unreadable
    settings = load_settings({"warehouse": warehouse.layout.folder, "embed": {"model": "hashing"}})
    (told,) = check_counts(CheckContext(settings, warehouse.layout, find_current(warehouse.layout)))
    assert told.line.startswith(f"{counts.documents} documents, {counts.passages} chunks, ")


def test_tools_and_answers_about_the_collection(pile_of: tuple[Warehouse, Counts]) -> None:
    warehouse, counts = pile_of
    context = ToolContext(
        load_settings({"warehouse": warehouse.layout.folder, "embed": {"model": "hashing"}}), warehouse, TODAY
    )
    data = TOOLS["list_documents"].call(context, {"count": 200}).data
    assert data is not None
    assert (data["count"], data["copies"], len(data["documents"])) == (
        counts.documents,
        counts.copies,
        counts.documents - counts.copies,
    )
    for question, said in {
        "How many documents are there?": f"{counts.documents} documents here, {counts.copies} of them copies of",
        "How many passages are there?": f"{counts.passages} passages in {counts.documents} documents",
        "How many tables are there?": f"{counts.tables} tables in {counts.documents} documents",
    }.items():
        answer = answer_collection_question(warehouse, question, Filters(), TODAY)
        assert answer is not None
        assert answer.head.startswith(said)
    assert len(list_resources(warehouse, None).resources) == counts.documents


def test_the_api(pile_of: tuple[Warehouse, Counts]) -> None:
    warehouse, counts = pile_of
    settings = load_settings({"warehouse": warehouse.layout.folder, "embed": {"model": "hashing"}})
    with served(settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        health, found = client.get("/api/health").json(), client.get("/api/documents?limit=1000").json()
    assert (health["documents"], health["chunks"]) == (counts.documents, counts.passages)
    assert (found["total"], found["unreadable"], found["copies"]) == (counts.files, counts.unreadable, counts.copies)
    assert len(found["documents"]) == sum(found["roots"].values()) == counts.files


def test_the_pages(pile_of: tuple[Warehouse, Counts], draw: Callable[..., AppTest]) -> None:
    warehouse, counts = pile_of
    library = draw("library")
    assert {each.label: each.value for each in library.metric} == {
        "Documents": f"{counts.documents}",
        "Passages": f"{counts.passages}",
        "Tables": f"{counts.tables}",
        "Unreadable files": f"{counts.unreadable}",
    }
    home = {each.label: each.value for each in draw("home").metric}
    assert [home[name] for name in ("Documents", "Passages", "Tables")] == [
        f"{counts.documents}",
        f"{counts.passages}",
        f"{counts.tables}",
    ]
    captions = " ".join(each.value for each in library.caption)
    assert f"{counts.copies} documents are copies" in captions
    assert f"{counts.files} of {counts.files} files" in captions
    assert f"{counts.documents} documents" in html_of(library)
    assert f"{counts.passages} passages of {counts.documents} documents" in html_of(draw("search"))
    assert f"{counts.passages} passages of {counts.documents} documents" in html_of(draw("chat"))
    scores = summarize_scores(warehouse)
    assert (scores.passages, judged(warehouse).num_rows) == (counts.passages, counts.files)
    figures = {each.label: each.value for each in draw("quality").metric}
    assert figures["Files with findings"].endswith(f" of {counts.files}")
    assert figures["Passages below 0.8"].endswith(f" of {counts.passages}")
