from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup, Element

from dashboards.widgets import state
from dashboards.widgets.resources import load_page_context
from tests.building import build_warehouse
from tests.dashboards.pages.conftest import HOSTILE
from tests.dashboards.pages.elements import Reading, html_of, markdown_of, said
from warehouse.reader import Warehouse
from warehouse.records.search_request import FILTER_FIELDS, RANKING_FIELDS

Draw = Callable[..., AppTest]


def _labels(page: AppTest) -> str:
    return "\n".join(code.value for code in page.code)


def test_waits_for_a_question(draw: Draw) -> None:
    page = draw("search")
    assert not page.exception
    assert "Ask a question to search" in said(page)
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
    page.text_input(key="search-q").set_value("turbine").run()
    page.selectbox(key="search-k").set_value(3).run()
    assert len(page.code) == 3


def test_the_browser_keeps_the_question_in_the_address(draw: Draw) -> None:
    page = draw("search", q="turbine")
    kinds = (
        *(page.text_input, page.multiselect, page.date_input, page.selectbox, page.toggle),
        *(page.button_group, page.number_input),
    )
    widgets = [widget for kind in kinds for widget in kind if not str(widget.key).startswith("search-period-")]
    without_values = {"topics", "journals", "paper_types"}
    filters = {each.option for name, each in FILTER_FIELDS.items() if name not in without_values}
    asked = {"q", "k", *filters}
    ranked = {f"rank-{each.option}" for each in RANKING_FIELDS.values()}
    shown = {"dates", "names", "explain"}
    assert {widget.proto.query_param_key for widget in widgets} == {
        state.make_key("search", name) for name in asked | ranked | shown
    }


def test_nothing_found_is_said(draw: Draw) -> None:
    page = draw("search", q="turbine", kind=["course"], tag=["revenue"])
    assert "No passage matches these filters." in said(page)


def test_what_departs_from_the_question_is_noted(draw: Draw) -> None:
    page = draw("search", q="turbine", until="1900-01-01")
    assert 'class="k-note" role="note"' in html_of(page)
    assert page.code


def test_the_part_that_answers_is_shown(draw: Draw) -> None:
    html = html_of(draw("search", q="turbine revenue grew by a fifth"))
    assert "turbine revenue" in Reading(html).text.lower()
    assert "Looked for" in Reading(html).text


def test_a_period_that_ends_before_it_starts_is_one_line(draw: Draw) -> None:
    page = draw("search", q="turbine", since="2025-01-01", until="2024-01-01")
    assert not page.exception
    assert "the end, 2024-01-01, is not after the start, 2025-01-01" in said(page)


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


def test_no_part_that_stands_out_is_a_beginning(draw: Draw) -> None:
    assert "No part of it comes near" not in said(draw("search", q="turbine", k="20"))


def test_dates_are_told_to_pointers_and_to_screen_readers(draw: Draw) -> None:
    html = html_of(draw("search", q="segment turbines parts service"))
    assert 'title="2025-04-01 to 2025-06-30">Q2 2025<span class="k-heard"> (2025-04-01 to 2025-06-30)</span>' in html
    assert "k-heard" not in html_of(draw("search", q="segment turbines parts service", dates="false"))


def test_scores_are_explained_when_asked(draw: Draw) -> None:
    assert "cosine" not in said(draw("search", q="turbine revenue"))
    assert "cosine" in said(draw("search", q="turbine revenue", explain="true"))


def test_addresses_of_the_version_before_are_read(draw: Draw) -> None:
    earlier = {"search-about": "rotor", "search-mode": "keyword", "search-distinct": "false"}
    page = draw("search", q="turbine", **earlier)
    assert page.multiselect(key="search-name").value == ["rotor"]
    assert page.button_group(key="search-rank-mode").value == "keyword"
    assert not page.toggle(key="search-rank-distinct").value
    assert not {*earlier} & {*page.query_params}


def test_a_half_of_the_search_can_be_left_out(draw: Draw) -> None:
    text = said(draw("search", q="turbine revenue", explain="true", **{"rank-mode": "keyword"}))
    assert "Rankingkeyword" in text
    assert "BM25" in text
    assert "cosine" not in text


@pytest.mark.parametrize("document", ["vault/notes/older.md", "OLDER"])
def test_a_document_can_be_named(draw: Draw, document: str) -> None:
    page = draw("search", q="turbine", document=[document])
    assert page.code
    assert all("older.md" in code.value for code in page.code)


