"""`kalends search` and `kalends verify`: passages with citations, and quotations compared with the files themselves."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import (
    ROWS,
    OutputFormat,
    WarehouseOption,
    load_settings,
    print_json,
    print_json_lines,
    print_rows,
    with_format,
)
from dashboards.cli.search_options import load_context, with_resolved_names, with_search_options
from dashboards.cli.text_output import (
    format_citation_heading,
    format_citation_source,
    format_passage,
    indent_lines,
    iter_page_boxes,
)
from warehouse.errors import BadInput
from warehouse.records import Hit, Region, SearchRequest
from warehouse.regular_files import require_regular_file
from warehouse.table_notation import is_marker

if TYPE_CHECKING:
    from tasks.verify.claims import Proof, QuoteClaim
    from warehouse.reader import Warehouse


_WIDTH = 10  # Width of the names of facts in `--explain`, in characters.
_LINES, _LINE = 4, 160  # Lines shown of a passage without an excerpt, and characters of each line.
_HIT = re.compile(r"([0-9a-f]+)(?::(\d{1,10})-(\d{1,10}))?")
_SAYS: dict[str, str] = {
    "verified": "verified",
    "differs": "differs",
    "changed": "the file changed since it was read: run 'kalends ingest'",
    "gone": "the file is missing",
}


@with_format(*ROWS)
@with_search_options
def search(
    request: SearchRequest,
    whole: Annotated[
        bool, typer.Option("--whole", help="Print whole passages, not only the part that answers.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print how the question was understood and how each hit was scored.")
    ] = False,
    places: Annotated[
        bool, typer.Option("--boxes", help="Print the position on the page of the part that answers.")
    ] = False,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Find the passages that answer a question best.

    Each is printed with its title, page and day, the part of it that answers, and its file. Filters leave passages out;
    the times, names and titles in the question only change their order.
    """
    from dashboards.serializers.search_results import serialize_search
    from tasks.ask.excerpts import with_excerpts
    from tasks.ask.explanations import iter_question_facts
    from tasks.query.retrieval import find

    context = load_context(warehouse)
    reader, embedder = context.warehouse, context.embedder
    result = find(reader, with_resolved_names(reader, request), embedder, context.today, context.settings.rerank)
    hits = with_excerpts(result.question, result.hits, embedder)
    spans = ((hit.document_id, *(hit.excerpt or (hit.start, hit.end))) for hit in hits if places)
    regions = [reader.read_regions(*span) for span in spans]
    if form is OutputFormat.JSON:
        print_json(serialize_search(result.question, hits, result.notes, regions))
        return
    if form is not OutputFormat.TEXT:
        for note in result.notes:
            typer.echo(f"note: {note}", err=True)
        _print_hits(hits, form)
        return
    for name, words in iter_question_facts(result.question) if explain else ():
        typer.echo(f"{name:<{_WIDTH}} {words}")
    for note in result.notes:
        typer.echo(f"Note: {note}")
    if explain or result.notes:
        typer.echo("")
    for number, hit in enumerate(hits):
        _print_hit(number, hit, regions[number] if regions else (), whole=whole, explain=explain)
    if not hits:
        typer.echo("No passage satisfies these filters." if result.question.filters else "No passage was found.")


def _print_hits(hits: Sequence[Hit], form: OutputFormat) -> None:
    """Print hits for programs: a JSON object or a row of CSV for each, or Markdown to quote them in a note."""
    from dashboards.serializers.search_results import HIT_COLUMNS, build_hit_row, format_hits_markdown, serialize_hit

    if form is OutputFormat.JSONL:
        print_json_lines(map(serialize_hit, hits))
    elif form is OutputFormat.CSV:
        rows = [build_hit_row(place, hit) for place, hit in enumerate(hits, 1)]
        print_rows(form, HIT_COLUMNS, [[row[name] for name in HIT_COLUMNS] for row in rows])
    elif hits:
        typer.echo(format_hits_markdown(hits))


