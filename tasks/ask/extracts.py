"""Extracts: an answer without a language model, from the sentences and table rows that say most about the question.

Extractive: no text is generated, everything is quoted word for word from the passages. Each quotation has a
probability of being the answer (`tasks.ask.certainty`), so that nobody takes the nearest words for an answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import compress, groupby
from operator import attrgetter

import numpy as np

from tasks.ask.certainty import (
    AnswerType,
    AskedWords,
    CertaintyFeatures,
    asks_for_newest,
    find_answer_type,
    find_asked_words,
    fits_times,
    fits_type,
    select_weights,
    states_change,
    unite_words,
)
from tasks.ask.passage_units import QuotedPiece, mark_spoken, split_pieces
from tasks.embedders.embedder import Embedder, embed_with_cache
from tasks.parsers.language import detect_language
from tasks.query.question_parser import compute_covered_share, get_answer_words, weigh_by_rarity, without_frame
from tasks.query.soft_filters import find_senders
from tasks.temporal.tagger import tag
from warehouse.records import Citation, DayOrder, Hit, Question, Window
from warehouse.records.fiscal import DAY, Interval
from warehouse.search.search import wants_references
from warehouse.search.topic import Topic, parse_topic
from warehouse.store.words import join_pairs, parse_words, split_words
from warehouse.table_notation import BAR

_MEASURES = frozenset(split_words("far percent percentage points"))
"""Words that ask for the size of a change and do not name the item that changes."""
MAX_JOINED_ROWS = 31  # The most rows that differ only in their day and are quoted as one.
OF_TIME = 0.9  # The least time score of a figure that is of the time asked for.
_LIGHT_WORDS = frozenset(split_words("make do happen occur have show total first last latest newest oldest earliest"))
"""Words of a question for dated rows that rows need not have."""
_PAYMENTS = unite_words(
    split_words("pay payment payee expense spend expenditure buy purchase cost amount invoice debit charge")
)
"""Words that ask for money that was paid, or that name it in the title or head of a list."""
NEWEST_SHARE = 0.6
"""The least probability, as a share of the best one's, of a newer statement that is preferred if one is asked for."""
TOGETHER = 16  # Pieces that are embedded in one batch, the most promising first.


@dataclass(frozen=True, slots=True)
class Extract:
    """A quotation from the passage of hit number `hit` (from 0): a sentence, or a table's head and one of its rows.

    `score` in (0, 1) is the probability that it answers. `scale` is the scale of its figures, if its own words do not
    say it: "in millions of USD". `day` is that of the row or entry, or the end of the figure's period, else of the
    document; it is looked for where the newest statement is asked for.
    """

    text: str
    hit: int
    score: float
    scale: str = ""
    signs: CertaintyFeatures = field(default_factory=CertaintyFeatures)
    figure: bool = False
    day: date | None = None


@dataclass(frozen=True, slots=True)
class RowFit:
    """A table row found by a lookup of figures: how well its label and time fit, its lead over the others, its scale.

    The lookup is `tasks.ask.figures`; `called` and `timed` are in [0, 1], `margin` is below 0 for all but the
    best row. `day` is the end of the figure's period.
    """

    called: float = 0.0
    timed: float = 0.0
    margin: float = 0.0
    scale: str = ""
    day: date | None = None


