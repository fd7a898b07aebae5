"""`kalends search`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, load_settings, print_json
from dashboards.cli.search_options import found_for, with_search_options
from dashboards.cli.text_output import indent_lines, page_boxes
from warehouse.reader import Warehouse
from warehouse.records import Hit, Region, SearchRequest

_WIDTH = 10
"""The names of facts, in characters."""
_LINES, _LINE = 4, 160
"""How much is shown of a passage of which no part stands out: lines, and characters of each."""


@with_search_options
def search(
    request: SearchRequest,
    whole: Annotated[
        bool, typer.Option("--whole", help="Print whole passages, not only the part that answers.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what was understood, and what each score is.")
    ] = False,
    places: Annotated[
        bool, typer.Option("--boxes", help="Say where on its page the part that answers stands.")
    ] = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Find the passages that answer best, each with its citation and the part of it that answers."""
    from dashboards.serializers.finds import search_json
    from tasks.ask.excerpts import with_excerpts
    from tasks.ask.explaining import facts

    found, embedder = found_for(request, warehouse)
    hits = with_excerpts(found.question, found.hits, embedder)
    regions = _regions(Warehouse(load_settings(warehouse).warehouse), hits) if places else []
    if json:
        print_json(search_json(found.question, hits, found.notes, regions))
        return
    for line in (*(_lines(facts(found.question)) if explain else ()), *(f"Note: {note}" for note in found.notes)):
        typer.echo(line)
    if explain or found.notes:
        typer.echo("")
    for number, hit in enumerate(hits):
        _show(number, hit, regions[number] if regions else (), whole=whole, explain=explain)
    if not hits:
        typer.echo("Nothing satisfies these filters." if found.question.filters else "Nothing was found.")


def _lines(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{name:<{_WIDTH}} {words}" for name, words in told)


def _show(number: int, hit: Hit, regions: Sequence[Region], *, whole: bool, explain: bool) -> None:
    from tasks.ask.explaining import also_words, score_words

    typer.echo(f"{number + 1}. {hit.citation.formatted_with_link}")
    for line in (*([f"Score {score_words(hit)}"] if explain else ()), *page_boxes(regions), *also_words(hit)):
        typer.echo(f"   {line}")
    typer.echo(f"\n{indent_lines(_shown(hit, whole=whole))}\n")


def _shown(hit: Hit, *, whole: bool) -> str:
    if whole:
        return hit.text
    return hit.excerpt_text or _head(hit.text)


def _head(text: str) -> str:
    """How a passage begins, of which no part stands out."""
    lines = [line for line in text.splitlines() if line.strip("|-: ") and not line.startswith("[TABLE ")]
    shown = [line if len(line) <= _LINE else f"{line[:_LINE]} …" for line in lines[:_LINES]]
    return "\n".join([*shown, "… (--whole shows all of it)"])


def _regions(warehouse: Warehouse, hits: Sequence[Hit]) -> list[tuple[Region, ...]]:
    """The boxes of what is shown of each hit."""
    return [warehouse.regions(hit.document_id, *(hit.excerpt or (hit.start, hit.end))) for hit in hits]
