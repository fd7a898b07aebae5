"""A document on which a stage fails costs itself: the rest of its batch and of the run is published."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dashboards.cli.ingest import list_report_lines
from dashboards.cli.options import read_document
from flows import document_facts, drafts
from flows.checked_files import list_files, read_sheets
from flows.document_facts import make_document_id
from flows.progress import IngestReport
from flows.service.processes import RunningProcess
from tasks import pipeline, single_file, stage_contract
from tasks.faults import FAILED_STAGE
from tasks.temporal import document
from tests.building import build_warehouse
from tests.flows.conftest import Bench, settings_for
from warehouse.errors import LakeFailed, StageError
from warehouse.records import Document, Status
from warehouse.settings.models import EntitySettings
from warehouse.store import keywords
from warehouse.store.generations import read_current
from warehouse.store.layout import Layout

BAD = "gremlin"
TABLE = "\n| Year | Ships |\n| --- | --- |\n| 1912 | 3 |\n"  # For the stage that has no work without one.
"""Stands in the text of the document on which a stage fails."""
ERRORS: Mapping[str, Callable[[], Exception]] = {
    "KeyError": lambda: KeyError("Grain.MONTH"),
    "MemoryError": MemoryError,
    "RecursionError": RecursionError,
    "TimeoutError": lambda: TimeoutError("too slow"),
    "UnicodeError": lambda: UnicodeError("\udc80"),
}


class Fault:
    """A function of a stage, which fails for whatever speaks of the gremlin, and notes how often it was called."""

    def __init__(self, function: Callable[..., Any], error: Callable[[], BaseException]) -> None:
        self.function = function
        self.error = error
        self.calls = 0

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        if any(_speaks_of_it(each) for each in (*given, *named.values())):
            raise self.error()
        return self.function(*given, **named)


def _speaks_of_it(given: object) -> bool:
    if isinstance(given, Document):
        return BAD in given.text
    if isinstance(given, Sequence) and not isinstance(given, str):
        return any(_speaks_of_it(each) for each in given)
    return BAD in str(getattr(getattr(given, "document", None), "text", ""))


FUNCTIONS = {
    "parse": "with_times",
    "tables": "find_totals",
    "temporal": "find_mentions",
    "entities": "find_entities",
    "chunk": "make_chunks",
    "score": "score_document",
    "embed": "embedder",
}
"""By stage, what it calls with a document or several."""
QUICK = ("parse", "temporal", "embed")
"""The first stage, one that works document by document, and one that works on many at once."""


def broken(monkeypatch: pytest.MonkeyPatch, stage: str, error: Callable[[], BaseException]) -> None:
    """Make a stage fail on the document that speaks of the gremlin."""
    name = FUNCTIONS[stage]
    if stage != "embed":
        monkeypatch.setattr(pipeline, name, Fault(getattr(pipeline, name), error))
        return
    model = pipeline.open_embedder("hashing")
    embed = model.embed

    def failing(texts: Sequence[str]) -> Any:
        if any(BAD in text and text != BAD for text in texts):
            raise error()
        return embed(texts)

    monkeypatch.setattr(type(model), "embed", lambda self, texts: failing(texts))


def test_every_stage_has_a_fault() -> None:
    assert list(FUNCTIONS) == [stage.name for stage in pipeline.STAGES]


@pytest.fixture(scope="module")
def ingested(prefect_server: RunningProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A warehouse of notes, of which each test takes a copy."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PREFECT_API_URL", prefect_server.url)
        place = tmp_path_factory.mktemp("ingested")
        (place / "docs").mkdir()
        found = Bench(settings_for(place / "warehouse"), place / "docs")
        found.settings = found.settings.model_copy(update={"entities": EntitySettings()})
        found.write("changed.md", "# Changed\n\nThe lighthouse was built in 1911.\n")
        found.write("alpha.md", "# Alpha\n\nThe zeppelin left in March 2021.\n")
        build_warehouse(found.settings.warehouse, found.docs, entities={})
        found.write("changed.md", f"# Changed\n\nThe {BAD} was built in 1912.\n{TABLE}")
        found.write("new.md", f"# New\n\nA {BAD} was sold in 1913.\n{TABLE}")
        found.write("good.md", "# Good\n\nThe aqueduct was built in 1914.\n")
        yield found


@pytest.fixture
def pile(ingested: Bench, tmp_path: Path) -> Bench:
    """The notes were ingested; one has changed since, and two are new: the gremlin is in a changed and a new one."""
    copy = tmp_path / "copy"
    shutil.copytree(ingested.settings.warehouse, copy, symlinks=True)
    return Bench(ingested.settings.model_copy(update={"warehouse": copy}), ingested.docs)


@pytest.mark.parametrize(
    "stage",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in FUNCTIONS],
)
def test_a_stage_fails_on_one_document_of_many(pile: Bench, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    broken(monkeypatch, stage, ERRORS["KeyError"])
    report = pile.ingest()
    _check_isolated(pile, report, stage)


def test_a_known_failure_is_told_once_and_tried_again_when_the_program_is_another(
    pile: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        broken(patched, "temporal", ERRORS["KeyError"])
        first = pile.ingest()
        assert not first.is_complete
        assert list_report_lines(first)[:2] == [
            (
                "Internal error in stage temporal, document docs/changed.md (kept in its last good version):"
                " KeyError: 'Grain.MONTH'. Please report it (KALENDS_DEBUG=1 shows where);"
                " the other 2 documents are published."
            ),
            (
                "Internal error in stage temporal, document docs/new.md (left out): KeyError: 'Grain.MONTH'."
                " Please report it (KALENDS_DEBUG=1 shows where); the other 3 documents are published."
            ),
        ]
        again = pile.ingest()
        assert list_report_lines(again)[0] == "2 files left out as before (kalends status --unreadable)."
        assert again.generation is None, "a known failure is no work"
        assert (again.is_complete, again.known_failures) == (True, 2)
        monkeypatch.setattr(document_facts, "compute_code_version", lambda: "another that is no better")
        third = pile.ingest()
        assert third.generation is not None
        assert (third.is_complete, third.known_failures) == (True, 2)
    assert pile.ingest().generation is None, "the program is the same"
    monkeypatch.setattr(document_facts, "compute_code_version", lambda: "mended")
    assert (mended := pile.ingest()).is_complete
    assert mended.unreadable == {}
    assert pile.sources(BAD) == {"docs/changed.md", "docs/new.md"}


def _check_isolated(bench: Bench, report: IngestReport, stage: str) -> None:
    found = {failure.source: failure for failure in report.failures}
    assert {source: failure.kept for source, failure in found.items()} == {
        "docs/changed.md": True,
        "docs/new.md": False,
    }
    assert {failure.stage for failure in found.values()} == {stage}
    assert {failure.reason for failure in found.values()} == {"KeyError: 'Grain.MONTH'"}
    assert bench.sources("aqueduct") == {"docs/good.md"}
    assert bench.sources("lighthouse") == {"docs/changed.md"}, "its last good version answers"
    assert bench.sources(BAD) == set()
    rows = bench.warehouse.snapshot.query_rows("SELECT code, message FROM findings WHERE severity = 'error'")
    assert {code for code, _ in rows} == {FAILED_STAGE.code}
    assert len(rows) == 2
    _check_whole(bench)


def _check_whole(bench: Bench) -> None:
    """Every document stands on all of its stages' outputs or on none."""
    stages = {stage.name for stage in pipeline.STAGES}
    for entry in read_current(Layout(bench.settings.warehouse)).read_entries():
        outputs = {output.stage for output in entry.outputs} - {"failed"}
        assert outputs == (set() if entry.status is Status.UNREADABLE else stages)


