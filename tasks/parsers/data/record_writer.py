"""Records as a document: lists of small ones as tables, long ones as sections below their day and title.

JSON and XML hold the same: values with names, records of them, and lists. Programs write logs, messages, prices and
articles so. A list of records whose values are short is a table with their names as its header, so that each row keeps
its day and its figures (`tasks.temporal.row_dates`). A record with a longer text is a section whose heading begins with
its day, which makes it an entry of that day, as in a diary. All else is lines "name: value" below the headings of the
records that hold it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_tz
from typing import NamedTuple

from tasks.parsers.assembly import LONGEST_HEADING, Assembly
from tasks.parsers.page_blocks import add_blocks, empty_machinery, parse_page
from tasks.parsers.text import iter_blocks
from tasks.parsers.written_dates import make_date, parse_whole_date
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Finding, Kind
from warehouse.records.fiscal import DAY

LONGEST_CELL = 300
"""Characters of a value in a table at most; a record with a longer one is a section. No passage cuts a row."""
MOST_COLUMNS = 50
_LEAST_FILLED = 0.25  # The share of its cells that a table must have values for; with fewer the records are unlike.
_LEAST_SHARED = 0.5  # The share of names that all records in a record have in common where they are rows of a table.
_FEWEST_ROWS = 2
_LONGEST_LINE = 200  # Characters of a value beside its name; a longer one is a paragraph.
_LONGEST_DAY = 60  # Characters of a value that is a day, with hour and zone.
_LONGEST_WORD = 40  # Characters of a value that stands in one line with the others of its list.
_MOST_DOTTED = 8  # Values of a record inside another that are lines "outer.inner: value", instead of a section.
_TITLES = ("title", "headline", "subject", "name", "summary", "label", "head", "heading", "question")
_TEXTS = frozenset(
    {"text", "body", "content", "encoded", "message", "description", "abstract", "note", "notes", "comment", "summary"}
    | {"p", "para", "paragraph", "value", "$t", "#text"}
)
"""Names that say nothing of a text that stands below them."""
_WRAPPERS = frozenset(
    {"root", "data", "items", "item", "entries", "entry", "records", "record", "rows", "row", "results", "result"}
    | {"response", "channel", "feed", "list", "document", "contents", "section", "sections", "div"}
)
"""Names of what only holds other things, and gives no heading."""
_PUBLISHED = ("date", "published", "pubdate", "publicationdate", "datepublished", "issued", "day")
_CHANGED = (
    *("created", "creationdate", "createddate", "creationtime", "createdtime", "createdtimestamp", "datetime"),
    *("timestamp", "time", "ts", "updated", "modified", "lastmodified", "sent"),
    *("start", "starttime", "startdate", "begin", "when"),
)
"""Names of the days of a record, in small letters and without what `_plain` leaves out, in falling order of trust."""
_AUTHORS = ("author", "authors", "creator", "byline", "by")
_UNITS = r"(?:s|ms|us|usec|msec|sec|utc|unix|unixtime|epoch)"
_TIMES = re.compile(
    r"(?:^|[_.-])(?:ts|day|when|created|updated|modified|published|sent|start|end|epoch)$"
    rf"|(?:time|timestamp|date)(?:_?{_UNITS})?$|_(?:at|on)$|(?-i:[a-z](?:At|On)$)",
    re.IGNORECASE,
)
"""Names of moments."""
_OF_MOMENTS = re.compile(rf"(?:at|(?<=time|date){_UNITS}|(?<=stamp){_UNITS})$")
"""What a name ends with that says how a moment is written."""
_SECONDS = re.compile(r"\d{9,10}(?:\.\d+)?|\d{12,13}|\d{15,16}")
_EARLIEST, _LATEST = 1980, 2100
_ISO = re.compile(r"(\d{4})(-?)(\d{2})\2(\d{2})(?![\d-])")
_C_TIME = re.compile(
    r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}:\d{2}:\d{2}) (?:(\+\d{4}|[A-Z]{3,4}) )?(\d{4})"
)
"""A moment as the C library writes it: "Fri Mar 12 10:00:00 +0000 2021"."""
_MISREAD = re.compile(r"[\xc2-\xf4][\x80-\xbf]")
"""Two characters of Latin-1 that are one of UTF-8: some programs write the bytes of a text as its characters."""
_MARKUP = re.compile(r"</[a-z][a-z0-9]*\s*>|<br\s*/?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Record:
    """Named values in the order of the file; a name may come again."""

    fields: Sequence[tuple[str, Value]]


Value = str | bool | None | Record | list["Value"]
"""A value: a text (a number as it was written), true or false, nothing, a record, or a list of values."""
Scalar = str | bool | None


class RecordWriter:
    """Adds values to an assembly."""

    def __init__(self, assembly: Assembly) -> None:
        """`assembly` takes headings, lines, paragraphs and tables."""
        self._assembly = assembly

    def finish(self, value: Value, media_type: str, findings: Sequence[Finding]) -> Document:
        """The document of what was added, titled and dated as the value of its file says."""
        return self._assembly.finish(
            Kind.TEXT,
            media_type,
            title=find_title(value),
            authors=find_authors(value),
            dates=find_dates(value),
            findings=findings,
        )

    def write_whole(self, value: Value) -> None:
        """Adds the value of a file, its title as the first heading."""
        if isinstance(value, Record) and not _build_record_rows(value):
            self._assembly.add_heading(_find_record_title(value).text, 1)
            self._write_fields(value, 1)
        else:
            self.write_value(value)

    def write_value(self, value: Value, name: str = "", level: int = 1) -> None:
        """Adds a value that is called `name`; its headings are of this level and below."""
        if isinstance(value, Record):
            self._assembly.end_sections(level)
            self._assembly.add_heading(_build_heading(value, name), level)
            if rows := _build_record_rows(value):
                self._assembly.add_table(rows, header_rows=1, caption=name if _names_something(name) else "")
            else:
                self._write_fields(value, level)
            self._assembly.end_sections(level)
        elif isinstance(value, list):
            self._write_list(value, name, level)
        else:
            self._write_text(name, format_value(name, value))

    def _write_fields(self, record: Record, level: int) -> None:
        """The values of a record: short ones as lines of a list, the others below."""
        heading = _find_record_title(record).place
        lines: list[str] = []
        for place, (name, value) in enumerate(record.fields):
            if place == heading:
                continue
            short = _build_lines(name, value)
            if short is not None:
                lines += short
                continue
            self._assembly.add(BlockKind.LIST, "\n".join(lines))
            lines = []
            self.write_value(value, name, level + 1)
        self._assembly.add(BlockKind.LIST, "\n".join(lines))

    def _write_list(self, values: list[Value], name: str, level: int) -> None:
        """A list: records as a table or as sections, rows of values as a table, texts one by one."""
        if rows := _build_rows(values):
            header = None if any(isinstance(each, list) for each in values) else 1
            self._assembly.end_sections(level)
            if level > 1 and _names_something(name):
                self._assembly.add_heading(name, level)
            self._assembly.add_table(rows, header_rows=header, caption=name if _names_something(name) else "")
            self._assembly.end_sections(level)
            return
        texts = _list_texts(name, values)
        if texts is not None:
            longest = max(map(len, texts), default=0)
            if longest > _LONGEST_LINE:
                for text in texts:
                    self._write_text(name, text)
            else:
                self._write_text(name, (", " if longest <= _LONGEST_WORD else "\n").join(texts))
            return
        self._assembly.end_sections(level)
        if len(values) > 1 and level > 1 and _names_something(name):
            self._assembly.add_heading(name, level)
            level += 1
        for number, each in enumerate(values, 1):
            is_named = isinstance(each, Record) and len(values) > 1
            self.write_value(each, f"{name or 'record'} {number}" if is_named else name, level)

    def _write_text(self, name: str, text: str) -> None:
        """A text as its paragraphs and lists, the markup of a web page in it read; its name before it."""
        if name.lower() not in _TEXTS and name and text:
            self._assembly.add(BlockKind.PARAGRAPH, f"{name}:")
        if _MARKUP.search(text):
            page = parse_page(f"<body>{text}</body>".encode())
            empty_machinery(page)
            add_blocks(self._assembly, page)
            return
        for block in iter_blocks(text):
            kind = BlockKind.PARAGRAPH if block.kind is BlockKind.HEADING else block.kind
            self._assembly.add(kind, block.text)


def format_value(name: str, value: Scalar) -> str:
    """A value as a text; seconds since 1970, where the name says that it is a time, as the moment in UTC."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value.strip()
    if (moment := _C_TIME.fullmatch(text)) is not None:
        return " ".join(filter(None, (f"{moment[1]} {moment[2]}, {moment[5]} {moment[3]}", moment[4])))
    if _MISREAD.search(text):
        with suppress(UnicodeError):
            return text.encode("latin-1").decode()
    if _SECONDS.fullmatch(text) and _TIMES.search(name):
        return _format_moment(text) or text
    return text


