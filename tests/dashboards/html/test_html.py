from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.html.hits import render_hit
from dashboards.html.passage_markup import (
    TableGrid,
    extract_query_stems,
    mark_words,
    render_passage,
    render_quotes,
    render_rows,
    split_passage,
)
from dashboards.html.safe_text import escape_text, render_facts, render_note, sanitize_url
from dashboards.serializers.sheets import escape_csv_cell
from tasks.ask.passage_units import Span
from tests.dashboards.pages.elements import Reading
from warehouse.records import Citation, Hit, Part

TABLE = "[TABLE 1]\n| Segment | Q2 |\n| --- | --- |\n| Turbines \\| parts | 41 |\n[END TABLE]"
SAFE = {"div", "p", "mark", "table", "thead", "tbody", "tr", "th", "td", "q", "bdi"}


@given(st.text(alphabet=st.sampled_from("ab<>&\"'|\\-[]()$`!\n 年度"), max_size=60))
def test_no_text_becomes_an_element(text: str) -> None:
    asked = extract_query_stems("ab 年度")
    for html in (render_passage(text, asked), render_quotes([text], text, asked), escape_text(text)):
        found = Reading(html)
        assert found.tags <= SAFE
        assert {name for name, _ in found.attributes} <= {"class", "dir", "tabindex"}


@given(
    st.text(alphabet="turbine revenue,.<年度收入 \n", max_size=80), st.text(alphabet="turbine年度收入 ", max_size=20)
)
def test_marking_loses_no_character(text: str, question: str) -> None:
    assert Reading(mark_words(text, extract_query_stems(question))).text == text


def test_marks_words_of_one_stem_and_no_function_words() -> None:
    html = mark_words("The turbines of the firm", extract_query_stems("What of the turbine?"))
    assert html == "The <mark>turbines</mark> of the firm"


def test_marks_function_words_when_there_are_no_others() -> None:
    assert mark_words("to be", extract_query_stems("to be or not to be")) == "<mark>to</mark> <mark>be</mark>"


def test_marks_chinese_without_spaces() -> None:
    assert "<mark>季度收入</mark>" in mark_words("本季度收入增长", extract_query_stems("季度收入"))


def test_a_number_is_marked_whatever_its_separators() -> None:
    assert mark_words("made 1,234.5 in all", extract_query_stems("1234.5")) == "made <mark>1,234.5</mark> in all"


def test_a_table_is_a_table() -> None:
    before, table, after = split_passage(f"Before.\n\n{TABLE}\n\nAfter.")
    assert (before, after) == ("Before.", "After.")
    assert table == TableGrid((("Segment", "Q2"),), (("Turbines | parts", "41"),))
    html = render_passage(TABLE, frozenset())
    assert "<th>Segment</th>" in html
    assert "<td>Turbines | parts</td>" in html
    assert "TABLE" not in html


def test_rows_cut_from_their_header_are_all_body() -> None:
    assert split_passage("| a | 1 |\n| b | 2 |\n[END TABLE]") == [TableGrid((), (("a", "1"), ("b", "2")))]


def test_a_quoted_row_stands_below_its_header() -> None:
    html = render_quotes(["| Turbines \\| parts | 41 |"], TABLE, frozenset())
    assert "<th>Q2</th>" in html
    assert "<td>41</td>" in html


def test_quoted_rows_of_one_table_share_its_header() -> None:
    table = TABLE.replace("[END", "| Service | 7 |\n[END")
    html = render_quotes(
        ["| Segment | Q2 |\n| Service | 7 |", "| Turbines \\| parts | 41 |", "It grew."], table, frozenset()
    )
    assert html.count("<th>Q2</th>") == 1
    assert html.index("Service") < html.index("Turbines | parts") < html.index("<q>It grew.</q>")


@pytest.mark.parametrize("url", ["https://doi.org/10.1/x", "http://a.example/b?c=d#e", "HTTPS://A.example/"])
def test_web_links_are_kept(url: str) -> None:
    assert sanitize_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " https://a",
        "https://a b",
        "data:text/html,x",
        "file:///etc/passwd",
        'https://a"on=x',
        "https://a\nb",
        "//a.example",
        "obsidian://open",
        "",
    ],
)
def test_other_links_are_not(url: str) -> None:
    assert sanitize_url(url) == ""


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_spreadsheets_run_no_formula(text: str) -> None:
    assert escape_csv_cell(text) == f"'{text}"


