"""The tool `query_cells`: figures of tables, as lines for a model and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from dashboards.assistant.tools import inputs
from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_spans import DocumentSpan, first_hits_at, format_period, with_row
from dashboards.assistant.tools.request_limits import allowed_documents
from tasks.ask.document_names import NamedDocuments, resolve_documents
from tasks.ask.figures.figure_cells import SCALES, FigureCell, exact
from tasks.ask.figures.figure_query import FigureQuery, parse_figure_query
from tasks.ask.figures.figure_search import NEAR, SURE, FigureMatch, correct_spelling, nearest_labels, search_figures
from tasks.ask.token_budget import BUDGET, clip, fitting_lines, short_quote
from tasks.ask.token_budget import count_tokens as cost
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry

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
    period: Annotated[inputs.Text, Field(description="'Q2 2023' (fiscal where the company's is), '2023-06-30'.")] = "",
    company: Annotated[inputs.Text, Field(description="Whose: its name or symbol, as 'AMCOR'.")] = "",
    documents: inputs.Documents = (),
    count: Annotated[int, Field(ge=1, le=50, description="At most so many figures.")] = 5,
    after: inputs.After = 0,
    tokens: inputs.Tokens = BUDGET,
) -> ToolResult:
    """Look up figures in the tables of all documents by item, time and company: the surest way to a number.

    Each comes with its value in units, currency, period, row, column and place; the best first, without a time the
    newest. IN DOUBT names why a scale or period is not sure: never state such a figure without saying so.
    """
    warehouse = context.warehouse.at()
    named = _documents(warehouse, company, documents)
    asked = parse_figure_query(warehouse, item, period, named.ids, context.today)
    asked = replace(asked, documents=allowed_documents(context, asked.documents))
    fits, notes = _found(warehouse, asked)
    notes = [*(f"Note: {note}." for note in named.notes), *notes]
    chosen = fits[after : after + count]
    if not chosen:
        nothing = f"There are {len(fits)} figures." if fits else _nothing(warehouse, asked)
        return ToolResult("\n".join([*notes, nothing]), data={"figures": [], "count": len(fits), "notes": notes})
    places = [DocumentSpan(fit.figure.document_id, fit.figure.start, fit.figure.end) for fit in chosen]
    hits = [with_row(hit, place) for hit, place in zip(first_hits_at(warehouse, places), places, strict=True)]
    entries = warehouse.snapshot.entries({place.document_id for place in places})
    rows = [
        (fit, entries[fit.figure.document_id], hit.chunk_id if hit else "")
        for fit, hit in zip(chosen, hits, strict=True)
    ]
    lines = [figure_line(number, *row) for number, row in enumerate(rows, after + 1)]
    shown = fitting_lines(lines, tokens - cost("\n".join(notes)) - 80)
    data = {"figures": [figure_data(*row) for row in rows[: len(shown)]], "count": len(fits), "notes": notes}
    cited = {hit.chunk_id: hit for hit in reversed(hits[: len(shown)]) if hit}
    text = "\n".join([*notes, *shown, _end(after + len(shown), len(fits))])
    return ToolResult(text, tuple(cited.values())[::-1], data)


def _found(warehouse: Warehouse, asked: FigureQuery) -> tuple[list[FigureMatch], list[str]]:
    fits, notes = _timely(warehouse, asked)
    spelt = correct_spelling(warehouse, asked) if not fits else None
    if spelt:
        fits, notes = _timely(warehouse, spelt[0])
        read = ", ".join(f"'{word}' as '{other}'" for word, other in spelt[1].items())
        notes = [f"Note: read {read}.", *notes]
    if fits and max(fit.label_score for fit in fits) < SURE:
        notes.append("Note: no row is called just so; these come nearest, and may be of something else.")
    if not asked.documents and asked.names:
        names = " or ".join(map(repr, asked.names[:3]))
        notes.append(f"Note: no document is known by {names}: see whose figures these are.")
    return fits, notes


def _documents(warehouse: Warehouse, company: str, documents: tuple[str, ...]) -> NamedDocuments:
    """The documents named that are of the company; without either none, which stands for all.

    Raises `BadInput` for a name without documents, and where none of the documents is of the company.
    """
    named = resolve_documents(warehouse, documents)
    if not company.strip():
        return named
    own = resolve_documents(warehouse, [company])
    both = tuple(each for each in named.ids if each in own.ids) if named.ids else own.ids
    if not both:
        raise BadInput(f"none of these documents is of '{short_quote(company)}'", "leave company or documents out")
    return NamedDocuments(both, (*named.notes, *own.notes))


def _timely(warehouse: Warehouse, asked: FigureQuery) -> tuple[list[FigureMatch], list[str]]:
    """The figures, the newest where none is of the time, with a note that says so."""
    fits = search_figures(warehouse, asked)
    if not asked.windows or any(fit.time_score >= NEAR for fit in fits):
        return fits, []
    times = " or ".join(f"'{window.text}'" for window in asked.windows)
    others = search_figures(warehouse, replace(asked, windows=()))
    return others, [f"Note: no figure is of {times}; these are the newest."] if others else []


def _nothing(warehouse: Warehouse, asked: FigureQuery) -> str:
    near = nearest_labels(warehouse, asked)
    rows = f" Rows called nearly so: {'; '.join(clip(label, LABEL) for label in near)}." if near else ""
    parts = " A ratio may have to be worked out from its parts." if asked.ratio else ""
    return f"No table has a figure called '{clip(asked.text, LABEL)}'.{rows}{parts} {OTHERWISE}"


def _end(last: int, count: int) -> str:
    more = f"{count - last} more: after={last}. " if last < count else ""
    return f"{more}open_passage(passage=…, whole='table') shows a table."


member = Tool(query_cells)


LABEL_TOKENS = 60
"""Tokens of a label that is shown."""
CAPTION = 100
"""Characters of a caption that are shown, its last: titles come before what is the table's own."""
ALSO = 4


