"""`kalends verify`: whether quotations stand where they are said to stand."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, load_settings, print_json
from dashboards.cli.text_output import indent_lines, page_boxes
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from tasks.ask.claims import Claim
    from tasks.ask.proofs import Proof
    from warehouse.reader import Warehouse

_HIT = re.compile(r"([0-9a-f]+)(?::(\d{1,10})-(\d{1,10}))?")


def verify(
    hit: Annotated[
        str, typer.Argument(help="A hit's chunk_id, with :START-END for a part; - for JSON on standard input.")
    ] = "",
    file: Annotated[Path | None, typer.Option("--file", help="Hits as 'kalends search --json' printed them.")] = None,
    quote: Annotated[str, typer.Option("--quote", help="Words to look for in --document.")] = "",
    document: Annotated[str, typer.Option("--document", help="The source, or the id, of a document.")] = "",
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Open the very files again and read the quoted words from their pages. Exit 1 if any does not stand there."""
    from tasks.ask.proofs import Verdict
    from tasks.ask.proving import prove
    from warehouse.reader import Warehouse

    settings = load_settings(warehouse)
    held = Warehouse(settings.warehouse)
    proofs = prove(held, _claims(held, hit, file, quote, document), settings.parse)
    if json:
        print_json({"proofs": proofs})
    else:
        for number, proof in enumerate(proofs, 1):
            typer.echo(f"{number}. {_told(proof)}")
            for line in _details(proof):
                typer.echo(indent_lines(line))
    if any(proof.verdict is not Verdict.VERIFIED for proof in proofs):
        raise typer.Exit(1)


def _claims(warehouse: Warehouse, hit: str, file: Path | None, quote: str, document: str) -> list[Claim]:
    from tasks.ask.claims import claim_of, claims_in, quoted

    if sum(map(bool, (hit, file, quote))) != 1 or bool(quote) != bool(document):
        raise BadInput("it is not said what to verify", "give a HIT, --file FILE, or --quote TEXT --document SOURCE")
    if quote:
        return quoted(warehouse, quote, document)
    if file is not None or hit == "-":
        return claims_in(warehouse, _text(file))
    found = _HIT.fullmatch(hit)
    if found is None:
        raise BadInput(f"'{hit}' is no hit", "take the chunk_id of a hit of 'kalends search --json'")
    return [claim_of(warehouse, found[1], (int(found[2]), int(found[3])) if found[2] else None)]


def _text(file: Path | None) -> str:
    try:
        return sys.stdin.read() if file is None else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file or 'standard input'} cannot be read ({error})", "check it and try again") from None


_SAYS: dict[str, str] = {
    "verified": "verified",
    "differs": "differs",
    "changed": "the file changed since it was read: run 'kalends ingest'",
    "gone": "the file is gone",
}


def _told(proof: Proof) -> str:
    reordered = ", its words met in another order" if proof.reordered else ""
    reader = f" by its {proof.reader}" if proof.reader == "page boxes" else f", {proof.reader}" if proof.reader else ""
    return f"{_SAYS[proof.verdict]}{reader if proof.verdict == 'verified' else ''}{reordered}: {proof.source}"


def _details(proof: Proof) -> Iterator[str]:
    yield from page_boxes(proof.regions)
    for each in proof.differences:
        where = f" on page {each.page}" if each.page is not None else ""
        yield f"said{where}: {_one_line(each.said)}"
        yield f"found{where}: {_one_line(each.found) or '(nothing)'}"


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())
