"""A document to be checked, with the results of the pipeline, and the positions of its text in its source."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tasks.chunkers.parts.document_spans import find_page_at, is_abstract, select_blocks
from warehouse.records import Block, BlockKind, Cell, Chunk, DateClaim, Document, Mention, Total

MARKDOWN = "text/markdown"
PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST)
_BACK_MATTER = frozenset(
    {"references", "bibliography", "literature cited", "author contributions", "authors' contributions", "contributors"}
    | {"competing interests", "conflict of interest", "acknowledgments", "acknowledgements", "funding"}
)
_PROPERTY = re.compile(r"[^\s:][^:\n]{0,60}: \S")


@dataclass(frozen=True)
class CheckedDocument:
    """A document with the results of the pipeline.

    `date` is the document's own with its origin, None if it is undated. `target` is the intended size of the chunks in
    characters, `window` the number of tokens that the embedder reads at once. `raw` is the source of a note or other
    text, if known; `known_totals` are the totals of all tables and `known_cells` the cells, if already computed.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    mentions: tuple[Mention, ...]
    date: DateClaim | None
    target: int
    window: int
    raw: str = ""
    known_totals: tuple[Total, ...] | None = None
    known_cells: tuple[Cell, ...] | None = None

    @cached_property
    def totals(self) -> tuple[Total, ...]:
        """The totals of all tables, checked."""
        if self.known_totals is not None:
            return self.known_totals
        from tasks.tables.totals import find_totals

        return find_totals(self.document)

    @cached_property
    def tagged_cells(self) -> tuple[Cell, ...]:
        """The cells whose figure the filer tags as data."""
        if not self.document.facts:
            return ()
        cells = self.known_cells
        if cells is None:
            from tasks.tables.cells import read_cells

            cells = read_cells(self.document, self.totals)
        return tuple(cell for cell in cells if cell.concept)

    @cached_property
    def anchors(self) -> Anchors:
        """The positions of the text's words in the source."""
        return align_source(self.document.text, self.raw)

    def find_chunk(self, position: int) -> Chunk | None:
        """The first chunk with a position of the text; chunks are in the order of their ends."""
        first = bisect_left(self.chunks, position + 1, key=lambda chunk: chunk.end)
        chunks = self.chunks[first : first + 1]
        return chunks[0] if chunks and chunks[0].start <= position else None

    def find_block(self, position: int) -> Block | None:
        """The block at a position of the text."""
        first = bisect_left(self.document.blocks, position + 1, key=lambda block: block.end)
        blocks = self.document.blocks[first : first + 1]
        return blocks[0] if blocks and blocks[0].start <= position else None

    def find_page(self, position: int) -> int | None:
        """The page of a position of the text."""
        block = self.find_block(position)
        return find_page_at(block, position) if block else None

    def iter_prose_spans(self, chunk: Chunk) -> Iterator[tuple[int, int]]:
        """Start and end of the paragraphs and lists of a chunk, cut to the chunk."""
        for block in select_blocks(self.document, chunk.start, chunk.end):
            if block.kind in PROSE:
                yield max(block.start, chunk.start), min(block.end, chunk.end)

    def is_properties(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` is only front matter."""
        is_head = start == 0 and self.document.media_type == MARKDOWN
        return is_head and all(map(_PROPERTY.match, self.document.text[start:end].split("\n")))

    def is_abstract(self, chunk: Chunk) -> bool:
        """Whether a chunk is the abstract of a paper, which is not split on purpose."""
        return any(is_abstract(self.document, block) for block in select_blocks(self.document, chunk.start, chunk.end))

    @cached_property
    def prose(self) -> tuple[Block, ...]:
        """The paragraphs and lists, in order."""
        return tuple(block for block in self.document.blocks if block.kind in PROSE)

    def get_text(self, block: Block) -> str:
        """A block's text."""
        return self.document.text[block.start : block.end]


def is_back_matter(block: Block) -> bool:
    """Whether a block is in the list of references, or in a section about authors, funding or help."""
    return any(part.strip(" .:").lower() in _BACK_MATTER for part in block.section)


_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_RUN = 3
_MAX_MARKUP_WORDS = 3_000  # The most words of markup between two words of the text.
_MAX_SOURCE_LENGTH = 2**22


@dataclass(frozen=True, slots=True)
class Anchors:
    """Aligned words of text and source: ascending positions in the text, with their lines and columns from 1."""

    positions: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    def find_line(self, position: int) -> int | None:
        """The line of a position; None if the source has no lines, as a PDF."""
        return self.lines[self._find_anchor(position)] if self.positions else None

    def find_column(self, position: int) -> int | None:
        """The column; it is approximate in lines with markup."""
        if not self.positions:
            return None
        index = self._find_anchor(position)
        return self.columns[index] + max(0, position - self.positions[index])

    def find_position(self, line: int) -> int | None:
        """The position of a line's words in the text; for a line without words, that of the line before."""
        if not self.positions:
            return None
        index = bisect_left(self.lines, line)
        has_line = index < len(self.lines) and self.lines[index] == line
        return self.positions[index if has_line else max(0, index - 1)]

    def _find_anchor(self, position: int) -> int:
        return max(0, bisect_right(self.positions, position) - 1)


def align_source(text: str, raw: str) -> Anchors:
    """Align the words of a text with those of its source, in one pass over both.

    Words that are in only one of them are skipped: the alignment continues at the next three words that agree.
    """
    if not raw or len(raw) > _MAX_SOURCE_LENGTH:
        return Anchors()
    text_words = [(match.start(), match[0]) for match in _TOKEN.finditer(text)]
    source_words = [(match.start(), match[0]) for match in _TOKEN.finditer(raw)]
    words = [word for _, word in source_words]
    runs: defaultdict[tuple[str, ...], array[int]] = defaultdict(lambda: array("I"))
    for source_index in range(len(words)):
        runs[tuple(words[source_index : source_index + _RUN])].append(source_index)
    starts = [0, *(match.end() for match in re.finditer("\n", raw))]
    anchors: list[tuple[int, int, int]] = []
    source_index = 0
    for index, (position, word) in enumerate(text_words):
        if source_index >= len(words) or words[source_index] != word:
            occurrences = runs.get(tuple(run_word for _, run_word in text_words[index : index + _RUN]), array("I"))
            next_occurrence = bisect_left(occurrences, source_index)
            if next_occurrence == len(occurrences) or occurrences[next_occurrence] - source_index > _MAX_MARKUP_WORDS:
                continue
            source_index = occurrences[next_occurrence]
        line = bisect_right(starts, source_words[source_index][0])
        if not anchors or anchors[-1][1] != line:
            anchors.append((position, line, source_words[source_index][0] - starts[line - 1] + 1))
        source_index += 1
    return Anchors(*map(tuple, zip(*anchors, strict=True))) if anchors else Anchors()
