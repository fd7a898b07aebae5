"""Records as a document: dated entries, lists of short values as tables, all else as sections and lines.

JSON and XML have the same model: named values, records of them, and lists. Programs write logs, messages, prices and
articles in it. Dated writing (`data.dated_records`) becomes entries in order of time, as in a diary: messages are lines
"14:05 Anna: …" below the heading of their day, notes have a heading of their day and title each. Ids and settings of an
entry follow it as furniture, which is in no passage. Another list of records with short values is a table with their
names as its header, so that each row has its day and its figures (`tasks.temporal.row_dates`), and a record with a
longer text is a section whose heading begins with its day. All else is lines "name: value" below the headings of the
records that contain it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby

from tasks.parsers.assembly import Assembly, BlockContent, shorten_heading
from tasks.parsers.data.dated_records import EntryFinder, EntryLayout, RecordEntry
from tasks.parsers.data.entry_values import EntryDetails, expand_links, list_text_blocks
from tasks.parsers.data.record_tables import (
    build_record_rows,
    build_rows,
    flatten_record,
    inline_records,
    list_texts,
)
from tasks.parsers.data.record_values import (
    MARKUP,
    RECORD_NAMES,
    Record,
    Value,
    find_authors,
    find_dates,
    find_record_day,
    find_record_title,
    find_title,
    format_value,
    is_mapping,
    iter_leaves,
)
from tasks.parsers.written_dates import parse_entry_date
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Finding, Kind

_MAX_LINE_LENGTH = 200  # Characters of a value on a line with its name; a longer one is a paragraph.
_MAX_WORD_LENGTH = 40  # Characters of a value that shares a line with the others of its list.
_MAX_INLINE_VALUES = 8  # Values of a record inside another that are lines "outer.inner: value", instead of a section.
_TEXT_NAMES = frozenset(
    {"text", "body", "content", "encoded", "message", "description", "abstract", "note", "notes", "comment", "summary"}
    | {"p", "para", "paragraph", "value", "$t", "#text"}
)
"""Names that do not describe their text."""
_CONTAINER_NAMES = frozenset(
    {"root", "data", "items", "item", "entries", "entry", "records", "record", "rows", "row", "results", "result"}
    | {"response", "channel", "feed", "list", "document", "contents", "section", "sections", "div"}
)
"""Names of containers, which are no headings."""
_MAX_AUTHORS = 100  # Senders of messages that become authors of the document.
_MAX_TAGS = 1_000  # Tags of a document.
_MIN_ENTRY_SHARE = 0.5  # The share of a text that entries must have to make it notes.


class RecordWriter:
    """Adds values to an assembly."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._finder = EntryFinder()
        self._days: set[date] = set()
        self._senders: Counter[str] = Counter()
        self._tags: dict[str, None] = {}
        self._entry_length = 0  # Characters of entries that are no publications.
        self._list_depth = 0  # Lists of entries that are being written, inside of one another.

    def finish(self, value: Value, media_type: str, findings: Sequence[Finding]) -> Document:
        """The document of the added values, with the title, authors and dates of the file's value or of its entries."""
        is_notes = self._entry_length > _MIN_ENTRY_SHARE * self._assembly.end
        # A diary is of the days of its entries, not of the day of its export.
        is_export, stated_dates = self._finder.holds_entries(value), find_dates(value)
        entry_days = [DateClaim(day, DateOrigin.HEADING) for day in sorted(self._days)]
        return self._assembly.finish(
            Kind.NOTE if is_notes else Kind.TEXT,
            media_type,
            title=find_title(value),
            authors=find_authors(value) or [name for name, _ in self._senders.most_common(_MAX_AUTHORS)],
            dates=stated_dates if stated_dates and not (is_notes and is_export) else entry_days,
            attributes=Attributes(tags=tuple(self._tags)[:_MAX_TAGS]),
            findings=findings,
        )

    def write_file(self, value: Value) -> None:
        """Adds the value of a file, its title as the first heading."""
        holds_entries = self._finder.holds_entries(value)
        layout = None if holds_entries else self._finder.find_layout(value, is_file=True)
        is_note = layout is not None and not layout.is_published
        is_section = holds_entries or not (isinstance(value, Record) and build_record_rows(value))
        if isinstance(value, Record) and is_section and not (is_mapping(value) or is_note):
            self._assembly.add_heading(find_record_title(value).text, 1)
            self._write_fields(value, 1)
        else:
            self.write_value(value)

    def write_value(self, value: Value, name: str = "", level: int = 1) -> None:
        """Adds a value with this name; its headings are of this level and below."""
        is_list = isinstance(value, list) or (isinstance(value, Record) and is_mapping(value))
        is_holder = self._finder.holds_entries(value)
        if (is_list or not is_holder) and (layout := self._finder.find_layout(value)):
            self._write_entries(layout, name, level)
        elif isinstance(value, Record):
            self._assembly.end_sections(level)
            self._assembly.add_heading(_build_heading(value, name), level)
            if not is_holder and (rows := build_record_rows(value)):
                self._assembly.add_table(rows, header_rows=1, caption=name if _is_descriptive(name) else "")
            else:
                self._write_fields(value, level)
            self._assembly.end_sections(level)
        elif isinstance(value, list):
            self._write_list(value, name, level)
        else:
            self._write_text(name, format_value(name, value))

    def _write_fields(self, record: Record, level: int) -> None:
        """Adds the values of a record: short ones as lines of a list, the others below."""
        title_place = find_record_title(record).place
        if self._finder.holds_entries(record):
            self._write_holder([field for place, field in enumerate(record.fields) if place != title_place], level)
            return
        lines: list[str] = []
        for place, (name, value) in enumerate(record.fields):
            if place == title_place:
                continue
            short_lines = _build_lines(name, value)
            if short_lines is not None:
                lines += short_lines
                continue
            self._assembly.add(BlockKind.LIST, "\n".join(lines))
            lines = []
            self.write_value(value, name, level + 1)
        self._assembly.add(BlockKind.LIST, "\n".join(lines))

    def _write_holder(self, fields: Sequence[tuple[str, Value]], level: int) -> None:
        """Adds the values of a record that contains lists of entries: details, the entries, and technical values."""
        inner = [(name, value) for name, value in fields if self._finder.holds_entries(value)]
        details = EntryDetails((), is_holder=True)
        for name, value in fields:
            if self._finder.holds_entries(value):
                continue
            is_table = build_record_rows(value) if isinstance(value, Record) else build_rows(value)
            if is_table or (isinstance(value, str) and name.lower() in _TEXT_NAMES):
                details.nested.append((name, value))
                continue
            for path, leaf in iter_leaves(Record([(name, value)])):
                details.add(path, leaf)
        self._write_details(details, inner, level)

    def _write_details(self, details: EntryDetails, inner: Sequence[tuple[str, Value]], level: int) -> None:
        """Adds the values of a record other than its text: lines and lists, entries inside of it, technical values."""
        self._assembly.add(BlockKind.LIST, "\n".join(details.lines))
        for name, value in details.nested:
            self.write_value(value, name, level + 1)
        for name, value in inner:
            is_named = len(inner) > 1 and isinstance(value, list) and _is_descriptive(name)
            if is_named:
                self._assembly.end_sections(level + 1)
                self._assembly.add_heading(name, level + 1)
            self.write_value(value, name, level + 1 + is_named)
            self._assembly.end_sections(level + 1)
        self._assembly.add(BlockKind.FURNITURE, "\n".join(details.technical))

    def _write_list(self, values: list[Value], name: str, level: int) -> None:
        """Adds a list: records as a table or as sections, rows of values as a table, texts one by one."""
        if rows := build_rows(values):
            header = None if any(isinstance(item, list) for item in values) else 1
            self._assembly.end_sections(level)
            if level > 1 and _is_descriptive(name):
                self._assembly.add_heading(name, level)
            self._assembly.add_table(rows, header_rows=header, caption=name if _is_descriptive(name) else "")
            self._assembly.end_sections(level)
            return
        texts = list_texts(name, values)
        if texts is not None:
            longest = max(map(len, texts), default=0)
            if longest > _MAX_LINE_LENGTH:
                for text in texts:
                    self._write_text(name, text)
            else:
                self._write_text(name, (", " if longest <= _MAX_WORD_LENGTH else "\n").join(texts))
            return
        self._assembly.end_sections(level)
        if len(values) > 1 and level > 1 and _is_descriptive(name):
            self._assembly.add_heading(name, level)
            level += 1
        for number, item in enumerate(values, 1):
            is_named = isinstance(item, Record) and len(values) > 1
            self.write_value(item, f"{name or 'record'} {number}" if is_named else name, level)

    def _write_entries(self, layout: EntryLayout, name: str, level: int) -> None:
        """Adds the records of a list of entries in order of time, undated ones at the end."""
        start = self._assembly.end
        self._list_depth += 1
        self._assembly.end_sections(level)
        moments = [moment.local if (moment := layout.read_record_moment(record)) else None for record in layout.records]
        if layout.is_lines:
            self._write_days(layout, moments, level)
        else:
            for place in _sort_by_time(moments):
                self._write_note(layout.read_entry(layout.records[place], self._finder), name, level)
        for number, record in enumerate(layout.holders, 1):
            self.write_value(record, f"{name or 'record'} {number}", level)
        self._assembly.end_sections(level)
        self._list_depth -= 1
        if not self._list_depth and not layout.is_published:
            self._entry_length += self._assembly.end - start

    def _write_days(self, layout: EntryLayout, moments: Sequence[datetime | None], level: int) -> None:
        """Adds a heading for each day with its records below; one without a moment is of the day before it."""
        filled_moments: list[datetime] = []
        for moment in moments:
            filled_moments.append(moment or (filled_moments[-1] if filled_moments else datetime.min))  # noqa: DTZ901
        order = sorted(range(len(filled_moments)), key=filled_moments.__getitem__)
        for day, places in groupby(order, key=lambda place: filled_moments[place].date()):
            if day != date.min:
                self._days.add(day)
                self._assembly.add_heading(day.isoformat(), level)
            technical = []
            for place in places:
                entry = layout.read_entry(layout.records[place], self._finder)
                self._collect_metadata(entry)
                self._write_line(entry, level)
                technical.append("; ".join(filter(None, entry.details.technical)))
            self._assembly.add(BlockKind.FURNITURE, "\n".join(filter(None, technical)))

    def _write_line(self, entry: RecordEntry, level: int) -> None:
        """Adds the hour, author and text of an entry; hour and author without a text are technical."""
        hour = f"{entry.moment.local:%H:%M}" if entry.moment and entry.moment.has_hour else ""
        prefix = " ".join(filter(None, (hour, f"{entry.author}:" if entry.author else "")))
        # Headings in a message are no sections of the conversation.
        blocks = [
            BlockContent(BlockKind.PARAGRAPH, block.text) if block.kind is BlockKind.HEADING else block
            for block in list_text_blocks(expand_links(entry.text))
        ]
        if not blocks and not entry.details.lines and not entry.details.nested:
            entry.details.technical.append(prefix)
            return
        if not blocks or blocks[0].kind is not BlockKind.PARAGRAPH:
            blocks.insert(0, BlockContent(BlockKind.PARAGRAPH, ""))
        blocks[0] = BlockContent(BlockKind.PARAGRAPH, f"{prefix} {blocks[0].text}".strip())
        if entry.details.lines:
            details = f"({'; '.join(entry.details.lines)})"
            if blocks[-1].kind is BlockKind.PARAGRAPH:
                blocks[-1] = BlockContent(BlockKind.PARAGRAPH, f"{blocks[-1].text} {details}".strip())
            else:
                blocks.append(BlockContent(BlockKind.PARAGRAPH, details))
        self._add_blocks(blocks, level)
        for name, value in entry.details.nested:
            self.write_value(value, name, level + 1)
        self._assembly.end_sections(level + 1)

    def _add_blocks(self, blocks: Sequence[BlockContent], level: int) -> None:
        """Adds the blocks of a text, its headings below those of this level."""
        for block in blocks:
            self._assembly.add_block_content(block, level)
        self._assembly.end_sections(level + 1)

    def _write_note(self, entry: RecordEntry, name: str, level: int) -> None:
        """Adds a record below a heading of its day and title."""
        self._collect_metadata(entry)
        moment, title = entry.moment, " ".join(entry.title.split())
        self._assembly.end_sections(level)
        if moment:
            day = moment.local.date()
            self._days.add(day)
            hour = f" {moment.local:%H:%M}" if moment.has_hour and not title else ""
            prefix = "" if parse_entry_date(title) == day else f"{day}{hour}"
            heading = f"{prefix} {title}".strip()
        else:
            heading = title or (name if _is_descriptive(name) else "")
        shown_heading = shorten_heading(heading)
        if shown_heading != heading:
            self._assembly.add(BlockKind.PARAGRAPH, title)
        self._assembly.add_heading(shown_heading, level)
        self._add_blocks(list_text_blocks(expand_links(entry.text)), level)
        if entry.author:
            entry.details.lines.insert(0, f"author: {entry.author}")
        self._write_details(entry.details, entry.inner, level)

    def _collect_metadata(self, entry: RecordEntry) -> None:
        if entry.author and entry.author.lower() not in RECORD_NAMES["roles"]:
            self._senders[entry.author] += 1
        self._tags.update(dict.fromkeys(entry.details.tags))

    def _write_text(self, name: str, text: str) -> None:
        """Adds the paragraphs and lists of a text, with the markup of web pages in it read, after its name."""
        if name.lower() not in _TEXT_NAMES and name and text:
            self._assembly.add(BlockKind.PARAGRAPH, f"{name}:")
        for block in list_text_blocks(text, has_markdown=False):
            self._assembly.add_block_content(block)


