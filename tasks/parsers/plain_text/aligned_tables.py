"""Tables in plain text whose columns are set by blanks, as programs print statements and reports.

```
                            Three Months Ended
                                 June 30,
                             1997       1996
                           --------   --------
Net sales...............   $ 24,310   $ 21,877
Cost of sales                13,004     12,245
```

A column is a stretch of the lines in which cells of the rows are aligned; the lines above are its header, whose cells
span the columns over which they are centred. A row is a line with a number after its label. Text without numbers is no
table, unless a rule separates its header from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tasks.parsers.plain_text.adjacent_tables import split_lines
from tasks.parsers.plain_text.printed_lines import (
    LEADERS,
    PrintedCell,
    PrintedLine,
    find_column,
    find_column_spans,
    merge_adjacent_columns,
    parse_line,
)
from tasks.parsers.table_form import TextTable, find_repeats
from warehouse.records import Merge

_YEAR_LABEL = re.compile(
    r"(?:FY\s?)?(?:19|20)\d\d(?:[EA*]|\([a-z0-9]\))?|(?:Q[1-4]|[1-4]Q)\s?(?:19|20)?\d\d|\d{1,2}/\d{1,2}/\d{2,4}|20\d\d年(?:\d{1,2}月)?"
)
_AMOUNT = re.compile(r"\d,\d{3}|\d\.\d|[$€£¥%]")
_DIGIT = re.compile(r"\d")
_CAPTION = re.compile(
    r"(?:table|figure|exhibit|chart|source)\b|\(?[^()]{0,60}\b(?:thousands|millions|billions|000['’]?s|except)\b[^()]*\)?\Z",
    re.IGNORECASE,
)
"""A line that names a table, or the unit of all of its figures."""
_MAX_HEADER_LINES = 6  # Lines of a header.
_MAX_LABELS = 8  # Lines with only a label between the header and the first row.
_MAX_GAP = 2  # Blank lines between two rows.
_MAX_INNER_LABELS = 4  # The same between two rows.
_MIN_ROWS = _MIN_COLUMNS = 2
_MAX_COLUMNS = 40  # Columns of a table.
_ROWS_PER_MISALIGNED = 20  # One row in so many may be misaligned.
_TOLERANCE = 2  # Characters between the middle of a header and that of its columns.
_MAX_OVERHANG = 12  # Characters by which a header begins before the first column, or ends after the last.


def split_aligned(text: str) -> Iterator[str | TextTable]:
    """The tables of a text, and the text between them unchanged."""
    lines = text.split("\n")
    parsed = [parse_line(line) for line in lines]
    table_end, place, rule = 0, 0, -1
    while place < len(parsed):
        line, end, result = parsed[place], place + 1, None
        if line.rule or line.is_blank:
            rule = place if line.rule else -1
        elif line.is_row:
            end = _find_run_end(parsed, place)
            result = _read_run(parsed, table_end, place, end)
        if result is None and rule >= table_end and not line.rule:
            result = _read_ruled(parsed, table_end, rule, blank := _find_blank(parsed, place))
            end, rule = blank if result else end, -1
        if result is not None:
            first, table = result
            yield "\n".join(lines[table_end:first])
            yield from split_lines(parsed[first:end], table, _read_lines)
            table_end = end
        place = end
    yield "\n".join(lines[table_end:])


def read_aligned(lines: Sequence[str], starts: Sequence[int] = ()) -> tuple[int, TextTable] | None:
    """The table of lines that are known to be one, and the line that it begins on, after its titles.

    `starts` is where its columns begin, if that is known: it is used where no line has a number. None where the lines
    have no columns.
    """
    parsed = [parse_line(line) for line in lines]
    first = next((place for place, line in enumerate(parsed) if line.is_row), 0)
    columns = _find_columns([line for line in parsed if line.is_row], _get_last_cells(parsed[:first]))
    first = first if columns else 0
    columns = columns or _find_columns_from(starts, parsed)
    if not columns:
        return None
    top = _find_top(parsed, 0, first, columns)
    header, body = _split_header([line for line in parsed[top:] if not line.is_blank], columns)
    return top, _build_table(header, body, columns)


def _find_run_end(lines: Sequence[PrintedLine], first: int) -> int:
    """The line after the last row of a run of rows with rules, blank lines and labels between them.

    After many of these a row must end where an earlier one does. Only years, after a line that is no row, are the
    header of the next table.
    """
    last, blanks, labels = first, 0, 0
    ends = {lines[first].cells[-1].end}
    for place in range(first + 1, len(lines)):
        line = lines[place]
        if line.is_row:
            end, gap = line.cells[-1].end, blanks + labels
            if gap and all(_YEAR_LABEL.fullmatch(cell.text) for cell in line.cells):
                break
            if gap > _MAX_GAP and all(abs(end - other) > _TOLERANCE for other in ends):
                break
            ends.add(end)
            last, blanks, labels = place, 0, 0
        elif line.is_blank:
            blanks += 1
        elif not line.rule:
            labels += 1
            if len(line.cells) > 1 or line.cells[0].end > max(ends) or line.is_prose:
                break
        if blanks > _MAX_GAP or labels > _MAX_INNER_LABELS:
            break
    while last + 1 < len(lines) and lines[last + 1].rule:
        last += 1
    return last + 1


def _read_run(lines: Sequence[PrintedLine], limit: int, first: int, end: int) -> tuple[int, TextTable] | None:
    """The table of a run of rows with the header above it, and the line that it begins on; None where it is none."""
    run = [line for line in lines[first:end] if not line.is_blank]
    rows = [line for line in run if line.is_row]
    columns = _find_columns(rows, _get_last_cells(lines[limit:first]))
    if not columns:
        return None
    top = _find_top(lines, limit, first, columns)
    header, body = _split_header([line for line in lines[top:end] if not line.is_blank], columns)
    body = [_separate_flush_figure(line, columns) for line in body]
    data = [line for line in body if line.is_row]
    if not _is_table(data, columns, header):
        return None
    return top, _build_table(header, body, columns)


def _separate_flush_figure(line: PrintedLine, columns: Sequence[tuple[int, int]]) -> PrintedLine:
    """A line with the figure at the end of its label as a cell, if that is flush with the next column: "Mittel 5,6"."""
    if not line.is_row or len(columns) < _MIN_COLUMNS:
        return line
    cell, (start, end) = line.cells[0], columns[1]
    label, _, digits = cell.text.rpartition(" ")
    number = PrintedCell(digits, cell.end - len(digits), cell.end)
    is_flush = start <= number.start and number.end == end and all(other.start > end for other in line.cells[1:])
    if not (label and is_flush and number.is_number) or _YEAR_LABEL.fullmatch(digits):
        return line
    return PrintedLine(
        line.text, [PrintedCell(label, cell.start, number.start - 1), number, *line.cells[1:]], line.rule
    )


def _read_lines(lines: Sequence[PrintedLine]) -> tuple[int, TextTable, list[tuple[int, int]]] | None:
    """The table of lines, the line that it begins on, and its columns; None where they are no table."""
    first = next((place for place, line in enumerate(lines) if line.is_row), len(lines))
    run_table = _read_run(lines, 0, first, len(lines)) if first < len(lines) else None
    if run_table is None:
        return None
    return *run_table, _find_columns([line for line in lines[first:] if line.is_row], _get_last_cells(lines[:first]))


def _get_last_cells(lines_above: Sequence[PrintedLine]) -> Sequence[PrintedCell]:
    """The cells of the last of some lines that is not blank."""
    return next((line.cells for line in reversed(lines_above) if not line.is_blank), ())


def _find_blank(lines: Sequence[PrintedLine], place: int) -> int:
    """The next blank line."""
    return next((number for number in range(place, len(lines)) if lines[number].is_blank), len(lines))


def _read_ruled(lines: Sequence[PrintedLine], limit: int, place: int, end: int) -> tuple[int, TextTable] | None:
    """The table of words below a rule whose parts are its columns; the header is above it, or below up to the next."""
    spans, width = lines[place].rule, max(len(line.text) for line in lines[place:end])
    if len(spans) < _MIN_COLUMNS:
        return None
    columns = [(start, next_start - 1) for (start, _), (next_start, _) in pairwise([*spans, (width + 2, 0)])]
    lines_below = [line for line in lines[place + 1 : end] if line.cells]
    top = place
    while top > limit and lines[top - 1].cells and _fits(lines[top - 1], spans) and place - top < _MAX_HEADER_LINES:
        top -= 1
    next_rule = next((number for number in range(place + 1, end) if lines[number].rule), end)
    header = lines[top:place] if top < place else lines[place + 1 : next_rule] if next_rule < end - 1 else []
    body = [line for line in lines_below if not any(line is title for title in header)]
    if not header or not body or not all(_fits(line, spans) for line in (*header, *body)):
        return None
    if not any(len(line.cells) > 1 for line in header):
        return None
    return top, _build_table(header, body, columns)


def _fits(line: PrintedLine, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether each cell is below exactly one part of the rule."""
    return all(sum(cell.start < end and cell.end > start for start, end in spans) == 1 for cell in line.cells)


