"""`kalends parse` and `kalends chunks`: what the pipeline makes of one file, without a warehouse."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from dashboards.cli.options import JsonOption, print_json, settings_of
from warehouse.errors import BadInput
from warehouse.records import Document

FileArgument = Annotated[Path, typer.Argument(help="The file.")]


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command()(parse)
    app.command()(chunks)


def parse(file: FileArgument, json: JsonOption = False) -> None:
    """Show what a file is read as: its text, blocks and tables."""
    document = _read(file)
    if json:
        print_json(document)
        return
    pages = f", {document.non_empty_pages} of {document.total_pages} pages" if document.total_pages else ""
    typer.echo(f"# {document.title or file.stem}", nl=True)
    typer.echo(f"# {document.kind}, {document.media_type}, {document.language}{pages}, {len(document.tables)} tables\n")
    for finding in document.findings:
        typer.echo(f"# {finding.code} {finding.name}: {finding.message}")
    typer.echo(document.text)


def chunks(file: FileArgument, json: JsonOption = False) -> None:
    """Show the passages a file is cut into, with their quality and what was found in them."""
    from tasks.single import passages

    modified = datetime.fromtimestamp(file.stat().st_mtime, UTC).date() if file.exists() else datetime.now(UTC).date()
    settings = settings_of(None)
    found = passages(_read(file), file.name, modified, settings)
    if json:
        print_json(found)
        return
    for passage in found:
        chunk = passage.chunk
        page = f", page {chunk.page}" if chunk.page is not None else ""
        section = " > ".join(chunk.section)
        typer.echo(
            f"--- chunk {chunk.chunk_index + 1}{page}, {chunk.size} characters, quality {passage.quality_score:.2f}"
        )
        typer.echo(f"    {section}\n    {chunk.prefix}" if section else f"    {chunk.prefix}")
        for finding in passage.findings:
            typer.echo(f"    {finding.code} {finding.name}: {finding.message}")
        typer.echo(chunk.text)


def _read(file: Path) -> Document:
    from tasks.parsers.contract import Raw
    from tasks.parsers.reading import read

    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file} cannot be opened ({error.strerror})", "check the path and its permissions") from None
    return read(Raw(file.name, data))
