"""A source opened: the marked passage and the page with its boxes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
import streamlit as st
from PIL import Image, ImageChops
from streamlit.testing.v1 import AppTest

from dashboards.html.passage_markup import render_passage
from dashboards.html.safe_text import format_markdown_label
from dashboards.widgets.page_pictures import group_boxes_by_page, render_page_picture
from dashboards.widgets.pdf_program import compute_strip_margins
from tests.building import build_warehouse, copy_made
from tests.dashboards.pages.conversing import asked, session_of
from tests.dashboards.pages.elements import Reading, html_of, said
from warehouse.errors import UnreadableFile
from warehouse.records import Box, Region

Draw = Callable[..., AppTest]
REPORT = Path(__file__).parents[3] / "samples/reports/northlight-fy2025-q3.pdf"
TABLE = "Before it.\n[TABLE 1]\n| Name | Q2 |\n| --- | --- |\n| Parts | 41 |\n| Service | 7 |\n[END TABLE]\nAfter <it>."


def made(folder: Path) -> None:
    (folder / "reports").mkdir()
    shutil.copy(REPORT, folder / "reports")
    build_warehouse(folder / "w", folder / "reports")


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a warehouse of one PDF."""
    copy_made(made, tmp_path)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "w"))
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "reports" / REPORT.name


def test_the_very_spans_are_marked() -> None:
    start, row = TABLE.index("After"), TABLE.index("| Service")
    html = render_passage(TABLE, frozenset(), quotes=[(start, start + 5), (row, row + 5)])
    assert '<mark class="k-quoted">After</mark> &lt;it&gt;.' in html
    assert '<tr class="k-quoted"><td>Service</td>' in html
    assert "<tr><td>Parts</td>" in html
    assert Reading(html).text == "Before it.NameQ2Parts41Service7After <it>."


def test_spans_that_overlap_lose_and_repeat_nothing() -> None:
    html = render_passage("one two three", frozenset(), quotes=[(4, 9), (0, 7)])
    assert html.count("<mark ") == 1
    assert Reading(html).text == "one two three"


@pytest.mark.parametrize("text", ["![x](http://a.example)", "[x](javascript:y)", ":red[x]", "`x` **b** <b>", "# x"])
def test_a_label_is_its_text(text: str) -> None:
    shown = format_markdown_label(text)
    assert all(shown[place - 1] == "\\" for place, sign in enumerate(shown) if sign in "![]()<>*`:#_")
    assert shown.replace("\\", "").replace("\u2060", "") == text


def test_a_long_label_is_cut_to_one_line() -> None:
    assert format_markdown_label("a\nb " * 50, 10) == "a b a b a…"


def test_boxes_are_drawn_where_they_are_meant() -> None:
    box = Box(100, 500, 300, 520)
    plain, boxed = (Image.open(BytesIO(render_page_picture(REPORT, 2, boxes))) for boxes in ((), (box,)))
    left, top, right, bottom = ImageChops.difference(plain, boxed).getbbox() or (0, 0, 0, 0)
    assert (left / 2, top / 2, right / 2, bottom / 2) == pytest.approx((100, 500, 300, 520), abs=2)


def test_a_part_of_a_page_is_the_page_there() -> None:
    box = Box(100, 300, 300, 320)
    whole, part = (Image.open(BytesIO(render_page_picture(REPORT, 2, [box], around))) for around in (None, 50))
    assert part.size == (whole.width, 2 * (320 - 300 + 2 * 50))
    assert not ImageChops.difference(whole.crop((0, 500, whole.width, 740)), part).getbbox()


@pytest.mark.parametrize(
    ("boxes", "left_out"),
    [
        ([(0, 300, 9, 320)], (250, 430)),
        ([(0, 10, 9, 20)], (0, 690)),
        ([(0, 780, 9, 799)], (681, 0)),
        ([(0, 300, 9, 320), (0, 500, 9, 510)], (250, 240)),
        ([(0, 10, 9, 20), (0, 700, 9, 720)], (0, 0)),
        ([(0, 900, 9, 950)], (0, 0)),
        ([], (0, 0)),
    ],
)
def test_what_is_left_out_above_and_below(boxes: list[tuple[float, ...]], left_out: tuple[float, float]) -> None:
    assert compute_strip_margins(800, boxes, 50) == left_out


@pytest.mark.parametrize(("content", "page"), [(b"%PDF-1.7 nothing", 1), (REPORT.read_bytes(), 99)])
def test_a_page_that_cannot_be_drawn_is_an_error_with_a_cure(tmp_path: Path, content: bytes, page: int) -> None:
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(UnreadableFile, match=f"page {page} of the file cannot be drawn"):
        render_page_picture(tmp_path / "a.pdf", page, ())


def test_what_stands_on_one_line_has_one_box() -> None:
    boxes = Box(10, 5, 20, 15), Box(30, 5.5, 40, 15), Box(10, 20, 40, 30), Box(0, 0, 1, 1)
    pages = (1, 1, 1, 2)
    regions = [Region(n, n + 1, page, box) for n, (page, box) in enumerate(zip(pages, boxes, strict=True))]
    assert group_boxes_by_page(regions) == {1: (Box(10, 5, 40, 15), boxes[2]), 2: (boxes[3],)}


@pytest.mark.parametrize("resumed", [False, True])
def test_a_source_in_a_pdf_opens_with_its_page(draw: Draw, report: Path, *, resumed: bool) -> None:
    page = asked(draw("chat"), "Total revenue in the three months ended June 30, 2025")
    if resumed:
        st.cache_resource.clear()
        page = draw("chat", session=session_of(page))
    page.button(key="chat-source-1-1").click().run()
    assert not page.exception
    (picture,) = page.get("image")
    assert picture.proto.imgs[0].caption.startswith("Page ")
    html = html_of(page)
    assert '<tr class="k-quoted">' in html or "<mark>" in html[html.index("k-passage") :]


def test_a_file_that_has_changed_shows_no_boxes(draw: Draw, report: Path) -> None:
    page = asked(draw("chat"), "Total revenue in the three months ended June 30, 2025")
    report.write_bytes(report.read_bytes() + b"\n")
    page.button(key="chat-source-1-1").click().run()
    assert "The file has changed since it was imported" in said(page)
    assert not page.get("image")
    report.unlink()
    page.button(key="chat-source-1-1").click().run()
    assert "cannot be opened" in said(page)
