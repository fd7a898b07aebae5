"""`kalends correct` and `kalends corrections`: facts of documents that people correct."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import OutputFormat, WarehouseOption, load_settings, with_format
from tasks.quality.phrases import format_count
from warehouse.errors import BadInput, UnknownDocument
from warehouse.records import CatalogEntry, CorrectedField, Correction, Table
from warehouse.regular_files import require_regular_file

if TYPE_CHECKING:
    from warehouse.reader import Warehouse
    from warehouse.store.layout import Layout


@with_format()
def correct(
    source: Annotated[str, typer.Argument(help="The document: its source, file name, title or id.")],
    company: Annotated[str | None, typer.Option(help="The company that the document belongs to.")] = None,
    fiscal_year_end: Annotated[
        str | None,
        typer.Option(
            help="The end of the fiscal year, for all documents of the company: MM-DD, 'exactly MM-DD',"
            " 'last Saturday of September' or 'Saturday nearest the end of January'."
        ),
    ] = None,
    date: Annotated[str | None, typer.Option(help="The date of the document, YYYY-MM-DD.")] = None,
    table: Annotated[int | None, typer.Option("--table", "-t", min=1, help="The number of one of its tables.")] = None,
    scale: Annotated[
        str | None, typer.Option(help="The unit of the table's amounts: ones, thousands, millions, billions …")
    ] = None,
    currency: Annotated[str | None, typer.Option(help="The currency of the table's amounts, like USD.")] = None,
    undo: Annotated[
        bool,
        typer.Option("--undo", help="Remove corrections: all of the document, or only those of --table or --field."),
    ] = False,
    field: Annotated[
        CorrectedField | None, typer.Option("--field", help="With --undo: remove only this correction.")
    ] = None,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Correct a fact that was read from a document or table.

    The next ingest applies the correction. Corrections are stored apart from the files and still apply when a file
    changes or is renamed or moved.
    """
    options = {
        CorrectedField.COMPANY: company,
        CorrectedField.FISCAL_YEAR_END: fiscal_year_end,
        CorrectedField.DOCUMENT_DATE: date,
        CorrectedField.SCALE: scale,
        CorrectedField.CURRENCY: currency,
    }
    values = {name: value for name, value in options.items() if value is not None}
    _check_options(values, table, field, undo=undo)
    from warehouse.reader import Warehouse

    reader = Warehouse(load_settings(warehouse).warehouse)
    if undo:
        changes, file = _remove_corrections(reader, source, field, table)
    else:
        changes, file = _store_corrections(reader, source, values, table)
    if form is OutputFormat.JSON:
        from warehouse.store.corrections_file import as_json

        typer.echo(as_json(changes), nl=False)
        return
    for change in changes:
        typer.echo(
            f"{change.source}: {_describe_subject(change)} {'is no longer corrected' if undo else f'is {change.value}'}"
        )
    typer.echo(f"The next ingest applies it: kalends ingest {shlex.quote(str(file)) if file else ''}".rstrip())


def _check_options(
    values: Mapping[CorrectedField, str], table: int | None, field: CorrectedField | None, *, undo: bool
) -> None:
    """Raise `BadInput` for options that cannot be combined."""
    of_table = [name for name in values if name.is_of_table]
    if undo and values:
        cure = "choose what to undo with --field, or leave --undo out"
        raise BadInput("--undo cannot be combined with a new value", cure)
    if field and not undo:
        cure = "give a new value with its own option, like --company NAME"
        raise BadInput("--field can only be used with --undo", cure)
    if of_table and table is None:
        raise BadInput(f"the {of_table[0].words} belongs to a table", "choose the table with --table N")
    if table is not None and not undo and not of_table:
        raise BadInput(f"there is no correction for table {table}", "give --scale or --currency")
    if not values and not undo:
        raise BadInput("there is nothing to correct", "give --company, --fiscal-year-end, --date or --table N --scale")


def _store_corrections(
    reader: Warehouse, source: str, values: dict[CorrectedField, str], table: int | None
) -> tuple[tuple[Correction, ...], Path | None]:
    from tasks.query.filter_values import find_document
    from warehouse.store.corrections_file import correct as note

    entry = find_document(reader, source)
    tables = reader.read_tables(entry.document_id) if table is not None else ()
    numbers = {table.number: table for table in tables}
    if table is not None and table not in numbers:
        has = f"it has {format_count(len(numbers), 'table')}" if numbers else "it has no tables"
        raise BadInput(f"there is no table {table} in {entry.file.source}", has)
    # All corrections are checked before any is stored; those of the document come first.
    ordered_values = dict(sorted(values.items(), key=lambda item: item[0].is_of_table))
    changes = note(reader.layout, entry, ordered_values, numbers[table] if table is not None else None, tables)
    location = reader.find_file(entry.document_id)
    return changes, location[1] if location else None


