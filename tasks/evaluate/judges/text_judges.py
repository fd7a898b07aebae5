"""Judges that compare a hit's passage with the gold: by position, by text, by text or vectors."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.embedders.embedder import Embedder, embed_question
from tasks.evaluate.answers import AnswerSpan, HitAnswer, Judge
from tasks.evaluate.dataset import Gold
from tasks.evaluate.gold_locator import squeeze_text

MIN_SHARED_SHARE = 0.5
"""As a share of the shorter one: a passage may contain the gold and more, or be a part of a long gold."""


def _shares_span(gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
    """Whether passage and gold span are mostly the same stretch of text; passages with the same text also count.

    It compares places and needs no words.
    """
    if gold.span is None:
        return [False] * len(answers)
    gold_span = AnswerSpan(gold.document, *gold.span)
    return [
        any(
            gold_span.count_common(place) >= max(1.0, MIN_SHARED_SHARE * min(gold_span.length, place.length))
            for place in answer.places
        )
        for answer in answers
    ]


def _contains_text(gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
    """Whether the passage contains the text of the gold, wherever in the document it is."""
    words = squeeze_text(gold.text)
    return [words in squeeze_text(answer.text) for answer in answers]


MIN_COSINE = 0.85


def _is_near(gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
    """Whether the passage contains the text of the gold, or one of its windows is similar to it.

    The ablation bench before Kalends counts a substring or a cosine above 0.85 as a hit. It is kept to compare figures
    with those: the model that searches also judges, so it overrates itself.
    """
    vector = embed_question(embedder, gold.text)
    return [
        has_text or float((embedder.embed(embedder.cut_windows("", answer.text)) @ vector).max()) > MIN_COSINE
        for answer, has_text in zip(answers, _contains_text(gold, answers, embedder), strict=True)
    ]


members = {
    "span": Judge("its passage and the gold span share at least half of the shorter of the two", _shares_span),
    "substring": Judge(
        "its passage holds all words of the gold text, in order (white space, signs and case aside)", _contains_text
    ),
    "similarity": Judge(
        f"its passage holds the gold text or is nearer to it than cosine {MIN_COSINE} (the reference's judge)", _is_near
    ),
}