def _is_table(rows: Sequence[PrintedLine], columns: Sequence[tuple[int, int]], header: Sequence[PrintedLine]) -> bool:
    """Whether it has enough rows, numbers in most of each column, and amounts or a header if only one column has them.

    Most columns may be of words where each cell of the table and of its only header line is filled: a list of prices.
    A table of contents has page numbers, which are no amounts; the axes of charts have the same numbers side by side.
    """
    uniform_rows = sum(len(line.cells) > 1 and len({cell.text for cell in line.cells}) == 1 for line in rows)
    if len(rows) < _MIN_ROWS or 2 * uniform_rows > len(rows) or _is_table_of_contents(rows):
        return False
    is_filled = len(header) == 1 and all(len(line.cells) == len(columns) for line in (*header, *rows))
    cells_by_column: dict[int, list[PrintedCell]] = {number: [] for number in range(len(columns))}
    for line in rows:
        for cell in line.cells:
            cells_by_column[find_column(cell, columns)].append(cell)
    numeric_columns = [
        number
        for number in range(1, len(columns))
        if 2 * sum(cell.is_number for cell in cells_by_column[number]) >= len(cells_by_column[number])
        and any(_DIGIT.search(cell.text) for cell in cells_by_column[number])
    ]
    if (2 * len(numeric_columns) < len(columns) - 1 and not is_filled) or not numeric_columns:
        return False
    if len(numeric_columns) > 1 and (header or len(rows) > _MIN_ROWS):
        return True
    cells = [cell.text for number in numeric_columns for cell in cells_by_column[number]]
    if 2 * sum(bool(_AMOUNT.search(text)) for text in cells) >= len(rows):
        return True
    pages = [int(text) for text in cells if text.isdecimal()]
    return bool(header) and len(rows) > _MIN_ROWS and (not pages or pages != sorted(pages))


