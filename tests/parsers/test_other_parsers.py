"""JATS, courses, DOCX, HTML and plain text: what each reads out of its format."""

from __future__ import annotations

from datetime import date
from io import BytesIO
from pathlib import Path

import pytest

from tasks.parsers.contract import Raw
from tasks.parsers.language import language_of
from tasks.parsers.reading import read
from tasks.parsers.spans import SpanCell, lay_out
from tasks.parsers.table_form import guess_header_rows
from warehouse.records import BlockKind, DateOrigin, Document, Kind

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
SHARED = ROOT / "../shared/data"


def sample(name: str) -> Document:
    return read(Raw(Path(name).name, (SAMPLES / name).read_bytes()))


def text(name: str, data: str) -> Document:
    return read(Raw(name, data.encode()))


def test_a_paper_knows_where_it_appeared() -> None:
    paper = sample("papers/nitrate-drift.xml")
    assert paper.kind is Kind.PAPER
    assert paper.authors == ("Tuva Brekke", "Daniel Okafor", "Mei Lin")
    assert paper.attributes.journal == "Journal of Sea Instruments"
    assert (paper.attributes.pmcid, paper.attributes.doi) == ("PMC9900142", "10.99999/jsi.2024.0142")
    assert paper.attributes.paper_type == "Research Article"
    assert (paper.dates[0].date, paper.dates[0].origin) == (date(2024, 11, 14), DateOrigin.PUBLICATION)
    assert paper.tables[0].header_rows == 2
    assert paper.tables[0].caption == "Table 1 Median drift by depth and time."
    assert not paper.findings


def test_an_abstract_alone_is_found_and_kept() -> None:
    paper = sample("papers/window-coating-abstract.xml")
    assert [(finding.code, finding.name) for finding in paper.findings] == [("DOC007", "abstract-only")]
    assert "41 trials" in paper.text
    assert paper.attributes.paper_type == "Review"


@pytest.mark.skipif(not SHARED.exists(), reason=f"there is no {SHARED}")
def test_published_papers_give_their_front_matter() -> None:
    path = SHARED / "jats/journal.pmed.1001418.xml"
    paper = read(Raw(path.name, path.read_bytes()))
    assert paper.attributes.doi == "10.1371/journal.pmed.1001418"
    assert paper.dates[0].date == date(2013, 4, 9)
    assert len(paper.tables) == 3
    sections = [block.section[1] for block in paper.blocks if block.kind is BlockKind.HEADING and block.level == 2]
    assert {"Abstract", "Introduction", "Methods", "Results", "Discussion", "References"} <= set(sections)


def test_a_course_has_lessons_from_zero_with_and_without_links() -> None:
    course = sample("courses/ocean-time-series.txt")
    assert course.kind is Kind.COURSE
    assert course.attributes.instructor == "Tuva Brekke"
    assert [lesson.number for lesson in course.attributes.lessons] == [0, 1, 2, 3]
    assert [bool(lesson.link) for lesson in course.attributes.lessons] == [True, True, False, True]
    gaps = course.attributes.lessons[2]
    assert course.text[gaps.start : gaps.end].startswith("Lesson 2: Gaps, clocks and time zones\n\nEvery mooring")
    assert course.text[gaps.start : gaps.end].endswith("only at the very end.")


def test_a_course_needs_no_more_than_its_title() -> None:
    course = text("x", "\n  COURSE TITLE : A\nprologue\n\nlesson 12 : B\nwords\nLesson link: https://l\n")
    assert (course.title, course.attributes.instructor, course.authors) == ("A", "", ())
    (lesson,) = course.attributes.lessons
    assert (lesson.number, lesson.title, lesson.link) == (12, "B", "https://l")
    assert "prologue" in course.text[: lesson.start]


def test_a_word_memo_in_the_order_of_its_body() -> None:
    memo = sample("reports/board-memo-capital-plan.docx")
    assert memo.title == "Board memo: capital plan for fiscal 2026"
    assert memo.dates[0].date == date(2025, 8, 18)
    kinds = [block.kind for block in memo.blocks]
    assert kinds[:6] == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.PARAGRAPH,
                         BlockKind.HEADING, BlockKind.TABLE]  # fmt: skip
    assert memo.tables[0].rows[-1] == ("Total", "21.5", "30.0", "")


