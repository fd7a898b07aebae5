"""An honest answer without a language model: the sentences and table rows that say most about the question.

Extractive: nothing is written, everything stands word for word in the passages. Each quotation says how surely it
answers (`tasks.ask.certainty`), so that nobody takes the nearest words for an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tasks.ask.certainty import (
    AnswerType,
    CertaintyFeatures,
    answer_type,
    fits_times,
    fits_type,
    states_change,
    weights_for,
)
from tasks.ask.passage_units import QuotedPiece, split_pieces
from tasks.embedders.embedder import Embedder, vectors_of
from tasks.query.question_words import answer_words, covered_share, weigh_by_rarity, without_frame
from warehouse.records import Citation, Hit, Question
from warehouse.search.search import wants_references
from warehouse.store.words import pairs, read, words

_MEASURES = frozenset(words("far percent percentage points"))
"""Words that ask for the measure of a change and name nothing that changes."""
TOGETHER = 16
"""Pieces that are embedded at once, the most promising first."""


@dataclass(frozen=True, slots=True)
class Extract:
    """A quotation from the passage of hit number `hit` (from 0): a sentence, or a table's head and one of its rows.

    `score` in (0, 1) is how surely it answers. `scale` says what its figures are in, where its own words do not: "in
    millions of USD".
    """

    text: str
    hit: int
    score: float
    scale: str = ""
    signs: CertaintyFeatures = field(default_factory=CertaintyFeatures)
    figure: bool = False


@dataclass(frozen=True, slots=True)
class RowFit:
    """A table row that a lookup of figures found: how well it is called and timed, its lead over the others, its scale.

    The lookup is `tasks.ask.figures`; `called` and `timed` are in [0, 1], `margin` is below 0 for all but the
    best row.
    """

    called: float
    timed: float
    margin: float
    scale: str = ""


def find_extracts(
    question: Question,
    hits: Sequence[Hit],
    embedder: Embedder,
    count: int = 3,
    fits: Mapping[tuple[int, str], RowFit] | None = None,
) -> list[Extract]:
    """At most `count` sentences and table rows of the hits, the surest answer first.

    `fits` are rows that a lookup of figures found, by number of the hit and text of the piece. Whatever could not be
    among them with a cosine of 1 is not embedded. Of rows with one header and head, the best alone is given.
    Reference lists are quoted only where they are asked for.
    """
    fits = fits or {}
    listed = wants_references(question)
    found = [
        piece
        for number, hit in enumerate(hits)
        if listed or not hit.is_references
        for piece in split_pieces(hit, number)
    ]
    signs = _signs(question, hits, found, fits)
    figure = [(piece.hit, piece.text) in fits for piece in found]
    models = [weights_for(question, is_row=bool(p.header), is_figure=f) for p, f in zip(found, figure, strict=True)]
    most = np.array([model.probability(replace(s, cosine=1.0)) for model, s in zip(models, signs, strict=True)])
    order = np.argsort(-most, kind="stable")
    best: list[Extract] = []
    scored: dict[int, tuple[CertaintyFeatures, float]] = {}
    for batch in np.split(order, range(TOGETHER, len(order), TOGETHER)):
        if not len(batch) or (len(best) == count and most[batch[0]] < best[-1].score):
            break
        near = _cosines(question, [found[index] for index in batch], embedder)
        for index, cosine in zip(batch.tolist(), near.tolist(), strict=True):
            seen = replace(signs[index], cosine=max(cosine, 0.0))
            scored[index] = seen, models[index].probability(seen)
        best = _best(found, scored, figure, fits, count)
    return best


def quoted_spans(hit: Hit, text: str) -> list[tuple[int, int]]:
    """Where a quotation stands in its document's text: a sentence whole, of a table the row before its head."""
    lines = [text] if text in hit.text else [line for line in reversed(text.split("\n")) if line in hit.text]
    starts = [hit.start + hit.text.index(line) for line in lines]
    return [(start, start + len(line)) for start, line in zip(starts, lines, strict=True)]


def citation_of(hit: Hit, text: str) -> Citation:
    """The citation of a quotation: it names the page of the sentence or row."""
    return next((hit.citation_at(start) for start, _ in quoted_spans(hit, text)), hit.citation)


