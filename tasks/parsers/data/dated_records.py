"""Records of dated writing, such as notes, messages and posts: which of their values are moment, author and text.

Applications export notes and messages as lists of records with similar names: a moment ("createdAt", "ts"), a text
("content", "body"), often an author and a title, among many ids. No application is known here by name. A list is one
of entries where the values under such names are of the named kind, in most of its records:

- a moment and a text with an author, or with running words, or with a title;
- a moment and a title with an address, as in histories and bookmarks, except for lists with measurements;
- outlines: texts inside of texts, on pages with titles.

All other lists stay tables: prices, positions, songs that were played, the lines of logs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter
from statistics import mean, median

from tasks.parsers.assembly import MAX_HEADING_LENGTH
from tasks.parsers.data.entry_values import (
    ADDRESSES,
    MAX_LINE_LENGTH,
    OUTLINE_PARTS,
    EntryDetails,
    is_outline,
    read_text,
    split_first_line,
)
from tasks.parsers.data.record_values import (
    MARKUP,
    RECORD_NAMES,
    Record,
    RecordMoment,
    Value,
    ValuePath,
    format_value,
    is_mapping,
    is_name_of_publishing,
    iter_leaves,
    list_records,
    normalize_name,
    rank_moment_name,
    read_moment,
    split_name,
)
from tasks.parsers.written_dates import find_day_order, parse_whole_day

Values = dict[ValuePath, Value]
_RankedPath = tuple[tuple[int, ...], ValuePath]
"""A sort key and a path; paths with a lower key are more reliable."""
_TEXT_NAMES: list[str] = [*RECORD_NAMES["texts"], *RECORD_NAMES["second_texts"], *RECORD_NAMES["doubtful_texts"]]
_TITLE_NAMES, _AUTHOR_NAMES, _PERSON_NAMES = RECORD_NAMES["titles"], RECORD_NAMES["authors"], RECORD_NAMES["people"]
_SAMPLE_SIZE = 1_000  # Records of a list by whose values its names are classified.
_MIN_WORDS = 4  # Words, on average, of texts without an author.
_MIN_WORDS_OF_SINGLE = 2  # Words of the only one of a list.
_MAX_DAY_LENGTH = 40  # Characters of a title that is a day.
_MAX_NAME_LENGTH = 80  # Characters of an author.
_MIN_READABLE_SHARE = 0.8  # The share of the values of a name that must be moments.
_CHANGED_RANK = 3
_MIN_SHARE = 0.5  # The share of records with moment and text that makes a list one of entries.
_QUOTATION_NAME = re.compile(r"quot|repl|retweet|reshare|forward|reference|prev|parent", re.IGNORECASE)
"""Names of records that quote earlier messages."""
_MENTION = re.compile(r"<@!?(\w+)(?:\|([^>\n]+))?>")
"""A person who is mentioned by an id in a message of Slack or Discord."""
_NAME_OR_NUMBER = re.compile(r"[^\W\d_]|^\+\d{7,15}$")
_NUMERIC_DAY = re.compile(r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2}")
_ID = re.compile(r"(?=\S*\d)\S*[_:-]\S*")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_COORDINATE_NAME = re.compile(r"lat|lon|lng|altitude|accuracy|geo|coord", re.IGNORECASE)
_CHINESE = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """The content of a record of a list of entries; `details` are its values other than text, title and author."""

    moment: RecordMoment | None
    author: str
    title: str
    text: str
    details: EntryDetails
    inner: Sequence[tuple[str, Value]]
    """Lists of entries inside of it, with their names."""


@dataclass(frozen=True, slots=True)
class EntryLayout:
    """The paths of moments, texts, authors and titles in the records of a list, each in falling order of reliability.

    `is_lines`: whether they are lines below the headings of their days, else each has its own heading; `is_deep`:
    whether lists of a few records inside of them are searched. `people` are names of people by their ids. `records`
    are those of this layout, `holders` contain lists of entries.
    """

    records: Sequence[Record]
    holders: Sequence[Record]
    moments: tuple[ValuePath, ...]
    texts: tuple[ValuePath, ...]
    authors: tuple[ValuePath, ...]
    titles: tuple[ValuePath, ...]
    zones: tuple[ValuePath, ...] = ()
    people: Mapping[str, str] = field(default_factory=dict)
    day_order: str = ""
    is_lines: bool = False
    is_deep: bool = False

    @property
    def is_published(self) -> bool:
        """Whether the records are dated by their publication, so that they are no notes."""
        return bool(self.moments) and is_name_of_publishing(self.moments[0][-1])

    def find_moment(self, values: Values) -> RecordMoment | None:
        """The moment of a record with these values: a title that is a day, else the first moment by name."""
        for path in self.titles:
            title = _get_string(values.get(path))
            is_long = len(title) > _MAX_DAY_LENGTH or not any(map(str.isdigit, title))
            if not is_long and (day := parse_whole_day(title, self.day_order)):
                return read_moment("date", day.isoformat())
        texts = ((path[-1], _get_string(values.get(path))) for path in self.moments)
        moments = (read_moment(name, text, self.day_order) for name, text in texts if text)
        moment = next(filter(None, moments), None)
        zone = next(filter(None, (_get_string(values.get(path)) for path in self.zones)), "")
        return moment.convert_to(zone) if moment and zone else moment

    def read_record_moment(self, record: Record) -> RecordMoment | None:
        """The moment of a record."""
        return self.find_moment(dict(reversed(list(iter_leaves(record, is_deep=self.is_deep)))))

    def read_entry(self, record: Record, finder: EntryFinder) -> RecordEntry:
        """The content of a record."""
        leaves = list(iter_leaves(record, is_deep=self.is_deep))
        values = dict(reversed(leaves))
        no_match: tuple[ValuePath, str] = ((), "")
        author = next(filter(None, (_read_name(values.get(path)) for path in self.authors)), "")
        if any(value in (True, "1") and _is_name_of(path, "of_me") for path, value in leaves):
            author = "me"
        author = self.people.get(author, author)
        texts = ((path, read_text(values.get(path))) for path in self.texts)
        text_path, text = next((pair for pair in texts if pair[1]), no_match)
        text = _MENTION.sub(lambda match: f"@{match[2] or self.people.get(match[1], match[1])}", text)
        titles = ((path, _read_title(path, values.get(path))) for path in self.titles if path != text_path)
        title_path, title = next((pair for pair in titles if pair[1]), no_match)
        if self.is_lines:
            # If a line has both, its title is one of its details.
            text, title, title_path = (text, "", ()) if text else (title, "", title_path)
        if not title and not self.is_lines:
            title, text = split_first_line(text)
        details, inner = EntryDetails((text, title, author)), list[tuple[str, Value]]()
        for path, value in leaves:
            if path in (text_path, title_path) and values[path] is value:
                details.add_pieces(path, value)
            elif finder.holds_entries(value):
                inner.append((path[-1], value))
            else:
                details.add(path, value)
        return RecordEntry(self.find_moment(values), author, title, text, details, inner)


class EntryFinder:
    """Finds lists of entries in a value; results are cached by the identity of the value."""

    def __init__(self) -> None:
        self._layouts: dict[int, EntryLayout | None] = {}
        self._holders: dict[int, bool] = {}
        self._moment_names: dict[int, bool] = {}

    def find_layout(self, value: Value, *, is_file: bool = False) -> EntryLayout | None:
        """The layout of a list of entries, or of a record that is an entry or contains them by ids; None for others.

        A record that is the content of a file may be a note of few words.
        """
        if not isinstance(value, list | Record):
            return None
        key = id(value)
        if key not in self._layouts:
            records = list_records(value)
            may_have_entries = any(map(self._has_entry_name, records[:_SAMPLE_SIZE]))
            self._layouts[key] = self._find_layout(records, is_file=is_file) if may_have_entries else None
        return self._layouts[key]

    def holds_entries(self, value: Value) -> bool:
        """Whether a value is a list of entries or holds one."""
        if not isinstance(value, list | Record) or not (value if isinstance(value, list) else value.fields):
            return False
        key = id(value)
        if key not in self._holders:
            is_list = isinstance(value, list) or is_mapping(value)
            inner = value if isinstance(value, list) else list_inner(value)
            self._holders[key] = (is_list and self.find_layout(value) is not None) or any(
                map(self.holds_entries, inner)
            )
        return self._holders[key]

    def _has_entry_name(self, record: Record) -> bool:
        """Whether a record, one inside of it, or one of its lists has a name that entries have."""
        key = id(record)
        if key not in self._moment_names:
            inner = (item for _, value in record.fields for item in (value if isinstance(value, list) else [value]))
            self._moment_names[key] = any(_is_entry_name(name) for name, _ in record.fields) or any(
                self._has_entry_name(item) for item in inner if isinstance(item, Record)
            )
        return self._moment_names[key]

    def _find_layout(self, records: Sequence[Record], *, is_file: bool) -> EntryLayout | None:
        holders = [record for record in records if any(map(self.holds_entries, list_inner(record)))]
        holder_ids = set(map(id, holders))
        entries = [record for record in records if id(record) not in holder_ids]
        layout = _guess_layout(entries, holders, is_file=is_file) if entries else None
        if holders and (layout is None or not layout.is_lines):
            # Conversations, or notes with comments: each has a heading with its entries below.
            roles = _find_roles(_sample_values(records, is_deep=False), is_deep=False)
            if roles.texts:
                return replace(roles, records=records)
            name_paths = (path for path in roles.authors if normalize_name(path[-1]) == "displayname")
            return replace(roles, records=records, titles=(*roles.titles, *name_paths), authors=())
        return layout


def _is_entry_name(name: str) -> bool:
    """Whether a name is one that entries have: of a moment, or of a title, which may be a day."""
    return rank_moment_name(name) is not None or normalize_name(name) in ("title", "pagename", "heading")


def list_inner(record: Record) -> list[Value]:
    """The values of a record except for those that are its text in pieces."""
    pieces = RECORD_NAMES["texts_in_pieces"]
    return [
        value
        for name, value in record.fields
        if not (isinstance(value, list) and normalize_name(name) in pieces and read_text(value))
    ]


def _guess_layout(records: Sequence[Record], holders: Sequence[Record], *, is_file: bool) -> EntryLayout | None:
    """The layout of records that contain no entries; None where they are no entries."""
    for is_deep in (False, True):
        sample = _sample_values(records, is_deep=is_deep)
        roles = _find_roles(sample, is_deep=is_deep)
        texts = [next(filter(None, (read_text(values.get(path)) for path in roles.texts)), "") for values in sample]
        if any(texts):
            layout = _find_text_layout(roles, sample, texts, is_file=is_file)
            break
    else:
        layout = _find_title_layout(roles, sample, holders)
    return replace(layout, records=records, holders=holders) if layout else None


def _find_text_layout(
    roles: EntryLayout, sample: Sequence[Values], texts: Sequence[str], *, is_file: bool
) -> EntryLayout | None:
    """The layout of a sample of records with these texts, empty where one has none; None where they are no entries.

    The moment of a text is in its record or an outer one, or at most one record deeper if the text has no doubtful name
    and is in no list.
    """
    is_doubtful = all(_is_name_of(path, "doubtful_texts") for path in roles.texts)
    depth = 1 + max(map(len, roles.texts))
    outer_paths = {roles.texts[0][:length] for length in range(len(roles.texts[0]))}
    is_strict = roles.is_deep or is_doubtful
    valid_paths = (path for path in roles.moments if len(path) <= depth and (path[:-1] in outer_paths or not is_strict))
    roles = replace(roles, moments=tuple(valid_paths))
    filled_texts = [text for text in texts if text]
    dated_count = sum(
        bool(text) and roles.find_moment(values) is not None for values, text in zip(sample, texts, strict=True)
    )
    is_outlined = any(is_outline(values.get(path)) for values in sample for path in roles.texts)
    if dated_count < _MIN_SHARE * len(filled_texts) and not (is_outlined and dated_count):
        return None
    signed_count = sum(any(_read_name(values.get(path)) for path in roles.authors) for values in sample)
    is_signed = signed_count >= _MIN_SHARE * len(filled_texts) or any(_is_name_of(path, "of_me") for path in sample[0])
    headed_count = sum(bool(split_first_line(text)[0]) for text in filled_texts)
    is_titled = _is_titled(roles, sample) or headed_count >= _MIN_SHARE * len(filled_texts)
    if not is_signed and not is_outlined:
        is_log = any(_is_name_of(path, "of_logs") for values in sample for path in values)
        min_words = _MIN_WORDS if len(sample) > 1 else _MIN_WORDS_OF_SINGLE
        is_prose = is_file or mean(map(_count_words, filled_texts)) >= min_words
        if is_log or not is_prose or (is_doubtful and (not is_titled or _has_measures(sample))):
            return None
    is_short = is_signed or (len(sample) > 1 and median(map(len, filled_texts)) <= MAX_LINE_LENGTH)
    return replace(roles, is_lines=is_short and not is_titled and not is_outlined)


def _find_title_layout(roles: EntryLayout, sample: Sequence[Values], holders: Sequence[Record]) -> EntryLayout | None:
    """The layout of a sample of records without texts: entries where most have a moment and a long title."""
    is_dated = sum(roles.find_moment(values) is not None for values in sample) >= _MIN_SHARE * len(sample)
    if (len(sample) < 2 and not holders) or not is_dated or not _is_titled(roles, sample) or _has_measures(sample):
        return None
    titles = [title for values in sample if (title := _find_title(roles, values))]
    has_address = any(normalize_name(path[-1]) in ADDRESSES for path in sample[0])
    has_long_titles = mean(map(_count_words, titles)) >= _MIN_WORDS
    is_of_creation = any((rank_moment_name(path[-1]) or 0) < 3 for path in roles.moments)
    return replace(roles, is_lines=True) if is_of_creation and (has_address or has_long_titles) else None


def _find_title(roles: EntryLayout, values: Values) -> str:
    return next(filter(None, (_read_title(path, values.get(path)) for path in roles.titles)), "")


def _is_titled(roles: EntryLayout, sample: Sequence[Values]) -> bool:
    return sum(bool(_find_title(roles, values)) for values in sample) >= _MIN_SHARE * len(sample)


def _sample_values(records: Sequence[Record], *, is_deep: bool) -> list[Values]:
    """The values by path of some records of a list."""
    step = -(-len(records) // _SAMPLE_SIZE)
    return [dict(reversed(list(iter_leaves(record, is_deep=is_deep)))) for record in records[:: step or 1]]


def _find_roles(sample: Sequence[Values], *, is_deep: bool) -> EntryLayout:
    """Which paths have moments, texts, authors, titles and zones, in falling order of reliability."""
    columns: defaultdict[ValuePath, list[Value]] = defaultdict(list)
    for values in sample:
        for path, value in values.items():
            if value not in (None, "", [], "0", "-1"):
                columns[path].append(value)
    moments, texts, authors, order = list[_RankedPath](), list[_RankedPath](), list[_RankedPath](), ""
    for path, column in columns.items():
        name, outer_names = _normalize_last(path), [normalize_name(name) for name in path[:-1]]
        if any(map(_QUOTATION_NAME.search, path[:-1])):
            continue
        rank = rank_moment_name(path[-1])
        if rank is not None and (column_order := _find_order(path[-1], column)) is not None:
            is_utc = "utc" in split_name(path[-1])
            moments.append(((rank == _CHANGED_RANK, len(path), rank, not is_utc), path))
            order = order or column_order
        if name in OUTLINE_PARTS and not any(map(is_outline, column)):
            continue
        if name in _TEXT_NAMES and any(re.search(r"[^\W\d_]", read_text(value)) for value in column):
            place = _TEXT_NAMES.index(name)
            is_page = any(isinstance(value, str) and MARKUP.search(value) for value in column[:10])
            texts.append(((place >= len(RECORD_NAMES["texts"]), len(path), is_page, place), path))
        if name in _PERSON_NAMES and outer_names and outer_names[-1] in _AUTHOR_NAMES and any(map(_read_name, column)):
            authors.append(((0, _PERSON_NAMES.index(name), len(path)), path))
        elif name in _AUTHOR_NAMES and any(map(_read_name, column)):
            authors.append(((1, _AUTHOR_NAMES.index(name), len(path)), path))
    sibling_paths = {(), *(path[:-1] for _, path in (*moments, *sorted(texts)[:1]))}
    people_paths = {path[:-1] for (is_direct, *_), path in authors if not is_direct}
    titles = [
        ((path[:-1] not in sibling_paths, _TITLE_NAMES.index(_normalize_last(path)), len(path)), path)
        for path in columns
        if _normalize_last(path) in _TITLE_NAMES
        and (path[:-1] in sibling_paths or normalize_name(path[-1]) in ("title", "rendered"))
        and path[:-1] not in people_paths
    ]
    author_paths = _sort_paths(authors)
    return EntryLayout(
        records=(),
        holders=(),
        moments=_sort_paths(moments),
        texts=_sort_paths(texts),
        authors=author_paths,
        titles=_sort_paths(titles),
        zones=tuple(sorted((path for path in columns if _is_name_of(path, "zones")), key=len)),
        people=dict(_iter_people(sample, author_paths)),
        day_order=order,
        is_deep=is_deep,
    )


def _iter_people(sample: Sequence[Values], paths: Sequence[ValuePath]) -> Iterator[tuple[str, str]]:
    """The names of authors by their ids and login names, which may be all that other records have."""
    for values in sample if len(paths) > 1 else ():
        name = _read_name(values.get(paths[0]))
        for path in paths[1:] if name else ():
            alias = _read_name(values.get(path))
            is_same = path[:-1] == paths[0][:-1] or any(map(str.isdigit, alias))
            if alias and is_same and " " not in alias:
                yield alias, name


def _sort_paths(ranked_paths: Iterable[_RankedPath]) -> tuple[ValuePath, ...]:
    return tuple(path for _, path in sorted(ranked_paths, key=itemgetter(0)))


def _find_order(name: str, column: Sequence[Value]) -> str | None:
    """The order of days and months in a column of moments, empty where they are not in digits; None for no moments."""
    texts = [_get_string(value) for value in column]
    order = find_day_order(texts) if any(map(_NUMERIC_DAY.match, texts[:10])) else ""
    readable = sum(bool(text) and read_moment(name, text, order) is not None for text in texts)
    return order if readable >= _MIN_READABLE_SHARE * len(column) else None


def _get_string(value: Value) -> str:
    """A text without the blanks around it; empty for other values."""
    return value.strip() if isinstance(value, str) else ""


def _read_name(value: Value) -> str:
    """The name or telephone number of a person; empty for other numbers, addresses and long texts."""
    if not isinstance(value, str):
        return ""
    name = " ".join(format_value("", value).split())
    is_name = 0 < len(name) <= _MAX_NAME_LENGTH and "://" not in name and _NAME_OR_NUMBER.search(name)
    return name if is_name else ""


def _read_title(path: ValuePath, value: Value) -> str:
    """A title; empty for ids and for texts that are long or have several lines."""
    title = read_text(value)
    if not title or len(title) > MAX_HEADING_LENGTH or "\n" in title or not re.search(r"[^\W_]", title):
        return ""
    if MARKUP.search(title):
        title = re.sub(r"<[^>]*>", "", title)
    is_id = path[-1].lower() in ("name", "label") and _ID.fullmatch(title)
    return "" if is_id or title.lower() in ("null", "none", "undefined") else title


def _has_measures(sample: Sequence[Values]) -> bool:
    """Whether most records have a decimal number that is no coordinate: a measurement or a price."""
    counts = Counter(
        path
        for values in sample
        for path, value in values.items()
        if isinstance(value, str) and _DECIMAL.fullmatch(value) and not any(map(_COORDINATE_NAME.search, path))
        if rank_moment_name(path[-1]) is None
    )
    return any(count >= _MIN_SHARE * len(sample) for count in counts.values())


def _count_words(text: str) -> float:
    """The words of a text, two characters of Chinese, Japanese or Korean being one."""
    return len(text.split()) + len(_CHINESE.findall(text)) / 2


@lru_cache(10_000)
def _normalize_last(path: ValuePath) -> str:
    """The last name of a path that is not generic, in small letters, without marks."""
    names = [name for name in map(normalize_name, path) if name not in RECORD_NAMES["generic"]]
    return names[-1] if names else ""


def _is_name_of(path: ValuePath, kind: str) -> bool:
    """Whether the last name of a path is one of a kind of `RECORD_NAMES`."""
    return _normalize_last(path) in RECORD_NAMES[kind]
