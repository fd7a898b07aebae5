"""Lines of running text as the page sets them, and words that their ends part made whole again."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.page_rows import PageRow, has_several_pieces
from tasks.parsers.pdf.lines.word_builder import enclose_words
from tasks.parsers.plain_text.printed_lines import split_word
from warehouse.records import Box

_INNER_SOFT_HYPHEN = re.compile("\u00ad(?=\\S)")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line, its usual font size in points, whether most of it is bold, and whether all of it is italic.

    It is parted where a wide gap stands in it; `pieces` are what wide gaps leave of it.
    """

    line: AssembledLine
    size: float
    bold: bool
    italic: bool = False
    has_wide_gap: bool = False
    pieces: tuple[AssembledLine, ...] = ()

    @property
    def text(self) -> str:
        """The words of the line."""
        return self.line.text

    @property
    def box(self) -> Box:
        """Where the line stands."""
        return self.line.box


def make_text_line(row: PageRow, page: int) -> TextLine:
    """A row as a line of the document."""
    bold_length = sum(len(word.text) for word in row.words if word.bold)
    line = AssembledLine(with_hyphens(row.text), page, row.box)
    pieces = (AssembledLine(with_hyphens(piece.text), page, enclose_words(piece.words)) for piece in row.pieces)
    return TextLine(
        line,
        row.size,
        2 * bold_length > sum(len(word.text) for word in row.words),
        all(word.italic for word in row.words),
        has_several_pieces(row),
        tuple(pieces) if len(row.pieces) > 1 else (line,),
    )


def with_hyphens(text: str) -> str:
    """A line in which soft hyphens, which a page shows as it shows others, are hyphens but for one at its end."""
    return _INNER_SOFT_HYPHEN.sub("-", text)


def join_hyphenated_words(lines: Sequence[AssembledLine], known_words: Collection[str]) -> list[AssembledLine]:
    """The lines of one paragraph; a word parted at a line's end loses its hyphen unless it is a compound."""
    joined_lines = list(lines)
    for number, (line, below) in enumerate(itertools.pairwise(joined_lines)):
        if (text := split_word(line.text, below.text, known_words)) is not None:
            joined_lines[number] = replace(line, text=text, joint="")
    return joined_lines


def extract_letters(text: str) -> str:
    """The letters alone."""
    return "".join(letter for letter in text if letter.isalpha())


def is_title_case(text: str) -> bool:
    """Whether most longer words begin with a capital, as those of a title do and those of a sentence do not."""
    words = [match[0] for match in re.finditer(r"[^\W\d_]+", text) if len(match[0]) > LINES.max_small_word]
    return sum(word[0].isupper() or not word.isascii() for word in words) >= LINES.title_capital_share * len(words)
