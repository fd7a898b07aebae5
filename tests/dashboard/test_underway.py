"""Documents handed over in the dashboard, and the ingest in the background that takes them in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.background.records import IngestRun, ReportShape, StageShape
from dashboards.drawing.runs.progress import progress_html, refused_html, result_of
from dashboards.inbox.keeping import keep
from flows.lock import writing
from tests.building import build_warehouse
from tests.dashboard.pages import Reading, said
from warehouse.reader import Warehouse
from warehouse.store.layout import Layout

Draw = Callable[..., AppTest]
NOW = datetime(2025, 11, 22, 3, tzinfo=UTC)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    """A warehouse with a document in a folder and one in its inbox, whose Prefect server cannot come up."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Alpha\n\nA turbine.", "utf-8")
    folder = tmp_path / "warehouse"
    build_warehouse(folder, docs)
    keep(Layout(folder).inbox, "b.md", b"# Beta\n\nA rotor.")
    held = build_warehouse(folder, Layout(folder).inbox)
    (held.layout.prefect / "server.json").mkdir(parents=True)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(folder))
    return held


def ended(page: AppTest) -> AppTest:
    """The page once the run in the background has ended."""
    deadline = monotonic() + 60
    while monotonic() < deadline:
        page.run()
        if any(button.key == "underway-seen-button" for button in page.button):
            return page
        sleep(0.2)
    raise AssertionError(said(page))


def test_a_dropped_file_is_kept_and_taken_in_by_a_run_whose_failure_is_one_line(draw: Draw, own: Warehouse) -> None:
    page = draw("library")
    page.file_uploader[0].set_value(("../Ne w.md", b"# New\n\nA blade.", "text/markdown"))
    page.button(key="FormSubmitter:library-dropping-Take in").click().run()
    assert not page.exception
    assert (own.layout.inbox / "Ne w.md").read_bytes() == b"# New\n\nA blade."
    assert any(button.key == "underway-stop" for button in page.button)
    page = ended(page)
    assert not page.exception
    assert "server.json is a folder where a file belongs" in said(page)
    page.button(key="underway-seen-button").click().run()
    assert "server.json" not in said(page)


def test_the_same_file_again_is_nothing_new(draw: Draw, own: Warehouse) -> None:
    page = draw("library")
    page.file_uploader[0].set_value(("b.md", b"# Beta\n\nA rotor.", "text/markdown"))
    page.button(key="FormSubmitter:library-dropping-Take in").click().run()
    assert "b.md: there already, with the same content" in said(page)
    assert [file.name for file in own.layout.inbox.iterdir()] == ["b.md"]


def test_a_run_of_others_is_one_line_and_the_file_is_kept(draw: Draw, own: Warehouse) -> None:
    page = draw("library")
    page.file_uploader[0].set_value(("c.md", b"# C", "text/markdown"))
    with writing(own.layout):
        page.button(key="FormSubmitter:library-dropping-Take in").click().run()
    assert not page.exception
    assert "is writing to" in said(page)
    assert (own.layout.inbox / "c.md").exists()


def test_a_typed_text_becomes_a_note(draw: Draw, own: Warehouse) -> None:
    page = draw("library")
    page.text_input(key="library-typed-title-0").set_value("Call: Ada")
    page.text_input(key="library-typed-tags-0").set_value("calls, ada")
    page.text_area(key="library-typed-text-0").set_value("Revenue was 12.")
    with writing(own.layout):
        page.button(key="FormSubmitter:library-typing-Add").click().run()
    assert not page.exception
    note = (own.layout.inbox / "Call- Ada.md").read_text("utf-8")
    assert note == '---\ntitle: "Call: Ada"\ntags: ["calls", "ada"]\n---\n\nRevenue was 12.\n'
    assert page.text_area(key="library-typed-text-1").value == ""


def test_a_text_without_a_title_stays_in_the_form(draw: Draw, own: Warehouse) -> None:
    page = draw("library")
    page.text_area(key="library-typed-text-0").set_value("Revenue was 12.")
    page.button(key="FormSubmitter:library-typing-Add").click().run()
    assert "the text has no title" in said(page)
    assert page.text_area(key="library-typed-text-0").value == "Revenue was 12."


def test_a_file_that_was_handed_over_is_deleted_when_that_is_confirmed(draw: Draw, own: Warehouse) -> None:
    page = draw("library", document="inbox/b.md")
    with writing(own.layout):
        page.button(key="library-remove-yes").click().run()
    assert not page.exception
    assert not list(own.layout.inbox.iterdir())


def test_a_file_of_a_folder_is_never_touched(draw: Draw, own: Warehouse) -> None:
    page = draw("library", document="docs/a.md")
    assert "no file of it is ever touched from here" in said(page)
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
    assert "Folders are named at the machine itself" in said(page)
    monkeypatch.setattr("streamlit.get_option", lambda name: "127.0.0.1")
    page = draw("library")
    page.text_input(key="library-folder").set_value("relative/folder")
    page.button(key="FormSubmitter:library-importing-Import").click().run()
    assert "the folder is not named in full" in said(page)
    page.text_input(key="library-folder").set_value(str(own.layout.folder / "nowhere"))
    page.button(key="FormSubmitter:library-importing-Import").click().run()
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
    read = Reading(progress_html(run, NOW + timedelta(seconds=75)))
    assert read.text == "1,200 new 75 sparse 1,200 in 3.0 sembed 300 of 1,200"
    assert ("aria-valuenow", "300") in read.attributes
    assert ("style", "width:25%") in read.attributes


def test_a_result_is_one_line_and_reasons_are_text() -> None:
    report = ReportShape(
        generation=7, documents=3, chunks=9, counts={"new": 1}, unreadable={}, warnings=[], stages=[], seconds=2.0
    )
    assert result_of(report) == "Published generation 7: 3 documents, 9 passages. 1 new; 2.0 s."
    assert result_of(report.model_copy(update={"generation": None})).startswith("Nothing changed: 3 documents")
    html = refused_html([(f"<b>{number}", "<i>why") for number in range(60)])
    assert Reading(html).tags == {"dl", "dt", "dd", "bdi"}
    assert "and 10 more" in html
