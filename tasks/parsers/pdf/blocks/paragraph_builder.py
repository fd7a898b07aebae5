"""Paragraphs, lists and headings of neighbouring lines; paragraphs that continue on the next page are joined.

A torn paragraph becomes one block with lines on two pages, each with its own page and box, so that its sentence can be
found and cited; what stood between its parts (feet, heads, footnotes) follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from tasks.parsers.pdf.blocks.block_settings import BLOCKS
from tasks.parsers.pdf.blocks.typography import (
    HeadingStyle,
    Typography,
    find_label,
    is_label_alone,
    is_remark,
    is_statement,
    parse_section_number,
)
from tasks.parsers.pdf.lines.text_lines import TextLine
from tasks.parsers.pdf.tables.found_tables import FoundTable
from warehouse.records import BlockKind

_BULLET = r"[•‣▪●◦·■□▫○♦◆►▶➢➤✓✔❖☐☑☒»–—*-]"
_ITEM = re.compile(rf"(?:{_BULLET}|o|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)])\s+\S")
_BULLETED = re.compile(rf"{_BULLET}\s+[^\W\d]")
_SENTENCE_END = re.compile(r"[.!?:。！？：][\"”’')\]]*$")
_UNFINISHED_TITLE = re.compile(
    r"(?:[,;&-]|\b(?:condensed|consolidated|combined|interim|and|of|the|in|to|our|see|with|for))$", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[.!?:;。！？：；…][\"”’')\]]*$")
_HYPHEN_END = re.compile(r"[^\W\d_][-\u00ad\u2010]$")
_SMALL_WORD_END = re.compile(
    r"(?:^|\s)(?:a|an|and|are|as|at|by|for|from|has|have|in|is|its|of|on|or|our|that|the|their|to|was|were|which|with)$"
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")

StyledParagraph = tuple[list[TextLine], HeadingStyle | None]
"""The lines of a paragraph, and its style where it is a heading."""


def group_paragraphs(lines: Sequence[TextLine], right: float = 0.0) -> Iterator[list[TextLine]]:
    """Neighbouring lines that read as one: one font size, weight and slant, no wide gap, new item, indent or end.

    `right` is the right edge of the text of their page, where it is known.
    """
    gaps = ((_measure_gap(above, below), above.size) for above, below in pairwise(lines))
    small_gaps = [gap for gap, size in gaps if 0 <= gap < BLOCKS.line_gap * size]
    usual_gap = median(small_gaps) if small_gaps else 0.0
    current: list[TextLine] = []
    for number, line in enumerate(lines):
        below = lines[number + 1] if number + 1 < len(lines) else None
        if current and (_is_separated(current, line, usual_gap, right) or _begins_paragraph(current, line, below)):
            yield current
            current = []
        current.append(line)
    if current:
        yield current


def starts_item(line: TextLine) -> bool:
    """Whether the line begins with a bullet or an item's number."""
    return _ITEM.match(line.text) is not None


def _measure_gap(above: TextLine, below: TextLine) -> float:
    return below.box.top - above.box.bottom


def _is_separated(current: Sequence[TextLine], below: TextLine, usual_gap: float, right: float) -> bool:
    """Whether white space, size, weight, slant or an item's mark parts a line from those above."""
    above = current[-1]
    gap = _measure_gap(above, below)
    is_wide = gap > max(BLOCKS.paragraph_gap * usual_gap, usual_gap + 0.15 * above.size) or gap < -above.size
    return is_wide or abs(above.size - below.size) > 1 or _is_restyled(current, below, right) or starts_item(below)


def _is_restyled(current: Sequence[TextLine], below: TextLine, right: float) -> bool:
    """Whether weight or slant change, or a bold line begins another heading, or heads of columns, below one."""
    above = current[-1]
    if is_statement(below.text) and not _UNFINISHED_TITLE.search(above.text):
        return True
    if (
        find_label(current[0].text) is not None
        and not is_label_alone(above.text)
        and _is_next_title(above, below, right)
    ):
        return True
    if above.bold != below.bold or (not below.italic and all(line.italic for line in current)):
        return True
    return below.bold and (find_label(below.text) is not None or below.has_wide_gap != current[-1].has_wide_gap)


