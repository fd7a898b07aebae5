"""Uploads over HTTP: what is stored, what is refused in one line, and that memory holds a piece at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import rmtree
from typing import Any
from unicodedata import normalize

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psutil import Process

from dashboards.api import uploads
from dashboards.api.middleware import AccessRules
from dashboards.background.inbox import make_safe_file_name, stage_upload
from flows.locks import write_lock
from tests.building import build_warehouse
from tests.dashboards.api.serving import served
from tests.dashboards.api.test_endpoints import problem
from tests.examples import examples
from warehouse.errors import BadInput
from warehouse.settings.loader import Settings, load_settings
from warehouse.store.layout import Layout

SAMPLES = Path(__file__).parents[3] / "samples"
PDF = (SAMPLES / "reports" / "northlight-fy2025-q3.pdf").read_bytes()
NOTE = b"# Mill\n\nThe mill burnt down in May 1911.\n"
MEGABYTE = 1 << 20


KEPT = {"kept.md": NOTE, "cut.pdf": b"%PDF-1.7\nnothing follows"}  # What the library has of the inbox.


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A warehouse with an uploaded note and a folder, which is held, so that runs are queued and none begins."""
    home = tmp_path_factory.mktemp("uploads")
    docs, folder = home / "docs", home / "warehouse"
    docs.mkdir()
    (docs / "alpha.md").write_text("# Alpha\n\nA turbine.\n")
    build_warehouse(folder, docs)
    fill_inbox(folder)
    build_warehouse(folder, Layout(folder).inbox)
    with write_lock(Layout(folder)):
        yield load_settings({"warehouse": folder, "embed": {"model": "hashing"}, "parse": {"max_file_megabytes": 3}})


def fill_inbox(warehouse: Path) -> None:
    layout = Layout(warehouse)
    for folder in (layout.inbox, layout.runs):
        rmtree(folder, ignore_errors=True)
    layout.inbox.mkdir()
    for name, content in KEPT.items():
        (layout.inbox / name).write_bytes(content)


@pytest.fixture
def client(settings: Settings) -> Iterator[httpx.Client]:
    with served(settings) as url, httpx.Client(base_url=url, timeout=60) as found:
        yield found
    fill_inbox(settings.warehouse)


def send(client: httpx.Client, *files: tuple[str, bytes], **parameters: Any) -> httpx.Response:
    return client.post("/api/documents", files=[("files", file) for file in files], params=parameters)


def inbox_of(settings: Settings) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in Layout(settings.warehouse).inbox.iterdir()}


def test_files_are_stored_and_a_run_is_queued(client: httpx.Client, settings: Settings) -> None:
    done = send(client, ("Q3 報告.pdf", PDF), ("mill.md", b"# Mill\n"))
    assert done.status_code == 202, done.text
    found = done.json()
    assert done.headers["location"] == f"/api/runs/{found['run']['id']}"
    assert (found["run"]["state"], len(found["run"]["files"])) == ("queued", 2)
    first = found["documents"][0]
    assert first["source"] == "inbox/Q3 報告.pdf"
    assert (first["outcome"], first["in_library"], first["size"]) == ("new", False, len(PDF))
    assert inbox_of(settings)["Q3 報告.pdf"] == PDF
    run = client.get(done.headers["location"]).json()
    assert [each["source"] for each in run["documents"]] == ["inbox/Q3 報告.pdf", "inbox/mill.md"]


def test_the_same_bytes_again_are_the_same_run_and_no_second_file(client: httpx.Client, settings: Settings) -> None:
    first = send(client, ("new.md", b"# New\n")).json()
    again = send(client, ("new.md", b"# New\n"))
    assert (again.status_code, again.json()["run"]["id"]) == (202, first["run"]["id"])
    assert again.json()["documents"][0]["outcome"] == "same"
    assert again.json()["run"]["files"] == first["run"]["files"]
    assert sorted(inbox_of(settings)) == ["cut.pdf", "kept.md", "new.md"]