def _format_moment(text: str) -> str:
    """Seconds, thousandths or millionths of them since 1970 as a moment in UTC; nothing for another time than ours."""
    number = float(text)
    digits = len(text.partition(".")[0])
    seconds = number / (1 if digits <= 10 else 1_000 if digits <= 13 else 1_000_000)
    moment = datetime.fromtimestamp(seconds, UTC)
    if not _EARLIEST <= moment.year < _LATEST:
        return ""
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def read_day(text: str) -> date | None:
    """The day that a value is or begins with: ISO 8601, as mail writes it (RFC 5322), or any whole date."""
    if (iso := _ISO.match(text)) is not None:
        return make_date(int(iso[1]), int(iso[3]), int(iso[4]))
    if len(text) > _LONGEST_DAY or not any(map(str.isdigit, text)):
        return None
    days = parse_whole_date(text)
    if days:
        return days[0] if days[1] - days[0] == DAY else None
    parts = parsedate_tz(text)
    return make_date(*parts[:3]) if parts and parts[0] >= _EARLIEST else None


def _find_titled_record(value: Value) -> Record:
    """The outermost record with a title, through records that hold but one other; the whole where none has one."""
    here = value
    while isinstance(here, Record) and not _find_record_title(here).text:
        inner = [each for _, each in here.fields if isinstance(each, Record)]
        here = inner[0] if len(inner) == 1 else None
    found = here if isinstance(here, Record) else value
    return found if isinstance(found, Record) else Record([])