def find_extracts(
    question: Question,
    hits: Sequence[Hit],
    embedder: Embedder,
    count: int = 3,
    fits: Mapping[tuple[int, str], RowFit] | None = None,
) -> list[Extract]:
    """At most `count` sentences and table rows of the hits, the surest answer first.

    `fits` are rows that a lookup of figures found, by index of the hit and text of the piece. Pieces that would not be
    among the best even with a cosine of 1 are not embedded. Of rows with the same header and head, only the best is
    given. Reference lists are quoted only if they are asked for.
    """
    fits = fits or {}
    quoted_hits = [
        (number, hit) for number, hit in enumerate(hits) if wants_references(question) or not hit.is_references
    ]
    every_piece = [piece for number, hit in quoted_hits for piece in split_pieces(hit, number)]
    every_piece = _select_spoken(question, hits, every_piece) or every_piece
    terms = find_asked_words(question)
    every_piece = [replace(piece, listed=_is_listed(terms, question, hits[piece.hit], piece)) for piece in every_piece]
    pairs = [(piece, _find_row_times(question, hits[piece.hit], piece)) for piece in every_piece]
    # A row with days of its own must be of one of the times that are asked for.
    pairs = _join_like_rows([(piece, own) for piece, own in pairs if own != ()] or pairs, question.order)
    pieces, times = [piece for piece, _ in pairs], [own or () for _, own in pairs]
    features = _compute_features(question, terms, hits, pieces, times, fits)
    models = [select_weights(question, is_row=bool(p.header), is_figure=(p.hit, p.text) in fits) for p in pieces]
    bounds = np.array(
        [model.compute_probability(replace(own, cosine=1.0)) for model, own in zip(models, features, strict=True)]
    )
    order = np.argsort(-bounds, kind="stable")
    best: list[Extract] = []
    scores: dict[int, tuple[CertaintyFeatures, float]] = {}
    for batch in np.split(order, range(TOGETHER, len(order), TOGETHER)):
        if not len(batch) or (len(best) == count and bounds[batch[0]] < best[-1].score):
            break
        # Sentences as they are, rows with their title and section, without which they say little.
        batch_pieces = [pieces[index] for index in batch]
        shown_texts = [f"{piece.context}\n{piece.text}" if piece.header else piece.text for piece in batch_pieces]
        windows = [next(iter(embedder.cut_windows("", text)), text) for text in shown_texts]
        cosines = embed_with_cache(embedder, windows) @ question.vector
        for index, cosine in zip(batch.tolist(), cosines.tolist(), strict=True):
            own = replace(features[index], cosine=max(cosine, 0.0))
            scores[index] = own, models[index].compute_probability(own)
        best = _select_best(question, hits, pieces, scores, fits, count)
    is_ordered = question.order and question.ranking.times and any(hit.is_entry or hit.is_dated_by_rows for hit in hits)
    return (_order_by_days(question, hits, best, count) or best) if is_ordered else best


def _select_spoken(question: Question, hits: Sequence[Hit], pieces: Sequence[QuotedPiece]) -> list[QuotedPiece]:
    """The pieces by the people whose messages a question asks for: "What did Anna say about the pump?"."""
    names = find_senders(question.text)
    spoken_pieces: list[QuotedPiece] = []
    for number, hit_pieces in groupby(pieces, key=attrgetter("hit")) if names else ():
        group = list(hit_pieces)
        spoken_pieces += compress(group, mark_spoken(hits[number], (piece.text for piece in group), names))
    return spoken_pieces


def _find_row_times(question: Question, hit: Hit, piece: QuotedPiece) -> tuple[Window, ...] | None:
    """Those of the question's times that the days of a dated row overlap; None for any other piece."""
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
    context = unite_words(split_words(f"{piece.context} {piece.text.removesuffix(piece.statement)}"))
    asked_words = terms.words - _LIGHT_WORDS
    if asked_words & _PAYMENTS and context & _PAYMENTS:
        asked_words -= _PAYMENTS
    has_asked = bool(terms.words - _LIGHT_WORDS) and asked_words <= context | unite_words(split_words(piece.statement))
    return has_asked and bool(times or asked_words)


def _join_like_rows(
    timed_pieces: Sequence[tuple[QuotedPiece, tuple[Window, ...] | None]], order: DayOrder | None
) -> list[tuple[QuotedPiece, tuple[Window, ...] | None]]:
    """The pieces, with rows joined that are asked for together.

    These are the listed rows of a table, unless the newest or the first is asked for, and rows of the times asked for
    that differ only in their day, as repeated events do.
    """
    result: list[tuple[QuotedPiece, tuple[Window, ...] | None]] = []
    index_by_key: dict[tuple[int, str, str], int] = {}
    for piece, row_times in timed_pieces:
        is_listed = piece.listed and not order
        if not (row_times or is_listed) or not piece.header:
            result.append((piece, row_times))
            continue
        rest = "" if is_listed else piece.statement.partition(piece.header)[2]
        key = (piece.hit, piece.text.rpartition("\n")[0], rest)
        index = index_by_key.setdefault(key, len(result))
        if index == len(result):
            result.append((piece, row_times))
        elif result[index][0].text.count("\n") < MAX_JOINED_ROWS:
            first = result[index][0]
            result[index] = replace(first, text=f"{first.text}\n{piece.statement}"), result[index][1]
    return result


