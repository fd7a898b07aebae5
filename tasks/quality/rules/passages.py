"""Rules of passages that are empty, too small or too large, or cut off from their sentence, heading or table."""

from __future__ import annotations

import re
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise, zip_longest

from tasks.chunkers.parts.document_spans import ends_sentence, find_sentences, select_blocks
from tasks.chunkers.parts.long_tables import is_planned_part
from tasks.quality.checked_document import PROSE, CheckedDocument, is_back_matter
from tasks.quality.phrases import shorten_text
from tasks.quality.rule import Violation, index_by_name, make_chunk_violation, make_document_rule
from warehouse.records import Block, BlockKind, Chunk, Severity
from warehouse.table_notation import has_complete_tables

_MAX_TAGS_LENGTH = 300
_UNFINISHED_SIGNS = ("|", "»", ")", "]", "☐", "☑", "☒")
_TAGS = re.compile(r"(?:(?<!\S)[#^][\w/-]+\s*)+\Z")
_MAX_QUOTE_LENGTH = 50
_WORDS_OF_A_SENTENCE = 8
_CONTEXT_LENGTH = 200  # The characters before a chunk in which the sentence before it must have ended.


def starts_mid_sentence(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK002: a passage of prose, or a section in it, that begins in the middle of a sentence.

    What: the passage starts inside a paragraph where no sentence begins, or its first paragraph, or the first one below
    a heading, starts with a small letter.
    Why it hurts retrieval: the subject of the sentence is in the previous passage, so the words lose what they are
    about.
    Example: `which rose by 4 % against the year before.`
    Cure: raise `chunk.size` or the overlap, or remove running headers and footers so that they interrupt no sentence.
    """
    # Once per chunk without a table; items of lists, and sections on authors and funding, may begin small.
    for chunk in subject.chunks:
        blocks = select_blocks(subject.document, chunk.start, chunk.end)
        if chunk.has_table or not blocks or is_back_matter(blocks[0]):
            continue
        if blocks[0].kind in PROSE and _starts_broken(chunk, blocks[0], subject.document.text):
            yield make_chunk_violation(chunk, f"the passage starts within a sentence: '{shorten_text(chunk.text)}'")
            continue
        for above, block in pairwise(blocks):
            text = subject.get_text(block)
            is_first = above.kind is BlockKind.HEADING and block.kind is BlockKind.PARAGRAPH
            if is_first and _begins_in_lower_case(text) and _is_sentence(text):
                yield Violation(f"a section starts within a sentence: '{shorten_text(text)}'", block.start, block.end)
                break


def _starts_broken(chunk: Chunk, block: Block, text: str) -> bool:
    is_list = block.kind is BlockKind.LIST
    if chunk.start == block.start:
        # A paragraph may continue one that introduces it: a list written as paragraphs.
        endings = (":", "：", ";", "；")
        return not is_list and _begins_in_lower_case(chunk.text) and text[: block.start].rstrip()[-1:] not in endings
    nearby = max(block.start, chunk.start - _CONTEXT_LENGTH)
    if is_list and text[nearby : chunk.start].rstrip(" \t").endswith("\n"):
        return False
    return chunk.start not in find_sentences(text, nearby, min(block.end, chunk.start + 1))


def ends_mid_sentence(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK003: a passage of prose, or a section in it, that stops in the middle of a sentence.

    What: the passage ends inside a paragraph without closing punctuation, or its last paragraph, or the last one of a
    section in it, of a sentence's length, lacks it.
    Why it hurts retrieval: the statement is found without its end, and what it says of the subject is lost.
    Example: `Revenue for the quarter amounted to`
    Cure: raise `chunk.size`, or remove running headers and footers so that they interrupt no sentence.
    """
    # Once per chunk without a table; captions, addresses, and sections on authors and funding are no sentences.
    for chunk in subject.chunks:
        blocks = select_blocks(subject.document, chunk.start, chunk.end)
        if chunk.has_table or not blocks or is_back_matter(blocks[-1]):
            continue
        is_open = blocks[-1].kind in PROSE and not ends_sentence(_without_tags(chunk.text))
        if is_open and _ends_broken(chunk, blocks[-1], subject.document.text):
            yield make_chunk_violation(chunk, f"the passage ends within a sentence: '{_shorten_end(chunk.text)}'")
            continue
        for block, below in pairwise(blocks):
            text = _without_tags(subject.get_text(block))
            is_last = below.kind is BlockKind.HEADING and block.kind is BlockKind.PARAGRAPH
            if is_last and not ends_sentence(text) and _is_sentence(text):
                yield Violation(f"a section ends within a sentence: '{_shorten_end(text)}'", block.start, block.end)
                break


def _ends_broken(chunk: Chunk, block: Block, text: str) -> bool:
    """Whether the last paragraph, or item of a list, continues after the chunk or is a sentence without an end."""
    if block.kind is BlockKind.LIST:
        line = text.find("\n", chunk.end, block.end)
        return bool(text[chunk.end : block.end if line < 0 else line].strip())
    return chunk.end < block.end or _is_sentence(text[max(chunk.start, block.start) : chunk.end])


def _shorten_end(text: str) -> str:
    flat = " ".join(text[-4 * _MAX_QUOTE_LENGTH :].split())
    return flat if len(flat) <= _MAX_QUOTE_LENGTH else f"…{flat[1 - _MAX_QUOTE_LENGTH :].lstrip()}"


def _begins_in_lower_case(text: str) -> bool:
    """Whether a text begins with a small letter, names such as iPhone, pH and e-mail excepted."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    return first[:1].islower() and first[1:2] not in ("-", "") and not any(map(str.isupper, first))


def _is_sentence(text: str) -> bool:
    """Whether a line is as long as a sentence, and neither an address nor a row of names."""
    words = text.split()
    if len(words) < _WORDS_OF_A_SENTENCE or text.rstrip().endswith(_UNFINISHED_SIGNS) or "://" in words[-1]:
        return False
    return sum(word[:1].islower() for word in words) * 2 >= len(words)


def _without_tags(text: str) -> str:
    """A text without the tags and block ids of a note at its end."""
    return text[:-_MAX_TAGS_LENGTH] + _TAGS.sub("", text[-_MAX_TAGS_LENGTH:])


_HEADING_PENALTY = 0.1
"""The same as for a near duplicate: headings cut from their text cost as many answers, though not significantly."""


def heading_without_body(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK006: a passage of headings and nothing under them, or an empty section in a passage.

    What: every block of the passage is a heading; or one of them is followed by a heading of its own level or above, or
    by nothing. An empty section costs its share of the passage.
    Why it hurts retrieval: a heading matches the question's words best of all and answers nothing, so it displaces the
    text that does.
    Example: `## Results of operations`
    Cure: raise `chunk.size` so that the section fits with its heading; remove empty sections from the source.
    """
    # In PDF the levels of headings are a guess, so only whole chunks count there. The first block, the title of a
    # document, may have no text below.
    bodies = [block for block in subject.document.blocks if block.kind is not BlockKind.FURNITURE]
    empty = {
        block.start
        for block, next_block in zip_longest(bodies[1:], bodies[2:])
        if block.kind is BlockKind.HEADING
        and (next_block is None or (next_block.kind is BlockKind.HEADING and next_block.level <= block.level))
    }
    for chunk in subject.chunks:
        blocks = select_blocks(subject.document, chunk.start, chunk.end)
        if blocks and all(block.kind is BlockKind.HEADING for block in blocks):
            yield make_chunk_violation(
                chunk, f"the passage is a heading without the text it heads: '{shorten_text(chunk.text)}'"
            )
            continue
        for block in blocks:
            if block.start in empty and block.page is None:
                penalty = round(_HEADING_PENALTY * (block.end - block.start) / chunk.size, 2)
                message = f"there is no text under the heading '{shorten_text(subject.get_text(block))}'"
                yield Violation(message, block.start, block.end, chunk, penalty=penalty)


def split_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB001: a passage that holds a part of a table.

    What: a `[TABLE n]` marker without its `[END TABLE]`, or the other way round. The passages of a list of 200 rows and
    more than 5,000 characters, or of any table of more than 20,000, are whole rows below its header, and no fault.
    Why it hurts retrieval: rows without their header are numbers without meaning, and the Markdown no longer reads as a
    table.
    Example: rows of figures that end in `[END TABLE]`, the header rows being in the passage before.
    Cure: use a chunker that does not split tables, such as `structural`.
    """
    # Unpaired markers, and rows cut out of the middle of a table, which have no marker at all.
    tables = subject.document.tables
    for chunk in subject.chunks:
        # The tables that share a character with the chunk: tables are in order and do not overlap.
        first = bisect_right(tables, chunk.start, key=lambda table: table.end)
        overlapping_tables = tables[first : bisect_left(tables, chunk.end, key=lambda table: table.start)]
        parts = [table for table in overlapping_tables if table.start < chunk.start or chunk.end < table.end]
        part_numbers = [str(table.number) for table in parts if not is_planned_part(table, chunk.start, chunk.end)]
        if part_numbers:
            yield make_chunk_violation(chunk, f"the passage holds only a part of table {', '.join(part_numbers)}")
        elif not parts and not has_complete_tables(chunk.text):
            yield make_chunk_violation(chunk, "the passage holds a table marker without its counterpart")


_NOUN = (
    r"(?:tables?|charts?|figure|graphs?|diagrams?|images?|pictures?|photos?|photographs?|maps?|illustrations?|plots?)"
)
_VERB = r"(?:(?:shown|given|presented|provided|listed|set (?:out|forth)) )?"
_PLACE = (
    r"(?:below|above|overleaf|opposite|underneath|beneath|that follows"
    r"|on the (?:next|previous|following|facing|opposite) page|(?:to|on) the (?:left|right)|further (?:down|up)"
    r"|(?:at|on) the (?:end|beginning|top|bottom|left|right|foot) of)"
)
_WORD_PARTS = "示现現达達明决決态態演扬揚彰面情白层層皮述书書像案片谱譜形纸紙腾騰谋謀标標解文例"
"""Characters that make another word of 表 or 图: 会议上表示 is "said at the meeting"."""
_POINTER = re.compile(
    rf"\b{_NOUN} {_VERB}{_PLACE}\b(?! (?:\d|zero|the (?:rim|average)))"
    rf"|\b(?:below|above|following|preceding|next|previous) {_NOUN}\b(?! (?:of contents|stakes))"
    rf"|[如以见]?[上下](?:方|面|列|述)?的?(?:表格|[图圖]表|[表图圖](?![{_WORD_PARTS}]))",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"^\s*(?:figure|fig\.|chart|[图圖])\s*\d", re.IGNORECASE | re.MULTILINE)


def orphan_reference(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK011: a passage that points to a table or figure which is not in it.

    What: it refers to "the table below", "the following table" or the like and has none.
    Why it hurts retrieval: the passage is found, and what the reader is told to look at is not there.
    Example: `The results are shown in the table below.`
    Cure: give the table a number and a caption and refer to it by them.
    """
    # Chunks without a table or the caption of a figure.
    for chunk in subject.chunks:
        reference = _POINTER.search(chunk.text)
        if reference and not chunk.has_table and not _CAPTION.search(chunk.text):
            start = chunk.start + reference.start()
            message = f"'{reference[0]}' is not in the passage: refer to it by its number or caption"
            yield Violation(message, start, chunk.start + reference.end(), chunk)


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


_MIN_SHARE = 0.05


def too_small(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK004: a passage far below the size aimed at, though the document holds more text.

    What: fewer than a twentieth of the target's characters.
    Why it hurts retrieval: a few words match a question strongly by chance and inform the reader little.
    Example: `See next page.`
    Cure: join short sections, or raise `chunk.size`.
    """
    # Chunks without a table in documents that are longer; properties of notes and headings are other matters.
    min_size = subject.target * _MIN_SHARE
    for chunk in subject.chunks:
        is_small = not chunk.has_table and chunk.size < min_size < len(subject.document.text)
        if is_small and not subject.is_properties(chunk.start, chunk.end) and any(subject.iter_prose_spans(chunk)):
            sizes_text = f"{chunk.size} characters where about {subject.target} are aimed at"
            yield make_chunk_violation(chunk, f"{sizes_text}: '{shorten_text(chunk.text)}'")


_TIMES_TARGET = 1.5
_TIMES_MEDIAN = 2


def too_large(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK007: a passage far above the size aimed at and the size of its neighbours.

    What: more than one and a half times the target and twice the median of the document's passages.
    Why it hurts retrieval: one vector represents many statements and is similar to none of them.
    Example: a paragraph of 4,000 characters where passages aim at 1,000.
    Cure: lower `chunk.size`, or choose a chunker that cuts long paragraphs.
    """
    # Chunks without a table; the abstracts of papers are not split on purpose.
    if not subject.chunks:
        return
    median = statistics.median(chunk.size for chunk in subject.chunks)
    max_size = _TIMES_TARGET * subject.target
    for chunk in subject.chunks:
        stands_out = len(subject.chunks) == 1 or chunk.size > _TIMES_MEDIAN * median
        if chunk.size > max_size and stands_out and not chunk.has_table and not subject.is_abstract(chunk):
            sizes_text = f"where {subject.target} are aimed at and {median:.0f} are usual"
            yield make_chunk_violation(chunk, f"{chunk.size} characters {sizes_text}: cut it")


_MAX_WINDOWS = 1.25  # In windows: if a chunk is only a little longer, all but a sentence or two is read at once.


def beyond_window(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK010: a passage longer than the embedder's window.

    What: the passage has a quarter more tokens than the model reads at once, or yet more.
    Why it hurts retrieval: the text beyond is not seen beside what stands before it: the passage is embedded in several
    pieces, and other programs cut it off.
    Example: 1,000 Chinese characters for a model that reads 256 tokens.
    Cure: lower `chunk.size` for such documents, or choose a model with a longer window.
    """
    # Chunks except tables, which are embedded row by row, and abstracts; tokens are estimated without a model.
    for chunk in subject.chunks:
        tokens = 0 if chunk.has_table else _estimate_tokens(chunk.embedded_text)
        if tokens > _MAX_WINDOWS * subject.window and not subject.is_abstract(chunk):
            window_text = f"the model reads {subject.window} at once"
            yield make_chunk_violation(chunk, f"about {tokens} tokens where {window_text}: lower chunk.size")


_TOKEN_PIECE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|\d+|[^\W\d_]+|[^\w\s]|_")
_LETTERS, _DIGITS = 8, 3  # The usual maximum of letters and digits in a piece of a word.


_SHORT_PIECE = re.compile(rf"[0-9]{{1,{_DIGITS}}}|[A-Za-z]{{1,{_LETTERS}}}|[^\w\s]|_")


def _estimate_tokens(text: str) -> int:
    """One token per short word, sign or Chinese character, and one per further piece of long words and numbers."""
    if text.isascii():
        # The same, counted three times as fast.
        return len(_SHORT_PIECE.findall(text)) + 2
    pieces = _TOKEN_PIECE.findall(text)
    return sum(-(-len(piece) // (_DIGITS if piece[0].isdigit() else _LETTERS)) for piece in pieces) + 2


_LARGE_FACTOR, _HUGE_FACTOR = 2, 3
_HUGE_PENALTY = 0.3


def oversized_table(subject: CheckedDocument) -> Iterator[Violation]:
    """TAB002: a table of more than twice the size that passages aim at.

    What: a passage with a table is longer than two target sizes (0.15) or three (0.3).
    Why it hurts retrieval: one vector represents hundreds of figures, and a hit shows the reader far more than was
    asked.
    Example: a balance sheet of 5,000 characters where passages aim at 1,000.
    Cure: raise `chunk.size` for such documents, or divide the table in the source.
    """
    # Chunks with a table, which is not split unless it is a list of records.
    for chunk in subject.chunks:
        if chunk.has_table and chunk.size > _LARGE_FACTOR * subject.target:
            penalty = _HUGE_PENALTY if chunk.size > _HUGE_FACTOR * subject.target else None
            size_text = f"{chunk.size / subject.target:.1f} times the size aimed at"
            yield make_chunk_violation(
                chunk, f"a table of {chunk.size} characters is {size_text}: divide it in the source", penalty
            )


members = index_by_name(
    make_document_rule(starts_mid_sentence, Severity.WARNING, 0.15),
    make_document_rule(ends_mid_sentence, Severity.WARNING, 0.15),
    make_document_rule(heading_without_body, Severity.WARNING, _HEADING_PENALTY),
    make_document_rule(split_table, Severity.ERROR, 0.5),
    # Its penalty is nothing: a passage that points elsewhere is found as well as any other.
    make_document_rule(orphan_reference, Severity.NOTE, 0.0),
    make_document_rule(empty_passage, Severity.ERROR, 1.0),
    # Its penalty is small: such chunks among half of the others took no rank that an answer needed.
    make_document_rule(too_small, Severity.NOTE, 0.05),
    # Its penalty is moderate: three chunks in one cost few answers where as much is read, and not surely.
    make_document_rule(too_large, Severity.WARNING, 0.1),
    make_document_rule(beyond_window, Severity.NOTE, 0.05),
    make_document_rule(oversized_table, Severity.WARNING, 0.15),
)
