"""DOC021 mixed-languages: a document that is written in two languages.

What: a tenth or more of its text, in whole paragraphs, is in another language than the rest.
Why it hurts retrieval: a model of one language ranks the passages of the other by chance, and a question finds one
half only.
Example: a contract with each clause in Chinese and English.
Cure: keep one file a language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tasks.parsers.language import language_of
from tasks.quality.checked_document import CheckedDocument, is_back_matter
from tasks.quality.rule import DocumentRule, Scope, Violation
from warehouse.records import Block, Severity

_LEAST_SHARE = 0.1
_SHORTEST = {"en": 20, "zh": 20, "und": 80}  # Short lines of names look like another language.
_NAMES = {"en": "English", "zh": "Chinese", "und": "another language"}


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Paragraphs of some length count by it; a Chinese character counts as three letters."""
    weights: Counter[str] = Counter()
    places: dict[str, Block] = {}
    for block in subject.prose:
        text = subject.text_of(block)
        language = language_of(text)
        if len(text) >= _SHORTEST[language] and not is_back_matter(block):
            weights[language] += len(text) * (3 if language == "zh" else 1)
            places.setdefault(language, block)
    if len(weights) < 2:
        return
    (first, _), (second, weight) = weights.most_common(2)
    if weight >= _LEAST_SHARE * weights.total():
        block = places[second]
        share = f"{weight / weights.total():.0%} of it is in {_NAMES[second]}, the rest in {_NAMES[first]}"
        yield Violation(f"{share}: keep one file a language", block.start, block.end, page=block.page)


member = DocumentRule("DOC021", "mixed-languages", Severity.NOTE, 0.0, Scope.DOCUMENT, __doc__, _found)
