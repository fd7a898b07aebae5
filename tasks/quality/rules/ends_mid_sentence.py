"""CHK003 ends-mid-sentence: a passage of prose, or a section in it, that stops in the middle of a sentence.

What: the passage ends inside a paragraph without closing punctuation, or its last paragraph, or the last one of a
section in it, of a sentence's length, lacks it.
Why it hurts retrieval: the statement is found without its end, and what it says of the subject is lost.
Example: `Revenue for the quarter amounted to`
Cure: raise `chunk.size`, or set running headers and footers aside so that they part no sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from tasks.chunkers.parts.document_spans import blocks_in
from tasks.chunkers.parts.sentences import is_closed
from tasks.quality.acronyms import is_back_matter
from tasks.quality.contract import DocumentRule, Scope, Violation, of_chunk
from tasks.quality.phrases import is_sentence, shown_end, without_tags
from tasks.quality.subject import PROSE, CheckedDocument
from warehouse.records import Block, BlockKind, Chunk, Severity

_WORDS_OF_A_SENTENCE = 8


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Once a chunk, those with a table left out; captions, addresses, and who wrote and paid are no sentences."""
    document = subject.document
    for chunk in subject.chunks:
        blocks = blocks_in(document, chunk.start, chunk.end)
        if chunk.has_table or not blocks or is_back_matter(blocks[-1]):
            continue
        is_open = blocks[-1].kind in PROSE and not is_closed(without_tags(chunk.text))
        if is_open and _is_broken(chunk, blocks[-1], document.text):
            yield of_chunk(chunk, f"the passage ends within a sentence: '{shown_end(chunk.text)}'")
        else:
            yield from islice(_sections(subject, blocks), 1)


def _sections(subject: CheckedDocument, blocks: Sequence[Block]) -> Iterator[Violation]:
    """Sections whose last paragraph, right above the next heading, is a sentence without an end."""
    for block, below in pairwise(blocks):
        text = without_tags(subject.text_of(block))
        is_last = below.kind is BlockKind.HEADING and block.kind is BlockKind.PARAGRAPH
        if is_last and not is_closed(text) and is_sentence(text, _WORDS_OF_A_SENTENCE):
            yield Violation(f"a section ends within a sentence: '{shown_end(text)}'", block.start, block.end)


def _is_broken(chunk: Chunk, block: Block, text: str) -> bool:
    """Whether the last paragraph, or item of a list, goes on behind the chunk or is a sentence without an end."""
    if block.kind is BlockKind.LIST:
        line = text.find("\n", chunk.end, block.end)
        return bool(text[chunk.end : block.end if line < 0 else line].strip())
    return chunk.end < block.end or is_sentence(text[max(chunk.start, block.start) : chunk.end], _WORDS_OF_A_SENTENCE)


member = DocumentRule("CHK003", "ends-mid-sentence", Severity.WARNING, 0.15, Scope.CHUNK, __doc__, _found)
