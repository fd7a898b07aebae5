"""Answers without a language model: quotations from the documents, with their sources.

Table rows with the figure that a question asks for come from a search of table cells, sentences and further rows from
the passages found. Quotations that answer surely are the answer; else the nearest passages are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dashboards.assistant.answer_types import (
    Answer,
    AnswerKind,
    AnswerProgress,
    AnswerSource,
    ExtractsStatus,
    Tell,
    TextPiece,
)
from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.document_spans import DocumentSpan, first_hits_at, with_row
from dashboards.assistant.tools.request_limits import allowed_documents
from tasks.ask.asking import without_frame
from tasks.ask.certainty import ALSO, AnswerType, answer_type, is_answered
from tasks.ask.extracts import Extract, RowFit, extracts, quoted_spans
from tasks.ask.figures.figure_cells import SCALES, FigureCell
from tasks.ask.figures.figure_query import parse_figure_query
from tasks.ask.figures.figure_search import FigureMatch, search_figures
from tasks.ask.finding import find
from tasks.ask.pieces import pieces
from tasks.embedders.contract import question_vector
from tasks.parsers.language import language_of
from warehouse.errors import BadInput
from warehouse.records import Filters, Found, Hit, SearchRequest

MOST_ROWS = 3
"""Rows that are looked at: further ones are seldom what was asked for."""
_NO_FIGURE = re.compile(
    r"\W*(?:and |but |so )?(?:why|who|whose|where|when)\b|.*(?:为什么|为何|谁|哪里|何时)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A row: its passage, whose excerpt it is, the quotation of its table's head and itself, and how well it fits."""

    hit: Hit
    text: str
    fit: RowFit


def figure_rows(context: ToolContext, wanted: SearchRequest) -> list[FigureRow]:
    """The rows that may have the figure, best first. None where no figure is asked for, or of whom nothing is held."""
    wordy = answer_type(wanted.text) in (AnswerType.REASON, AnswerType.MEANING, AnswerType.NAME)
    if _demands_of_passages(wanted.filters) or wordy or _NO_FIGURE.match(wanted.text):
        return []
    warehouse = context.warehouse.at()
    try:
        asked = parse_figure_query(warehouse, without_frame(wanted.text), "", (), context.today)
        inside = allowed_documents(replace(context, within=wanted.filters), asked.documents)
    except BadInput:
        return []
    rows = _rows(search_figures(warehouse, replace(asked, documents=inside)))
    places = [DocumentSpan(fit.figure.document_id, fit.figure.start, fit.figure.end) for fit in rows[:MOST_ROWS]]
    hits = [with_row(hit, place) for hit, place in zip(first_hits_at(warehouse, places), places, strict=True)]
    made = []
    for fit, hit in zip(rows[:MOST_ROWS], hits, strict=True):
        others = [row.score for row in rows if row is not fit]
        margin = fit.score - max(others, default=0.0)
        timed = fit.time_score if asked.windows else 0.5
        lead = _lead(hit, fit.score, RowFit(fit.label_score, timed, margin, row_scale(fit.figure))) if hit else None
        made += [lead] if lead else []
    return made


def _demands_of_passages(filters: Filters) -> bool:
    """Whether filters demand something of a passage, which a lookup of figures in documents does not see."""
    return bool(set(filters.of_passages) - ({"tables"} if filters.tables else set()))


def _rows(fits: Sequence[FigureMatch]) -> list[FigureMatch]:
    """The best cell of each row, in order."""
    best: dict[tuple[str, int, int], FigureMatch] = {}
    for fit in fits:
        best.setdefault((fit.figure.document_id, fit.figure.table, fit.figure.row), fit)
    return list(best.values())


def _lead(hit: Hit, score: float, fit: RowFit) -> FigureRow | None:
    start, end = hit.excerpt or (hit.start, hit.start)
    row = hit.text[start - hit.start : end - hit.start]
    text = next((piece.text for piece in pieces(hit, 0) if piece.header and piece.text.endswith(row)), "")
    if not row or not text:
        return None
    known = replace(hit, score=score, citation=replace(hit.citation, relevance=score))
    return FigureRow(known, text, replace(fit, scale="" if _names_scale(text, fit.scale) else fit.scale))


