"""What was read into a question, taken back: the words that its reader wants to be mere words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from warehouse.records import Filters, SearchRequest, Subject


def plain_words(wanted: SearchRequest) -> frozenset[str]:
    """The words to be read as mere words, in small letters."""
    return frozenset(" ".join(words.split()).lower() for words in wanted.literal_terms)


def subjects_left(subjects: Iterable[Subject], plainly: frozenset[str]) -> tuple[Subject, ...]:
    """The subjects that the question names by other words."""
    return tuple(subject for subject in subjects if subject.text.lower() not in plainly)


def names_left(names: Sequence[str], plainly: frozenset[str]) -> tuple[str, ...]:
    """The names but those."""
    return tuple(name for name in names if name.lower() not in plainly)


def leaning_left(leaning: Filters, plainly: frozenset[str]) -> Filters:
    """What passages should rather have, but those values."""
    return replace(
        leaning,
        kinds=tuple(kind for kind in leaning.kinds if kind.value not in plainly),
        journals=names_left(leaning.journals, plainly),
        paper_types=names_left(leaning.paper_types, plainly),
        tags=names_left(leaning.tags, plainly),
        topics=names_left(leaning.topics, plainly),
        sections=names_left(leaning.sections, plainly),
    )
