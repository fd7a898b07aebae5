"""Typography of a document: its sizes, the style of each heading against the running text, the outline's depth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from tasks.parsers.pdf.blocks.block_settings import BLOCKS
from tasks.parsers.pdf.blocks.heading_patterns import (
    Label,
    is_frame,
    is_no_heading,
    is_pointed,
    is_statement,
    label_of,
    section_number,
)
from tasks.parsers.pdf.lines.text_lines import TextLine, is_title_case, letters_of
from tasks.parsers.pdf.page_reader import PageContent
from tasks.parsers.pdf.tables.found_tables import FoundTable

LEADS = re.compile(r"[^\d\s]\s\d{1,3}$")  # Words that lead to the number of a page.
_LEADER = re.compile(r"[\s.·…_]+\d{1,3}$")
_PAGE_NUMBER = re.compile(r"\d{1,3}")


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
        if len(lines) > BLOCKS.heading_lines or len(text) > BLOCKS.heading_longest:
            return None
        label, size = label_of(text), max(line.size for line in lines)
        mark = self._mark(lines, text, label, size)
        if mark is None or is_no_heading(text, is_labelled=label is not None) or self._is_listed(lines, text, label):
            return None
        statement = is_statement(text)
        strong = size in self.steps or label is not None or statement or all(line.bold for line in lines)
        frame = label is not None or (is_frame(text) and not (statement and not text.lower().startswith("notes")))
        text_step = -1 if mark is HeadingMark.PART else len(set(self.steps.values()))
        step = self.steps.get(size, text_step)  # of the text's size, parts stand above larger ones, the rest below
        return HeadingStyle(step, mark, size, section_number(text), not strong, statement, frame)

    def right_of(self, lines: Sequence[TextLine]) -> float:
        """The right edge of the text of the page that the lines begin on."""
        return self.extents.get(lines[0].line.page, (0.0, 0.0))[1]

    def _is_listed(self, lines: Sequence[TextLine], text: str, label: Label | None) -> bool:
        """Whether words stand in columns, as those over a table do, or lead to a page of the document."""
        if lines[0].line.page in self.contents and (label is not None or is_statement(text)):
            return True
        numbered = label is not None or section_number(text)
        return any(line.parted for line in lines) and (not numbered or LEADS.search(text) is not None)

    def _mark(self, lines: Sequence[TextLine], text: str, label: Label | None, size: float) -> HeadingMark | None:
        bold, italic = all(line.bold for line in lines), all(line.italic for line in lines)
        letters, larger = letters_of(text), size in self.steps
        capitals = len(letters) >= BLOCKS.heading_capitals and letters.isupper()
        statement = is_statement(text)
        if size < self.body and not larger and not (label and bold) and not statement:
            return None
        listed = letters_and_digits(text) in self.titles
        if label is not None and (bold or larger or capitals or listed or is_title_case(text) or is_pointed(text)):
            return _LABELS[label]
        if len(text) > BLOCKS.heading_longest_styled and not larger:
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
        return off < BLOCKS.heading_centred * wide and line.box.x0 - left > BLOCKS.heading_inset * wide


def letters_and_digits(text: str) -> str:
    """The letters and digits of a title, by which it is compared."""
    return "".join(char for char in text if char.isalnum()).casefold()


def measure_typography(
    pages: Iterable[PageContent], aside: Collection[int], bookmarks: Iterable[str] = ()
) -> Typography:
    """The running text's size is the largest in which a fifth of all long lines is set, else the most usual one.

    Larger ones are ranked. Lines whose `id` is in `aside` do not count. `bookmarks` are titles that the file lists.
    """
    items = [(page.number, item) for page in pages for item in page.items if id(item) not in aside]
    every = [item for _, item in items if isinstance(item, TextLine)]
    prose = _weights(line for line in every if len(line.text) >= BLOCKS.prose_length) or _weights(every)
    if not prose:
        return Typography(0.0, {}, {})
    usual = max(prose, key=lambda size: (prose[size], size))
    body = max((size for size, weight in prose.items() if weight >= BLOCKS.body_share * prose.total()), default=usual)
    larger = sorted({line.size for line in every if line.size > BLOCKS.larger_size * body}, reverse=True)
    extents: dict[int, tuple[float, float]] = {}
    for page, item in items:
        left, right = extents.get(page, (item.box.x0, item.box.x1))
        extents[page] = min(left, item.box.x0), max(right, item.box.x1)
    contents, titles = _contents(items)
    known = frozenset(
        name for name in map(letters_and_digits, (*titles, *bookmarks)) if len(name) >= BLOCKS.listed_title
    )
    return Typography(body, _steps(larger), extents, contents, known)


def _contents(items: Sequence[tuple[int, TextLine | FoundTable]]) -> tuple[frozenset[int], list[str]]:
    """The pages whose lines lead several items or parts to the number of a page, and all titles that lines lead on.

    A list of statements alone, as it stands below the heading of their item, makes no page of contents.
    """
    leading: dict[int, list[str]] = {}
    before: list[str] = []
    for page, item in items:
        if isinstance(item, FoundTable):
            rows = [row for row in item.rows if _PAGE_NUMBER.fullmatch(row[-1])]
            leading.setdefault(page, []).extend(" ".join(filter(None, row[:-1])) for row in rows)
            before = []
        elif item.parted and LEADS.search(item.text):
            title = _LEADER.sub("", item.text)
            whole = (" ".join([*before[place:], title]) for place in range(len(before) + 1))
            leading.setdefault(page, []).extend(whole)
            before = []
        else:
            before = [*before, item.text][1 - BLOCKS.contents_entry_lines :]
    several = {page: titles for page, titles in leading.items() if len(titles) >= BLOCKS.contents_lines}
    labelled = {page: sum(label_of(title) is not None for title in titles) for page, titles in several.items()}
    pages = frozenset(page for page, count in labelled.items() if count >= BLOCKS.contents_labels)
    return pages, [title for titles in several.values() for title in titles]


def _steps(sizes: Sequence[float]) -> dict[float, int]:
    """The places of falling sizes; such as hardly differ share one."""
    steps: dict[float, int] = {}
    step, first = 0, sizes[0] if sizes else 0.0
    for size in sizes:
        if size * BLOCKS.next_size < first:
            step, first = step + 1, size
        steps[size] = step
    return steps


def _weights(lines: Iterable[TextLine]) -> Counter[float]:
    weights: Counter[float] = Counter()
    for line in lines:
        weights[line.size] += len(line.text)
    return weights


class Outline:
    """The headings that are open, outermost first.

    Depth counts the open headings and not the styles of the document, so that no depth is skipped.
    """

    def __init__(self) -> None:
        self._open: list[HeadingStyle] = []
        self._first: HeadingStyle | None = None

    def level(self, style: HeadingStyle) -> int:
        """The level of the next heading, from 1; what does not stand above it is closed."""
        del self._open[self._place_of_statement(style) if style.is_statement else self._place(style) :]
        self._first = self._first or style
        self._open.append(style)
        return len(self._open)

    def _place_of_statement(self, style: HeadingStyle) -> int:
        """How many headings a financial statement stands below: the document's title, parts, items and the like.

        A section on forward-looking statements, on contacts or on the outlook ends where a statement begins; a note on
        the statements holds those that it shows.
        """
        others = (place for place, above in enumerate(self._open) if not above.is_frame and above is not self._first)
        frames = next(others, len(self._open))
        in_note = any(above.mark is HeadingMark.NOTE for above in self._open[:frames])
        return frames if in_note else min(self._place(style), frames)

    def _place(self, style: HeadingStyle) -> int:
        """How many headings stay open: those above its number where it goes on a numbering, else of higher rank."""
        if style.number:
            for place in range(len(self._open) - 1, -1, -1):
                number = self._open[place].number
                if number and number == style.number[: len(number)] and number != style.number:
                    return place + 1
                if len(number) == len(style.number) and number[:-1] == style.number[:-1] and number < style.number:
                    return place
        higher = (place for place, above in enumerate(self._open) if above.rank >= style.rank)
        return next(higher, len(self._open))
