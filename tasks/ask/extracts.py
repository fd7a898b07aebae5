"""Extracts: an answer without a language model, from the sentences and table rows that answer best.

Extractive: no text is generated, everything is quoted word for word from the passages. Each quotation has a
probability of being the answer (`tasks.ask.certainty`), so that similar words are not mistaken for an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import compress, groupby
from operator import attrgetter

import numpy as np

from tasks.ask.certainty import CertaintyFeatures, compute_certainty, select_weights
from tasks.ask.expected_answers import PAYMENTS, AskedWords, asks_for_newest, find_asked_words, get_canonical_words
from tasks.ask.passage_units import QuotedPiece, mark_spoken, split_pieces, split_units
from tasks.ask.quotation_features import RowFit, compute_features
from tasks.embedders.embedder import Embedder, embed_with_cache
from tasks.parsers.language import detect_language
from tasks.query.soft_filters import find_senders
from tasks.temporal.tagger import tag
from warehouse.records import Citation, DayOrder, Hit, Question, Window
from warehouse.records.calendars import DAY, Interval
from warehouse.search.search import wants_references
from warehouse.search.topic import Topic, parse_topic
from warehouse.store.words import split_words

MAX_JOINED_ROWS = 31  # The maximum number of rows that differ only in their day and are quoted as one.
MIN_TIME_SCORE = 0.9  # The minimum time score of a figure of the asked time.
_OPTIONAL_WORDS = frozenset(
    split_words("make do happen occur have show total first last latest newest oldest earliest")
)
"""Words of a question for dated rows that rows need not have."""
MIN_NEWEST_SHARE = 0.6
"""The minimum probability, as a share of the best one's, of a newer statement to be preferred if one is asked for."""
BATCH_SIZE = 16  # Pieces that are embedded in one batch, the most promising first.


@dataclass(frozen=True, slots=True)
class Extract:
    """A quotation from the passage of hit number `hit` (from 0): a sentence, or a table's head and one of its rows.

    `score` in (0, 1) is the probability that it answers. `scale` is the scale of its figures, if its words do not
    say it: "in millions of USD". `day` is that of the row or entry, or the end of the figure's period, else of the
    document; it is determined if the newest statement is asked for.
    """

    text: str
    hit: int
    score: float
    scale: str = ""
    features: CertaintyFeatures = field(default_factory=CertaintyFeatures)
    figure: bool = False
    day: date | None = None


def find_extracts(
    question: Question,
    hits: Sequence[Hit],
    embedder: Embedder,
    count: int = 3,
    fits: Mapping[tuple[int, str], RowFit] | None = None,
) -> list[Extract]:
    """At most `count` sentences and table rows of the hits, the most certain first.

    `fits` are rows that a lookup of figures found, by index of the hit and text of the piece. Pieces that would not be
    among the best even with a cosine of 1 are not embedded. Of rows with the same header and head, only the best is
    quoted. Reference lists are quoted only if they are asked for.
    """
    fits = fits or {}
    terms = find_asked_words(question)
    pairs = _collect_pieces(question, hits, terms)
    pieces, times = [piece for piece, _ in pairs], [piece_features or () for _, piece_features in pairs]
    features = compute_features(question, terms, hits, pieces, times, fits)
    models = [
        select_weights(question, is_row=bool(piece.header), is_figure=(piece.hit, piece.text) in fits)
        for piece in pieces
    ]
    bounds = np.array(
        [
            compute_certainty(model, replace(piece_features, cosine=1.0))
            for model, piece_features in zip(models, features, strict=True)
        ]
    )
    question_words = frozenset(split_words(question.text))
    has_new_value = np.array([_has_new_value(question_words, piece) for piece in pieces], np.bool_)
    order = np.argsort(-bounds, kind="stable")
    order = order[has_new_value[order]]
    best_extracts: list[Extract] = []
    scores: dict[int, tuple[CertaintyFeatures, float]] = {}
    for batch in np.split(order, range(BATCH_SIZE, len(order), BATCH_SIZE)):
        if not len(batch) or (len(best_extracts) == count and bounds[batch[0]] < best_extracts[-1].score):
            break
        # Sentences as they are, rows with their title and section, which they need to be understood.
        batch_pieces = [pieces[index] for index in batch]
        shown_texts = [f"{piece.context}\n{piece.text}" if piece.header else piece.text for piece in batch_pieces]
        windows = [next(iter(embedder.cut_windows("", text)), text) for text in shown_texts]
        cosines = embed_with_cache(embedder, windows) @ question.vector
        for index, cosine in zip(batch.tolist(), cosines.tolist(), strict=True):
            piece_features = replace(features[index], cosine=max(cosine, 0.0))
            scores[index] = piece_features, compute_certainty(models[index], piece_features)
        best_extracts = _select_best_extracts(question, hits, pieces, scores, fits, count)
    is_ordered = question.order and question.ranking.times and any(hit.is_entry or hit.is_dated_by_rows for hit in hits)
    return (_order_by_days(question, hits, best_extracts, count) or best_extracts) if is_ordered else best_extracts


_TimedPiece = tuple[QuotedPiece, tuple[Window, ...] | None]


