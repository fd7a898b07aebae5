"""The home page: the library at a glance, and the ways to begin one."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from dashboards.pages.home.home_queries import (
    COUNT,
    MAX_ISSUES,
    ChangeKind,
    find_example_questions,
    find_latest_changes,
    find_samples_folder,
    list_issues,
)
from dashboards.widgets.navigation import PAGES
from tests.building import build_warehouse
from tests.dashboards.pages.elements import Reading, html_of, markdown_of, said
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings

Draw = Callable[..., AppTest]


def links(page: AppTest) -> dict[str, tuple[str, dict[str, list[str]]]]:
    """The page and the fields of the address that each link leads to, by its label."""
    found = [each.proto for each in page.get("page_link") if isinstance(each, Element)]
    return {each.label.replace("\\", ""): (each.page, parse_qs(each.query_string)) for each in found}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The samples, imported."""
    return build_warehouse(tmp_path_factory.mktemp("samples") / "w", find_samples_folder())


def test_the_bare_address_leads_home() -> None:
    assert PAGES[0].name == "home"


def test_figures_are_those_of_the_library(draw: Draw) -> None:
    home, library = draw("home"), draw("library")
    assert not home.exception
    told, known = ({metric.label: metric.value for metric in page.metric} for page in (home, library))
    assert {name: told[name] for name in ("Documents", "Passages", "Tables")} == {
        name: known[name] for name in ("Documents", "Passages", "Tables")
    }
    assert told["Years"] == "2023 – 2025"


def test_a_question_leads_to_the_search(draw: Draw) -> None:
    found = links(draw("home"))
    asked = {label: fields for label, (page, fields) in found.items() if page == "search"}
    assert asked
    for label, fields in asked.items():
        assert fields["search-q"] == [label.replace("\u2060", "")]


@pytest.mark.parametrize(("button", "title"), [("Search", "Search"), ("Ask in Chat", "Chat")])
def test_what_is_asked_is_searched_or_chatted(draw: Draw, button: str, title: str) -> None:
    page = draw("home")
    page.text_input(key="home-question").set_value(" turbine revenue ")
    page.button(key=f"FormSubmitter:home-asking-{button}").click().run()
    assert not page.exception
    assert page.title[0].value == title
    assert "turbine revenue" in (said(page) if title == "Chat" else page.text_input(key="search-q").value)


def test_questions_are_made_of_every_sort_and_have_an_answer(samples: Warehouse) -> None:
    settings = load_settings({"warehouse": samples.layout.folder, "embed": {"model": "hashing"}})
    found = find_example_questions(settings, samples)
    assert len(found) == COUNT
    assert found[0] == "What was total revenue of Northlight Instruments, Inc. in the quarter ended September 30, 2025?"
    assert found[1] == "What is lesson 1 of “Ocean Time Series for Engineers” about?"
    assert found[2] == "What happened on August 21, 2025?"


def test_questions_that_cannot_be_tried_are_not_offered(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise BadInput("the vectors are of another model", "run 'kalends ingest'")

    monkeypatch.setattr("dashboards.pages.home.home_page._find_cached_questions", refuse)
    page = draw("home")
    assert not page.exception
    assert "For example" not in said(page)
    assert [metric.label for metric in page.metric]


def test_what_needs_attention_leads_to_its_place(samples: Warehouse, draw: Draw) -> None:
    found = list_issues(samples)
    assert 0 < len(found) <= MAX_ISSUES
    assert (found[0].text, found[0].page) == ("2 files could not be read", "library")
    shown = links(draw("home"))
    assert shown["1 file could not be read"] == ("library", {"library-status": ["unreadable", "stale"]})


def test_what_documents_say_is_text(draw: Draw) -> None:
    page = draw("home")
    assert not {"script", "img"} & Reading(html_of(page)).tags
    assert "evil.example" not in markdown_of(page)


def test_new_documents_are_those_of_the_last_run_that_changed_one(tmp_path: Path, draw: Draw) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Alpha\n\nA turbine.\n", "utf-8")
    (docs / "b.md").write_text("# Beta\n\nA rotor.\n", "utf-8")
    folder = tmp_path / "w"
    first = find_latest_changes(build_warehouse(folder, docs))
    assert first
    assert (first.new_count, {each.title for each in first.documents}) == (2, {"Alpha", "Beta"})
    (docs / "a.md").write_text("# Alpha\n\nA turbine and a blade.\n", "utf-8")
    (docs / "b.md").unlink()
    (docs / "c.md").write_text("# Gamma\n\nA mast.\n", "utf-8")
    second = find_latest_changes(build_warehouse(folder, docs))
    assert second
    assert {(each.change, each.title) for each in second.documents} == {
        (ChangeKind.NEW, "Gamma"),
        (ChangeKind.CHANGED, "Alpha"),
        (ChangeKind.GONE, "Beta"),
    }
    # A run that changes nothing is no news.
    assert find_latest_changes(build_warehouse(folder, docs)) == second


def test_an_empty_library_offers_three_ways_to_begin(
    draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "none"))
    monkeypatch.setattr("streamlit.get_option", lambda _: "127.0.0.1")
    page = draw("home")
    assert not page.exception
    assert [button.label for button in page.button] == ["Add files", "Add a folder", "Try the samples"]
    assert "The library is empty." in said(page)
    page.button(key="home-add-files").click().run()
    assert page.file_uploader
    page.button(key="home-add-folder").click().run()
    assert page.text_input(key="home-folder")


def test_every_sample_is_installed_with_the_packages() -> None:
    root = Path(__file__).parents[4]
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["data-files"]
    installed = {
        (Path(target) / file.name, file)
        for target, patterns in declared.items()
        for pattern in patterns
        for file in root.glob(pattern)
    }
    samples = [file for file in (root / "samples").rglob("*") if file.is_file()]
    assert installed == {(Path("share/kalends") / file.relative_to(root), file) for file in samples}


def test_samples_that_are_not_installed_are_one_line(
    draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "none"))
    monkeypatch.setattr("dashboards.pages.home.home_queries._SAMPLE_FOLDERS", (tmp_path,))
    page = draw("home")
    page.button(key="home-try-samples").click().run()
    assert not page.exception
    assert "the sample documents are not installed" in said(page)
