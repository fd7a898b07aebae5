"""The flow `experiment`: ingest for a configuration, ask every question, keep the trial, continue with the next one.

A trial is kept as soon as it is done, and an ingest resumes where it stopped, so a killed run loses at most one trial.
A configuration that fails is reported and does not stop the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from time import monotonic
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from pydantic_core import to_json

from flows.evaluation import EvaluationRun, EvaluationRunner, load_vectors, save_vectors
from flows.experiments.grids import GridConditions, TrialWorkspace, read_outcome
from flows.ingest import ingest
from flows.locks import mark_crashed, mark_running, write_lock
from flows.orchestration import ProgressReporter
from tasks.embedders.embedder import open_embedder
from tasks.evaluate.cached_embedder import CachedEmbedder
from tasks.evaluate.dataset import Dataset, Gold, JudgedQuestion
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.grid_outcome import TrialOutcome
from tasks.evaluate.outcomes import RankedNames, Trial
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import (
    GoldPlace,
    Mark,
    MeasuredMean,
    Ranking,
    ScoredName,
    SearchResult,
    TrialQuestion,
    TrialRanking,
    TrialRecord,
)
from warehouse.store import trials
from warehouse.store.generations import Generation, read_current
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout


@dataclass
class GridProgress:
    """Progress of a grid: trials by the name of their configuration, and the reasons of those that failed."""

    total: int
    report_progress: ProgressReporter
    outcomes: dict[str, TrialOutcome] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def report(self, name: str, line: str) -> None:
        """Report a line with the number of trials that are done."""
        self.report_progress(f"[{len(self.outcomes) + len(self.failures)}/{self.total}] {name}: {line}")


def run_experiment(
    experiments: Layout, conditions: GridConditions, workspaces: Sequence[TrialWorkspace], progress: GridProgress
) -> None:
    """Run the trial of each workspace as a flow; `experiments` is the folder of them all.

    The server keeps the parameters of a flow run and takes no more than half a megabyte of them, so they are names: a
    dataset with the texts of its corpus may be larger. Raises `WarehouseBusy` while another process runs experiments
    there.
    """

    @flow(name="experiment")
    def experiment(dataset: str, configurations: list[str]) -> None:
        _run_trials(experiments, conditions, workspaces, progress)

    experiment(conditions.dataset.name, [workspace.experiment.name for workspace in workspaces])


def _run_trials(
    experiments: Layout, conditions: GridConditions, workspaces: Sequence[TrialWorkspace], progress: GridProgress
) -> None:
    with mark_running(experiments, str(flow_run.id)), write_lock(experiments):
        mark_crashed(experiments)
        memories: dict[str, CachedEmbedder] = {}
        groups: defaultdict[str, list[TrialWorkspace]] = defaultdict(list)
        for workspace in workspaces:
            groups[workspace.experiment.fingerprint].append(workspace)
        for shared_experiments in groups.values():
            problem, first = "", shared_experiments[0]
            if first.find_current_generation() is None:
                progress.report(first.experiment.name, "ingest")
                paths = [str(path) for path in first.paths]
                problem = _get_failure_reason(ingest(paths, (), first.settings, return_state=True))
            for workspace in shared_experiments:
                reason = problem or _try_workspace(workspace, conditions, memories, progress)
                if reason:
                    progress.failures[workspace.experiment.name] = reason
                    progress.report(workspace.experiment.name, f"failed: {reason}")


def _try_workspace(
    workspace: TrialWorkspace,
    conditions: GridConditions,
    memories: dict[str, CachedEmbedder],
    progress: GridProgress,
) -> str:
    """Run one trial, unless it is kept, as a Prefect task; returns the reason of a failure, empty without one."""

    def trial(name: str) -> None:
        started = monotonic()
        generation = read_current(workspace.layout)
        lake, trial_id = Lake(workspace.layout.lake), conditions.make_trial_id(workspace, generation)
        if not trials.has_trial(lake, trial_id):
            _run_trial(workspace, conditions, memories, trial_id)
        outcome = progress.outcomes[name] = read_outcome(lake, trial_id, name)
        first_measure = outcome.record.measures[0]
        progress.report(name, f"{first_measure.measure} {first_measure.mean:.3f} in {monotonic() - started:.1f} s")

    run = task(name="trial", task_run_name="{name}", cache_policy=NO_CACHE, persist_result=False)(trial)
    return _get_failure_reason(run(workspace.experiment.name, return_state=True))


def _run_trial(
    workspace: TrialWorkspace, conditions: GridConditions, memories: dict[str, CachedEmbedder], trial_id: str
) -> None:
    """Search every question and keep the trial."""
    experiment, warehouse = workspace.experiment, Warehouse(workspace.settings.warehouse)
    model = open_embedder(experiment.embed.model, experiment.embed.device)
    memory = memories.setdefault(model.model, CachedEmbedder(model, load_vectors(conditions.work, model.model)))
    run_options = conditions.cuts, conditions.day, conditions.work, conditions.judge, experiment.k + 1
    evaluation_run = EvaluationRun({experiment.name: experiment.ranking}, *run_options)
    runner = TrialRunner(conditions.dataset, evaluation_run, warehouse, memory, experiment.k)
    known_count = len(memory.vectors)
    runner.prepare(lambda line: None)
    if len(memory.vectors) > known_count:
        save_vectors(conditions.work, model.model, memory.vectors)
    trial = runner.run_trial(experiment.name, None)
    row = build_trial_record(trial_id, conditions.dataset.name, conditions.day, experiment, warehouse, trial)
    lake = Lake(workspace.layout.lake)
    trials.write(lake, row, runner.build_question_rows(trial_id, trial), build_rankings(trial_id, trial))


def _get_failure_reason(state: State[Any]) -> str:
    """The reason of a failed run in one line; empty where it did not fail."""
    if state.is_completed():
        return ""
    error = state.result(raise_on_failure=False)
    message = str(error) if isinstance(error, KalendsError) else f"{type(error).__name__}: {error}"
    return " ".join(message.split())


class TrialRunner(EvaluationRunner):
    """An evaluation runner that reads no more hits than its experiment allows."""

    def __init__(
        self,
        dataset: Dataset,
        evaluation_run: EvaluationRun,
        warehouse: Warehouse,
        embedder: CachedEmbedder,
        reads: int,
    ) -> None:
        """`reads` is the number of hits."""
        super().__init__(dataset, evaluation_run, warehouse, embedder)
        self._reads = reads
        self._documents = {source.name for source in dataset.documents}

    def _search_question(self, question: JudgedQuestion, ranking: Ranking) -> SearchResult:
        result = super()._search_question(question, ranking)
        itself = self._by_document and question.name in self._documents
        return replace(result, hits=result.hits[: self._reads + itself])

    def build_question_rows(self, trial_id: str, trial: Trial) -> list[TrialQuestion]:
        """The rows of the questions of the latest trial."""

        def make_place(gold: Gold) -> GoldPlace:
            start, end = gold.span or (None, None)
            return GoldPlace(self._mapper.ids.get(gold.document, ""), gold.page, start, end)

        return [
            TrialQuestion(
                trial_id=trial_id,
                question=question.name,
                text=question.text,
                rank=trial.ranks[question.name],
                milliseconds=milliseconds,
                marks=tuple(Mark(label, value) for label, value in trial.values[question.name].items()),
                gold=tuple(map(make_place, question.gold)),
                hits=trial.passages[question.name],
            )
            for question, milliseconds in zip(self.dataset.questions, trial.milliseconds, strict=True)
        ]


def build_rankings(trial_id: str, trial: Trial) -> list[TrialRanking]:
    """What each question of a trial found, by the names of the dataset."""

    def to_scored_names(names: RankedNames) -> tuple[ScoredName, ...]:
        return tuple(ScoredName(*name) for name in names)

    documents, spans = trial.documents, trial.spans
    return [
        TrialRanking(trial_id, document, to_scored_names(documents[document]), to_scored_names(spans.get(document, ())))
        for document in documents
    ]


def build_trial_record(
    trial_id: str, dataset: str, day: date, experiment: Experiment, warehouse: Warehouse, trial: Trial
) -> TrialRecord:
    """The record of a trial, without its questions."""
    generation = warehouse.snapshot.generation
    runs = generation.read_runs()
    ((vectors,),) = warehouse.snapshot.query_rows("SELECT count(DISTINCT vector_id) FROM chunk_vectors")
    estimates = ((label, estimate) for label, estimate in trial.estimates.items())
    return TrialRecord(
        trial_id=trial_id,
        name=experiment.name,
        exam=dataset,
        fingerprint=experiment.fingerprint,
        generation=generation.manifest.number,
        settings=to_json(experiment.values).decode(),
        model=generation.manifest.model,
        day=day,
        documents=runs[-1].documents,
        chunks=runs[-1].chunks,
        vectors=vectors,
        index_bytes=measure_index_bytes(warehouse.layout, generation),
        ingest_seconds=sum(run.seconds for run in runs),
        questions=len(trial.values),
        p50=trial.median_milliseconds,
        p95=trial.p95_milliseconds,
        measures=tuple(
            MeasuredMean(label, estimate.mean, estimate.low, estimate.high, estimate.questions)
            for label, estimate in estimates
        ),
    )


def measure_index_bytes(layout: Layout, generation: Generation) -> int:
    """The size of the keyword index and the vector index on disk, in bytes."""
    folders = generation.folder / "keywords", layout.indexes / generation.manifest.base
    return sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())