def _is_next_title(above: TextLine, below: TextLine, right: float) -> bool:
    """Whether a line of a labelled heading leaves room for the first word of the next, which is another title."""
    is_flush = abs(above.box.x0 - below.box.x0) <= BLOCKS.paragraph_flush_tolerance * below.size
    if not is_flush or not below.text[:1].isupper() or _UNFINISHED_TITLE.search(above.text):
        return False
    return above.bold and below.bold and _leaves_room(above, max(right, below.box.x1), below)


def _leaves_room(above: TextLine, right: float, below: TextLine) -> bool:
    """Whether a line ends so far left of `right` that the first word of the next would have found room in it."""
    word_width = len(below.text.split()[0]) / len(below.text) * (below.box.x1 - below.box.x0)
    return right - above.box.x1 > word_width + BLOCKS.last_line_space * below.size


def _begins_paragraph(current: Sequence[TextLine], line: TextLine, below: TextLine | None) -> bool:
    """Whether a line begins a paragraph by where it and the lines about it stand; centred lines do not."""
    above = current[-1]
    if (
        abs((above.box.x0 + above.box.x1) - (line.box.x0 + line.box.x1))
        < 2 * BLOCKS.paragraph_flush_tolerance * line.size
    ):
        return _follows_short_line(current, line)
    if not starts_item(current[0]) and _is_indented(above, line, below):
        return True
    # Under the first line of a paragraph whose other lines hang right of it.
    first = current[0].box.x0
    is_hanging = all(other.box.x0 - first > BLOCKS.paragraph_indent * line.size for other in current[1:])
    is_outdented = (
        len(current) > 1 and is_hanging and abs(line.box.x0 - first) < BLOCKS.paragraph_flush_tolerance * line.size
    )
    return is_outdented or _follows_short_line(current, line)


def _is_indented(above: TextLine, line: TextLine, below: TextLine | None) -> bool:
    """Whether a line stands right of the end of a sentence, and the next one goes back, stands under it or is far."""
    shift = line.box.x0 - above.box.x0
    is_indented = BLOCKS.paragraph_indent * line.size < shift < BLOCKS.paragraph_max_indent * line.size
    if not is_indented or not _SENTENCE_END.search(above.text):
        return False
    if below is None or _measure_gap(line, below) > line.size:
        return True
    return (
        min(abs(below.box.x0 - above.box.x0), abs(below.box.x0 - line.box.x0))
        < BLOCKS.paragraph_flush_tolerance * line.size
    )


def _follows_short_line(current: Sequence[TextLine], line: TextLine) -> bool:
    """Whether a sentence ends above and leaves room for the first word of this line, which begins another."""
    above = current[-1]
    if not _SENTENCE_END.search(above.text) or line.text[:1].islower():
        return False
    return _leaves_room(above, max(other.box.x1 for other in (*current[-4:], line)), line)


