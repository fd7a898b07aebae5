"""CHK003 ends-mid-sentence: a chunk of prose that stops in the middle of a sentence.

What: the chunk ends inside a paragraph without closing punctuation, or its last paragraph, of a sentence's length,
lacks it.
Why it hurts retrieval: the statement is found without its end, and what it says of the subject is lost.
Example: `Revenue for the quarter amounted to`
Cure: raise the chunk size, or set running headers and footers aside so that they part no sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tasks.chunkers.blocks import blocks_in
from tasks.chunkers.sentences import is_closed
from tasks.quality.contract import finding
from warehouse.records import BlockKind, Chunk, Document, Finding, Severity

_WORDS_OF_A_SENTENCE = 8


class EndsMidSentence:
    """Fires on chunks without a table; short lines such as captions and addresses are not taken for sentences."""

    code: ClassVar[str] = "CHK003"
    name: ClassVar[str] = "ends-mid-sentence"
    severity: ClassVar[Severity] = Severity.WARNING
    penalty: ClassVar[float] = 0.1

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """See `Rule`."""
        blocks = blocks_in(document, chunk.start, chunk.end)
        if chunk.has_table or not blocks or blocks[-1].kind is not BlockKind.PARAGRAPH or is_closed(chunk.text):
            return
        last = document.text[max(chunk.start, blocks[-1].start) : chunk.end]
        if chunk.end < blocks[-1].end or len(last.split()) >= _WORDS_OF_A_SENTENCE:
            yield finding(self, chunk, f"the chunk ends within a sentence: '{chunk.text[-40:]}'")


member = EndsMidSentence()
