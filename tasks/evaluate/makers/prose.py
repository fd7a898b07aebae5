"""Questions about prose: sentences with a gap, text under a heading, documents by their titles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from tasks.chunkers.parts.document_spans import ends_sentence, find_sentences
from tasks.evaluate.dataset import Gold, JudgedQuestion
from tasks.evaluate.gold_locator import squeeze_text
from tasks.evaluate.question_maker import (
    QuestionMaker,
    ReadBlock,
    ReadDocument,
    is_chinese,
    iter_documents,
    make_question,
)
from warehouse.identity import digest
from warehouse.reader import Warehouse

GAP = "____"
PROSE = "paragraph"
_MIN_SENTENCE_LENGTH, _MAX_SENTENCE_LENGTH = 40, 300
_MIN_CHINESE_LENGTH = 20
_CLUE = re.compile(r"(?<![\w.,-])\d[\d,.]*\d(?![\w,.]*\w)|(?<=[\w,;] )[A-Z][a-z][\w'’-]*(?: [A-Z][a-z][\w'’-]*)*")
"""Figures of two digits or more, and capitalised words that do not begin the sentence."""


def make_gap_questions(warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[JudgedQuestion]:
    """Sentences with a gap (cloze, Taylor 1953).

    "Turbines of the third dam were replaced in ____."
    The gap replaces a name or a figure in a sentence of prose that is unique in the corpus. The gold is the sentence.
    The texts are read twice, so that only one is in memory at a time.
    """
    counts: Counter[str] = Counter()
    for document in iter_documents(warehouse, names):
        for start, end, _ in _iter_sentences(document):
            sentence = document.text[start:end]
            counts.update((digest(squeeze_text(sentence)), *(match[0] for match in _CLUE.finditer(sentence))))
    for document in iter_documents(warehouse, names):
        for start, end, page in _iter_sentences(document):
            sentence = document.text[start:end]
            # The name or figure that is rarest in the corpus is left out, if the sentence has it once.
            candidates = [match for match in _CLUE.finditer(sentence) if sentence.count(match[0]) == 1]
            if candidates and counts[digest(squeeze_text(sentence))] == 1:
                gap = min(candidates, key=lambda match: (counts[match[0]], digest(sentence, match.start())))
                gold = Gold(document.name, page, text=sentence, near=start, span=(start, end))
                text = " ".join(f"{sentence[: gap.start()]}{GAP}{sentence[gap.end() :]}".split())
                yield make_question("gaps", text, gap[0], gold)


def _iter_sentences(document: ReadDocument) -> Iterator[tuple[int, int, int | None]]:
    """The sentences of prose that are neither short nor long, with their page."""
    text = document.text
    for block in document.blocks:
        if block.kind != PROSE:
            continue
        edges = [block.start, *find_sentences(text, block.start, block.end), block.end]
        for start, end in pairwise(edges):
            sentence = text[start:end].rstrip()
            minimum = _MIN_SENTENCE_LENGTH if sentence.isascii() else _MIN_CHINESE_LENGTH
            if minimum <= len(sentence) <= _MAX_SENTENCE_LENGTH and ends_sentence(sentence):
                yield start, start + len(sentence), block.page


HEADING = "heading"
_MIN_LETTERS = 8
_MIN_CHINESE = 4
_MAX_HEADING_LENGTH = 120
_MIN_ANSWER_LENGTH = 80
_MAX_ANSWER_LENGTH = 1000


def make_heading_questions(warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[JudgedQuestion]:
    """Questions for the text under a heading.

    "What is said under “Liquidity and capital resources”?"
    Only headings that are unique in the corpus, alone or together with the title of their document. The gold is the
    first block below, or the beginning of a long one.
    """
    headings = [heading for document in iter_documents(warehouse, names) for heading in _iter_headings(document)]
    heading_counts = Counter(squeeze_text(heading) for heading, _, _ in headings)
    pair_counts = Counter((squeeze_text(title), squeeze_text(heading)) for heading, title, _ in headings)
    for heading, title, gold in headings:
        is_chinese_heading = is_chinese(heading)
        if heading_counts[squeeze_text(heading)] == 1:
            question_text = f"“{heading}”说了什么？" if is_chinese_heading else f"What is said under “{heading}”?"
        elif title and pair_counts[squeeze_text(title), squeeze_text(heading)] == 1:
            english_text = f"What does “{title}” say under “{heading}”?"
            question_text = f"《{title}》中“{heading}”说了什么？" if is_chinese_heading else english_text
        else:
            continue
        yield make_question("headings", question_text, "", gold)


def _iter_headings(document: ReadDocument) -> Iterator[tuple[str, str, Gold]]:
    """All headings with text below, the title of the document, and the gold."""
    text = document.text
    for heading, next_block in zip(document.blocks, document.blocks[1:], strict=False):
        words = " ".join(text[heading.start : heading.end].split())
        is_last_heading = heading.kind == HEADING and next_block.kind != HEADING
        if is_last_heading and _is_specific(words) and len(words) <= _MAX_HEADING_LENGTH:
            gold = _cut_beginning(document, next_block)
            if len(gold.text) >= _MIN_ANSWER_LENGTH:
                yield words, document.title, gold


def _is_specific(words: str) -> bool:
    letters = sum(map(str.isalpha, words))
    if is_chinese(words):
        return letters >= _MIN_CHINESE
    return letters >= _MIN_LETTERS and " " in words and letters > len(words) / 2


def _cut_beginning(document: ReadDocument, block: ReadBlock) -> Gold:
    """The block, or the beginning of a long one up to the end of a word."""
    text, end = document.text, block.end
    if end - block.start > _MAX_ANSWER_LENGTH:
        word_end = max(
            text.rfind(gap, block.start + _MAX_ANSWER_LENGTH // 2, block.start + _MAX_ANSWER_LENGTH) for gap in " \n"
        )
        end = word_end if word_end > 0 else block.start + _MAX_ANSWER_LENGTH
    span = (block.start, end)
    return Gold(document.name, block.page, text=text[slice(*span)], near=block.start, span=span)


def make_title_questions(warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[JudgedQuestion]:
    """Questions for a document by its title.

    "What is “Nitrate drift of moored sensors” about?"
    Only titles from the documents themselves that are long enough to be specific. The gold is the whole
    document.
    """
    titles = {document.name: " ".join(document.title.split()) for document in iter_documents(warehouse, names)}
    title_counts = Counter(map(squeeze_text, titles.values()))
    for document, title in titles.items():
        minimum = _MIN_CHINESE if is_chinese(title) else _MIN_LETTERS
        if title_counts[squeeze_text(title)] == 1 and sum(map(str.isalpha, title)) >= minimum:
            question_text = f"《{title}》讲的是什么？" if is_chinese(title) else f"What is “{title}” about?"
            yield make_question("titles", question_text, title, Gold(document))


members = {
    "gaps": QuestionMaker("a statement is found by its own words without its name or figure", make_gap_questions),
    "headings": QuestionMaker("a section is found by its heading", make_heading_questions),
    "titles": QuestionMaker("a document is found by its title", make_title_questions),
}
