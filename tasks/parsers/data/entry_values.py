"""Values of entries: texts, details for readers, and technical values.

Exports have many more ids, settings and counts than words. Places, people, tags, files and texts become lines
"name: value" of an entry; all else is furniture after it, outside of the passages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape

from tasks.parsers.assembly import Assembly, BlockContent
from tasks.parsers.data.record_values import (
    MARKUP,
    RECORD_NAMES,
    Record,
    Value,
    ValuePath,
    clean_text,
    format_value,
    iter_leaves,
    normalize_name,
    rank_moment_name,
    repair_encoding,
    split_name,
)
from tasks.parsers.notes.note_blocks import add_markdown
from tasks.parsers.text import iter_blocks
from tasks.parsers.trees import parse_page
from tasks.parsers.web.page_blocks import add_blocks
from tasks.parsers.web.page_boilerplate import empty_unread_elements
from warehouse.records import BlockKind

MAX_LINE_LENGTH = 300
"""Characters of a value that is a line; also of texts, at the median, that are lines below their day."""
ADDRESSES = frozenset(RECORD_NAMES["addresses"])
_TAGS = frozenset(RECORD_NAMES["tags"])
_DETAIL_NAMES = _TAGS | frozenset(RECORD_NAMES["details"])
_AUTHOR_NAMES = frozenset(("author", "authors", "creator"))
_MACHINE_NAMES = frozenset(RECORD_NAMES["words"]["machines"])
_TWO_WORDS = re.compile(r"[^\W\d_]{2,}[,;.]?\s+[^\W\d_]{2,}|[\u3040-\u9fff\uac00-\ud7af]{2,}")
_TECHNICAL = re.compile(r"(?=\S*\d)(?=\S*[a-zA-Z])[\w./:@=+-]{10,}\Z|[!-~]{40,}\Z|https?://\S+\Z|[{\[<]", re.ASCII)
"""An id, an address, or data: no text, whatever its name."""
_MARKDOWN_MARK = re.compile(
    r"^#{1,6} \S|^```|^\s{0,3}(?:[-*+]|\d{1,2}[.)]) \S|^\|.*\|\s*$|\*\*\S|\]\(|\[\[|(?<!\w)__?\S", re.MULTILINE
)
"""A sign that a text is Markdown."""
_LINK = re.compile(r"<(https?://[^|>\s]+)(?:\|([^>\n]*))?>")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_LETTER = re.compile(r"[^\W\d_]|[^\x00-\x7f]")
_ELEMENT = re.compile(r"<[^>]*>")
_NON_LETTERS = re.compile(r"<[^>]*>|[\W_]+")
_MIN_REPEATED_LENGTH = 8  # Characters of a value that is left out where a text has it.
_MAX_FIRST_LINE_LENGTH = 80  # Characters of a first line that is the title of a note.
_FIRST_LINE = re.compile(r"\A#{1,6} (?P<heading>[^\n]+)(?:\n|\Z)|\A(?P<line>[^\n]+)\n[^\S\n]*\n")
_SENTENCE_END = re.compile(r"[.!?…:;,。！？：；]\s*\Z")
OUTLINE_PARTS = ("children", "blocks")
"""Names of the texts inside of a text of an outline."""
_ITEM_TEXTS = ("text", "plain_text", "content", "string", "value")
_ITEM_MARKS = ("- [ ] ", "- [x] ")


def is_outline(value: Value) -> bool:
    """Whether a list is an outline: each record is a text without a title or an author, some with more inside."""
    records = [item for item in value if isinstance(item, Record)] if isinstance(value, list) else []
    if not records or not isinstance(value, list) or len(records) < len(value):
        return False
    field_maps = [dict(record.fields) for record in records]
    return all(_find_outline_text(fields) is not None for fields in field_maps) and any(
        "string" in fields or not fields.keys().isdisjoint(OUTLINE_PARTS) for fields in field_maps
    )


def _find_outline_text(fields: dict[str, Value]) -> str | None:
    if not fields.keys().isdisjoint(("title", "author", "name", "url")):
        return None
    value = next((fields[name] for name in ("string", "content", "text") if name in fields), None)
    return value if isinstance(value, str) else None


def _list_outline(values: Sequence[Value], depth: int = 0) -> Iterator[str]:
    """The lines of an outline."""
    for item in values:
        fields = dict(item.fields) if isinstance(item, Record) else {}
        if text := clean_text(_find_outline_text(fields) or ""):
            yield f"{'  ' * depth}- {text}".replace("\n", f"\n{'  ' * (depth + 1)}")
        for name in OUTLINE_PARTS:
            inner = fields.get(name)
            if isinstance(inner, list):
                yield from _list_outline(inner, depth + 1)


def read_text(value: Value) -> str:
    """A text, in one piece, in several, as items that are done or not, or as an outline; empty for other values."""
    if isinstance(value, str):
        return clean_text(repair_encoding(value))
    if not isinstance(value, list) or not value or any(isinstance(item, list) for item in value):
        return ""
    if is_outline(value):
        return "\n".join(_list_outline(value))
    pieces = [_read_item(item) for item in value]
    has_items = any(piece.startswith(_ITEM_MARKS) for piece in pieces)
    has_paragraphs = all(isinstance(item, str) for item in value) or not any(
        isinstance(item, str) or (isinstance(item, Record) and any(name == "plain_text" for name, _ in item.fields))
        for item in value
    )
    separator = "\n" if has_items else "\n\n" if has_paragraphs else ""
    return clean_text(separator.join(filter(None, pieces)))


def _read_item(value: Value) -> str:
    """A piece of a text: words, words with an address, or an item that is done or not."""
    if not isinstance(value, Record):
        return repair_encoding(value) if isinstance(value, str) else ""
    fields = {name: field_value for name, field_value in value.fields if isinstance(field_value, str | bool)}
    text = repair_encoding(next((words for name in _ITEM_TEXTS if isinstance(words := fields.get(name), str)), ""))
    is_done = next(
        (field_value for name, field_value in fields.items() if normalize_name(name) in RECORD_NAMES["done"]), None
    )
    if isinstance(is_done, bool) and text:
        return f"{_ITEM_MARKS[is_done]}{text}"
    href = fields.get("href")
    return f"{text} ({href})" if text and isinstance(href, str) and href != text else text


def split_first_line(text: str) -> tuple[str, str]:
    """The title of a note in its first line, a heading or a separate line that ends no sentence, and the other text."""
    match = _FIRST_LINE.match(text)
    if match is None or MARKUP.search(text):
        return "", text
    line = (match["heading"] or match["line"]).strip()
    is_title = len(line) <= _MAX_FIRST_LINE_LENGTH and (match["heading"] or not _SENTENCE_END.search(line))
    remaining_text = text[match.end() :].strip()
    return (line, remaining_text) if is_title and remaining_text and re.search(r"\w", line) else ("", text)


def list_text_blocks(text: str, *, has_markdown: bool = True) -> list[BlockContent]:
    """The blocks of a text: of a web page, of Markdown where it may be that, or plain, without headings."""
    inner = Assembly()
    if MARKUP.search(text):
        page = parse_page(f"<body>{text}</body>".encode())
        empty_unread_elements(page)
        add_blocks(inner, page)
    elif has_markdown and _MARKDOWN_MARK.search(text):
        add_markdown(inner, text)
    else:
        for block in iter_blocks(text):
            inner.add(BlockKind.PARAGRAPH if block.kind is BlockKind.HEADING else block.kind, block.text)
    return inner.contents


def expand_links(text: str) -> str:
    """A text with addresses in angle brackets, as chats have them, as words: "the plan (https://…)"."""
    return _LINK.sub(lambda match: f"{match[2]} ({match[1]})" if match[2] else match[1], text)


@dataclass(slots=True)
class EntryDetails:
    """The values of a record without its text, title and author, which are `known_texts`; a holder of entries has none.

    `lines` are for readers, as "name: value"; `technical` are all other short values; `nested` are longer values with
    their names.
    """

    known_texts: Sequence[str]
    is_holder: bool = False
    tags: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    technical: list[str] = field(default_factory=list)
    nested: list[tuple[str, Value]] = field(default_factory=list)
    _known_words: str = ""
    _known_letters: str = ""

    def __post_init__(self) -> None:
        page = unescape("\n".join(self.known_texts)).casefold()
        self._known_words = " ".join(_ELEMENT.sub("", page).split())
        self._known_letters = _NON_LETTERS.sub("", page)

    def add(self, path: ValuePath, value: Value) -> None:
        """Adds a value that contains no entries."""
        if value is None or value in ("", []):
            return
        name = ".".join(path)
        is_tag = not _TAGS.isdisjoint(map(normalize_name, path))
        if isinstance(value, list | Record):
            if not _is_flat(value):
                self.nested.append((path[-1], value))
                return
            texts, named_texts = _split_values(path, value)
            self.tags += texts if is_tag else []
            new_texts = [text for text in texts if is_tag or not self._contains(text)]
            if self.is_holder and sum(map(len, new_texts)) > MAX_LINE_LENGTH:
                self.nested.append((path[-1], value))
                return
            _add_line(self.lines, name if self.is_holder else path[-1], ", ".join(new_texts))
            _add_line(self.technical, name, "; ".join(named_texts) if len(named_texts) > len(new_texts) else "")
            return
        text = format_value(path[-1], value)
        if not text or text in self.known_texts or (len(text) >= _MIN_REPEATED_LENGTH and self._contains(text)):
            return
        is_known = not is_tag and text.casefold() in self._known_words
        if is_known or _is_technical(path, value, text, is_holder=self.is_holder):
            _add_line(self.technical, name, text)
        elif len(text) > MAX_LINE_LENGTH or "\n" in text or MARKUP.search(text):
            self.nested.append((path[-1], value))
        else:
            self.tags += [text] if is_tag else []
            _add_line(self.lines, name if self.is_holder else path[-1], text)

    def add_pieces(self, path: ValuePath, value: Value) -> None:
        """Adds the values that a text in pieces has in addition to its words."""
        lines = _split_values(path, value)[1] if isinstance(value, list) else []
        new_lines = (line for line in lines if not self._contains(line.rpartition(": ")[2]))
        _add_line(self.technical, ".".join(path), "; ".join(new_lines))

    def _contains(self, text: str) -> bool:
        """Whether the known texts contain a text, even if it is written as a page or with other marks."""
        letters = _NON_LETTERS.sub("", unescape(text)).casefold() if len(text) >= _MIN_REPEATED_LENGTH else ""
        return text.casefold() in self._known_words or (bool(letters) and letters in self._known_letters)


def _add_line(lines: list[str], name: str, text: str) -> None:
    if text:
        lines.append(f"{name}: {' '.join(text.split())}")


def _is_flat(value: Value) -> bool:
    """Whether a list, or records by ids, are short values or records of such, which fit in one line."""
    values = [field_value for _, field_value in value.fields] if isinstance(value, Record) else value
    if not isinstance(values, list):
        return not isinstance(values, str) or (len(values) <= MAX_LINE_LENGTH and not MARKUP.search(values))
    return not any(isinstance(field_value, list) for field_value in values) and all(
        all(_is_flat(inner) for _, inner in field_value.fields)
        if isinstance(field_value, Record)
        else _is_flat(field_value)
        for field_value in values
    )


def _split_values(path: ValuePath, value: Value) -> tuple[list[str], list[str]]:
    """The texts of a list or of records that are for readers, and all texts with their names."""
    texts, named_texts = list[str](), list[str]()
    values = [field_value for _, field_value in value.fields] if isinstance(value, Record) else value
    for item in values if isinstance(values, list) else [value]:
        inner = iter_leaves(item) if isinstance(item, Record) else [((), item)]
        for names, leaf in inner:
            if isinstance(leaf, list | Record):
                more_texts, more_named_texts = _split_values((*path, *names), leaf)
                texts += more_texts
                named_texts += [f"{'.'.join(names)}: {text}" for text in more_named_texts]
                continue
            text = " ".join(format_value(names[-1] if names else path[-1], leaf).split())
            if text:
                named_texts.append(f"{'.'.join(names)}: {text}" if names else text)
                texts += [] if _is_technical((*path, *names), leaf, text) else [text]
    return list(dict.fromkeys(texts)), named_texts


def _is_technical(path: ValuePath, value: Value, text: str, *, is_holder: bool = False) -> bool:
    """Whether a value is an id, a setting, a number or another moment, and nothing that a person would search for."""
    is_for_readers, is_for_machines = _classify_path(path)
    if len(path) == 1 and normalize_name(path[0]) in ADDRESSES:
        return False
    if isinstance(value, bool) or _TECHNICAL.match(text):
        return True
    if not _LETTER.search(text):
        return is_for_machines or not (_DAY.match(text) and (is_for_readers or is_holder))
    return is_for_machines or not (is_holder or is_for_readers or _TWO_WORDS.search(text))


@lru_cache(10_000)
def _classify_path(path: ValuePath) -> tuple[bool, bool]:
    """Whether a value is for readers, and whether it is for machines, by its names."""
    names = list(map(normalize_name, path))
    is_moment = rank_moment_name(path[-1]) is not None
    is_for_machines = is_moment or not _MACHINE_NAMES.isdisjoint(split_name(path[-1]))
    is_for_readers = not _DETAIL_NAMES.isdisjoint(names) or names[-1] in _AUTHOR_NAMES
    return is_for_readers, is_for_machines and names[-1] not in _DETAIL_NAMES
