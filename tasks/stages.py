"""The stages as Prefect's cached batch tasks. The only module of this layer that knows Prefect.

A task run is a batch of documents, never one document: a task run costs the server up to 65 ms. A task writes its
batch to the lake and returns the file's name; Prefect keeps that result under the batch's name, so a killed run goes on
where it stopped. The record counts only while the lake still holds the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from prefect import task
from prefect.context import TaskRunContext
from prefect.futures import PrefectFuture
from prefect.tasks import Task
from prefect.utilities.annotations import quote

from tasks.contract import Item, Stage, Trouble, batch_name, perform
from tasks.pipeline import STAGES
from warehouse.concerns import BatchSettings
from warehouse.settings import Settings
from warehouse.store.lake import Lake

BOUNDARY = 0x10


def batches(items: Sequence[Item], limits: BatchSettings) -> Iterator[tuple[Item, ...]]:
    """Cut the work where the items say so, not where they stand: an added file leaves the other batches as they were.

    A batch ends after an item whose key starts with a boundary pattern once it is half full (content-defined chunking,
    as in LBFS), and in any case at the limits.
    """
    batch: list[Item] = []
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


def submit(stage: Stage, batch: Sequence[Item], lake: Path, settings: Settings) -> PrefectFuture[dict[str, Any]]:
    """Hand a batch to the flow's task runner.

    The result is `{"file": name, "trouble": {key: [code, name, message]}}`.
    """
    name = batch_name(stage.name, [item.key for item in batch])
    stale = not _lake(lake).has(stage.tables, name)
    chosen = _tasks()[stage.name].with_options(refresh_cache=stale)
    return chosen.submit(name, quote(tuple(batch)), lake, quote(settings))


def trouble_of(result: dict[str, Any]) -> dict[str, Trouble]:
    """The files of a batch that could not be read this time, by key."""
    return {key: Trouble(*fields) for key, fields in result["trouble"].items()}


@cache
def _tasks() -> dict[str, Task[..., dict[str, Any]]]:
    return {stage.name: _task(stage) for stage in STAGES}


def _task(stage: Stage) -> Task[..., dict[str, Any]]:
    def run(name: str, batch: Sequence[Item], lake: Path, settings: Settings) -> dict[str, Any]:
        file, trouble = perform(stage, batch, _lake(lake), settings)
        return {"file": file, "trouble": {key: [t.code, t.name, t.message] for key, t in trouble.items()}}

    decorate = task(
        name=stage.name,
        task_run_name=f"{stage.name}-{{name:.8}}",
        cache_key_fn=_cache_key,
        persist_result=True,
        result_serializer="json",
    )
    return decorate(run)


def _cache_key(context: TaskRunContext, parameters: dict[str, Any]) -> str:
    return str(parameters["name"])


@cache
def _lake(folder: Path) -> Lake:
    return Lake(folder)
