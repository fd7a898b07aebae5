"""Lines of running text as the page sets them, and words that their ends part made whole again."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.page_rows import PageRow, is_parted
from tasks.parsers.pdf.lines.word_builder import enclose_words
from warehouse.records import Box

_SHOWN_HYPHEN = re.compile("\u00ad(?=\\S)")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_PARTED = re.compile(r"(?<![^\W\d_])([^\W\d_]+)[-\u00ad\u2010]$")
_BEGINS = re.compile(r"[^\W_]+")
_COMPOUNDS = frozenset((
    "all", "anti", "co", "cross", "end", "ex", "full", "half", "high", "in", "inter", "left", "long", "low",
    "mid", "multi", "near", "non", "off", "on", "one", "over", "part", "per", "post", "pre", "right", "self",
    "semi", "short", "single", "sub", "third", "three", "top", "two", "under", "up", "well", "year",
))  # fmt: skip
"""First parts of words that are written with a hyphen wherever the line ends."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line, its usual font size in points, whether most of it is bold, and whether all of it is italic.

    It is parted where a wide gap stands in it; `pieces` are what wide gaps leave of it.
    """

    line: AssembledLine
    size: float
    bold: bool
    italic: bool = False
    parted: bool = False
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
    heavy = sum(len(word.text) for word in row.words if word.bold)
    line = AssembledLine(with_hyphens(row.text), page, row.box)
    pieces = (AssembledLine(with_hyphens(piece.text), page, enclose_words(piece.words)) for piece in row.pieces)
    return TextLine(
        line,
        row.size,
        2 * heavy > sum(len(word.text) for word in row.words),
        all(word.italic for word in row.words),
        is_parted(row),
        tuple(pieces) if len(row.pieces) > 1 else (line,),
    )


def with_hyphens(text: str) -> str:
    """A line in which soft hyphens, which a page shows as it shows others, are hyphens but for one at its end."""
    return _SHOWN_HYPHEN.sub("-", text)


def collect_words(lines: Iterable[str]) -> frozenset[str]:
    """Every word of the lines in small letters, compounds with their hyphen."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line))


def join_hyphenated_words(lines: Sequence[AssembledLine], known_words: Collection[str]) -> list[AssembledLine]:
    """The lines of one paragraph; a word parted at a line's end loses its hyphen unless it is a compound.

    It is one if the document writes it with a hyphen elsewhere, if the first part often begins one ("long-term") and
    the document never writes it as one word, or if the second part begins with a capital or a digit.
    """
    joined_lines = list(lines)
    for number, (line, below) in enumerate(itertools.pairwise(joined_lines)):
        first_part, second_part = _PARTED.search(line.text), _BEGINS.match(below.text)
        if first_part is None or second_part is None:
            continue
        whole = not line.text.endswith("-") or _is_one_word(first_part[1].lower(), second_part[0], known_words)
        joined_lines[number] = replace(line, text=line.text[:-1] if whole else line.text, joint="")
    return joined_lines


def _is_one_word(first: str, second: str, known_words: Collection[str]) -> bool:
    if not second[0].islower() or f"{first}-{second}" in known_words:
        return False
    return f"{first}{second}" in known_words or first not in _COMPOUNDS


def extract_letters(text: str) -> str:
    """The letters alone."""
    return "".join(letter for letter in text if letter.isalpha())


def is_title_case(text: str) -> bool:
    """Whether most longer words begin with a capital, as those of a title do and those of a sentence do not."""
    words = [match[0] for match in re.finditer(r"[^\W\d_]+", text) if len(match[0]) > LINES.small_word]
    return sum(word[0].isupper() or not word.isascii() for word in words) >= LINES.titled_share * len(words)