def row_scale(figure: FigureCell) -> str:
    """What the figures of a row are in: "in millions of USD"; nothing where they are as they are printed.

    A figure whose scale or period is not sure says that instead.
    """
    if figure.doubt:
        return f"in doubt ({figure.doubt})"
    scale = SCALES.get(figure.scale, "")
    if not scale or figure.unit:
        return ""
    plural = f"{scale}s" if scale.isascii() else scale
    return f"in {plural} of {figure.currency}" if figure.currency else f"in {plural}"


def _names_scale(text: str, scale: str) -> bool:
    word = scale.partition(" ")[2].partition(" ")[0].rstrip("s")
    return not word or word in text.lower()


MOST_QUOTATIONS = 3
"""Quotations that an answer consists of, and passages that are listed where nothing answers surely."""
LISTED = 8
"""Quotations that the nearest passages are taken from."""


@dataclass(frozen=True, slots=True)
class PassageQuotations:
    """The quotations, best first, and the passages that they are from by number.

    The passages are the hits in their order, after them those of figures where they are none of them. `absence` says
    what no document is about, where the answer is that.
    """

    hits: tuple[Hit, ...]
    extracts: tuple[Extract, ...]
    extracts_status: ExtractsStatus = ExtractsStatus.ANSWER
    absence: str = ""


def select_quotations(context: ToolContext, wanted: SearchRequest, found: Found) -> PassageQuotations:
    """The best of what was found for a question: the answer where it is sure, else what is nearest.

    Nothing is denied to a question in another language than English and Chinese: in German each noun has a capital,
    so its words for revenue and year would be taken for names that no document has.
    """
    absence = context.warehouse.absence(found.question)
    if absence and language_of(found.question.text) != "und":
        return PassageQuotations(tuple(found.hits), (), ExtractsStatus.ABSENT, absence)
    hits, best = quotation_candidates(context, wanted, found, LISTED)
    named = [each for each in best if each.signs.names > 0][:MOST_QUOTATIONS]
    known = not context.warehouse.unknown_names(found.question)
    if known and is_answered([each.score for each in named]):
        return _of(found.hits, hits, [each for each in named if each.score >= ALSO], ExtractsStatus.ANSWER)
    return _of(found.hits, hits, _nearest(best), ExtractsStatus.NEAREST if best else ExtractsStatus.ABSENT)


def _of(
    found: Sequence[Hit], hits: Sequence[Hit], best: Sequence[Extract], extracts_status: ExtractsStatus
) -> PassageQuotations:
    """The quotations with the passages found, and of those beside them the ones that are quoted."""
    beside = dict.fromkeys(each.hit for each in best if each.hit >= len(found))
    places = {old: new for new, old in enumerate([*range(len(found)), *beside])}
    return PassageQuotations(
        tuple(hits[old] for old in places), tuple(replace(each, hit=places[each.hit]) for each in best), extracts_status
    )


def quotation_candidates(
    context: ToolContext, wanted: SearchRequest, found: Found, count: int
) -> tuple[tuple[Hit, ...], list[Extract]]:
    """The passages found and those of figures, and what of them answers most surely."""
    hits, fits = _with_leads(found.hits, figure_rows(context, wanted))
    return hits, extracts(found.question, hits, context.embedder, count, fits)


def _with_leads(
    hits: Sequence[Hit], found: Sequence[FigureRow]
) -> tuple[tuple[Hit, ...], dict[tuple[int, str], RowFit]]:
    """The hits, then those of figures that are none of them; the rows of figures by number of the hit and text."""
    known = {hit.chunk_id: place for place, hit in enumerate(hits)}
    every, fits = list(hits), dict[tuple[int, str], RowFit]()
    for lead in found:
        if lead.hit.chunk_id not in known:
            known[lead.hit.chunk_id] = len(every)
            every.append(lead.hit)
        fits.setdefault((known[lead.hit.chunk_id], lead.text), lead.fit)
    return tuple(every), fits


