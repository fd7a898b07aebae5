"""What a run does to the warehouse when files come, change, move, break and go."""

from __future__ import annotations

import os
import shutil
import threading
from datetime import date
from pathlib import Path

import pytest

from flows.locks import write_lock
from flows.orchestration import run_ingest
from flows.planning import make_plan
from flows.progress import Action
from tasks.embedders.embedder import open_embedder
from tasks.embedders.hashing import HashingEmbedder
from tasks.query.question_parser import parse_question
from tests.building import count_findings
from tests.flows.conftest import Bench, worked
from warehouse.errors import BadInput, NoWarehouse, WarehouseBusy
from warehouse.records import Ranking, SearchRequest, Status
from warehouse.settings.models import ChunkSettings, SourceSettings
from warehouse.store.generations import find_current
from warehouse.store.layout import Layout

LATER = {"chunk", "score", "embed"}


def test_first_run_publishes_everything(bench: Bench) -> None:
    report = bench.ingest()
    assert report.generation == 1
    assert report.counts == {"new": 3}
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}
    assert bench.sources("third dam") == {"docs/deep/gamma.md"}


def test_passages_that_the_model_does_not_read_are_told_once(bench: Bench) -> None:
    bench.write("delta.txt", "季度收入增长百分之十二。\n")
    told = bench.ingest().without_vectors
    assert told.startswith("1 passage in Chinese characters is found by words alone, as the model 'hashing'")
    assert "set embed.model" in told
    assert not bench.ingest().without_vectors
    bench.write("beta.txt", "Marmalade is made of sweet lemons.\n")
    assert not bench.ingest().without_vectors


def test_second_run_does_nothing(bench: Bench) -> None:
    bench.ingest()
    report = bench.ingest()
    assert report.generation is None
    assert report.stages == ()
    assert bench.warehouse.generation == 1


def test_a_touched_file_is_not_read_again(bench: Bench) -> None:
    bench.build()
    (bench.docs / "beta.txt").touch()
    report = bench.ingest()
    assert worked(report).keys() <= {"publish"} | {"temporal", *LATER}
    assert "parse" not in worked(report)
    assert bench.ingest().generation is None


def test_a_changed_file_costs_that_file(bench: Bench) -> None:
    bench.build()
    bench.write("beta.txt", "Marmalade is made of sweet lemons.\n\nIt keeps for years.\n")
    report = bench.ingest()
    assert {stage: n for stage, n in worked(report).items() if stage != "publish"} == dict.fromkeys(
        ("parse", "tables", "temporal", "entities", "chunk", "score", "embed"), 1
    )
    assert bench.sources("sweet lemons") == {"docs/beta.txt"}
    assert bench.sources("bitter oranges") == set()


def test_a_deleted_file_no_longer_answers(bench: Bench) -> None:
    bench.build()
    (bench.docs / "beta.txt").unlink()
    report = bench.ingest()
    assert report.counts == {"gone": 1, "unchanged": 2}
    assert bench.sources("bitter oranges") == set()
    assert {entry.file.source for entry in bench.warehouse.list_documents()} == {"docs/alpha.md", "docs/deep/gamma.md"}


def test_on_demand_everything_is_read_again_once(bench: Bench) -> None:
    bench.build()
    status = (bench.docs / "beta.txt").stat()
    (bench.docs / "beta.txt").write_text("Marmalade is made of bitter lemons!!\n\nIt keeps for years.\n")
    os.utime(bench.docs / "beta.txt", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (bench.docs / "beta.txt").stat().st_size == status.st_size
    assert bench.ingest().generation is None
    report = run_ingest(bench.settings, [bench.docs / "deep"], bench.said.append, again=True)
    assert (report.counts, worked(report)["parse"], worked(report)["embed"]) == ({"settings changed": 1}, 1, 1)
    report = run_ingest(bench.settings, [bench.docs], bench.said.append, again=True)
    assert report.counts == {"changed": 1, "settings changed": 2}
    assert set(worked(report).values()) == {3}
    assert bench.sources("bitter lemons") == {"docs/beta.txt"}
    assert bench.sources("third dam") == {"docs/deep/gamma.md"}
    assert bench.ingest().generation is None


def test_a_renamed_file_is_not_parsed_again(bench: Bench) -> None:
    bench.build()
    (bench.docs / "beta.txt").rename(bench.docs / "omega.txt")
    plan = make_plan(bench.settings, find_current(Layout(bench.settings.warehouse)), [bench.docs])
    assert plan.counts[Action.RENAMED] == 1
    report = bench.ingest()
    assert "parse" not in worked(report)
    assert "tables" not in worked(report)
    assert bench.sources("bitter oranges") == {"docs/omega.txt"}


def test_a_broken_file_keeps_its_last_good_version(bench: Bench) -> None:
    bench.build()
    good = (bench.docs / "beta.txt").read_bytes()
    (bench.docs / "beta.txt").write_bytes(b"\x00\x01\x02\x03" * 512)
    report = bench.ingest()
    assert set(report.unreadable) == {"docs/beta.txt"}
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}
    entry = next(h for h in bench.warehouse.list_documents() if h.file.path == "beta.txt")
    assert entry.status is Status.STALE
    assert count_findings(bench.warehouse)[0]["severity"] == "error"
    assert bench.ingest().generation is None
    (bench.docs / "beta.txt").write_bytes(good)
    bench.ingest()
    assert {h.status for h in bench.warehouse.list_documents()} == {Status.PUBLISHED}


