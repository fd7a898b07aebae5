"""Experiments so far: trials grouped by their questions, tables of them, the best configuration, and titles.

Only trials of the same questions, by the same measures, can be compared: such a group is one experiment of the page.
Titles that people give are files below the warehouse, `experiment-titles/<experiment>.txt`, each the title itself.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic_core import to_json

from tasks.evaluate.contract import Judged
from tasks.evaluate.experiments.dimensions import short
from tasks.evaluate.experiments.effects import Effect
from tasks.evaluate.experiments.experiment import experiment
from tasks.evaluate.experiments.findings import varied
from tasks.evaluate.experiments.grid_file import READ
from tasks.evaluate.experiments.outcome import GridOutcome, TrialOutcome, settings_of
from tasks.evaluate.experiments.price import Price
from tasks.evaluate.flips import Flips
from tasks.evaluate.outcomes import Change
from tasks.evaluate.question_maker import MAKERS, notes
from tasks.evaluate.significance import changes
from tasks.quality.phrases import counted
from warehouse.errors import BadWarehouse
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
    kept = trials.read_trials(Lake(warehouse.layout.lake))
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
    tried = tuple(TrialOutcome(each.name, each, trials.questions(lake, each.trial_id)) for each in chosen.trials)
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


def round_table(held: Sequence[TrialGroup], titles: Sequence[str]) -> pa.Table:
    """A row an experiment, with its title and its best configuration."""
    rows = []
    for each, title in zip(held, titles, strict=True):
        best = each.ranked(each.measures[0])[0]
        rows.append(
            {
                "title": title,
                "exam": each.exam,
                "questions": best.questions,
                "documents": best.documents,
                "configurations": len(each.trials),
                "best": best.name,
                "measure": each.measures[0],
                "mean": best.measures[0].mean,
                "low": best.measures[0].low,
                "high": best.measures[0].high,
                "day": best.day,
            }
        )
    return pa.Table.from_pylist(rows)


def trial_table(ranked: Sequence[TrialRecord], measure: str) -> pa.Table:
    """A row a configuration: the measure with its interval, its price, and all other measures."""
    return pa.Table.from_pylist([_trial(each, measure) for each in ranked])


def effect_table(found: Sequence[Effect]) -> pa.Table:
    """A row a value of a dimension."""
    schema = pa.schema(
        [("dimension", "string"), ("value", "string"), ("mean", "double"), ("configurations", "int64")]
        + [(name, "double") for name in ("difference", "low", "high", "p")]
    )
    rows = []
    for each in found:
        change = each.change
        figures = {name: getattr(change, name) if change else None for name in ("difference", "low", "high", "p")}
        names = ("dimension", "value", "mean", "configurations")
        rows.append({**{name: getattr(each, name) for name in names}, **figures})
    return pa.Table.from_pylist(rows, schema=schema)


def question_notes(outcome: TrialOutcome) -> tuple[str, ...]:
    """What questions that were made from the corpus can and cannot show; none for others."""
    asked = [Judged(each.question, each.text, ()) for each in outcome.questions]
    if not all(any(each.name.startswith(f"{kind}-") for kind in MAKERS) for each in asked):
        return ()
    return tuple(notes(asked))


def _trial(each: TrialRecord, measure: str) -> dict[str, Any]:
    found = {row.measure: row for row in each.measures}
    decides = found.get(measure)
    return {
        "configuration": each.name,
        "mean": decides.mean if decides else None,
        "low": decides.low if decides else None,
        "high": decides.high if decides else None,
        "p50": each.p50,
        "p95": each.p95,
        "chunks": each.chunks,
        "vectors": each.vectors,
        "megabytes": each.index_bytes / 1e6,
        "ingest_seconds": each.ingest_seconds,
        **{label: row.mean for label, row in found.items() if label != measure},
        "model": each.model,
        "day": each.day,
        "trial_id": each.trial_id,
    }


def change_rows(before: TrialOutcome, after: TrialOutcome) -> list[dict[str, Any]]:
    """The change of every measure, with its paired interval and p; those of both alone."""
    found = changes(after.values, before.values)
    return [
        {
            "measure": measure,
            "before": before.measures[measure].mean,
            "after": after.measures[measure].mean,
            **asdict(change),
        }
        for measure, change in found.items()
        if measure in before.measures and measure in after.measures
    ]


def flip_table(found: Flips, texts: Mapping[str, str]) -> pa.Table:
    """The questions that differ, the lost ones first, with their texts."""
    rows = [
        {"outcome": "better" if each.won else "worse", "text": texts[each.question], **asdict(each)}
        for each in (*found.lost, *found.won)
    ]
    return pa.Table.from_pylist(rows)


@dataclass(frozen=True, slots=True)
class ExperimentVerdict:
    """The best configuration beside another by a measure: `change` is the difference of the best to the other.

    `current` is the name of the configuration that has the settings in use, empty where none has. `settings` are those
    in which the two differ: the value of the best, and that of the other.
    """

    measure: str
    best: TrialOutcome
    other: TrialOutcome
    change: Change
    current: str
    settings: Mapping[str, tuple[str, str]]

    @property
    def is_sure(self) -> bool:
        """Whether the whole 95 % interval of the difference lies above 0."""
        return self.change.low > 0


def compare_best(found: GridOutcome, price: Price, current: str) -> ExperimentVerdict | None:
    """The best beside the settings in use; where those are the best or were not tried, beside the second best.

    None where only one configuration was tried.
    """
    if len(found.trials) < 2:
        return None
    best = price.best
    ranked = [each for each in found.ranked(price.measure) if each is not best]
    other = next((each for each in ranked if each.name == current), ranked[0])
    values = varied(found)
    own, others = values[best.name], values[other.name]
    differing = {name: (own[name], others[name]) for name in own if own[name] != others[name]}
    return ExperimentVerdict(price.measure, best, other, price.gains[other.name], current, differing)


LONGEST_TITLE = 80
"""Characters of a title."""
MOST_NAMED = 3
"""Settings that a made title names; of more it tells the number."""


@dataclass(frozen=True, slots=True)
class ExperimentTitles:
    """The titles that people gave to the experiments of a warehouse's folder."""

    warehouse: Path

    def title(self, chosen: TrialGroup) -> str:
        """The title of an experiment, made from what varies where nobody gave one."""
        try:
            given = self._path(chosen).read_text(encoding="utf-8", errors="replace")
        except OSError:
            given = ""
        return " ".join(given.split())[:LONGEST_TITLE] or make_title(chosen)

    def rename(self, chosen: TrialGroup, title: str) -> None:
        """Give an experiment a title; an empty one takes it back. Raises `BadWarehouse` where it cannot be kept."""
        path, words = self._path(chosen), " ".join(title.split())[:LONGEST_TITLE]
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            if not words:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(f"{words}\n", encoding="utf-8", errors="replace")
            fresh.replace(path)
        except OSError as error:
            problem = f"the title cannot be saved in {path.parent} ({error.strerror})"
            raise BadWarehouse(problem, "check its permissions and the disk") from None
        finally:
            with suppress(OSError):
                fresh.unlink()

    def _path(self, chosen: TrialGroup) -> Path:
        return self.warehouse / "experiment-titles" / f"{chosen.name}.txt"


def make_title(chosen: TrialGroup) -> str:
    """A title from what varies: "Size and mode, 6 configurations"."""
    configurations = counted(len(chosen.trials), "configuration")
    names = [short(name) for name in varying_settings(chosen)]
    if not names:
        return configurations.capitalize()
    if len(names) > MOST_NAMED:
        said = counted(len(names), "setting")
    else:
        said = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    said = said.replace("_", " ")
    return f"{said[:1].upper()}{said[1:]}, {configurations}"


def varying_settings(chosen: TrialGroup) -> list[str]:
    """The settings that are not the same in all configurations of an experiment, by their whole names."""
    rows = [settings_of(each) for each in chosen.trials]
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if len({repr(row.get(name)) for row in rows}) > 1]