def _order_by_days(question: Question, hits: Sequence[Hit], best: list[Extract], count: int) -> list[Extract]:
    """Quotations about the topic from the first entries that have most of its words, in order; none without `best`.

    Of a passage with dated rows, the newest or oldest of the rows that have most of them.
    """
    topic = parse_topic(question.rest)
    word_counts = [
        len(topic.match_words(hit.headed_text)) if hit.is_entry or hit.is_dated_by_rows else 0 for hit in hits
    ]
    numbers = [number for number, most in enumerate(word_counts) if most and most == max(word_counts)][:count]
    extracts = {extract.hit: extract for extract in reversed(best)}
    quotations = [(number, _quote_in_order(topic, hits[number], question.order)) for number in numbers]
    return (
        [replace(extracts.get(number, best[-1]), text=text, hit=number) for number, text in quotations] if best else []
    )


def _quote_in_order(topic: Topic, hit: Hit, order: DayOrder | None) -> str:
    """The words of an entry about a topic, or the header and the first row, by day, that has most words of it."""
    if not hit.is_dated_by_rows:
        return hit.text[slice(*topic.find_span(hit.text))]
    rows = [(row.days[0], hit.text[row.start - hit.start : row.end - hit.start]) for row in hit.rows if row.days]
    ordered_rows = sorted(rows, key=lambda row: row[0], reverse=order is DayOrder.NEWEST)
    return f"{hit.row_header}\n{max(ordered_rows, key=lambda row: len(topic.match_words(row[1])))[1]}"


def find_quoted_spans(hit: Hit, text: str) -> list[tuple[int, int]]:
    """The spans of a quotation in its document's text: the whole sentence, or the table's row and then its head."""
    lines = [text] if text in hit.text else [line for line in reversed(text.split("\n")) if line in hit.text]
    starts = [hit.start + hit.text.index(line) for line in lines]
    return [(start, start + len(line)) for start, line in zip(starts, lines, strict=True)]


def cite_quotations(hit: Hit, *texts: str) -> Citation:
    """The citation of quotations of a hit: it names the page of the first one's sentence, or the rows of all."""
    spans = [span for text in texts for span in find_quoted_spans(hit, text)]
    return hit.cite_spans(spans) if spans else hit.citation


def _select_best(
    question: Question,
    hits: Sequence[Hit],
    pieces: Sequence[QuotedPiece],
    scores: Mapping[int, tuple[CertaintyFeatures, float]],
    fits: Mapping[tuple[int, str], RowFit],
    count: int,
) -> list[Extract]:
    """The surest pieces, of equal ones the earlier; no statement twice, whichever passages have it.

    Beside a figure of the time asked for, the rows of that name in other documents are of other times.
    """
    figures: dict[str, str] = {}
    best: dict[str, Extract] = {}
    keys: set[tuple[str, str]] = set()
    for index, (features, probability) in sorted(scores.items(), key=lambda each: (-each[1][1], each[0])):
        piece, document = pieces[index], hits[pieces[index].hit].document_id
        key = (piece.hit, piece.text)
        fit = fits.get(key, RowFit())
        is_of_other_time = key not in fits and figures.get(piece.header, document) != document
        if len(best) < count and piece.key not in keys and not is_of_other_time:
            keys.add(piece.key)
            if fit.timed >= OF_TIME:
                figures.setdefault(piece.header, document)
            day = fit.day or _find_day(hits[piece.hit], piece) if asks_for_newest(question) else None
            extract = Extract(piece.text, piece.hit, probability, fit.scale, features, key in fits, day)
            best.setdefault(" ".join(piece.statement.split()), extract)
    return list(best.values())


def _find_day(hit: Hit, piece: QuotedPiece) -> date | None:
    """The last day of a dated row, or that of its line, entry or document."""
    if days := _find_row_days(hit, piece):
        return days[1] - DAY
    first = next(iter(tag(piece.statement, hit.citation.date, detect_language(piece.statement))), None)
    begins = first is not None and not any(map(str.isalnum, piece.statement[: first.start]))
    return first.start_date if first and begins and first.start_date else hit.citation.date


