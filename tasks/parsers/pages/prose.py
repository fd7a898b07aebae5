"""Lines of running text as what they are: headings, lists and paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tasks.parsers.pages import paragraphs
from tasks.parsers.pages.headings import MOST_LINES, HeadingStyle, Typography
from tasks.parsers.pages.labels import is_label_alone, label_of, section_number
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.unheaded import is_remark
from warehouse.records import BlockKind

_MOST_HEADINGS = 3
_NEAR_TITLE = 2.0
"""How far below a label, in heights of its letters, its title may stand."""


@dataclass(slots=True)
class ProseBlock:
    """Paragraphs that make one block: one of them, or the items of a list. A heading has a style."""

    kind: BlockKind
    paragraphs: list[list[TextLine]]
    style: HeadingStyle | None = None

    @property
    def first(self) -> TextLine:
        """Its first line."""
        return self.paragraphs[0][0]

    @property
    def last(self) -> TextLine:
        """Its last line."""
        return self.paragraphs[-1][-1]

    @property
    def size(self) -> float:
        """The size of its first paragraph in points, by its middle line."""
        lines = self.paragraphs[0]
        return lines[len(lines) // 2].size


def passages(lines: Sequence[TextLine], typography: Typography, *, ends_page: bool) -> Iterator[ProseBlock]:
    """The passages of neighbouring lines. What only looks a little like a heading is none at the end of a page."""
    parted = (
        part
        for paragraph in paragraphs.group(lines, typography.right_of(lines))
        for part in _without_remarks(paragraph)
    )
    styled = _with_titles([(paragraph, typography.style(paragraph)) for paragraph in parted], typography)
    if ends_page and styled and (last := styled[-1][1]) and last.is_weak:
        styled[-1] = styled[-1][0], None
    for (is_item, _), run in groupby(styled, key=_is_item):
        same = list(run)
        if is_item and _is_list(same):
            yield ProseBlock(BlockKind.LIST, [paragraph for paragraph, _ in same])
            continue
        for paragraph, style in same:
            yield ProseBlock(BlockKind.HEADING if style else BlockKind.PARAGRAPH, [paragraph], style)


def _without_remarks(paragraph: list[TextLine]) -> Iterator[list[TextLine]]:
    """The lines of a title over a table, and apart from them the remarks below: units, periods, "(unaudited)"."""
    last = len(paragraph)
    while last > 1 and is_remark(paragraph[last - 1].text):
        last -= 1
    if len(paragraph) > MOST_LINES >= last and all(line.bold for line in paragraph[:last]):
        yield paragraph[:last]
        yield paragraph[last:]
    else:
        yield paragraph


def _with_titles(
    styled: Sequence[tuple[list[TextLine], HeadingStyle | None]], typography: Typography
) -> list[tuple[list[TextLine], HeadingStyle | None]]:
    """The paragraphs; "Item 8." and the title that stands on a line of its own below it are one heading."""
    whole: list[tuple[list[TextLine], HeadingStyle | None]] = []
    for paragraph, style in styled:
        above, heading = whole[-1] if whole else ([], None)
        if heading and style and len(above) == 1 and is_label_alone(above[0].text):
            both = [*above, *paragraph]
            text = " ".join(line.text for line in paragraph)
            near = paragraph[0].box.top - above[0].box.bottom < _NEAR_TITLE * above[0].size
            labelled = label_of(text) is not None or section_number(text) or style.is_statement
            joined = typography.style(both) if near and not labelled and style.step >= heading.step else None
            if joined:
                whole[-1] = both, joined
                continue
        whole.append((paragraph, style))
    return whole


def _is_item(styled: tuple[list[TextLine], HeadingStyle | None]) -> tuple[bool, bool]:
    """Whether a paragraph begins as items do, and whether it surely is a heading."""
    paragraph, style = styled
    return paragraphs.starts_item(paragraph[0]), style is not None and not style.is_weak


def _is_list(items: Sequence[tuple[list[TextLine], HeadingStyle | None]]) -> bool:
    """Whether items make a list: several, or one with a bullet. A few that look like headings are headings."""
    if _is_item(items[0])[1]:
        return len(items) > _MOST_HEADINGS
    return len(items) > 1 or paragraphs.starts_bullet(items[0][0][0])
