"""Answers without a language model: quotations from the documents, with their sources.

Table rows with the figure that a question asks for come from a search of table cells, sentences and further rows from
the passages found. Quotations that answer surely are the answer; else the nearest passages are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from dashboards.assistant.answer_types import (
    Answer,
    AnswerKind,
    AnswerProgress,
    AnswerSource,
    EventHandler,
    ExtractsStatus,
    TextPiece,
    emit_answer,
)
from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.document_spans import MAX_CITED, find_row_hits, load_hits
from dashboards.assistant.tools.request_limits import select_allowed_documents
from tasks.ask.certainty import is_answered, lacks_value, select_best
from tasks.ask.entries import (
    find_entries,
    find_entry_body,
    find_meeting_sentences,
    find_spoken_spans,
    has_entries,
    is_covered_elsewhere,
    parse_entry_question,
    select_entries,
    select_hits_of_days,
    split_entry,
)
from tasks.ask.expected_answers import AnswerType, asks_for_newest, find_answer_type
from tasks.ask.extracts import Extract, find_extracts, find_quoted_spans, select_newest
from tasks.ask.figures.figure_cells import SCALES, FigureCell
from tasks.ask.figures.figure_query import parse_figure_query
from tasks.ask.figures.figure_search import FigureMatch, search_figures
from tasks.ask.passage_units import split_pieces
from tasks.ask.quotation_features import RowFit
from tasks.embedders.embedder import embed_question
from tasks.query.question_parser import without_frame
from tasks.query.retrieval import find
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Hit, SearchRequest, SearchResult

MAX_ROWS = 3  # Table rows that are considered: further ones are seldom what was asked for.
_NO_FIGURE = re.compile(
    r"\W*(?:and |but |so )?(?:why|who|whose|where|when|how (?:long|old))\b|.*(?:为什么|为何|谁|哪里|何时)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A table row: the hit whose excerpt it is, the quotation of the table's head and the row, and its scores."""

    hit: Hit
    text: str
    scores: RowFit


def find_figure_rows(context: ToolContext, request: SearchRequest, *, is_newest: bool = False) -> list[FigureRow]:
    """The rows that may have the figure, best first; none where no figure is asked for, or of an unknown company.

    Where the newest is asked for, the same row of other documents does not make it less sure.
    """
    wordy = find_answer_type(request.text) in (AnswerType.REASON, AnswerType.MEANING, AnswerType.NAME)
    # A filter on passages cannot be satisfied by the search of figures in whole documents.
    finer = set(request.filters.passage_fields) - ({"tables"} if request.filters.tables else set())
    if finer or wordy or _NO_FIGURE.match(request.text):
        return []
    warehouse = context.warehouse.pin_generation()
    try:
        query = parse_figure_query(warehouse, without_frame(request.text), "", (), context.today)
        documents = select_allowed_documents(replace(context, within=request.filters), query.documents)
    except BadInput:
        return []
    best: dict[tuple[str, int, int], FigureMatch] = {}
    for match in search_figures(warehouse, replace(query, documents=documents)):
        best.setdefault((match.figure.document_id, match.figure.table, match.figure.row), match)
    row_matches = list(best.values())
    hits = find_row_hits(warehouse, [match.figure for match in row_matches[:MAX_ROWS]])
    found_rows = []
    for match, hit in zip(row_matches[:MAX_ROWS], hits, strict=True):
        label = match.figure.row_header if is_newest else None
        other_scores = [other.score for other in row_matches if other is not match and other.figure.row_header != label]
        margin = match.score - max(other_scores, default=0.0)
        time_score = match.time_score if query.windows else 0.5
        scores = RowFit(match.label_score, time_score, margin, format_row_scale(match.figure), match.figure.period_end)
        found_rows.append(_make_figure_row(hit, match.score, scores) if hit else None)
    return list(filter(None, found_rows))


