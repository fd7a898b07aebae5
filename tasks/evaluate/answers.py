"""From hits to ranked lists that a measure can judge: of documents, and of the hits themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tasks.evaluate.contract import Judged


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """A half-open span of the canonical text of a document, which has its name in the corpus."""

    document: str
    start: int
    end: int

    @property
    def length(self) -> int:
        """In characters."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class HitAnswer:
    """What a hit shows: a document, by its name in the corpus, and the pages that its passage stands on.

    `text` are the words of the passage, `places` where it stands, its own place first, then those of passages that say
    the same; `excerpt` is the part that a reader is shown. `golds` are the places of gold that it answers with, by
    their numbers in the question, as a judge has it.
    """

    document: str
    pages: tuple[int, ...] = ()
    text: str = ""
    places: tuple[AnswerSpan, ...] = ()
    excerpt: AnswerSpan | None = None
    golds: frozenset[int] = frozenset()


def others(question: Judged, answers: Iterable[HitAnswer]) -> list[HitAnswer]:
    """The answers that are not the question itself.

    Some corpora hold their questions as documents; BEIR leaves those out of the results (`ignore_identical_ids`), and
    so does this, except where the question is judged to answer itself.
    """
    own = {question.name} - {gold.document for gold in question.gold}
    return [answer for answer in answers if answer.document not in own]


def ranked_documents(answers: Iterable[HitAnswer]) -> list[str]:
    """Documents in order of their best passage."""
    return list(dict.fromkeys(answer.document for answer in answers))


def ranked_hits(wanted: Collection[str], shown: Sequence[Sequence[str]]) -> list[str]:
    """A name a hit: the first that is `wanted` of those it shows and that none before it showed, else one of its own.

    So a hit counts once whatever it shows, and takes a rank though it shows nothing that is wanted.
    """
    left = set(wanted)
    ranked = []
    for rank, names in enumerate(shown):
        found = next((name for name in names if name in left), f"#{rank}")
        left.discard(found)
        ranked.append(found)
    return ranked


def ranked_golds(wanted: Collection[int], answers: Sequence[HitAnswer]) -> tuple[list[str], list[str]]:
    """The names of what can be found, and a name a hit: what one hit is the first to show has one name together."""
    left, found, ranked = set(wanted), [], []
    for rank, answer in enumerate(answers):
        fresh = answer.golds & left
        left -= fresh
        ranked.append(f"gold {min(fresh)}" if fresh else f"#{rank}")
        found += [ranked[-1]] if fresh else []
    return [*found, *(f"gold {number}" for number in sorted(left))], ranked


def page_names(document: str, pages: Iterable[int | None]) -> list[str]:
    """The names of pages in a ranked list."""
    return [f"{document}#{page}" for page in pages]