@pytest.mark.parametrize(
    "place", [(drafts, "_build_new_entry"), (keywords._chunks, "dump_json"), (document, "_get_company_key")]
)
def test_publishing_fails_on_one_document_of_many(
    pile: Bench, monkeypatch: pytest.MonkeyPatch, place: tuple[object, str]
) -> None:
    """What a document brings into the list of documents, the keyword index and its company's calendar."""
    owner, name = place
    function = getattr(owner, name)

    def failing(given: Any, *others: Any) -> Any:
        document = getattr(given, "document_id", None) or make_document_id(given.file.source)
        if document == make_document_id("docs/good.md") and not getattr(given, "reason", ""):
            raise KeyError("Grain.MONTH")
        return function(given, *others)

    monkeypatch.setattr(owner, name, failing)
    report = pile.ingest()
    assert [(each.source, each.stage) for each in report.failures] == [("docs/good.md", "publish")]
    assert pile.sources(BAD) == {"docs/changed.md", "docs/new.md"}
    _check_whole(pile)
    assert pile.ingest().generation is None


def test_a_time_that_no_record_holds_is_the_nearest_that_one_does(tmp_path: Path) -> None:
    """Some filesystems keep any time at all; this one said that a file was written in the year 2445."""
    file = tmp_path / "far.md"
    file.write_text("# Far\n")
    os.utime(file, (1.5e10, 1.5e10))
    rows = build_warehouse(tmp_path / "warehouse", tmp_path).snapshot.query_rows(
        "SELECT status, year(modified) FROM documents"
    )
    assert rows == [("published", 2262)]


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_of_a_document_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str) -> None:
    """The same without a run, for errors of all kinds."""
    (tmp_path / "new.md").write_text(f"# New\n\nA {BAD} was sold in 1913.\n")
    (tmp_path / "good.md").write_text("# Good\n\nThe aqueduct was built in 1914.\n")
    broken(monkeypatch, "temporal", ERRORS[error])
    warehouse = build_warehouse(tmp_path / "warehouse", tmp_path)
    rows = warehouse.snapshot.query_rows("SELECT source, status, reason FROM documents ORDER BY source")
    assert [row[:2] for row in rows] == [
        (f"{tmp_path.name}/good.md", "published"),
        (f"{tmp_path.name}/new.md", "unreadable"),
    ]
    assert rows[1][2].startswith("internal error in stage temporal: ")