def _make_figure_row(hit: Hit, score: float, scores: RowFit) -> FigureRow | None:
    start, end = hit.excerpt or (hit.start, hit.start)
    row = hit.text[start - hit.start : end - hit.start]
    text = next((piece.text for piece in split_pieces(hit, 0) if piece.header and piece.text.endswith(row)), "")
    if not row or not text:
        return None
    ranked_hit = replace(hit, score=score, citation=replace(hit.citation, relevance=score))
    # The scale is left out where the row's text names it.
    word = scores.scale.partition(" ")[2].partition(" ")[0].rstrip("s")
    return FigureRow(ranked_hit, text, scores if word and word not in text.lower() else replace(scores, scale=""))


def format_row_scale(figure: FigureCell) -> str:
    """The scale of a row's figures: "in millions of USD"; empty where they are in units.

    For a figure whose scale or period is in doubt, the doubt instead.
    """
    if figure.doubt:
        return f"in doubt ({figure.doubt})"
    scale = SCALES.get(figure.scale, "")
    if not scale or figure.unit:
        return ""
    plural = f"{scale}s" if scale.isascii() else scale
    return f"in {plural} of {figure.currency}" if figure.currency else f"in {plural}"


MAX_QUOTATIONS = 3  # Quotations of an answer, and nearest passages where nothing answers surely.
MAX_CANDIDATES = 8  # Quotations from which the nearest passages are chosen.


@dataclass(frozen=True, slots=True)
class PassageQuotations:
    """Quotations, best first, and the passages that they are from, by number.

    The passages are the hits in their order, then those of figure rows that are in no hit. `absence` says what no
    document is about, where that is the answer.
    """

    hits: tuple[Hit, ...]
    extracts: tuple[Extract, ...]
    extracts_status: ExtractsStatus = ExtractsStatus.ANSWER
    absence: str = ""


def select_quotations(context: ToolContext, request: SearchRequest, search_result: SearchResult) -> PassageQuotations:
    """The best quotations of a search result: the answer where it is sure, else the nearest passages."""
    entry_hits = select_entries(context.warehouse.pin_generation(), search_result.question, search_result.hits)
    if entry_hits:
        # What the diary has of that time answers, not what another day has.
        search_result = replace(search_result, hits=entry_hits)
    absence = "" if entry_hits else context.warehouse.explain_absence(search_result.question)
    if absence:
        return PassageQuotations(tuple(search_result.hits), (), ExtractsStatus.ABSENT, absence)
    hits, best = find_quotation_candidates(context, request, search_result, MAX_CANDIDATES)
    answers = [
        extract for extract in best if extract.features.names > 0 and not lacks_value(request.text, extract.features)
    ]
    question = search_result.question
    is_unsure = _lacks_period(context.warehouse, search_result) or context.warehouse.find_unknown_names(question)
    if not is_unsure and is_answered([answer.score for answer in answers]):
        answers = select_newest(answers) if asks_for_newest(question) else answers
        selected_places = select_best([answer.features for answer in answers], [answer.score for answer in answers])
        status, best = ExtractsStatus.ANSWER, [answers[index] for index in selected_places[:MAX_QUOTATIONS]]
    else:
        status = ExtractsStatus.NEAREST if best else ExtractsStatus.ABSENT
        # The best quotation of each passage, in the order of the passages: which quotation is best is not sure.
        best = sorted({extract.hit: extract for extract in reversed(best)}.values(), key=lambda extract: extract.hit)[
            :MAX_QUOTATIONS
        ]
    # All passages found, and of the further passages those that are quoted.
    count = len(search_result.hits)
    numbers = {old: new for new, old in enumerate(dict.fromkeys([*range(count), *(extract.hit for extract in best)]))}
    quotations = tuple(replace(extract, hit=numbers[extract.hit]) for extract in best)
    return PassageQuotations(tuple(hits[old] for old in numbers), quotations, status)


def _lacks_period(warehouse: Warehouse, search_result: SearchResult) -> bool:
    """Whether no report of a company that a question names is of the period asked for: quotations are of others."""
    question = search_result.question
    # A time within a title is part of a name.
    times = [
        window for window in question.windows if not any(window.text in subject.text for subject in question.subjects)
    ]
    if not question.subjects or not times or any(time.period is None for time in times):
        return False
    return bool(warehouse.describe_missing_periods(question, search_result.hits))


