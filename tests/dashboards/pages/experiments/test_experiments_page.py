"""The experiments page over configurations that were really tried."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.background.grids import parse_grid
from dashboards.html.safe_text import format_markdown_label
from dashboards.pages.experiments.experiment_queries import ExperimentTitles, group_trials, read_outcome
from dashboards.pages.experiments.experiments_page import SMALL_GRID
from flows.locks import write_lock
from tests.building import build_warehouse
from tests.dashboards.pages.elements import html_of, markdown_of, said
from tests.dashboards.pages.trying import PLAIN, three, try_out, write_docs
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout

Draw = Callable[..., AppTest]
BEST, NEXT, LAST = "size=80 mode=hybrid", "size=400 mode=hybrid", "size=400 mode=dense"


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("tried")
    docs = write_docs(folder / "docs")
    held = build_warehouse(folder / "warehouse", docs, **PLAIN)
    try_out(held, docs, three())
    return held


@pytest.fixture
def here(tried: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tried.layout.folder))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    return tried


def keys(page: AppTest) -> set[str]:
    return {str(button.key) for button in page.button}


def captions(page: AppTest) -> str:
    return "\n".join(str(each.value) for each in page.caption)


def test_without_trials_the_way_to_some_is_shown(draw: Draw) -> None:
    page = draw("experiments")
    assert not page.exception
    assert "There is no experiment yet" in said(page)


def test_the_best_stands_first_with_its_price(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments")
    assert not page.exception
    (row,) = group_trials(here, load_settings({}))
    frame = page.dataframe[0].value
    assert frame["configuration"].iloc[0] == BEST
    assert set(frame["configuration"]) == set(three())
    assert f"Best by span nDCG@10: {BEST}" in said(page)
    assert f"3 configurations, {row.trials[0].questions} questions, 4 documents" in captions(page)


def test_made_questions_say_what_they_can_and_cannot_show(draw: Draw, here: Warehouse) -> None:
    notes = said(draw("experiments"))
    assert "Made from the corpus: " in notes
    assert "keywords look better than they are" in notes


def test_the_address_names_the_two_that_are_compared(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments", **{"from": NEXT, "to": LAST, "measure": "span hit@1"})
    assert not page.exception
    (found,) = group_trials(here, load_settings({}))
    grid = {each.name: each for each in read_outcome(Lake(here.layout.lake), found).trials}
    marks = [(grid[NEXT].values[q]["span hit@1"], grid[LAST].values[q]["span hit@1"]) for q in grid[NEXT].values]
    won, lost = sum(b > a for a, b in marks), sum(b < a for a, b in marks)
    assert f"{won} got better and {lost} worse by span hit@1" in captions(page)


def test_nonsense_in_the_address_harms_nothing(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments", round="<b>", measure="none", question="?", part="x", **{"from": "a", "to": "b"})
    assert not page.exception
    assert BEST in said(page)


def test_a_lost_question_is_explained_and_opens_in_search(draw: Draw, here: Warehouse) -> None:
    (found,) = group_trials(here, load_settings({}))
    grid = {each.name: each for each in read_outcome(Lake(here.layout.lake), found).trials}
    label = grid[BEST].record.measures[0].measure
    lost = next(q for q, marks in grid[BEST].values.items() if marks[label] > grid[LAST].values[q][label])
    page = draw("experiments", question=lost, why="true", **{"from": BEST, "to": LAST})
    assert not page.exception
    assert "irst stage that differs, by span nDCG@10: chunk" in captions(page)
    text = next(each.text for each in grid[BEST].questions if each.question == lost)
    assert text in said(page)
    assert "the answer lay in" in said(page)
    assert any("Search for it" in str(each.proto.label) for each in page.get("page_link"))


def test_names_of_documents_are_never_markup(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments", why="true", **{"from": BEST, "to": LAST})
    assert "<b>" not in html_of(page)
    assert "gamma <b>" not in markdown_of(page)


def test_a_grid_is_built_in_the_address(draw: Draw, here: Warehouse) -> None:
    choice = {
        "vary": ["fusion", "size"],
        "experiments-vary-fusion": ["weighed", "rrf"],
        "experiments-vary-size": ["80", "500"],
    }
    page = draw("experiments", part="New experiment", exclude="- {size: 80, fusion: rrf}", **choice)
    assert not page.exception
    assert page.code[0].value.splitlines() == [
        "grid:",
        "  fusion: [weighed, rrf]",
        "  size: [80, 500]",
        "exclude:",
        "  - {size: 80, fusion: rrf}",
    ]
    counts = {metric.label: metric.value for metric in page.metric}
    assert counts == {"Configurations": "3", "Tried before": "0", "Imports needed": "2", "Imports done already": "0"}
    assert "experiments-run" in keys(page)


def test_a_mistake_names_its_line_and_nothing_can_be_run(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments", part="New experiment", vary=["size"], **{"experiments-vary-size": ["80", "4"]})
    assert not page.exception
    assert "rid.yaml line 2: 'size': 4" in said(page)
    assert "experiments-run" not in keys(page)


def test_files_are_named_at_the_machine_only(draw: Draw, here: Warehouse, listens: Callable[[str], None]) -> None:
    listens("0.0.0.0")
    page = draw("experiments", part="New experiment", source="A file or folder", questions="/etc/passwd")
    assert not page.exception
    assert not [field for field in page.text_input if field.key == "questions"]


def test_another_process_that_tries_some_is_one_line(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments", part="New experiment", vary=["fusion"])
    with write_lock(Layout(here.layout.experiments)):
        page.button(key="experiments-run").click().run()
    assert not page.exception
    assert "is writing to" in said(page)


def test_the_plain_result_comes_before_the_details(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments")
    kinds = [(element.type, str(element.value)) for element in page.main if element.type in ("html", "header")]
    assert [value for kind, value in kinds if kind == "header"][:2] == [
        format_markdown_label("Size and mode, 3 configurations"),
        "All configurations",
    ]
    assert "k-verdict" in next(value for kind, value in kinds if kind == "html" and "k-" in value)
    assert "settings in use" not in said(page)


def test_an_experiment_is_renamed(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments")
    field = next(each for each in page.text_input if each.label == "Title")
    field.set_value("Short or long passages?")
    next(each for each in page.button if each.label == "Save").click().run()
    assert not page.exception
    assert page.header[0].value == format_markdown_label("Short or long passages?")
    assert draw("experiments").header[0].value == format_markdown_label("Short or long passages?")
    ExperimentTitles(here.layout.folder).rename(group_trials(here, load_settings({}))[0], "")


def test_a_small_experiment_is_one_click_away(draw: Draw) -> None:
    page = draw("experiments")
    assert len(parse_grid(SMALL_GRID, load_settings({})).experiments) == 3
    page.button(key="experiments-run-small").click().run()
    assert not page.exception
    page.button(key="experiments-stop").click().run()
    ended(page)
    assert "he run was stopped" in said(page)


def test_a_grid_is_stopped(draw: Draw, here: Warehouse) -> None:
    page = draw("experiments", part="New experiment", vary=["fusion"])
    page.button(key="experiments-run").click().run()
    page.button(key="experiments-stop").click().run()
    ended(page)
    assert "he run was stopped" in said(page)


def ended(page: AppTest) -> None:
    """Draws it until the run in the background has ended."""
    deadline = monotonic() + 60
    while "experiments-seen" not in keys(page):
        assert monotonic() < deadline, said(page)
        sleep(0.2)
        page.run()
    assert not page.exception


def test_a_grid_that_cannot_begin_says_why(
    draw: Draw, here: Warehouse, tmp_path: Path, listens: Callable[[str], None]
) -> None:
    listens("127.0.0.1")
    missing = str(tmp_path / "none.jsonl")
    page = draw("experiments", part="New experiment", vary=["fusion"], source="A file or folder", questions=missing)
    page.button(key="experiments-run").click().run()
    ended(page)
    assert "here is no file or folder" in said(page)
    page.button(key="experiments-seen").click().run()
    assert "here is no file or folder" not in said(page)
