"""The places of gold in the documents as they were read.

Words copied from a page by hand or by another program differ in white space, signs and line breaks, and a table in the
order of its headers. So words are looked for by their letters and digits alone, first whole, then by the stretches of
`STRETCH` letters that they share with the text: the region that holds most of them is taken, if they are half of the
words. Every document is read once for all that is looked for in it.
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

STRETCH = 16
MIN_COVERED_SHARE = 0.5
SPARE = 1.25  # A region may be so much longer than the words: the text has headers and notes between them.


def locate_gold(text: str, golds: Sequence[Gold], pages: Mapping[int, Span]) -> dict[Gold, Span]:
    """The spans of those that are found. `pages` are the spans of pages: gold with a page is looked for there first."""
    letters, places = squeeze_with_places(text)
    bounds = {page: (bisect_left(places, start), bisect_left(places, end)) for page, (start, end) in pages.items()}
    found: dict[Gold, Span] = {}
    missing: dict[Gold, str] = {}
    for gold in golds:
        words = squeeze_text(gold.text)
        near = bisect_left(places, gold.near) if gold.near is not None else None
        span = _find_whole(letters, words, near, bounds.get(gold.page or 0)) if words else None
        if span:
            found[gold] = span
        elif words:
            missing[gold] = words
    found |= _find_regions(letters, missing, bounds)
    return {gold: (places[start], places[end - 1] + 1) for gold, (start, end) in found.items()}


def _find_whole(letters: str, words: str, near: int | None, page: Span | None) -> Span | None:
    """Where the words stand as they are: on the page if there, else the place nearest to `near`, else the first."""
    pattern = re.compile(re.escape(words))
    starts = [found.start() for found in pattern.finditer(letters, *page)] if page else []
    starts = starts or [found.start() for found in pattern.finditer(letters)]
    if not starts:
        return None
    start = starts[0] if near is None else min(starts, key=lambda start: abs(start - near))
    return start, start + len(words)


def _find_regions(letters: str, missing: Mapping[Gold, str], bounds: Mapping[int, Span]) -> dict[Gold, Span]:
    """The regions that hold enough stretches of words that do not stand there whole."""
    holders: defaultdict[str, list[Gold]] = defaultdict(list)
    for gold, words in missing.items():
        for stretch in {words[start : start + STRETCH] for start in range(len(words) - STRETCH + 1)}:
            holders[stretch].append(gold)
    hits: defaultdict[Gold, array[int]] = defaultdict(lambda: array("Q"))
    for start in range(len(letters) - STRETCH + 1 if holders else 0):
        for gold in holders.get(letters[start : start + STRETCH], ()):
            hits[gold].append(start)
    whole = (0, len(letters))
    found: dict[Gold, Span] = {}
    for gold, starts in hits.items():
        length = len(missing[gold])
        tried = (_find_densest(starts, SPARE * length, within) for within in (bounds.get(gold.page or 0, whole), whole))
        region = next((region for region, covered in tried if covered >= MIN_COVERED_SHARE * length), None)
        if region:
            found[gold] = region
    return found


def _find_densest(starts: Sequence[int], width: float, within: Span) -> tuple[Span, int]:
    """The region of at most this width of which stretches cover most, and how many letters they cover."""
    begin, end = bisect_left(starts, within[0]), bisect_left(starts, within[1])
    covered = list(accumulate((min(STRETCH, later - start) for start, later in pairwise(starts)), initial=STRETCH))
    first, best = begin, (within, 0)
    for last in range(begin, end):
        while starts[last] + STRETCH - starts[first] > max(width, STRETCH):
            first += 1
        letters = covered[last] - covered[first] + STRETCH
        if letters > best[1]:
            best = (starts[first], starts[last] + STRETCH), letters
    return best


class CorpusTexts(Protocol):
    """The documents of a corpus, by their names there."""

    def read_text(self, document: str) -> str:
        """The canonical text, empty where there is none."""

    def read_pages(self, document: str) -> Mapping[int, Span]:
        """The span of each page, none in a document without pages."""


def with_gold_places(dataset: Dataset, texts: CorpusTexts) -> Dataset:
    """The dataset with the span of each gold text that is found, read text by text; a note says what is not."""
    wanted: defaultdict[str, list[Gold]] = defaultdict(list)
    for gold in dict.fromkeys(gold for question in dataset.questions for gold in question.gold if gold.text):
        wanted[gold.document].append(gold)
    spans: dict[Gold, Span] = {}
    for document, golds in wanted.items():
        spans |= locate_gold(texts.read_text(document), golds, texts.read_pages(document))
    questions = tuple(
        replace(question, gold=tuple(replace(gold, span=spans.get(gold)) for gold in question.gold))
        for question in dataset.questions
    )
    lost = [gold for golds in wanted.values() for gold in golds if gold not in spans]
    found = replace(dataset, questions=questions)
    return replace(found, notes=(*dataset.notes, *_iter_notes(found, lost, sum(map(len, wanted.values())))))


def _iter_notes(dataset: Dataset, lost: list[Gold], count: int) -> Iterator[str]:
    if lost:
        words = " ".join(lost[0].text.split())
        first = f"in '{lost[0].document}': '{words if len(words) <= 60 else f'{words[:60]}…'}'"
        yield f"not located: {len(lost)} of {count} evidence texts do not stand in the text as read, the first {first}"
    unknown = [question.name for question in dataset.questions if not any(gold.is_known for gold in question.gold)]
    if unknown and dataset.is_located:
        names = f"{', '.join(unknown[:5])}{' …' if len(unknown) > 5 else ''}"
        yield f"not judged by spans: {len(unknown)} questions with no evidence text located: {names}"


def squeeze_text(text: str) -> str:
    """The letters and digits of a text in small letters, compatibility forms resolved (NFKC)."""
    return "".join(map(_fold_character, text))


def squeeze_with_places(text: str) -> tuple[str, array[int]]:
    """The same, and the place in the text that each letter or digit comes from."""
    letters: list[str] = []
    places = array("Q")
    for place, character in enumerate(text):
        found = _fold_character(character)
        if found:
            letters.append(found)
            places.extend([place] * len(found))
    return "".join(letters), places


def _fold_character(character: str) -> str:
    if character.isascii():
        return character.lower() if character.isalnum() else ""
    return "".join(filter(str.isalnum, normalize("NFKC", character).casefold()))
