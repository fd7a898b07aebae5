"""The experiments so far: trials of the same questions together, since only those compare."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import to_json

from tasks.evaluate.experiments.experiment import experiment
from tasks.evaluate.experiments.outcome import GridOutcome, Outcome
from tasks.evaluate.experiments.reading import READ
from warehouse.identity import digest
from warehouse.reader import Warehouse
from warehouse.records import TrialRecord
from warehouse.settings.loader import Settings
from warehouse.store import trials
from warehouse.store.lake import Lake

_ASKED = """
    SELECT trial_id, md5(string_agg(question, chr(10) ORDER BY question)) FROM trial_questions GROUP BY trial_id
"""
MOST_TRIALS = 100_000
"""Trials at most."""


@dataclass(frozen=True, slots=True)
class TrialGroup:
    """The trials of the same questions, by the same measures: of each configuration the latest.

    `name` stands in addresses; it changes with neither another configuration nor another try.
    """

    name: str
    exam: str
    trials: tuple[TrialRecord, ...]

    @property
    def measures(self) -> list[str]:
        """The measures, the one that decides first."""
        return [each.measure for each in self.trials[0].measures]

    def ranked(self, measure: str) -> list[TrialRecord]:
        """The best first by a measure; of equals the cheaper."""
        return sorted(self.trials, key=lambda each: (-mean_of(each, measure), each.index_bytes))


def list_trial_files(lake: Lake) -> tuple[str, ...]:
    """The names of the files of all trials: it differs whenever a trial has come."""
    return tuple(path.name for path in trials.files_of(lake)["trials"])


def group_trials(warehouse: Warehouse, base: Settings) -> list[TrialGroup]:
    """All of them, that with the latest trial first.

    In each the trials that are nearest to the settings in force, `base`, come first: values are compared with those.
    """
    kept = trials.kept(Lake(warehouse.layout.lake))
    if not kept:
        return []
    asked = dict(warehouse.sql(_ASKED, MOST_TRIALS).rows)
    groups: defaultdict[str, dict[str, TrialRecord]] = defaultdict(dict)
    for each in kept:
        measures = [row.measure for row in each.measures]
        name = digest("round", each.exam, asked.get(each.trial_id, ""), measures)[:12]
        same = groups.pop(name, {})
        same.pop(each.settings, None)
        groups[name] = {**same, each.settings: each}
    force = _force(base)
    return [_round(name, held.values(), force) for name, held in groups.items()][::-1]


def find_current(chosen: TrialGroup, base: Settings) -> str:
    """The name of the configuration that has the settings in force, `base`; empty where none has."""
    force = _force(base)
    return next((each.name for each in chosen.trials if not _differing(json.loads(each.settings), force)), "")


def read_outcome(lake: Lake, chosen: TrialGroup) -> GridOutcome:
    """A round with all its questions. Raises `BadWarehouse` for a damaged trial."""
    tried = tuple(Outcome(each.name, each, trials.questions(lake, each.trial_id)) for each in chosen.trials)
    return GridOutcome(chosen.exam, max(each.documents for each in chosen.trials), tried, {})


def mean_of(record: TrialRecord, measure: str) -> float:
    """The mean of a measure; of one that it does not have, 0."""
    return next((each.mean for each in record.measures if each.measure == measure), 0.0)


def find_group(held: Sequence[TrialGroup], trial_ids: Iterable[str]) -> TrialGroup | None:
    """The round that holds one of some trials."""
    wanted = set(trial_ids)
    return next((each for each in held if any(trial.trial_id in wanted for trial in each.trials)), None)


def _force(base: Settings) -> dict[str, Any]:
    """The settings in force as a trial has them."""
    values: dict[str, Any] = json.loads(to_json(experiment("", base, READ, {}).values))
    return values


def _round(name: str, held: Iterable[TrialRecord], force: Mapping[str, Any]) -> TrialGroup:
    near = sorted(held, key=lambda each: _differing(json.loads(each.settings), force))
    return TrialGroup(name, near[0].exam, _named(near))


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """How many values are not the same."""
    return sum(
        _differing(value, other.get(name, {})) if isinstance(value, dict) else value != other.get(name)
        for name, value in one.items()
    )


def _named(held: Iterable[TrialRecord]) -> tuple[TrialRecord, ...]:
    """Trials of other settings that have the same name get their id behind it."""
    every = list(held)
    often: Mapping[str, int] = Counter(each.name for each in every)
    return tuple(
        each if often[each.name] == 1 else replace(each, name=f"{each.name} ({each.trial_id[:6]})") for each in every
    )
