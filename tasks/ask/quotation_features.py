"""Features of quotations for `tasks.ask.certainty`: how much of what is asked for they have, and name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tasks.ask.certainty import CertaintyFeatures
from tasks.ask.expected_answers import (
    PAYMENTS,
    AnswerType,
    AskedWords,
    asks_about_person,
    fits_times,
    fits_type,
    get_canonical_words,
    states_change,
)
from tasks.ask.passage_units import QuotedPiece
from tasks.parsers.language import detect_language
from tasks.query.question_parser import compute_covered_share, get_answer_words, weigh_by_rarity, without_frame
from tasks.temporal.tagger import tag
from warehouse.records import Hit, Question, Window
from warehouse.store.words import join_pairs, parse_words, split_words
from warehouse.table_notation import BAR

_CHANGE_SIZE_WORDS = frozenset(split_words("far percent percentage points"))
"""Words that ask for the size of a change and do not name the item that changes."""


@dataclass(frozen=True, slots=True)
class RowFit:
    """A table row found by a lookup of figures: how well its label and time fit, how much better than others, scale.

    The lookup is `tasks.ask.figures`; `label_fit` and `time_fit` are in [0, 1], `margin` is below 0 for all but the
    best row. `day` is the end of the figure's period.
    """

    label_fit: float = 0.0
    time_fit: float = 0.0
    margin: float = 0.0
    scale: str = ""
    day: date | None = None


def compute_features(
    question: Question,
    terms: AskedWords,
    hits: Sequence[Hit],
    pieces: Sequence[QuotedPiece],
    times: Sequence[tuple[Window, ...]],
    fits: Mapping[tuple[int, str], RowFit],
) -> list[CertaintyFeatures]:
    """The features of each piece, except its cosine; `times` are the asked times that its days overlap."""
    question_words = get_answer_words(question.text)
    piece_words = _split_pieces_with_times(pieces, times)
    weights = weigh_by_rarity(question_words, piece_words)
    # The score of a passage that only a lookup of figures found is not comparable.
    best = max((hit.score for hit in hits if hit.dense is not None or hit.keyword is not None), default=0.0) or 1.0
    passages = [_measure_passage(question, hit, weights) for hit in hits]
    hit_words = [passage.words for passage in passages]
    phrases = frozenset(join_pairs(parse_words(without_frame(question.text))))
    is_change = terms.kind is AnswerType.CHANGE
    item = _find_changing_item(question, question_words) if is_change else frozenset[str]()
    labels = _measure_labels(terms, question, pieces)
    named_rows = _find_named_rows(terms, question, pieces, hit_words)
    features = []
    for index, (piece, words_of_piece, piece_times) in enumerate(zip(pieces, piece_words, times, strict=True)):
        key = (piece.hit, piece.text)
        fit, hit = fits.get(key, RowFit()), hits[piece.hit]
        # A figure of another quarter of the asked year is of another time.
        is_of_other_time = key in fits and question.windows and not fit.time_fit
        complete = value_fit = change = 0.0
        if piece.header:
            is_named = index in named_rows
            value_fit = 0.0 if key in fits else _states_row_value(terms, question, piece, is_named=is_named)
        else:
            change = states_change(question.text, item, piece.statement)
            complete = _measure_completeness(terms, question, hit, piece, words_of_piece, hit_words[piece.hit])
            value_fit = _states_value(terms, question, hit, piece, hit_words[piece.hit], labels[index])
        features.append(
            CertaintyFeatures(
                coverage=compute_covered_share(weights, words_of_piece, frozenset(split_words(piece.context))),
                answer_type=fits_type(terms.kind, question.text, piece.statement),
                times=-1.0
                if is_of_other_time
                else fits_times(question, piece.text) or 0.5 * fits_times(question, piece.context),
                names=passages[piece.hit].names,
                rank=0.0 if key in fits else min(hit.score / best, 1.0),
                relevance=max(hit.dense or 0.0, 0.0),
                passage=passages[piece.hit].coverage,
                phrases=len(phrases.intersection(join_pairs(parse_words(piece.text)))) / (len(phrases) or 1),
                label=float(_is_asked_row(piece, question_words, is_of_time=bool(piece_times))),
                label_fit=fit.label_fit,
                time_fit=fit.time_fit,
                margin=fit.margin,
                change=change,
                complete=complete,
                value_fit=value_fit,
            )
        )
    return features


def _split_pieces_with_times(
    pieces: Sequence[QuotedPiece], times: Sequence[tuple[Window, ...]]
) -> list[frozenset[str]]:
    """The words of each piece, with those of the asked times that its days overlap.

    A dated row may write its day in another way than the question: "2021-03-12", "on 12 March 2021".
    """
    texts = [
        " ".join([piece.text, *(time.text for time in piece_times)])
        for piece, piece_times in zip(pieces, times, strict=True)
    ]
    return [frozenset(split_words(text)) for text in texts]


def _is_asked_row(piece: QuotedPiece, question_words: frozenset[str], *, is_of_time: bool) -> bool:
    """Whether a row has figures, and only words of the question as its header.

    A dated row of the time is asked for if its table has a column of the question: "the close on 12 March 2021".
    """
    header = frozenset(split_words(piece.header))
    columns = frozenset(split_words(piece.text.removesuffix(piece.statement))) if is_of_time else frozenset()
    is_named = bool(columns & question_words) or (bool(header) and header <= question_words)
    return is_named and any(map(str.isdigit, piece.statement))


@dataclass(frozen=True, slots=True)
class _PassageFit:
    """The words of a passage, the share of the names asked for that it has, and its coverage of the question."""

    words: frozenset[str]
    names: float
    coverage: float


def _measure_passage(question: Question, hit: Hit, weights: Mapping[str, float]) -> _PassageFit:
    words = frozenset(split_words(hit.headed_text))
    headings = frozenset(split_words("\n".join((hit.citation.title, *hit.citation.section))))
    coverage = compute_covered_share(weights, words, headings)
    return _PassageFit(words, _measure_names_share(question, hit, words | headings), coverage)


def _find_changing_item(question: Question, question_words: frozenset[str]) -> frozenset[str]:
    """The words of what a question says to change, without names and times: "debt" in "Did Harrow's debt shrink?"."""
    # A word in capitals is as often a measure (EPS) as a name.
    other_terms = [name for name in question.names if not name.isupper()]
    other_terms += [*(subject.text for subject in question.subjects), *(window.text for window in question.windows)]
    return question_words - _CHANGE_SIZE_WORDS - frozenset(word for name in other_terms for word in split_words(name))


def _measure_labels(terms: AskedWords, question: Question, pieces: Sequence[QuotedPiece]) -> list[float]:
    """The share of the asked words that the label of each piece has, relative to the best label of its passage.

    Only labels of values of the asked type count: "Extra charge: £12" next to "Due on: 3 May" is not a time. A
    word counts the less the more labels of the passage have it: "due" in "Due date" distinguishes more in a bill than
    "bill".
    """
    label_words = [
        terms.words & get_canonical_words(split_words(piece.label))
        if terms.names_asked_value(piece.label)
        else frozenset()
        for piece in pieces
    ]
    counts = Counter((piece.hit, word) for piece, words in zip(pieces, label_words, strict=True) for word in words)
    label_words = [
        words if words and fits_type(terms.kind, question.text, piece.value) >= 0 else frozenset()
        for piece, words in zip(pieces, label_words, strict=True)
    ]
    weights = [
        sum(1 / counts[piece.hit, word] for word in sorted(words))
        for piece, words in zip(pieces, label_words, strict=True)
    ]
    best: defaultdict[int, float] = defaultdict(float)
    for piece, weight in zip(pieces, weights, strict=True):
        best[piece.hit] = max(best[piece.hit], weight)
    return [weight / best[piece.hit] if weight else 0.0 for piece, weight in zip(pieces, weights, strict=True)]


def _find_named_rows(
    terms: AskedWords, question: Question, pieces: Sequence[QuotedPiece], hit_words: Sequence[frozenset[str]]
) -> set[int]:
    """The rows of tables, by index, that alone have most of the words asked for, none of which is missing.

    Words may also be in the head, title or section; names, and words of paying in a list of amounts, anywhere.
    """
    rows_by_table: defaultdict[tuple[int, str], list[tuple[int, frozenset[str]]]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        if piece.header:
            row = (index, terms.words & get_canonical_words(split_words(piece.statement)))
            rows_by_table[piece.hit, piece.text.removesuffix(piece.statement)].append(row)
    name_words = frozenset(split_words(" ".join(question.names)))
    named_rows = set()
    for (hit, head), rows in rows_by_table.items():
        most_words = max(len(words) for _, words in rows)
        best = [(index, words) for index, words in rows if len(words) == most_words > 0]
        head_words = get_canonical_words(split_words(f"{head} {pieces[rows[0][0]].context}"))
        payment_words = PAYMENTS if head_words & PAYMENTS else frozenset()
        names = get_canonical_words(hit_words[hit] & name_words)
        if len(best) == 1 and terms.has_all_words(best[0][1], head_words, names, payment_words):
            named_rows.add(best[0][0])
    return named_rows


def _measure_completeness(
    terms: AskedWords,
    question: Question,
    hit: Hit,
    piece: QuotedPiece,
    piece_words: frozenset[str],
    hit_words: frozenset[str],
) -> float:
    """1 if a sentence has, with its title and section, all words asked for and an answer of the type, else 0.

    The words of the asked time count too. Names may be anywhere in the passage, except where a possession or property
    of a person is asked for, and what a pronoun refers to in the previous sentence.
    """
    words, context = get_canonical_words(piece_words), get_canonical_words(split_words(piece.context))
    if terms.names_other_value(piece.label):
        return 0.0
    context |= get_canonical_words(split_words(piece.antecedent))
    name_words = () if asks_about_person(question.text) else split_words(" ".join(question.names))
    names = get_canonical_words(hit_words.intersection(name_words))
    is_typed = fits_type(terms.kind, question.text, piece.text) >= 0
    is_typed = is_typed or (terms.kind is AnswerType.DATE and hit.is_entry)
    implied_words = terms.list_implied_words(question.text, piece.text)
    if not is_typed or not terms.has_topic(words) or not terms.has_all_words(words, context, names, implied_words):
        return 0.0
    year_fit = fits_times(question, piece.text)
    is_of_time = terms.time_words <= words | context or (year_fit > 0 and _names_times(question, hit, piece))
    return float(is_of_time and year_fit >= 0)


def _names_times(question: Question, hit: Hit, piece: QuotedPiece) -> bool:
    """Whether a sentence names days within each of the times asked for: "at June 30" for "the end of June"."""
    mentions = tag(piece.text, hit.citation.date, detect_language(piece.text))
    spans = [(mention.start_date, mention.end_date) for mention in mentions if mention.start_date and mention.end_date]
    return all(
        any((not time.start or start >= time.start) and (not time.end or end <= time.end) for start, end in spans)
        for time in question.named_times
    )


def _states_value(
    terms: AskedWords, question: Question, hit: Hit, piece: QuotedPiece, hit_words: frozenset[str], label_share: float
) -> float:
    """How much of the label of a value is asked for, if its passage has all other words of the question, else 0."""
    label_words = get_canonical_words(split_words(piece.label))
    context = get_canonical_words((*split_words(piece.context), "number" if any(map(str.isdigit, piece.value)) else ""))
    is_within = label_share > 1 - 1e-9 and terms.has_all_words(get_canonical_words(hit_words), label_words, context)
    is_fitting = is_within and fits_type(terms.kind, question.text, piece.value) >= 0
    return terms.measure_label(piece.label) if is_fitting and fits_times(question, hit.headed_text) >= 0 else 0.0


def _states_row_value(terms: AskedWords, question: Question, piece: QuotedPiece, *, is_named: bool) -> float:
    """1 if a row answers a question without a time: it alone is named, or its cells and columns have all words."""
    if piece.is_listed or question.named_times:
        return float(piece.is_listed)
    if is_named and fits_type(terms.kind, question.text, piece.statement) >= 0:
        return 1.0
    heads = [piece.text.removesuffix(piece.statement).strip().rpartition("\n")[2], piece.statement]
    columns, cells = ([cell.strip() for cell in BAR.split(line)[1:-1]] for line in heads)
    named_cells = [cell for cell in cells if terms.measure_label(cell) == 1.0]
    named_columns = [column for column in columns if terms.measure_label(column)]
    named_words = [get_canonical_words(split_words(cell)) for cell in (*named_cells, *named_columns)]
    values = [cell for cell in cells if cell and cell not in named_cells]
    if not named_cells or not terms.has_all_words(*named_words, get_canonical_words(split_words(piece.context))):
        return 0.0
    return float(any(fits_type(terms.kind, question.text, f" {value}") >= 0 for value in values))


def _measure_names_share(question: Question, hit: Hit, hit_words: Collection[str]) -> float:
    """The share of the question's names that a passage has; the subject of its document counts as present."""
    subjects = [subject for subject in question.subjects if subject.documents]
    # Documents spell abbreviations out.
    other_names = [
        name
        for name in question.names
        if not name.isupper() and not any(name in subject.text or subject.text in name for subject in subjects)
    ]
    is_present = [
        *(hit.document_id in subject.documents for subject in subjects),
        *(set(split_words(name)) <= set(hit_words) for name in other_names),
    ]
    return sum(is_present) / len(is_present) if is_present else 1.0