def select_newest(extracts: Sequence[Extract]) -> list[Extract]:
    """Those of the newest day of some that answer almost as surely as the surest; all where none has a day.

    Beside a figure only figures count, by the ends of their periods.
    """
    best = max(extracts, key=attrgetter("score"), default=None)
    near = [each for each in extracts if best and each.score >= NEWEST_SHARE * best.score]
    near = [each for each in near if best and each.figure == best.figure]
    newest = max((each.day for each in near if each.day), default=None)
    return [each for each in near if each.day == newest] if newest else list(extracts)


def _compute_features(
    question: Question,
    terms: AskedWords,
    hits: Sequence[Hit],
    pieces: Sequence[QuotedPiece],
    times: Sequence[tuple[Window, ...]],
    fits: Mapping[tuple[int, str], RowFit],
) -> list[CertaintyFeatures]:
    """The features of each piece, except its cosine; `times` are the asked times that its own days overlap."""
    question_words = get_answer_words(question.text)
    # A dated row may write its day in another way than the question: "2021-03-12", "on 12 March 2021".
    texts = [" ".join([piece.text, *(each.text for each in own)]) for piece, own in zip(pieces, times, strict=True)]
    piece_words = [frozenset(split_words(text)) for text in texts]
    weights = weigh_by_rarity(question_words, piece_words)
    kind = find_answer_type(question.text)
    # The score of a passage that only a lookup of figures found is not comparable.
    best = max((hit.score for hit in hits if hit.dense is not None or hit.keyword is not None), default=0.0) or 1.0
    heading_words = [split_words("\n".join((hit.citation.title, *hit.citation.section))) for hit in hits]
    hit_words = [frozenset(split_words(hit.headed_text)) for hit in hits]
    names = [
        _measure_names_share(question, hit, {*own, *text})
        for hit, own, text in zip(hits, heading_words, hit_words, strict=True)
    ]
    coverage = [
        compute_covered_share(weights, text, frozenset(own)) for own, text in zip(heading_words, hit_words, strict=True)
    ]
    phrases = frozenset(join_pairs(parse_words(without_frame(question.text))))
    item = frozenset[str]()
    if kind is AnswerType.CHANGE:
        # The words asked about that are neither names nor times: "debt" in "Did Harrow's debt shrink in 2022?".
        # A word in capitals is as often a measure (EPS) as a name.
        other_terms = [name for name in question.names if not name.isupper()]
        other_terms += [*(each.text for each in question.subjects), *(each.text for each in question.windows)]
        item = question_words - _MEASURES - frozenset(word for name in other_terms for word in split_words(name))
    features = []
    hit_asked = [terms.words & unite_words(words) for words in hit_words]
    best_labels = _measure_best_labels(terms, pieces)
    for piece, own, own_times in zip(pieces, piece_words, times, strict=True):
        key = (piece.hit, piece.text)
        fit, hit, header = fits.get(key, RowFit()), hits[piece.hit], frozenset(split_words(piece.header))
        # A dated row is asked for if its table has a column of the question: "the close on 12 March 2021".
        columns = frozenset(split_words(piece.text.removesuffix(piece.statement))) if own_times else frozenset()
        is_asked_row = bool(columns & question_words) or (bool(header) and header <= question_words)
        features.append(
            CertaintyFeatures(
                coverage=compute_covered_share(weights, own, frozenset(split_words(piece.context))),
                answer_type=fits_type(kind, question.text, piece.statement),
                # A figure of another quarter of the year that is asked for is of another time.
                times=-1.0
                if key in fits and question.windows and not fit.timed
                else fits_times(question, piece.text) or 0.5 * fits_times(question, piece.context),
                names=names[piece.hit],
                rank=0.0 if key in fits else min(hit.score / best, 1.0),
                relevance=max(hit.dense or 0.0, 0.0),
                passage=coverage[piece.hit],
                phrases=len(phrases.intersection(join_pairs(parse_words(piece.text)))) / len(phrases)
                if phrases
                else 0.0,
                label=float(is_asked_row and any(map(str.isdigit, piece.statement))),
                called=fit.called,
                timed=fit.timed,
                margin=fit.margin,
                change=0.0 if piece.header else states_change(question.text, item, piece.statement),
                complete=0.0
                if piece.header
                else _measure_completeness(terms, question, hit, piece, own, hit_words[piece.hit]),
                stated=0.0
                if key in fits
                else _states_row_value(terms, question, piece)
                if piece.header
                else _states_value(terms, question, hit, piece, hit_asked[piece.hit], best_labels[piece.hit]),
            )
        )
    return features


