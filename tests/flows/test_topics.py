"""Topics of papers from the metadata files beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.planning import make_plan
from flows.progress import Action
from tasks.topics import make_name_key, merge_topics, read_topics
from tests.building import build_warehouse, count_findings
from tests.flows.conftest import Bench, worked
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings
from warehouse.store.generations import find_current
from warehouse.store.layout import Layout

SLEEP, HEART = "Sleep and its <i>many</i> disorders: a review.", "Salt, pressure & the heart of man"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ([{"title": SLEEP, "topic": "Sleep", "authors": ["A"]}, {"Title": HEART, "Topic": "Heart"}], "x"),
        (
            {"papers": [{"paper_title": SLEEP, "topic": "Sleep"}, {"title": HEART, "primary_topic": "Heart"}], "n": 2},
            "x",
        ),
        ({SLEEP: {"topic": "Sleep", "year": 2020}, HEART: {"topic": ["Heart", "Salt"]}}, "x"),
        ({SLEEP: "Sleep", HEART: "Heart"}, "medical_papers_metadata"),
        ({"Sleep": [SLEEP], "Heart": [{"title": HEART}]}, "topics"),
        (
            [{"title": SLEEP, "topic": "Sleep", "abstract": "long " * 200}, {"title": HEART, "topic": "Heart"}],
            "metadata",
        ),
    ],
)
def test_a_mapping_in_any_of_its_shapes(content: Any, name: str) -> None:
    topics = read_topics(json.dumps(content).encode("utf-8-sig"), f"{name}.json")
    assert topics is not None
    assert topics.find_topic("Sleep and its many Disorders – A Review") == "Sleep"
    assert topics.find_topic("Salt, Pressure &amp; the Heart of Man") == "Heart"
    assert topics.find_topic("Another title") == topics.find_topic("") == ""


@pytest.mark.parametrize(
    "content",
    [
        {"10.1000/A.b": "Sleep", "PMC77.1": "Heart"},
        [{"doi": "https://doi.org/10.1000/a.B", "topic": "Sleep"}, {"pmcid": 77, "topic": "Heart", "title": "T"}],
        {"Sleep": ["doi:10.1000/a.b"], "Heart": ["https://www.ncbi.nlm.nih.gov/pmc/articles/PMC77/"]},
    ],
)
def test_papers_by_their_identifiers(content: Any) -> None:
    topics = read_topics(json.dumps(content).encode(), "x.json")
    assert topics is not None
    assert (
        topics.find_topic("a", "", "10.1000/A.B"),
        topics.find_topic("a", "PMC77"),
        topics.find_topic("a", "PMC7"),
    ) == (
        "Sleep",
        "Heart",
        "",
    )


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ({"name": "kalends", "version": "1.0"}, "package"),
        ({"title": "My report", "author": "Ann B", "topic": "Heart"}, "metadata"),
        ({"Save the file now": "Jetzt alles sichern", "Open the next file": "Weiter"}, "de"),
        ([{"title": "A post", "topic": "Sleep", "text": "long words " * 100}], "forum"),
        ([{"title": "A post"}, {"title": "B", "topic": "x"}], "papers"),
        ({"authors": ["Ann B"], "tags": ["one two"]}, "metadata"),
        ([1, 2], "topics"), ([], "topics"), ({}, "topics"), ("text", "topics"), (None, "topics"),
    ],
)  # fmt: skip
def test_other_json_is_no_mapping(content: Any, name: str) -> None:
    assert read_topics(json.dumps(content).encode(), f"{name}.json") is None


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_no_mapping(data: bytes) -> None:
    assert read_topics(data, "topics.json") is None


def test_of_two_files_the_first_is_right() -> None:
    files = [read_topics(json.dumps({"PMC1": topic, f"PMC{number}": topic}).encode(), "x.json") for number, topic in
             ((2, "a"), (3, "b"))]  # fmt: skip
    assert merge_topics(filter(None, files)).topics_by_name == {"PMC1": "a", "PMC2": "a", "PMC3": "b"}
    assert make_name_key("pmc1.2") == "PMC1"


PAPER = (
    "<article><front><article-meta><title-group><article-title>{0}</article-title></title-group></article-meta></front>"
    "<body><p>Words of {0}.</p></body></article>"
)


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    (folder / "new").mkdir(parents=True)
    (folder / "sleep.xml").write_text(PAPER.format("Sleep of the old and wise"))
    (folder / "new" / "salt.xml").write_text(PAPER.format("Salt in the blood"))
    return folder


def write(folder: Path, topics: dict[str, str]) -> None:
    (folder / "papers_metadata.json").write_text(json.dumps(topics))


def shown(warehouse: Warehouse) -> dict[str, str]:
    rows = warehouse.snapshot.query_rows("SELECT path, attributes.topic FROM documents")
    return {str(path): str(topic) for path, topic in rows}


def test_the_topics_of_a_root_are_seen_and_their_file_is_no_document(
    tmp_path: Path, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(papers, {"Sleep of the Old and Wise": "Sleep Medicine", "Nobody has this one": "x"})
    (tmp_path / "kalends.toml").write_text('[[sources]]\nfolder = "papers"\ntopic = "Health"\n')
    monkeypatch.setenv("KALENDS_CONFIG", str(tmp_path / "kalends.toml"))
    found = build_warehouse(tmp_path / "house", papers)
    assert shown(found) == {"sleep.xml": "Sleep Medicine", "new/salt.xml": "Health"}
    assert not count_findings(found)


def test_changed_topics_are_published_without_any_other_work(tmp_path: Path, papers: Path) -> None:
    write(papers, {"Sleep of the old and wise": "Old"})
    build_warehouse(tmp_path / "house", papers)
    write(papers, {"Sleep of the old and wise": "New"})
    settings = load_settings(
        {"warehouse": tmp_path / "house", "embed": {"model": "hashing"}, "parse": {"processes": 1}}
    )
    plan = make_plan(settings, find_current(Layout(tmp_path / "house")), [papers])
    restaged = [
        (planned.source, planned.reason, planned.stages) for planned in plan.files if planned.action is Action.RESTAGED
    ]
    assert restaged == [("papers/sleep.xml", "its topic", ())]
    assert shown(build_warehouse(tmp_path / "house", papers)) == {"sleep.xml": "New", "new/salt.xml": ""}
    (papers / "papers_metadata.json").unlink()
    assert shown(build_warehouse(tmp_path / "house", papers)) == {"sleep.xml": "", "new/salt.xml": ""}
    assert make_plan(settings, find_current(Layout(tmp_path / "house")), [papers]).idle


def test_a_run_over_part_of_a_root_knows_its_topics(tmp_path: Path, papers: Path) -> None:
    build_warehouse(tmp_path / "house", papers)
    write(papers, {"Salt in the blood": "Nutrition", "Sleep of the old and wise": "Sleep"})
    found = build_warehouse(tmp_path / "house", papers / "new")
    assert shown(found) == {"sleep.xml": "", "new/salt.xml": "Nutrition"}


def test_other_json_stays_a_document(tmp_path: Path, papers: Path) -> None:
    (papers / "package.json").write_text('{"name": "kalends", "version": "1.0"}')
    assert set(shown(build_warehouse(tmp_path / "house", papers))) == {"sleep.xml", "new/salt.xml", "package.json"}


def test_an_ingest_for_topics_alone_runs_no_stage(bench: Bench) -> None:
    bench.write("paper.xml", PAPER.format("Salt in the blood"))
    bench.ingest()
    write(bench.docs, {"Salt in the blood": "Nutrition"})
    report = bench.ingest()
    assert worked(report).keys() <= {"publish"}
    assert shown(bench.warehouse)["paper.xml"] == "Nutrition"
    assert bench.ingest().generation is None
