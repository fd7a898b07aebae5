"""Trials of a grid: their workspaces, their identity, and the outcomes that are kept.

Each way to ingest has a warehouse of its own over the lake of the first, so parsing, tables, times, names and every
vector of a text that was embedded before are shared. Each has its own indexes, made anew: what is measured does not
depend on what was tried before it. A trial is identified by its dataset, configuration, documents and the code that
searches and judges.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from flows.planning import make_plan
from tasks.evaluate.dataset import Dataset
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.grid_outcome import TrialOutcome
from warehouse.identity import digest
from warehouse.records import Root
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkChoice, SourceSettings
from warehouse.store import trials
from warehouse.store.generations import Generation, latest, require
from warehouse.store.lake import Lake
from warehouse.store.layout import SHARED_LAKE, Layout


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

    def current_generation(self) -> Generation | None:
        """The generation to search; None where something must be ingested first."""
        generation = latest(self.layout)
        if generation is None or not make_plan(self.settings, generation, self.paths).idle:
            return None
        return generation


def trial_workspaces(experiments: Sequence[Experiment], settings: Settings) -> tuple[TrialWorkspace, ...]:
    """The workspaces beside the warehouse that the settings name, which already holds the documents."""
    home = Layout(settings.warehouse)
    roots = require(home).manifest.roots
    sources = tuple(_source(root) for root in roots)
    paths = tuple(root.folder / name for root in roots for name in root.only or ("",))
    found = []
    for each in experiments:
        layout = Layout(home.experiments / each.fingerprint)
        _share(layout)
        found.append(TrialWorkspace(each, each.settings(settings, layout.folder, sources), paths))
    return tuple(found)


def content_id(generation: Generation) -> str:
    """The id of a generation's content: the same wherever and whenever it was ingested."""
    held = sorted((each.file.source, [output.key for output in each.outputs]) for each in generation.entries())
    return digest("state", generation.manifest.model, held)


def _share(layout: Layout) -> None:
    """Make the folder with its link to the lake, which need not be there yet."""
    layout.folder.mkdir(parents=True, exist_ok=True)
    if not layout.lake.is_symlink():
        layout.lake.symlink_to(SHARED_LAKE)


def _source(root: Root) -> SourceSettings:
    """A root as the settings would declare it, so that its documents keep their names."""
    how = root.chunking
    chunk = ChunkChoice.model_validate(
        {"chunker": how.chunker, "size": how.size, "overlap": how.overlap, "unit": how.unit}
    )
    known = {"kind": root.kind, "topic": root.topic, "fiscal_year_end": root.fiscal_year_end}
    return SourceSettings.model_validate({"folder": root.folder, "name": root.name, "chunk": chunk, **known})


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
        questions = [asdict(each) for each in self.dataset.questions]
        documents = [(each.name, each.stem) for each in self.dataset.documents]
        return digest("exam", self.dataset.name, questions, documents, self.judge, self.day, self.cuts)

    def trial_id(self, workspace: TrialWorkspace, generation: Generation) -> str:
        """The id of the trial of an experiment over the content of a generation."""
        chosen = workspace.experiment
        return digest(
            "trial", self.identity, content_id(generation), asdict(chosen.ranking), chosen.k, search_code_digest()
        )


def kept_outcome(workspace: TrialWorkspace, conditions: GridConditions) -> TrialOutcome | None:
    """The kept trial of an experiment, None without one or where its documents or settings have changed."""
    generation = workspace.current_generation()
    if generation is None:
        return None
    lake, trial_id = Lake(workspace.layout.lake), conditions.trial_id(workspace, generation)
    if not trials.is_kept(lake, trial_id):
        return None
    return read_outcome(lake, trial_id, workspace.experiment.name)


def read_outcome(lake: Lake, trial_id: str, name: str = "") -> TrialOutcome:
    """A kept trial, under the name that it has in a grid, else the name that it was kept with."""
    found = trials.trial(lake, trial_id)
    chosen = name or found.name
    return TrialOutcome(chosen, replace(found, name=chosen), trials.questions(lake, trial_id))


def first_day(lake: Lake, dataset: str, today: date) -> date:
    """The day of the kept trials of a dataset, so that later trials are comparable; else today."""
    return next((each.day for each in trials.read_trials(lake) if each.exam == dataset), today)


SEARCH_CODE = (
    ("warehouse", "."),
    ("tasks", "ask"),
    ("tasks", "chunkers/parts/sentences.py"),
    ("tasks", "embedders"),
    ("tasks", "evaluate"),
    ("tasks", "parsers/language.py"),
    ("tasks", "quality/statements.py"),
    ("tasks", "query"),
    ("tasks", "rerankers"),
    ("tasks", "temporal"),
    ("flows", "evaluation.py"),
)
"""Packages and modules whose code runs in a search and in its evaluation."""
_REPORTING = "experiments"  # The folder that only tells of what was found.


@cache
def search_code_digest() -> str:
    """A digest of the modules that search and judge. The ingest is covered by the versions of its stages."""
    seen = hashlib.blake2b(digest_size=16)
    for package, part in SEARCH_CODE:
        _read(files(package).joinpath(part), seen)
    return seen.hexdigest()


def _read(place: Traversable, seen: hashlib.blake2b) -> None:
    if place.is_dir():
        for each in sorted(place.iterdir(), key=lambda each: each.name):
            if each.name not in (_REPORTING, "__pycache__"):
                _read(each, seen)
    elif not place.name.endswith(".pyc"):
        seen.update(place.name.encode())
        seen.update(place.read_bytes())
