"""DOC021 mixed-languages: a document that is written in two languages.

What: a fifth or more of its paragraphs, and at least two, are in another language than the rest.
Why it hurts retrieval: a model of one language ranks the passages of the other by chance, and a question finds one
half only.
Example: a contract with each clause in Chinese and English.
Cure: keep one file a language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tasks.parsers.language import language_of
from tasks.quality.contract import Blame, DocumentRule, Scope
from tasks.quality.subject import Subject
from warehouse.records import Block, Severity

_LEAST_SHARE = 0.2
_LEAST_PARAGRAPHS = 2
_SHORTEST = 80
_CHINESE_SHORTEST = 20
_NAMES = {"en": "English", "zh": "Chinese", "und": "another language"}


def _found(subject: Subject) -> Iterator[Blame]:
    """Paragraphs of some length count by it; a Chinese character counts as three letters."""
    weights: Counter[str] = Counter()
    places: dict[str, list[Block]] = {}
    for block in subject.prose:
        text = subject.text_of(block)
        language = language_of(text)
        least = _CHINESE_SHORTEST if language == "zh" else _SHORTEST
        if len(text) >= least:
            weights[language] += len(text) * (3 if language == "zh" else 1)
            places.setdefault(language, []).append(block)
    if len(weights) < 2:
        return
    (first, _), (second, weight) = weights.most_common(2)
    if weight >= _LEAST_SHARE * weights.total() and len(places[second]) >= _LEAST_PARAGRAPHS:
        block = places[second][0]
        share = f"{weight / weights.total():.0%} of it is in {_NAMES[second]}, the rest in {_NAMES[first]}"
        yield Blame(f"{share}: keep one file a language", block.start, block.end, page=block.page)


member = DocumentRule("DOC021", "mixed-languages", Severity.NOTE, 0.0, Scope.DOCUMENT, __doc__, _found)