def _remove_corrections(
    reader: Warehouse, source: str, field: CorrectedField | None, table: int | None
) -> tuple[tuple[Correction, ...], Path | None]:
    from tasks.query.filter_values import find_document
    from warehouse.store import corrections_file as store

    tables: tuple[Table, ...] = ()
    file = None
    sources = {correction.source for correction in store.read(reader.layout)}
    try:
        entry = find_document(reader, source)
        name, tables = entry.file.source, reader.read_tables(entry.document_id)
        location = reader.find_file(entry.document_id)
        file = location[1] if location else None
    except UnknownDocument:
        # Corrections of a removed document can be undone as well.
        if source not in sources:
            raise
        name = source
    removed_corrections = store.undo(reader.layout, name, field, table, tables)
    if not removed_corrections:
        what = f"the {field.words} of " if field else ""
        where = f"table {table} of " if table is not None else ""
        raise BadInput(f"there is no correction of {what}{where}{name}", "'kalends corrections' lists all corrections")
    return removed_corrections, file


def _describe_subject(correction: Correction) -> str:
    return (
        f"the {correction.field.words} of table {correction.table.number}"
        if correction.table
        else f"the {correction.field.words}"
    )


@with_format(OutputFormat.CSV)
def corrections(
    import_file: Annotated[
        Path | None, typer.Option("--import", help="Import the corrections of an exported JSON or CSV file.")
    ] = None,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """List the corrections, or import those of another warehouse.

    What --format json or csv prints can be imported elsewhere.
    """
    from warehouse.store import corrections_file as store
    from warehouse.store.layout import Layout

    layout = Layout(load_settings(warehouse).warehouse)
    if import_file is not None:
        try:
            text = require_regular_file(import_file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            cure = "give a file written by 'kalends corrections --json' or '--csv'"
            raise BadInput(f"{import_file} cannot be read ({reason})", cure) from None
        count = store.merge(layout, store.parse_corrections(text, str(import_file)))
        typer.echo(
            f"{count} {'correction' if count == 1 else 'corrections'} imported.", err=form is not OutputFormat.TEXT
        )
        if count and form is OutputFormat.TEXT:
            typer.echo("The next ingest applies them: kalends ingest")
    stored_corrections = store.read(layout)
    if form is OutputFormat.JSON:
        typer.echo(store.as_json(stored_corrections), nl=False)
    elif form is OutputFormat.CSV:
        typer.echo(store.as_csv(stored_corrections), nl=False)
    elif import_file is None:
        for line in _iter_lines(stored_corrections, layout):
            typer.echo(line)


def _iter_lines(stored_corrections: tuple[Correction, ...], layout: Layout) -> Iterator[str]:
    """The corrections of each document, with the value that each replaces, or why it is not applied."""
    from warehouse.store.generations import find_current

    generation = find_current(layout)
    entries = {entry.file.source: entry for entry in generation.read_entries()} if generation else {}
    if not stored_corrections:
        yield "There are no corrections."
    last = ""
    for correction in stored_corrections:
        entry = entries.get(correction.source)
        if correction.source != last:
            last = correction.source
            yield correction.source if entry else f"{correction.source} (no longer in the warehouse)"
        state = f"{_describe_state(correction, entry)}, corrected on {correction.corrected.date().isoformat()}"
        yield f"  {_describe_subject(correction)}: {correction.value}{state}"


def _describe_state(correction: Correction, entry: CatalogEntry | None) -> str:
    if entry is None:
        return ""
    same = [
        applied_correction
        for applied_correction in entry.corrections
        if (applied_correction.field, applied_correction.value, applied_correction.corrected)
        == (correction.field, correction.value, correction.corrected)
    ]
    if not same:
        return " (applied by the next ingest)"
    applied_correction = min(
        same, key=lambda one: abs(one.table - (correction.table.number if correction.table else 0))
    )
    if applied_correction.note:
        return f" (not applied: {applied_correction.note})"
    return f" (was {applied_correction.was or 'unknown'})"
