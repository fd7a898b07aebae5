"""Rules of passages that begin or end in the middle of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from tasks.chunkers.parts.document_spans import blocks_in
from tasks.chunkers.parts.sentences import find_sentences, is_closed
from tasks.quality.checked_document import PROSE, CheckedDocument, is_back_matter
from tasks.quality.phrases import quoted_snippet
from tasks.quality.rule import Scope, Violation, document_rule, of_chunk, rules_by_name
from warehouse.records import Block, BlockKind, Chunk, Severity

_LONGEST_TAGS = 300
_NO_END = ("|", "»", ")", "]", "☐", "☑", "☒")
_TAGS = re.compile(r"(?:(?<!\S)[#^][\w/-]+\s*)+\Z")
_LONGEST_QUOTE = 50
_WORDS_OF_A_SENTENCE = 8
_NEARBY = 200  # Where the sentence before a chunk must have ended, in characters.


def starts_mid_sentence(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK002 starts-mid-sentence: a passage of prose, or a section in it, that begins in the middle of a sentence.

    What: the passage starts inside a paragraph where no sentence begins, or its first paragraph, or the first one below
    a heading, starts with a small letter.
    Why it hurts retrieval: the subject of the sentence stands in the passage before, so the words lose what they are
    about.
    Example: `which rose by 4 % against the year before.`
    Cure: raise `chunk.size` or the overlap, or set running headers and footers aside so that they part no sentence.
    """
    # Once a chunk, those with a table left out; an item of a list and who wrote and paid may begin small.
    document = subject.document
    for chunk in subject.chunks:
        blocks = blocks_in(document, chunk.start, chunk.end)
        if chunk.has_table or not blocks or is_back_matter(blocks[0]):
            continue
        if blocks[0].kind in PROSE and _starts_broken(chunk, blocks[0], document.text):
            yield of_chunk(chunk, f"the passage starts within a sentence: '{quoted_snippet(chunk.text)}'")
        else:
            yield from islice(_sections_starting(subject, blocks), 1)


def _sections_starting(subject: CheckedDocument, blocks: Sequence[Block]) -> Iterator[Violation]:
    """Sections of some length that begin small right below their heading."""
    for above, block in pairwise(blocks):
        text = subject.text_of(block)
        is_first = above.kind is BlockKind.HEADING and block.kind is BlockKind.PARAGRAPH
        if is_first and _begins_small(text) and _is_sentence(text):
            yield Violation(f"a section starts within a sentence: '{quoted_snippet(text)}'", block.start, block.end)


def _starts_broken(chunk: Chunk, block: Block, text: str) -> bool:
    is_list = block.kind is BlockKind.LIST
    if chunk.start == block.start:
        return not is_list and _begins_small(chunk.text) and not _is_introduced(text, block.start)
    nearby = max(block.start, chunk.start - _NEARBY)
    if is_list and text[nearby : chunk.start].rstrip(" \t").endswith("\n"):
        return False
    return chunk.start not in find_sentences(text, nearby, min(block.end, chunk.start + 1))


def _is_introduced(text: str, start: int) -> bool:
    """Whether a paragraph goes on from one that introduces it: a list written as paragraphs."""
    return text[:start].rstrip()[-1:] in (":", "：", ";", "；")


_WORDS_OF_A_SENTENCE = 8


def ends_mid_sentence(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK003 ends-mid-sentence: a passage of prose, or a section in it, that stops in the middle of a sentence.

    What: the passage ends inside a paragraph without closing punctuation, or its last paragraph, or the last one of a
    section in it, of a sentence's length, lacks it.
    Why it hurts retrieval: the statement is found without its end, and what it says of the subject is lost.
    Example: `Revenue for the quarter amounted to`
    Cure: raise `chunk.size`, or set running headers and footers aside so that they part no sentence.
    """
    # Once a chunk, those with a table left out; captions, addresses, and who wrote and paid are no sentences.
    document = subject.document
    for chunk in subject.chunks:
        blocks = blocks_in(document, chunk.start, chunk.end)
        if chunk.has_table or not blocks or is_back_matter(blocks[-1]):
            continue
        is_open = blocks[-1].kind in PROSE and not is_closed(_without_tags(chunk.text))
        if is_open and _ends_broken(chunk, blocks[-1], document.text):
            yield of_chunk(chunk, f"the passage ends within a sentence: '{_shown_end(chunk.text)}'")
        else:
            yield from islice(_sections_ending(subject, blocks), 1)


def _sections_ending(subject: CheckedDocument, blocks: Sequence[Block]) -> Iterator[Violation]:
    """Sections whose last paragraph, right above the next heading, is a sentence without an end."""
    for block, below in pairwise(blocks):
        text = _without_tags(subject.text_of(block))
        is_last = below.kind is BlockKind.HEADING and block.kind is BlockKind.PARAGRAPH
        if is_last and not is_closed(text) and _is_sentence(text):
            yield Violation(f"a section ends within a sentence: '{_shown_end(text)}'", block.start, block.end)


def _ends_broken(chunk: Chunk, block: Block, text: str) -> bool:
    """Whether the last paragraph, or item of a list, goes on behind the chunk or is a sentence without an end."""
    if block.kind is BlockKind.LIST:
        line = text.find("\n", chunk.end, block.end)
        return bool(text[chunk.end : block.end if line < 0 else line].strip())
    return chunk.end < block.end or _is_sentence(text[max(chunk.start, block.start) : chunk.end])


def _shown_end(text: str) -> str:
    """The end of a text on one line."""
    flat = " ".join(text[-4 * _LONGEST_QUOTE :].split())
    return flat if len(flat) <= _LONGEST_QUOTE else f"…{flat[1 - _LONGEST_QUOTE :].lstrip()}"


def _begins_small(text: str) -> bool:
    """Whether a text begins with a small letter as no sentence does: iPhone, pH and e-mail are names."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    return first[:1].islower() and first[1:2] not in ("-", "") and not any(map(str.isupper, first))


def _is_sentence(text: str) -> bool:
    """Whether a line is as long as a sentence and is one: no address, and not a row of names."""
    found = text.split()
    if len(found) < _WORDS_OF_A_SENTENCE or text.rstrip().endswith(_NO_END) or "://" in found[-1]:
        return False
    return sum(word[:1].islower() for word in found) * 2 >= len(found)


def _without_tags(text: str) -> str:
    """A text without the tags and block ids of a note at its end."""
    return text[:-_LONGEST_TAGS] + _TAGS.sub("", text[-_LONGEST_TAGS:])


members = rules_by_name(
    document_rule(starts_mid_sentence, Severity.WARNING, 0.15, Scope.CHUNK),
    document_rule(ends_mid_sentence, Severity.WARNING, 0.15, Scope.CHUNK),
)