def test_a_document_that_there_is_not_is_one_line(draw: Draw) -> None:
    page = draw("search", q="turbine", document=["no such <b>"])
    assert not page.exception
    assert "there is no document 'no such <b>'" in said(page)


def test_a_name_can_be_demanded(draw: Draw) -> None:
    page = draw("search", **{"q": "turbine", "search-name": ["rotor"]})
    assert page.code
    assert all("Turbines" in code.value for code in page.code)


def test_a_picked_period_stands_in_the_field(draw: Draw) -> None:
    page = draw("search", q="turbine")
    page.selectbox(key="search-period-year").set_value(2025).run()
    assert page.text_input(key="search-during").value == "2025"
    page.button_group(key="search-period-part").set_value("Q2").run()
    assert page.text_input(key="search-during").value == "Q2 2025"
    assert "report.md" in page.code[0].value
    page.button(key="search-chip-during-clear").click().run()
    assert page.text_input(key="search-during").value == ""


def test_what_is_nearest_to_an_empty_period_is_said(draw: Draw) -> None:
    text = said(draw("search", q="turbine", during="1999"))
    assert "nothing falls in the time from 1999-01-01 up to 1999-12-31" in text
    assert "nearest is “January” (2023-01-01 to 2023-01-31), in vault/notes/older.md" in text


def test_a_reading_is_taken_back_and_taken_up_again(draw: Draw) -> None:
    page = draw("search", q="turbine revenue in Q2 2025")
    chips = _readings(page)
    assert chips.value == ["Q2 2025"]
    chips.set_value([]).run()
    assert page.query_params["plainly"] in ("Q2 2025", ["Q2 2025"])
    assert "Time" not in Reading(html_of(page)).text
    _readings(page).set_value(["Q2 2025"]).run()
    assert "plainly" not in page.query_params
    assert "Time“Q2 2025”" in said(page)


def test_the_next_question_is_read_anew(draw: Draw) -> None:
    page = draw("search", q="turbine revenue in Q2 2025", plainly=["Q2 2025"])
    page.text_input(key="search-q").set_value("the turbine in Q2 2025").run()
    assert "Time“Q2 2025”" in said(page)


def test_neighbours_are_drawn_once_they_are_asked_for(draw: Draw) -> None:
    page = draw("search", q="turbine stood still")
    assert "The passage is the whole document." not in markdown_of(page)
    next(each for each in page.button if each.label == "Before and after").click().run()
    assert "The passage is the whole document." in markdown_of(page)


def test_hits_lead_to_their_document_and_table(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("search", q="segment turbines parts service", k="3")
    links = [(link.proto.page, link.proto.query_string) for link in page.get("page_link") if isinstance(link, Element)]
    document = warehouse.find_document_id("vault/report.md")
    assert ("library", f"document={document}") in links
    assert ("tables", f"document={document}&table=1") in links


def test_hits_can_be_taken_along(draw: Draw) -> None:
    page = draw("search", q="turbine")
    assert [button.proto.label for button in page.get("download_button") if isinstance(button, Element)] == [
        "CSV",
        "Parquet",
        "XLSX",
        "JSON",
    ]


def _readings(page: AppTest) -> ButtonGroup[str]:
    return next(each for each in page.button_group if str(each.key).startswith("search-readings"))


def chips(page: AppTest) -> list[str]:
    return [block.proto.popover.label for block in page.get("popover") if "-chip-" in block.proto.id]


def test_a_chip_shows_what_is_chosen_and_clears_it(draw: Draw) -> None:
    assert chips(draw("search")) == ["Kind", "Document", "Period mentioned", "More filters"]
    page = draw("search", kind=["course"], until="2024-01-01", during="2023", **{"search-name": ["rotor"]})
    assert chips(page) == ["Kind: **course**", "Document", "Period mentioned: **2023**", "More filters: **2**"]
    page.button(key="search-chip-kind-clear").click().run()
    page.button(key="search-chip-since-clear").click().run()
    assert not page.exception
    assert chips(page) == ["Kind", "Document", "Period mentioned: **2023**", "More filters"]
    assert page.multiselect(key="search-kind").value == []
    assert page.date_input(key="search-until").value is None


def test_the_model_is_read_beside_the_pages_once(draw: Draw) -> None:
    draw("search")
    draw("search", q="turbine")
    here = load_page_context()
    warming = here.load_model()
    warming.join(10)
    assert not warming.is_alive()
    assert here.load_model() is warming
