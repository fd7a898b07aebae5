"""Documents handed over in the dashboard, and the ingest in the background that takes them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from dashboards.background.runs import IngestRun, ReportShape, StageShape, WorkedDocument
from dashboards.html.import_progress import render_documents, render_progress, render_refused_files, render_result
from dashboards.widgets import imports
from dashboards.widgets.resources import load_page_context
from flows.locks import write_lock
from flows.progress import DocumentState
from tests.building import build_warehouse, copy_made
from tests.dashboards.background.storing import store_upload
from tests.dashboards.pages.conversing import join_threads
from tests.dashboards.pages.elements import Reading, said
from warehouse.reader import Warehouse
from warehouse.store.layout import Layout

Draw = Callable[..., AppTest]
NOW = datetime(2025, 11, 22, 3, tzinfo=UTC)


PNG = b"\x89PNG\r\n\x1a\n" + bytes(200)


def made(folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("# Alpha\n\nA turbine.", "utf-8")
    build_warehouse(folder / "warehouse", folder / "docs")
    store_upload(Layout(folder / "warehouse").inbox, "b.md", b"# Beta\n\nA rotor.")
    build_warehouse(folder / "warehouse", Layout(folder / "warehouse").inbox)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warehouse]:
    """A warehouse with a document in a folder and one in its inbox, whose Prefect server cannot come up."""
    copy_made(made, tmp_path)
    folder = tmp_path / "warehouse"
    held = Warehouse(folder)
    (held.layout.prefect / "server.json").mkdir(parents=True)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(folder))
    yield held
    imports.get_background_ingests(load_page_context()).close()


def drop(page: AppTest, name: str, content: bytes) -> AppTest:
    """The page once a file was dropped and sent."""
    page.file_uploader[0].set_value((name, content, "text/markdown"))
    page.button(key="FormSubmitter:library-dropping-Add to library").click().run()
    assert not page.exception
    return page


def button(page: AppTest, beginning: str) -> Button | None:
    """The first button whose key begins so."""
    return next((each for each in page.button if str(each.key).startswith(beginning)), None)


def until(page: AppTest, look: Callable[[AppTest], object]) -> AppTest:
    """The page once it is as it should be."""
    deadline = monotonic() + 60
    while not look(page):
        assert monotonic() < deadline, said(page)
        join_threads("ingest", 60)
        sleep(0.1)
        page.run()
        assert not page.exception
    return page


def press(page: AppTest, beginning: str) -> AppTest:
    """The page after its button was pressed whose key begins so."""
    found = button(page, beginning)
    assert found is not None, beginning
    return found.click().run()


def test_a_dropped_file_is_kept_and_taken_in_by_a_run_whose_failure_is_one_line(draw: Draw, own: Warehouse) -> None:
    page = drop(draw("library"), "../Ne w.md", b"# New\n\nA blade.")
    assert (own.layout.inbox / "Ne w.md").read_bytes() == b"# New\n\nA blade."
    assert button(page, "library-imports-stop")
    assert "inbox/Ne w.md waiting" in said(page)
    page = until(page, lambda page: button(page, "library-imports-dismiss"))
    assert "server.json is a folder, but must be a file" in said(page)
    assert "inbox/Ne w.md not added" in said(page)
    page = until(page, lambda page: button(page, "library-imports-left"))
    assert "1 file sent earlier and not in the library yet: Ne w.md" in said(page)
    with write_lock(own.layout):
        page = press(page, "library-imports-left")
        assert "inbox/Ne w.md waiting" in said(page)
        assert "server.json" not in said(page), "it is tried again"


def test_what_was_seen_is_gone_after_another_page(draw: Draw, own: Warehouse) -> None:
    store_upload(own.layout.inbox, "new.md", b"# New\n\nA blade.")
    # What an earlier dashboard was handed is imported whichever page is opened.
    imports.resume_imports()
    page = until(draw("library"), lambda page: button(page, "library-imports-dismiss")).run()
    assert "inbox/new.md" in said(page)
    assert "server.json" in said(page), "it stays as long as nobody goes on"
    assert "server.json" in said(draw("library")), "nor has anybody else"
    page.session_state["kalends-page"] = "search"
    assert "server.json" not in said(page.run())
    assert "server.json" not in said(draw("library")), "and for new readers"


def test_the_same_file_again_is_nothing_new(draw: Draw, own: Warehouse) -> None:
    page = drop(draw("library"), "b.md", b"# Beta\n\nA rotor.")
    assert "b.md: in the library already, with the same content" in said(page)
    assert [file.name for file in own.layout.inbox.iterdir()] == ["b.md"]
    assert not button(page, "library-imports-stop")
    assert "in the library already" not in said(press(page, "library-imports-dismiss"))


def test_a_file_of_the_inbox_that_the_library_does_not_hold_is_taken_in_when_dropped_again(
    draw: Draw, own: Warehouse
) -> None:
    page = draw("library")
    store_upload(own.layout.inbox, "c.md", b"# C")
    with write_lock(own.layout):
        page = drop(page, "c.md", b"# C")
        assert "inbox/c.md waiting" in said(page)
        assert "already" not in said(page)


def test_what_became_of_each_file_is_told(draw: Draw, own: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_PARSE__MAX_FILE_MEGABYTES", "1")
    page = draw("library")
    files = {"new.md": b"# New", "b.md": b"# Other", "face.png": PNG, "long.md": b"long " * 300_000}
    page.file_uploader[0].set_value([(name, content, "text/plain") for name, content in files.items()])
    with write_lock(own.layout):
        page.button(key="FormSubmitter:library-dropping-Add to library").click().run()
    assert not page.exception
    text = said(page)
    assert "face.pngrefused: a PNG image: save it as PDF, DOCX, Markdown or plain text" in text
    assert "long.mdrefused: the file is larger than the limit of 1 MB: raise parse.max_file_megabytes" in text
    assert "b 2.md: kept beside another file of that name" in text
    assert "inbox/new.md waiting" in text
    assert "inbox/b 2.md waiting" in text
    assert sorted(file.name for file in own.layout.inbox.iterdir()) == ["b 2.md", "b.md", "new.md"]


def test_an_import_of_others_is_shown_and_waited_for(draw: Draw, own: Warehouse) -> None:
    page = draw("library")
    with write_lock(own.layout):
        page = drop(page, "c.md", b"# C")
        assert "Another import is running; yours is queued." in said(page)
        assert "is writing to this library" in said(page)
        page = drop(page, "d.md", b"# D")
        assert said(page).count("yours is queued") == 1
        assert "inbox/c.md waitinginbox/d.md waiting" in said(page)
        assert "yours is queued" in said(draw("runs"))
        page = press(page, "library-imports-cancel")
        assert "yours is queued" not in said(page)
    page = until(page, lambda page: button(page, "library-imports-left"))
    assert "2 files sent earlier and not in the library yet: c.md, d.md" in said(page)
    page = press(page, "library-imports-left")
    assert button(page, "library-imports-stop"), "nobody writes any more"


def test_a_typed_text_becomes_a_note(draw: Draw, own: Warehouse) -> None:
    page = draw("library")
    page.text_input(key="library-typed-title-0").set_value("Call: Ada")
    page.text_input(key="library-typed-tags-0").set_value("calls, ada")
    page.text_area(key="library-typed-text-0").set_value("Revenue was 12.")
    with write_lock(own.layout):
        page.button(key="FormSubmitter:library-typing-Add").click().run()
    assert not page.exception
    note = (own.layout.inbox / "Call- Ada.md").read_text("utf-8")
    assert note == '---\ntitle: "Call: Ada"\ntags: ["calls", "ada"]\n---\n\nRevenue was 12.\n'
    assert page.text_area(key="library-typed-text-1").value == ""


def test_a_text_without_a_title_stays_in_the_form(draw: Draw, own: Warehouse) -> None:
    page = draw("library")
    page.text_area(key="library-typed-text-0").set_value("Revenue was 12.")
    page.button(key="FormSubmitter:library-typing-Add").click().run()
    assert "the note has no title" in said(page)
    assert page.text_area(key="library-typed-text-0").value == "Revenue was 12."


def test_a_file_that_was_handed_over_is_deleted_when_that_is_confirmed(draw: Draw, own: Warehouse) -> None:
    page = draw("library", document="inbox/b.md")
    with write_lock(own.layout):
        page.button(key="library-remove-yes").click().run()
    assert not page.exception
    assert not list(own.layout.inbox.iterdir())


def test_a_file_of_a_folder_is_never_touched(draw: Draw, own: Warehouse) -> None:
    page = draw("library", document="docs/a.md")
    assert "Kalends never changes files there" in said(page)
    assert not [button for button in page.button if button.key == "remove-yes"]


def test_folders_are_forgotten_but_for_the_inbox(draw: Draw, own: Warehouse) -> None:
    keys = {button.key for button in draw("library").button}
    assert "library-forget-docs-yes" in keys
    assert "library-forget-inbox-yes" not in keys
    assert {"library-again-docs", "library-again-inbox", "library-all-again"} <= keys


def test_folders_are_named_at_the_machine_only(draw: Draw, own: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamlit.get_option", lambda name: "0.0.0.0")
    page = draw("library")
    assert not [field for field in page.text_input if field.key == "folder"]
    assert "A folder can be added only on the machine" in said(page)
    monkeypatch.setattr("streamlit.get_option", lambda name: "127.0.0.1")
    page = draw("library")
    page.text_input(key="library-folder").set_value("relative/folder")
    page.button(key="FormSubmitter:library-importing-Add folder").click().run()
    assert "this is not the full path of a folder" in said(page)
    page.text_input(key="library-folder").set_value(str(own.layout.folder / "nowhere"))
    page.button(key="FormSubmitter:library-importing-Add folder").click().run()
    assert "there is no file or folder" in said(page)


def test_an_empty_library_offers_to_begin(draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "none"))
    page = draw("library")
    assert not page.exception
    assert page.file_uploader
    assert page.expander[0].proto.expanded


def test_a_run_tells_its_stages() -> None:
    run = IngestRun(
        id="1",
        files=[],
        started=NOW,
        plan={"new": 1200},
        stages=[StageShape(stage="parse", documents=1200, seconds=3.0)],
        stage="embed",
        done=300,
        of=1200,
    )
    read = Reading(render_progress(run, NOW + timedelta(seconds=75)))
    assert read.text == "1,200 new 75 sreading 1,200 in 3.0 svectors 300 of 1,200"
    assert ("aria-valuenow", "300") in read.attributes
    assert ("style", "width:25%") in read.attributes


def test_documents_that_failed_come_first_then_the_readers_own() -> None:
    told = {
        "a/other.md": ("waiting", "new", "", ""),
        "a/parsed.md": ("waiting", "changed", "parse", ""),
        "inbox/mine.md": ("working", "new", "embed", ""),
        "inbox/again.md": ("done", "unchanged", "", ""),
        "a/known.md": ("failed", "unchanged", "", "the file is empty"),
        "a/as-before.md": ("done", "unchanged", "", ""),
        "a/<b>bad.pdf": ("failed", "new", "parse", "the PDF ends too early: <i>copy it again"),
    }
    documents = [
        WorkedDocument(source=source, state=DocumentState(state), action=action, stage=stage, reason=reason)
        for source, (state, action, stage, reason) in told.items()
    ]
    read = Reading(render_documents(documents, 1200, {"inbox/mine.md", "inbox/again.md"}))
    assert read.tags == {"ul", "li", "small", "bdi"}
    assert read.text == (
        "a/<b>bad.pdf failed: the PDF ends too early: <i>copy it again"
        "inbox/mine.md vectors …inbox/again.md in the library already"
        "a/other.md waitinga/parsed.md reading doneand 1,200 others"
    )
    assert render_documents([documents[4], documents[5]]) == "", "nothing but what is as it was"


def test_a_result_is_one_line_and_reasons_are_text() -> None:
    report = ReportShape(
        generation=7, documents=3, chunks=9, counts={"new": 1}, unreadable={}, warnings=[], stages=[], seconds=2.0
    )
    words = "Import finished: 3 documents, 9 passages. 1 new; 2.0 s (generation 7)."
    assert Reading(render_result(report)).text == words
    nothing = render_result(report.model_copy(update={"generation": None}))
    assert Reading(nothing).text.startswith("Nothing changed: 3 documents")
    html = render_refused_files([(f"<b>{number}", "<i>why") for number in range(60)])
    assert Reading(html).tags == {"dl", "dt", "dd", "bdi"}
    assert "and 10 more" in html