def figure_line(number: int, fit: FigureMatch, entry: CatalogEntry, passage: str) -> str:
    """A figure on two lines: what it is and says, and where it stands."""
    figure = fit.figure
    told = [
        clip(figure.row_header, LABEL_TOKENS),
        clip(" / ".join(part for part in figure.column_header.split(" / ") if part), LABEL_TOKENS),
        format_period(figure.period_start, figure.period_end) or "no time of its own",
        f"IN DOUBT: {figure.doubt}" if figure.doubt else "",
    ]
    report = f"reports {entry.reported_name}" if entry.reported_name else ""
    place = [
        entry.attributes.company or entry.title,
        report,
        entry.file.source,
        f"page {figure.page}" if figure.page is not None else "",
        f"table {figure.table} row {figure.row + 1} column {figure.column + 1}",
        f"“{_tail(figure.caption)}”" if figure.caption else "",
        _also(fit.also),
        f"passage {passage}" if passage else "",
    ]
    said = " | ".join(part for part in told if part)
    return f"[{number}] {value_of(figure)} | {said}\n    {', '.join(part for part in place if part)}"


def value_of(figure: FigureCell) -> str:
    """What the cell says, and its value in units where that is more: "$ 3,642 (3,642,000,000 USD)"."""
    said = " ".join(figure.text.split())
    if figure.value is None:
        return f"{said} (no figure)"
    unit = " ".join(part for part in (figure.currency, figure.unit) if part)
    if figure.scale == 1.0:
        return said if not unit or unit in said or (figure.currency and "$" in said) else f"{said} {unit}"
    scale = SCALES.get(figure.scale, f"× {figure.scale:,.0f}")
    return f"{said} {scale} ({exact(figure.value)}{f' {unit}' if unit else ''})"


def figure_data(fit: FigureMatch, entry: CatalogEntry, passage: str) -> dict[str, Any]:
    """A figure for programs: value in units, period half-open, place."""
    figure = fit.figure
    return {
        "value": figure.value,
        "text": figure.text,
        "unit": figure.unit,
        "scale": figure.scale,
        "currency": figure.currency,
        "doubt": figure.doubt,
        "period_start": figure.period_start.isoformat() if figure.period_start else None,
        "period_end": figure.period_end.isoformat() if figure.period_end else None,
        "row": figure.row_header.split(" / "),
        "column": [part for part in figure.column_header.split(" / ") if part],
        "source": entry.file.source,
        "document_id": figure.document_id,
        "page": figure.page,
        "table": figure.table,
        "place": [figure.row, figure.column],
        "start": figure.start,
        "end": figure.end,
        "passage": passage,
        "also_in_tables": [each.table for each in fit.also],
        "score": round(fit.score, 4),
    }


def _also(others: Sequence[FigureCell]) -> str:
    if not others:
        return ""
    more = f" and {len(others) - ALSO} more" if len(others) > ALSO else ""
    return f"the same in table {', '.join(str(each.table) for each in others[:ALSO])}{more}"


def _tail(caption: str) -> str:
    text = " ".join(caption.split())
    return text if len(text) <= CAPTION else f"… {text[-CAPTION:].partition(' ')[2] or text[-CAPTION:]}"
