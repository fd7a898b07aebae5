"""Tables that continue on the next page, joined to one with the rows at the page break."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tasks.parsers.assembly import AssembledLine, enclose_boxes
from tasks.parsers.pdf.lines.page_rows import CAPTION, ends_on_dates, is_date, is_figure
from tasks.parsers.pdf.lines.text_lines import TextLine
from tasks.parsers.pdf.page_reader import PageContent
from tasks.parsers.pdf.tables.found_tables import FoundTable, find_columns
from tasks.parsers.pdf.tables.table_captions import is_note
from tasks.parsers.pdf.tables.table_settings import TABLES
from tasks.parsers.table_form import find_repeats, guess_header_rows
from warehouse.records import Merge

_SENTENCE_END = re.compile(r"(?<![.…·])(?<![.…·] )\.$")
_LEADERS = re.compile(r"(?<![.…·])(?<![.…·] )(?:[.…·] ?){4,}$")
_CONTINUED = re.compile(r"continued|cont[’'.]?d|\bcont\.|续|\(more\)|see (?:foot)?notes? (?:at|on)\b", re.IGNORECASE)
_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?")


def count_header_rows(table: FoundTable) -> int:
    """The number of header rows, guessed if the page does not show it."""
    return guess_header_rows(table.rows) if table.header_rows is None else table.header_rows


def count_repeated_header_rows(above: FoundTable, below: FoundTable) -> int:
    """The number of rows at the head of the second that repeat the last rows of the first's header.

    If the columns of the two pages are cut differently, the words are still the same.
    """
    header = count_header_rows(above)
    for start in range(header + 1):
        count = 0
        for row_above, row_below in zip(above.rows[start:], below.rows, strict=False):
            if normalize_row(row_above) != normalize_row(row_below):
                break
            count += 1
        if count and (start == 0 or start + count >= header) and any(normalize_row(row) for row in below.rows[:count]):
            return count
    if header and _are_last_words(above.rows[header - 1], below.rows[0]):
        return 1
    heights = range(1, min(header + TABLES.max_extra_header_rows, len(below.rows) - 1) + 1)
    return next((height for height in heights if list_words(below.rows[:height]) == list_words(above.rows[:header])), 0)


def _are_last_words(header: Sequence[str], repetition: Sequence[str]) -> bool:
    """Whether cells are the last words of a header's cells, of which another page repeats only the last line."""
    if len(header) != len(repetition) or any(map(is_figure, repetition)):
        return False
    pairs = [
        (normalize_row([first]), normalize_row([second])) for first, second in zip(header, repetition, strict=True)
    ]
    return all(bool(first) == bool(second) and first.endswith(second) for first, second in pairs)


def list_words(rows: Sequence[Sequence[str]]) -> list[str]:
    """The words of rows, in whatever cells they are."""
    return sorted(normalize_row([word]) for row in rows for cell in row for word in cell.split())


def normalize_row(row: Iterable[str]) -> str:
    """The letters and digits of a row, which two pages print alike."""
    return re.sub(r"\W+", "", "".join(row)).lower()


def match_columns(above: FoundTable, below: FoundTable) -> list[int] | None:
    """For each column of the second the column of the first above it; None if the two do not fit."""
    shift = min(
        (above.edges[0] - below.edges[0], 0.0), key=lambda distance: abs(above.edges[-1] - below.edges[-1] - distance)
    )
    if len(above.edges) == len(below.edges):
        pairs = zip(above.edges[1:-1], below.edges[1:-1], strict=True)
        width = above.edges[-1] - above.edges[0]
        if all(abs(edge_above - edge_below - shift) < TABLES.column_shift * width for edge_above, edge_below in pairs):
            return list(range(len(above.edges) - 1))
    if len(below.edges) > len(above.edges):
        return None
    columns = [_find_column(above, start + shift, end + shift) for start, end in pairwise(below.edges)]
    if len(set(columns)) < len(columns) or len(columns) < max(2, len(above.edges) - 3):
        return None
    return None if None in columns else [column for column in columns if column is not None]


def _find_column(table: FoundTable, start: float, end: float) -> int | None:
    """The column that covers most of a stretch."""
    shares = [
        (min(right, end) - max(left, start)) / max(1.0, min(right - left, end - start))
        for left, right in pairwise(table.edges)
    ]
    widest = max(range(len(shares)), key=shares.__getitem__)
    return widest if shares[widest] > TABLES.min_column_overlap else None