def _nearest(best: Sequence[Extract]) -> list[Extract]:
    """The best quotation of each passage."""
    return list({each.hit: each for each in reversed(best)}.values())[::-1][:MOST_QUOTATIONS]


NO_PASSAGE = "No passage was found. Ask in other words, or within fewer limits."
"""What is said where no passage is found at all."""
NEAREST = "No direct quote found. Closest passages:"
"""What is said above passages none of which answers surely."""

NOTHING_NEW = "The documents say no more of this than was quoted before."
"""What a follow-up is told where all that answers it was quoted already."""


def extract_answer(
    context: ToolContext, wanted: SearchRequest, *, tell: Tell, before: Sequence[str] = (), repeats_best: bool = False
) -> Answer:
    """The best sentences and table rows of the passages found. Raises what `find` raises.

    What the answers `before` of a conversation quoted is not quoted again, but the best quotation with `repeats_best`.
    """
    if not context.embedder.is_loaded:
        tell(AnswerProgress("Loading the language model that embeds questions"))
        # Read here, so that what is told next begins when it is said to.
        question_vector(context.embedder, wanted.text)
    tell(AnswerProgress("Searching the documents"))
    found = find(context.warehouse, wanted, context.embedder, context.today)
    passages = "1 passage" if len(found.hits) == 1 else f"{len(found.hits)} passages"
    tell(AnswerProgress(f"Reading {passages} for sentences and figures that answer"))
    said = select_quotations(context, wanted, found)
    fresh = _fresh(said, before, repeats_best=repeats_best)
    if said.extracts and not fresh:
        # All of it was quoted: what the other passages say.
        seen = {said.hits[each.hit].chunk_id for each in said.extracts}
        said = select_quotations(
            context, wanted, replace(found, hits=tuple(hit for hit in found.hits if hit.chunk_id not in seen))
        )
        fresh = _fresh(said, before, repeats_best=False)
        if not fresh:
            tell(TextPiece(NOTHING_NEW))
            return Answer(
                NOTHING_NEW,
                AnswerKind.EXTRACTS,
                notes=found.notes,
                hits=found.hits,
                extracts_status=said.extracts_status,
            )
    said = replace(said, extracts=fresh)
    numbers = {hit: number for number, hit in enumerate(dict.fromkeys(each.hit for each in said.extracts), 1)}
    sources = tuple(_source(number, said.hits[hit], hit, said.extracts) for hit, number in numbers.items())
    blocks = [f"{_drawn(each)} [{numbers[each.hit]}]" for each in said.extracts]
    head = [NEAREST] if said.extracts_status is ExtractsStatus.NEAREST else []
    text = "\n\n".join([*head, *blocks]) if blocks else said.absence or NO_PASSAGE
    for source in sources:
        tell(source)
    tell(TextPiece(text))
    return Answer(
        text,
        AnswerKind.EXTRACTS,
        sources,
        notes=found.notes,
        hits=said.hits,
        extracts=said.extracts,
        extracts_status=said.extracts_status,
    )


def _fresh(said: PassageQuotations, before: Sequence[str], *, repeats_best: bool) -> tuple[Extract, ...]:
    """The quotations that no answer before has, and the best of all with `repeats_best`."""
    known = [" ".join(text.split()) for text in before]
    return tuple(
        each
        for place, each in enumerate(said.extracts)
        if (repeats_best and place == 0) or not any(" ".join(each.text.split()) in text for text in known)
    )


def _source(number: int, hit: Hit, place: int, extracts: Sequence[Extract]) -> AnswerSource:
    spans = [span for each in extracts if each.hit == place for span in quoted_spans(hit, each.text)]
    return AnswerSource(number, hit, tuple(dict.fromkeys(spans)))


def _drawn(extract: Extract) -> str:
    """A sentence in quotation marks, or rows below what their figures are in where their own words do not say it."""
    if not extract.text.startswith("|"):
        return f"“{' '.join(extract.text.split())}”"
    return f"Figures {extract.scale}:\n\n{extract.text}" if extract.scale else extract.text