def find_title(value: Value) -> str:
    """The title that a value gives, or nothing."""
    return _find_record_title(_find_titled_record(value)).text


def find_authors(value: Value) -> list[str]:
    """The authors that a value names."""
    found: list[str] = []
    for name, each in _find_titled_record(value).fields:
        for one in (each if isinstance(each, list) else [each]) if name.lower() in _AUTHORS else ():
            named = one if isinstance(one, str) else find_title(one)
            found += [named] if 0 < len(named) <= LONGEST_HEADING else []
    return list(dict.fromkeys(found))


def find_dates(value: Value) -> list[DateClaim]:
    """The days on which a value says that it was published, then on which it was made or changed."""
    record = _find_titled_record(value)
    claims = ((DateOrigin.PUBLICATION, _PUBLISHED), (DateOrigin.PROPERTIES, _CHANGED))
    days = ((origin, _find_day(record, names)) for origin, names in claims)
    return [DateClaim(day, origin) for origin, day in days if day]


def _find_day(record: Record, names: Sequence[str]) -> date | None:
    """The day of the first of these names that a record has one for."""
    days = {
        _normalize_name(name): day
        for name, value in reversed(record.fields)
        if _normalize_name(name) in names and isinstance(value, str) and (day := read_day(format_value(name, value)))
    }
    return next((days[name] for name in names if name in days), None)


def _normalize_name(name: str) -> str:
    """A name in small letters, without hyphens and what says that it is a moment: "created_at" is "created"."""
    return _OF_MOMENTS.sub("", re.sub("[_-]", "", name).lower())


class _Title(NamedTuple):
    """The title of a record, and its place among the fields; -1 where it has none."""

    place: int = -1
    text: str = ""


def _find_record_title(record: Record) -> _Title:
    """The value by which a record is called."""
    known = {
        name.lower(): _Title(place, value.strip())
        for place, (name, value) in reversed(list(enumerate(record.fields)))
        if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_HEADING and not _MARKUP.search(value)
    }
    return next((known[name] for name in _TITLES if name in known), _Title())


def _find_record_day(record: Record) -> date | None:
    """The day that a record is of."""
    return _find_day(record, (*_PUBLISHED, *_CHANGED))


def _build_heading(record: Record, name: str) -> str:
    """The heading of a record: its day and its title, or else its own name."""
    day = _find_record_day(record)
    title = _find_record_title(record).text
    if day:
        return f"{day.isoformat()} {title}".strip()
    return title or (name if _names_something(name) else "")


def _names_something(name: str) -> bool:
    """Whether a name says what it names, and not only that there is something."""
    return name.lower() not in _WRAPPERS | _TEXTS


def _build_lines(name: str, value: Value) -> list[str] | None:
    """A value as lines "name: value"; None where it is too long, or no text, for that."""
    if isinstance(value, Record):
        flat = _flatten_record(value)
        if flat is None or len(flat) > _MOST_DOTTED or _build_record_rows(value) or _find_record_day(value):
            return None
        found = [_build_lines(f"{name}.{inner}", text) for inner, text in flat.items()]
        return None if None in found else [line for lines in found for line in lines or ()]
    texts = _list_texts(name, value)
    if texts is None and isinstance(value, list) and not _build_rows(value):
        texts = _inline_records(value)
        texts = None if any(isinstance(each, Record) and _find_record_day(each) for each in value) else texts
    if texts is None or (texts and name.rpartition(".")[2].lower() in _TEXTS):
        return None
    text = ", ".join(texts)
    if len(text) > _LONGEST_LINE or "\n" in text or _MARKUP.search(text):
        return None
    return [f"{name}: {text}"] if text else []


