"""Execution of the stages of a run over the documents that need them, in this process or on a Dask cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from prefect.futures import PrefectFuture
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from flows.document_facts import make_failure_key
from flows.drafts import DocumentDraft, record_corrections
from flows.progress import get_observer
from tasks.pipeline import STAGES
from tasks.stage_contract import BatchItem, Stage
from tasks.stage_meter import BatchProgress, StageMeter, StageProgress, get_batch_progress
from tasks.stages import iter_batches, read_problems, submit
from warehouse.errors import BadWarehouse, ClusterFailed
from warehouse.identity import digest
from warehouse.records import CatalogEntry, Content, Output, StageCost
from warehouse.settings.loader import Settings
from warehouse.settings.models import ScaleSettings
from warehouse.store.arrow_files import read_parquet
from warehouse.store.catalog import STAGE_TABLES, get_writing_stage
from warehouse.store.generations import list_folders, read_older
from warehouse.store.lake import Lake, open_lake
from warehouse.store.layout import Layout

if TYPE_CHECKING:
    from distributed import Client


REMEMBERED_GENERATIONS = 8  # The latest generations, whose outputs are reused.
PROGRESS_SECONDS = 0.5  # Seconds between two reports of the progress of a batch.
WITHOUT_TEXT = tuple(name for name in Content.__dataclass_fields__ if name != "text")


Stages = Callable[[Sequence[DocumentDraft]], tuple[StageCost, ...]]
"""Runs every stage on those drafts of a run that need it; returns the cost of each stage."""


@contextmanager
def open_stages(layout: Layout, drafts: Sequence[DocumentDraft], settings: Settings) -> Iterator[Stages]:
    """The stages for the drafts of a run, which may be passed all at once or in portions.

    Outputs that the lake already has are reused. At the end of a call all outputs of its drafts are in the warehouse's
    folder, whichever process made them.
    """
    lake = open_lake(layout.lake, settings.lake)
    known_files = {**lake.read_recorded_outputs(), **read_known_outputs(layout)}
    folders = {draft.root.folder for draft in drafts}
    if not settings.lake.url:
        # The lake is only on this machine, and the workers must be able to read it.
        layout.lake.mkdir(parents=True, exist_ok=True)
        folders.add(layout.lake)
    with batch_runner(settings.scale, folders) as runner:

        def run(run_drafts: Sequence[DocumentDraft]) -> tuple[StageCost, ...]:
            costs = []
            for stage in STAGES:
                started = monotonic()
                ready = [draft for draft in run_drafts if draft.is_active or stage.name == "parse"]
                processed_count = _run_stage(stage, ready, known_files, lake, settings, runner)
                if stage.name == "parse":
                    _read_contents(lake, [draft for draft in ready if "parse" in draft.outputs and not draft.is_active])
                reasons_by_source = {draft.file.source: draft.reason for draft in ready if draft.reason}
                get_observer().on_documents_done(stage.name, reasons_by_source)
                cost = StageCost(stage.name, processed_count, monotonic() - started)
                get_observer().on_stage_finished(cost)
                costs.append(cost)
            outputs = [output for draft in run_drafts for output in (*draft.outputs.values(), draft.failure) if output]
            lake.fetch_files(_list_lake_files(outputs))
            known_files.update({(get_writing_stage(output.stage), output.key): output.file for output in outputs})
            return tuple(costs)

        yield run


def write_failures(lake: Lake, drafts: Iterable[DocumentDraft], settings: Settings) -> bool:
    """Write the findings of documents on which a stage failed, so that the next run does not try them again.

    Returns whether any of them was not written before.
    """
    failures = {
        make_failure_key(draft.file, draft.root, settings, draft.planned_file.corrections.own_key): draft
        for draft in drafts
        if draft.problem and not draft.problem.passing and not draft.failure
    }
    if not failures:
        return False
    file = digest("failed", sorted(failures))
    lake.write("findings", file, {key: [draft.problem.finding] for key, draft in failures.items() if draft.problem})
    for key, draft in failures.items():
        draft.failure = Output("failed", key, file)
    return True


def upload_outputs(layout: Layout, entries: Iterable[CatalogEntry], settings: Settings) -> None:
    """Make all outputs of a generation available to the other users of a shared lake."""
    lake = open_lake(layout.lake, settings.lake)
    outputs = [output for entry in entries for output in entry.outputs]
    lake.share_files(_list_lake_files(outputs))
    lake.record_outputs({(get_writing_stage(output.stage), output.key): output.file for output in outputs})


def _list_lake_files(outputs: Iterable[Output]) -> set[tuple[str, str]]:
    return {(table, output.file) for output in outputs for table in STAGE_TABLES[output.stage]}


def read_known_outputs(layout: Layout) -> dict[tuple[str, str], str]:
    """The lake file of each (stage, key) in the latest generations.

    A damaged generation is skipped, and one of an older schema too. Generations of other warehouses that share the
    lake count as well.
    """
    tables = []
    for folder in chain.from_iterable(
        list_folders(sharing_layout)[-REMEMBERED_GENERATIONS:] for sharing_layout in layout.sharing_layouts
    ):
        try:
            if not read_older(folder).manifest.is_older:
                column = read_parquet(folder / "documents.parquet", ["outputs"])["outputs"]
                outputs = pa.Table.from_struct_array(column.combine_chunks().flatten())
                tables.append(outputs.select(["stage", "key", "file"]))
        except BadWarehouse:
            continue
    if not tables:
        return {}
    # Generations have most outputs in common: duplicates are removed before they become Python objects.
    last_files = pa.concat_tables(tables).group_by(["stage", "key"], use_threads=False).aggregate([("file", "last")])
    stages, keys, files = (last_files[name].to_pylist() for name in ("stage", "key", "file_last"))
    return {(get_writing_stage(stage), key): file for stage, key, file in zip(stages, keys, files, strict=True)}


def _run_stage(
    stage: Stage,
    drafts: Iterable[DocumentDraft],
    known_files: Mapping[tuple[str, str], str],
    lake: Lake,
    settings: Settings,
    runner: TaskRunner[Any],
) -> int:
    waiting_drafts: dict[str, list[DocumentDraft]] = {}
    is_complete = cache(lambda file: lake.has(stage.tables, file))
    for draft in drafts:
        if stage.name in draft.outputs:
            continue
        with draft.isolate_errors(stage.name):
            key = draft.make_key(stage, settings)
        if draft.problem:
            continue
        file = known_files.get((stage.name, key))
        if file is not None and is_complete(file):
            draft.outputs[stage.name] = Output(stage.name, key, file)
        else:
            waiting_drafts.setdefault(key, []).append(draft)
    items = [same_drafts[0].make_item(stage, key) for key, same_drafts in waiting_drafts.items()]
    get_observer().on_stage_started(stage.name, len(waiting_drafts))
    processed_count = _run_batches(stage, items, waiting_drafts, lake, settings, runner)
    outputs = {key: same_drafts[0].outputs.get(stage.name) for key, same_drafts in waiting_drafts.items()}
    lake.record_outputs({(stage.name, key): output.file for key, output in outputs.items() if output})
    return processed_count


def _run_batches(
    stage: Stage,
    items: Sequence[BatchItem],
    waiting_drafts: Mapping[str, list[DocumentDraft]],
    lake: Lake,
    settings: Settings,
    runner: TaskRunner[Any],
) -> int:
    """The number of documents worked on, without those of batches that an earlier, killed run had finished."""
    processed_count = 0
    meter = StageMeter(stage.name, len(items), sum(item.size for item in items))
    running = [(batch, submit(stage, batch, lake, settings, runner)) for batch in iter_batches(items, settings.batch)]
    for batch, future in running:
        meter.start_batch(len(batch), sum(item.size for item in batch))
        # The progress of a batch on a cluster is not known before it is done.
        read_progress = BatchProgress if settings.scale.dask else get_batch_progress
        try:
            # Called before the next iteration.
            result = _await_result(future, lambda: meter.measure_progress(read_progress()))  # noqa: B023
        except Exception as error:
            # A batch ended every worker of a cluster that took it.
            distributed = sys.modules.get("distributed")
            if distributed is None or not isinstance(error, distributed.KilledWorker):
                raise
            result = submit(stage, batch, lake, settings, runner, in_child=True).result()
        problems = read_problems(result)
        is_computed = future.state.name != "Cached"
        meter.finish_batch(read_progress(), is_computed=is_computed)
        for item in batch:
            for draft in waiting_drafts[item.key]:
                draft.seconds += result["seconds"].get(item.key, 0.0) if is_computed else 0.0
                if item.key in problems:
                    draft.problem = problems[item.key]
                else:
                    draft.outputs[stage.name] = Output(stage.name, item.key, result["file"])
        finished_drafts = [draft for item in batch for draft in waiting_drafts[item.key]]
        get_observer().on_documents_done(stage.name, {draft.file.source: draft.reason for draft in finished_drafts})
        processed_count += len(batch) if is_computed else 0
        get_observer().on_stage_advanced(stage.name, len(batch))
        get_observer().on_stage_progressed(meter.measure_progress(BatchProgress()))
    return processed_count


def _await_result(future: PrefectFuture[dict[str, Any]], progress: Callable[[], StageProgress]) -> dict[str, Any]:
    """The result of a batch; until it is available the observer gets the progress of the stage."""
    end_event = Event()
    future.add_done_callback(lambda _: end_event.set())
    while not end_event.wait(PROGRESS_SECONDS):
        get_observer().on_stage_progressed(progress())
    return future.result()


def _read_contents(lake: Lake, drafts: Sequence[DocumentDraft]) -> None:
    files_by_key = {draft.outputs["parse"].key: draft.outputs["parse"].file for draft in drafts}
    lake.fetch_files(("contents", file) for file in files_by_key.values())
    contents = lake.read("contents", Content, files_by_key, WITHOUT_TEXT)
    for draft in drafts:
        output = draft.outputs.pop("parse")
        with draft.isolate_errors("parse"):
            draft.set_content(contents[output.key][0], output)
            record_corrections(lake, draft)


PROGRAM = "kalends"
CONNECT_SECONDS = 15


@contextmanager
def batch_runner(settings: ScaleSettings, folders: Iterable[Path]) -> Iterator[TaskRunner[Any]]:
    """The task runner for the batches. `folders` are read or written by them.

    Raises `ClusterFailed` where the cluster does not exist, its workers lack the program or a folder, or it breaks
    down. Batches of a worker that is lost are done again by the others.
    """
    if settings.dask:
        with _connect_cluster(settings.dask, folders) as runner:
            yield runner
        return
    # A stage uses all cores for one batch where it can, so memory stays that of a batch.
    local_runner: TaskRunner[Any] = ThreadPoolTaskRunner(max_workers=1)
    with local_runner:
        yield local_runner


@contextmanager
def _connect_cluster(address: str, folders: Iterable[Path]) -> Iterator[TaskRunner[Any]]:
    try:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError
        from prefect_dask.task_runners import DaskTaskRunner
    except ImportError as error:
        raise ClusterFailed(f"'scale.dask' needs a package ({error})", "install 'kalends[dask]'") from None
    with DaskTaskRunner(address=address, client_kwargs={"timeout": CONNECT_SECONDS}) as runner:
        try:
            client = runner.client
        except (OSError, ValueError) as error:
            cure = "start 'dask scheduler' there, or correct 'scale.dask'"
            raise ClusterFailed(f"no Dask scheduler answers at {address}", cure) from error
        try:
            _check_workers(client, address, folders)
            yield runner
        except KilledWorker as error:
            cure = "look at the memory of its workers and make 'batch.files' smaller, then run again"
            raise ClusterFailed(f"a batch ended every worker that ran it ({error})", cure) from error
        except (CancelledError, CommClosedError) as error:
            cure = "start it and its workers, then run the command again: finished work is kept"
            raise ClusterFailed(f"the Dask scheduler at {address} is no longer reachable", cure) from error


def _check_workers(client: Client, address: str, folders: Iterable[Path]) -> None:
    """Check that every worker is usable, before any work is sent."""
    threads: dict[str, int] = client.nthreads()  # type: ignore[no-untyped-call]
    if not threads:
        raise ClusterFailed(f"the Dask cluster at {address} has no workers", f"start 'dask worker {address}'")
    if busy_workers := [worker for worker, count in threads.items() if count > 1]:
        cure = "start 'dask worker --nthreads 1 --nworkers N': a batch needs a process of its own"
        raise ClusterFailed(f"worker {busy_workers[0]} has {threads[busy_workers[0]]} threads", cure)
    try:
        versions: dict[str, str] = client.run(version, PROGRAM)
    except PackageNotFoundError as error:
        raise ClusterFailed(f"a worker of {address} has no {PROGRAM}", "install it there") from error
    for worker, worker_version in versions.items():
        if worker_version != version(PROGRAM):
            cure = f"install {version(PROGRAM)} there"
            raise ClusterFailed(f"worker {worker} has {PROGRAM} {worker_version}, this is {version(PROGRAM)}", cure)
    for folder in folders:
        workers_without_folder = [worker for worker, sees in client.run(os.path.isdir, str(folder)).items() if not sees]
        if workers_without_folder:
            cure = "mount it there in the same place"
            raise ClusterFailed(f"worker {workers_without_folder[0]} does not see {folder}", cure)
