"""Passages as HTML: prose and tables, with the words of a question, quoted spans, dates and names marked.

A passage is split into lines that keep their places in it, so that marks by place can be drawn in prose and in cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from html import escape
from itertools import groupby, pairwise

from tasks.ask.units import Span
from tasks.quality.phrases import counted
from warehouse.store.words import words

_MARKER = re.compile(r"\[TABLE \d+\]|\[END TABLE\]")
_ROW = re.compile(r"\|.*\|")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*:?-{3,}:?\s*")


@dataclass(frozen=True, slots=True)
class PassageLine:
    """Some words of one line, and where they begin in the passage."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Where they end."""
        return self.start + len(self.text)

    @property
    def cells(self) -> tuple[PassageLine, ...]:
        """The cells of a table's row, as they are written: a bar within one has a backslash before it."""
        inner = self.text.strip()
        begun = self.start + self.text.index(inner) + 1
        return tuple(_stripped(begun + low, cell) for low, cell in _split(inner[1:-1]))


def passage_lines(text: str) -> Iterator[PassageLine]:
    """The lines of a passage without the markers around tables."""
    place = 0
    for line in text.splitlines(keepends=True):
        shown = line.splitlines()[0]
        if not is_marker(shown):
            yield PassageLine(place, shown)
        place += len(line)


def is_marker(line: str) -> bool:
    """Whether a line only says where a table begins or ends."""
    return _MARKER.fullmatch(line.strip()) is not None


def is_row(line: str) -> bool:
    """Whether a line is a row of a table, or the rule below its header."""
    return _ROW.fullmatch(line.strip()) is not None


def split_header(rows: Sequence[PassageLine]) -> tuple[list[PassageLine], list[PassageLine]]:
    """The rows above and below a table's rule, the empty ones above left out; no header where there is no rule."""
    rule = next((place for place, row in enumerate(rows) if all(_RULE.fullmatch(c.text) for c in row.cells)), None)
    if rule is None:
        return [], list(rows)
    return [row for row in rows[:rule] if any(cell.text for cell in row.cells)], list(rows[rule + 1 :])


def _split(row: str) -> Iterator[tuple[int, str]]:
    done = 0
    for bar in _BETWEEN_CELLS.finditer(row):
        yield done, row[done : bar.start()]
        done = bar.end()
    yield done, row[done:]


def _stripped(start: int, text: str) -> PassageLine:
    inner = text.strip()
    return PassageLine(start + (text.index(inner) if inner else 0), inner)


class HighlightKind(StrEnum):
    """Kinds of facts that passages can have highlighted."""

    DATE = "date"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Highlight:
    """A date or a name, from `start` up to `end` in its passage, and its meaning as text."""

    start: int
    end: int
    kind: HighlightKind
    meaning: str


_TOKEN = re.compile(r"\w+(?:[.,'’]\w+)*")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_FUNCTION_WORDS = frozenset(
    words(
        "a about above after all an and any are as at be been before between both but by can could did do does during "
        "each for from had has have how i if in into is it its many may me much my no not of on or our over she should "
        "so some such than that the their them then there these they this those through to under up was we were what "
        "when where which while who whom whose why will with would you your"
    )
)


def query_words(question: str) -> frozenset[str]:
    """The words of a question that are worth marking: all but function words, unless there are no others."""
    found = frozenset(words(question))
    return found - _FUNCTION_WORDS or found


def mark_words(text: str, asked: frozenset[str]) -> str:
    """The text as escaped HTML with `<mark>` around words that share a stem with one of `asked`."""
    pieces, done = [], 0
    for start, end in _joined(_spans(text, asked)):
        pieces.append(f"{escape(text[done:start])}<mark>{escape(text[start:end])}</mark>")
        done = end
    return "".join((*pieces, escape(text[done:])))


def highlight_line(line: PassageLine, marks: Sequence[Highlight], draw: Callable[[str], str]) -> str:
    """A line as HTML, with each mark's part of it set off and what is known of it told; `draw` draws the words.

    The marks are in the places of the passage, rising and apart.
    """
    pieces, done = [], line.start
    for mark in marks:
        low, high = max(mark.start, line.start), min(mark.end, line.end)
        if low < high:
            pieces += [draw(_cut(line, done, low)), _set_off(mark, draw(_cut(line, low, high)))]
            done = high
    return "".join((*pieces, draw(_cut(line, done, line.end))))


