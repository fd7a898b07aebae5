"""Grids of configurations: the trials that are kept are read, the others are run.

Each configuration of ingest has a warehouse of its own over one lake, so parsing, tables, times, names and every
vector of a text that was embedded before are shared. Each has its own new indexes, so that a measurement does not
depend on earlier trials. A trial is identified by its dataset, configuration, documents and the code that searches and
judges.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from flows.datasets import (
    describe_unreadable_documents,
    plan_corpus_roots,
    prepare_corpus_paths,
    with_generated_questions,
)
from flows.orchestration import ProgressReporter, connect_prefect, run_ingest, temporary_server
from flows.planning import make_plan
from tasks.evaluate.bootstrap import describe_clusters
from tasks.evaluate.dataset import Dataset
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.grid_file import GridConfigurations
from tasks.evaluate.experiments.grid_outcome import GridOutcome, TrialOutcome
from tasks.evaluate.measures import MAX_CUT
from tasks.evaluate.outcomes import RankedNames
from warehouse.identity import digest
from warehouse.reader import Warehouse
from warehouse.records import Root
from warehouse.settings.loader import Settings
from warehouse.settings.models import SourceSettings
from warehouse.store import trials
from warehouse.store.generations import Generation, find_latest
from warehouse.store.lake import Lake
from warehouse.store.layout import SHARED_LAKE, Layout


@dataclass(frozen=True, slots=True)
class GridOptions:
    """Options of a grid: the judge, and the day for relative times (`day`, None for that of earlier trials).

    `work` is the folder of what is kept between grids, `cuts` are further ranks of recall.
    """

    judge: str
    day: date | None
    today: date
    work: Path
    cuts: tuple[int, ...] = ()


def run_grid(
    dataset: Dataset,
    grid: GridConfigurations,
    options: GridOptions,
    settings: Settings,
    report_progress: ProgressReporter,
) -> GridOutcome:
    """Run the trials that are not kept, and return all. `report_progress` takes progress lines.

    The warehouse of the settings holds the trials; no server starts if all trials are kept. If nothing was published
    there, the best configuration is published, of those with the model of the settings if there are any, since that
    model embeds the questions to that warehouse; everything that it needs is in the lake.
    Raises what an ingest of the corpus raises, and `WarehouseBusy` while another process runs experiments there.
    """
    home = Layout(settings.warehouse)
    with temporary_server(home):
        # The day of the kept trials, so that later ones are comparable.
        kept_days = (trial.day for trial in trials.read_trials(Lake(home.lake)) if trial.exam == dataset.name)
        day = options.day or next(kept_days, options.today)
        cuts = tuple(
            sorted({*options.cuts, *(experiment.k for experiment in grid.experiments if experiment.k > MAX_CUT)})
        )
        conditions = GridConditions(dataset, options.judge, day, cuts, options.work)
        workspaces = make_workspaces(grid.experiments, settings, plan_corpus_roots(dataset, options.work, settings))
        kept_outcomes = {
            workspace.experiment.name: kept_outcome
            for workspace in workspaces
            if (kept_outcome := find_outcome(workspace, conditions))
        }
        missing = [workspace for workspace in workspaces if workspace.experiment.name not in kept_outcomes]
        new_outcomes, failures = (
            _run_missing_trials(home, conditions, missing, len(kept_outcomes), report_progress) if missing else ({}, {})
        )
        outcomes_by_name = {**kept_outcomes, **new_outcomes}
        outcomes = tuple(
            outcomes_by_name[experiment.name] for experiment in grid.experiments if experiment.name in outcomes_by_name
        )
        outcome = GridOutcome(dataset.name, len(dataset.documents), outcomes, failures, len(new_outcomes))
        notes = [*grid.notes, *dataset.notes]
        notes.append(describe_clusters(dataset.clusters))
        if outcomes:
            ranking = outcome.rank_trials()
            by_name = {workspace.experiment.name: workspace for workspace in workspaces}
            same_model = [
                trial for trial in ranking if by_name[trial.name].settings.embed.model == settings.embed.model
            ]
            best = (same_model or ranking)[0].name
            workspace = by_name[best]
            notes += describe_unreadable_documents(Warehouse(workspace.layout.folder), dataset)
            if find_latest(home) is None:
                run_ingest(
                    workspace.settings.model_copy(update={"warehouse": home.folder}), workspace.paths, report_progress
                )
                restriction = "" if best == ranking[0].name else " with the model of the settings"
                notes.append(f"{home.folder} is now ingested as by {best}, the best configuration{restriction}")
    if day != options.today and not options.day:
        notes.append(f"relative times are read from {day}, the day of the first trials; --today names another")
    return replace(outcome, notes=tuple(notes))


def with_grid_questions(
    grid: GridConfigurations,
    dataset: Dataset,
    count: int | None,
    work: Path,
    settings: Settings,
    report_progress: ProgressReporter,
) -> Dataset:
    """The dataset with questions generated from its documents, as the first configuration ingests them.

    Questions are made of blocks and cells, which are the same in all configurations. Raises what an ingest raises, and
    `BadInput` where no question can be generated.
    """
    home = Layout(settings.warehouse)
    if prepare_corpus_paths(dataset, work, Warehouse(home.folder)):
        roots = plan_corpus_roots(dataset, work, settings)
        (workspace,) = make_workspaces(grid.experiments[:1], settings, roots)
        settings = workspace.settings
        if workspace.find_current_generation() is None:
            with temporary_server(home), connect_prefect(home, report_progress, workspace.layout):
                from flows.ingest import ingest

                ingest([str(path) for path in workspace.paths], (), settings)
    return with_generated_questions(dataset, count, work, settings, report_progress)


def _run_missing_trials(
    home: Layout,
    conditions: GridConditions,
    workspaces: Sequence[TrialWorkspace],
    kept_count: int,
    report_progress: ProgressReporter,
) -> tuple[dict[str, TrialOutcome], dict[str, str]]:
    """Run the flow; returns the new outcomes, and the reasons of failures, by the configuration's name."""
    report_progress(f"{len(workspaces)} of {kept_count + len(workspaces)} configurations are to be tried")
    experiments = Layout(home.experiments)
    with connect_prefect(home, report_progress, experiments):
        from flows.experiments.experiment_flow import GridProgress, run_experiment

        progress = GridProgress(len(workspaces), report_progress)
        run_experiment(experiments, conditions, workspaces, progress)
    return progress.outcomes, progress.failures