def _are_labels(lines: Sequence[TextLine], table: FoundTable, left: float) -> bool:
    """Whether lines next to a table, the nearest first, label rows without figures; none begins left of `left`.

    Each is in the first column, close to the one before, and not a sentence.
    """
    width = TABLES.label_width * (table.box.x1 - table.box.x0)
    boxes = [table.box, *(line.box for line in lines)]
    for line, previous in zip(lines, boxes, strict=False):
        is_inside = left - TABLES.label_overhang <= line.box.x0 < table.edges[1] and line.box.x1 < table.box.x0 + width
        distance = min(abs(line.box.top - previous.bottom), abs(previous.top - line.box.bottom))
        is_near = distance < TABLES.label_distance * line.size
        if not (is_inside and is_near) or CAPTION.match(line.text) or _SENTENCE_END.search(line.text):
            return False
    return True


def place_cells(line: TextLine, table: FoundTable) -> tuple[str, ...] | None:
    """The pieces of a line in the columns of a table; None if one of them has no column of its own."""
    columns = find_columns([(piece.box.x0, piece.box.x1) for piece in line.pieces], table.edges)
    if columns is None:
        return None
    texts = dict(zip(columns, map(_remove_dots, line.pieces), strict=True))
    return tuple(texts.get(column, "") for column in range(len(table.edges) - 1))


def make_row(line: TextLine, table: FoundTable) -> tuple[str, ...]:
    """The cells of a line at a page break; a line that does not fit the columns is a label."""
    cells = place_cells(line, table) if len(line.pieces) > 1 else None
    label = " ".join(filter(None, map(_remove_dots, line.pieces)))
    return cells or (label, *[""] * (len(table.edges) - 2))


def _remove_dots(piece: AssembledLine) -> str:
    return _LEADERS.sub("", piece.text).rstrip()


def iter_leaders(lines: Iterable[TextLine]) -> Iterator[AssembledLine]:
    """The leading dots of rows at a page break, as lines of their own."""
    for piece in (piece for line in lines for piece in line.pieces):
        if dots := _LEADERS.search(piece.text):
            yield replace(piece, text=dots[0])


@dataclass(frozen=True, slots=True)
class TableContinuation:
    """A table that continues another, and the lines around the page break that are labels of its rows.

    The first `repeated_line_count` lines after the break repeat the header.
    """

    above: FoundTable
    below: FoundTable
    lines_before: tuple[TextLine, ...] = ()
    lines_after: tuple[TextLine, ...] = ()
    repeated_line_count: int = 0


def find_continuation(page: PageContent, following: PageContent, furniture_ids: set[int]) -> TableContinuation | None:
    """The link of a page's last table to the next page's first one; None if that does not continue it."""
    above, lines_before = _find_nearest(reversed(page.items), furniture_ids)
    below, lines_after = _find_nearest(iter(following.items), furniture_ids)
    if above is None or below is None:
        return None
    index = next((number for number, item in enumerate(page.items) if item is above), 0)
    title_texts = {
        normalize_row([item.text])
        for item in page.items[max(0, index - TABLES.max_labels_at_break) : index]
        if isinstance(item, TextLine) and id(item) not in furniture_ids
    }
    return check_continuation(
        TableContinuation(above, below, tuple(reversed(lines_before)), tuple(lines_after)), title_texts
    )


def _find_nearest(
    items: Iterator[TextLine | FoundTable], furniture_ids: set[int]
) -> tuple[FoundTable | None, list[TextLine]]:
    """The first table of some items, and the few lines before it; no table if there are many lines."""
    passed: list[TextLine] = []
    for item in items:
        if isinstance(item, FoundTable):
            return item, passed
        if id(item) not in furniture_ids:
            passed.append(item)
            if len(passed) > TABLES.max_lines_at_break:
                break
    return None, passed


