"""Reading many files: what one of them does is its own affair."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

import psutil
import pytest

from tasks.parsers.parser_process import Begin
from tasks.parsers.reader import Job, read_files
from tests.tasks.parsers.raw_pdf import endless, pdf_of, text
from tests.tasks.parsers.reading_processes import killed_when_asked, reading_processes, workers_started
from warehouse.errors import UnreadableFile
from warehouse.records import Document
from warehouse.settings.models import ParseSettings

ROOT = Path(__file__).resolve().parents[3]
REPORTS = ROOT / "samples/reports"
PDF = REPORTS / "northlight-fy2025-q2.pdf"
DOCX = REPORTS / "board-memo-capital-plan.docx"
NOTE = ROOT / "samples/vault/Gaps.md"


LIMITS = ParseSettings(processes=2, seconds=60, page_seconds=60, megabytes=1024)


def outcomes(*paths: Path, **limits: float) -> list[object]:
    """What became of each file: the document, or the code of its finding."""
    items = [Job(path.name, path) for path in paths]
    found: dict[int, object] = {}
    for index, outcome, _ in read_files(items, LIMITS.model_copy(update=limits)):
        assert index not in found
        found[index] = outcome.code if isinstance(outcome, UnreadableFile) else outcome
    assert not reading_processes()
    return [found[index] for index in range(len(paths))]


def slow_pdf(folder: Path) -> Path:
    """A small valid PDF whose page draws a million one-letter strings: minutes of work for any interpreter."""
    return pdf_with(b"BT /F 1 Tf " + b"(a) Tj " * 1_000_000 + b"ET", folder / "slow.pdf")


def pdf_with(content: bytes, path: Path) -> Path:
    """A PDF of one page with this content, compressed."""
    content = zlib.compress(content, 1)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, held) for number, held in enumerate(objects, start=1))
    path.write_bytes(b"%PDF-1.4\n" + body + b"trailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF\n")
    return path


def test_light_files_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent")
    (document,) = outcomes(NOTE)
    assert isinstance(document, Document)


def test_heavy_and_light_files_come_back_whole_in_any_thread() -> None:
    found: list[object] = []
    files = (PDF, NOTE, DOCX, ROOT / "samples/broken.pdf", PDF)
    thread = threading.Thread(target=lambda: found.extend(outcomes(*files)))
    thread.start()
    thread.join()
    assert found[0] == found[4]
    assert [type(outcome) for outcome in found[:3]] == [Document] * 3
    assert found[3] == "DOC004"


def test_one_process_reads_file_after_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = workers_started(monkeypatch)
    single = tmp_path / "single.pdf"
    single.write_bytes(pdf_of([text("One page.")]))
    found = outcomes(DOCX, single, PDF, ROOT / "samples/broken.pdf", DOCX, processes=1)
    assert [type(outcome) for outcome in found] == [Document, Document, Document, str, Document]
    assert len(started) == 1


@pytest.mark.slow
def test_a_slow_file_costs_itself(tmp_path: Path) -> None:
    slow = slow_pdf(tmp_path)
    found = outcomes(slow, PDF, slow, DOCX, seconds=0.7)
    assert [found[0], found[2]] == ["DOC005", "DOC005"]
    assert isinstance(found[1], Document)
    assert isinstance(found[3], Document)


def test_a_hungry_file_costs_itself(tmp_path: Path) -> None:
    swelling = pdf_with(b" " * (96 * 2**20), tmp_path / "swelling.pdf")
    hungry, *rest = outcomes(swelling, DOCX, processes=1, megabytes=64)
    assert hungry in ("DOC006", "DOC010")  # a MemoryError in Python, or an allocation in C that ends the process
    assert isinstance(rest[0], Document)


def test_a_killed_process_costs_the_file_it_had(tmp_path: Path) -> None:
    forms, drawn = endless()
    (tmp_path / "endless.pdf").write_bytes(pdf_of([b"/X0 Do"], more=forms, xobjects=drawn))
    with killed_when_asked(lambda request: isinstance(request, Begin)):
        found = outcomes(tmp_path / "endless.pdf", PDF, processes=1)
    assert found[0] == "DOC010"
    assert isinstance(found[1], Document)


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(65 * 2**20)
    assert outcomes(tmp_path / "gone.pdf", tmp_path, large, NOTE, megabytes=64)[:3] == ["DOC001", "DOC001", "DOC006"]


def test_processes_end_when_the_caller_stops_listening(tmp_path: Path) -> None:
    reading = read_files([Job(PDF.name, PDF), Job("slow.pdf", slow_pdf(tmp_path))], LIMITS)
    next(reading)
    assert reading_processes()
    reading.close()
    assert not reading_processes()


def test_it_works_from_a_script_without_a_guard(tmp_path: Path) -> None:
    script = tmp_path / "app.py"
    script.write_text(
        "from pathlib import Path\nimport sys\nfrom tasks.parsers.reader import Job, read_files\n"
        "from warehouse.settings.models import ParseSettings\n"
        "jobs = [Job(sys.argv[1], Path(sys.argv[1]))]\n"
        "for _, outcome, _ in read_files(jobs, ParseSettings(processes=1)):\n"
        "    print(outcome.total_pages)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, script, PDF], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
    )
    assert done.stdout == "2\n"


@pytest.mark.slow
def test_a_process_ends_with_a_killed_owner(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path\nimport sys\nfrom tasks.parsers.reader import Job, read_files\n"
        "from warehouse.settings.models import ParseSettings\n"
        "list(read_files([Job('slow.pdf', Path(sys.argv[1]))], ParseSettings(page_seconds=600, seconds=600)))\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", script, slow_pdf(tmp_path)], cwd=ROOT)
    watched = psutil.Process(owner.pid)
    while not (orphans := watched.children()):
        time.sleep(0.05)
    owner.kill()
    owner.wait()
    gone, alive = psutil.wait_procs(orphans, timeout=10)
    assert gone
    assert not alive


def test_a_file_that_is_not_the_announced_one_is_passing_trouble() -> None:
    jobs = [Job(NOTE.name, NOTE, "0" * 64), Job("gone.md", NOTE.with_name("gone.md"))]
    found = [outcome for _, outcome, _ in read_files(jobs, LIMITS)]
    assert [isinstance(outcome, UnreadableFile) and outcome.transient for outcome in found] == [True, True]


def test_a_large_file_of_a_light_format_costs_itself_too(tmp_path: Path) -> None:
    endless = tmp_path / "endless.html"  # nine seconds of reading
    endless.write_text("<html><body>" + "<p>One sentence of a long page.</p>" * 400_000)
    found = outcomes(endless, NOTE, seconds=0.7)
    assert found[0] == "DOC005"
    assert isinstance(found[1], Document)
