"""The tool `query_cells`: figures of tables, as lines for a model and as data."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from dashboards.assistant.tools.contract import After, Name, Text, Tokens, Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_spans import find_row_hits, format_period
from dashboards.assistant.tools.request_limits import select_allowed_documents
from tasks.ask.figures.figure_cells import SCALES, FigureCell, format_exact
from tasks.ask.figures.figure_query import FigureQuery, parse_figure_query
from tasks.ask.figures.figure_search import (
    MIN_NAME_SCORE,
    MIN_TIME_SCORE,
    FigureMatch,
    correct_spelling,
    find_nearest_labels,
    search_figures,
)
from tasks.query.filter_values import NamedDocuments, resolve_documents
from tasks.token_budget import DEFAULT_BUDGET, clip, count_tokens, shorten_quote, take_fitting_lines
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, get_page_unit

OTHERWISE = "Ask in the words of the documents, or use search."
LABEL = 30  # Tokens of a row's label that is offered in place of an unknown item.


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
    period: Annotated[Text, Field(description="'Q2 2023' (fiscal where the company's is), '2023-06-30'.")] = "",
    company: Annotated[Text, Field(description="Whose: its name or symbol, as 'AMCOR'.")] = "",
    documents: Annotated[
        tuple[Name, ...], Field(max_length=50, description="Only these: sources, ids, titles or companies.")
    ] = (),
    count: Annotated[int, Field(ge=1, le=50, description="At most so many figures.")] = 5,
    after: After = 0,
    tokens: Tokens = DEFAULT_BUDGET,
) -> ToolResult:
    """Look up figures in the tables of all documents by item, time and company: the surest way to a number.

    Each comes with its value in units, currency, period, row, column and place; the best first, without a time the
    newest. IN DOUBT names why a scale or period is not sure: never state such a figure without saying so. What a filer
    tags has its exact value, with the sign of the concept: payments are positive.
    """
    warehouse = context.warehouse.pin_generation()
    named_documents = _resolve_documents(warehouse, company, documents)
    query = parse_figure_query(warehouse, item, period, named_documents.ids, context.today)
    query = replace(query, documents=select_allowed_documents(context, query.documents))
    matches, notes = _search_with_corrections(warehouse, query)
    notes = [*(f"Note: {note}." for note in named_documents.notes), *notes]
    page = matches[after : after + count]
    if not page:
        nothing = f"There are {len(matches)} figures." if matches else _describe_no_match(warehouse, query)
        return ToolResult("\n".join([*notes, nothing]), data={"figures": [], "count": len(matches), "notes": notes})
    hits = find_row_hits(warehouse, [match.figure for match in page])
    entries = warehouse.snapshot.read_entries({match.figure.document_id for match in page})
    rows = [
        (match, entries[match.figure.document_id], hit.chunk_id if hit else "")
        for match, hit in zip(page, hits, strict=True)
    ]
    lines = [_format_figure(number, *row) for number, row in enumerate(rows, after + 1)]
    lines_shown = take_fitting_lines(lines, tokens - count_tokens("\n".join(notes)) - 80)
    last = after + len(lines_shown)
    more = f"{len(matches) - last} more: after={last}. " if last < len(matches) else ""
    data = {
        "figures": [_serialize_figure(*row) for row in rows[: len(lines_shown)]],
        "count": len(matches),
        "notes": notes,
    }
    hits_by_id = {hit.chunk_id: hit for hit in reversed(hits[: len(lines_shown)]) if hit}
    text = "\n".join([*notes, *lines_shown, f"{more}open_passage(passage=…, whole='table') shows a table."])
    return ToolResult(text, tuple(hits_by_id.values())[::-1], data)


def _search_with_corrections(warehouse: Warehouse, query: FigureQuery) -> tuple[list[FigureMatch], list[str]]:
    matches, notes = _search_in_time(warehouse, query)
    corrected_query = correct_spelling(warehouse, query) if not matches else None
    if corrected_query:
        matches, notes = _search_in_time(warehouse, corrected_query[0])
        corrections = ", ".join(f"'{word}' as '{other}'" for word, other in corrected_query[1].items())
        notes = [f"Note: read {corrections}.", *notes]
    if matches and max(match.label_score for match in matches) < MIN_NAME_SCORE:
        notes.append("Note: no row is called just so; these come nearest, and may be of something else.")
    if not query.documents and query.names:
        names = " or ".join(map(repr, query.names[:3]))
        notes.append(f"Note: no document is known by {names}: see whose figures these are.")
    return matches, notes


def _resolve_documents(warehouse: Warehouse, company: str, documents: tuple[str, ...]) -> NamedDocuments:
    """The named documents of the company. Without names and company the result is empty, which means all documents.

    Raises `BadInput` for a name without documents, and where none of the documents is of the company.
    """
    named_documents = resolve_documents(warehouse, documents)
    if not company.strip():
        return named_documents
    company_documents = resolve_documents(warehouse, [company])
    both = tuple(
        document_id
        for document_id in named_documents.ids or company_documents.ids
        if document_id in company_documents.ids
    )
    if not both:
        raise BadInput(f"none of these documents is of '{shorten_quote(company)}'", "leave company or documents out")
    return NamedDocuments(both, (*named_documents.notes, *company_documents.notes))


def _search_in_time(warehouse: Warehouse, query: FigureQuery) -> tuple[list[FigureMatch], list[str]]:
    """The figures, the newest where none is of the time, with a note that says so."""
    matches = search_figures(warehouse, query)
    if not query.windows or any(match.time_score >= MIN_TIME_SCORE for match in matches):
        return matches, []
    times = " or ".join(f"'{window.text}'" for window in query.windows)
    other_matches = search_figures(warehouse, replace(query, windows=()))
    return other_matches, [f"Note: no figure is of {times}; these are the newest."] if other_matches else []


def _describe_no_match(warehouse: Warehouse, query: FigureQuery) -> str:
    labels = find_nearest_labels(warehouse, query)
    rows = f" Rows called nearly so: {'; '.join(clip(label, LABEL) for label in labels)}." if labels else ""
    parts = " A ratio may have to be worked out from its parts." if query.ratio else ""
    return f"No table has a figure called '{clip(query.text, LABEL)}'.{rows}{parts} {OTHERWISE}"


LABEL_TOKENS = 60  # Tokens of a label that is shown.
CAPTION = 100  # Characters of a caption that are shown, its last ones: page titles come before the table's own caption.
MAX_OTHER_TABLES = 4  # Tables that are named for showing the same figure.


def _format_figure(number: int, match: FigureMatch, entry: CatalogEntry, passage: str) -> str:
    """A figure on two lines: its value with row, column and period, then its place."""
    figure = match.figure
    facts = [
        _format_value(figure),
        clip(figure.row_header, LABEL_TOKENS),
        clip(" / ".join(filter(None, figure.column_header.split(" / "))), LABEL_TOKENS),
        format_period(figure.period_start, figure.period_end) or "no time of its own",
        f"tagged by the filer as {figure.concept}" if figure.concept else "",
        f"IN DOUBT: {figure.doubt}" if figure.doubt else "",
    ]
    caption = " ".join(figure.caption.split())
    if len(caption) > CAPTION:
        caption = f"… {caption[-CAPTION:].partition(' ')[2] or caption[-CAPTION:]}"
    also = ", ".join(str(cell.table) for cell in match.also[:MAX_OTHER_TABLES])
    more = f" and {len(match.also) - MAX_OTHER_TABLES} more" if len(match.also) > MAX_OTHER_TABLES else ""
    place = [
        entry.attributes.company or entry.title,
        f"reports {entry.reported_name}" if entry.reported_name else "",
        entry.file.source,
        f"{get_page_unit(entry.media_type)} {figure.page}" if figure.page is not None else "",
        f"table {figure.table} row {figure.row + 1} column {figure.column + 1}",
        f"“{caption}”" if figure.caption else "",
        f"the same in table {also}{more}" if also else "",
        f"passage {passage}" if passage else "",
    ]
    return f"[{number}] {' | '.join(filter(None, facts))}\n    {', '.join(filter(None, place))}"


def _format_value(figure: FigureCell) -> str:
    """The cell's text, and its value in units where the cell has a scale: "$ 3,642 million (3,642,000,000 USD)"."""
    cell_text = " ".join(figure.text.split())
    if figure.value is None:
        return f"{cell_text} (no figure)"
    unit = " ".join(filter(None, (figure.currency, figure.unit)))
    if figure.scale == 1.0:
        has_unit = not unit or unit in cell_text or (figure.currency and "$" in cell_text)
        return cell_text if has_unit else f"{cell_text} {unit}"
    scale = SCALES.get(figure.scale, f"× {figure.scale:,.0f}")
    return f"{cell_text} {scale} ({format_exact(figure.value)}{f' {unit}' if unit else ''})"


def _serialize_figure(match: FigureMatch, entry: CatalogEntry, passage: str) -> dict[str, Any]:
    """A figure for programs: value in units, period half-open, place."""
    figure = match.figure
    return {
        **{name: getattr(figure, name) for name in ("value", "text", "unit", "scale", "currency", "doubt", "concept")},
        "period_start": figure.period_start.isoformat() if figure.period_start else None,
        "period_end": figure.period_end.isoformat() if figure.period_end else None,
        "row": figure.row_header.split(" / "),
        "column": list(filter(None, figure.column_header.split(" / "))),
        "source": entry.file.source,
        **{name: getattr(figure, name) for name in ("document_id", "page", "table")},
        "place": [figure.row, figure.column],
        "start": figure.start,
        "end": figure.end,
        "passage": passage,
        "also_in_tables": [cell.table for cell in match.also],
        "score": round(match.score, 4),
    }


member = Tool(query_cells)
