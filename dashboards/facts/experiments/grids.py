"""A grid that is put together on the page: its YAML, what it comes to, and what of it is there already."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic_core import to_json

from tasks.evaluate.experiments.dimensions import short
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.reading import grid_at
from warehouse.errors import BadInput
from warehouse.records import TrialRecord
from warehouse.settings.loader import Settings
from warehouse.store.generations import latest
from warehouse.store.layout import Layout

GRID_FILE = "grid.yaml"


@dataclass(frozen=True, slots=True)
class GridSize:
    """How much a grid is: its configurations, the ingests that they need, and how many of each there are already.

    A configuration is `tried` where one of the same settings was; whether its documents and the code are still those,
    and so whether it is asked again, is found out when it is run.
    """

    configurations: int
    tried: int
    ingests: int
    made: int


def grid_yaml(axes: Mapping[str, Sequence[str]], exclude: str = "") -> str:
    """A grid as YAML, from the values of each dimension as they are written, and points to leave out."""
    lines = [f"  {short(name)}: [{', '.join(map(to_yaml_value, values))}]" for name, values in axes.items() if values]
    parts = ["grid:", *lines] if lines else []
    left = exclude.strip("\n").splitlines()
    parts += ["exclude:", *(f"  {line}" for line in left)] if exclude.strip() else []
    return "".join(f"{line}\n" for line in parts)


def to_yaml_value(value: str) -> str:
    """A value as YAML has it: plain where that is read as one value, else in quotes."""
    try:
        read = yaml.safe_load(f"[{value}]")
    except yaml.YAMLError:
        read = None
    plain = isinstance(read, list) and len(read) == 1 and isinstance(read[0], str | int | float | None)
    return value if value and plain else to_json(value).decode()


def parse_grid(text: str, base: Settings) -> tuple[Experiment, ...]:
    """The configurations of a grid in YAML. Raises `BadInput` that names the line and the key."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / GRID_FILE
        file.write_text(text, encoding="utf-8")
        try:
            return grid_at(file, base)
        except BadInput as error:
            raise BadInput(
                error.problem.replace(str(file), GRID_FILE), error.cure.replace(str(file), GRID_FILE)
            ) from None


def measure_grid(experiments: Collection[Experiment], home: Layout, tried: Collection[TrialRecord]) -> GridSize:
    """What a grid comes to beside a warehouse; `tried` are the trials of the same exam."""
    known = {record.settings for record in tried}
    places = {each.fingerprint for each in experiments}
    return GridSize(
        configurations=len(experiments),
        tried=sum(to_json(each.values).decode() in known for each in experiments),
        ingests=len(places),
        made=sum(latest(Layout(home.experiments / place)) is not None for place in places),
    )
