"""`kalends maintain` and `kalends doctor`: upkeep and checks of a warehouse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, load_settings, print_json

if TYPE_CHECKING:
    from flows.maintenance import MaintenanceReport


KeepOption = Annotated[
    int | None, typer.Option(min=1, help="The number of newest generations to keep [default: maintain.keep].")
]
DaysOption = Annotated[
    int | None,
    typer.Option(min=0, help="The number of days of which the last generation is kept [default: maintain.days]."),
]
GraceOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Minutes for which replaced files are kept for programs that still read them [default: maintain.grace].",
    ),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only print what would be done.")]
UNITS = ("B", "kB", "MB", "GB", "TB")


def maintain(
    keep: KeepOption = None,
    days: DaysOption = None,
    grace: GraceOption = None,
    dry_run: DryRunOption = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Upgrade an older warehouse, merge small files, and remove old generations and unused files."""
    from flows.maintenance import maintain_warehouse

    settings = load_settings(warehouse)
    said = {"keep": keep, "days": days, "grace": grace}
    chosen = settings.maintain.model_copy(update={name: value for name, value in said.items() if value is not None})
    done = maintain_warehouse(settings.model_copy(update={"maintain": chosen}), dry_run=dry_run)
    if json:
        print_json({**_fields(done), "won": done.won})
        return
    for line in maintenance_lines(done):
        typer.echo(line)


def _fields(done: MaintenanceReport) -> dict[str, object]:
    return {name: getattr(done, name) for name in done.__dataclass_fields__}


def maintenance_lines(done: MaintenanceReport) -> Iterator[str]:
    """The report of the maintenance, for people."""
    before = "would be " if done.dry_run else ""
    if done.upgraded is not None:
        yield f"The warehouse {before or 'was '}upgraded from schema version {done.upgraded}."
    for stage, (files, left) in done.merged.items():
        yield f"{stage}: {files} small files {before}merged into {left}."
    if done.folded is not None:
        yield f"The index of {done.folded} vectors {before}rebuilt."
    if done.generation is not None:
        yield f"Published generation {done.generation}."
    if done.dropped:
        yield f"Generations {before}removed: {spans(done.dropped)}."
    for what, amount in done.removed.items():
        yield f"{what} {before}removed: {amount.files} files, {size_of(amount.bytes)}."
    if done.removed:
        yield f"{size_of(done.won.bytes)} {before or 'were '}freed."
    elif done.generation is None and not done.merged and done.folded is None:
        yield "Nothing to do."


def spans(numbers: tuple[int, ...]) -> str:
    """Ascending numbers as ranges: "1-3, 5"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)


def size_of(count: int) -> str:
    """A number of bytes with a decimal unit: "1.5 MB"."""
    size, unit = float(count), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.1f} {UNITS[unit]}" if unit else f"{count} B"


DeepOption = Annotated[bool, typer.Option("--deep", help="Also read every file of the warehouse completely.")]
ModelsOption = Annotated[bool, typer.Option("--models", help="Also load the embedding model.")]


def doctor(
    deep: DeepOption = False, models: ModelsOption = False, warehouse: WarehouseOption = None, json: JsonOption = False
) -> None:
    """Check the installation and the warehouse, without changing anything. Exit code 1: something is wrong."""
    from flows.doctor.diagnosis import Level
    from flows.doctor.examination import examine

    found = list(examine(load_settings(warehouse), deep=deep, models=models))
    if json:
        print_json(found)
    else:
        for each in found:
            cure = f" -> {each.cure}" if each.cure else ""
            typer.echo(f"{each.level:8} {each.check:13} {each.line}{cure}")
    if any(each.level is Level.ERROR for each in found):
        raise typer.Exit(1)