def _collect_pieces(question: Question, hits: Sequence[Hit], terms: AskedWords) -> list[_TimedPiece]:
    """The pieces of the hits that may be quoted, each with the asked times that its days overlap."""
    quoted_hits = [
        (number, hit) for number, hit in enumerate(hits) if wants_references(question) or not hit.is_references
    ]
    all_pieces = [piece for number, hit in quoted_hits for piece in split_pieces(hit, number)]
    all_pieces = _select_pieces_of_senders(question, hits, all_pieces) or all_pieces
    all_pieces = [replace(piece, is_listed=_is_listed(terms, question, hits[piece.hit], piece)) for piece in all_pieces]
    pairs = [(piece, _find_row_times(question, hits[piece.hit], piece)) for piece in all_pieces]
    # A row with days must be of one of the times that are asked for.
    return _join_similar_rows(
        [(piece, row_times) for piece, row_times in pairs if row_times != ()] or pairs, question.order
    )


def _has_new_value(question_words: frozenset[str], piece: QuotedPiece) -> bool:
    """Whether a line with a label has a value that is not in the question: "Invoice no.: 7" is none for "invoice 7"."""
    return not piece.value or not question_words.issuperset(split_words(piece.value))


def _select_pieces_of_senders(
    question: Question, hits: Sequence[Hit], pieces: Sequence[QuotedPiece]
) -> list[QuotedPiece]:
    """The pieces by the people whose messages a question asks for: "What did Anna say about the pump?"."""
    names = find_senders(question.text)
    sender_pieces: list[QuotedPiece] = []
    for number, hit_pieces in groupby(pieces, key=attrgetter("hit")) if names else ():
        group = list(hit_pieces)
        sender_pieces += compress(group, mark_spoken(hits[number], (piece.text for piece in group), names))
    return sender_pieces


def _find_row_times(question: Question, hit: Hit, piece: QuotedPiece) -> tuple[Window, ...] | None:
    """The question's times that the days of a dated row overlap; None for any other piece."""
    if not (question.named_times and question.ranking.times and hit.is_dated_by_rows):
        return None
    days = _find_row_days(hit, piece)
    return days and tuple(window for window in question.named_times if window.overlaps(*days))


def _find_row_days(hit: Hit, piece: QuotedPiece) -> Interval | None:
    """The days of a dated row."""
    if not (piece.header and hit.is_dated_by_rows):
        return None
    start, _ = next(iter(find_quoted_spans(hit, piece.text)), (-1, -1))
    return next((row.days for row in hit.rows if row.start <= start < row.end), None)


def _is_listed(terms: AskedWords, question: Question, hit: Hit, piece: QuotedPiece) -> bool:
    """Whether a dated row has, with its table's head and title, all words asked for: "payments to Acme in 2023"."""
    days, times = _find_row_days(hit, piece), question.named_times
    if not days or (times and not any(window.overlaps(*days) for window in times)):
        return False
    context = get_canonical_words(split_words(f"{piece.context} {piece.text.removesuffix(piece.statement)}"))
    asked_words = terms.words - _OPTIONAL_WORDS
    if asked_words & PAYMENTS and context & PAYMENTS:
        asked_words -= PAYMENTS
    has_asked_words = bool(terms.words - _OPTIONAL_WORDS) and asked_words <= context | get_canonical_words(
        split_words(piece.statement)
    )
    return has_asked_words and bool(times or asked_words)


def _join_similar_rows(timed_pieces: Sequence[_TimedPiece], order: DayOrder | None) -> list[_TimedPiece]:
    """The pieces, with rows that are asked for together joined.

    These are the listed rows of a table, unless the newest or the first is asked for, and rows of the times asked for
    that differ only in their day, as repeated events do.
    """
    result: list[_TimedPiece] = []
    index_by_key: dict[tuple[int, str, str], int] = {}
    for piece, row_times in timed_pieces:
        is_listed = piece.is_listed and not order
        if not (row_times or is_listed) or not piece.header:
            result.append((piece, row_times))
            continue
        cells = "" if is_listed else piece.statement.partition(piece.header)[2]
        key = (piece.hit, piece.text.rpartition("\n")[0], cells)
        index = index_by_key.setdefault(key, len(result))
        if index == len(result):
            result.append((piece, row_times))
        elif result[index][0].text.count("\n") < MAX_JOINED_ROWS:
            first = result[index][0]
            result[index] = replace(first, text=f"{first.text}\n{piece.statement}"), result[index][1]
    return result


def _order_by_days(question: Question, hits: Sequence[Hit], best_extracts: list[Extract], count: int) -> list[Extract]:
    """Quotations about the topic from the first entries that have most of its words, in order; none without extracts.

    None also if a passage outside of entries has more of them. Of a passage with dated rows, the newest or oldest of
    the rows that have most of them.
    """
    topic = parse_topic(question.rest)
    word_counts = [len(topic.match_words(hit.headed_text)) for hit in hits]
    max_word_count = max(word_counts, default=0)
    is_dated = [hit.is_entry or hit.is_dated_by_rows for hit in hits]
    numbers = [
        number for number, word_count in enumerate(word_counts) if is_dated[number] and 0 < word_count == max_word_count
    ][:count]
    extracts = {extract.hit: extract for extract in reversed(best_extracts)}
    quotations = [(number, _quote_in_order(topic, hits[number], question.order)) for number in numbers]
    return (
        [replace(extracts.get(number, best_extracts[-1]), text=text, hit=number) for number, text in quotations]
        if best_extracts
        else []
    )


