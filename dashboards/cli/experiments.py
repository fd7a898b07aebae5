"""`kalends evaluate --grid` and `--gate`: configurations of a file tried on one exam, and the verdict on a baseline."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.grid_files import as_data, write
from dashboards.cli.grid_files import check as check_form
from dashboards.cli.grid_report import interval, lines
from dashboards.cli.options import print_json

if TYPE_CHECKING:
    from flows.experiments.grids import GridOptions
    from tasks.evaluate.contract import Dataset
    from tasks.evaluate.experiments.experiment import Experiment
    from tasks.evaluate.experiments.gate import Before, Values
    from warehouse.settings.loader import Settings

GridOption = Annotated[
    Path | None,
    typer.Option(
        help="Try every configuration of this YAML file (grid: {chunker: [fixed, structural], fusion: [weighed, rrf]}) "
        "and tell the best, its price, and what each value is worth. What was tried is kept and not tried again."
    ),
]
GateOption = Annotated[
    Path | None,
    typer.Option(help="Exit 1 if anything is significantly worse than in this file, the --json of an earlier run."),
]
ReportOption = Annotated[
    list[Path] | None,
    typer.Option("--report", help="Also write what a grid found to this file: .csv, .json, .md, or .html with charts."),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a gate needs: the marks of the questions by configuration, and the names of those that failed."""

    trials: Mapping[str, Values]
    failed: Collection[str] = ()


def experiments_of(grid: Path, reports: Sequence[Path], settings: Settings) -> tuple[Experiment, ...]:
    """The configurations of a grid, over the settings in force. Raises `BadInput` before anything is run."""
    from tasks.evaluate.experiments.reading import grid_at

    for file in reports:
        check_form(file)
    return grid_at(grid, settings)


def run(
    exam: Dataset,
    experiments: Sequence[Experiment],
    terms: GridOptions,
    settings: Settings,
    reports: Sequence[Path],
    *,
    json: bool,
) -> Asked:
    """Try the configurations and print what was found."""
    from dashboards.cli.progress import tell
    from flows.experiments.grids import run_grid
    from tasks.evaluate.experiments.findings import findings

    found = run_grid(exam, experiments, terms, settings, tell)
    said = findings(found)
    for file in reports:
        write(said, file)
    if json:
        print_json(as_data(said))
    else:
        typer.echo("\n".join(lines(said)))
    return Asked({each.name: each.values for each in found.trials}, found.failed.keys())


def gate(before: Sequence[Before], asked: Asked) -> None:
    """Say how each configuration does beside a baseline.

    Ends with exit code 1 where one is significantly worse or failed. Raises `BadInput` for a baseline of others.
    """
    from dashboards.cli.progress import tell
    from tasks.evaluate.experiments.gate import verdicts

    broken = [each.name for each in before if each.name in asked.failed]
    found = verdicts(before, asked.trials) if asked.trials or not broken else []
    for each in found:
        difference, within = interval(each.change)
        said = "lost" if each.lost else "held"
        tell(f"gate: {each.name} {said}: {each.measure} {difference} {within} over {each.questions} questions")
    for name in broken:
        tell(f"gate: {name} failed")
    if broken or any(each.lost for each in found):
        raise typer.Exit(1)
