"""Who watches a run: progress goes to whatever observer is set around it, and to nobody otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from flows.planning import IngestPlan
from warehouse.records import StageCost


class RunObserver(Protocol):
    """Hears of a run's progress, always in the run's own thread."""

    def waiting(self, holder: str) -> None:
        """Another process, `holder`, writes to the warehouse; the run begins when it has finished."""

    def planned(self, plan: IngestPlan) -> None:
        """The plan is made."""

    def stage_started(self, stage: str, documents: int) -> None:
        """A stage begins, with so many documents to work on."""

    def stage_advanced(self, stage: str, documents: int) -> None:
        """So many more documents are done."""

    def documents_done(self, stage: str, reasons: Mapping[str, str]) -> None:
        """The stage is done with these documents, by source; the reason is empty but where one comes no further."""

    def stage_finished(self, cost: StageCost) -> None:
        """A stage is done."""


class SilentObserver:
    """Hears and says nothing."""

    def waiting(self, holder: str) -> None:
        """Nothing."""

    def planned(self, plan: IngestPlan) -> None:
        """Nothing."""

    def stage_started(self, stage: str, documents: int) -> None:
        """Nothing."""

    def stage_advanced(self, stage: str, documents: int) -> None:
        """Nothing."""

    def documents_done(self, stage: str, reasons: Mapping[str, str]) -> None:
        """Nothing."""

    def stage_finished(self, cost: StageCost) -> None:
        """Nothing."""


_observer: ContextVar[RunObserver] = ContextVar("observer")


def observer() -> RunObserver:
    """The one that is set."""
    return _observer.get(SilentObserver())


@contextmanager
def observed_by(watcher: RunObserver) -> Iterator[None]:
    """Runs inside tell `watcher`."""
    token = _observer.set(watcher)
    try:
        yield
    finally:
        _observer.reset(token)
