"""Experiments so far: trials grouped by their questions, tables of them, the best configuration, and titles.

Only trials of the same questions, by the same measures, can be compared: such a group is one experiment of the page.
Titles that people give are files below the warehouse, `experiment-titles/<experiment>.txt`, each the title itself.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic_core import to_json

from tasks.evaluate.dataset import JudgedQuestion
from tasks.evaluate.experiments.experiment import build_experiment, get_short_name
from tasks.evaluate.experiments.grid_file import DEFAULT_K
from tasks.evaluate.experiments.grid_outcome import (
    Effect,
    GridOutcome,
    Price,
    TrialOutcome,
    list_varied_values,
    read_settings,
)
from tasks.evaluate.outcomes import Change, Flips, compute_changes
from tasks.evaluate.question_maker import MAKERS, describe_questions
from tasks.quality.phrases import format_count
from warehouse.errors import BadWarehouse
from warehouse.identity import digest
from warehouse.reader import Warehouse
from warehouse.records import TrialRecord
from warehouse.settings.loader import Settings
from warehouse.store import trials
from warehouse.store.lake import Lake
from warehouse.store.layout import open_atomically

_QUESTION_HASHES = """
    SELECT trial_id, md5(string_agg(question, chr(10) ORDER BY question)) FROM trial_questions GROUP BY trial_id
