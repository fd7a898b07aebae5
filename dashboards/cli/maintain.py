"""`kalends maintain`: small files merged, old generations and what nothing stands on removed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, print_json, settings_of

if TYPE_CHECKING:
    from flows.maintaining.upkeep import MaintenanceReport

KeepOption = Annotated[int | None, typer.Option(min=1, help="Keep the newest generations [default: maintain.keep].")]
DaysOption = Annotated[
    int | None, typer.Option(min=0, help="Keep the last generation of each of so many days [default: maintain.days].")
]
GraceOption = Annotated[
    int | None,
    typer.Option(min=0, help="Minutes for which what was replaced stays for its readers [default: maintain.grace]."),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
UNITS = ("B", "kB", "MB", "GB", "TB")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(maintain)


def maintain(
    keep: KeepOption = None,
    days: DaysOption = None,
    grace: GraceOption = None,
    dry_run: DryRunOption = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Upgrade an older warehouse, merge small files, drop old generations and remove what nothing stands on."""
    from flows.maintaining.maintenance import maintain_warehouse

    settings = settings_of(warehouse)
    said = {"keep": keep, "days": days, "grace": grace}
    chosen = settings.maintain.model_copy(update={name: value for name, value in said.items() if value is not None})
    done = maintain_warehouse(settings.model_copy(update={"maintain": chosen}), dry_run=dry_run)
    if json:
        print_json({**_fields(done), "won": done.won})
        return
    for line in lines(done):
        typer.echo(line)


def _fields(done: MaintenanceReport) -> dict[str, object]:
    return {name: getattr(done, name) for name in done.__dataclass_fields__}


def lines(done: MaintenanceReport) -> Iterator[str]:
    """What was done, for people."""
    before = "would be " if done.dry_run else ""
    if done.upgraded is not None:
        yield f"The warehouse, of schema version {done.upgraded}, {before or 'was '}upgraded."
    for stage, (files, left) in done.merged.items():
        yield f"{stage}: {files} small files {before}merged into {left}."
    if done.folded is not None:
        yield f"The index of {done.folded} vectors {before}made anew."
    if done.generation is not None:
        yield f"Published generation {done.generation}."
    if done.dropped:
        yield f"Generations {before}dropped: {spans(done.dropped)}."
    for what, amount in done.removed.items():
        yield f"{what} {before}removed: {amount.files} files, {size_of(amount.bytes)}."
    if done.removed:
        yield f"{size_of(done.won.bytes)} {before or 'were '}won."
    elif done.generation is None and not done.merged and done.folded is None:
        yield "Nothing to do."


def spans(numbers: tuple[int, ...]) -> str:
    """Numbers in rising order, runs of them by their ends: "1-3, 5"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)


def size_of(count: int) -> str:
    """Bytes for people: "1.5 MB"."""
    size, unit = float(count), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.1f} {UNITS[unit]}" if unit else f"{count} B"
