"""`kalends parse`, `kalends chunks` and `kalends tables`: one file read without a warehouse."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic_core import to_json

from dashboards.cli.options import (
    FileArgument,
    OutputFormat,
    load_settings,
    print_json,
    print_json_lines,
    read_document,
    with_format,
)
from dashboards.cli.text_output import iter_page_boxes, iter_table_lines
from dashboards.serializers.document_markdown import format_pipe_table, iter_markdown
from tasks.quality.phrases import format_count
from warehouse.errors import BadInput
from warehouse.records import Block, BlockKind, Cell, Chunking, Document, Table, Total


class SizeUnit(StrEnum):
    """Unit of the sizes of chunks; tokens are those of the embedder."""

    CHARACTERS = "characters"
    TOKENS = "tokens"


@with_format(OutputFormat.MARKDOWN)
def parse(
    file: FileArgument,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Show the text blocks and tables of a file.

    Each with its page and box there [left,top right,bottom, in points]. No warehouse is needed.
    """
    document = read_document(file)
    if form is OutputFormat.JSON:
        print_json(document)
    elif form is OutputFormat.MARKDOWN:
        for number, piece in enumerate(iter_markdown(document)):
            typer.echo(f"\n{piece}" if number else piece)
    else:
        pages = f", {document.non_empty_pages:,} of {document.total_pages:,} pages" if document.total_pages else ""
        kind = f"{document.kind}, {document.media_type}, {document.language}{pages}"
        typer.echo(f"# {document.title or file.stem}\n# {kind}, {format_count(len(document.tables), 'table')}")
        for finding in document.findings:
            typer.echo(f"# {finding.code} {finding.name}: {finding.message}")
        for block in document.blocks:
            typer.echo(f"\n-- {', '.join(_iter_block_details(block))}\n{document.text[block.start : block.end]}")


def _iter_block_details(block: Block) -> Iterator[str]:
    """Kind and position of a block: "heading 2, page 3 [72,100 540,118]"."""
    yield f"{block.kind} {block.level}" if block.kind is BlockKind.HEADING else str(block.kind)
    if block.page is not None and not block.regions:
        yield f"page {block.page}"
    yield from iter_page_boxes(block.regions)