@dataclass(frozen=True, slots=True)
class TrialWorkspace:
    """The place of a trial: its experiment, the settings of its warehouse, and the files to ingest there."""

    experiment: Experiment
    settings: Settings
    paths: tuple[Path, ...]

    @property
    def layout(self) -> Layout:
        """The layout of its warehouse, which experiments of the same fingerprint share."""
        return Layout(self.settings.warehouse)

    def find_current_generation(self) -> Generation | None:
        """The generation to search; None where something must be ingested first."""
        generation = find_latest(self.layout)
        if generation is None or not make_plan(self.settings, generation, self.paths).idle:
            return None
        return generation


def make_workspaces(
    experiments: Sequence[Experiment], settings: Settings, roots: Sequence[Root]
) -> tuple[TrialWorkspace, ...]:
    """The workspaces in the folder of the settings' warehouse; `roots` are the source folders of the documents."""
    home = Layout(settings.warehouse)
    home.make_folder()
    home.lake.mkdir(exist_ok=True)
    sources = []
    for root in roots:
        # As the settings would declare it, so that its documents keep their names.
        root_settings = {name: getattr(root, name) for name in ("folder", "name", "kind", "topic", "fiscal_year_end")}
        sources.append(SourceSettings.model_validate({**root_settings, "chunk": asdict(root.chunking)}))
    paths = tuple(root.folder / name for root in roots for name in root.only or ("",))
    workspaces = []
    for experiment in experiments:
        layout = Layout(home.experiments / experiment.fingerprint)
        layout.folder.mkdir(parents=True, exist_ok=True)
        if not layout.lake.is_symlink():
            layout.lake.symlink_to(SHARED_LAKE)
        workspaces.append(
            TrialWorkspace(experiment, experiment.build_settings(settings, layout.folder, tuple(sources)), paths)
        )
    return tuple(workspaces)