def quote_line(
    line: PassageLine, marks: Sequence[Highlight], quoted: Sequence[Span], draw: Callable[[str], str]
) -> str:
    """A line as `highlight_line` draws it, what lies within the spans `quoted` of the passage set off as on pages."""
    pieces, done = [], line.start
    for start, end in _joined(iter(sorted(quoted))):
        low, high = max(start, line.start), min(end, line.end)
        if low < high:
            meant = highlight_line(_part(line, low, high), marks, draw)
            pieces += [highlight_line(_part(line, done, low), marks, draw), f'<mark class="k-quoted">{meant}</mark>']
            done = high
    return "".join((*pieces, highlight_line(_part(line, done, line.end), marks, draw)))


def _part(line: PassageLine, start: int, end: int) -> PassageLine:
    return PassageLine(start, _cut(line, start, end))


def _cut(line: PassageLine, start: int, end: int) -> str:
    return line.text[start - line.start : end - line.start]


def _set_off(mark: Highlight, html: str) -> str:
    """A pointer reads what is known of a date in its title, a screen reader behind it."""
    told = escape(mark.meaning)
    heard = f'<span class="k-heard"> ({told})</span>' if mark.kind is HighlightKind.DATE else ""
    return f'<span class="k-{mark.kind}" title="{told}">{html}{heard}</span>'


def _spans(text: str, asked: frozenset[str]) -> Iterator[Span]:
    for found in _TOKEN.finditer(text):
        if _HAN.search(found.group()):
            yield from sorted(_chinese(found.group(), found.start(), asked))
        elif any(word in asked for word in words(found.group())):
            yield found.span()


def _chinese(token: str, offset: int, asked: frozenset[str]) -> Iterator[Span]:
    for word in asked:
        if len(word) > 1 or len(asked) == 1:
            for found in re.finditer(re.escape(word), token, re.IGNORECASE):
                yield found.start() + offset, found.end() + offset


def _joined(spans: Iterator[Span]) -> Iterator[Span]:
    """Overlapping and touching spans made one."""
    start = end = -1
    for low, high in spans:
        if low <= end:
            end = max(end, high)
            continue
        if end > start:
            yield start, end
        start, end = low, high
    if end > start:
        yield start, end


LONGEST, WIDEST = 4, 320
"""How much is shown of a passage of which no part stands out: lines, and characters of each."""
FEW, NEAR = 14, 4
"""So many rows are never too many, and of more so many on either side of a quoted one are shown."""

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableGrid:
    """The rows of a table's shown form. `header` is empty where it has none or the passage holds only later rows."""

    header: tuple[Row, ...]
    body: tuple[Row, ...]


def passage_parts(text: str) -> list[str | TableGrid]:
    """The prose and the tables of a passage, in order, without the markers around tables."""
    found: list[str | TableGrid] = []
    for of_table, lines in groupby(passage_lines(text), key=_is_of_table):
        kept = [line.text for line in lines]
        piece: str | TableGrid = table_grid(kept) if of_table else "\n".join(kept).strip("\n")
        if piece:
            found.append(piece)
    return found


def passage_html(
    text: str,
    asked: frozenset[str],
    marks: Sequence[Highlight] = (),
    quoted: Sequence[Span] = (),
    *,
    closely: bool = False,
) -> str:
    """The whole passage with the words `asked` marked, and the dates and names at `marks` set off.

    Of prose the very spans `quoted` are set off as well, of tables the rows that they touch. Read `closely`, a long
    table keeps only the rows around those.
    """

    def drawn(line: PassageLine) -> str:
        return quote_line(line, marks, quoted, partial(mark_words, asked=asked))

    pieces = [
        _table(list(lines), asked, marks, quoted, closely=closely) if of_table else prose_html(list(map(drawn, lines)))
        for of_table, lines in groupby(passage_lines(text), key=_is_of_table)
    ]
    return f'<div class="k-passage" dir="auto" tabindex="0">{"".join(pieces)}</div>'


def passage_beginning(text: str) -> str:
    """How a passage begins: its first lines that say something, a table's with the rule below its header."""
    told, shown = 0, list[str]()
    for line in passage_lines(text):
        told += bool(line.text.strip("|-: "))
        if told > LONGEST:
            break
        shown.append(line.text if is_row(line.text) or len(line.text) <= WIDEST else f"{line.text[:WIDEST]} …")
    return "\n".join(shown).strip("\n")