def test_what_the_library_has_needs_no_run(client: httpx.Client) -> None:
    done = send(client, ("kept.md", NOTE))
    assert (done.status_code, done.json()["run"]) == (200, None)
    assert "location" not in done.headers
    assert done.json()["documents"][0]["in_library"]
    assert client.get("/api/runs").json()["total"] == 0


def test_another_content_is_kept_beside_or_takes_the_place(client: httpx.Client, settings: Settings) -> None:
    beside = send(client, ("kept.md", b"# Other\n")).json()["documents"][0]
    assert (beside["outcome"], beside["source"]) == ("renamed", "inbox/kept 2.md")
    instead = send(client, ("kept.md", b"# Third\n"), replace=True).json()["documents"][0]
    assert (instead["outcome"], instead["source"]) == ("replaced", "inbox/kept.md")
    assert {name: text for name, text in inbox_of(settings).items() if name.endswith(".md")} == {
        "kept.md": b"# Third\n",
        "kept 2.md": b"# Other\n",
    }


@pytest.mark.parametrize(
    ("files", "status", "says"),
    [
        ([("big.md", b"long " * 700_000)], 413, "limit of 3 MB"),
        ([("face.png", b"\x89PNG\r\n\x1a\n" + bytes(200))], 415, "'face.png' cannot be read: a PNG image"),
        ([("empty.md", b"")], 415, "the file is empty"),
        ([("blank.md", b" \n \n")], 415, "the file is empty"),
        ([("cut.pdf", b"%PDF-1.7\nnothing follows")], 415, "added before as cut.pdf"),
        ([("../../etc/passwd", NOTE)], 400, "send it as 'passwd'"),
        ([("/etc/passwd", NOTE)], 400, "send it as 'passwd'"),
        ([("..", NOTE)], 400, "send it as 'document'"),
        ([(".hidden.md", NOTE)], 400, "send it as 'hidden.md'"),
        ([("con.txt", NOTE)], 400, "send it as 'document con.txt'"),
        ([("a\u202egpj.md", NOTE)], 400, "send it as 'agpj.md'"),
        ([("x" * 300 + ".md", NOTE)], 400, "cannot name a file here"),
        ([("a.md", NOTE), ("a.md", PDF)], 400, "two of the files are named 'a.md'"),
        ([("a.md", NOTE), ("A.MD", PDF)], 400, "two of the files are named"),
        ([("caf\u00e9.md", NOTE), ("cafe\u0301.md", PDF)], 400, "two of the files are named 'caf\u00e9.md'"),
    ],
)
def test_what_is_refused_is_one_line_with_a_cure_and_nothing_is_stored(
    client: httpx.Client, settings: Settings, files: list[tuple[str, bytes]], status: int, says: str
) -> None:
    found = problem(send(client, ("fine.md", b"# Fine\n"), *files), status)
    line = f"{found['detail']}: {found.get('cure', '')}"
    assert says in line
    assert "\n" not in line
    assert found.get("cure") or "added before" in line
    assert inbox_of(settings) == KEPT, "all or none"
    assert client.get("/api/runs").json()["total"] == 0


def test_a_decomposed_name_is_stored_composed(client: httpx.Client, settings: Settings) -> None:
    done = send(client, ("cafe\u0301.md", b"# Caf\n"))
    assert done.json()["documents"][0]["source"] == "inbox/caf\u00e9.md"
    assert "caf\u00e9.md" in inbox_of(settings)


def test_every_refused_file_is_named(client: httpx.Client) -> None:
    found = problem(send(client, ("a.md", b""), ("b.md", NOTE), ("c.bin", b"\x7fELF")), 415)
    assert [each["place"] for each in found["errors"]] == ["files.a.md", "files.c.bin"]
    assert "1 more of the files" in found["detail"]


