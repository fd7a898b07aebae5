"""Which paper, course, note or report a question describes, by the words and the meaning of its title."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tasks.ask.descriptions import Description, descriptions
from tasks.ask.question_words import content_words
from warehouse.search.catalogue import Called, Catalogue
from warehouse.search.name_variants import tokens

ENOUGH = 0.5
"""The least mean of a title's cosine with a description and of the part of the description's words that it holds.

Chosen with `CLEAR` on 91 descriptions made up for titles of papers, courses and notes, each asked of the collection
with 994 titles more and once more without the one that is meant; of 38 made up afterwards it found 76 %, and 97 % of
what it assumed was right. The cosines are MiniLM's.
"""
CLEAR = 0.15
"""By how much the best title must be better than the next."""

Nearness = Callable[[str], Mapping[str, float]]
"""The cosine of some words with the nearest title of each document, by its id; for documents that have vectors."""


@dataclass(frozen=True, slots=True)
class Match:
    """The words of a question that describe a document, those that say by whom it is, and how well it fits, to 1."""

    text: str
    by: str
    document: Called
    fit: float


def described(question: str, catalogue: Catalogue, near: Nearness) -> Iterator[Match]:
    """The document of each description whose title fits it clearly best."""
    for description in descriptions(question):
        of_kind = [each for each in catalogue.documents.values() if description.kind in (each.kind, None)]
        known = _by(description.by, of_kind)
        found = [best for text in description.texts if (best := _best(text, description, known, catalogue, near))]
        if found:
            yield max(found, key=lambda each: each.fit)


def _best(
    text: str, description: Description, known: Sequence[Called], catalogue: Catalogue, near: Nearness
) -> Match | None:
    asked = content_words(text)
    if not known or not asked:
        return None
    cosines = near(text)
    held = [_held(asked, catalogue.title_words[each.document_id]) for each in known]
    scores = [(share + cosines.get(each.document_id, share)) / 2 for each, share in zip(known, held, strict=True)]
    first, *others = sorted(range(len(known)), key=lambda place: -scores[place])[:2]
    clear = not others or scores[first] - scores[others[0]] >= CLEAR
    # What stands before the kind is often no title ("the phase two trial"): all of its words must be in it.
    whole = held[first] == 1.0 or not description.before
    titled = catalogue.title_words[known[first].document_id]
    sure = scores[first] >= ENOUGH and clear and whole and any(_names(text) <= words for words in titled)
    return Match(text, description.by, known[first], min(scores[first], 1.0)) if sure else None


def _by(name: str, known: Sequence[Called]) -> Sequence[Called]:
    """Those by somebody, where any are."""
    asked = {word.casefold() for word in tokens(name)}
    theirs = [each for each in known if any(asked <= {w.casefold() for w in tokens(who)} for who in each.by)]
    return theirs if asked and theirs else known


def _held(asked: frozenset[str], titles: Sequence[frozenset[str]]) -> float:
    return max((len(asked & title) / len(asked) for title in titles), default=0.0)


def _names(text: str) -> frozenset[str]:
    """The words with capitals: a title without one of them is another's."""
    capitals = [word for word in tokens(text) if any(char.isupper() for char in word)]
    return content_words(" ".join(capitals)) if capitals else frozenset()