"""
MAX_TRIALS = 100_000  # Trials that are read at most.


@dataclass(frozen=True, slots=True)
class TrialGroup:
    """One experiment: the latest trial of each configuration with the same questions and measures.

    `name` is the parameter `round` of addresses; it does not change when configurations are added or tried again, and
    `exam` is the name of the documents.
    """

    name: str
    exam: str
    trials: tuple[TrialRecord, ...]

    @property
    def measures(self) -> list[str]:
        """The measures, the decisive one first."""
        return [measure.measure for measure in self.trials[0].measures]

    def rank_trials(self, measure: str) -> list[TrialRecord]:
        """The trials by a measure, the best first; of equals, the one with the smaller indexes."""
        return sorted(self.trials, key=lambda trial: (-get_mean(trial, measure), trial.index_bytes))


def list_trial_files(lake: Lake) -> tuple[str, ...]:
    """The names of the files of all trials; they change with every new trial and serve as a cache key."""
    return tuple(path.name for path in trials.list_files(lake)["trials"])


def group_trials(warehouse: Warehouse, base: Settings) -> list[TrialGroup]:
    """All experiments, the one with the latest trial first.

    Trials whose settings differ least from the current ones, `base`, come first: effects are measured against them.
    """
    records = trials.read_trials(Lake(warehouse.layout.lake))
    if not records:
        return []
    questions = dict(warehouse.run_sql(_QUESTION_HASHES, MAX_TRIALS).rows)
    groups: defaultdict[str, dict[str, TrialRecord]] = defaultdict(dict)
    for record in records:
        measures = [row.measure for row in record.measures]
        name = digest("round", record.exam, questions.get(record.trial_id, ""), measures)[:12]
        same = groups.pop(name, {})
        same.pop(record.settings, None)
        groups[name] = {**same, record.settings: record}
    current = _get_current_settings(base)
    trial_groups = []
    for name, same in groups.items():
        nearest = sorted(same.values(), key=lambda trial: _count_differences(json.loads(trial.settings), current))
        counts = Counter(trial.name for trial in nearest)
        # Trials with the same name but other settings get the start of their id after it.
        unique = (
            trial if counts[trial.name] == 1 else replace(trial, name=f"{trial.name} ({trial.trial_id[:6]})")
            for trial in nearest
        )
        trial_groups.append(TrialGroup(name, nearest[0].exam, tuple(unique)))
    return trial_groups[::-1]


def find_current(group: TrialGroup, base: Settings) -> str:
    """The name of the configuration with the current settings, `base`; empty if there is none."""
    current = _get_current_settings(base)
    return next(
        (trial.name for trial in group.trials if not _count_differences(json.loads(trial.settings), current)), ""
    )


def read_outcome(lake: Lake, group: TrialGroup) -> GridOutcome:
    """The trials with their questions. Raises `BadWarehouse` for a damaged trial."""
    outcomes = tuple(
        TrialOutcome(trial.name, trial, trials.read_questions(lake, trial.trial_id)) for trial in group.trials
    )
    return GridOutcome(group.exam, max(trial.documents for trial in group.trials), outcomes, {})


def get_mean(record: TrialRecord, measure: str) -> float:
    """The mean of a measure, 0 if the trial lacks it."""
    return next((row.mean for row in record.measures if row.measure == measure), 0.0)


def find_group(groups: Sequence[TrialGroup], trial_ids: Iterable[str]) -> TrialGroup | None:
    """The group that contains any of these trials, else None."""
    wanted_ids = set(trial_ids)
    return next((group for group in groups if any(trial.trial_id in wanted_ids for trial in group.trials)), None)


def _get_current_settings(base: Settings) -> dict[str, Any]:
    """The current settings in the form of `TrialRecord.settings`."""
    values: dict[str, Any] = json.loads(to_json(build_experiment("", base, DEFAULT_K, {}).values))
    return values


def _count_differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    return sum(
        _count_differences(value, other.get(name, {})) if isinstance(value, dict) else value != other.get(name)
        for name, value in one.items()
    )


def build_experiments_table(groups: Sequence[TrialGroup], titles: Sequence[str]) -> pa.Table:
    """One row per experiment, with its title and its best configuration."""
    trials = [group.rank_trials(group.measures[0])[0] for group in groups]
    rows = [
        {
            "title": title,
            "exam": group.exam,
            "questions": best.questions,
            "documents": best.documents,
            "configurations": len(group.trials),
            "best": best.name,
            **{name: getattr(best.measures[0], name) for name in ("measure", "mean", "low", "high")},
            "day": best.day,
        }
        for group, title, best in zip(groups, titles, trials, strict=True)
    ]
    return pa.Table.from_pylist(rows)


def build_trials_table(ranking: Sequence[TrialRecord], measure: str) -> pa.Table:
    """One row per configuration: the measure with its 95 % interval, times and sizes, and all other measures."""
    rows = []
    for trial in ranking:
        measures = {row.measure: row for row in trial.measures}
        row: dict[str, Any] = {"configuration": trial.name}
        row |= {name: getattr(measures.get(measure), name, None) for name in ("mean", "low", "high")}
        row |= {name: getattr(trial, name) for name in ("p50", "p95", "chunks", "vectors")}
        row |= {"megabytes": trial.index_bytes / 1e6, "ingest_seconds": trial.ingest_seconds}
        row |= {name: other.mean for name, other in measures.items() if name != measure}
        rows.append(row | {"model": trial.model, "day": trial.day, "trial_id": trial.trial_id})
    return pa.Table.from_pylist(rows)


def build_effects_table(effects: Sequence[Effect]) -> pa.Table:
    """One row per value of a setting."""
    value_fields = [("dimension", "string"), ("value", "string"), ("mean", "double"), ("configurations", "int64")]
    figures = [(name, "double") for name in ("difference", "low", "high", "p")]
    rows = [
        {name: getattr(effect, name) for name, _ in value_fields}
        | {name: getattr(effect.change, name, None) for name, _ in figures}
        for effect in effects
    ]
    return pa.Table.from_pylist(rows, schema=pa.schema(value_fields + figures))


def list_question_notes(outcome: TrialOutcome) -> tuple[str, ...]:
    """Notes on what generated questions can and cannot show; none for other questions."""
    questions = [JudgedQuestion(question.question, question.text, ()) for question in outcome.questions]
    if not all(any(question.name.startswith(f"{kind}-") for kind in MAKERS) for question in questions):
        return ()
    return tuple(describe_questions(questions))


def build_change_rows(before: TrialOutcome, after: TrialOutcome) -> list[dict[str, Any]]:
    """The change of every measure that both have, with its paired interval and p."""
    changes_by_measure = compute_changes(after.values, before.values, after.clusters)
    return [
        {
            "measure": measure,
            "before": before.measures[measure].mean,
            "after": after.measures[measure].mean,
            **asdict(change),
        }
        for measure, change in changes_by_measure.items()
        if measure in before.measures and measure in after.measures
    ]


def build_flips_table(flips: Flips, texts: Mapping[str, str]) -> pa.Table:
    """The questions with different results, the worse ones first, with their texts."""
    rows = [
        {"outcome": "better" if loss.is_gain else "worse", "text": texts[loss.question], **asdict(loss)}
        for loss in (*flips.losses, *flips.gains)
    ]
    return pa.Table.from_pylist(rows)


@dataclass(frozen=True, slots=True)
class ExperimentVerdict:
    """The best configuration compared with another by a measure: `change` is best minus other.

    `current` names the configuration with the current settings, empty if there is none. `settings` are those in
    which the two differ, each with the value of the best and of the other.
    """

    measure: str
    best: TrialOutcome
    other: TrialOutcome
    change: Change
    current: str
    settings: Mapping[str, tuple[str, str]]

    @property
    def is_sure(self) -> bool:
        """Whether the 95 % interval of the difference is above 0."""
        return self.change.low > 0


def compare_best(outcome: GridOutcome, price: Price, current: str) -> ExperimentVerdict | None:
    """Compare the best configuration with the current settings, or else with the second best; None for only one."""
    if len(outcome.trials) < 2:
        return None
    best = price.best
    ranking = [trial for trial in outcome.rank_trials(price.measure) if trial is not best]
    other = next((trial for trial in ranking if trial.name == current), ranking[0])
    values = list_varied_values(outcome)
    best_values, other_values = values[best.name], values[other.name]
    pairs = {name: (value, other_values[name]) for name, value in best_values.items()}
    differing = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return ExperimentVerdict(price.measure, best, other, price.gains[other.name], current, differing)


MAX_TITLE_LENGTH = 80  # Characters of a title; longer ones are cut.
MAX_NAMED = 3  # Settings that a generated title names; of more it gives the number.


@dataclass(frozen=True, slots=True)
class ExperimentTitles:
    """Titles that people gave to experiments, as files below the folder of the warehouse."""

    warehouse: Path

    def get_title(self, group: TrialGroup) -> str:
        """The title of an experiment; without a given one, generated from the settings that vary."""
        try:
            title = self._get_path(group).read_text(encoding="utf-8", errors="replace")
        except OSError:
            title = ""
        return " ".join(title.split())[:MAX_TITLE_LENGTH] or make_title(group)

    def rename(self, group: TrialGroup, title: str) -> None:
        """Save a title; an empty one restores the generated one. Raises `BadWarehouse` if it cannot be saved."""
        path, text = self._get_path(group), " ".join(title.split())[:MAX_TITLE_LENGTH]
        try:
            if not text:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            with open_atomically(path) as stream:
                stream.write(f"{text}\n".encode(errors="replace"))
        except OSError as error:
            problem = f"the title cannot be saved in {path.parent} ({error.strerror})"
            raise BadWarehouse(problem, "check its permissions and the disk") from None

    def _get_path(self, group: TrialGroup) -> Path:
        return self.warehouse / "experiment-titles" / f"{group.name}.txt"


def make_title(group: TrialGroup) -> str:
    """A title generated from the settings that vary: "Size and mode, 6 configurations"."""
    configurations = format_count(len(group.trials), "configuration")
    rows = [read_settings(trial) for trial in group.trials]
    every = dict.fromkeys(name for row in rows for name in row)
    names = [get_short_name(name) for name in every if len({repr(row.get(name)) for row in rows}) > 1]
    if not names:
        return configurations.capitalize()
    if len(names) > MAX_NAMED:
        subject = format_count(len(names), "setting")
    else:
        subject = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    subject = subject.replace("_", " ")
    return f"{subject[:1].upper()}{subject[1:]}, {configurations}"