FORM = "multipart/form-data; boundary=b"
PART = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.md"\r\n\r\nText.'


@pytest.mark.parametrize(
    ("media_type", "body", "status", "says"),
    [
        ("application/json", b"{}", 415, "not multipart/form-data"),
        ("", b"", 415, "not multipart/form-data"),
        ("multipart/form-data", b"", 400, "has no boundary"),
        (f"multipart/form-data; boundary={'b' * 300}", b"", 400, "no valid form"),
        (FORM, b"", 400, "ends before its last boundary"),
        (FORM, PART, 400, "ends before its last boundary"),
        (FORM, b"nonsense", 400, "no valid form"),
        (FORM, b"--b--\r\n", 400, "has no files"),
        (FORM, PART.replace(b"a.md", b"a\x01b.md") + b"\r\n--b--\r\n", 400, "'a\\x01b.md' cannot name a file"),
        (FORM, b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n', 400, "'x' is unknown"),
        (FORM, PART.replace(b"files", b"file") + b"\r\n--b--\r\n", 400, "the field 'file' is unknown"),
        (FORM, PART.replace(b'; filename="a.md"', b"") + b"\r\n--b--\r\n", 400, "'files' is no file"),
        (FORM, PART.replace(b"a.md", b"\xff.md") + b"\r\n--b--\r\n", 400, "is not UTF-8"),
        (FORM, PART.replace(b"\r\n\r\n", b"\r\nX: " + b"y" * 9000 + b"\r\n\r\n"), 400, "no valid form"),
        (FORM, b"--b\r\n\r\nText.\r\n--b--\r\n", 400, "is unknown"),
    ],
)
def test_a_malformed_form_is_one_line(
    client: httpx.Client, settings: Settings, media_type: str, body: bytes, status: int, says: str
) -> None:
    headers = {"Content-Type": media_type} if media_type else {}
    found = problem(client.post("/api/documents", content=body, headers=headers), status)
    assert says in found["detail"]
    assert found["cure"]
    assert inbox_of(settings) == KEPT


def test_the_number_of_files_is_bounded(client: httpx.Client, settings: Settings) -> None:
    files = [(f"{number}.md", b"Text.") for number in range(uploads.MAX_FILES + 1)]
    assert "more than 100 files" in problem(send(client, *files), 400)["detail"]
    assert inbox_of(settings) == KEPT


def test_a_body_without_a_length_is_cut_off_at_the_limit(settings: Settings) -> None:

    def body() -> Iterator[bytes]:
        yield PART
        for _ in range(400):
            yield b"words of " * 7281

    rules = AccessRules(upload_size=2 * MEGABYTE)
    with served(settings, rules) as url, httpx.Client(base_url=url, timeout=60) as client:
        found = problem(client.post("/api/documents", content=body(), headers={"Content-Type": FORM}), 413)
        assert found["cure"]
        assert "larger than 2 MB" in found["detail"]
        whole = client.post("/api/documents", content=bytes(3 * MEGABYTE), headers={"Content-Type": FORM})
        assert problem(whole, 413)["cure"], "its length is enough"
    assert inbox_of(settings) == KEPT


def test_an_upload_is_not_held_in_memory(settings: Settings) -> None:
    large = settings.model_copy(update={"parse": settings.parse.model_copy(update={"max_file_megabytes": 200})})
    head = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a%d.bin"\r\n\r\n'
    most = 0

    def body() -> Iterator[bytes]:
        nonlocal most
        for number in range(3):
            yield head % number
            for _ in range(40):
                most = max(most, Process().memory_info().rss)
                yield bytes(MEGABYTE)
            yield b"\r\n"

    with served(large) as url, httpx.Client(base_url=url, timeout=60) as client:
        client.get("/api/health")
        before = Process().memory_info().rss
        problem(client.post("/api/documents", content=body(), headers={"Content-Type": FORM}), 400)
    assert most - before < 40 * MEGABYTE


def test_a_token_is_needed(settings: Settings) -> None:
    with served(settings, AccessRules(token="let me in")) as url, httpx.Client(base_url=url) as client:
        problem(send(client, ("a.md", NOTE)), 401)
        problem(client.delete("/api/documents/inbox/kept.md"), 401)
        client.headers["Authorization"] = "Bearer let me in"
        problem(
            client.post("/api/documents", files={"files": ("a.md", NOTE)}, headers={"Origin": "https://e.vil"}), 403
        )
        assert send(client, ("a.md", NOTE + b"More.")).status_code == 202


def test_an_inbox_that_cannot_be_written_is_one_line(client: httpx.Client, settings: Settings) -> None:
    inbox = Layout(settings.warehouse).inbox
    inbox.rename(inbox.with_name("moved"))
    inbox.write_text("a file")
    try:
        assert "cannot be written" in problem(send(client, ("a.md", NOTE)), 507)["detail"]
    finally:
        inbox.unlink()
        rmtree(inbox.with_name("moved"))


def test_many_at_once_lose_nothing(client: httpx.Client, settings: Settings) -> None:
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda number: send(client, ("same.md", b"# Number %d\n" % number)), range(8)))
    assert {each.status_code for each in done} == {202}
    texts = sorted(text for name, text in inbox_of(settings).items() if name.startswith("same"))
    assert texts == sorted(b"# Number %d\n" % number for number in range(8))
    assert len({each.json()["run"]["id"] for each in done}) == 1, "they wait for one run"


