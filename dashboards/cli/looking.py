"""`kalends parse` and `kalends chunks`: what the pipeline makes of one file, without a warehouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated

import typer

from dashboards.cli.markdown import markdown
from dashboards.cli.opening import FileArgument, document_in
from dashboards.cli.options import JsonOption, print_json, settings_of
from dashboards.cli.places import boxes
from warehouse.errors import BadInput
from warehouse.records import Block, BlockKind, Chunking, Document, Table


class Unit(StrEnum):
    """What the sizes of chunks count; tokens are the embedder's."""

    CHARACTERS = "characters"
    TOKENS = "tokens"


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command()(parse)
    app.command()(chunks)


def parse(
    file: FileArgument,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    json: JsonOption = False,
) -> None:
    """Show what a file is read as: each block with its page and box [left,top right,bottom, in points], its tables."""
    if as_markdown and json:
        raise BadInput("--markdown and --json exclude each other", "choose one")
    document = document_in(file)
    if json:
        print_json(document)
    elif as_markdown:
        for number, piece in enumerate(markdown(document)):
            typer.echo(f"\n{piece}" if number else piece)
    else:
        _show(document, document.title or file.stem)


def _show(document: Document, title: str) -> None:
    pages = f", {document.non_empty_pages} of {document.total_pages} pages" if document.total_pages else ""
    typer.echo(f"# {title}")
    typer.echo(f"# {document.kind}, {document.media_type}, {document.language}{pages}, {_count_of(document.tables)}")
    for finding in document.findings:
        typer.echo(f"# {finding.code} {finding.name}: {finding.message}")
    for block in document.blocks:
        typer.echo(f"\n-- {', '.join(_about(block))}")
        typer.echo(document.text[block.start : block.end])


def _count_of(tables: Sequence[Table]) -> str:
    """How many tables, in words."""
    return f"{len(tables)} table{'' if len(tables) == 1 else 's'}"


def _about(block: Block) -> Iterator[str]:
    """What a block is and where: "heading 2, page 3 [72,100 540,118]"."""
    yield f"{block.kind} {block.level}" if block.kind is BlockKind.HEADING else str(block.kind)
    if block.page is not None and not block.regions:
        yield f"page {block.page}"
    yield from boxes(block.regions)


def chunks(
    file: FileArgument,
    chunker: Annotated[str, typer.Option(help="The chunker [default: that of the document's kind].")] = "",
    size: Annotated[int | None, typer.Option(min=20, help="The size of a chunk [default: the chunker's].")] = None,
    overlap: Annotated[int | None, typer.Option(min=0, help="What neighbours share [default: the chunker's].")] = None,
    unit: Annotated[Unit | None, typer.Option(help="What sizes count [default: as the chunker's own].")] = None,
    json: JsonOption = False,
) -> None:
    """Show the passages a file is cut into, with their quality and what was found in them."""
    from tasks.single import passages

    asked = Chunking(chunker, size, overlap, unit or "")
    document = document_in(file)
    settings = settings_of(None)
    found = passages(document, file.name, settings, settings.source_of(file), asked)
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
