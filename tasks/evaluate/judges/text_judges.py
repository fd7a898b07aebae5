"""Judges that compare a hit's passage with the gold: by place, by words, by words or vectors."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.embedders.embedder import Embedder, embed_question
from tasks.evaluate.answers import AnswerSpan, HitAnswer, Judge
from tasks.evaluate.dataset import Gold
from tasks.evaluate.gold_locator import squeeze_text

MIN_SHARED_PART = 0.5
"""As a share of the shorter one: a passage may have the gold with much else, or be a part of a long gold."""


def _shares_span(gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
    """Whether passage and gold span are mostly the same stretch of text; passages that say the same also count.

    It compares places and needs no words.
    """
    if gold.span is None:
        return [False] * len(answers)
    gold_span = AnswerSpan(gold.document, *gold.span)
    return [
        any(
            gold_span.count_common(place) >= max(1.0, MIN_SHARED_PART * min(gold_span.length, place.length))
            for place in answer.places
        )
        for answer in answers
    ]


def _holds_words(gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
    """Whether the passage has all words of the gold, wherever in the document it is."""
    words = squeeze_text(gold.text)
    return [words in squeeze_text(answer.text) for answer in answers]


BAR = 0.85


def _is_similar(gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
    """Whether the passage has the words of the gold, or its nearest window is near the gold's vector.

    The ablation bench that Kalends continues counts a substring or a cosine above 0.85 as a hit. It is kept for
    comparison with figures from there: the model that searches also judges, so it overrates itself.
    """
    vector = embed_question(embedder, gold.text)
    return [
        has_words or float((embedder.embed(embedder.cut_windows("", answer.text)) @ vector).max()) > BAR
        for answer, has_words in zip(answers, _holds_words(gold, answers, embedder), strict=True)
    ]


members = {
    "span": Judge("its passage and the gold span share at least half of the shorter of the two", _shares_span),
    "substring": Judge(
        "its passage holds all words of the gold text, in order (white space, signs and case aside)", _holds_words
    ),
    "similarity": Judge(
        f"its passage holds the gold text or is nearer to it than cosine {BAR} (the reference's judge)", _is_similar
    ),
}
