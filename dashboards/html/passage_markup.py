"""Passages as HTML: prose and tables, with the words of a question, quoted spans, dates and names marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from html import escape
from itertools import groupby, pairwise

from tasks.ask.passage_units import Span
from tasks.parsers.language import detect_question_language, without_interrogatives
from tasks.quality.phrases import format_count
from warehouse.store.words import parse_words, simplify_chinese, split_words
from warehouse.table_notation import BAR, is_marker, unescape_cell

_ROW = re.compile(r"\|.*\|")
_RULE = re.compile(r"\s*:?-{3,}:?\s*")


@dataclass(frozen=True, slots=True)
class PassageLine:
    """A line of a passage or a part of one; `start` is its offset in the passage."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """The offset of its end in the passage."""
        return self.start + len(self.text)

    @property
    def cells(self) -> tuple[PassageLine, ...]:
        """The cells of a table row as written: a bar within a cell has a backslash before it."""
        inner = self.text.strip()
        first = self.start + self.text.index(inner) + 1
        cells = [(first + offset, cell) for offset, cell in _split_cells(inner[1:-1])]
        return tuple(
            PassageLine(start + (len(cell) - len(cell.lstrip()) if cell.strip() else 0), cell.strip())
            for start, cell in cells
        )

    def cut_part(self, start: int, end: int) -> PassageLine:
        """The part of the line from one offset in the passage to another."""
        return PassageLine(start, self.text[start - self.start : end - self.start])


def iter_passage_lines(text: str) -> Iterator[PassageLine]:
    """The lines of a passage without the markers around tables."""
    start = 0
    for line in text.splitlines(keepends=True):
        content = line.splitlines()[0]
        if not is_marker(content):
            yield PassageLine(start, content)
        start += len(line)


def is_row(line: str) -> bool:
    """Whether a line is a row of a table, or the rule below its header."""
    return _ROW.fullmatch(line.strip()) is not None


def split_header(rows: Sequence[PassageLine]) -> tuple[list[PassageLine], list[PassageLine]]:
    """Header and body of a table, split at the rule (`| --- |`) and without empty header rows; no rule, no header."""
    rule = next((index for index, row in enumerate(rows) if all(_RULE.fullmatch(c.text) for c in row.cells)), None)
    if rule is None:
        return [], list(rows)
    return [row for row in rows[:rule] if any(cell.text for cell in row.cells)], list(rows[rule + 1 :])


def _split_cells(row: str) -> Iterator[tuple[int, str]]:
    cell_start = 0
    for bar in BAR.finditer(row):
        yield cell_start, row[cell_start : bar.start()]
        cell_start = bar.end()
    yield cell_start, row[cell_start:]


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
    split_words(
        "a about above after all an and any are as at be been before between both but by can could did do does during "
        "each for from had has have how i if in into is it its many may me much my no not of on or our over she should "
        "so some such than that the their them then there these they this those through to under up was we were what "
        "when where which while who whom whose why will with would you your"
    )
)


def extract_query_stems(question: str) -> frozenset[str]:
    """The stems of a question's words that are marked: all but function words, unless there are no others."""
    tokens = parse_words(without_interrogatives(question, detect_question_language(question)))
    content_stems = frozenset(word.text for word in tokens if word.is_content or not word.is_chinese)
    return content_stems - _FUNCTION_WORDS or frozenset(word.text for word in tokens)


def mark_words(text: str, terms: frozenset[str]) -> str:
    """The text as escaped HTML with `<mark>` around words whose stem is among `terms`."""
    return wrap_spans(text, _merge_spans(_find_term_spans(text, terms)), lambda part: f"<mark>{escape(part)}</mark>")


def wrap_spans(text: str, spans: Iterable[Span], wrap: Callable[[str], str]) -> str:
    """The text as escaped HTML; `wrap` makes the HTML of each span; the spans ascend."""
    pieces, position = [], 0
    for start, end in spans:
        pieces += [escape(text[position:start]), wrap(text[start:end])]
        position = end
    return "".join((*pieces, escape(text[position:])))


def highlight_line(line: PassageLine, highlights: Sequence[Highlight], draw: Callable[[str], str]) -> str:
    """A line as HTML by `draw`, with its part of each highlight set off; these are sorted and do not overlap."""
    pieces, position = [], line.start
    for highlight in highlights:
        low, high = max(highlight.start, line.start), min(highlight.end, line.end)
        if low < high:
            pieces += [
                draw(line.cut_part(position, low).text),
                _render_highlight(highlight, draw(line.cut_part(low, high).text)),
            ]
            position = high
    return "".join((*pieces, draw(line.cut_part(position, line.end).text)))


