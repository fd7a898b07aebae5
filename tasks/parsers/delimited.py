"""Files of delimited values, CSV and TSV (RFC 4180 and what programs make of it), as one table.

The standard library's sniffer guesses the delimiter from a few characters; here the beginning is read with every
candidate, and the one with which most records have the same width is used (after van den Burg, Nazabal and Sutton,
2019).
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import pairwise

from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_values import MARKUP, format_value
from tasks.parsers.decoder import HEAD_BYTES, decode_head, decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.plain_text.adjacent_tables import split_at_blank_columns
from tasks.parsers.plain_text.text_tables import RULE as PIPE_RULE
from tasks.parsers.table_form import names_value
from tasks.parsers.text import member as plain_text
from warehouse.records import BlockKind, Document, Kind

_FORMAT_HINT = re.compile(r"\s*(?:sep=.\s*\n|(?P<anki>#separator:[^\n]*\n(?:#[a-z ]+:[^\n]*\n)*))", re.IGNORECASE)
_COLUMNS = re.compile(r"^#columns:([^\n]*)", re.MULTILINE)
_REMARK_LINE = re.compile(r"^#", re.MULTILINE)
_REMARKS_ABOVE = re.compile(r"(?:#[^\n]*\n\s*)++(?=(?P<first>[^#\s][^\n]*))")
_REMARK_MARK = re.compile(r"^#+[ \t]*(?=\w)")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_MAX_EXTRA_FIELDS = 50  # Fields of a row beyond the width of its table; fields further right join the last one.
_DELIMITERS = ("\t", ";", "|", ",")
_PAIR = 2  # Fields of a line that is a name and its value.
_END_MARK = "\0"  # After a text: inside of a field where a quote is not closed.
_MAX_RECORDS = 400  # Records at the beginning of a file by which its shape is determined.
_MAX_LINES_IN_FIELD = 200  # Lines of a field in quotes; a longer field has a quote that is never closed.
_REGULAR_SHARE = 0.95
_COMMON_SHARE = 0.5
_SEVERAL_SHARE = 0.8
_MAX_MEAN_LENGTH = 25  # Characters of a field on average; longer ones are sentences.
_MAX_CAPTION_LENGTH = 300  # Characters of the caption above a table; longer ones describe the file.
_NUMBER = re.compile(r"(?=\D{0,8}\d)\S{1,30}(?: \S{1,10})?")
_COLUMN_GAP = re.compile(r"\S(?: {2,}|\t)[ \t]*\S")  # The space between the columns of a printed line.
_RULE = frozenset(" \t:|+=-")
_ESCAPED_QUOTE = re.compile(r'(?:^|[,;|\t])"[^"\n]*\\"(?![",;|\t\r]|$)', re.MULTILINE)
"""A quote after a backslash that does not end its field: MySQL and Spark write quotes so, RFC 4180 doubles them."""
_PLAIN_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_DATE_OR_TIME = re.compile(r"\d{4}-\d\d?-\d\d?(?!\d)|\d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\d)|\d{1,2}:\d\d(?!\d)")
_YEAR_NAME = re.compile(r"(?:1[89]|2[01])\d\d")
_NUMERIC_NAME = re.compile(rf"\d{{1,3}}|{_YEAR_NAME.pattern}")
"""A number that may be the name of a column: one of a few digits, or a year."""
_TIMESTAMP_DIGITS = (10, 13)  # Digits of seconds since 1970, and of milliseconds, from 2001 on.
_BLOCK_TAG = re.compile(
    r"</?(?:br|hr|p|div|ul|ol|li|dl|dt|dd|table|tbody|thead|tr|t[dh]|h[1-6]|pre|blockquote)\b[^<>]*>", re.IGNORECASE
)
_INLINE_TAG = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|span|font|code|small|big|sub|sup|img|mark|del|ins)\b[^<>]*>", re.IGNORECASE
)
"""The tags of HTML; those of other markup may be a cell's subject."""
_MIN_ROWS_ABOVE_REMARKS = 3  # The fewest rows of a table, with its header, above remarks.
_TRAILING_REMARK = re.compile(r"[:：]\s|\s\S+\s\S+.*[.!。]\Z|\A[*†]|\A\d{1,2}\)\s")
_OTHER_MARKUP = re.compile(r"\s*[{\[<|]")


