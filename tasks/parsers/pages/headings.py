"""Headings guessed from size, weight, slant, capitals and place, measured against the document's running text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from tasks.parsers.pages.labels import Label, is_frame, is_pointed, is_statement, label_of, section_number
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.unheaded import is_no_heading, is_title_case, letters_of

_LONGEST = 160
_LONGEST_STYLED = 100
MOST_LINES = 3
"""Lines of a heading at the most."""
_FEWEST_CAPITALS = 6
_CENTRED = 0.02
_INSET = 0.06
LEADS = re.compile(r"[^\d\s]\s\d{1,3}$")
"""Words that lead to the number of a page."""


class HeadingMark(IntEnum):
    """What makes a line of the running text's size a heading, from the highest to the lowest."""

    PART = 0
    ITEM = 1
    CAPITALS = 2
    NOTE = 3
    BOLD = 4
    BOLD_ITALIC = 5
    ITALIC = 6


_LABELS = {Label.PART: HeadingMark.PART, Label.ITEM: HeadingMark.ITEM, Label.NOTE: HeadingMark.NOTE}


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """How a heading stands out: the place of its size among the larger ones, its mark, its size in points.

    `number` is that of its section, (2, 1) for 2.1. A weak one has capitals or italics only. A statement is the title
    of a financial statement, which stands in a frame, a part, an item or the like, and in no other section.
    """

    step: int
    mark: HeadingMark
    size: float
    number: tuple[int, ...] = ()
    is_weak: bool = False
    is_statement: bool = False
    is_frame: bool = False

    @property
    def rank(self) -> tuple[int, int, float]:
        """Smaller for what stands higher."""
        return self.step, int(self.mark), -self.size


@dataclass(frozen=True, slots=True)
class Typography:
    """The size of the running text in points, the place of each larger size (from 0), and what pages look like.

    `extents` are the left and right edges of each page's text; `contents` the pages with a table of contents. `titles`
    are those that the tables of contents and the bookmarks list, their letters and digits alone.
    """

    body: float
    steps: Mapping[float, int]
    extents: Mapping[int, tuple[float, float]]
    contents: frozenset[int] = frozenset()
    titles: frozenset[str] = frozenset()

    def style(self, lines: Sequence[TextLine]) -> HeadingStyle | None:
        """The style of the heading that the lines of a paragraph are; None where they are none."""
        text = " ".join(line.text for line in lines)
        if len(lines) > MOST_LINES or len(text) > _LONGEST:
            return None
        label, size = label_of(text), max(line.size for line in lines)
        mark = self._mark(lines, text, label, size)
        if mark is None or is_no_heading(text, is_labelled=label is not None):
            return None
        if self._is_listed(lines, text, label):
            return None
        statement = is_statement(text)
        strong = size in self.steps or label is not None or statement or all(line.bold for line in lines)
        frame = label is not None or (is_frame(text) and not (statement and not text.lower().startswith("notes")))
        return HeadingStyle(self._step(mark, size), mark, size, section_number(text), not strong, statement, frame)

    def right_of(self, lines: Sequence[TextLine]) -> float:
        """The right edge of the text of the page that the lines begin on."""
        return self.extents.get(lines[0].line.page, (0.0, 0.0))[1]

    def _is_listed(self, lines: Sequence[TextLine], text: str, label: Label | None) -> bool:
        """Whether words stand in columns, as those over a table do, or lead to a page of the document."""
        if lines[0].line.page in self.contents and (label is not None or is_statement(text)):
            return True
        numbered = label is not None or section_number(text)
        return any(line.parted for line in lines) and (not numbered or LEADS.search(text) is not None)

    def _step(self, mark: HeadingMark, size: float) -> int:
        """The place of a size among the larger ones; of the text's size parts stand above these, the rest below."""
        return self.steps.get(size, -1 if mark is HeadingMark.PART else len(set(self.steps.values())))

    def _mark(self, lines: Sequence[TextLine], text: str, label: Label | None, size: float) -> HeadingMark | None:
        bold, italic = all(line.bold for line in lines), all(line.italic for line in lines)
        capitals, larger = _is_in_capitals(text), size in self.steps
        statement = is_statement(text)
        if size < self.body and not larger and not (label and bold) and not statement:
            return None
        listed = solid(text) in self.titles
        if label is not None and (bold or larger or capitals or listed or is_title_case(text) or is_pointed(text)):
            return _LABELS[label]
        if len(text) > _LONGEST_STYLED and not larger:
            return None
        if capitals or (bold and all(map(self._is_centred, lines))) or (statement and not bold and not larger):
            return HeadingMark.CAPITALS
        if bold or larger or listed:
            return HeadingMark.BOLD_ITALIC if italic and bold else HeadingMark.BOLD
        if italic and len(lines) == 1:
            return HeadingMark.ITALIC
        return HeadingMark.BOLD if len(section_number(text)) > 1 and is_title_case(text) else None

    def _is_centred(self, line: TextLine) -> bool:
        """Whether a line stands in the middle of its page's text, off both its edges."""
        left, right = self.extents.get(line.line.page, (0.0, 0.0))
        wide = right - left
        off = abs((line.box.x0 + line.box.x1) - (left + right)) / 2
        return off < _CENTRED * wide and line.box.x0 - left > _INSET * wide


def solid(text: str) -> str:
    """The letters and digits of a title, by which it is compared."""
    return "".join(char for char in text if char.isalnum()).casefold()


def _is_in_capitals(text: str) -> bool:
    letters = letters_of(text)
    return len(letters) >= _FEWEST_CAPITALS and letters.isupper()
