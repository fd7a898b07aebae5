"""Portions of a run that publishes as it goes: some documents go through all stages before the others begin.

The smallest come first, so that much can be searched soon. A portion should take half of the time between two
publications, by what the last one took for each byte. Its observers see one run over documents, not the stages of each
portion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from time import monotonic

from flows.drafts import DocumentDraft
from flows.progress import RunObserver
from flows.stage_meter import StageMeter, StageProgress
from tasks.batch_progress import BatchProgress
from warehouse.records import StageCost

FIRST_BYTES = 256 << 10  # Of the files of the first portion: notes and short reports are through in seconds.
SHARE = 0.5  # Of the time between two publications that a portion may take.
GROWTH = 4  # How many times as large as the last a portion is at most: what was small tells little of what is not.
EVERYTHING = "documents"  # What the progress of a run by portions is called in place of a stage.


def split_portions(drafts: Sequence[DocumentDraft], seconds: float) -> Iterator[list[DocumentDraft]]:
    """Portions of some drafts, where `seconds` lie between two publications."""
    waiting = sorted(drafts, key=lambda draft: draft.file.size)
    budget = float(FIRST_BYTES)
    while waiting:
        portion = [waiting.pop(0)]
        size = portion[0].file.size
        while waiting and size + waiting[0].file.size <= budget:
            size += waiting[0].file.size
            portion.append(waiting.pop(0))
        began = monotonic()
        yield portion
        rate = size / max(monotonic() - began, 1e-3)
        budget = min(max(SHARE * seconds * rate, 1.0), GROWTH * max(size, FIRST_BYTES))


class PortionObserver(RunObserver):
    """Tells `next_observer` how far a run by portions is, in documents that are through all stages."""

    def __init__(self, next_observer: RunObserver, drafts: Sequence[DocumentDraft]) -> None:
        self.next_observer = next_observer
        self._meter = StageMeter(EVERYTHING, len(drafts), sum(draft.file.size for draft in drafts))
        self._costs: tuple[StageCost, ...] = ()
        next_observer.on_stage_started(EVERYTHING, len(drafts))

    def start_portion(self, portion: Sequence[DocumentDraft]) -> None:
        """Some documents begin."""
        self._meter.start_batch(len(portion), sum(draft.file.size for draft in portion))

    def finish_portion(self) -> None:
        """They are through."""
        self._meter.finish_batch(BatchProgress(), fresh=True)
        super().on_stage_progressed(self._meter.measure_progress(BatchProgress()))

    def report_costs(self) -> tuple[StageCost, ...]:
        """Tell what each stage cost in all."""
        for cost in self._costs:
            super().on_stage_finished(cost)
        return self._costs

    def on_stage_started(self, stage: str, documents: int) -> None:
        """A portion's stage: nothing to tell."""

    def on_stage_advanced(self, stage: str, documents: int) -> None:
        """A batch of a portion: nothing to tell."""

    def on_stage_progressed(self, progress: StageProgress) -> None:
        """How far the run is: the document in hand is that of the portion's stage."""
        found = self._meter.measure_progress(BatchProgress(0.0, progress.document))
        super().on_stage_progressed(replace(found, pages_second=progress.pages_second))

    def on_stage_finished(self, cost: StageCost) -> None:
        """Add up what a portion's stage cost."""
        self._costs = add_costs(self._costs, (cost,))


def add_costs(costs: Iterable[StageCost], more: Iterable[StageCost]) -> tuple[StageCost, ...]:
    """What each stage cost in both."""
    found: dict[str, StageCost] = {}
    for cost in (*costs, *more):
        known = found.get(cost.stage, StageCost(cost.stage, 0, 0.0))
        found[cost.stage] = StageCost(cost.stage, known.documents + cost.documents, known.seconds + cost.seconds)
    return tuple(found.values())
