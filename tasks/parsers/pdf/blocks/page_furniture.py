"""Running heads, feet and page numbers, known by their repetition from page to page, in tables' first rows too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import median

from tasks.parsers.assembly import AssembledLine, enclose_boxes
from tasks.parsers.pdf.blocks.block_settings import BLOCKS
from tasks.parsers.pdf.lines.column_zones import is_in_margin
from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.text_lines import TextLine
from tasks.parsers.pdf.page_reader import PageContent
from tasks.parsers.pdf.tables.found_tables import FoundTable

_PAGE_COUNT = re.compile(
    r"\b(?:page|seite|p\.)\s*#(?:\s*(?:of|/)\s*#)?\W*$|^(?:page|seite)\s*#\s*[|•·–—/-]|第\s*#\s*页", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"[^\w#$€£¥]*(?:page\s*)?(?:#(?:\s*(?:of|[/–—-])\s*#)?|[ivxl]{1,6})[^\w#%]*", re.IGNORECASE)
_NUMBERED_TEXT = re.compile(r"[^\W\d_].*\d.*")
_OUTER_NUMBER = re.compile(r"(\d{1,4})\s|.*\s(\d{1,4})$")

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Edge:
    """One of the first or last two lines of a page (counted from 0), and whether a gap parts it from the text."""

    line: TextLine
    page: int
    is_separated: bool


def find_furniture(pages: Sequence[PageContent], bookmarks: Sequence[str] = ()) -> set[int]:
    """The `id` of each line that is set aside. `bookmarks` are the titles of the file's outline.

    It is one of the first or last two lines of its page, and

    - a page number, or
    - the same at the same height on three pages and three tenths of all, or on three of five pages in a row (heads
      change with the chapter), or on two where it ends in the page's number, or on both pages of two where it is
      plain print that a gap parts from the text; lines that differ in digits count as the same only with such a gap, or
    - parted from the text and with the page's number at an end, as most pages have it.

    Headings that count, such as "Chapter 1" and "Chapter 2", are none of these: see `_find_counted_headings`.
    If there are several pages, lines in the outermost margin are furniture too if they are repeated or have a number.
    """
    edges = [edge for number, page in enumerate(pages) for edge in _find_edges(page, number)]
    repeated_ids = _find_repeated(edges, len(pages))
    outer_lines = [[line for line in page.lines if _is_outer(line, page)] for page in pages] if len(pages) > 1 else []
    counts = Counter(key for lines in outer_lines for key in set(map(_make_key, lines)))
    separated_ids = {
        mark for page, lines in zip(pages, outer_lines, strict=False) for mark in _find_separated_lines(lines, page)
    }
    margins = {
        id(line)
        for lines in outer_lines
        for line in lines
        if counts[_make_key(line)] > 1 or (_DIGIT.search(line.text) and id(line) in separated_ids)
    }
    numbers = {
        id(edge.line) for edge in edges if _is_number(edge.line) and not _ends_paragraph(edge.line, pages[edge.page])
    }
    both_ids = _find_on_both(edges, pages) if len(pages) == 2 else set()
    furniture_ids = margins | _find_numbered(edges, len(pages)) | numbers | repeated_ids | both_ids
    return furniture_ids - _find_counted_headings(edges, pages, set(bookmarks))


def _find_counted_headings(edges: Sequence[_Edge], pages: Sequence[PageContent], bookmarks: set[str]) -> set[int]:
    """The `id` of each line that no other page has, with words and another number than its like on other pages.

    It is in the outline, or set in larger letters than the text, as no running head is, and counts no pages.
    """
    texts = Counter(edge.line.text for edge in edges)
    usual = median(line.size for page in pages for line in page.lines) if edges else 0.0
    return {
        id(edge.line)
        for edge in edges
        if texts[edge.line.text] == 1
        and (edge.line.text in bookmarks or edge.line.size >= BLOCKS.larger_size_ratio * usual)
        and _NUMBERED_TEXT.fullmatch(edge.line.text)
        and not _PAGE_COUNT.search(_make_key(edge.line)[0])
    }


def _is_number(line: TextLine) -> bool:
    return _NUMBER.fullmatch(_make_key(line)[0]) is not None


def _ends_paragraph(line: TextLine, page: PageContent) -> bool:
    """Whether it stands below a full line as the last of its paragraph: "… from November" and "2023."."""
    if not line.text.rstrip().endswith((".", ",", ";", ")", "。")):
        return False
    widest = max(other.box.x1 for other in page.lines)
    return any(
        0 <= line.box.top - other.box.bottom < BLOCKS.furniture_gap * line.size
        and abs(other.box.x0 - line.box.x0) < line.size / 4
        and abs(other.size - line.size) < 1
        and widest - other.box.x1 < BLOCKS.furniture_full_line_slack * (widest - line.box.x0)
        for other in page.lines
        if other is not line
    )


def _is_outer(line: TextLine, page: PageContent) -> bool:
    """Whether a short line stands where no body text does."""
    return len(line.text) <= BLOCKS.furniture_max_length and is_in_margin(line.box.top, line.box.bottom, page.height)


def _find_separated_lines(margins: Sequence[TextLine], page: PageContent) -> set[int]:
    """The `id` of each line in the margins that stands farther from all between them than lines of one text do."""
    inner = [item.box for item in page.items if not is_in_margin(item.box.top, item.box.bottom, page.height)]
    top, bottom = min((box.top for box in inner), default=inf), max((box.bottom for box in inner), default=-inf)
    return {
        id(line) for line in margins if max(top - line.box.bottom, line.box.top - bottom) > LINES.margin_gap * line.size
    }


def _find_edges(page: PageContent, number: int) -> list[_Edge]:
    """The outermost lines: of a page of few lines only the first and the last, of a single line its page number."""
    ordered = sorted(page.lines, key=lambda line: line.box.top)
    if len(ordered) < 2:
        return [_Edge(line, number, is_separated=False) for line in ordered if _is_number(line)]
    most = 1 if len(ordered) <= 2 * BLOCKS.edge_lines else BLOCKS.edge_lines
    above = {id(line) for line in _list_lines_before_gap(page, ordered[:most])}
    below = {id(line) for line in _list_lines_before_gap(page, ordered[: -most - 1 : -1])}
    return [_Edge(line, number, id(line) in above | below) for line in (*ordered[:most], *ordered[-most:])]


def _list_lines_before_gap(page: PageContent, lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines from a page's edge inwards up to the first gap; none where there is no gap."""
    for place, line in enumerate(lines, start=1):
        other_boxes = [item.box for item in page.items if all(item is not outer for outer in lines[:place])]
        gaps = [max(box.top - line.box.bottom, line.box.top - box.bottom) for box in other_boxes]
        if min(gaps, default=line.size) > BLOCKS.furniture_gap * line.size:
            return lines[:place]
    return ()