@dataclass(frozen=True)
class GridConditions:
    """Conditions of a grid: dataset, judge, day for relative times, and further cuts of recall.

    `work` is the folder of the vectors of questions.
    """

    dataset: Dataset
    judge: str
    day: date
    cuts: tuple[int, ...]
    work: Path

    @cached_property
    def identity(self) -> str:
        """The id of the questions and of how they are judged, independent of where the files lie."""
        questions = [asdict(question) for question in self.dataset.questions]
        documents = [(document.name, document.stem) for document in self.dataset.documents]
        return digest("exam", self.dataset.name, questions, documents, self.judge, self.day, self.cuts)

    def make_trial_id(self, workspace: TrialWorkspace, generation: Generation) -> str:
        """The id of the trial of an experiment over the content of a generation."""
        # The key depends on the content, not on the place and time of its ingest.
        document_keys = sorted(
            (entry.file.source, [output.key for output in entry.outputs]) for entry in generation.read_entries()
        )
        content = digest("state", generation.manifest.model, document_keys)
        experiment = workspace.experiment
        return digest("trial", self.identity, content, asdict(experiment.ranking), experiment.k, hash_search_code())


def find_outcome(workspace: TrialWorkspace, conditions: GridConditions) -> TrialOutcome | None:
    """The kept trial of an experiment, None without one or where its documents or settings have changed."""
    generation = workspace.find_current_generation()
    if generation is None:
        return None
    lake, trial_id = Lake(workspace.layout.lake), conditions.make_trial_id(workspace, generation)
    if not trials.has_trial(lake, trial_id):
        return None
    return read_outcome(lake, trial_id, workspace.experiment.name)


def read_outcome(lake: Lake, trial_id: str, name: str = "") -> TrialOutcome:
    """A kept trial, under the name that it has in a grid, else the name that it was kept with."""
    record = trials.read_trial(lake, trial_id)
    trial_name = name or record.name
    return TrialOutcome(trial_name, replace(record, name=trial_name), trials.read_questions(lake, trial_id))


@dataclass(frozen=True, slots=True)
class StoredRankings:
    """What a stored trial found for each question, by name: documents, and passages where these are judged."""

    name: str
    documents: Mapping[str, RankedNames]
    spans: Mapping[str, RankedNames]


def read_rankings(outcome: GridOutcome, settings: Settings) -> list[StoredRankings]:
    """The rankings of all trials of a grid, for files that other programs measure. Raises `BadWarehouse`."""
    lake, rankings = Lake(Layout(settings.warehouse).lake), []
    for trial in outcome.trials:
        documents: dict[str, RankedNames] = {}
        spans: dict[str, RankedNames] = {}
        for row in trials.read_rankings(lake, trial.record.trial_id):
            documents[row.question] = tuple((document.name, document.score) for document in row.documents)
            spans[row.question] = tuple((span.name, span.score) for span in row.spans)
        rankings.append(StoredRankings(trial.name, documents, spans))
    return rankings


SEARCH_CODE = (
    ("warehouse", "."),
    ("tasks", "ask"),
    ("tasks", "chunkers/parts/document_spans.py"),
    ("tasks", "embedders"),
    ("tasks", "evaluate"),
    ("tasks", "parsers/language.py"),
    ("tasks", "query"),
    ("tasks", "rerankers"),
    ("tasks", "temporal"),
    ("flows", "evaluation.py"),
)
"""Packages and modules whose code runs in a search and in its evaluation."""
_REPORTING = "experiments"  # The folder that only reports results.


@cache
def hash_search_code() -> str:
    """A digest of the modules that search and judge. The ingest is covered by the versions of its stages."""

    def read(entry: Traversable) -> None:
        if entry.is_dir():
            for path in sorted(entry.iterdir(), key=lambda path: path.name):
                if path.name not in (_REPORTING, "__pycache__"):
                    read(path)
        elif not entry.name.endswith(".pyc"):
            code_digest.update(entry.name.encode())
            code_digest.update(entry.read_bytes())

    code_digest = hashlib.blake2b(digest_size=16)
    for package, part in SEARCH_CODE:
        read(files(package).joinpath(part))
    return code_digest.hexdigest()
