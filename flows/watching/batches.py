"""One batch of changes, ingested: what it did, and how a stop reaches into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flows.guarding import Removal
from flows.observing import SilentObserver, observed_by
from flows.planning import Action, IngestPlan, PlannedFile
from flows.progress import started_by
from flows.report import IngestReport
from flows.roots import places_held
from warehouse.records import StageCost
from warehouse.settings.loader import Settings
from warehouse.store.generations import latest
from warehouse.store.layout import Layout


@dataclass(frozen=True, slots=True)
class WatchBatch:
    """What the ingest of some changed paths did.

    `changes` says what happened to each document that is not as it was; `unreadable` names, with the reason, those
    among them that cannot be read.
    """

    paths: tuple[Path, ...]
    generation: int | None
    changes: Mapping[str, Action]
    unreadable: Mapping[str, str]
    warnings: tuple[str, ...]
    seconds: float


class WatchStopped(Exception):
    """The watch was ended while it ingested."""


def still_known(paths: Sequence[Path], layout: Layout) -> tuple[Path, ...]:
    """Those of the paths that are there, or that the warehouse has documents of: a file that came and went is neither.

    The documents are only looked up if something is gone.
    """
    gone = {path for path in paths if not path.exists()}
    held = places_held(latest(layout)) if gone else frozenset()
    return tuple(path for path in paths if path not in gone or str(path) in held)


def ingested(paths: Sequence[Path], settings: Settings, stopped: Callable[[], bool]) -> WatchBatch:
    """Ingest what lies at the paths, within `orchestrated`.

    Raises `WatchStopped` at the next stage or batch of files once `stopped` says so, and what the flow raises.
    """
    from flows.ingest import ingest

    hearing = _Hearing(stopped)
    with observed_by(hearing), started_by("kalends watch"):
        report = ingest([str(path) for path in paths], (), settings, Removal.NONE)
    return _batch(tuple(paths), hearing.steps, report)


def _batch(paths: tuple[Path, ...], steps: Sequence[PlannedFile], report: IngestReport) -> WatchBatch:
    changes = {step.source: step.action for step in steps if step.action is not Action.KEPT}
    unreadable = {source: report.unreadable[source] for source in changes if source in report.unreadable}
    return WatchBatch(paths, report.generation, changes, unreadable, report.warnings, report.seconds)


class _Hearing(SilentObserver):
    """Notes the plan, and ends the run when the watch ends."""

    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        self.steps: Sequence[PlannedFile] = ()

    def planned(self, plan: IngestPlan) -> None:
        self.steps = plan.steps
        self._go_on()

    def stage_started(self, stage: str, documents: int) -> None:
        self._go_on()

    def stage_advanced(self, stage: str, documents: int) -> None:
        self._go_on()

    def stage_finished(self, cost: StageCost) -> None:
        if cost.stage != "publish":
            self._go_on()

    def _go_on(self) -> None:
        if self._stopped():
            raise WatchStopped
