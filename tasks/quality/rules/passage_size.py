"""Rules of passages that are empty, too small or too large for what embeds them."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import shorten_text
from tasks.quality.rule import Violation, index_by_name, make_chunk_violation, make_document_rule
from warehouse.records import Severity


def empty_passage(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK001: a passage without a single letter or digit.

    What: the text is blank, or only rules, bullets and punctuation.
    Why it hurts retrieval: its vector means nothing, so it is near to everything and takes a place among the hits.
    Example: `* * *`
    Cure: remove decorative lines from the source, or choose a chunker that joins small pieces.
    """
    for chunk in subject.chunks:
        if not any(map(str.isalnum, chunk.text)):
            yield make_chunk_violation(chunk, "the passage holds no letter and no digit: remove the line")


_LEAST_SHARE = 0.05


def too_small(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK004: a passage far below the size aimed at, though the document holds more text.

    What: fewer than a twentieth of the target's characters.
    Why it hurts retrieval: a few words match a question strongly by chance and tell the reader little.
    Example: `See next page.`
    Cure: join short sections, or raise `chunk.size`.
    """
    # Chunks without a table in documents that are longer; properties of notes and headings are other matters.
    least = subject.target * _LEAST_SHARE
    for chunk in subject.chunks:
        is_small = not chunk.has_table and chunk.size < least < len(subject.document.text)
        if is_small and not subject.is_properties(chunk.start, chunk.end) and any(subject.iter_prose_spans(chunk)):
            aim = f"{chunk.size} characters where about {subject.target} are aimed at"
            yield make_chunk_violation(chunk, f"{aim}: '{shorten_text(chunk.text)}'")


_TIMES_TARGET = 1.5
_TIMES_MEDIAN = 2


def too_large(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK007: a passage far above the size aimed at and the size of its neighbours.

    What: more than one and a half times the target and twice the median of the document's passages.
    Why it hurts retrieval: one vector stands for many statements and is near to none of them.
    Example: a paragraph of 4,000 characters where passages aim at 1,000.
    Cure: lower `chunk.size`, or choose a chunker that cuts long paragraphs.
    """
    # Chunks without a table; the abstracts of papers are kept whole on purpose.
    if not subject.chunks:
        return
    median = statistics.median(chunk.size for chunk in subject.chunks)
    most = _TIMES_TARGET * subject.target
    for chunk in subject.chunks:
        stands_out = len(subject.chunks) == 1 or chunk.size > _TIMES_MEDIAN * median
        if chunk.size > most and stands_out and not chunk.has_table and not subject.is_abstract(chunk):
            usual = f"where {subject.target} are aimed at and {median:.0f} are usual"
            yield make_chunk_violation(chunk, f"{chunk.size} characters {usual}: cut it")


_FARTHEST = 1.25  # In windows: of a chunk that is a little longer all but a sentence or two is seen at once.


def beyond_window(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK010: a passage longer than the embedder's window.

    What: the passage has a quarter more tokens than the model reads at once, or yet more.
    Why it hurts retrieval: the text beyond is not seen beside what stands before it: the passage is embedded in several
    pieces, and other programs cut it off.
    Example: 1,000 Chinese characters for a model that reads 256 tokens.
    Cure: lower `chunk.size` for such documents, or choose a model with a longer window.
    """
    # Chunks but for tables, which are embedded row by row, and abstracts; tokens are estimated without a model.
    for chunk in subject.chunks:
        tokens = 0 if chunk.has_table else _estimate_tokens(chunk.embedded_text)
        if tokens > _FARTHEST * subject.window and not subject.is_abstract(chunk):
            reads = f"the model reads {subject.window} at once"
            yield make_chunk_violation(chunk, f"about {tokens} tokens where {reads}: lower chunk.size")


_PIECE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|\d+|[^\W\d_]+|[^\w\s]|_")
_LETTERS, _DIGITS = 8, 3  # The letters and digits that a piece of a word holds at most, as a rule.


_SHORT_PIECE = re.compile(rf"[0-9]{{1,{_DIGITS}}}|[A-Za-z]{{1,{_LETTERS}}}|[^\w\s]|_")


def _estimate_tokens(text: str) -> int:
    """A token a short word, sign or Chinese character, and one for each further piece of long words and numbers."""
    if text.isascii():
        # The same, counted three times as fast.
        return len(_SHORT_PIECE.findall(text)) + 2
    pieces = _PIECE.findall(text)
    return sum(-(-len(piece) // (_DIGITS if piece[0].isdigit() else _LETTERS)) for piece in pieces) + 2


_LARGE, _HUGE = 2, 3
_HUGE_PENALTY = 0.3


def oversized_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB002: a table of more than twice the size that passages aim at.

    What: a passage with a table is longer than two target sizes (0.15) or three (0.3).
    Why it hurts retrieval: one vector stands for hundreds of figures, and a hit shows the reader far more than was
    asked.
    Example: a balance sheet of 5,000 characters where passages aim at 1,000.
    Cure: raise `chunk.size` for such documents, or divide the table in the source.
    """
    # Chunks with a table; one that is no list of records is kept whole all the same.
    for chunk in subject.chunks:
        if chunk.has_table and chunk.size > _LARGE * subject.target:
            penalty = _HUGE_PENALTY if chunk.size > _HUGE * subject.target else None
            times = f"{chunk.size / subject.target:.1f} times the size aimed at"
            yield make_chunk_violation(
                chunk, f"a table of {chunk.size} characters is {times}: divide it in the source", penalty
            )


members = index_by_name(
    make_document_rule(empty_passage, Severity.ERROR, 1.0),
    # Its penalty is small: such chunks beside half of the others took no place that an answer needed.
    make_document_rule(too_small, Severity.NOTE, 0.05),
    # Its penalty is moderate: three chunks in one cost few answers where as much is read, and not surely.
    make_document_rule(too_large, Severity.WARNING, 0.1),
    make_document_rule(beyond_window, Severity.NOTE, 0.05),
    make_document_rule(oversized_table, Severity.WARNING, 0.15),
)
