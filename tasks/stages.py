"""The stages as Prefect's cached batch tasks. The only module of this layer that depends on Prefect.

A task run is a batch of documents, never one document: a task run costs the server up to 65 ms. A task writes its
batch to the lake and returns the file's name; Prefect stores that result under the batch's name, so a killed run
continues where it stopped. The record counts only while the lake still has the files.
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

BOUNDARY_LIMIT = 0x10


class BatchInput:
    """The input of a batch. No collection, or Prefect and Dask would search every item for results of other tasks."""

    def __init__(self, items: tuple[BatchItem, ...], folder: Path, settings: Settings, *, in_child: bool) -> None:
        """`folder` is the lake's; with `in_child` the batch runs in a child process."""
        self.items = items
        self.folder = folder
        self.settings = settings
        self.in_child = in_child


def iter_batches(items: Sequence[BatchItem], limits: BatchSettings) -> Iterator[tuple[BatchItem, ...]]:
    """Cut the work into batches by the items' keys, not their positions, so that a new file does not change the others.

    A batch ends after an item whose key starts with a boundary pattern once it is half full (content-defined chunking,
    as in LBFS), and in any case at the limits.
    """
    batch: list[BatchItem] = []
    size = 0
    for item in items:
        batch.append(item)
        size += item.size
        is_full = len(batch) >= limits.files or size >= limits.megabytes << 20
        is_boundary = len(batch) >= limits.files // 2 and int(item.key[:2], 16) < BOUNDARY_LIMIT
        if is_full or is_boundary:
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
    in_child: bool = False,
) -> PrefectFuture[dict[str, Any]]:
    """Submit a batch to a task runner, which gets items and settings, never documents.

    With `in_child` it runs in a child process, as does a batch that ended its process.
    The result is `{"file": name, "problems": {key: the fields of a DocumentProblem}, "seconds": {key: seconds}}`.
    """
    name = make_batch_name(stage.name, [item.key for item in batch])
    is_stale = not lake.has(stage.tables, name)
    stage_task = _build_tasks()[stage.name].with_options(refresh_cache=is_stale)
    parameters = {"name": name, "work": BatchInput(tuple(batch), lake.folder, settings, in_child=in_child)}
    # Without the run's tags: a task asks the server for a limit on each of its tags, which sometimes takes 2 s.
    with TagsContext(current_tags=set()):
        future: PrefectFuture[dict[str, Any]] = runner.submit(stage_task, parameters)
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
            perform_batch = perform_in_child if is_suspect or work.in_child else perform
            file, outcome = perform_batch(stage, work.items, lake, work.settings)
        problems = {key: asdict(problem) for key, problem in outcome.problems.items()}
        return {"file": file, "problems": problems, "seconds": outcome.seconds}

    decorate = task(
        name=stage.name,
        task_run_name=f"{stage.name}-{{name:.8}}",
        cache_key_fn=lambda context, parameters: str(parameters["name"]),
        persist_result=True,
        result_serializer="json",
    )
    return decorate(run)


@cache
def _open_lake(folder: Path, lake_settings: str) -> Lake:
    # A lake reads each file of vectors once, so the process caches it for all batches.
    return open_lake(folder, LakeSettings.model_validate_json(lake_settings))
