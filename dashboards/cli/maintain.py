"""`kalends maintain` and `kalends doctor`: upkeep and checks of a warehouse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import OutputFormat, WarehouseOption, load_settings, print_result, with_format

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


@with_format()
def maintain(
    keep: KeepOption = None,
    days: DaysOption = None,
    grace: GraceOption = None,
    dry_run: DryRunOption = False,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Merge small files and remove what is no longer used.

    Old generations go, and unused files; a warehouse of an older version is upgraded first.
    """
    from flows.maintenance import maintain_warehouse

    settings = load_settings(warehouse)
    values = {"keep": keep, "days": days, "grace": grace}
    options = settings.maintain.model_copy(update={name: value for name, value in values.items() if value is not None})
    report = maintain_warehouse(settings.model_copy(update={"maintain": options}), dry_run=dry_run)
    fields = {name: getattr(report, name) for name in report.__dataclass_fields__}
    print_result(form, {**fields, "won": report.removed_amount}, iter_maintenance_lines(report))


def iter_maintenance_lines(report: MaintenanceReport) -> Iterator[str]:
    """The report of the maintenance, for people."""
    before = "would be " if report.dry_run else ""
    if report.upgraded is not None:
        yield f"The warehouse {before or 'was '}upgraded from schema version {report.upgraded}."
    for stage, (files, left) in report.merged.items():
        yield f"{stage}: {files} small files {before}merged into {left}."
    if report.folded is not None:
        yield f"The index of {report.folded} vectors {before}rebuilt."
    if report.generation is not None:
        yield f"Published generation {report.generation}."
    if report.dropped:
        yield f"Generations {before}removed: {format_ranges(report.dropped)}."
    for what, amount in report.removed.items():
        yield f"{what} {before}removed: {amount.files} files, {format_size(amount.bytes)}."
    if report.removed:
        yield f"{format_size(report.removed_amount.bytes)} {before or 'were '}freed."
    elif report.generation is None and not report.merged and report.folded is None:
        yield "Nothing to do."


def format_ranges(numbers: tuple[int, ...]) -> str:
    """Ascending numbers as ranges: "1-3, 5"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)


def format_size(count: int) -> str:
    """A number of bytes with a decimal unit: "1.5 MB"."""
    if count < 1000:
        return f"{count} B"
    size = float(count)
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 1000:
            return f"{size:.1f} {unit}"
    return f"{size / 1000:.1f} TB"


DeepOption = Annotated[bool, typer.Option("--deep", help="Also read every file of the warehouse completely.")]
ModelsOption = Annotated[bool, typer.Option("--models", help="Also load the embedding model.")]


@with_format()
def doctor(
    deep: DeepOption = False,
    models: ModelsOption = False,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Check the installation and the warehouse.

    Nothing is changed. Exit code 1: something is wrong.
    """
    from flows.doctor import Level, run_checks

    results = list(run_checks(load_settings(warehouse), deep=deep, models=models))
    lines = (
        f"{result.level:8} {result.check:13} {' -> '.join(filter(None, (result.line, result.cure)))}"
        for result in results
    )
    print_result(form, results, lines)
    if any(result.level is Level.ERROR for result in results):
        raise typer.Exit(1)
