"""Which hits answer a question: what a judge promises, and the answers with its judgement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tasks.embedders.embedder import Embedder
from tasks.evaluate.answers import HitAnswer
from tasks.evaluate.contract import Gold, Judged
from warehouse.registry import Family

DEFAULT = "span"


class Judge(Protocol):
    """Says which hits answer with the words of a piece of gold."""

    says: str
    """When a hit counts, in words that end "a hit counts where …"."""

    def shown(self, gold: Gold, answers: Sequence[HitAnswer], embedder: Embedder) -> list[bool]:
        """One for each answer. `gold` has a text, and a span."""


JUDGES: Family[Judge] = Family("tasks.evaluate.judges", "judge of hits")


def judged(question: Judged, answers: Sequence[HitAnswer], judge: Judge, embedder: Embedder) -> list[HitAnswer]:
    """The answers, each with the gold that it answers with.

    Gold without words is its page, or its document where no page is known: nobody needs a judge for it. Gold whose
    words are not found in the documents is left out of account.
    """
    golds: list[set[int]] = [set() for _ in answers]
    for number, gold in enumerate(question.gold):
        if gold.known:
            shown = judge.shown(gold, answers, embedder) if gold.text else [_is_there(gold, each) for each in answers]
            for place, right in enumerate(shown):
                golds[place] |= {number} if right else set()
    return [replace(answer, golds=frozenset(each)) for answer, each in zip(answers, golds, strict=True)]


def _is_there(gold: Gold, answer: HitAnswer) -> bool:
    return gold.document == answer.document and (gold.page is None or gold.page in answer.pages)
