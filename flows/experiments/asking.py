"""A warehouse that sits an exam for an experiment, and the record of what it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from pydantic_core import to_json

from flows.evaluating import EvaluationRun, EvaluationRunner
from tasks.evaluate.contract import Dataset, Gold, Judged
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.outcomes import Trial
from tasks.evaluate.remembering import Remembering
from warehouse.reader import Warehouse
from warehouse.records import (
    Found,
    GoldPlace,
    Hit,
    HitPlace,
    Mark,
    Measured,
    Ranking,
    TrialQuestion,
    TrialRecord,
)
from warehouse.store.generations import Generation
from warehouse.store.layout import Layout


class TrialRunner(EvaluationRunner):
    """A candidate that reads no more hits than its experiment says, and keeps what it found."""

    def __init__(
        self, exam: Dataset, sitting: EvaluationRun, warehouse: Warehouse, embedder: Remembering, reads: int
    ) -> None:
        """`reads` is the number of hits."""
        super().__init__(exam, sitting, warehouse, embedder)
        self._reads = reads
        self._documents = {source.name for source in exam.documents}
        self._hits: dict[str, Sequence[Hit]] = {}

    def _ask(self, question: Judged, ranking: Ranking) -> Found:
        found = super()._ask(question, ranking)
        itself = self._by_document and question.name in self._documents
        found = replace(found, hits=found.hits[: self._reads + itself])
        self._hits[question.name] = found.hits
        return found

    def questions(self, trial_id: str, trial: Trial) -> list[TrialQuestion]:
        """The rows of a trial: that which it took last."""
        ids = {name: document_id for document_id, name in self._shown.names.items()}
        return [
            TrialQuestion(
                trial_id=trial_id,
                question=each.name,
                text=each.text,
                rank=trial.ranks[each.name],
                milliseconds=milliseconds,
                marks=tuple(Mark(label, value) for label, value in trial.values[each.name].items()),
                gold=tuple(_gold(gold, ids) for gold in each.gold),
                hits=tuple(HitPlace(h.chunk_id, h.document_id, h.start, h.end) for h in self._hits[each.name]),
            )
            for each, milliseconds in zip(self.exam.questions, trial.milliseconds, strict=True)
        ]


def record(
    trial_id: str, exam: str, day: date, experiment: Experiment, warehouse: Warehouse, trial: Trial
) -> TrialRecord:
    """What is kept of a trial beside its questions."""
    generation = warehouse.snapshot.generation
    runs = generation.runs()
    ((vectors,),) = warehouse.snapshot.rows("SELECT count(DISTINCT vector_id) FROM chunk_vectors")
    found = ((label, each) for label, each in trial.estimates.items())
    return TrialRecord(
        trial_id=trial_id,
        name=experiment.name,
        exam=exam,
        fingerprint=experiment.fingerprint,
        generation=generation.manifest.number,
        settings=to_json(experiment.values).decode(),
        model=generation.manifest.model,
        day=day,
        documents=runs[-1].documents,
        chunks=runs[-1].chunks,
        vectors=vectors,
        index_bytes=index_bytes(warehouse.layout, generation),
        ingest_seconds=sum(run.seconds for run in runs),
        questions=len(trial.values),
        p50=trial.median_milliseconds,
        p95=trial.p95_milliseconds,
        measures=tuple(Measured(label, each.mean, each.low, each.high, each.questions) for label, each in found),
    )


def index_bytes(layout: Layout, generation: Generation) -> int:
    """What the indexes of words and of vectors take on the disk."""
    folders: list[Path] = [generation.folder / "keywords", layout.indexes / generation.manifest.base]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files)


def _gold(gold: Gold, ids: Mapping[str, str]) -> GoldPlace:
    start, end = gold.span or (None, None)
    return GoldPlace(ids.get(gold.document, ""), gold.page, start, end)