class Delimited:
    """One table of any number of rows with one header row, or none if the first row is data.

    If a blank column separates two tables side by side, each is a table.

    A long table is not split: the headers would be repeated in the text, and the chunkers split it between rows, with
    the header above each passage. Lines above the header, and remarks below the rows, are paragraphs. A file
    without a table is read as plain text.
    """

    version = 12
    media_type = "text/csv"
    suffixes = (".csv", ".tsv", ".tab", ".psv")
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """The regularity of the records at the beginning; less than plain text if only the suffix can decide.

        Remarks after `#` are not headings if no line is blank; headings of Markdown have blank lines around them.
        """
        beginning = decode_head(raw.data)
        shape = _guess_hinted_shape(beginning, complete=len(raw.data) <= HEAD_BYTES)
        if shape is None:
            return 0.0
        has_remarks = _REMARK_LINE.search(beginning) is not None and _BLANK_LINE.search(beginning.strip()) is None
        if not shape.is_sure:
            return 0.3 if has_remarks else 0.25
        if has_remarks:
            return 0.55
        return 0.5 if shape.width > 2 else 0.35

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` if the bytes are not text."""
        source = decode_text(raw.data)
        remarks, text = _split_remarks(source)
        shape = _guess_hinted_shape(text[:HEAD_BYTES], complete=len(text) <= HEAD_BYTES)
        rows = _read_rows(text, shape) if shape else []
        if shape is None or not rows:
            return plain_text.parse(raw)
        assembly = Assembly()
        assembly.add(BlockKind.PARAGRAPH, remarks)
        is_headless = _is_headless(text)
        caption = ""
        for part in split_at_blank_columns(rows):
            caption = _add_table(assembly, part, caption, is_headless=is_headless)
        return assembly.finish(Kind.TEXT, self.media_type)


def _add_table(assembly: Assembly, rows: list[list[str]], title: str, *, is_headless: bool) -> str:
    """Adds a table with the lines above it, which are its caption if they are short, and those below.

    Returns the caption, which is the `title` of the table on its left if there is no line above.
    """
    first_row = _find_first_row(rows)
    lines_above = [_join_fields([field for field in row if field]) for row in rows[:first_row]]
    assembly.add(BlockKind.PARAGRAPH, "\n".join(lines_above))
    end_row = _find_end_row(rows, first_row)
    table = [[_remove_markup(cell) for cell in row] for row in rows[first_row:end_row]]
    header_rows = 0 if is_headless or _is_data_first(table) else 1
    caption = " ".join(lines_above) or title
    caption = caption if len(caption) <= _MAX_CAPTION_LENGTH else ""
    assembly.add_table(_with_moments(table), header_rows=header_rows, caption=caption)
    lines_below = (_join_fields([field for field in row if field]) for row in rows[end_row:])
    assembly.add(BlockKind.PARAGRAPH, "\n".join(lines_below))
    return caption


def _guess_hinted_shape(beginning: str, *, complete: bool) -> Shape | None:
    return guess_shape(_remove_hints(_split_remarks(beginning)[1]), complete=complete)


def _split_remarks(text: str) -> tuple[str, str]:
    """The lines after `#` above a table, and the text below, with the last of them if it is as wide as the data."""
    remarks = _REMARKS_ABOVE.match(text)
    if remarks is None or _FORMAT_HINT.match(text):
        return "", text
    lines = [_REMARK_MARK.sub("", line).strip() for line in remarks[0].splitlines() if line.strip()]
    data_text, first = text[remarks.end() :], remarks["first"]
    sign = max(_DELIMITERS, key=first.count)
    if 0 < first.count(sign) == lines[-1].count(sign) and any(_classify(cell.strip()) for cell in first.split(sign)):
        data_text = f"{lines.pop()}\n{data_text}"
    return "\n".join(lines), data_text


def _remove_hints(text: str) -> str:
    """The text without the lines that state its format; names of columns are kept as its header."""
    hints = _FORMAT_HINT.match(text)
    if hints is None:
        return text
    names = _COLUMNS.search(hints[0])
    return (f"{names[1]}\n" if names else "") + text[hints.end() :]


def _is_headless(text: str) -> bool:
    """Whether Anki wrote the text without names of columns."""
    hints = _FORMAT_HINT.match(text)
    return hints is not None and hints["anki"] is not None and not _COLUMNS.search(hints[0])


def _read_rows(text: str, shape: Shape) -> list[list[str]]:
    """The rows without the blanks around their fields; none if they cannot be read to the end.

    A quote that is never closed is read as a character. Fields far beyond the table's width join the last
    column, so that one broken row does not widen all others.
    """
    body = _remove_hints(text)
    max_fields = shape.width + _MAX_EXTRA_FIELDS
    for quoted in (True, False) if shape.quoted else (False,):
        try:
            rows = [[field.strip() for field in row] for row in iter_records(body, shape.delimiter, quoted=quoted)]
        except csv.Error:
            continue
        return [
            row if len(row) <= max_fields else [*row[: max_fields - 1], " ".join(row[max_fields - 1 :])] for row in rows
        ]
    return []


