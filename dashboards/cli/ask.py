"""`kalends ask`."""

from __future__ import annotations

import typer

from dashboards.cli.asking import asking, found_for
from dashboards.cli.options import JsonOption, WarehouseOption, print_json
from dashboards.cli.records import citation_json
from dashboards.cli.search import indented
from warehouse.records import Wanted


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(asking(ask))


def ask(wanted: Wanted, warehouse: WarehouseOption = None, json: JsonOption = False) -> None:
    """Answer with extracts: the best sentences and table rows, word for word, with their sources."""
    from tasks.ask.extracts import extracts

    answer, embedder = found_for(wanted, warehouse)
    hits = answer.hits
    found = extracts(answer.question, hits, embedder)
    if json:
        quotes = [{"text": e.text, "score": e.score, "citation": citation_json(hits[e.hit].citation)} for e in found]
        print_json({"question": wanted.text, "kind": "extracts", "notes": answer.notes, "extracts": quotes})
        return
    for note in answer.notes:
        typer.echo(f"Note: {note}\n")
    if not found:
        typer.echo("The documents do not say.")
        return
    typer.echo("Extracts from the documents, word for word:\n")
    numbers = {hit: number for number, hit in enumerate(dict.fromkeys(e.hit for e in found), 1)}
    for extract in found:
        typer.echo(f"{indented(_quoted(extract.text))} [{numbers[extract.hit]}]\n")
    for hit, number in numbers.items():
        typer.echo(f"[{number}] {hits[hit].citation.formatted_with_link}")


def _quoted(text: str) -> str:
    return text if text.startswith("|") else f"“{' '.join(text.split())}”"
