"""The flow `experiment`: ingest what a configuration needs, ask it, keep the trial, go on with the next.

A trial is kept as soon as it is asked, and an ingest goes on where it was, so a killed run loses one trial at most. A
configuration that fails is told of and does not stop the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run

from flows.crashed import alive, mark_crashed
from flows.evaluating import EvaluationRun
from flows.experiments.asking import TrialRunner, record
from flows.experiments.knowing import GridConditions, kept
from flows.experiments.seats import TrialWorkspace
from flows.ingest import ingest
from flows.lock import writing
from flows.question_vectors import recall, remember
from tasks.embedders.choosing import embedder
from tasks.evaluate.experiments.outcome import Outcome
from tasks.evaluate.remembering import Remembering, remembering
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.store import trials
from warehouse.store.generations import require
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout

Say = Callable[[str], None]


@dataclass
class GridProgress:
    """What was tried so far: trials by the name of their configuration, and the reasons of those that failed."""

    total: int
    say: Say
    done: dict[str, Outcome] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def tell(self, name: str, line: str) -> None:
        """Say where the run is: how many of all are through."""
        self.say(f"[{len(self.done) + len(self.failed)}/{self.total}] {name}: {line}")


@flow(name="experiment", validate_parameters=False)
def experiment(bench: Layout, asking: GridConditions, seats: Sequence[TrialWorkspace], progress: GridProgress) -> None:
    """Try each experiment; `bench` is the folder of them all. Raises `Busy` when another process tries some there."""
    with alive(bench, str(flow_run.id)), writing(bench):
        mark_crashed(bench)
        memories: dict[str, Remembering] = {}
        groups: defaultdict[str, list[TrialWorkspace]] = defaultdict(list)
        for seat in seats:
            groups[seat.experiment.fingerprint].append(seat)
        for shared in groups.values():
            problem = _ingest(shared[0], progress)
            for seat in shared:
                reason = problem or _try(seat, asking, memories, progress)
                if reason:
                    progress.failed[seat.experiment.name] = reason
                    progress.tell(seat.experiment.name, f"failed: {reason}")


def _ingest(seat: TrialWorkspace, progress: GridProgress) -> str:
    """Bring its warehouse up to date; the reason where that fails."""
    if seat.ready():
        return ""
    progress.tell(seat.experiment.name, "ingest")
    state = ingest([str(path) for path in seat.paths], (), seat.settings, return_state=True)
    return _reason(state)


def _try(seat: TrialWorkspace, asking: GridConditions, memories: dict[str, Remembering], progress: GridProgress) -> str:
    """Ask one, unless it is kept, as a task of its own; the reason where that fails."""

    def trial(name: str) -> None:
        started = monotonic()
        generation = require(seat.layout)
        lake, trial_id = Lake(seat.layout.lake), asking.trial_id(seat, generation)
        if not trials.is_kept(lake, trial_id):
            _ask(seat, asking, memories, trial_id)
        found = progress.done[name] = kept(lake, trial_id, name)
        best = found.record.measures[0]
        progress.tell(name, f"{best.measure} {best.mean:.3f} in {monotonic() - started:.1f} s")

    run = task(name="trial", task_run_name="{name}", cache_policy=NO_CACHE, persist_result=False)(trial)
    return _reason(run(seat.experiment.name, return_state=True))


def _ask(seat: TrialWorkspace, asking: GridConditions, memories: dict[str, Remembering], trial_id: str) -> None:
    """Ask every question and keep what was found."""
    chosen, warehouse = seat.experiment, Warehouse(seat.settings.warehouse)
    model = embedder(chosen.embed.model)
    memory = memories.setdefault(model.model, remembering(model, recall(asking.work, model.model)))
    sitting = EvaluationRun({chosen.name: chosen.ranking}, asking.cuts, asking.day, asking.work, asking.judge)
    examinee = TrialRunner(asking.exam, sitting, warehouse, memory, chosen.k)
    before = len(memory.known)
    examinee.prepare(lambda line: None)
    if len(memory.known) > before:
        remember(asking.work, model.model, memory.known)
    found = examinee.trial(chosen.name, None)
    row = record(trial_id, asking.exam.name, asking.day, chosen, warehouse, found)
    trials.write(Lake(seat.layout.lake), row, examinee.questions(trial_id, found))


def _reason(state: State[Any]) -> str:
    """Why a run failed, in a line; empty where it did not."""
    if state.is_completed():
        return ""
    error = state.result(raise_on_failure=False)
    said = str(error) if isinstance(error, KalendsError) else f"{type(error).__name__}: {error}"
    return " ".join(said.split())