@with_format(OutputFormat.JSONL)
def chunks(
    file: FileArgument,
    chunker: Annotated[str, typer.Option(help="The chunker [default: that of the document's kind].")] = "",
    size: Annotated[int | None, typer.Option(min=20, help="The size of a chunk [default: the chunker's].")] = None,
    overlap: Annotated[
        int | None, typer.Option(min=0, help="The overlap of neighbouring chunks [default: the chunker's].")
    ] = None,
    unit: Annotated[SizeUnit | None, typer.Option(help="The unit of the sizes [default: the chunker's].")] = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Show the passages that a file is split into.

    Each with its quality and what was found wrong with it. No warehouse is needed.
    """
    from tasks.single_file import score_file

    chunking = Chunking(chunker, size, overlap, unit or "")
    document = read_document(file)
    settings = load_settings(None)
    results = score_file(document, file.name, settings, settings.find_source(file), chunking)
    if form is OutputFormat.JSON:
        print_json(results)
        return
    if form is OutputFormat.JSONL:
        print_json_lines(results)
        return
    for passage in results:
        chunk = passage.chunk
        page = f", page {chunk.page}" if chunk.page is not None else ""
        section = " > ".join(chunk.section)
        place = f"chunk {chunk.chunk_index + 1}{page}"
        typer.echo(f"--- {place}, {chunk.size} characters, quality {passage.quality_score:.2f}")
        typer.echo(f"    {section}\n    {chunk.prefix}" if section else f"    {chunk.prefix}")
        for finding in passage.findings:
            typer.echo(f"    {finding.code} {finding.name}: {finding.message}")
        typer.echo(chunk.headed_text)


@with_format(OutputFormat.CSV, OutputFormat.MARKDOWN)
def tables(
    file: FileArgument,
    form: OutputFormat = OutputFormat.TEXT,
    table: Annotated[int | None, typer.Option("--table", "-t", min=1, help="Only the table with this number.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write table-1.csv, table-2.csv, … into this folder.")
    ] = None,
) -> None:
    """Show the tables of a file, and whether their totals add up.

    Tables that go on over pages are joined. No warehouse is needed.
    """
    if out and form is not OutputFormat.TEXT:
        raise BadInput(f"--out and --format {form} cannot be combined", "leave one of them out")
    document = read_document(file)
    selection = [parsed_table for parsed_table in document.tables if table in (None, parsed_table.number)]
    if table is not None and not selection:
        has = (
            f"the file has {format_count(len(document.tables), 'table')}"
            if document.tables
            else "the file has no tables"
        )
        raise BadInput(f"there is no table {table}", f"{has}; 'kalends tables FILE' shows them")
    if out is not None:
        _write_files(selection, out)
    elif form is OutputFormat.CSV:
        if not selection:
            raise BadInput("the file has no tables", "'kalends parse FILE' shows its text")
        if len(selection) > 1:
            cure = "choose one with --table N, or write all with --out FOLDER"
            raise BadInput(f"the file has {len(selection):,} tables", cure)
        _write_rows(selection[0], sys.stdout)
    elif form is OutputFormat.MARKDOWN:
        titled_tables = (
            f"{selected_table.caption}\n\n{format_pipe_table(selected_table)}".strip() for selected_table in selection
        )
        typer.echo("\n\n".join(titled_tables))
    elif form is OutputFormat.JSON:
        tagged_cells = _find_tagged_cells(document)
        # A list, one table at a time.
        typer.echo("[", nl=False)
        for number, selected_table in enumerate(selection):
            typer.echo(",\n " if number else "\n ", nl=False)
            typer.echo(
                to_json(
                    _serialize_table(selected_table, document, tagged_cells.get(selected_table.number, []))
                ).decode(),
                nl=False,
            )
        typer.echo("\n]" if selection else "]")
    else:
        _show_tables(selection, document)


def _write_files(selection: Sequence[Table], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in selection:
            path = folder / f"table-{table.number}.csv"
            with path.open("w", encoding="utf-8", newline="") as stream:
                _write_rows(table, stream)
            typer.echo(path)
    except OSError as error:
        raise BadInput(f"{folder} cannot be written ({error.strerror})", "choose another folder") from None


def _write_rows(table: Table, stream: Any) -> None:
    """Write the rows as CSV (RFC 4180), with Unix line ends."""
    csv.writer(stream, lineterminator="\n").writerows(table.rows)


def _serialize_table(table: Table, document: Document, tagged_cells: Sequence[Cell]) -> dict[str, Any]:
    """The JSON of a table: boxes in points from the page's top left corner, rows and columns counted from 0.

    `tagged_cells` are its cells whose figure the filer tags as data.
    """
    parts = []
    for part in table.parts:
        box = [round(side, 2) for side in (part.box.x0, part.box.top, part.box.x1, part.box.bottom)]
        parts.append({"page": part.page, "bbox": box, "rows": [part.first_row, part.last_row]})
    return {
        **{name: getattr(table, name) for name in ("number", "caption", "confidence")},
        "parts": parts,
        **{name: getattr(table, name) for name in ("header_rows", "rows", "notes", "merges")},
        "totals": _find_totals(table, document),
        "tagged": tagged_cells,
    }


def _find_tagged_cells(document: Document) -> dict[int, list[Cell]]:
    """The cells whose figure the filer tags as data, by the number of their table."""
    if not document.facts:
        return {}
    from tasks.faults import isolate_document
    from tasks.tables.cells import read_cells
    from tasks.tables.totals import find_totals

    cells_by_table: dict[int, list[Cell]] = {}
    with isolate_document("tables", document.title or "without a title"):
        for cell in read_cells(document, find_totals(document)):
            if cell.concept:
                cells_by_table.setdefault(cell.table, []).append(cell)
    return cells_by_table


def _find_totals(table: Table, document: Document) -> tuple[Total, ...]:
    from tasks.faults import isolate_document
    from tasks.tables.totals import find_table_totals

    with isolate_document("tables", f"{document.title or 'without a title'}, table {table.number}"):
        return tuple(find_table_totals(table, document))


def _show_tables(selection: Sequence[Table], document: Document) -> None:
    tagged_cells = _find_tagged_cells(document)
    for table in selection:
        typer.echo(f"table {table.number}{': ' if table.caption else ''}{table.caption}")
        header = "1 header row" if table.header_rows == 1 else f"{table.header_rows} header rows"
        size = f"{format_count(len(table.rows), 'row')}, {format_count(len(table.rows[0]), 'column')}"
        typer.echo(f"  confidence {table.confidence:.2f}, {header}, {size}")
        for part in table.parts:
            box = part.box
            where = f"[{box.x0:.0f},{box.top:.0f} {box.x1:.0f},{box.bottom:.0f}]"
            typer.echo(f"  page {part.page} {where}, rows {part.first_row} to {part.last_row}")
        table_cells = tagged_cells.get(table.number, [])
        totals = _iter_total_lines(table, _find_totals(table, document))
        for line in (*iter_table_lines(table, 2), *table.notes, *totals, *_iter_tag_lines(table_cells)):
            typer.echo(f"  {line}")
        typer.echo("")
    if not selection:
        typer.echo("no tables")


def _iter_tag_lines(cells: Sequence[Cell]) -> Iterator[str]:
    """Lines that say how many figures the filer tags, and which of them the table prints otherwise."""
    if cells:
        yield f"{format_count(len(cells), 'figure')} tagged by the filer ('--json' has their values and concepts)"
    for cell in cells:
        if cell.doubt:
            yield f"tagged otherwise: {cell.text}, row {cell.row}, column {cell.column} ({cell.concept}): {cell.doubt}"


def _iter_total_lines(table: Table, totals: Sequence[Total]) -> Iterator[str]:
    """Lines that say whether the totals add up, and which do not."""
    if not totals:
        return
    wrong_totals = [total for total in totals if not total.adds_up]
    outcome = f"{len(wrong_totals):,} do not add up" if wrong_totals else "all add up"
    yield f"{format_count(len(totals), 'total')} checked, {outcome}"
    for total in wrong_totals:
        stated_text = table.rows[total.row][total.column]
        where = f"{total.label or 'total'}, row {total.row}, column {total.column}"
        parts = ", ".join(map(str, (*total.parts, *(-part for part in total.less))))
        yield f"does not add up: {where}: {stated_text} is stated, {total.of} {parts} make {total.computed:,.10g}"
