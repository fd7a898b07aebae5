"""A document that a question describes comes first, by its title's vector too; so does the section that it names."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tasks.query.subjects import Nearness, find_subjects
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Kind, SearchRequest, SearchResult
from warehouse.search.catalogue import Catalogue, NamedDocument

TODAY = date(2024, 1, 1)
COURSE = (
    "Course Title: {title}\nCourse Link: https://example.org\nCourse Instructor: {by}\n\nLesson 0: {lesson}\n{text}\n"
)
BODY = "## Rules\nThe sum stays whole.\n\n## Limitations\nIt rains."
NOTES = {
    "Budget planning": f"---\naliases: [Household ledger]\ntags: [money]\n---\n{BODY}",
    "Garden": f"---\ntags: [green]\n---\n# The green year\n{BODY}",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("described")
    (folder / "files").mkdir()
    for name, text in NOTES.items():
        (folder / "files" / f"{name}.md").write_text(text, encoding="utf-8")
    for title, by, lesson in (("Agents at work", "Ada Byron", "Tools"), ("Agents of rust", "Eve Stone", "Corrosion")):
        text = COURSE.format(title=title, by=by, lesson=lesson, text="It is explained at length. " * 20)
        (folder / "files" / f"{title}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def warehouse(folder: Path) -> Warehouse:
    return build_warehouse(folder / "warehouse", folder / "files")


def asked(warehouse: Warehouse, text: str) -> SearchResult:
    return find(warehouse, SearchRequest(text), open_embedder("hashing"), TODAY)


def test_titles_aliases_and_lessons_have_vectors(warehouse: Warehouse) -> None:
    ids = {entry.document_id: entry.title for entry in warehouse.list_documents()}
    for text, title in (
        ("Agents of rust", "Agents of rust"),
        ("Corrosion", "Agents of rust"),
        ("Household ledger", "Budget planning"),
        ("Garden", "The green year"),
    ):
        near = warehouse.score_titles(open_embedder("hashing").embed([text])[0])
        best = max(near, key=lambda document: near[document])
        assert ids[best] == title
        assert near[best] == pytest.approx(1.0)


def test_the_next_generation_has_the_vectors_of_what_it_holds(folder: Path) -> None:
    build_warehouse(folder / "other", folder / "files")
    (folder / "files" / "Window.md").write_text("---\ntags: [glass]\n---\nGlass.", encoding="utf-8")
    again = build_warehouse(folder / "other", folder / "files")
    (folder / "files" / "Window.md").unlink()
    made = {entry.document_id for entry in again.list_documents()}
    assert set(again.snapshot.titles.documents.tolist()) == made
    gone = build_warehouse(folder / "other", folder / "files")
    assert len(set(gone.snapshot.titles.documents.tolist())) == len(made) - 1


def test_a_generation_of_an_older_program_has_none(folder: Path) -> None:
    old = build_warehouse(folder / "old", folder / "files")
    (old.snapshot.generation.folder / "titles.parquet").unlink()
    assert Warehouse(folder / "old").score_titles(open_embedder("hashing").embed(["Garden"])[0]) == {}


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("In the course on agents by Ada Byron, what is explained?", "Agents at work"),
        ("What does the course about corrosion explain?", "Agents of rust"),
        ("What does my note on the household ledger say?", "Budget planning"),
        ("What does the garden note say?", ""),
    ],
)
def test_a_described_document_is_a_subject_and_first(warehouse: Warehouse, question: str, title: str) -> None:
    found = asked(warehouse, question)
    assert [subject.name for subject in found.question.subjects] == ([title] if title else [])
    if title:
        assert found.hits[0].citation.title == title


def test_the_section_that_is_named_is_first_and_the_score_adds_up(warehouse: Warehouse) -> None:
    found = asked(warehouse, "What stands under Limitations in the note on budget planning?")
    hit = found.hits[0]
    assert (hit.citation.title, "It rains" in hit.text) == ("Budget planning", True)
    assert {part.name for part in hit.parts} >= {"name", "said"}
    assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)


def test_a_tag_that_is_said_lifts_what_has_it(warehouse: Warehouse) -> None:
    assert asked(warehouse, "the sum in notes tagged #green").hits[0].citation.title == "The green year"
    assert asked(warehouse, "the sum in notes tagged #money").hits[0].citation.title == "Budget planning"


def test_a_section_that_no_document_has_changes_no_score(warehouse: Warehouse) -> None:
    found = asked(warehouse, "What stands under Zanzibar?")
    assert found.question.soft_filters.sections == ("Zanzibar",)
    assert all(part.value == 0 for hit in found.hits for part in hit.parts if part.name == "said")


TITLES = ("Mischievous odds ratios", "Ensemble tractography")
PAPERS = Catalogue(NamedDocument(title, Kind.PAPER, title, "", (), (), title, None, 1) for title in TITLES)


def nearness(**cosines: float) -> Nearness:
    return lambda said: dict(zip(TITLES, (cosines["odds"], cosines["tracts"]), strict=True))


@pytest.mark.parametrize(
    ("question", "near", "count"),
    [
        ("the paper on misleading odds ratios", nearness(odds=0.7, tracts=0.1), 1),
        ("the paper on misleading odds ratios", nearness(odds=0.2, tracts=0.1), 0),
        ("the paper on misleading ratios and tractography", nearness(odds=0.7, tracts=0.7), 0),
        ("the paper on Bayesian odds ratios", nearness(odds=0.9, tracts=0.1), 0),
    ],
)
def test_meaning_decides_unless_it_is_unsure_or_another_name_is_said(question: str, near: Nearness, count: int) -> None:
    assert len(find_subjects(question, PAPERS, near)) == count


def test_vectors_are_not_asked_for_without_a_description() -> None:
    def never(said: str) -> dict[str, float]:
        raise AssertionError(said)

    assert find_subjects("What is the odds ratio in Q1 2020?", PAPERS, never) == ()