def find_quotation_candidates(
    context: ToolContext, request: SearchRequest, search_result: SearchResult, count: int
) -> tuple[tuple[Hit, ...], list[Extract]]:
    """The passages found and those of figure rows, and the quotations of them that answer most surely."""
    rows = find_figure_rows(context, request, is_newest=asks_for_newest(search_result.question))
    hits = {hit.chunk_id: hit for hit in search_result.hits}
    for row in rows:
        hits.setdefault(row.hit.chunk_id, row.hit)
    numbers = {chunk_id: number for number, chunk_id in enumerate(hits)}
    scores: dict[tuple[int, str], RowFit] = {}
    for row in rows:
        scores.setdefault((numbers[row.hit.chunk_id], row.text), row.scores)
    all_hits = tuple(hits.values())
    return all_hits, find_extracts(search_result.question, all_hits, context.embedder, count, scores)


NO_PASSAGE = "No passage was found. Ask in other words, or within fewer limits."
"""The answer where no passage is found."""
NEAREST = "No direct quote found. Closest passages:"  # The line above passages none of which answers surely.

NOTHING_NEW = "The documents say no more of this than was quoted before."
"""The answer to a follow-up where all that answers it was quoted before."""


def extract_answer(
    context: ToolContext,
    request: SearchRequest,
    *,
    on_event: EventHandler,
    before: Sequence[str] = (),
    repeats_best: bool = False,
) -> Answer:
    """The best sentences and table rows of the passages found. Raises what `find` raises.

    Quotations of the answers `before` in the conversation are left out, except the best one with `repeats_best`.
    """
    # One generation, since what a question is read by is of the model of its vectors.
    context = replace(context, warehouse=context.warehouse.pin_generation())
    if not context.embedder.is_loaded:
        on_event(AnswerProgress("Loading the language model that embeds questions"))
        # Loaded here, so that the next progress event comes when its step begins.
        embed_question(context.embedder, request.text)
    on_event(AnswerProgress("Searching the documents"))
    search_result = find(context.warehouse, request, context.embedder, context.today, context.settings.rerank)
    entries_answer = _answer_from_entries(context, search_result, on_event)
    if entries_answer:
        return entries_answer
    passages = "1 passage" if len(search_result.hits) == 1 else f"{len(search_result.hits)} passages"
    on_event(AnswerProgress(f"Reading {passages} for sentences and figures that answer"))
    quotations = select_quotations(context, request, search_result)
    new_extracts = _select_new_quotations(quotations, before, repeats_best=repeats_best)
    if quotations.extracts and not new_extracts:
        # All quotations were given before: those of the other passages.
        quoted_ids = {quotations.hits[extract.hit].chunk_id for extract in quotations.extracts}
        hits = tuple(hit for hit in search_result.hits if hit.chunk_id not in quoted_ids)
        quotations = select_quotations(context, request, replace(search_result, hits=hits))
        new_extracts = _select_new_quotations(quotations, before, repeats_best=False)
        if not new_extracts:
            on_event(TextPiece(NOTHING_NEW))
            return Answer(
                NOTHING_NEW,
                AnswerKind.EXTRACTS,
                notes=search_result.notes,
                hits=search_result.hits,
                extracts_status=quotations.extracts_status,
            )
    return _answer_from_quotations(quotations, new_extracts, search_result.notes, on_event)