def _sort_by_time(moments: Sequence[datetime | None]) -> list[int]:
    """The places of records in order of time, those without a moment last."""
    return sorted(range(len(moments)), key=lambda place: (moments[place] is None, moments[place] or datetime.min))  # noqa: DTZ901


def _build_heading(record: Record, name: str) -> str:
    """The heading of a record: its day and its title, or else its name."""
    day = find_record_day(record)
    title = find_record_title(record).text
    if day:
        return f"{day.isoformat()} {title}".strip()
    return title or (name if _is_descriptive(name) else "")


def _is_descriptive(name: str) -> bool:
    """Whether a name describes its value, and is not generic."""
    return name.lower() not in _CONTAINER_NAMES | _TEXT_NAMES


def _build_lines(name: str, value: Value) -> list[str] | None:
    """A value as lines "name: value"; None where it is too long, or no text, for that."""
    if isinstance(value, Record):
        flat = flatten_record(value)
        if flat is None or len(flat) > _MAX_INLINE_VALUES or build_record_rows(value) or find_record_day(value):
            return None
        line_lists = [_build_lines(f"{name}.{inner}", text) for inner, text in flat.items()]
        return None if None in line_lists else [line for lines in line_lists for line in lines or ()]
    texts = list_texts(name, value)
    if texts is None and isinstance(value, list) and not build_rows(value):
        texts = inline_records(value)
        texts = None if any(isinstance(item, Record) and find_record_day(item) for item in value) else texts
    if texts is None or (texts and name.rpartition(".")[2].lower() in _TEXT_NAMES):
        return None
    text = ", ".join(texts)
    if len(text) > _MAX_LINE_LENGTH or "\n" in text or MARKUP.search(text):
        return None
    return [f"{name}: {text}"] if text else []
