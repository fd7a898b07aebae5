"""Tables that records make, with the names of their values as the header, and records in one line of text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from tasks.parsers.data.record_values import MARKUP, Record, Value, format_value, read_day

MAX_CELL_LENGTH = 300
"""Characters of a value in a table at most; a record with a longer one is a section. No passage cuts a row."""
MAX_COLUMNS = 50  # Columns of a table; records of more names are sections.
_MIN_FILLED_SHARE = 0.25  # The share of cells that must be filled in a table; with fewer the records differ in kind.
_MIN_SHARED_SHARE = 0.5  # The share of the records in a record that must have a name where they are rows of a table.
_MIN_ROWS = 2  # Records of a table.
_MAX_FLAT_DEPTH = 8  # Records inside one another whose values are named in one line, "a.b.c".


def flatten_record(record: Record, depth: int = 0) -> dict[str, str] | None:
    """The values of a record by name, those of records inside it by "outer.inner".

    None where a list holds lists, and for records inside one another more than `_MAX_FLAT_DEPTH` times.
    """
    if depth > _MAX_FLAT_DEPTH:
        return None
    texts_by_name: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in record.fields:
        if isinstance(value, Record):
            inner = flatten_record(value, depth + 1)
            if inner is None:
                return None
            for key, text in inner.items():
                texts_by_name[f"{name}.{key}"].append(text)
            continue
        texts = list_texts(name, value)
        texts = inline_records(value, depth + 1) if texts is None and isinstance(value, list) else texts
        if texts is None:
            return None
        texts_by_name[name] += texts
    return {name: "; ".join(filter(None, texts)) for name, texts in texts_by_name.items()}


def inline_records(values: Sequence[Value], depth: int = 0) -> list[str] | None:
    """Records inside a row, each as "name: value, …", or its only value; None where they contain more than values."""
    flat_rows = [flatten_record(item, depth) if isinstance(item, Record) else None for item in values]
    pairs = [[(name, text) for name, text in row.items() if text] for row in flat_rows if row is not None]
    if len(pairs) < len(values):
        return None
    return [row[0][1] if len(row) == 1 else ", ".join(f"{name}: {text}" for name, text in row) for row in pairs]


def list_texts(name: str, value: Value) -> list[str] | None:
    """The texts of a value, or of a list of values; None where it contains records or other lists."""
    values = value if isinstance(value, list) else [value]
    if any(isinstance(item, Record | list) for item in values):
        pieces = [_read_piece(item) for item in values]
        has_words = any(isinstance(item, str) for item in values) and None not in pieces
        return ["".join(piece for piece in pieces if piece)] if has_words else None
    return [text for item in values if not isinstance(item, Record | list) and (text := format_value(name, item))]


def _read_piece(value: Value) -> str | None:
    """A piece of a text that is split where its format changes, as in messages; None for other values."""
    if not isinstance(value, Record):
        return value if isinstance(value, str) else None
    texts = {name: text for name, text in value.fields if isinstance(text, str)}
    if len(texts) < len(value.fields) or not {"text"} <= texts.keys() <= {"type", "text", "href"}:
        return None
    return f"{texts['text']} ({texts['href']})" if texts.get("href") else texts["text"]


def build_record_rows(record: Record) -> list[list[str]]:
    """The rows, below a header, of a record that is a table: of similar records by their names, or of its columns.

    `{"2021-03-12": {"open": 1}, …}` has a row for each name, `{"year": [2020, 2021], "sales": [4, 5]}` a column.
    """
    values = [value for _, value in record.fields]
    records = [(name, value) for name, value in record.fields if isinstance(value, Record)]
    if len(values) > _MIN_ROWS and len(records) == len(values):
        counts = Counter(name for _, record in records for name, _ in record.fields)
        if min(counts.values(), default=0) >= _MIN_SHARED_SHARE * len(values):
            key = "date" if all(read_day(name) for name, _ in records) else "name"
            return build_rows([Record([(key, name), *record.fields]) for name, record in records])
        return []
    names = [name for name, _ in record.fields]
    lists = [value for value in values if isinstance(value, list)]
    is_columns = 1 < len(lists) == len(values) and len(set(map(len, lists))) == 1
    if not is_columns or any(isinstance(item, Record | list) for column in lists for item in column):
        return []
    return build_rows([Record(list(zip(names, row, strict=True))) for row in zip(*lists, strict=True)])


def build_rows(values: Value | Sequence[Value]) -> list[list[str]]:
    """The rows of a list as a table, with the names of its records as the header; none where it is no table."""
    if not isinstance(values, list) or len(values) < _MIN_ROWS:
        return []
    rows = [_build_row(item) for item in values if isinstance(item, list)]
    if len(rows) == len(values):
        widths = {len(row) for row in rows}
        is_table = len(widths) == 1 and 1 < min(widths) <= MAX_COLUMNS
        return rows if is_table and _are_short(rows) else []
    values = _unpack_rows(values)
    flat_records = [flat for item in values if isinstance(item, Record) and (flat := flatten_record(item)) is not None]
    columns = list(dict.fromkeys(name for record in flat_records for name, text in record.items() if text))
    if len(flat_records) < len(values) or not 1 < len(columns) <= MAX_COLUMNS:
        return []
    rows = [[record.get(name, "") for name in columns] for record in flat_records]
    filled = sum(bool(cell) for row in rows for cell in row)
    is_table = filled >= _MIN_FILLED_SHARE * len(rows) * len(columns) and _are_short(rows)
    return [columns, *rows] if is_table else []


def _unpack_rows(values: Sequence[Value]) -> Sequence[Value]:
    """Records that each contain one under its kind, `{"visit": {…}}, {"walk": {…}}`, as those with their kinds."""
    pairs = [item.fields[0] for item in values if isinstance(item, Record) and len(item.fields) == 1]
    inner = [(name, record) for name, record in pairs if isinstance(record, Record)]
    if len(inner) < len(values) or len({name for name, _ in inner}) == 1:
        return values
    return [Record([("kind", name), *record.fields]) for name, record in inner]


def _build_row(values: Sequence[Value]) -> list[str]:
    """The cells of a row; none where one of them is no text."""
    if any(isinstance(item, Record | list) for item in values):
        return []
    return [format_value("", item) for item in values if not isinstance(item, Record | list)]


def _are_short(rows: Sequence[Sequence[str]]) -> bool:
    """Whether no cell is long and none is markup."""
    return all(len(cell) <= MAX_CELL_LENGTH and not MARKUP.search(cell) for row in rows for cell in row)