def test_merged_cells_of_word_stand_in_every_row() -> None:
    import docx

    word = docx.Document()
    table = word.add_table(rows=3, cols=3)
    for number, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells):
            cell.text = f"{number}{column}"
    merged = table.cell(1, 0).merge(table.cell(2, 0))
    merged.text = "both"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "wide"
    target = BytesIO()
    word.save(target)
    document = read(Raw("a.docx", target.getvalue()))
    assert document.tables[0].rows == (("00", "wide", ""), ("both", "11", "12"), ("both", "21", "22"))
    assert document.dates == ()


@pytest.mark.skipif(not SHARED.exists(), reason=f"there is no {SHARED}")
def test_strict_word_files_and_text_boxes_are_read() -> None:
    folder = SHARED / "docx"
    assert read(Raw("a.docx", (folder / "Strict.docx").read_bytes())).text
    boxes = read(Raw("a.docx", (folder / "textbox.docx").read_bytes())).text
    assert boxes.count("Student falls ill") == 1


def test_a_web_page_without_its_machinery() -> None:
    page = text(
        "a.html",
        "<!doctype html><html><head><title>T</title><script>var x</script><meta property='article:published_time' "
        "content='2024-03-05T10:00'></head><body><nav>Home</nav><h1>One</h1><p>Two <b>three</b><br>four</p>loose "
        "<ul><li>a<ul><li>b</li></ul></li></ul><table><tr><th colspan=2>H<tr><td rowspan=2>1<td>2<tr><td>3</table>"
        "<pre>  x\n y</pre></body></html>",
    )
    assert page.text == (
        "One\n\nTwo three\nfour\n\nloose\n\n- a\n  - b\n\n"
        "[TABLE 1]\n| H | H |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |\n[END TABLE]\n\n  x\n y"
    )
    assert (page.title, page.dates[0].date) == ("T", date(2024, 3, 5))


def test_plain_text_in_paragraphs_of_bounded_length() -> None:
    plain = text("a.log", "one\n\n\n- a\n- b\n\n" + "\n".join(["x" * 99] * 100))
    assert [block.kind for block in plain.blocks][:2] == [BlockKind.PARAGRAPH, BlockKind.LIST]
    assert all(block.end - block.start <= 4_000 for block in plain.blocks)
    assert plain.text.count("x") == 9_900


@pytest.mark.parametrize(
    ("words", "language"),
    [("The fiscal year ends in September.", "en"), ("财年于每年九月三十日结束。", "zh"),
     ("2024 年 Q3 revenue 增长", "zh"), ("これは日本語の文章です。", "und"), ("Финансовый год", "und"),
     ("12 34", "und"), ("a 中", "zh"), ("", "und")],
)  # fmt: skip
def test_languages_by_their_letters(words: str, language: str) -> None:
    assert language_of(words) == language


def test_spans_are_laid_out_on_a_grid() -> None:
    rows = [[SpanCell("a", 2, 1), SpanCell("b", 1, 2)], [SpanCell("c"), SpanCell("d")], [SpanCell("e", 1, 3)]]
    assert lay_out(rows, header_rows=1) == [["a", "b", "b"], ["a", "c", "d"], ["e", "", ""]]


def test_absurd_spans_are_bounded() -> None:
    grid = lay_out([[SpanCell("a", 10**9, 10**9), SpanCell("b")], [SpanCell("c")]], header_rows=0)
    assert len(grid) == 2
    assert max(map(len, grid)) <= 200
    assert {"a", "b", "c"} <= {word for row in grid for cell in row for word in cell.split()}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["", "2025", "2024"], ["Revenue", "412.5", "(3)"]], 1),
        ([["", "Three months"], ["in millions", "2025"], ["Revenue", "$ 1,200"]], 2),
        ([["Name", "Town"], ["Ann", "Oslo"]], 1),
        ([["x", "5"], ["y", "6"]], 1),
    ],
)
def test_header_rows_are_those_before_the_first_figures(rows: list[list[str]], expected: int) -> None:
    assert guess_header_rows(rows) == expected