@pytest.mark.parametrize("error", [KeyboardInterrupt, lambda: LakeFailed("away"), lambda: OSError(28, "disk full")])
def test_what_no_document_causes_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Callable[[], BaseException]
) -> None:
    (tmp_path / "new.md").write_text(f"# New\n\nA {BAD} was sold in 1913.\n")
    broken(monkeypatch, "temporal", error)
    with pytest.raises((KeyboardInterrupt, LakeFailed, OSError)):
        build_warehouse(tmp_path / "warehouse", tmp_path)
    assert not (tmp_path / "warehouse" / "current").exists()


def test_the_check_goes_on_past_a_document_on_which_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.md").write_text(f"# New\n\nA {BAD} was sold in 1913.\n")
    (tmp_path / "good.md").write_text("# Good\n\nThe aqueduct was built in 1914.\n")
    monkeypatch.setattr(single_file, "find_mentions", Fault(single_file.find_mentions, ERRORS["KeyError"]))
    settings = settings_for(tmp_path / "warehouse")
    files = list_files([tmp_path], settings)
    sheets = read_sheets(files, settings)
    found = {file.absolute.name: [each.finding.code for each in sheets[file.key].findings] for file in files}
    assert found["bad.md"] == [FAILED_STAGE.code]
    assert FAILED_STAGE.code not in found["good.md"]


def test_a_verb_on_one_file_names_stage_and_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_file, "find_mentions", Fault(single_file.find_mentions, ERRORS["KeyError"]))
    file = tmp_path / "bad.md"
    file.write_text(f"# New\n\nA {BAD} was sold in 1913.\n")
    settings = settings_for(tmp_path / "warehouse")
    with pytest.raises(StageError) as caught:
        single_file.score_file(read_document(file), file.name, settings, settings.find_source(file))
    assert caught.value.exit_code == 1
    assert str(caught.value) == (
        "Internal error in stage temporal, document bad.md: KeyError: 'Grain.MONTH':"
        " please report it (KALENDS_DEBUG=1 shows where)"
    )


def test_the_traceback_is_shown_to_who_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.md").write_text(f"# New\n\nA {BAD} was sold in 1913.\n")
    broken(monkeypatch, "temporal", ERRORS["KeyError"])
    for debug in ("", "1"):
        monkeypatch.setenv("KALENDS_DEBUG", debug)
        build_warehouse(tmp_path / f"warehouse{debug}", tmp_path)
        assert ("Traceback" in capsys.readouterr().err) == bool(debug)


def test_a_document_that_takes_too_long_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.md").write_text(f"# New\n\nA {BAD} was sold in 1913.\n")
    (tmp_path / "good.md").write_text("# Good\n\nThe aqueduct was built in 1914.\n")

    def loop() -> Exception:
        while True:
            with suppress(Exception):
                sum(range(1000))

    broken(monkeypatch, "temporal", loop)
    monkeypatch.setattr(
        stage_contract, "compute_time_limit", lambda item, settings: 0.5 if item.name == "bad.md" else 600
    )
    warehouse = build_warehouse(tmp_path / "warehouse", tmp_path)
    rows = warehouse.snapshot.query_rows("SELECT reason FROM documents ORDER BY source")
    assert rows == [("internal error in stage temporal: it took longer than 0.5 s; please report it",), ("",)]
