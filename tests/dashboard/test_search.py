from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.building import build_warehouse
from tests.dashboard.conftest import HOSTILE
from tests.dashboard.pages import Reading, html_of, markdown_of, said

Draw = Callable[..., AppTest]


def _labels(page: AppTest) -> str:
    return "\n".join(code.value for code in page.code)


def test_waits_for_a_question(draw: Draw) -> None:
    page = draw("search")
    assert not page.exception
    assert "wait for a question" in said(page)
    assert not page.code


def test_a_question_is_answered_with_citations(draw: Draw) -> None:
    page = draw("search", q="turbine revenue grew")
    assert not page.exception
    assert "report.md (Chunk 1)" in page.code[0].value
    assert "Date: 2025-06-30" in page.code[0].value
    assert "View Document: obsidian://open?vault=vault" in page.code[0].value
    assert "<mark>Turbine</mark> <mark>revenue</mark> <mark>grew</mark>" in html_of(page)


def test_quotations_stand_above_the_passages(draw: Draw) -> None:
    page = draw("search", q="turbine revenue grew by a fifth")
    html = html_of(page)
    assert html.index("k-answer") < html.index("k-hit")
    quoted = Reading(html[: html.index("k-hit")]).text
    assert "Turbine revenue grew by a fifth." in quoted


def test_tables_are_drawn_as_tables(draw: Draw) -> None:
    html = html_of(draw("search", q="segment turbines parts service"))
    assert ">Turbines</mark> | <mark>parts</mark></td>" in html
    assert "[TABLE" not in html


def test_document_text_is_never_markup(draw: Draw) -> None:
    page = draw("search", q="turbine script pixel click paint lesson rotor", k="10")
    assert not page.exception
    html = Reading(html_of(page))
    assert HOSTILE in html.text
    assert not {"script", "img", "b", "a", "code"} & html.tags
    assert not [value for name, value in html.attributes if name in {"href", "src"} or name.startswith("on")]
    assert "evil.example" not in markdown_of(page)
    assert "alert" not in markdown_of(page)


def test_a_script_is_no_link(draw: Draw) -> None:
    page = draw("search", q="lesson begins with the rotor and its blades")
    assert "javascript:alert" in _labels(page)
    assert not [value for name, value in Reading(html_of(page)).attributes if name == "href"]
    assert all(link.url.startswith("obsidian://open?vault=vault&") for link in page.link_button)


@pytest.mark.parametrize(
    ("parameters", "kept"),
    [({"since": "2025-01-01"}, "report.md"), ({"until": "2024-01-01"}, "older.md"), ({"kind": ["course"]}, "Turbines")],
)
def test_the_address_holds_the_filters(draw: Draw, parameters: dict[str, str], kept: str) -> None:
    page = draw("search", q="turbine", **parameters)
    assert page.code
    assert all(kept in code.value for code in page.code)


def test_fewer_passages_can_be_asked_for(draw: Draw) -> None:
    page = draw("search")
    page.text_input(key="q").set_value("turbine").run()
    page.selectbox(key="k").set_value(3).run()
    assert len(page.code) == 3


def test_the_browser_keeps_the_question_in_the_address(draw: Draw) -> None:
    page = draw("search")
    widgets = (*page.text_input, *page.multiselect, *page.date_input, *page.selectbox)
    kept = {"q", "kind", "root", "tag", "topic", "language", "during", "since", "until", "k"}
    assert {widget.proto.query_param_key for widget in widgets} <= kept
    assert {"q", "kind", "root", "tag", "during", "since", "until", "k"} <= {
        widget.proto.query_param_key for widget in widgets
    }


def test_nothing_found_is_said(draw: Draw) -> None:
    page = draw("search", q="turbine", kind=["course"], tag=["revenue"])
    assert "No passage satisfies these filters." in said(page)


def test_what_departs_from_the_question_is_noted(draw: Draw) -> None:
    page = draw("search", q="turbine", until="1900-01-01")
    assert 'class="k-note" role="note"' in html_of(page)
    assert page.code


def test_the_part_that_answers_is_shown(draw: Draw) -> None:
    html = html_of(draw("search", q="turbine revenue grew by a fifth"))
    assert "Whole passage" in html
    assert "Looked for" in Reading(html).text


def test_a_period_that_ends_before_it_starts_is_one_line(draw: Draw) -> None:
    page = draw("search", q="turbine", since="2025-01-01", until="2024-01-01")
    assert not page.exception
    assert "no day lies from 2025-01-01 to before 2024-01-01" in said(page)


@pytest.mark.parametrize("parameters", [{"since": "soon"}, {"k": "-7"}, {"kind": ["<b>"]}, {"root": ["no such"]}])
def test_nonsense_in_the_address_harms_nothing(draw: Draw, parameters: dict[str, str]) -> None:
    page = draw("search", q="turbine", **parameters)
    assert not page.exception
    assert page.code


def test_another_model_is_one_line_with_the_cure(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "minilm")
    page = draw("search", q="turbine")
    assert not page.exception
    assert "the vectors are of hashing@384" in said(page)
    assert "run 'kalends ingest'" in said(page)


def test_a_new_generation_answers_without_restart(draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = tmp_path / "vault"
    sources.mkdir()
    (sources / "a.md").write_text("# Hay\n\nThe harvest of hay was poor that summer.\n", encoding="utf-8")
    build_warehouse(tmp_path / "w", sources)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "w"))
    page = draw("search", q="harvest of barley")
    assert "b.md" not in _labels(page)
    (sources / "b.md").write_text("# Barley\n\nThe harvest of barley was rich that summer.\n", encoding="utf-8")
    build_warehouse(tmp_path / "w", sources)
    page.run()
    assert "b.md" in page.code[0].value