def _is_table_of_contents(rows: Sequence[PrintedLine]) -> bool:
    """Whether each row has dots and then only a page number, no smaller than that of the row before it."""
    ends = [LEADERS.split(line.text)[-1].strip() for line in rows]
    pages = [int(text) for text in ends if text.isascii() and text.isdecimal()]
    return len(pages) == len(rows) and pages == sorted(pages)


def _find_columns(rows: Sequence[PrintedLine], headers: Sequence[PrintedCell]) -> list[tuple[int, int]]:
    """The spans of the columns that the cells of the rows are in, labels first; nothing if they are not aligned.

    One row in twenty may be misaligned. `headers` are the cells of the line above the rows.
    """
    if not rows:
        return []
    left = min(line.cells[0].start for line in rows)
    labels = [line.cells[0] for line in rows if not line.cells[0].is_number or line.cells[0].start <= left + _TOLERANCE]
    is_label = {id(cell) for cell in labels}
    numbers = [[cell for cell in line.cells if id(cell) not in is_label] for line in rows]
    for limit in dict.fromkeys((0, len(rows) // _ROWS_PER_MISALIGNED)):
        columns = find_column_spans([cell for cells in numbers for cell in cells], limit)
        if not columns:
            break
        columns = merge_adjacent_columns(
            columns, [{find_column(cell, columns) for cell in cells} for cells in numbers], headers
        )
        places = [[find_column(cell, columns) for cell in cells] for cells in numbers]
        if len(columns) <= _MAX_COLUMNS and sum(len(set(row)) < len(row) for row in places) <= limit:
            label_end = min(max((cell.end for cell in labels), default=left), columns[0][0] - 1)
            return [(left, max(label_end, left + 1)), *columns]
    return []


def _find_columns_from(starts: Sequence[int], lines: Sequence[PrintedLine]) -> list[tuple[int, int]]:
    """Columns that begin at given places, each up to the next."""
    if len(starts) < _MIN_ROWS:
        return []
    width = max((cell.end for line in lines for cell in line.cells), default=0)
    return [(start, max(start + 1, end - 1)) for start, end in zip(starts, [*starts[1:], width + 1], strict=True)]


def _find_top(lines: Sequence[PrintedLine], limit: int, first: int, columns: Sequence[tuple[int, int]]) -> int:
    """The first line of the header above a run of rows, or of the labels right above it where there is a header."""
    label_end = columns[0][1]
    top, count, blanks, labels, is_full = first, 0, 0, 0, False
    for place in range(first - 1, limit - 1, -1):
        line = lines[place]
        if line.rule:
            if len(line.rule) > 1 or line.rule[0][0] >= label_end:
                top = place
            continue
        if line.is_blank:
            blanks += 1
            if blanks > 1 or is_full:
                break
            continue
        headers = [cell for cell in line.cells if cell.start >= max(label_end - _TOLERANCE, columns[0][0] + 1)]
        is_header = len(headers) == len(line.cells) or (len(line.cells) > 1 and len(headers) == len(line.cells) - 1)
        if is_header and not _is_title(line, columns):
            count += 1
            if count > _MAX_HEADER_LINES:
                break
            top, blanks, is_full = place, 0, len(line.cells) == len(columns) > 2
        elif count or line.cells[-1].end > columns[1][0] or line.is_prose or labels == _MAX_LABELS:
            break
        else:
            labels += 1
    return top


def _is_title(line: PrintedLine, columns: Sequence[tuple[int, int]]) -> bool:
    """Whether it is a sentence, names a table or its units, or begins far before the first column below."""
    cell = line.cells[0]
    is_left = len(line.cells) == 1 and columns[1][0] - cell.start > _MAX_OVERHANG and cell.middle < columns[1][0]
    is_wide = line.cells[-1].end > columns[-1][1] + _MAX_OVERHANG
    return is_left or is_wide or (len(line.cells) == 1 and bool(_CAPTION.match(cell.text))) or line.is_prose


def _split_header(
    lines: Sequence[PrintedLine], columns: Sequence[tuple[int, int]]
) -> tuple[list[PrintedLine], list[PrintedLine]]:
    """The lines before the first row with more than years, and the others, which include those with only a label."""
    for place, line in enumerate(lines):
        figure_cells = [cell for cell in line.cells if cell.start >= columns[0][1] - _TOLERANCE]
        has_figures = any(cell.is_number and not _YEAR_LABEL.fullmatch(cell.text) for cell in figure_cells)
        if has_figures or (line.cells and not figure_cells):
            return list(lines[:place]), list(lines[place:])
    return [], list(lines)


def _build_table(
    header: Sequence[PrintedLine], body: Sequence[PrintedLine], columns: Sequence[tuple[int, int]]
) -> TextTable:
    """The table; a label that begins with a small letter continues that of the line above."""
    headers, merges = _build_header(header, columns)
    rows: list[list[str]] = []
    is_open = False
    for line in body:
        if not line.cells:
            is_open = False
            continue
        row = [""] * len(columns)
        for cell in line.cells:
            number = find_column(cell, columns)
            row[number] = f"{row[number]} {cell.text}".strip()
        if is_open and rows and row[0][:1].islower():
            row[0] = f"{rows.pop()[0]} {row[0]}"
        is_open = bool(row[0]) and not any(row[1:]) and not row[0].endswith(":")
        rows.append(row)
    return TextTable([*headers, *rows], len(headers), merges)


def _build_header(
    lines: Sequence[PrintedLine], columns: Sequence[tuple[int, int]]
) -> tuple[list[list[str]], list[Merge]]:
    """The rows of the header; successive lines whose cells are above one column each are one row."""
    rows: list[list[str]] = []
    merges: list[Merge] = []
    is_single = False
    for line, spans in zip(lines, _find_line_spans(lines, columns), strict=True):
        if not line.cells:
            is_single = False
            continue
        row = [""] * len(columns)
        for cell, (first, _) in zip(line.cells, spans, strict=True):
            row[first] = f"{row[first]} {cell.text}".strip()
        wide_spans = [(first, last) for first, last in spans if last > first]
        if is_single and not wide_spans:
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], row, strict=True)]
        else:
            merges += (Merge(len(rows), first, 1, last - first + 1) for first, last in wide_spans)
            rows.append(row)
        is_single = not wide_spans
    return rows, merges


