"""An exam whose gold stands in the documents as they were read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from tasks.evaluate.contract import Dataset, Gold
from tasks.evaluate.gold_locator import Span, located


class Texts(Protocol):
    """The documents of a corpus, by their names there."""

    def text(self, document: str) -> str:
        """The canonical text, empty where there is none."""

    def pages(self, document: str) -> Mapping[int, Span]:
        """The span of each page, none in a document without pages."""


def grounded(exam: Dataset, texts: Texts) -> Dataset:
    """The exam with the span of each gold text that is found; a note says what is not. One text is held at a time."""
    wanted: defaultdict[str, list[Gold]] = defaultdict(list)
    for gold in dict.fromkeys(gold for question in exam.questions for gold in question.gold if gold.text):
        wanted[gold.document].append(gold)
    spans: dict[Gold, Span] = {}
    for document, golds in wanted.items():
        spans |= located(texts.text(document), golds, texts.pages(document))
    questions = tuple(
        replace(question, gold=tuple(replace(gold, span=spans.get(gold)) for gold in question.gold))
        for question in exam.questions
    )
    lost = [gold for golds in wanted.values() for gold in golds if gold not in spans]
    found = replace(exam, questions=questions)
    return replace(found, notes=(*exam.notes, *_notes(found, lost, sum(map(len, wanted.values())))))


def _notes(exam: Dataset, lost: list[Gold], count: int) -> Iterator[str]:
    if lost:
        first = f"in '{lost[0].document}': {_beginning(lost[0].text)}"
        yield f"not located: {len(lost)} of {count} evidence texts do not stand in the text as read, the first {first}"
    unknown = [question.name for question in exam.questions if not _judgeable(question.gold)]
    if unknown and exam.located:
        yield (
            f"not judged by spans: {len(unknown)} questions with no evidence text located: "
            f"{', '.join(unknown[:5])}{' …' if len(unknown) > 5 else ''}"
        )


def _judgeable(golds: Iterable[Gold]) -> bool:
    return any(gold.known for gold in golds)


def _beginning(text: str) -> str:
    words = " ".join(text.split())
    return f"'{words[:60]}…'" if len(words) > 60 else f"'{words}'"