def quote_line(
    line: PassageLine, highlights: Sequence[Highlight], quotes: Sequence[Span], draw: Callable[[str], str]
) -> str:
    """A line as `highlight_line` draws it, with the `quotes` spans of the passage in a box as on pictures of pages."""
    pieces, position = [], line.start
    for start, end in _merge_spans(iter(sorted(quotes))):
        low, high = max(start, line.start), min(end, line.end)
        if low < high:
            quote = highlight_line(line.cut_part(low, high), highlights, draw)
            before = highlight_line(line.cut_part(position, low), highlights, draw)
            pieces += [before, f'<mark class="k-quoted">{quote}</mark>']
            position = high
    return "".join((*pieces, highlight_line(line.cut_part(position, line.end), highlights, draw)))


def _render_highlight(highlight: Highlight, html: str) -> str:
    """The meaning is the title, for a pointer; that of a date also follows the words, for a screen reader."""
    meaning = escape(highlight.meaning)
    screen_reader_text = f'<span class="k-heard"> ({meaning})</span>' if highlight.kind is HighlightKind.DATE else ""
    return f'<span class="k-{highlight.kind}" title="{meaning}">{html}{screen_reader_text}</span>'


def _find_term_spans(text: str, terms: frozenset[str]) -> Iterator[Span]:
    for token in _TOKEN.finditer(text):
        if _HAN.search(token.group()):
            # A run of Chinese has no spaces; single characters count only where nothing else is asked.
            searched_terms = [term for term in terms if len(term) > 1 or len(terms) == 1]
            simplified_text = simplify_chinese(token.group())
            matches = (
                match
                for term in searched_terms
                for match in re.finditer(re.escape(term), simplified_text, re.IGNORECASE)
            )
            yield from sorted((token.start() + match.start(), token.start() + match.end()) for match in matches)
        elif any(word in terms for word in split_words(token.group())):
            yield token.span()


def _merge_spans(spans: Iterator[Span]) -> Iterator[Span]:
    """Sorted spans with overlapping and touching ones merged."""
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


BEGINNING_LINES, LINE_CHARACTERS = 4, 320
"""Lines, and characters of each, that are shown of a passage without an excerpt."""
WHOLE_TABLE_ROWS, NEIGHBOUR_ROWS = 14, 4
"""Rows up to which a table is shown whole, and rows on either side of a quoted one that are shown of a longer table."""

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableGrid:
    """Rows of a table as text. `header` is empty where the table has none or the passage begins below it."""

    header: tuple[Row, ...]
    body: tuple[Row, ...]


def split_passage(text: str) -> list[str | TableGrid]:
    """The prose and the tables of a passage, in order, without the markers around tables."""
    parts: list[str | TableGrid] = []
    for in_table, group in groupby(iter_passage_lines(text), key=lambda line: is_row(line.text)):
        lines = [line.text for line in group]
        part: str | TableGrid = parse_table_grid(lines) if in_table else "\n".join(lines).strip("\n")
        if part:
            parts.append(part)
    return parts


def render_passage(
    text: str,
    terms: frozenset[str],
    highlights: Sequence[Highlight] = (),
    quotes: Sequence[Span] = (),
    *,
    table_head: str = "",
    shorten_tables: bool = False,
) -> str:
    """A passage with the query's `terms` marked and the dates and names in `highlights` set off.

    The `quotes` spans have offsets in the passage: in prose they are boxed, in tables the rows that they touch. With
    `shorten_tables` a long table is reduced to the rows around those. Rows that the passage begins with are drawn below
    the header in `table_head`.
    """
    pieces: list[str] = []
    for in_table, lines in groupby(iter_passage_lines(text), key=lambda line: is_row(line.text)):
        if in_table:
            head = [] if pieces else [line.text for line in iter_passage_lines(table_head) if is_row(line.text)]
            pieces.append(_render_table_lines(list(lines), terms, highlights, quotes, head, shorten=shorten_tables))
        else:
            draw = partial(mark_words, terms=terms)
            prose = "\n".join(quote_line(line, highlights, quotes, draw) for line in lines).strip("\n")
            pieces.append(f"<p>{prose}</p>" if prose else "")
    return f'<div class="k-passage" dir="auto" tabindex="0">{"".join(pieces)}</div>'


def extract_beginning(text: str) -> str:
    """The first lines of a passage that have words; of a table also the rule below its header."""
    count, lines = 0, list[str]()
    for line in iter_passage_lines(text):
        count += bool(line.text.strip("|-: "))
        if count > BEGINNING_LINES:
            break
        lines.append(
            line.text if is_row(line.text) or len(line.text) <= LINE_CHARACTERS else f"{line.text[:LINE_CHARACTERS]} …"
        )
    return "\n".join(lines).strip("\n")


