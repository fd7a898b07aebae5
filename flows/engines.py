"""Who does the batches of a run: this process, one after the other, or the workers of a Dask cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from warehouse.errors import ClusterFailed
from warehouse.settings.models import ScaleSettings

if TYPE_CHECKING:
    from distributed import Client

PROGRAM = "kalends"
CONNECT_SECONDS = 15


@contextmanager
def engine(settings: ScaleSettings, folders: Iterable[Path]) -> Iterator[TaskRunner[Any]]:
    """What runs the batches. `folders` are read or written by them.

    Raises `ClusterFailed` where there is no such cluster, where its workers lack the program or a folder, or when it
    breaks down. Batches of a worker that is lost are done again by the others.
    """
    if settings.dask:
        with _cluster(settings.dask, folders) as runner:
            yield runner
        return
    # A stage uses all cores for one batch where it can, so memory stays that of a batch.
    alone: TaskRunner[Any] = ThreadPoolTaskRunner(max_workers=1)
    with alone:
        yield alone


@contextmanager
def _cluster(address: str, folders: Iterable[Path]) -> Iterator[TaskRunner[Any]]:
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
            _check(client, address, folders)
            yield runner
        except KilledWorker as error:
            cure = "look at the memory of its workers and make 'batch.files' smaller, then run again"
            raise ClusterFailed(f"a batch ended every worker that took it ({error})", cure) from error
        except (CancelledError, CommClosedError) as error:
            cure = "start it and its workers, then run again: what is done is kept"
            raise ClusterFailed(f"the Dask scheduler at {address} is gone", cure) from error


def is_killed_worker(error: BaseException) -> bool:
    """Whether a batch ended every worker of a cluster that took it."""
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(error, distributed.KilledWorker)


def _check(client: Client, address: str, folders: Iterable[Path]) -> None:
    """Ask every worker whether it is fit, before work is done in vain."""
    threads: dict[str, int] = client.nthreads()  # type: ignore[no-untyped-call]
    if not threads:
        raise ClusterFailed(f"the Dask cluster at {address} has no workers", f"start 'dask worker {address}'")
    if many := [worker for worker, count in threads.items() if count > 1]:
        cure = "start 'dask worker --nthreads 1 --nworkers N': a batch needs a process of its own"
        raise ClusterFailed(f"worker {many[0]} has {threads[many[0]]} threads", cure)
    try:
        versions: dict[str, str] = client.run(version, PROGRAM)
    except PackageNotFoundError as error:
        raise ClusterFailed(f"a worker of {address} has no {PROGRAM}", "install it there") from error
    for worker, found in versions.items():
        if found != version(PROGRAM):
            cure = f"install {version(PROGRAM)} there"
            raise ClusterFailed(f"worker {worker} has {PROGRAM} {found}, this is {version(PROGRAM)}", cure)
    for folder in folders:
        blind = [worker for worker, sees in client.run(os.path.isdir, str(folder)).items() if not sees]
        if blind:
            cure = "mount it there in the same place"
            raise ClusterFailed(f"worker {blind[0]} does not see {folder}", cure)