def _best(
    found: Sequence[QuotedPiece],
    scored: Mapping[int, tuple[CertaintyFeatures, float]],
    figure: Sequence[bool],
    fits: Mapping[tuple[int, str], RowFit],
    count: int,
) -> list[Extract]:
    """The surest; of equal ones the earlier piece; nothing twice, whichever passages say it."""
    best: dict[str, Extract] = {}
    keys: set[tuple[str, str]] = set()
    for index, (signs, probability) in sorted(scored.items(), key=lambda each: (-each[1][1], each[0])):
        piece = found[index]
        if len(best) < count and piece.key not in keys:
            keys.add(piece.key)
            said = " ".join(piece.text.rpartition("\n")[2].split() if piece.header else piece.text.split())
            scale = fits[piece.hit, piece.text].scale if figure[index] else ""
            best.setdefault(said, Extract(piece.text, piece.hit, probability, scale, signs, figure[index]))
    return list(best.values())


def _signs(
    question: Question, hits: Sequence[Hit], found: Sequence[QuotedPiece], fits: Mapping[tuple[int, str], RowFit]
) -> list[CertaintyFeatures]:
    """What is seen of each piece without its cosine."""
    asked = answer_words(question.text)
    held = [frozenset(words(piece.text)) for piece in found]
    weights = weigh_by_rarity(asked, held)
    kind = answer_type(question.text)
    # The score of a passage that only a lookup of figures found is of another kind.
    best = max((hit.score for hit in hits if hit.dense is not None or hit.keyword is not None), default=0.0) or 1.0
    named = [_names(question, hit) for hit in hits]
    near = [max(hit.dense or 0.0, 0.0) for hit in hits]
    whole = [covered_share(weights, frozenset(words(hit.text)), frozenset(_above(hit))) for hit in hits]
    phrases = frozenset(pairs(read(without_frame(question.text))))
    item = _item(question, asked) if kind is AnswerType.CHANGE else frozenset[str]()
    signs = []
    for piece, own in zip(found, held, strict=True):
        fit = fits.get((piece.hit, piece.text))
        said = piece.text.rpartition("\n")[2] if piece.header else piece.text
        signs.append(
            CertaintyFeatures(
                coverage=covered_share(weights, own, frozenset(words(piece.context))),
                answer_type=fits_type(kind, question.text, said),
                times=fits_times(question, piece.text) or 0.5 * fits_times(question, piece.context),
                names=named[piece.hit],
                rank=0.0 if fit else min(hits[piece.hit].score / best, 1.0),
                relevance=near[piece.hit],
                passage=whole[piece.hit],
                phrases=len(phrases.intersection(pairs(read(piece.text)))) / len(phrases) if phrases else 0.0,
                label=float(_is_asked_row(piece, asked)),
                called=fit.called if fit else 0.0,
                timed=fit.timed if fit else 0.0,
                margin=fit.margin if fit else 0.0,
                change=0.0 if piece.header else states_change(question.text, item, said),
            )
        )
    return signs


def _item(question: Question, asked: frozenset[str]) -> frozenset[str]:
    """What of the words asked about is neither a name nor a time: "debt" of "Did Harrow's debt shrink in 2022?"."""
    # What is written in capitals alone is as often a measure (EPS) as a name.
    named = [name for name in question.names if not name.isupper()]
    names = (*named, *(each.text for each in question.subjects), *(each.text for each in question.windows))
    return asked - _MEASURES - frozenset(word for name in names for word in words(name))


def _above(hit: Hit) -> list[str]:
    return words("\n".join((hit.citation.title, *hit.citation.section)))


def _names(question: Question, hit: Hit) -> float:
    """The share of the names that a question asks for which a passage has; its document's subject counts as had."""
    own = [subject for subject in question.subjects if subject.documents]
    about = [hit.document_id in subject.documents for subject in own]
    # Documents write abbreviations out.
    others = [
        name
        for name in question.names
        if not name.isupper() and not any(name in each.text or each.text in name for each in own)
    ]
    text = frozenset([*_above(hit), *words(hit.text)])
    had = [*about, *(set(words(name)) <= text for name in others)]
    return sum(had) / len(had) if had else 1.0


def _cosines(question: Question, found: Sequence[QuotedPiece], embedder: Embedder) -> np.ndarray:
    """Of sentences as they are, of rows below their title and section, without which they say little."""
    shown = [f"{piece.context}\n{piece.text}" if piece.header else piece.text for piece in found]
    first = [next(iter(embedder.windows("", text)), text) for text in shown]
    cosines: np.ndarray = vectors_of(embedder, first) @ question.vector
    return cosines


def _is_asked_row(piece: QuotedPiece, asked: frozenset[str]) -> bool:
    header = frozenset(words(piece.header))
    row = piece.text.rpartition("\n")[2]
    return bool(header) and header <= asked and any(char.isdigit() for char in row)