def quotes_html(quotes: Sequence[str], passage: str, asked: frozenset[str]) -> str:
    """Quotations from one passage: sentences between quotation marks, and table rows below their header."""
    found: list[str | TableGrid] = []
    for quote in quotes:
        piece, last = _quoted(quote, passage), found[-1] if found else ""
        if (
            isinstance(piece, TableGrid)
            and isinstance(last, TableGrid)
            and piece.header
            and piece.header == last.header
        ):
            found[-1] = TableGrid(last.header, (*last.body, *piece.body))
        else:
            found.append(piece)
    return "".join(
        table_html(f, asked) if isinstance(f, TableGrid) else f"<q>{mark_words(f, asked)}</q>" for f in found
    )


def _quoted(quote: str, passage: str) -> str | TableGrid:
    """A quotation as prose, or as the rows of the table it is from, whether or not it repeats that table's header."""
    quoted = next((part for part in passage_parts(quote) if isinstance(part, TableGrid)), None)
    if quoted is None:
        return quote
    for table in passage_parts(passage):
        if isinstance(table, TableGrid):
            depth = len(table.header)
            rows = quoted.body[depth:] if quoted.body[:depth] == table.header else quoted.body
            if rows and set(rows) <= set(table.body):
                return TableGrid(table.header, rows)
    return quoted


def table_grid(lines: Sequence[str]) -> TableGrid:
    """The table that some rows make."""
    header, body = split_header([PassageLine(0, line) for line in lines])
    return TableGrid(tuple(map(_cells, header)), tuple(map(_cells, body)))


def _cells(row: PassageLine) -> Row:
    return tuple(cell.text.replace("\\|", "|") for cell in row.cells)


def _is_of_table(line: PassageLine) -> bool:
    return is_row(line.text)


def prose_html(lines: Sequence[str]) -> str:
    """Lines of HTML as a paragraph, nothing of empty ones."""
    drawn = "\n".join(lines).strip("\n")
    return f"<p>{drawn}</p>" if drawn else ""


def _table(
    lines: Sequence[PassageLine],
    asked: frozenset[str],
    marks: Sequence[Highlight],
    quoted: Sequence[Span],
    *,
    closely: bool,
) -> str:
    header, body = split_header(lines)

    def draw(words: str) -> str:
        return mark_words(words.replace("\\|", "|"), asked)

    def drawn(row: PassageLine) -> list[str]:
        return [highlight_line(cell, marks, draw) for cell in row.cells]

    touched = {
        place for place, row in enumerate(body) if any(low < row.end and high > row.start for low, high in quoted)
    }
    kept = _around(len(body), touched) if closely and touched else range(len(body))
    rows: list[list[str]] = []
    shown: set[int] = set()
    for last, place in pairwise((-1, *kept, len(body))):
        if place > last + 1:
            rows.append([f"… {counted(place - last - 1, 'row')}"])
        if place < len(body):
            if place in touched:
                shown.add(len(rows))
            rows.append(drawn(body[place]))
    return rows_html(list(map(drawn, header)), rows, shown)


def _around(count: int, touched: Container[int]) -> list[int]:
    """Of so many rows those near the touched ones; all where there are few."""
    if count <= FEW:
        return list(range(count))
    return [row for row in range(count) if any(row + step in touched for step in range(-NEAR, NEAR + 1))]


def table_html(grid: TableGrid, asked: frozenset[str], quoted: Container[int] = ()) -> str:
    """A table, its rows number so and so of the body shown as `quoted`."""
    head = [[mark_words(cell, asked) for cell in row] for row in grid.header]
    return rows_html(head, [[mark_words(cell, asked) for cell in row] for row in grid.body], quoted)


def rows_html(header: Sequence[Sequence[str]], body: Sequence[Sequence[str]], quoted: Container[int] = ()) -> str:
    """A table of cells that are HTML."""
    head = "".join(_row("th", row) for row in header)
    rows = "".join(_row("td", row, quoted=number in quoted) for number, row in enumerate(body))
    return f'<div class="k-table" tabindex="0"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


def _row(tag: str, cells: Sequence[str], *, quoted: bool = False) -> str:
    begun = '<tr class="k-quoted">' if quoted else "<tr>"
    return begun + "".join(f"<{tag}{_looks(cell)}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _looks(cell: str) -> str:
    """A figure in parts ("$ 51,612") stays on one line, however narrow the page."""
    return ' class="k-figure"' if _FIGURE.fullmatch(_TAG.sub("", cell)) else ""


_TAG = re.compile(r"<[^<>]*>")
_FIGURE = re.compile(r"\W*\d[\d.,]*\s+\W+|\W+\s+\(?-?\d[\d.,]*\W*")
