"""Figures of tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from dashboards.assistant.tools import inputs as w
from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.tools.request_limits import limited
from dashboards.tooling.figures.asked import Asked, asked_for
from dashboards.tooling.figures.drawing import as_data, line
from dashboards.tooling.figures.finding import NEAR, SURE, Fit, called_nearly, found, respelt
from dashboards.tooling.passages import Place, first_hits_at, with_row
from tasks.ask.document_names import NamedDocuments, resolved_documents
from tasks.ask.token_budget import BUDGET, clipped, fitting, said
from tasks.ask.token_budget import tokens as cost
from warehouse.errors import BadInput
from warehouse.reader import Warehouse

OTHERWISE = "Ask in the words of the documents, or use search."
LABEL = 30
"""Tokens of a row's name that is offered."""


def query_cells(
    context: ToolContext,
    item: Annotated[
        str,
        Field(
            min_length=1,
            max_length=300,
            description="The row, as 'total assets'; may name segment, column, time and company: "
            "'revenue Q2 2023 AMCOR'.",
        ),
    ],
    period: Annotated[w.Text, Field(description="'Q2 2023' (fiscal where the company's is), '2023-06-30'.")] = "",
    company: Annotated[w.Text, Field(description="Whose: its name or symbol, as 'AMCOR'.")] = "",
    documents: w.Documents = (),
    count: Annotated[int, Field(ge=1, le=50, description="At most so many figures.")] = 5,
    after: w.After = 0,
    tokens: w.Tokens = BUDGET,
) -> ToolResult:
    """Look up figures in the tables of all documents by item, time and company: the surest way to a number.

    Each comes with its value in units, currency, period, row, column and place; the best first, without a time the
    newest. IN DOUBT names why a scale or period is not sure: never state such a figure without saying so.
    """
    warehouse = context.warehouse.at()
    named = _documents(warehouse, company, documents)
    asked = asked_for(warehouse, item, period, named.ids, context.today)
    asked = replace(asked, documents=limited(context, asked.documents))
    fits, notes = _found(warehouse, asked)
    notes = [*(f"Note: {note}." for note in named.notes), *notes]
    chosen = fits[after : after + count]
    if not chosen:
        nothing = f"There are {len(fits)} figures." if fits else _nothing(warehouse, asked)
        return ToolResult("\n".join([*notes, nothing]), data={"figures": [], "count": len(fits), "notes": notes})
    places = [Place(fit.figure.document_id, fit.figure.start, fit.figure.end) for fit in chosen]
    hits = [with_row(hit, place) for hit, place in zip(first_hits_at(warehouse, places), places, strict=True)]
    entries = warehouse.snapshot.entries({place.document_id for place in places})
    rows = [
        (fit, entries[fit.figure.document_id], hit.chunk_id if hit else "")
        for fit, hit in zip(chosen, hits, strict=True)
    ]
    lines = [line(number, *row) for number, row in enumerate(rows, after + 1)]
    shown = fitting(lines, tokens - cost("\n".join(notes)) - 80)
    data = {"figures": [as_data(*row) for row in rows[: len(shown)]], "count": len(fits), "notes": notes}
    cited = {hit.chunk_id: hit for hit in reversed(hits[: len(shown)]) if hit}
    text = "\n".join([*notes, *shown, _end(after + len(shown), len(fits))])
    return ToolResult(text, tuple(cited.values())[::-1], data)


def _found(warehouse: Warehouse, asked: Asked) -> tuple[list[Fit], list[str]]:
    fits, notes = _timely(warehouse, asked)
    spelt = respelt(warehouse, asked) if not fits else None
    if spelt:
        fits, notes = _timely(warehouse, spelt[0])
        read = ", ".join(f"'{word}' as '{other}'" for word, other in spelt[1].items())
        notes = [f"Note: read {read}.", *notes]
    if fits and max(fit.called for fit in fits) < SURE:
        notes.append("Note: no row is called just so; these come nearest, and may be of something else.")
    if not asked.documents and asked.names:
        names = " or ".join(map(repr, asked.names[:3]))
        notes.append(f"Note: no document is known by {names}: see whose figures these are.")
    return fits, notes


def _documents(warehouse: Warehouse, company: str, documents: tuple[str, ...]) -> NamedDocuments:
    """The documents named that are of the company; without either none, which stands for all.

    Raises `BadInput` for a name without documents, and where none of the documents is of the company.
    """
    named = resolved_documents(warehouse, documents)
    if not company.strip():
        return named
    own = resolved_documents(warehouse, [company])
    both = tuple(each for each in named.ids if each in own.ids) if named.ids else own.ids
    if not both:
        raise BadInput(f"none of these documents is of '{said(company)}'", "leave company or documents out")
    return NamedDocuments(both, (*named.notes, *own.notes))


def _timely(warehouse: Warehouse, asked: Asked) -> tuple[list[Fit], list[str]]:
    """The figures, the newest where none is of the time, with a note that says so."""
    fits = found(warehouse, asked)
    if not asked.windows or any(fit.timed >= NEAR for fit in fits):
        return fits, []
    times = " or ".join(f"'{window.text}'" for window in asked.windows)
    others = found(warehouse, replace(asked, windows=()))
    return others, [f"Note: no figure is of {times}; these are the newest."] if others else []


def _nothing(warehouse: Warehouse, asked: Asked) -> str:
    near = called_nearly(warehouse, asked)
    rows = f" Rows called nearly so: {'; '.join(clipped(label, LABEL) for label in near)}." if near else ""
    parts = " A ratio may have to be worked out from its parts." if asked.ratio else ""
    return f"No table has a figure called '{clipped(asked.text, LABEL)}'.{rows}{parts} {OTHERWISE}"


def _end(last: int, count: int) -> str:
    more = f"{count - last} more: after={last}. " if last < count else ""
    return f"{more}open_passage(passage=…, whole='table') shows a table."


member = Tool(query_cells)
