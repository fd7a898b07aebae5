"""Pages shared by several processes: the document is the same, and a bad page costs itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.parsers import parser_pool
from tasks.parsers.parser_contract import PagedParser, Raw
from tasks.parsers.parser_pool import Worker
from tasks.parsers.parser_process import PageDone, ReadPages, Reply
from tasks.parsers.reader import PARSERS, Job, read, read_files
from tests.tasks.parsers.raw_pdf import endless, pdf_of, text
from tests.tasks.parsers.reading_processes import killed_when_asked, workers_started
from warehouse.errors import UnreadableFile
from warehouse.records import Document
from warehouse.settings.models import ParseSettings

LIMITS = ParseSettings(processes=2, seconds=60, page_seconds=60, megabytes=1024)
FORMS, DRAWN = endless()
SLOW = b"/X0 Do"


def written(folder: Path, *contents: bytes) -> Path:
    """A PDF of these pages."""
    path = folder / "pages.pdf"
    path.write_bytes(pdf_of(contents, more=FORMS, xobjects=DRAWN))
    return path


def outcome(path: Path, **limits: float) -> Document | UnreadableFile:
    """What becomes of one file."""
    ((index, found, _),) = read_files([Job(path.name, path)], LIMITS.model_copy(update=limits))
    assert index == 0
    return found


def document(path: Path, **limits: float) -> Document:
    found = outcome(path, **limits)
    assert isinstance(found, Document), found
    return found


@pytest.mark.parametrize(("pages", "processes"), [(1, 3), pytest.param(2, 1, marks=pytest.mark.slow), (60, 3)])
def test_shared_pages_make_the_same_document(tmp_path: Path, pages: int, processes: int) -> None:
    path = written(tmp_path, *(text(f"Page {number} says number {number}.") for number in range(pages)))
    found = document(path, processes=processes)
    assert found == read(Raw(path.name, path.read_bytes()))
    assert found.total_pages == pages


def test_a_long_file_is_read_by_all_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, *(text(f"Page {number}") for number in range(40)))
    readers, receive = set(), Worker.receive

    def note_reader(worker: Worker) -> Reply | UnreadableFile:
        reply = receive(worker)
        if isinstance(reply, PageDone):
            readers.add(worker)
            assert started[1].is_ready or started[1].pipe.poll(60), "it is there before more pages are dealt"
        return reply

    started = workers_started(monkeypatch)
    monkeypatch.setattr(Worker, "receive", note_reader)
    document(path)
    assert readers == set(started)
    assert len(readers) == 2


def test_a_slow_page_costs_itself(tmp_path: Path) -> None:
    found = document(written(tmp_path, text("first"), SLOW, text("third"), text("fourth")), page_seconds=0.7)
    assert found.text.split() == ["first", "third", "fourth"]
    (finding,) = found.findings
    assert (finding.code, finding.name, finding.page) == ("DOC012", "lost-page", 2)
    assert "longer than 0.7 s" in finding.message
    assert found.total_pages == 4


def test_a_page_that_kills_its_process_costs_itself(tmp_path: Path) -> None:
    path = written(tmp_path, text("first"), text("second"), SLOW, text("fourth"))
    with killed_when_asked(lambda request: isinstance(request, ReadPages) and request.first == 3):
        found = document(path, processes=1)
    assert found.text.split() == ["first", "second", "fourth"]
    assert [(finding.code, finding.page) for finding in found.findings] == [("DOC012", 3)]


def test_a_hungry_page_costs_itself(tmp_path: Path) -> None:
    path = written(tmp_path, text("first"), b" " * (96 * 2**20), text("third"))
    found = document(path, processes=1, megabytes=64)
    assert found.text.split() == ["first", "third"]
    assert [(finding.code, finding.page) for finding in found.findings] == [("DOC012", 2)]


@pytest.mark.slow
def test_a_file_that_always_kills_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_pool, "_MAX_KILLS", 2)
    started = workers_started(monkeypatch)
    found = outcome(written(tmp_path, *[SLOW] * 40), page_seconds=0.1, processes=1)
    assert isinstance(found, UnreadableFile)
    assert found.code == "DOC005"
    assert len(started) == 2


def test_a_file_has_an_end_too(tmp_path: Path) -> None:
    path = written(tmp_path, text("first"), *[SLOW] * 2)
    found = outcome(path, seconds=0.6, page_seconds=1, processes=1)
    assert isinstance(found, UnreadableFile)
    assert found.code == "DOC005"


def test_pages_that_all_fail_are_the_files_failure(tmp_path: Path) -> None:
    data = pdf_of([b"BT << /Odd >> ET"] * 2)
    path = tmp_path / "bad.pdf"
    path.write_bytes(data)
    found = outcome(path)
    assert isinstance(found, UnreadableFile)
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("bad.pdf", data))
    assert str(found) == str(caught.value)


def test_a_page_that_fails_is_lost_the_same_in_one_process(tmp_path: Path) -> None:
    data = pdf_of([text("first"), b"BT << /Odd >> ET", text("third")])
    path = tmp_path / "odd.pdf"
    path.write_bytes(data)
    found = document(path)
    assert found == read(Raw(path.name, data))
    assert [(finding.code, finding.page) for finding in found.findings] == [("DOC012", 2)]


def test_pdf_has_pages() -> None:
    assert isinstance(PARSERS["pdf"], PagedParser)
    assert not isinstance(PARSERS["docx"], PagedParser)