def _find_line_spans(lines: Sequence[PrintedLine], columns: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """The first and the last column that each cell of a header's lines spans.

    A cell without dashes below it spans a group of labels that is repeated in the next line, or, if it is flush with a
    label, the columns up to the next cell.
    """
    rules = [*(line.rule for line in lines[1:]), []]
    line_spans = [_find_spans(line.cells, columns, rule) for line, rule in zip(lines, rules, strict=False)]
    lower_cells: list[tuple[PrintedCell, tuple[int, int]]] = []
    for place in range(len(lines) - 1, -1, -1):
        cells, is_ruled = lines[place].cells, place + 1 < len(lines) and bool(lines[place + 1].rule)
        spanned_cells = [(cell, span) for cell, span in zip(cells, line_spans[place], strict=True) if span[0]]
        if spanned_cells and lower_cells and not is_ruled:
            spans = _spread_over_labels(spanned_cells, lower_cells, columns)
            line_spans[place][len(cells) - len(spanned_cells) :] = spans
            spanned_cells = [(cell, span) for (cell, _), span in zip(spanned_cells, spans, strict=True)]
        lower_cells = spanned_cells or lower_cells
    return line_spans


def _spread_over_labels(
    headers: Sequence[tuple[PrintedCell, tuple[int, int]]],
    labels: Sequence[tuple[PrintedCell, tuple[int, int]]],
    columns: Sequence[tuple[int, int]],
) -> list[tuple[int, int]]:
    """The columns that cells of a header span, by the labels in the line below them."""
    spans, nearest = [span for _, span in headers], [find_column(cell, columns) for cell, _ in headers]
    upper, lower = ([(cell.text, *span) for cell, span in cells] for cells in (headers, labels))
    if repeats := find_repeats(upper, lower, nearest):
        return repeats
    starts, ends = {cell.start for cell, _ in labels}, {cell.end for cell, _ in labels}
    are_flush = [_YEAR_LABEL.fullmatch(cell.text) and (cell.start in starts or cell.end in ends) for cell, _ in headers]
    if all(are_flush) and nearest[0] == 1 and len(headers) < len(labels) == len(columns) - 1:
        return [(first, next_first - 1) for first, next_first in pairwise([*nearest, len(columns)])]
    return spans


def _find_spans(
    cells: Sequence[PrintedCell], columns: Sequence[tuple[int, int]], rule: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The first and the last column that each cell of one line of the header spans.

    These are the columns above the dashes below it, else those with the cell's middle that no other cell spans.
    """
    nearest = [find_column(cell, columns) for cell in cells]
    spans: list[tuple[int, int]] = []
    for place, cell in enumerate(cells):
        low = nearest[place - 1] + 1 if place else min(1, nearest[place])
        low = max(low, spans[-1][1] + 1) if spans else low
        high = nearest[place + 1] - 1 if place + 1 < len(cells) else len(columns) - 1
        column = min(max(nearest[place], low), max(low, high), len(columns) - 1)
        dashes = [span for span in rule if span[0] - _TOLERANCE <= cell.middle <= span[1] + _TOLERANCE]
        if column and dashes:
            start, end = dashes[0]
            covered_columns = [
                number
                for number in range(max(low, 1), high + 1)
                if min(columns[number][1], end) - max(columns[number][0], start)
                > (columns[number][1] - columns[number][0]) / 2
            ]
            if covered_columns:
                spans.append((covered_columns[0], covered_columns[-1]))
                continue
        spans.append(_find_centred(cell, columns, max(low, 1), high, column) if column else (0, 0))
    return spans


def _find_centred(
    cell: PrintedCell, columns: Sequence[tuple[int, int]], low: int, high: int, nearest_column: int
) -> tuple[int, int]:
    """The columns around `nearest_column` with the middle nearest to a cell's; of several equally near, the most."""

    def measure(span: tuple[int, int]) -> tuple[float, int]:
        offset = abs((columns[span[0]][0] + columns[span[1]][1]) / 2 - cell.middle)
        return max(0.0, offset - _TOLERANCE), span[0] - span[1]

    spans = [(first, last) for first in range(low, nearest_column + 1) for last in range(nearest_column, high + 1)]
    return min(spans, key=measure, default=(nearest_column, nearest_column))