def _find_repeated(edges: Sequence[_Edge], pages: int) -> set[int]:
    """The `id` of each line that other pages repeat."""
    places: dict[Key, list[_Edge]] = {}
    for edge in edges:
        if len(edge.line.text) <= BLOCKS.furniture_max_length:
            places.setdefault(_make_key(edge.line), []).append(edge)
    repeated_ids: set[int] = set()
    for key, key_edges in places.items():
        texts = Counter(edge.line.text for edge in key_edges)
        short_texts = {
            text for text, times in texts.items() if times > 1 and len(text) <= BLOCKS.furniture_max_length_without_gap
        }
        has_item_number = _PAGE_COUNT.search(key[0]) is not None
        similar_edges = [
            edge for edge in key_edges if edge.is_separated or has_item_number or edge.line.text in short_texts
        ]
        page_numbers = sorted({edge.page for edge in similar_edges})
        is_frequent = len(page_numbers) >= (
            2 if has_item_number else max(BLOCKS.repeated_pages, BLOCKS.repeated_share * pages)
        )
        dense_pages = {
            page
            for first, last in zip(page_numbers, page_numbers[BLOCKS.repeated_pages - 1 :], strict=False)
            if last - first < BLOCKS.repeated_window
            for page in range(first, last + 1)
        }
        repeated_ids |= {id(edge.line) for edge in similar_edges if is_frequent or edge.page in dense_pages}
    return repeated_ids