def render_quotes(quotes: Sequence[str], passage: str, terms: frozenset[str]) -> str:
    """Quotations from one passage: sentences in quotation marks, table rows below the header of their table."""
    parts: list[str | TableGrid] = []
    for quote in quotes:
        part, last = _parse_quote(quote, passage), parts[-1] if parts else ""
        if isinstance(part, TableGrid) and isinstance(last, TableGrid) and part.header and part.header == last.header:
            parts[-1] = TableGrid(last.header, (*last.body, *part.body))
        else:
            parts.append(part)
    return "".join(
        render_table(part, terms) if isinstance(part, TableGrid) else f"<q>{mark_words(part, terms)}</q>"
        for part in parts
    )


def _parse_quote(quote: str, passage: str) -> str | TableGrid:
    """A quotation as prose, or as rows of its table with that table's header, which the quotation may leave out."""
    grid = next((part for part in split_passage(quote) if isinstance(part, TableGrid)), None)
    if grid is None:
        return quote
    for table in split_passage(passage):
        if isinstance(table, TableGrid):
            depth = len(table.header)
            rows = grid.body[depth:] if grid.body[:depth] == table.header else grid.body
            if rows and set(rows) <= set(table.body):
                return TableGrid(table.header, rows)
    return grid


def parse_table_grid(lines: Sequence[str]) -> TableGrid:
    """A table from its rows in Markdown."""
    header, body = (
        tuple(tuple(unescape_cell(cell.text) for cell in row.cells) for row in rows)
        for rows in split_header([PassageLine(0, line) for line in lines])
    )
    return TableGrid(header, body)


def _render_table_lines(
    lines: Sequence[PassageLine],
    terms: frozenset[str],
    highlights: Sequence[Highlight],
    quotes: Sequence[Span],
    head: Sequence[str],
    *,
    shorten: bool,
) -> str:
    """A table of a passage below its own header or that of `head`. Rows that are left out are counted in a row."""
    header, body = split_header(lines)
    above = [[mark_words(cell, terms) for cell in row] for row in parse_table_grid(head).header]

    def draw_row(row: PassageLine) -> list[str]:
        draw = partial(mark_words, terms=terms)
        return [highlight_line(cell, highlights, lambda text: draw(unescape_cell(text))) for cell in row.cells]

    touched_rows = {
        index for index, row in enumerate(body) if any(low < row.end and high > row.start for low, high in quotes)
    }
    visible: Sequence[int] = range(len(body))
    if shorten and touched_rows and len(body) > WHOLE_TABLE_ROWS:
        steps = range(-NEIGHBOUR_ROWS, NEIGHBOUR_ROWS + 1)
        visible = [row for row in visible if any(row + step in touched_rows for step in steps)]
    rows: list[list[str]] = []
    quoted_rows: set[int] = set()
    for last, index in pairwise((-1, *visible, len(body))):
        if index > last + 1:
            rows.append([f"… {format_count(index - last - 1, 'row')}"])
        if index < len(body):
            if index in touched_rows:
                quoted_rows.add(len(rows))
            rows.append(draw_row(body[index]))
    return render_rows([*above, *map(draw_row, header)], rows, quoted_rows)


def render_table(grid: TableGrid, terms: frozenset[str]) -> str:
    """A table with `terms` marked."""
    head = [[mark_words(cell, terms) for cell in row] for row in grid.header]
    return render_rows(head, [[mark_words(cell, terms) for cell in row] for row in grid.body])


def render_rows(header: Sequence[Sequence[str]], body: Sequence[Sequence[str]], quotes: Container[int] = ()) -> str:
    """A table whose cells are HTML; `quotes` are the numbers of the body's rows that are boxed."""
    head = "".join(_render_row("th", row) for row in header)
    rows = "".join(_render_row("td", row, is_quoted=number in quotes) for number, row in enumerate(body))
    return f'<div class="k-table" tabindex="0"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


_TAG = re.compile(r"<[^<>]*>")
_FIGURE = re.compile(r"\W*\d[\d.,]*\s+\W+|\W+\s+\(?-?\d[\d.,]*\W*")
"""Figures that have a space in them ("$ 51,612"): they stay on one line on narrow pages."""


def _render_row(tag: str, cells: Sequence[str], *, is_quoted: bool = False) -> str:
    figures = [' class="k-figure"' if _FIGURE.fullmatch(_TAG.sub("", cell)) else "" for cell in cells]
    items = "".join(f"<{tag}{figure}>{cell}</{tag}>" for cell, figure in zip(cells, figures, strict=True))
    return f'<tr class="k-quoted">{items}</tr>' if is_quoted else f"<tr>{items}</tr>"