def _quote_in_order(topic: Topic, hit: Hit, order: DayOrder | None) -> str:
    """The words of an entry about a topic, or the header and the first row, by day, that has most words of it."""
    if not hit.is_dated_by_rows:
        text = hit.text[slice(*topic.find_span(hit.text))]
        return text if text not in (hit.citation.title, *hit.citation.section) else _quote_opening(hit)
    rows = [(row.days[0], hit.text[row.start - hit.start : row.end - hit.start]) for row in hit.rows if row.days]
    ordered_rows = sorted(rows, key=lambda row: row[0], reverse=order is DayOrder.NEWEST)
    return f"{hit.row_header}\n{max(ordered_rows, key=lambda row: len(topic.match_words(row[1])))[1]}"


def _quote_opening(hit: Hit) -> str:
    """The heading of an entry, if its passage has it, and the first sentence below."""
    headings = {hit.citation.title, *hit.citation.section}
    spans = split_units(hit.text)
    first = next((index for index, span in enumerate(spans) if hit.text[slice(*span)] not in headings), len(spans) - 1)
    return hit.text[spans[max(first - 1, 0)][0] : spans[first][1]]


def find_quoted_spans(hit: Hit, text: str) -> list[tuple[int, int]]:
    """The spans of a quotation in its document's text: the whole sentence, or the table's row and then its head."""
    lines = [text] if text in hit.text else [line for line in reversed(text.split("\n")) if line in hit.text]
    starts = [hit.start + hit.text.index(line) for line in lines]
    return [(start, start + len(line)) for start, line in zip(starts, lines, strict=True)]


def cite_quotations(hit: Hit, *texts: str) -> Citation:
    """The citation of quotations of a hit: it names the page of the first one's sentence, or the rows of all."""
    spans = [span for text in texts for span in find_quoted_spans(hit, text)]
    return hit.cite_spans(spans) if spans else hit.citation


def _select_best_extracts(
    question: Question,
    hits: Sequence[Hit],
    pieces: Sequence[QuotedPiece],
    scores: Mapping[int, tuple[CertaintyFeatures, float]],
    fits: Mapping[tuple[int, str], RowFit],
    count: int,
) -> list[Extract]:
    """The most certain pieces, of equal ones the earlier; no statement twice.

    With a figure of the time asked for, the rows of that name in other documents are of other times.
    """
    figures: dict[str, str] = {}
    best_extracts: dict[str, Extract] = {}
    keys: set[tuple[str, str]] = set()
    for index, (features, probability) in sorted(scores.items(), key=lambda item: (-item[1][1], item[0])):
        piece, document = pieces[index], hits[pieces[index].hit].document_id
        key = (piece.hit, piece.text)
        fit = fits.get(key, RowFit())
        is_of_other_time = key not in fits and figures.get(piece.header, document) != document
        if len(best_extracts) < count and piece.key not in keys and not is_of_other_time:
            keys.add(piece.key)
            if fit.time_fit >= MIN_TIME_SCORE:
                figures.setdefault(piece.header, document)
            day = fit.day or _find_day(hits[piece.hit], piece) if asks_for_newest(question) else None
            extract = Extract(piece.text, piece.hit, probability, fit.scale, features, key in fits, day)
            best_extracts.setdefault(" ".join(piece.statement.split()), extract)
    return list(best_extracts.values())


def _find_day(hit: Hit, piece: QuotedPiece) -> date | None:
    """The last day of a dated row, or that of its line, entry or document."""
    if days := _find_row_days(hit, piece):
        return days[1] - DAY
    first = next(iter(tag(piece.statement, hit.citation.date, detect_language(piece.statement))), None)
    is_at_start = first is not None and not any(map(str.isalnum, piece.statement[: first.start]))
    return first.start_date if first and is_at_start and first.start_date else hit.citation.date


def select_newest(extracts: Sequence[Extract]) -> list[Extract]:
    """The newest of those that are almost as certain as the best one; all if none has a day.

    With a figure only figures count, by the ends of their periods; with a complete quotation, only complete ones.
    """
    best_extract = max(extracts, key=attrgetter("score"), default=None)
    likely_extracts = [
        extract for extract in extracts if best_extract and extract.score >= MIN_NEWEST_SHARE * best_extract.score
    ]
    likely_extracts = [extract for extract in likely_extracts if best_extract and extract.figure == best_extract.figure]
    complete_extracts = [
        extract for extract in likely_extracts if extract.features.complete or extract.features.value_fit
    ]
    likely_extracts = complete_extracts if best_extract in complete_extracts else likely_extracts
    newest = max((extract.day for extract in likely_extracts if extract.day), default=None)
    return [extract for extract in likely_extracts if extract.day == newest] if newest else list(extracts)
