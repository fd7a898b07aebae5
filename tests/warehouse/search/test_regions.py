"""Where the words of a span stand on their pages."""

from __future__ import annotations

import pytest

from tests.building import build_warehouse
from tests.tasks.parsers.drawn_pdf import Drawing
from warehouse.reader import Warehouse

LINE = "The fleet sailed on and nobody wrote it down"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("regions")
    (folder / "files").mkdir()
    lines = [(72.0, 100.0 + 13 * number, f"{LINE} {number}") for number in range(4)]
    (folder / "files" / "report.pdf").write_bytes(Drawing().page(lines).page([(72, 100, LINE)]).data())
    (folder / "files" / "note.md").write_text(LINE, encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "files")


def span(report: Warehouse, words: str, source: str = "files/report.pdf") -> tuple[str, int, int]:
    document = report.find_document_id(source)
    assert document
    start = report.read_text(document).index(words)
    return document, start, start + len(words)


def test_a_whole_line_has_its_whole_box(report: Warehouse) -> None:
    (box,) = report.read_regions(*span(report, f"{LINE} 2"))
    (line,) = report.read_lines(*span(report, "wrote it down 2"))
    assert box == line
    assert box.page == 1
    assert (box.box.x0, box.box.top < 126 < box.box.bottom) == (pytest.approx(72, abs=1), True)


def test_a_part_of_a_line_has_its_part_of_the_box(report: Warehouse) -> None:
    whole, first, last = (report.read_regions(*span(report, words))[0].box for words in (f"{LINE} 2", LINE, "down 3"))
    assert (first.x0, first.top) == (whole.x0, pytest.approx(whole.top - 26, abs=0.1))
    assert first.x1 < whole.x1
    assert last.x0 > whole.x0 + 0.8 * (whole.x1 - whole.x0)
    assert last.x1 == pytest.approx(whole.x1, abs=0.1)


def test_a_span_over_lines_has_a_box_in_each(report: Warehouse) -> None:
    document, start, _ = span(report, "down 1")
    _, third, _ = span(report, f"{LINE} 3")
    found = report.read_regions(document, start, third + 9)
    assert (found[0].start, found[0].end) == (start, start + 6)
    assert (found[-1].start, found[-1].end) == (third, third + 9)
    assert len(found) == 3


def test_formats_without_pages_have_none(report: Warehouse) -> None:
    assert report.read_regions(*span(report, LINE, "files/note.md")) == ()