def drawn(text: str, *, explain: bool = True, meant: Sequence[Span] = (), **told: Any) -> str:
    citation = Citation("d", "Harbour", "a.txt", None, 0, None, (), 1.0, None, "Harbour", "")
    parts = (Part("meaning", 0.4), Part("words", 0.2))
    hit = Hit("c", "d", 100, text, 0.6, 0.5, None, citation, parts, **told)
    return render_hit(1, hit, frozenset(), (), meant, explain=explain)


def test_the_part_that_answers_stands_above_the_whole_passage() -> None:
    html = drawn("Offices open by nine. Herring fell.", excerpt=(122, 135))
    shown, _, whole = html.partition("<details")
    assert ("Herring fell." in shown, "Offices" in shown) == (True, False)
    assert "Offices open by nine. Herring fell." in Reading(whole).text


def test_a_passage_that_answers_as_a_whole_is_drawn_once() -> None:
    assert drawn("Herring fell.", excerpt=(100, 113)).count("Herring fell.") == 1


def test_what_is_boxed_on_the_page_is_set_off_in_the_words() -> None:
    html = drawn("Offices open by nine. Herring fell.", excerpt=(100, 135), meant=[(122, 135)])
    assert html.count('<mark class="k-quoted">Herring fell.</mark>') == 1
    assert "k-quoted" not in drawn("Herring fell.", excerpt=(100, 113), meant=[(100, 113)])


def test_what_is_boxed_is_seen_though_the_excerpt_be_elsewhere() -> None:
    html = drawn("Offices open by nine. Herring fell.", excerpt=(100, 121), meant=[(122, 135)])
    assert "Herring fell." in html.partition("<details")[0]


def test_of_a_long_table_the_rows_around_the_boxed_one_are_in_sight() -> None:
    rows = [f"| row {number} | {number} |" for number in range(30)]
    table = "\n".join(["[TABLE 1]", "| Name | Q2 |", "| --- | --- |", *rows, "[END TABLE]"])
    start = 100 + table.index(rows[20])
    shown, _, whole = drawn(table, meant=[(start, start + 5)]).partition("<details")
    assert '<tr class="k-quoted"><td>row 20</td>' in shown
    assert ("<th>Q2</th>" in shown, "<td>… 16 rows</td>" in shown, "<td>… 5 rows</td>" in shown) == (True, True, True)
    assert shown.count("<td>row ") == 9
    assert whole.count("<td>row ") == 30


def test_a_row_that_answers_is_shown_below_its_header() -> None:
    start = 100 + TABLE.index("| Turbines")
    row = (start, 100 + TABLE.index("\n[END"))
    shown = drawn(TABLE, excerpt=row, meant=[row]).partition("<details")[0]
    assert "<th>Q2</th>" in shown
    assert '<tr class="k-quoted">' in shown


def test_a_score_is_drawn_as_its_parts() -> None:
    html = drawn("Herring fell.")
    assert [value for name, value in Reading(html).attributes if name == "style"] == ["width:40.0%", "width:20.0%"]
    text = Reading(html).text
    assert "relevance 0.600meaning 0.400words 0.200cosine 0.500quality 1.00" in text
    plain = Reading(drawn("Herring fell.", explain=False)).text
    assert "relevance 0.600" in plain
    assert "meaning" not in plain


def test_what_a_hit_stands_for_is_said() -> None:
    again = Citation("e", "Quay", "b.txt", 3, 0, 1, (), 1.0, None, "<b>Quay", "")
    text = Reading(drawn("Herring fell.", duplicates=(again,), leaves=("x", "y"))).text
    assert "Read in place of 2 of its passages" in text
    assert "The same again: <b>Quay (Page 3, Chunk 2)" in text


def test_facts_and_notes_are_text() -> None:
    html = render_facts([("Time", "<b>"), ("Time", "again"), ("Names", "x")])
    assert Reading(html).text == "Time<b>againNamesx"
    assert "<b>" not in html
    assert Reading(render_note("no <b>Q4</b>")).text == "no <b>Q4</b>"


def test_a_figure_in_parts_stays_on_one_line() -> None:
    html = render_rows(
        [["", "2024"]], [["Revenue", "$ 51,612"], ["<mark>Margin</mark>", "<mark>12.5</mark> %"], ["Of", "41"]]
    )
    assert '<td class="k-figure">$ 51,612</td>' in html
    assert '<td class="k-figure"><mark>12.5</mark> %</td>' in html
    assert "<td>41</td>" in html
    assert "<td><mark>Margin</mark></td>" in html