def _measure_best_labels(terms: AskedWords, pieces: Sequence[QuotedPiece]) -> dict[int, int]:
    """The most words of a label that are asked for, by the index of the hit."""
    best: dict[int, int] = {}
    for piece in pieces:
        is_naming = piece.label and terms.are_named_by(piece.label)
        count = len(terms.words & unite_words(split_words(piece.label))) if is_naming else 0
        best[piece.hit] = max(best.get(piece.hit, 0), count)
    return best


def _measure_completeness(
    terms: AskedWords, question: Question, hit: Hit, piece: QuotedPiece, own: frozenset[str], hit_words: frozenset[str]
) -> float:
    """1 if a sentence has, with its title and section, all that is asked for and an answer of the type, else 0.

    The words of the time that is asked for count too. Names may be anywhere in the passage.
    """
    words, context = unite_words(own), unite_words(split_words(piece.context))
    names = unite_words(hit_words.intersection(split_words(" ".join(question.names))))
    is_typed = fits_type(terms.kind, question.text, piece.text) >= 0
    is_typed = is_typed or (terms.kind is AnswerType.DATE and hit.is_entry)
    if not is_typed or not terms.has_topic(words) or not terms.are_within(words, context, names):
        return 0.0
    return float(terms.time_words <= words | context and fits_times(question, piece.text) >= 0)


def _states_value(
    terms: AskedWords, question: Question, hit: Hit, piece: QuotedPiece, hit_asked: frozenset[str], most: int
) -> float:
    """How much of the label of a value is asked for, if its passage has all other words of the question, else 0."""
    label_words = unite_words(split_words(piece.label))
    value = piece.text.partition(":")[2] or piece.text.partition("：")[2]
    is_best = len(terms.words & label_words) == most > 0 and terms.are_named_by(piece.label)
    context = unite_words((*split_words(piece.context), "number" if any(map(str.isdigit, value)) else ""))
    is_within = is_best and terms.are_within(hit_asked, label_words, context)
    is_fitting = is_within and fits_type(terms.kind, question.text, value) >= 0
    return terms.measure_label(piece.label) if is_fitting and fits_times(question, hit.headed_text) >= 0 else 0.0


def _states_row_value(terms: AskedWords, question: Question, piece: QuotedPiece) -> float:
    """How much of the names of a row's cells and columns is asked for, if they have all words of the question."""
    if piece.listed or question.windows:
        return float(piece.listed)
    heads = [piece.text.removesuffix(piece.statement).strip().rpartition("\n")[2], piece.statement]
    columns, cells = ([cell.strip() for cell in BAR.split(line)[1:-1]] for line in heads)
    named_cells = [cell for cell in cells if terms.measure_label(cell) == 1.0]
    named_columns = [column for column in columns if terms.measure_label(column)]
    named_words = [unite_words(split_words(each)) for each in (*named_cells, *named_columns)]
    values = [cell for cell in cells if cell and cell not in named_cells]
    if not named_cells or not terms.are_within(*named_words, unite_words(split_words(piece.context))):
        return 0.0
    return float(any(fits_type(terms.kind, question.text, f" {each}") >= 0 for each in values))


def _measure_names_share(question: Question, hit: Hit, hit_words: Collection[str]) -> float:
    """The share of the question's names that a passage has; the subject of its document counts as present."""
    subjects = [subject for subject in question.subjects if subject.documents]
    # Documents spell abbreviations out.
    other_names = [
        name
        for name in question.names
        if not name.isupper() and not any(name in each.text or each.text in name for each in subjects)
    ]
    is_present = [
        *(hit.document_id in subject.documents for subject in subjects),
        *(set(split_words(name)) <= set(hit_words) for name in other_names),
    ]
    return sum(is_present) / len(is_present) if is_present else 1.0