def check_continuation(link: TableContinuation, title_texts: set[str]) -> TableContinuation | None:
    """The link with only its labels, if the second table is the first's continuation.

    It has the first's columns, and no title except the first's, or one that says "continued".
    """
    repeated_rows = count_repeated_header_rows(link.above, link.below)
    header = list_words(link.above.rows[: count_header_rows(link.above)])
    lines = [(line.text,) for line in link.lines_after]  # the first of them may be the header once more
    header_end = next((end for end in range(1, len(lines) + 1) if list_words(lines[:end]) == header), 0)
    is_announced = header_end > 0 or _is_announced(link.lines_after, title_texts)
    is_sure = is_announced or repeated_rows > 0 or len(link.above.rows) == count_header_rows(link.above)
    notes_start = next((index for index, line in enumerate(link.lines_before) if is_note(line)), len(link.lines_before))
    labels_before = [line for line in link.lines_before[:notes_start] if not _CONTINUED.search(line.text)]
    labels_after = link.lines_after[header_end:] if header_end or not is_announced else ()
    line_count = max(len(labels_before), len(link.lines_after))
    if line_count > TABLES.max_labels_at_break or match_columns(link.above, link.below) is None:
        return None
    if not _are_rows(labels_before, link.above, is_sure=is_sure) or not _are_notes(
        link.lines_before[notes_start:], is_sure=is_sure
    ):
        return None
    if not (link.lines_before or link.lines_after) and _is_one_grid(link.above, link.below):
        return link
    left = min(link.above.box.x0, link.below.box.x0)
    labels = _is_body(link.below) and _are_labels(labels_after[::-1], link.below, left)
    if (labels_after and (repeated_rows or not labels)) or not (is_sure or _is_body(link.below)):
        return None
    return replace(
        link,
        lines_before=tuple(labels_before),
        lines_after=(*link.lines_after[:header_end], *labels_after),
        repeated_line_count=header_end,
    )


def _are_rows(lines: Sequence[TextLine], above: FoundTable, *, is_sure: bool) -> bool:
    """Whether lines below a table's last row are rows: labels, or words in its columns if it surely continues."""
    are_in_columns = (len(line.pieces) > 1 and place_cells(line, above) is not None for line in lines)
    return (is_sure and bool(lines) and all(are_in_columns)) or _are_labels(lines, above, above.box.x0)


def _are_notes(lines: Sequence[TextLine], *, is_sure: bool) -> bool:
    """Whether there are no lines, or they are notes of a table that surely continues: beginnings or close lines."""
    are_close = (below.box.top - above.box.bottom < TABLES.note_gap * below.size for above, below in pairwise(lines))
    return not lines or (
        is_sure and all(is_close or is_note(line) for is_close, line in zip(are_close, lines[1:], strict=True))
    )


def _is_one_grid(above: FoundTable, below: FoundTable) -> bool:
    """Whether ruled tables of words with nothing between them have one grid: no figures show which rows are headers."""
    are_ruled = above.header_rows is None and below.header_rows is None and len(above.edges) == len(below.edges)
    are_same = all(
        abs(edge_above - edge_below) < TABLES.grid_edge_tolerance
        for edge_above, edge_below in zip(above.edges, below.edges, strict=False)
    )
    cells = (cell for table in (above, below) for row in table.rows for cell in row[1:])
    return are_ruled and are_same and not any(map(is_figure, cells))


def _is_announced(lines: Sequence[TextLine], title_texts: set[str]) -> bool:
    """Whether lines repeat the `title_texts` above the first table, or say "continued" with no sentence after it."""
    texts = [line.text for line in lines]
    if texts and all(normalize_row([text]) in title_texts for text in texts):
        return True
    last = next((number for number in range(len(texts) - 1, -1, -1) if _CONTINUED.search(texts[number])), None)
    return last is not None and not any(text.rstrip().endswith((".", ":")) for text in texts[last + 1 :])


def _is_body(table: FoundTable) -> bool:
    """Whether a table begins with rows of figures or labels and has no header of its own."""
    if table.header_rows is not None:
        return table.header_rows == 0
    cells = [cell for cell in table.rows[0][1:] if cell]
    return not cells or any(is_figure(cell) and not _YEAR.fullmatch(cell) for cell in cells)


def with_orphan_rows(pages: Sequence[PageContent], furniture_ids: set[int]) -> list[PageContent]:
    """The pages; rows at the head of one that continue the last table of the page before are made a table."""
    result = list(pages[:1])
    for page in pages[1:]:
        above = next((item for item in reversed(result[-1].items) if isinstance(item, FoundTable)), None)
        lines = _iter_orphan_rows(page, above, furniture_ids) if above else ()
        rows = [HeaderLine(line, cells) for line in lines if above and (cells := place_cells(line, above))]
        new_page = _with_table(page, above, rows) if above and rows else None
        result.append(new_page if new_page and find_continuation(result[-1], new_page, furniture_ids) else page)
    return result