def _find_first_row(rows: list[list[str]]) -> int:
    """The index of the first row of the table: banks and instruments write lines about the file above the table.

    These are at the top, have values for at most half of the columns, without gaps from the first on, and are narrower
    than the header or end in empty fields. Above a table of three columns they may also be names with their values.
    """
    filled = [[bool(field.strip()) for field in row] for row in rows]
    later_rows = filled[len(filled) // 2 :]
    widths = Counter(max((index for index, has_text in enumerate(row, 1) if has_text), default=0) for row in later_rows)
    width = max(widths, key=lambda count_of_width: (widths[count_of_width], count_of_width))
    wide_row = next((index for index, row in enumerate(filled) if sum(row) > _PAIR), 0)
    pairs = rows[:wide_row]
    are_named = width == _PAIR + 1 and all(sum(map(bool, row)) == _PAIR and names_value(row[0]) for row in pairs)
    has_figures = any(_classify(cell) and not _YEAR_NAME.fullmatch(cell) for cell in rows[wide_row])
    if pairs and are_named and not has_figures:
        return wide_row
    for index, row in enumerate(filled):
        count = sum(row)
        if count > 1 and (2 * count > width or not all(row[:count])):
            return index if len(rows) - index > 1 else 0
    return 0


def _find_end_row(rows: list[list[str]], first: int) -> int:
    """The index after the last row of the table: names with their values, and remarks, may follow it."""
    end = len(rows)
    while end - first > _MIN_ROWS_ABOVE_REMARKS:
        fields = [field for field in rows[end - 1] if field]
        is_left = len(fields) <= 2 < len(rows[first]) and rows[end - 1][: len(fields)] == fields
        is_named = len(fields) == 2 and fields[0].endswith((":", "："))
        if not is_left or not (is_named or (len(fields) == 1 and _TRAILING_REMARK.search(fields[0]))):
            break
        end -= 1
    return end


def _join_fields(fields: list[str]) -> str:
    """A line above a table: a name and its value, or all its fields."""
    is_named = len(fields) == 2 and not fields[0].endswith(":")
    return ": ".join(fields) if is_named else " ".join(fields)


def _remove_markup(cell: str) -> str:
    """A cell without tags of HTML."""
    if not MARKUP.search(cell):
        return cell
    return " ".join(unescape(_INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", cell))).split())


def _is_data_first(rows: list[list[str]]) -> bool:
    """Whether the first row is data like the others, because the file has no header.

    A number or moment in it has only cells of its kind below it, and no word is above such cells. Years, and numbers
    that rise from column to column or are whole and small, may be names of columns: 2019, 2020; 1, 2, 3.
    """
    first, *body = rows[:_MAX_RECORDS]
    kinds = [_classify(cell) for cell in first]
    same_kinds = 0
    for column, kind in enumerate(kinds):
        kinds_below = {_classify(row[column]) for row in body if column < len(row) and row[column]}
        if len(kinds_below) == 1 and (kind_below := kinds_below.pop()):
            if kind and kind != kind_below:
                return False
            if not kind and first[column]:
                return False
            same_kinds += kind == kind_below and not _NUMERIC_NAME.fullmatch(first[column])
    numbers = [float(cell.replace(",", "")) for cell, kind in zip(first, kinds, strict=True) if kind == "number"]
    are_rising = len(numbers) > 1 and numbers == sorted(set(numbers))
    return same_kinds > 0 and ("moment" in kinds or not are_rising)


def _classify(cell: str) -> str:
    """Whether a cell is a number or a moment in figures; nothing for words."""
    if _PLAIN_NUMBER.fullmatch(cell):
        return "number"
    return "moment" if _DATE_OR_TIME.match(cell) else ""


def _with_moments(rows: list[list[str]]) -> list[list[str]]:
    """The rows with moments in UTC for seconds since 1970, in columns that have only these and are named for a time."""
    header, *body = rows
    for column, name in enumerate(header):
        cells = [row[column] for row in body if column < len(row) and row[column]]
        if not cells or not all(cell.isdigit() and len(cell) in _TIMESTAMP_DIGITS for cell in cells[:_MAX_RECORDS]):
            continue
        if all(format_value(name.lower(), cell) != cell for cell in cells):
            for row in (body_row for body_row in body if column < len(body_row)):
                row[column] = format_value(name.lower(), row[column])
    return rows


@dataclass(frozen=True, slots=True)
class Shape:
    """A way to read a file, the width that most records then have, and the share of records that have it.

    `is_sure`: whether the content makes it a table, whatever the file's name.
    """

    delimiter: str
    quoted: bool
    width: int
    share: float
    is_sure: bool


def iter_records(text: str, delimiter: str, *, quoted: bool) -> Iterator[list[str]]:
    """The records without blank ones. Raises `csv.Error` for a field over 131,072 characters or 200 lines."""
    escape = "\\" if quoted and _ESCAPED_QUOTE.search(text) else None
    lines = io.StringIO(text)
    plain = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    for record in csv.reader(lines, delimiter=delimiter, escapechar=escape) if quoted else plain:
        if quoted and any(field.count("\n") > _MAX_LINES_IN_FIELD for field in record):
            raise csv.Error("a quote that is never closed")
        if any(map(str.strip, record)):
            yield record


def guess_shape(beginning: str, *, complete: bool) -> Shape | None:
    """The best way to read the beginning of a file; None if it is not a table.

    Its last record may be cut unless it is `complete`.
    """
    first_lines = beginning[:2_000].split("\n")[:4]
    is_ruled = any("--" in line and _RULE.issuperset(line) for line in first_lines) or PIPE_RULE.search(beginning)
    if _OTHER_MARKUP.match(beginning) or is_ruled:
        return None  # of JSON, XML and Markdown
    shapes = [
        shape
        for delimiter in _DELIMITERS
        if delimiter in beginning and (shape := _guess_shape_with(delimiter, beginning, complete=complete))
    ]
    return max(shapes, key=lambda shape: (round(shape.share, 2), shape.width), default=None)


def _guess_shape_with(delimiter: str, beginning: str, *, complete: bool) -> Shape | None:
    """The best way to read the beginning with a delimiter; quotes are used unless they make the records less regular.

    The width is not compared: a decimal comma in the quotes of each record (`"56,08"`) would split it in two.
    """
    shapes = (
        _measure_shape(_read_records(beginning, delimiter, quoted=quoted, complete=complete), delimiter, quoted=quoted)
        for quoted in (True, False)
    )
    readable_shapes = [shape for shape in shapes if shape is not None]
    return max(readable_shapes, key=lambda shape: round(shape.share, 2), default=None)


def _read_records(beginning: str, delimiter: str, *, quoted: bool, complete: bool) -> list[list[str]]:
    """The records except for a last one that is cut, by the end of the beginning or within quotes."""
    records: list[list[str]] = []
    try:
        for record in iter_records(f"{beginning}\n{_END_MARK}", delimiter, quoted=quoted):
            records.append(record)
            if len(records) > _MAX_RECORDS:
                return records[:-1]
    except csv.Error:
        return []
    is_closed = records[-1] == [_END_MARK]
    return records[: -2 if is_closed and not complete else -1]


def _measure_shape(records: list[list[str]], delimiter: str, *, quoted: bool) -> Shape | None:
    """The shape of some records, if most of them are equally wide and are not sentences."""
    if not any(len(record) > 1 for record in records):
        return None
    table = records[_find_first_row(records) :]
    widths = Counter(map(len, table))
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    if width > 1 and all(len(record) < width or not record[-1].strip() for record in table):
        width -= 1  # the sign ends each line
    split_count = sum(len(record) > 1 for record in table)
    if len(table) < 2 or width < 2 or count < _COMMON_SHARE * len(table) or split_count < _SEVERAL_SHARE * len(table):
        return None
    if 2 * sum(delimiter == "," and _is_in_numbers(record) for record in table) > len(table):
        return None
    later_fields = [field.strip() for record in table for field in record[1:] if field.strip()]
    number_count = sum(map(bool, map(_NUMBER.fullmatch, later_fields)))
    spaced_count = sum(field.startswith(" ") for record in table for field in record[1:] if field.strip())
    is_spaced = delimiter in ",;" and 2 * spaced_count >= len(later_fields)  # as in sentences
    if is_spaced and 4 * number_count < len(later_fields) and _is_prose(table):
        return None
    is_regular = len(table) > 2 and count >= _REGULAR_SHARE * len(table)
    return Shape(delimiter, quoted, width, count / len(table), is_regular and not (is_spaced and number_count == 0))


def _is_in_numbers(record: Sequence[str]) -> bool:
    """Whether the commas are inside numbers, in a line whose columns are separated by blanks or semicolons."""
    are_in_numbers = all(before[-1:].isdigit() and after[:1].isdigit() for before, after in pairwise(record))
    return len(record) > 1 and are_in_numbers and any(_COLUMN_GAP.search(field) or ";" in field for field in record)


def _is_prose(table: list[list[str]]) -> bool:
    """Whether the fields are long, end like sentences, or are only pairs."""
    lengths = [len(field) for record in table for field in record[1:] if field.strip()]
    ends = sum(record[-1].rstrip().endswith((".", "!", "?")) for record in table)
    mean = sum(lengths) / max(len(lengths), 1)
    return 2 * ends > len(table) or mean > _MAX_MEAN_LENGTH or max(map(len, table)) < 3


member = Delimited()