def _print_hit(number: int, hit: Hit, regions: Sequence[Region], *, whole: bool, explain: bool) -> None:
    from tasks.ask.explanations import format_score, iter_hit_notes

    typer.echo(format_citation_heading(f"{number + 1}.", hit.citation))
    scores = [f"Score {format_score(hit)}", hit.citation.formatted] if explain else []
    for line in (*scores, *iter_page_boxes(regions), *iter_hit_notes(hit)):
        typer.echo(f"   {line}")
    text = hit.headed_text if whole else hit.headed_excerpt
    if not text and not whole:
        # The beginning of a passage that has no excerpt.
        lines = [line for line in hit.headed_text.splitlines() if line.strip("|-: ") and not is_marker(line)]
        beginning = [line if len(line) <= _LINE else f"{line[:_LINE]} …" for line in lines[:_LINES]]
        text = "\n".join([*beginning, "… (--whole shows all of it)"])
    first, _, other_lines = text.partition("\n")
    if other_lines.strip() and hit.citation.section and first.lstrip("# ").rstrip() == hit.citation.section[-1]:
        # The section is already printed above.
        text = other_lines.lstrip("\n")
    typer.echo(f"\n{format_passage(text)}\n\n{format_citation_source(hit.citation)}\n")


@with_format()
def verify(
    hit: Annotated[
        str,
        typer.Argument(
            help="The chunk_id of a hit, with :START-END for a part of it; - reads JSON from standard input."
        ),
    ] = "",
    file: Annotated[
        Path | None, typer.Option("--file", help="A file of hits, as 'kalends search --json' prints them.")
    ] = None,
    quote: Annotated[str, typer.Option("--quote", help="A quotation to look for in --document.")] = "",
    document: Annotated[str, typer.Option("--document", help="The source or id of a document.")] = "",
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Check that quoted words are on the pages of their files.

    The files are opened again and read by another reader. Exit code 1: a quotation is not there.
    """
    from tasks.verify.claims import ProofVerdict
    from tasks.verify.quote_verification import verify_claims
    from warehouse.reader import Warehouse

    settings = load_settings(warehouse)
    reader = Warehouse(settings.warehouse)
    proofs = verify_claims(reader, _read_claims(reader, hit, file, quote, document), settings.parse)
    if form is OutputFormat.JSON:
        print_json({"proofs": proofs})
    else:
        for number, proof in enumerate(proofs, 1):
            typer.echo(f"{number}. {_format_verdict(proof)}")
            for line in _iter_details(proof):
                typer.echo(indent_lines(line))
    if any(proof.verdict is not ProofVerdict.VERIFIED for proof in proofs):
        raise typer.Exit(1)


def _read_claims(warehouse: Warehouse, hit: str, file: Path | None, quote: str, document: str) -> list[QuoteClaim]:
    from tasks.verify.claims import make_passage_claim, make_quotation_claims, read_claims

    if sum(map(bool, (hit, file, quote))) != 1 or bool(quote) != bool(document):
        raise BadInput("there is nothing to verify", "give a HIT, --file FILE, or --quote TEXT --document SOURCE")
    if quote:
        return make_quotation_claims(warehouse, quote, document)
    if file is not None or hit == "-":
        try:
            text = sys.stdin.read() if file is None else require_regular_file(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            problem = f"{file or 'standard input'} cannot be read ({reason})"
            raise BadInput(problem, "check the path and try again") from None
        return read_claims(warehouse, text)
    match = _HIT.fullmatch(hit)
    if match is None:
        raise BadInput(f"'{hit}' is not the id of a hit", "give the chunk_id of a hit of 'kalends search --json'")
    return [make_passage_claim(warehouse, match[1], (int(match[2]), int(match[3])) if match[2] else None)]


def _format_verdict(proof: Proof) -> str:
    reordered = ", with its words in another order" if proof.reordered else ""
    reader = f" by its {proof.reader}" if proof.reader == "page boxes" else f", {proof.reader}" if proof.reader else ""
    return f"{_SAYS[proof.verdict]}{reader if proof.verdict == 'verified' else ''}{reordered}: {proof.source}"


def _iter_details(proof: Proof) -> Iterator[str]:
    yield from iter_page_boxes(proof.regions)
    for difference in proof.differences:
        where = f" on page {difference.page}" if difference.page is not None else ""
        yield f"quoted{where}: {' '.join(difference.said.split())}"
        yield f"found{where}: {' '.join(difference.found.split()) or '(nothing)'}"
