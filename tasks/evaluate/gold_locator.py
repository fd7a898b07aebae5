"""Spans of gold in the documents as they were read.

Words copied from a page by hand or by another program differ in white space, signs and line breaks, and a table in the
order of its headers. So only letters and digits are compared: first all of the words, then stretches of
`STRETCH_LENGTH` letters. The region that shares most stretches with the words is used if it covers half of them. Every
document is read once for all gold in it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Protocol
from unicodedata import normalize

from tasks.evaluate.dataset import Dataset, Gold

Span = tuple[int, int]

STRETCH_LENGTH = 16
MIN_COVERED_SHARE = 0.5
MAX_RELATIVE_LENGTH = 1.25  # The longest region relative to the words, as headers and notes may interrupt them.


def locate_gold(text: str, golds: Sequence[Gold], pages: Mapping[int, Span]) -> dict[Gold, Span]:
    """The spans of the gold that is found. `pages` are the spans of pages; gold with a page is searched there first."""
    letters, positions = squeeze_with_positions(text)
    bounds = {
        page: (bisect_left(positions, start), bisect_left(positions, end)) for page, (start, end) in pages.items()
    }
    spans: dict[Gold, Span] = {}
    missing: dict[Gold, str] = {}
    for gold in golds:
        words = squeeze_text(gold.text)
        near_position = bisect_left(positions, gold.near) if gold.near is not None else None
        span = _find_exact(letters, words, near_position, bounds.get(gold.page or 0)) if words else None
        if span:
            spans[gold] = span
        elif words:
            missing[gold] = words
    spans |= _find_regions(letters, missing, bounds)
    return {gold: (positions[start], positions[end - 1] + 1) for gold, (start, end) in spans.items()}


def _find_exact(letters: str, words: str, near_position: int | None, page: Span | None) -> Span | None:
    """The span of the exact words: on the page if there, else the one nearest to `near_position`, else the first."""
    pattern = re.compile(re.escape(words))
    starts = [match.start() for match in pattern.finditer(letters, *page)] if page else []
    starts = starts or [match.start() for match in pattern.finditer(letters)]
    if not starts:
        return None
    start = starts[0] if near_position is None else min(starts, key=lambda start: abs(start - near_position))
    return start, start + len(words)


def _find_regions(letters: str, missing: Mapping[Gold, str], bounds: Mapping[int, Span]) -> dict[Gold, Span]:
    """The regions with enough stretches of the words that are not found exactly."""
    golds_by_stretch: defaultdict[str, list[Gold]] = defaultdict(list)
    for gold, words in missing.items():
        for stretch in {words[start : start + STRETCH_LENGTH] for start in range(len(words) - STRETCH_LENGTH + 1)}:
            golds_by_stretch[stretch].append(gold)
    hits: defaultdict[Gold, array[int]] = defaultdict(lambda: array("Q"))
    for start in range(len(letters) - STRETCH_LENGTH + 1 if golds_by_stretch else 0):
        for gold in golds_by_stretch.get(letters[start : start + STRETCH_LENGTH], ()):
            hits[gold].append(start)
    full_span = (0, len(letters))
    regions: dict[Gold, Span] = {}
    for gold, starts in hits.items():
        length = len(missing[gold])
        candidates = (
            _find_densest(starts, MAX_RELATIVE_LENGTH * length, scope)
            for scope in (bounds.get(gold.page or 0, full_span), full_span)
        )
        region = next((region for region, size in candidates if size >= MIN_COVERED_SHARE * length), None)
        if region:
            regions[gold] = region
    return regions


def _find_densest(starts: Sequence[int], width: float, bounds: Span) -> tuple[Span, int]:
    """The region of at most this width with most letters in stretches, and the number of these letters."""
    first_index, end_index = bisect_left(starts, bounds[0]), bisect_left(starts, bounds[1])
    coverage = list(
        accumulate((min(STRETCH_LENGTH, after - start) for start, after in pairwise(starts)), initial=STRETCH_LENGTH)
    )
    first, best = first_index, (bounds, 0)
    for last in range(first_index, end_index):
        while starts[last] + STRETCH_LENGTH - starts[first] > max(width, STRETCH_LENGTH):
            first += 1
        letters = coverage[last] - coverage[first] + STRETCH_LENGTH
        if letters > best[1]:
            best = (starts[first], starts[last] + STRETCH_LENGTH), letters
    return best


class CorpusTexts(Protocol):
    """The documents of a corpus, by their names there."""

    def read_text(self, document: str) -> str:
        """The canonical text, empty if there is none."""

    def read_pages(self, document: str) -> Mapping[int, Span]:
        """The span of each page, none in a document without pages."""


def locate_dataset_gold(dataset: Dataset, texts: CorpusTexts) -> Dataset:
    """The dataset with the span of each gold text that is found, read text by text; a note counts the others."""
    golds_by_document: defaultdict[str, list[Gold]] = defaultdict(list)
    for gold in dict.fromkeys(gold for question in dataset.questions for gold in question.gold if gold.text):
        golds_by_document[gold.document].append(gold)
    spans: dict[Gold, Span] = {}
    for document, golds in golds_by_document.items():
        spans |= locate_gold(texts.read_text(document), golds, texts.read_pages(document))
    questions = tuple(
        replace(question, gold=tuple(replace(gold, span=spans.get(gold)) for gold in question.gold))
        for question in dataset.questions
    )
    missing = [gold for golds in golds_by_document.values() for gold in golds if gold not in spans]
    result = replace(dataset, questions=questions)
    return replace(
        result, notes=(*dataset.notes, *_iter_notes(result, missing, sum(map(len, golds_by_document.values()))))
    )


def _iter_notes(dataset: Dataset, golds: list[Gold], count: int) -> Iterator[str]:
    if golds:
        words = " ".join(golds[0].text.split())
        first = f"in '{golds[0].document}': '{words if len(words) <= 60 else f'{words[:60]}…'}'"
        yield f"not located: {len(golds)} of {count} evidence texts do not stand in the text as read, the first {first}"
    unknown = [question.name for question in dataset.questions if not any(gold.is_known for gold in question.gold)]
    if unknown and dataset.is_located:
        names = f"{', '.join(unknown[:5])}{' …' if len(unknown) > 5 else ''}"
        yield f"not judged by spans: {len(unknown)} questions with no evidence text located: {names}"


def squeeze_text(text: str) -> str:
    """The letters and digits of a text in lower case, with compatibility forms resolved (NFKC)."""
    return "".join(map(_fold_character, text))


def squeeze_with_positions(text: str) -> tuple[str, array[int]]:
    """The squeezed text, and the position in the text of each letter or digit."""
    letters: list[str] = []
    positions = array("Q")
    for position, character in enumerate(text):
        letter = _fold_character(character)
        if letter:
            letters.append(letter)
            positions.extend([position] * len(letter))
    return "".join(letters), positions


def _fold_character(character: str) -> str:
    if character.isascii():
        return character.lower() if character.isalnum() else ""
    return "".join(filter(str.isalnum, normalize("NFKC", character).casefold()))