def _iter_orphan_rows(page: PageContent, above: FoundTable, furniture_ids: set[int]) -> Iterator[TextLine]:
    """The first lines with figures in the columns of `above`; few lines without, and no table, may precede them.

    They have only figures beyond the first column.
    """
    bottom = None
    body = (item for item in page.items if id(item) not in furniture_ids)
    for number, item in enumerate(body):
        if not isinstance(item, TextLine) or (bottom is None and number > TABLES.orphan_max_lines_above):
            return
        is_far = bottom is not None and item.box.top - bottom > TABLES.orphan_gap * item.size
        cells = [cell for cell in (place_cells(item, above) or ())[1:] if cell]
        if is_far or not cells or not all(map(is_figure, cells)):
            if bottom is not None:
                return
            continue
        bottom = item.box.bottom
        yield item


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """A line that heads columns: its cells, and the first and last columns of cells that head several."""

    line: TextLine
    cells: tuple[str, ...]
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def columns(self) -> set[int]:
        """The columns that it heads."""
        spanned = (range(first, last + 1) for first, last in self.spans)
        return {
            *(column for column, cell in enumerate(self.cells) if cell),
            *(column for span in spanned for column in span),
        }


def with_orphan_headers(pages: Sequence[PageContent], furniture_ids: set[int]) -> list[PageContent]:
    """The pages; lines at the foot of one that head all columns of the next page's first table are made a table.

    That table may itself have the last lines of its header.
    """
    result = list(pages)
    for index, (page, following) in enumerate(pairwise(pages)):
        below = next((item for item in following.items if id(item) not in furniture_ids), None)
        if not isinstance(below, FoundTable) or not (count_header_rows(below) or _is_body(below)):
            continue
        heads = list(_iter_orphan_heads(page, below, furniture_ids))[::-1]
        if not {column for head in heads for column in head.columns}.issuperset(range(1, len(below.rows[0]))):
            continue
        known_words = set(list_words(below.rows[: count_header_rows(below)]))
        if known_words.issuperset(list_words([head.cells for head in heads])):
            continue  # The next page has the whole header.
        new_page = _with_table(page, below, heads, header_rows=len(heads))
        result[index] = new_page if find_continuation(new_page, following, furniture_ids) else page
    return result


def _iter_orphan_heads(page: PageContent, below: FoundTable, furniture_ids: set[int]) -> Iterator[HeaderLine]:
    """The last lines of a page, in reverse order, with words or years over columns of `below`."""
    last: HeaderLine | None = None
    row_below = below.rows[0] if count_header_rows(below) else ()
    for item in reversed([item for item in page.items if id(item) not in furniture_ids]):
        head = _place_heads(item, below, row_below) if isinstance(item, TextLine) else None
        if head is None or any(is_figure(cell) and not _YEAR.fullmatch(cell) for cell in head.cells if cell):
            return
        if last is not None and last.line.box.top - head.line.box.bottom > TABLES.orphan_gap * head.line.size:
            return
        last, row_below = head, head.cells
        yield head


def _place_heads(line: TextLine, below: FoundTable, row_below: Sequence[str]) -> HeaderLine | None:
    """A line whose pieces are each over a column of a table, or over labels that repeat in the row `row_below`.

    A single piece is over all dates of that row if these complete the time that it begins.
    """
    width = len(below.rows[0])
    if len(line.pieces) == 1:
        is_over_dates = (
            ends_on_dates(line.text) and any(row_below[1:]) and all(map(is_date, filter(None, row_below[1:])))
        )
        return HeaderLine(line, ("", line.text, *[""] * (width - 2)), ((1, width - 1),)) if is_over_dates else None
    if cells := place_cells(line, below):
        return HeaderLine(line, cells)
    nearest_columns = [bisect_right(below.edges, (piece.box.x0 + piece.box.x1) / 2) - 1 for piece in line.pieces]
    heads = [(piece.text, column, column) for piece, column in zip(line.pieces, nearest_columns, strict=True)]
    spans = find_repeats(
        heads, [(text, column, column) for column, text in enumerate(row_below) if column and text], nearest_columns
    )
    if spans is None:
        return None
    texts = {first: piece.text for piece, (first, _) in zip(line.pieces, spans, strict=True)}
    return HeaderLine(line, tuple(texts.get(column, "") for column in range(width)), tuple(spans))