def _answer_from_quotations(
    quotations: PassageQuotations, extracts: tuple[Extract, ...], notes: tuple[str, ...], on_event: EventHandler
) -> Answer:
    """The answer of some `extracts` of the quotations, each with the number of its source."""
    spans: dict[int, dict[tuple[int, int], None]] = {}
    for extract in extracts:
        spans.setdefault(extract.hit, {}).update(
            dict.fromkeys(find_quoted_spans(quotations.hits[extract.hit], extract.text))
        )
    numbers = {hit: number for number, hit in enumerate(spans, 1)}
    sources = tuple(AnswerSource(numbers[hit], quotations.hits[hit], tuple(spans[hit])) for hit in spans)
    blocks = [f"{_format_quotation(extract)} [{numbers[extract.hit]}]" for extract in extracts]
    head = [NEAREST] if quotations.extracts_status is ExtractsStatus.NEAREST else []
    text = "\n\n".join([*head, *blocks]) if blocks else quotations.absence or NO_PASSAGE
    emit_answer(on_event, sources, text)
    return Answer(
        text,
        AnswerKind.EXTRACTS,
        sources,
        notes=notes,
        hits=quotations.hits,
        extracts=extracts,
        extracts_status=quotations.extracts_status,
    )


MAX_ENTRY_LENGTH = 1200  # Characters of an entry that is quoted whole; of a longer one the first sentences up to there.
MAX_ENTRY_LENGTH_OF_MANY = 300  # The same where there are entries of more than three days.
_DENIAL = re.compile(r"(?:nothing|no)\b", re.IGNORECASE)  # How a note begins that denies a time.


def _answer_from_entries(context: ToolContext, search_result: SearchResult, on_event: EventHandler) -> Answer | None:
    """The entries of the days that a question asks about as a whole; None for other questions.

    Where a diary has no entry of them, that is the answer, unless a document tells of that time. Rows of logs are the
    answer where no other document does.
    """
    question = parse_entry_question(search_result.question)
    warehouse = context.warehouse.pin_generation()
    if not question or not has_entries(warehouse):
        return None
    hits = select_hits_of_days(
        load_hits(warehouse, find_entries(warehouse, search_result.question, question)[:MAX_CITED]), question.days
    )
    if question.speakers:
        return _answer_from_speakers(search_result, hits, question.speakers, on_event)
    is_personal = any(not hit.is_dated_by_rows for hit in hits) or _FIRST_PERSON.search(search_result.question.text)
    if not is_personal and is_covered_elsewhere(warehouse, search_result):
        return None
    if not hits:
        text = f"No entry is dated {' or '.join(_format_days(*day) for day in question.days)}."
        on_event(TextPiece(text))
        return Answer(text, AnswerKind.EXTRACTS, notes=search_result.notes, extracts_status=ExtractsStatus.ABSENT)
    blocks, sources, extracts = _format_people(warehouse, hits) if question.asks_for_people else ([], [], [])
    if not blocks:
        blocks, sources, extracts = _format_entries(hits)
        if question.asks_for_people:
            blocks = ["The entries name no person:", *blocks]
    text = "\n\n".join(blocks)
    emit_answer(on_event, sources, text)
    notes = tuple(note for note in search_result.notes if not _DENIAL.match(note))
    return Answer(text, AnswerKind.EXTRACTS, tuple(sources), notes=notes, hits=hits, extracts=tuple(extracts))


def _answer_from_speakers(
    search_result: SearchResult, hits: Sequence[Hit], speakers: Sequence[str], on_event: EventHandler
) -> Answer | None:
    """What some people wrote on the days that a question asks about, in chats; None where they wrote nothing."""
    blocks: list[str] = []
    sources: list[AnswerSource] = []
    extracts: list[Extract] = []
    for hit in hits:
        spans = find_spoken_spans(hit, speakers)
        if not spans:
            continue
        number, day = len(sources), hit.citation.date
        if day and (not sources or sources[-1].hit.citation.date != day):
            blocks.append(f"{_format_day(day)}:")
        blocks += (f"“{' '.join(hit.text[slice(*span)].split())}” [{number + 1}]" for span in spans)
        sources.append(AnswerSource(number + 1, hit, tuple((hit.start + a, hit.start + b) for a, b in spans)))
        extracts += [Extract(hit.text[slice(*span)], number, 1.0) for span in spans]
    if not blocks:
        return None
    text = "\n\n".join(blocks)
    emit_answer(on_event, sources, text)
    cited_hits = tuple(source.hit for source in sources)
    return Answer(
        text, AnswerKind.EXTRACTS, tuple(sources), notes=search_result.notes, hits=cited_hits, extracts=tuple(extracts)
    )