def test_a_file_nobody_can_read_stops_nothing(bench: Bench) -> None:
    (bench.docs / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    report = bench.ingest()
    assert list(report.unreadable) == ["docs/broken.pdf"]
    assert report.documents == 3
    assert bench.warehouse.snapshot.query_rows("SELECT count(*) FROM findings WHERE severity = 'error'") == [(1,)]


def test_a_run_over_part_leaves_the_rest(bench: Bench, tmp_path: Path) -> None:
    bench.build()
    (bench.docs / "beta.txt").unlink()
    other = tmp_path / "other"
    other.mkdir()
    (other / "delta.txt").write_text("Lighthouses need clean lenses.")
    report = bench.ingest(other)
    assert report.counts == {"new": 1}
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}
    bench.ingest(bench.docs / "deep")
    assert bench.sources("zeppelin") == {"docs/alpha.md"}
    bench.ingest(bench.docs / "beta.txt")
    assert bench.sources("bitter oranges") == set()
    assert bench.sources("clean lenses") == {"other/delta.txt"}


def test_odd_names_and_things_that_are_no_files_cost_only_themselves(bench: Bench) -> None:
    (bench.docs / "loop.md").symlink_to("loop.md")
    os.mkfifo(bench.docs / "pipe.md")
    Path(os.fsdecode(os.fsencode(bench.docs) + b"/bad\xff.md")).write_text("never read")
    (bench.docs / "two\nlines.md").write_text("never read")
    bench.write("Übung 测试 📄 at 3.md", "Kingfishers dive.")
    report = bench.ingest()
    assert set(report.unreadable) == {
        "docs/bad\\udcff.md",
        "docs/loop.md",
        "docs/pipe.md",
        "docs/two\\nlines.md",
    }
    assert bench.sources("Kingfishers") == {"docs/Übung 测试 📄 at 3.md"}
    assert bench.ingest().generation is None


def test_a_single_file_is_taken_in_by_its_folder(bench: Bench) -> None:
    bench.ingest(bench.docs / "deep" / "gamma.md")
    assert bench.sources("third dam") == {"deep/gamma.md"}
    report = bench.ingest(bench.docs)
    assert report.counts["renamed"] == 1
    assert bench.sources("third dam") == {"docs/deep/gamma.md"}
    (bench.docs / "deep" / "gamma.md").unlink()
    bench.ingest(bench.docs)
    assert bench.sources("third dam") == set()


def test_a_renamed_source_takes_its_documents_along(bench: Bench) -> None:
    for name in ("old", "renamed"):
        bench.settings = bench.settings.model_copy(update={"sources": (SourceSettings(folder=bench.docs, name=name),)})
        bench.ingest(bench.docs / "beta.txt" if name == "renamed" else bench.docs)
    assert {h.file.root for h in bench.warehouse.list_documents()} == {"renamed"}
    assert len(bench.warehouse.list_documents()) == 3


def test_a_folder_takes_its_inner_roots_along(bench: Bench) -> None:
    bench.build(bench.docs / "deep")
    bench.ingest(bench.docs)
    (bench.docs / "deep" / "gamma.md").unlink()
    bench.ingest(bench.docs)
    assert bench.sources("third dam") == set()


def test_another_model_embeds_what_the_run_does_not_look_at(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.build()
    monkeypatch.setattr(HashingEmbedder, "model", "hashing@other")
    bench.ingest(bench.docs / "beta.txt")
    assert bench.warehouse.snapshot.query_rows("SELECT DISTINCT model FROM embeddings") == [("hashing@other",)]


def test_a_renamed_broken_file_takes_its_last_good_version_along(bench: Bench) -> None:
    bench.build()
    (bench.docs / "beta.txt").write_bytes(b"\x00\x01\x02\x03" * 512)
    bench.ingest()
    (bench.docs / "beta.txt").rename(bench.docs / "omega.txt")
    bench.ingest()
    assert bench.sources("bitter oranges") == {"docs/omega.txt"}
    assert {h.status for h in bench.warehouse.list_documents()} == {Status.PUBLISHED, Status.STALE}
    assert bench.ingest().generation is None


@pytest.mark.parametrize(
    "lost",
    [
        "indexes/*/base.npy",
        "lake/chunks/*",
        *(pytest.param(lost, marks=pytest.mark.slow) for lost in ("lake/vectors/*", "lake/contents/*", "current")),
    ],
)
def test_a_damaged_warehouse_heals(bench: Bench, lost: str) -> None:
    bench.build()
    for path in bench.settings.warehouse.glob(lost):
        path.unlink()
    report = bench.ingest()
    assert report.generation == 2
    assert "damaged" in report.warnings[0]
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}
    assert bench.sources("third dam") == {"docs/deep/gamma.md"}
    assert bench.ingest().generation is None


