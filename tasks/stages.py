"""The stages as Prefect's cached batch tasks. The only module of this layer that knows Prefect.

A task run is a batch of documents, never one document: a task run costs the server up to 65 ms. A task writes its
batch to the lake and returns the file's name; Prefect keeps that result under the batch's name, so a killed run goes on
where it stopped. The record counts only while the lake still holds the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from prefect import task
from prefect.context import TagsContext
from prefect.futures import PrefectFuture
from prefect.task_runners import TaskRunner
from prefect.tasks import Task

from tasks.faults import DocumentProblem
from tasks.pipeline import STAGES
from tasks.stage_contract import BatchItem, Stage, make_batch_name, perform
from tasks.stage_meter import begin_batch
from tasks.stage_process import hold_mark, perform_in_child
from warehouse.settings.loader import Settings
from warehouse.settings.models import BatchSettings, LakeSettings
from warehouse.store.lake import Lake, open_lake

BOUNDARY = 0x10


class BatchInput:
    """What a batch needs. No collection, or Prefect and Dask would search every item for the results of other tasks."""

    def __init__(self, items: tuple[BatchItem, ...], folder: Path, settings: Settings, *, apart: bool) -> None:
        """`folder` is the lake's; `apart` wants the batch done in a process of its own."""
        self.items = items
        self.folder = folder
        self.settings = settings
        self.apart = apart


def iter_batches(items: Sequence[BatchItem], limits: BatchSettings) -> Iterator[tuple[BatchItem, ...]]:
    """Cut the work where the items say so, not where they stand: an added file leaves the other batches as they were.

    A batch ends after an item whose key starts with a boundary pattern once it is half full (content-defined chunking,
    as in LBFS), and in any case at the limits.
    """
    batch: list[BatchItem] = []
    size = 0
    for item in items:
        batch.append(item)
        size += item.size
        full = len(batch) >= limits.files or size >= limits.megabytes << 20
        boundary = len(batch) >= limits.files // 2 and int(item.key[:2], 16) < BOUNDARY
        if full or boundary:
            yield tuple(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def submit(
    stage: Stage,
    batch: Sequence[BatchItem],
    lake: Lake,
    settings: Settings,
    runner: TaskRunner[Any],
    *,
    apart: bool = False,
) -> PrefectFuture[dict[str, Any]]:
    """Hand a batch to a task runner: what goes to it are items and settings, never documents.

    `apart` wants it done in a process of its own, as is one that ended the process it was in.
    The result is `{"file": name, "problems": {key: the fields of a DocumentProblem}, "seconds": {key: seconds}}`.
    """
    name = make_batch_name(stage.name, [item.key for item in batch])
    stale = not lake.has(stage.tables, name)
    chosen = _build_tasks()[stage.name].with_options(refresh_cache=stale)
    parameters = {"name": name, "work": BatchInput(tuple(batch), lake.folder, settings, apart=apart)}
    # The run's tags are not the task's: a task asks the server for a limit on each of its own, now and then for 2 s.
    with TagsContext(current_tags=set()):
        future: PrefectFuture[dict[str, Any]] = runner.submit(chosen, parameters)
    return future


def read_problems(result: dict[str, Any]) -> dict[str, DocumentProblem]:
    """Why documents of a batch have no output, by key."""
    return {key: DocumentProblem(**fields) for key, fields in result["problems"].items()}


@cache
def _build_tasks() -> dict[str, Task[..., dict[str, Any]]]:
    return {stage.name: _build_task(stage) for stage in STAGES}


def _build_task(stage: Stage) -> Task[..., dict[str, Any]]:
    def run(name: str, work: BatchInput) -> dict[str, Any]:
        begin_batch()
        lake = _open_lake(work.folder, work.settings.lake.model_dump_json())
        with hold_mark(lake.folder, stage, work.items) as is_suspect:
            perform_batch = perform_in_child if is_suspect or work.apart else perform
            file, done = perform_batch(stage, work.items, lake, work.settings)
        problems = {key: asdict(problem) for key, problem in done.problems.items()}
        return {"file": file, "problems": problems, "seconds": done.seconds}

    decorate = task(
        name=stage.name,
        task_run_name=f"{stage.name}-{{name:.8}}",
        cache_key_fn=lambda context, parameters: str(parameters["name"]),
        persist_result=True,
        result_serializer="json",
    )
    return decorate(run)


@cache
def _open_lake(folder: Path, place: str) -> Lake:
    # A lake reads each file of vectors once, so the process keeps it from batch to batch.
    return open_lake(folder, LakeSettings.model_validate_json(place))