@dataclass(slots=True)
class ProseBlock:
    """Paragraphs that make one block: one of them, or the items of a list. A heading has a style."""

    kind: BlockKind
    paragraphs: list[list[TextLine]]
    style: HeadingStyle | None = None

    @property
    def size(self) -> float:
        """The size of its first paragraph in points, by its middle line."""
        lines = self.paragraphs[0]
        return lines[len(lines) // 2].size


def iter_prose_blocks(lines: Sequence[TextLine], typography: Typography, *, ends_page: bool) -> Iterator[ProseBlock]:
    """The passages of neighbouring lines. A weak heading at the end of a page is no heading."""
    paragraphs = group_paragraphs(lines, typography.get_right_edge(lines))
    paragraph_parts = (part for paragraph in paragraphs for part in _split_remarks(paragraph))
    styled = _join_labels_with_titles(
        [(paragraph, typography.find_style(paragraph)) for paragraph in paragraph_parts], typography
    )
    if ends_page and styled and (last := styled[-1][1]) and last.is_weak:
        styled[-1] = styled[-1][0], None
    # By whether paragraphs begin as items do, and whether they surely are headings.
    kinds = groupby(
        styled,
        key=lambda paragraph_and_style: (
            starts_item(paragraph_and_style[0][0]),
            paragraph_and_style[1] is not None and not paragraph_and_style[1].is_weak,
        ),
    )
    for (is_item, is_heading), run in kinds:
        run_paragraphs = list(run)
        # Items make a list: several, or one with a bullet and no number after it; a few that look like headings do not.
        are_several = len(run_paragraphs) > (BLOCKS.max_numbered_headings if is_heading else 1)
        has_bullet = not is_heading and _BULLETED.match(run_paragraphs[0][0][0].text)
        if is_item and (are_several or has_bullet):
            yield ProseBlock(BlockKind.LIST, [paragraph for paragraph, _ in run_paragraphs])
            continue
        for paragraph, style in run_paragraphs:
            yield ProseBlock(BlockKind.HEADING if style else BlockKind.PARAGRAPH, [paragraph], style)


def _split_remarks(paragraph: list[TextLine]) -> Iterator[list[TextLine]]:
    """The lines of a title over a table, and apart from them the remarks below: units, periods, "(unaudited)"."""
    last = len(paragraph)
    while last > 1 and is_remark(paragraph[last - 1].text):
        last -= 1
    if len(paragraph) > BLOCKS.heading_max_lines >= last and all(line.bold for line in paragraph[:last]):
        yield paragraph[:last]
        yield paragraph[last:]
    else:
        yield paragraph


def _join_labels_with_titles(styled: Sequence[StyledParagraph], typography: Typography) -> list[StyledParagraph]:
    """The paragraphs; "Item 8." and the title that stands on a line of its own below it are one heading."""
    joined: list[StyledParagraph] = []
    for paragraph, style in styled:
        above, heading = joined[-1] if joined else ([], None)
        if heading and style and len(above) == 1 and is_label_alone(above[0].text):
            both = [*above, *paragraph]
            text = " ".join(line.text for line in paragraph)
            is_near = paragraph[0].box.top - above[0].box.bottom < BLOCKS.label_title_distance * above[0].size
            has_label = find_label(text) is not None or parse_section_number(text) or style.is_statement
            joint_style = (
                typography.find_style(both) if is_near and not has_label and style.step >= heading.step else None
            )
            if joint_style:
                joined[-1] = both, joint_style
                continue
        joined.append((paragraph, style))
    return joined


def join_torn_blocks(pieces: Sequence[ProseBlock | FoundTable]) -> list[ProseBlock | FoundTable]:
    """The passages and tables of a document, in order, with each torn passage at the place of its first part.

    Between the parts stand only passages set aside and in smaller print; nothing is joined across a table.
    """
    joined: list[ProseBlock | FoundTable] = []
    for piece in pieces:
        if isinstance(piece, ProseBlock) and (above := _find_first_part(joined, piece)):
            above.paragraphs[-1].extend(piece.paragraphs[0])
        else:
            joined.append(piece)
    return joined


def _find_first_part(joined: Sequence[ProseBlock | FoundTable], below: ProseBlock) -> ProseBlock | None:
    """The passage that goes on in `below`: the last one before it, or one above footnotes."""
    for above in reversed(joined[-BLOCKS.torn_max_distance :] if below.kind is BlockKind.PARAGRAPH else ()):
        if not isinstance(above, ProseBlock):
            return None
        if above.kind is BlockKind.FURNITURE:
            continue
        if above.kind is not BlockKind.HEADING and is_continued(above.paragraphs[-1], below.paragraphs[0]):
            return above
        if above.size >= BLOCKS.footnote_size_ratio * below.size:
            return None
    return None


def is_continued(above: Sequence[TextLine], below: Sequence[TextLine]) -> bool:
    """Whether a paragraph at the end of a page or column goes on in one at the beginning of the next."""
    last, first = above[-1], below[0]
    pages = first.line.page - last.line.page
    is_next_column = pages == 1 or (pages == 0 and first.box.bottom < last.box.top)
    is_alike = abs(first.size - last.size) <= BLOCKS.torn_size_tolerance and first.bold == last.bold
    if not is_next_column or not is_alike or _CLAUSE_END.search(last.text):
        return False
    if _HYPHEN_END.search(last.text) or _SMALL_WORD_END.search(last.text):
        return True
    if _CHINESE.match(last.text[-1]) and _CHINESE.match(first.text):
        return len(above) > 1 and _is_full(above, below)
    is_long_enough = len(above) > 1 or len(last.text) >= BLOCKS.torn_min_length
    return first.text[0].islower() and not last.has_wide_gap and is_long_enough and _is_full(above, below)


def _is_full(above: Sequence[TextLine], below: Sequence[TextLine]) -> bool:
    """Whether the last line of a paragraph is about as wide as the widest of both parts."""
    left = min(line.box.x0 for line in above)
    widest = max(line.box.x1 - line.box.x0 for line in (*above, *below))
    return above[-1].box.x1 - left >= BLOCKS.torn_min_width_share * widest