def test_an_uploaded_document_is_removed_by_source_or_id(client: httpx.Client, settings: Settings) -> None:
    (kept,) = client.get("/api/documents", params={"text": "mill"}).json()["documents"]
    gone = client.delete(f"/api/documents/{kept['document_id']}")
    assert gone.status_code == 202
    assert gone.headers["location"] == f"/api/runs/{gone.json()['id']}"
    assert sorted(inbox_of(settings)) == ["cut.pdf"]
    send(client, ("soon.md", b"# Soon\n"))
    assert client.delete("/api/documents/inbox/soon.md").status_code == 204
    assert sorted(inbox_of(settings)) == ["cut.pdf"]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("docs/alpha.md", 403),
        ("Mill", 404),
        ("inbox", 404),
        ("inbox/", 404),
        ("inbox/..%2F..%2Fdocs%2Falpha.md", 404),
        ("inbox/.lock", 404),
        ("inbox/nowhere.md", 404),
    ],
)
def test_nothing_else_is_removed(client: httpx.Client, settings: Settings, name: str, status: int) -> None:
    assert problem(client.delete(f"/api/documents/{name}"), status)["cure"]
    assert inbox_of(settings) == KEPT
    assert (settings.warehouse.parent / "docs" / "alpha.md").exists()


def test_what_a_killed_server_left_half_written_goes_with_the_next_upload(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / f".{2**22 + 1}.0123456789abcdef").write_text("of a process that cannot be")
    (inbox / f".{os.getpid()}.0123456789abcdef").write_text("of this one")
    (inbox / ".mine").write_text("of somebody")
    with stage_upload(inbox, "a.md", 1) as staged:
        staged.write(b"Text.")
    assert {file.name for file in inbox.iterdir()} == {".mine", f".{os.getpid()}.0123456789abcdef"}


@given(st.text(max_size=60))
@examples(8)
def test_a_name_is_kept_as_it_is_or_refused_with_one_that_is_kept(name: str) -> None:
    sent = name.encode(errors="replace")
    suggested = make_safe_file_name(sent.decode())
    if normalize("NFC", sent.decode()) == suggested:
        assert uploads.parse_file_name(sent) == suggested
    else:
        with pytest.raises(BadInput, match=r"\A[^\n]* cannot name a file here: send it as [^\n]*\Z") as refused:
            uploads.parse_file_name(sent)
        assert repr(suggested) in refused.value.cure
