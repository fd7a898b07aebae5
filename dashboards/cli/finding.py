"""`kalends search` and `kalends ask`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, print_json, settings_of
from warehouse.errors import BadInput
from warehouse.records import Filters, Found, Hit, Kind, Question, Wanted

if TYPE_CHECKING:
    from tasks.embedders.contract import Embedder

QuestionArgument = Annotated[str, typer.Argument(help="What to look for.")]
CountOption = Annotated[int, typer.Option("--count", "-k", help="How many hits.")]
KindOption = Annotated[list[Kind] | None, typer.Option("--kind", help="Only documents of this kind.")]
RootOption = Annotated[list[str] | None, typer.Option("--root", help="Only documents of this root.")]
SinceOption = Annotated[str | None, typer.Option(help="Only documents dated on or after this day (YYYY-MM-DD).")]
WholeOption = Annotated[bool, typer.Option("--whole", help="Print whole passages, not only the part that answers.")]
UntilOption = Annotated[str | None, typer.Option(help="Only documents dated before this day (YYYY-MM-DD).")]


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command()(search)
    app.command()(ask)


def search(
    question: QuestionArgument,
    count: CountOption = 5,
    kind: KindOption = None,
    root: RootOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    whole: WholeOption = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Find the passages that answer best, each with its citation and the part of it that answers."""
    from tasks.ask.excerpts import with_excerpts

    found, embedder = _find(Wanted(question, _filters(kind, root, since, until), k=count), warehouse)
    asked, hits = found.question, with_excerpts(found.question, found.hits, embedder)
    if json:
        print_json({"question": question, "times": times_json(asked), "hits": [hit_json(hit) for hit in hits]})
        return
    for number, hit in enumerate(hits, 1):
        typer.echo(f"{number}. {hit.citation.formatted_with_link}\n\n{_indented(_shown(hit, whole=whole))}\n")
    if not hits:
        typer.echo("Nothing satisfies these filters." if asked.filters else "Nothing was found.")


def ask(
    question: QuestionArgument,
    count: CountOption = 5,
    kind: KindOption = None,
    root: RootOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Answer with extracts: the best sentences and table rows, word for word, with their sources."""
    from tasks.ask.extracts import extracts

    answer, embedder = _find(Wanted(question, _filters(kind, root, since, until), k=count), warehouse)
    hits = answer.hits
    found = extracts(answer.question, hits, embedder)
    if json:
        quotes = [{"text": e.text, "score": e.score, "citation": hit_json(hits[e.hit])["citation"]} for e in found]
        print_json({"question": question, "kind": "extracts", "extracts": quotes})
        return
    if not found:
        typer.echo("The documents do not say.")
        return
    typer.echo("Extracts from the documents, word for word:\n")
    numbers = {hit: number for number, hit in enumerate(dict.fromkeys(e.hit for e in found), 1)}
    for extract in found:
        typer.echo(f"{_indented(_quoted(extract.text))} [{numbers[extract.hit]}]\n")
    for hit, number in numbers.items():
        typer.echo(f"[{number}] {hits[hit].citation.formatted_with_link}")


def times_json(asked: Question) -> dict[str, Any]:
    """What a question was understood to say of time."""
    from dataclasses import asdict

    return {"windows": [asdict(window) for window in asked.windows], "as_of": asked.as_of, "rest": asked.rest}


def hit_json(hit: Hit) -> dict[str, Any]:
    """A hit with what its citation says of itself."""
    from dataclasses import asdict

    citation = hit.citation
    said = {
        "location": citation.location,
        "formatted": citation.formatted,
        "formatted_with_link": citation.formatted_with_link,
    }
    excerpt = {"start": hit.excerpt[0], "end": hit.excerpt[1], "text": hit.excerpt_text} if hit.excerpt else None
    return {**asdict(hit), "end": hit.end, "excerpt": excerpt, "citation": {**asdict(citation), **said}}


def _shown(hit: Hit, *, whole: bool) -> str:
    if whole:
        return hit.text
    return hit.excerpt_text or "(no part of it comes near the question; --whole shows the passage)"


def _find(wanted: Wanted, folder: Path | None) -> tuple[Found, Embedder]:
    from tasks.ask.finding import find
    from tasks.embedders.choosing import embedder
    from warehouse.reader import Warehouse

    settings = settings_of(folder)
    chosen = embedder(settings.embed.model)
    return find(Warehouse(settings.warehouse), wanted, chosen, datetime.now(UTC).date()), chosen


def _filters(kinds: list[Kind] | None, roots: list[str] | None, since: str | None, until: str | None) -> Filters:
    return Filters(tuple(kinds or ()), tuple(roots or ()), (), _day(since), _day(until))


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise BadInput(f"'{text}' is not a day", "write it as YYYY-MM-DD") from None


def _quoted(text: str) -> str:
    return text if text.startswith("|") else f"“{' '.join(text.split())}”"


def _indented(text: str) -> str:
    return "\n".join(f"   {line}" for line in text.splitlines())
