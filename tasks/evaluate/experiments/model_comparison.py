"""Comparison of embedding models: the configurations to try, and the changes of each model from the first one.

A comparison of models is a grid whose axes are the model and the ranking; each row is compared with the same ranking of
the first model, question by question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tasks.embedders.embedder import open_embedder
from tasks.evaluate.configurations import DEFAULT_RANKING
from tasks.evaluate.experiments.experiment import Experiment, build_experiment
from tasks.evaluate.experiments.grid_file import DEFAULT_K, GridConfigurations, check_names
from tasks.evaluate.experiments.grid_outcome import GridOutcome, TrialOutcome
from tasks.evaluate.outcomes import Change, Flips, compute_changes, find_flips
from warehouse.errors import BadInput
from warehouse.printable_text import hide_secrets
from warehouse.records import Ranking
from warehouse.settings.loader import Settings

MODEL_PARTS = ("dense", DEFAULT_RANKING)
"""The rankings to compare models with if none is named: vectors alone, and a default search. A reranker's is added."""


def choose_parts(names: Sequence[str], reranker: str = "") -> tuple[str, ...]:
    """The names of the rankings to measure with each model: those named, else `MODEL_PARTS`."""
    return tuple(names) or (*MODEL_PARTS, *((f"with-{reranker}",) if reranker else ()))


def name_trial(model: str, part: str) -> str:
    """The name of a ranking with a model, which is also the tag of its run: "minilm-dense"."""
    return f"{model}-{part}"


def check_models(models: Sequence[str]) -> None:
    """Raise `BadInput` for a model that cannot be opened, and for one that is named twice, also by another name."""
    names: dict[str, str] = {}
    for name in models:
        try:
            identity = open_embedder(name).model
        except BadInput as error:
            raise BadInput(f"--model {hide_secrets(name)}: {error.problem}", error.cure) from None
        if earlier_name := names.get(identity):
            problem = "is there twice" if earlier_name == name else f"is the same model as {earlier_name}"
            raise BadInput(f"--model {name} {problem}", "name each model once")
        names[identity] = name


def build_model_configurations(
    models: Sequence[str], rankings: Mapping[str, Ranking], cuts: Sequence[int], base: Settings
) -> GridConfigurations:
    """Each ranking with each model, based on the current settings; the greatest cut decides how many hits are read."""
    check_models(models)
    experiments, k = list[Experiment](), max((DEFAULT_K, *cuts))
    for model in models:
        for part, ranking in rankings.items():
            experiment = build_experiment(name_trial(model, part), base, k, {"embed.model": model})
            check_names(experiment, base)
            experiments.append(replace(experiment, ranking=ranking))
    return GridConfigurations(tuple(experiments))


@dataclass(frozen=True)
class ModelTrial:
    """A ranking of a model: its trial, and by measure the change from the same ranking of the first model.

    There are no changes for the first model itself, and none if its trial failed.
    """

    model: str
    part: str
    trial: TrialOutcome
    against: Mapping[str, Change] = field(default_factory=dict)
    flips: Flips | None = None


@dataclass(frozen=True)
class ModelComparison:
    """The trials of all models, ranking by ranking; `first` is the model that the others are compared with."""

    first: str
    outcome: GridOutcome
    rows: tuple[ModelTrial, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """The models that have a trial, in their order."""
        return tuple(dict.fromkeys(row.model for row in self.rows))


def compare_models(outcome: GridOutcome, models: Sequence[str], parts: Sequence[str]) -> ModelComparison:
    """The comparison of the trials of `build_model_configurations`; those that failed are left out."""
    trials = {trial.name: trial for trial in outcome.trials}
    rows = []
    for part in parts:
        first = trials.get(name_trial(models[0], part))
        for model in models:
            trial = trials.get(name_trial(model, part))
            if trial is None:
                continue
            if first is None or trial is first:
                rows.append(ModelTrial(model, part, trial))
                continue
            against = compute_changes(trial.values, first.values, trial.clusters)
            rows.append(ModelTrial(model, part, trial, against, find_flips(trial, first, outcome.measure)))
    return ModelComparison(models[0], outcome, tuple(rows))


def shorten_model_names(models: Sequence[str]) -> dict[str, str]:
    """A short name of each model for tables: that of its folder or on its server, unless two would have the same."""
    short_names = {}
    for model in models:
        _, on_server, name = model.partition("#")
        place = name.partition("&")[0] if on_server else model
        short_names[model] = place.rstrip("/").rpartition("/")[2] or model
    return short_names if len(set(short_names.values())) == len(short_names) else {model: model for model in models}
