"""Tables in plain text: pipe tables, boxes of characters, tables of wikis, columns aligned by blanks.

Pipe tables are those of GitHub Flavored Markdown, 4.10, psql and Org; boxes those of MySQL and the grid
tables of reStructuredText; those of wikis MediaWiki's, DokuWiki's and Jira's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from tasks.parsers.plain_text.aligned_tables import split_aligned
from tasks.parsers.table_form import SpanCell, TextTable, find_spanning_heads, guess_header_rows, lay_out, parse_span

RULE = re.compile(r"^[ \t]*[|+]?[ \t]*:?-{2,}:?[ \t]*(?:[|+][ \t]*:?-{2,}:?[ \t]*){1,200}[|+]?[ \t]*$", re.MULTILINE)
"""The line between the header and the body of a pipe table."""
_BORDER = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*")
_CELL_SEPARATOR = re.compile(r"(?<!\\)\|")
_MARKED_HEADER = re.compile(r"[ \t]*(?:\^.*\^|\|\|.*\|\|)[ \t]*")
"""The header of a table of DokuWiki ("^ Host ^ Since ^") or Jira ("||Host||Since||")."""
_WIKI_ROW = re.compile(r"[ \t]*[|^].*(?:\||[ \t]\^)[ \t]*")
_LINK = re.compile(r"\[[^\[\]\n]*\]")
_MIN_HEADER_CELLS = 2
_ATTRIBUTES = re.compile(r"\A\s*(?:[a-z-]+\s*=\s*(?:\"[^\"]*\"|\S+)\s*)+\|(?!\|)")
_SPAN = re.compile(r"\b(row|col)span\s*=\s*[\"']?(\d+)")
_HEADER_AND_BODY = 2  # The header and the rows of a box that has no border between rows.


def split_tables(text: str) -> Iterator[str | TextTable]:
    """The tables of a text, and the text between them unchanged."""
    lines = text.split("\n")
    text_start = place = 0
    # No table of a wiki ends after it: without it each beginning would be read to the end of the text.
    last_end = next((number for number in range(len(lines) - 1, -1, -1) if lines[number].lstrip().startswith("|}")), -1)
    while place < len(lines):
        wiki_table = _read_wiki_table(lines, place) if place < last_end else None
        marked_table = _read_box(lines, place) or _read_pipes(lines, place) or _read_marked_header(lines, place)
        end, table = marked_table or wiki_table or (place + 1, None)
        if table is not None:
            yield from split_aligned("\n".join(lines[text_start:place]))
            yield table
            text_start = end
        place = end
    yield from split_aligned("\n".join(lines[text_start:]))


def _read_pipes(lines: Sequence[str], first: int) -> tuple[int, TextTable] | None:
    """The pipe table whose header is a line, and the line after it."""
    if "|" not in lines[first] or first + 1 == len(lines) or not RULE.fullmatch(lines[first + 1]):
        return None
    end = first + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    if end == first + 2:
        return None
    rows = [_split_cells(line) for line in (lines[first], *lines[first + 2 : end]) if not RULE.fullmatch(line)]
    header_rows = guess_header_rows(rows)
    return end, TextTable(rows, header_rows, find_spanning_heads(rows, header_rows))


def _read_box(lines: Sequence[str], first: int) -> tuple[int, TextTable] | None:
    """The table in the box whose upper border is a line, and the line after its lower border.

    A row is the lines between two borders, or one line where only the header has a border below.
    """
    if not _BORDER.fullmatch(lines[first]):
        return None
    end = first + 1
    while end < len(lines) and (_BORDER.fullmatch(lines[end]) or _ROW.fullmatch(lines[end])):
        end += 1
    runs = groupby(lines[first:end], key=lambda line: bool(_BORDER.fullmatch(line)))
    groups = [[_split_cells(line) for line in group] for is_border, group in runs if not is_border]
    if not groups:
        return None
    if len(groups) > _HEADER_AND_BODY:
        rows = [_join_lines(group) for group in groups]
        return end, TextTable(rows, guess_header_rows(rows), [])
    rows = [row for group in groups for row in group]
    return end, TextTable(rows, len(groups[0]) if len(groups) == _HEADER_AND_BODY else guess_header_rows(rows), [])


def _read_marked_header(lines: Sequence[str], first: int) -> tuple[int, TextTable] | None:
    """The table whose header has special marks between cells, and the line after it."""
    if not _MARKED_HEADER.fullmatch(lines[first]):
        return None
    header = [cell.strip() for cell in re.split(r"\|\||\^", lines[first].strip())[1:-1]]
    if sum(any(map(str.isalnum, cell)) for cell in header) < _MIN_HEADER_CELLS:
        return None
    rows, end = [header], first + 1
    while end < len(lines) and _WIKI_ROW.fullmatch(lines[end]):
        # Marks inside of links or of powers separate no cells.
        masked = _LINK.sub(lambda link: link[0].replace("|", "\0"), lines[end].strip())
        rows.append([cell.replace("\0", "|").strip() for cell in re.split(r"\||(?<!\S)\^", masked)[1:-1]])
        end += 1
    return (end, TextTable(rows, 1, [])) if len(rows) > 1 else None


def _read_wiki_table(lines: Sequence[str], first: int) -> tuple[int, TextTable | None] | None:
    """The table between `{|` and the `|}` that must follow, None without cells, and the line after it.

    `!` precedes cells of the header; a cell may span rows and columns.
    """
    if not lines[first].lstrip().startswith("{|"):
        return None
    end = next(place for place in range(first, len(lines)) if lines[place].lstrip().startswith("|}"))
    rows: list[list[SpanCell]] = [[]]
    marks: list[str] = [""]
    for line in (written_line.strip() for written_line in lines[first + 1 : end]):
        if line.startswith("|-"):
            rows.append([])
            marks.append("")
        elif line.startswith(("|", "!")) and not line.startswith("|+"):
            parts = re.split(r"\|\||!!", line[1:])
            rows[-1] += map(_read_wiki_cell, parts)
            marks[-1] += line[0]
        elif rows[-1]:
            rows[-1][-1] = replace(rows[-1][-1], text=f"{rows[-1][-1].text} {line}".strip())
    filled_rows = [(row, not mark.strip("!")) for row, mark in zip(rows, marks, strict=True) if row]
    header_rows = len(list(takewhile(lambda pair: pair[1], filled_rows)))
    table = lay_out([row for row, _ in filled_rows])
    return end + 1, TextTable(table.rows, header_rows, table.merges) if filled_rows else None


def _read_wiki_cell(source: str) -> SpanCell:
    attributes = _ATTRIBUTES.match(source)
    spans = dict(_SPAN.findall(attributes[0].lower())) if attributes else {}
    words = source[attributes.end() :] if attributes else source
    return SpanCell(words.strip(), parse_span(spans.get("row")), parse_span(spans.get("col")))


def _join_lines(lines: Sequence[Sequence[str]]) -> list[str]:
    """The cells of a row that is written in several lines."""
    width = max(map(len, lines))
    padded = [[*line, *[""] * (width - len(line))] for line in lines]
    return [" ".join(filter(None, cell)) for cell in zip(*padded, strict=True)]


def _split_cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip().replace("\\|", "|") for cell in _CELL_SEPARATOR.split(inner)]