def _with_table(page: PageContent, above: FoundTable, heads: Sequence[HeaderLine], header_rows: int = 0) -> PageContent:
    """The page with lines made a table with the columns of `above`, a table of another page."""
    lines = [head.line for head in heads]
    boxes = tuple(line.box for line in lines)
    spans = [(row, *span) for row, head in enumerate(heads) for span in head.spans]
    table = replace(
        above,
        page=page.number,
        box=enclose_boxes(boxes),
        rows=tuple(head.cells for head in heads),
        boxes=boxes,
        leaders=tuple(iter_leaders(lines)),
        merges=tuple(Merge(row, first, 1, last - first + 1) for row, first, last in spans if last > first),
        header_rows=header_rows,
    )
    first, other_lines = lines[0], {id(line) for line in lines[1:]}
    items = tuple(table if item is first else item for item in page.items if id(item) not in other_lines)
    return replace(page, items=items)


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """A table with all of its parts, one per page; `repeated_lines` are repeated headers and leading dots."""

    parts: tuple[FoundTable, ...]
    rows: tuple[tuple[str, ...], ...]
    merges: tuple[Merge, ...]
    header_rows: int
    repeated_lines: tuple[AssembledLine, ...] = ()


def join_parts(parts: Sequence[FoundTable], links: Mapping[int, TableContinuation]) -> JoinedTable:
    """One table of successive parts; its rows include the labels between them and no repeated headers.

    `links` has the link to each part that continues another, by the part's `id`.
    """
    first = parts[0]

    def with_labels(part: FoundTable, above: Sequence[TextLine], below: Sequence[TextLine]) -> FoundTable:
        """A part with the lines around it as rows, most of which have only a label."""
        rows = (*(make_row(line, first) for line in above), *part.rows, *(make_row(line, first) for line in below))
        boxes = (*(line.box for line in above), *part.boxes, *(line.box for line in below))
        return replace(part, rows=rows, boxes=boxes)

    lines_after = [*(links[id(part)].lines_before for part in parts[1:]), ()]
    joined_parts = [with_labels(first, (), lines_after[0])]
    merges, repeated_lines = list(first.merges), list[AssembledLine]()
    for part, below in zip(parts[1:], lines_after[1:], strict=True):
        link = links[id(part)]
        labels = link.lines_after[link.repeated_line_count :]
        columns = match_columns(first, part) or list(range(len(part.rows[0])))
        repeated_rows = count_repeated_header_rows(first, part)
        headers = zip(part.rows[:repeated_rows], part.boxes[:repeated_rows], strict=True)
        repeated_lines += [AssembledLine(" ".join(filter(None, row)), part.page, box) for row, box in headers]
        repeated_lines += [
            *(line.line for line in link.lines_after[: link.repeated_line_count]),
            *iter_leaders((*link.lines_before, *labels)),
        ]
        # The rows and merges of a later part are counted in the rows and columns of the joined table.
        placed_cells = (dict(zip(columns, row, strict=True)) for row in part.rows[repeated_rows:])
        rows = tuple(tuple(cells.get(column, "") for column in range(len(first.rows[0]))) for cells in placed_cells)
        start = sum(len(joined_part.rows) for joined_part in joined_parts) + len(labels) - repeated_rows
        for merge in part.merges:
            if merge.row >= repeated_rows:
                left, right = columns[merge.column], columns[merge.column + merge.columns - 1]
                merges.append(Merge(start + merge.row, left, merge.rows, right - left + 1))
        joined_parts.append(with_labels(replace(part, rows=rows, boxes=part.boxes[repeated_rows:]), labels, below))
    rows = tuple(row for part in joined_parts for row in part.rows)
    # If a header is alone on its page, nothing there shows how many rows it has.
    texts = [cell for row in first.rows for cell in row[1:] if not _YEAR.fullmatch(cell)]
    is_cut = first.header_rows is None and not any(map(is_figure, texts))
    header_rows = min(guess_header_rows(rows), len(first.rows)) if is_cut else count_header_rows(first)
    if header_rows == len(first.rows) and len(parts) > 1:
        header_rows += count_header_rows(parts[1]) - count_repeated_header_rows(first, parts[1])
    return JoinedTable(tuple(joined_parts), rows, tuple(merges), header_rows, tuple(repeated_lines))