def _flatten_record(record: Record) -> dict[str, str] | None:
    """The values of a record by name, those of records inside it by "outer.inner"; None where a list holds lists."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in record.fields:
        if isinstance(value, Record):
            inner = _flatten_record(value)
            if inner is None:
                return None
            for key, text in inner.items():
                found[f"{name}.{key}"].append(text)
            continue
        texts = _list_texts(name, value)
        texts = _inline_records(value) if texts is None and isinstance(value, list) else texts
        if texts is None:
            return None
        found[name] += texts
    return {name: "; ".join(filter(None, texts)) for name, texts in found.items()}


def _inline_records(values: Sequence[Value]) -> list[str] | None:
    """Records inside a row, each as "name: value, …", or its only value; None where they hold more than values."""
    flat = [_flatten_record(each) if isinstance(each, Record) else None for each in values]
    pairs = [[(name, text) for name, text in each.items() if text] for each in flat if each is not None]
    if len(pairs) < len(values):
        return None
    return [each[0][1] if len(each) == 1 else ", ".join(f"{name}: {text}" for name, text in each) for each in pairs]


def _list_texts(name: str, value: Value) -> list[str] | None:
    """The texts of a value, or of a list of values; None where it holds records or other lists."""
    values = value if isinstance(value, list) else [value]
    if any(isinstance(each, Record | list) for each in values):
        pieces = [_read_piece(each) for each in values]
        has_words = any(isinstance(each, str) for each in values) and None not in pieces
        return ["".join(piece for piece in pieces if piece)] if has_words else None
    return [text for each in values if not isinstance(each, Record | list) and (text := format_value(name, each))]


def _read_piece(value: Value) -> str | None:
    """A piece of a text that is cut where its form changes, as in messages; None for what holds more than that."""
    if not isinstance(value, Record):
        return value if isinstance(value, str) else None
    texts = {name: text for name, text in value.fields if isinstance(text, str)}
    if len(texts) < len(value.fields) or not {"text"} <= texts.keys() <= {"type", "text", "href"}:
        return None
    return f"{texts['text']} ({texts['href']})" if texts.get("href") else texts["text"]


def _build_record_rows(record: Record) -> list[list[str]]:
    """The rows, below a header, of a record that is a table: of like records by their names, or of its columns.

    `{"2021-03-12": {"open": 1}, …}` has a row for each name, `{"year": [2020, 2021], "sales": [4, 5]}` a column.
    """
    values = [value for _, value in record.fields]
    records = [(name, value) for name, value in record.fields if isinstance(value, Record)]
    if len(values) > _FEWEST_ROWS and len(records) == len(values):
        counts = Counter(name for _, each in records for name, _ in each.fields)
        if min(counts.values(), default=0) >= _LEAST_SHARED * len(values):
            key = "date" if all(read_day(name) for name, _ in records) else "name"
            return _build_rows([Record([(key, name), *each.fields]) for name, each in records])
        return []
    names = [name for name, _ in record.fields]
    lists = [value for value in values if isinstance(value, list)]
    is_columns = 1 < len(lists) == len(values) and len(set(map(len, lists))) == 1
    if not is_columns or any(isinstance(each, Record | list) for column in lists for each in column):
        return []
    return _build_rows([Record(list(zip(names, row, strict=True))) for row in zip(*lists, strict=True)])


def _build_rows(values: Sequence[Value]) -> list[list[str]]:
    """The rows of a table that a list makes, records with their names as the header; none where it makes none."""
    if len(values) < _FEWEST_ROWS:
        return []
    rows = [_build_row(each) for each in values if isinstance(each, list)]
    if len(rows) == len(values):
        widths = {len(row) for row in rows}
        is_table = len(widths) == 1 and 1 < min(widths) <= MOST_COLUMNS
        return rows if is_table and _are_short(rows) else []
    known = [flat for each in values if isinstance(each, Record) and (flat := _flatten_record(each)) is not None]
    columns = list(dict.fromkeys(name for each in known for name, text in each.items() if text))
    if len(known) < len(values) or not 1 < len(columns) <= MOST_COLUMNS:
        return []
    rows = [[each.get(name, "") for name in columns] for each in known]
    filled = sum(bool(cell) for row in rows for cell in row)
    is_table = filled >= _LEAST_FILLED * len(rows) * len(columns) and _are_short(rows)
    return [columns, *rows] if is_table else []


def _build_row(values: Sequence[Value]) -> list[str]:
    """The cells of a row; none where one of them is no text."""
    if any(isinstance(each, Record | list) for each in values):
        return []
    return [format_value("", each) for each in values if not isinstance(each, Record | list)]


def _are_short(rows: Sequence[Sequence[str]]) -> bool:
    """Whether no cell is long and none is markup."""
    return all(len(cell) <= LONGEST_CELL and not _MARKUP.search(cell) for row in rows for cell in row)
