"""Questions for what stands under a heading.

"What is said under “Liquidity and capital resources”?"
Only headings that one place of the corpus has, alone or together with the title of its document. The gold is the first
block below, of a long one the beginning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tasks.evaluate.contract import Gold, Judged
from tasks.evaluate.question_maker import ReadBlock, ReadDocument, documents, is_chinese, question
from tasks.evaluate.text_folding import squeezed
from warehouse.reader import Warehouse

HEADING = "heading"
_FEWEST_LETTERS = 8
_FEWEST_CHINESE = 4
_LONGEST_HEADING = 120
_SHORTEST = 80
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class _Headed:
    """A heading, the title of its document, and what answers."""

    heading: str
    title: str
    gold: Gold


class Headings:
    """The maker."""

    shows = "a section is found by its heading"

    def make(self, warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[Judged]:
        """See the contract."""
        found = [each for document in documents(warehouse, names) for each in _headed(document)]
        alone = Counter(squeezed(each.heading) for each in found)
        together = Counter((squeezed(each.title), squeezed(each.heading)) for each in found)
        for each in found:
            if alone[squeezed(each.heading)] == 1:
                yield question("headings", _worded(each.heading), "", each.gold)
            elif each.title and together[squeezed(each.title), squeezed(each.heading)] == 1:
                yield question("headings", _worded(each.heading, each.title), "", each.gold)


def _headed(document: ReadDocument) -> Iterator[_Headed]:
    """All headings with something below; which of them ask is told when those of all documents are known."""
    text = document.text
    for heading, below in zip(document.blocks, document.blocks[1:], strict=False):
        words = " ".join(text[heading.start : heading.end].split())
        if heading.kind == HEADING and below.kind != HEADING and _is_telling(words) and len(words) <= _LONGEST_HEADING:
            gold = _beginning(document, below)
            if len(gold.text) >= _SHORTEST:
                yield _Headed(words, document.title, gold)


def _is_telling(words: str) -> bool:
    letters = sum(map(str.isalpha, words))
    if is_chinese(words):
        return letters >= _FEWEST_CHINESE
    return letters >= _FEWEST_LETTERS and " " in words and letters > len(words) / 2


def _beginning(document: ReadDocument, block: ReadBlock) -> Gold:
    """The block, or as much of it as ends with a word."""
    text, end = document.text, block.end
    if end - block.start > _LONGEST:
        cut = max(text.rfind(gap, block.start + _LONGEST // 2, block.start + _LONGEST) for gap in " \n")
        end = cut if cut > 0 else block.start + _LONGEST
    span = (block.start, end)
    return Gold(document.name, block.page, text=text[slice(*span)], near=block.start, span=span)


def _worded(heading: str, title: str = "") -> str:
    if is_chinese(heading):
        return f"《{title}》中“{heading}”说了什么？" if title else f"“{heading}”说了什么？"
    return f"What does “{title}” say under “{heading}”?" if title else f"What is said under “{heading}”?"


member = Headings()