_FIRST_PERSON = re.compile(r"\b(?:i|me|my|we|us|our)\b|我", re.IGNORECASE)
_Blocks = tuple[list[str], list[AnswerSource], list[Extract]]


def _format_entries(hits: Sequence[Hit]) -> _Blocks:
    """Each entry below its day, quoted from below its heading."""
    days = {hit.citation.date for hit in hits}
    max_length = MAX_ENTRY_LENGTH if len(days) <= MAX_QUOTATIONS else MAX_ENTRY_LENGTH_OF_MANY
    blocks, sources, extracts = [], [], []
    previous_day = None
    for number, hit in enumerate(hits):
        start, end = find_entry_body(hit) or (0, len(hit.text))
        if end - start > max_length:
            end = max([stop for _, stop in split_entry(hit) if start < stop <= start + max_length], default=end)
        text = hit.text[start:end]
        more = "" if hit.is_dated_by_rows or hit.text[end:].strip() == "" else " …"
        if hit.is_dated_by_rows:
            more = " …" if hit.excerpt and hit.start + end < hit.excerpt[1] else ""
            text = f"{hit.row_header}\n{text}"
        day = hit.citation.date
        head = f"{_format_day(day)}:\n\n" if day and day != previous_day else ""
        previous_day = day
        blocks.append(f"{head}{text}{more} [{number + 1}]")
        sources.append(AnswerSource(number + 1, hit, ((hit.start + start, hit.start + end),)))
        extracts.append(Extract(text, number, 1.0))
    return blocks, sources, extracts


def _format_people(warehouse: Warehouse, hits: Sequence[Hit]) -> _Blocks:
    """A line for each sentence that tells of people: their names and the sentence."""
    lines, extracts = [], []
    spans: dict[int, dict[tuple[int, int], None]] = {}
    days = {hit.citation.date for hit in hits}
    sentences = find_meeting_sentences(warehouse, hits)
    for sentence in sentences:
        spans.setdefault(sentence.hit, {})[sentence.span] = None
    numbers = {hit: number for number, hit in enumerate(sorted(spans), 1)}
    for sentence in sentences:
        hit = hits[sentence.hit]
        text = hit.text[slice(*sentence.span)]
        names = f"{', '.join(sentence.names)}: " if sentence.names else ""
        when = f"{hit.citation.shown_date}: " if len(days) > 1 else ""
        lines.append(f"- {when}{names}“{' '.join(text.split()).removeprefix('- ')}” [{numbers[sentence.hit]}]")
        extracts.append(Extract(text, sentence.hit, 1.0))
    sources = [
        AnswerSource(number, hits[hit], tuple((hits[hit].start + a, hits[hit].start + b) for a, b in spans[hit]))
        for hit, number in numbers.items()
    ]
    return ["\n".join(lines)] if lines else [], sources, extracts


def _format_day(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B %Y}"


def _format_days(start: date, end: date) -> str:
    last = end - timedelta(days=1)
    return _format_day(start) if last == start else f"{_format_day(start)} to {_format_day(last)}"


def _select_new_quotations(
    quotations: PassageQuotations, before: Sequence[str], *, repeats_best: bool
) -> tuple[Extract, ...]:
    """The quotations that no earlier answer has, and the best of all with `repeats_best`."""
    earlier = [" ".join(text.split()) for text in before]
    return tuple(
        extract
        for index, extract in enumerate(quotations.extracts)
        if (repeats_best and index == 0) or not any(" ".join(extract.text.split()) in text for text in earlier)
    )


def _format_quotation(extract: Extract) -> str:
    """A sentence in quotation marks, or table rows below the scale of their figures where their text lacks it."""
    if not extract.text.startswith("|"):
        return f"“{' '.join(extract.text.split())}”"
    return f"Figures {extract.scale}:\n\n{extract.text}" if extract.scale else extract.text