def _find_on_both(edges: Sequence[_Edge], pages: Sequence[PageContent]) -> set[int]:
    """The `id` of each line that stands at an edge of both pages, the same, no larger than the text and not bold."""
    usual = median(line.size for page in pages for line in page.lines) if edges else 0.0
    plain_edges = [
        edge
        for edge in edges
        if edge.is_separated and not edge.line.bold and edge.line.size <= usual + BLOCKS.torn_size_tolerance
    ]
    keys_by_page = {(_make_key(edge.line), edge.line.text, edge.page) for edge in plain_edges}
    return {
        id(edge.line) for edge in plain_edges if (_make_key(edge.line), edge.line.text, 1 - edge.page) in keys_by_page
    }


def _find_numbered(edges: Sequence[_Edge], pages: int) -> set[int]:
    """The `id` of each line that begins or ends with its page's number, which most pages show at one distance."""
    offsets = {(edge.page, offset) for edge in edges for offset in _compute_offsets(edge)}
    usual, count = max(Counter(offset for _, offset in offsets).items(), key=lambda item: item[1], default=(0, 0))
    if count < max(BLOCKS.repeated_pages, BLOCKS.numbered_share * pages):
        return set()
    return {id(edge.line) for edge in edges if edge.is_separated and usual in _compute_offsets(edge)}


def _compute_offsets(edge: _Edge) -> set[int]:
    """How far the numbers at the ends of a short line are from the page's."""
    text = edge.line.text
    if len(text) > BLOCKS.furniture_max_length:
        return set()
    if text.isdecimal() and len(text) <= 4:
        return {int(text) - edge.page}
    match = _OUTER_NUMBER.match(text)
    return {int(number) - edge.page for number in match.groups() if number} if match else set()


def _make_key(line: TextLine) -> Key:
    """The words but for their digits, and how far down the page they stand."""
    return re.sub(r"\d+", "#", " ".join(line.text.split())), round(line.box.top / BLOCKS.furniture_height_step)


def separate_running_heads(pages: Sequence[PageContent]) -> tuple[list[PageContent], set[int]]:
    """The pages, and the `id` of each running head that was the first row of a table and now is a line above it.

    It stands at the top of three of five pages in a row, the same but for its digits, with a header below it.
    """
    places: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        if (head := _find_head(page)) is not None:
            places.setdefault(head, []).append(number)
    heads = {
        number
        for page_numbers in places.values()
        for first, last in zip(page_numbers, page_numbers[BLOCKS.head_row_pages - 1 :], strict=False)
        if last - first < BLOCKS.head_row_window
        for number in page_numbers
        if first <= number <= last
    }
    changed_pages = [_separate_head(page) if number in heads else page for number, page in enumerate(pages)]
    return changed_pages, {id(changed_pages[number].items[0]) for number in heads}


def _find_head(page: PageContent) -> str | None:
    """What may be a running head in the first row of a page's first item, without its digits."""
    table = page.items[0] if page.items else None
    if not isinstance(table, FoundTable) or (table.header_rows or 0) < 2:
        return None
    filled = [cell for cell in table.rows[0] if cell]
    is_short = len(filled) <= BLOCKS.head_row_max_cells and len(filled) < len(table.rows[0])
    is_at_top = table.box.top <= BLOCKS.head_row_top * page.height
    return re.sub(r"\d+", "#", " ".join(filled)) if is_short and is_at_top else None


def _separate_head(page: PageContent) -> PageContent:
    table, *other_items = page.items
    if not isinstance(table, FoundTable) or table.header_rows is None:
        return page
    box, text = table.boxes[0], " ".join(filter(None, table.rows[0]))
    line = AssembledLine(text, page.number, box)
    merges = tuple(replace(merge, row=merge.row - 1) for merge in table.merges if merge.row)
    body = replace(table, box=enclose_boxes(table.boxes[1:]), rows=table.rows[1:], boxes=table.boxes[1:], merges=merges)
    body = replace(body, header_rows=table.header_rows - 1)
    return replace(page, items=(TextLine(line, box.bottom - box.top, bold=False, pieces=(line,)), body, *other_items))
