"""From hits to ranked lists that a measure can judge: of documents, and of the hits themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tasks.evaluate.contract import Judged


@dataclass(frozen=True, slots=True)
class Answer:
    """What a hit shows: a document, by its name in the corpus, and the pages that its passage stands on."""

    document: str
    pages: tuple[int, ...] = ()


def others(question: Judged, answers: Iterable[Answer]) -> list[Answer]:
    """The answers that are not the question itself.

    Some corpora hold their questions as documents; BEIR leaves those out of the results (`ignore_identical_ids`), and
    so does this, except where the question is judged to answer itself.
    """
    own = {question.name} - {gold.document for gold in question.gold}
    return [answer for answer in answers if answer.document not in own]


def ranked_documents(answers: Iterable[Answer]) -> list[str]:
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


def page_names(document: str, pages: Iterable[int | None]) -> list[str]:
    """The names of pages in a ranked list."""
    return [f"{document}#{page}" for page in pages]
