"""Sentences with a gap (cloze, Taylor 1953).

"Turbines of the third dam were replaced in ____."
A name or a figure is left out of a sentence of prose that stands once in the corpus. The gold is the sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from tasks.chunkers.parts.sentences import is_closed, starts
from tasks.evaluate.contract import Gold, Judged
from tasks.evaluate.question_maker import ReadDocument, documents, question
from tasks.evaluate.text_folding import squeezed
from warehouse.identity import digest
from warehouse.reader import Warehouse

GAP = "____"
PROSE = "paragraph"
_SHORTEST, _LONGEST = 40, 300
_SHORTEST_CHINESE = 20
_TELLING = re.compile(r"(?<![\w.,-])\d[\d,.]*\d(?![\w,.]*\w)|(?<=[\w,;] )[A-Z][a-z][\w'’-]*(?: [A-Z][a-z][\w'’-]*)*")
"""Figures of two digits or more, and words with a capital that does not begin the sentence."""


class Gaps:
    """The maker."""

    shows = "a statement is found by its own words without its name or figure"

    def make(self, warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[Judged]:
        """See the contract. The texts are read twice, so that one is held at a time."""
        often: Counter[str] = Counter()
        for document in documents(warehouse, names):
            for start, end, _ in _sentences(document):
                sentence = document.text[start:end]
                often.update((digest(squeezed(sentence)), *(each[0] for each in _TELLING.finditer(sentence))))
        for document in documents(warehouse, names):
            for start, end, page in _sentences(document):
                sentence = document.text[start:end]
                gap = _gap(sentence, often)
                if gap and often[digest(squeezed(sentence))] == 1:
                    gold = Gold(document.name, page, text=sentence, near=start, span=(start, end))
                    yield question("gaps", _with_gap(sentence, gap), gap[0], gold)


def _sentences(document: ReadDocument) -> Iterator[tuple[int, int, int | None]]:
    """The sentences of prose that are neither short nor long, with their page."""
    text = document.text
    for block in document.blocks:
        if block.kind != PROSE:
            continue
        edges = [block.start, *starts(text, block.start, block.end), block.end]
        for start, end in pairwise(edges):
            sentence = text[start:end].rstrip()
            least = _SHORTEST if sentence.isascii() else _SHORTEST_CHINESE
            if least <= len(sentence) <= _LONGEST and is_closed(sentence):
                yield start, start + len(sentence), block.page


def _gap(sentence: str, often: Mapping[str, int]) -> re.Match[str] | None:
    """What is left out: what the corpus says least often; None where nothing is telling or it stands there twice."""
    found = [each for each in _TELLING.finditer(sentence) if sentence.count(each[0]) == 1]
    return min(found, key=lambda each: (often[each[0]], digest(sentence, each.start())), default=None)


def _with_gap(sentence: str, gap: re.Match[str]) -> str:
    return " ".join(f"{sentence[: gap.start()]}{GAP}{sentence[gap.end() :]}".split())


member = Gaps()