def test_a_lost_keyword_index_heals(bench: Bench) -> None:
    bench.build()
    shutil.rmtree(bench.settings.warehouse / "current" / "keywords")
    bench.ingest()
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}


def test_a_dropped_root_leaves_with_its_documents(bench: Bench, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "delta.txt").write_text("Lighthouses need clean lenses.")
    bench.ingest(bench.docs, other)
    with pytest.raises(BadInput, match="there is no source folder"):
        bench.ingest(drop=("nobody",))
    assert bench.ingest(drop=("other",)).counts == {"gone": 1}
    assert bench.sources("clean lenses") == set()
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}
    assert [root.name for root in bench.warehouse.snapshot.generation.manifest.roots] == ["docs"]


def test_a_warehouse_inside_a_root_is_no_document(bench: Bench) -> None:
    inside = bench.docs / "store"
    bench.ingest(warehouse=inside)
    assert bench.ingest().generation is None
    assert len(bench.warehouse.list_documents()) == 3


def test_a_missing_root_keeps_its_documents(bench: Bench) -> None:
    bench.build()
    bench.docs.rename(bench.docs.with_name("unmounted"))
    with pytest.raises(BadInput):
        bench.ingest(bench.docs / "nowhere")
    report = bench.ingest(bench.docs)
    assert report.warnings
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}


def test_identical_files_are_parsed_once_and_both_answer(bench: Bench) -> None:
    shutil.copy(bench.docs / "beta.txt", bench.docs / "twin.txt")
    report = bench.ingest()
    assert worked(report)["parse"] == 3
    assert bench.sources("bitter oranges") == {"docs/beta.txt", "docs/twin.txt"}


def test_a_new_chunk_size_parses_nothing_and_going_back_costs_nothing(bench: Bench) -> None:
    bench.write("long.txt", "\n\n".join(f"Paragraph number {n} speaks of lantern {n}." for n in range(60)))
    bench.build()
    report = bench.ingest(chunk=ChunkSettings(size=300, overlap=0))
    assert not {"parse", "tables", "temporal", "entities"} & worked(report).keys()
    assert bench.sources("lantern 59.") == {"docs/long.txt"}
    report = bench.ingest(chunk=ChunkSettings())
    assert worked(report).keys() <= {"publish"}


def test_equal_text_is_embedded_once(bench: Bench) -> None:
    bench.build()
    before = bench.warehouse.snapshot.query_rows("SELECT count(DISTINCT vector_id) FROM embeddings")
    bench.write("deep/new.md", "# Gamma\n\nNothing like it before.\n")
    bench.ingest()
    after = bench.warehouse.snapshot.query_rows("SELECT count(DISTINCT vector_id), count(*) FROM embeddings")
    assert after[0][0] == before[0][0] + 1
    assert after[0][0] == after[0][1]


def test_nothing_to_look_at_is_said(bench: Bench) -> None:
    with pytest.raises(BadInput, match="no folder to ingest"):
        run_ingest(bench.settings, [], print)
    with pytest.raises(NoWarehouse):
        bench.warehouse.list_documents()


def test_two_writers_do_not_meet(bench: Bench) -> None:
    with write_lock(Layout(bench.settings.warehouse)), pytest.raises(WarehouseBusy, match="process"):
        bench.ingest()


@pytest.mark.slow
def test_readers_see_the_old_or_the_new_never_a_mixture(bench: Bench) -> None:
    def version(number: int) -> None:
        bench.write("one.txt", f"heliotrope version {number}")
        bench.write("two.txt", f"heliotrope version {number}.")

    version(0)
    bench.ingest()
    stop, faults, seen = threading.Event(), [], set()

    def read() -> None:
        warehouse = bench.warehouse
        wanted = SearchRequest("heliotrope version", ranking=Ranking(distinct=False), k=2)
        question = parse_question(wanted, open_embedder("hashing"), date(2025, 1, 1))
        while not stop.is_set():
            found = {hit.text.rstrip(".")[-1] for hit in warehouse.search(question)}
            seen.update(found)
            if len(found) != 1:
                faults.append(found)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(1, 4):
        version(number)
        bench.ingest()
    stop.set()
    for reader in readers:
        reader.join()
    assert not faults
    assert len(seen) > 1
