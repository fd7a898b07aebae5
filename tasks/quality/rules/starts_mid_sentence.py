"""CHK002 starts-mid-sentence: a passage of prose, or a section in it, that begins in the middle of a sentence.

What: the passage starts inside a paragraph where no sentence begins, or its first paragraph, or the first one below a
heading, starts with a small letter.
Why it hurts retrieval: the subject of the sentence stands in the passage before, so the words lose what they are about.
Example: `which rose by 4 % against the year before.`
Cure: raise `chunk.size` or the overlap, or set running headers and footers aside so that they part no sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from tasks.chunkers.parts.document_spans import blocks_in
from tasks.chunkers.parts.sentences import starts
from tasks.quality.acronyms import is_back_matter
from tasks.quality.contract import DocumentRule, Scope, Violation, of_chunk
from tasks.quality.phrases import begins_small, is_sentence, quoted_snippet
from tasks.quality.subject import PROSE, CheckedDocument
from warehouse.records import Block, BlockKind, Chunk, Severity

_WORDS_OF_A_SENTENCE = 8
_NEARBY = 200
"""Where the sentence before a chunk must have ended, in characters."""


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Once a chunk, those with a table left out; an item of a list and who wrote and paid may begin small."""
    document = subject.document
    for chunk in subject.chunks:
        blocks = blocks_in(document, chunk.start, chunk.end)
        if chunk.has_table or not blocks or is_back_matter(blocks[0]):
            continue
        if blocks[0].kind in PROSE and _is_broken(chunk, blocks[0], document.text):
            yield of_chunk(chunk, f"the passage starts within a sentence: '{quoted_snippet(chunk.text)}'")
        else:
            yield from islice(_sections(subject, blocks), 1)


def _sections(subject: CheckedDocument, blocks: Sequence[Block]) -> Iterator[Violation]:
    """Sections of some length that begin small right below their heading."""
    for above, block in pairwise(blocks):
        text = subject.text_of(block)
        is_first = above.kind is BlockKind.HEADING and block.kind is BlockKind.PARAGRAPH
        if is_first and begins_small(text) and is_sentence(text, _WORDS_OF_A_SENTENCE):
            yield Violation(f"a section starts within a sentence: '{quoted_snippet(text)}'", block.start, block.end)


def _is_broken(chunk: Chunk, block: Block, text: str) -> bool:
    is_list = block.kind is BlockKind.LIST
    if chunk.start == block.start:
        return not is_list and begins_small(chunk.text) and not _follows_colon(text, block.start)
    nearby = max(block.start, chunk.start - _NEARBY)
    if is_list and text[nearby : chunk.start].rstrip(" \t").endswith("\n"):
        return False
    return chunk.start not in starts(text, nearby, min(block.end, chunk.start + 1))


def _follows_colon(text: str, start: int) -> bool:
    """Whether a paragraph goes on from one that introduces it: a list written as paragraphs."""
    return text[:start].rstrip()[-1:] in (":", "：", ";", "；")


member = DocumentRule("CHK002", "starts-mid-sentence", Severity.WARNING, 0.15, Scope.CHUNK, __doc__, _found)
