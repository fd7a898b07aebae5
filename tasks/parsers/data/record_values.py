"""Values of records: texts, moments, and the title, authors and days of a file.

A moment is shown and dated by the local time of its writer: as it is written, else in the time zone that its record
names ("timeZone": "Europe/Amsterdam"), else in UTC, in which programs count seconds. That time decides the day.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_tz
from functools import cache, lru_cache
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from tasks.parsers.assembly import MAX_HEADING_LENGTH
from tasks.parsers.mail.moments import find_day
from tasks.parsers.written_dates import MONTHS, make_date, parse_whole_date
from warehouse.records import DateClaim, DateOrigin
from warehouse.records.calendars import DAY

_MAX_DAY_LENGTH = 60  # Characters of a value that is a day, with hour and zone.
_TITLE_NAMES = ("title", "headline", "subject", "name", "summary", "label", "head", "heading", "question")
_PUBLICATION_NAMES = ("date", "published", "pubdate", "publicationdate", "datepublished", "issued", "day")
_CHANGE_NAMES = (
    *("created", "creationdate", "createddate", "creationtime", "createdtime", "createdtimestamp", "datetime"),
    *("timestamp", "time", "ts", "updated", "modified", "lastmodified", "sent"),
    *("start", "starttime", "startdate", "begin", "when"),
)
"""Names of the days of a record, in small letters normalized by `_normalize_name`, in falling order of reliability."""
_AUTHOR_NAMES = ("author", "authors", "creator", "byline", "by")
_UNITS = r"(?:s|ms|us|usec|msec|sec|utc|unix|unixtime|epoch)"
_MOMENT_SUFFIX = re.compile(rf"(?:at|(?<=time|date){_UNITS}|(?<=stamp){_UNITS})$")
"""Ends of names that state the format of a moment."""
RECORD_NAMES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("record_names.toml").read_text(encoding="utf-8"))
"""The names that applications give to values, by kind, from the file."""
_NAME_WORDS: dict[str, frozenset[str]] = {kind: frozenset(words) for kind, words in RECORD_NAMES["words"].items()}
_MOMENT_KINDS = ("times", "publishing", "own", "making", "changing")
_MAX_NAMES = 10_000  # Names in the cache; records by ids have any number of names.
_NAME_SEPARATOR = re.compile(r"[\s_.:-]")
_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\u3400-\u9fff]+")
_SECONDS = re.compile(r"(\d{9,10}|\d{12,13}|\d{15,17}|\d{19})(?:\.(\d+))?")
_SINCE_1601 = 11_644_473_600
"""Seconds from 1601, from which Chrome counts, to 1970."""
_MIN_YEAR, _MAX_YEAR = 1980, 2100
_MIN_WRITTEN_YEAR = 1700
_ISO_DAY = re.compile(r"(\d{4})(-?)(\d{2})\2(\d{2})(?![\d-])")
_ISO = re.compile(
    r"(\d{4})(-?)(\d{2})\2(\d{2})(?:(?:T|\s+)(\d{2}):?(\d{2})(?::?(\d{2}))?(?:[.,]\d+)?)?"
    r"\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?(?:\[[\w/+-]+\])?"
)
_C_TIME = re.compile(
    r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}:\d{2}:\d{2}) (?:(\+\d{4}|[A-Z]{3,4}) )?(\d{4})"
)
"""A moment as the C library writes it: "Fri Mar 12 10:00:00 +0000 2021"."""
_HOUR = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?!\d)(?::\d{2}(?:[.,]\d+)?)?\s*(?:([ap])\.?\s?m\b)?", re.IGNORECASE)
_ZERO_OFFSET = re.compile(r"Z|UTC|GMT|[+-]00:?(?:00)?")
_MISDECODED_CHARACTER = re.compile(r"[\xc2-\xf4][\x80-\xbf]")
"""Two characters of Latin-1 that are one of UTF-8: some programs write the bytes of a text as its characters."""
_ESCAPE = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
_MAX_DEPTH = 6  # Records inside of one another whose values are read.
_LABEL_NAMES = ("label", "name", "key")
_MAX_NESTED_RECORDS = 3  # Records of a list that are read as parts of its record.
_MIN_ID_SHARE = 0.5  # The share of the names of records that have digits where they are ids.
MARKUP = re.compile(r"</[a-z][a-z0-9]*\s*>|<br\s*/?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Record:
    """Named values in the order of the file; a name may be repeated."""

    fields: Sequence[tuple[str, Value]]


Value = str | bool | None | Record | list["Value"]
"""A value: a text (a number as it was written), true or false, nothing, a record, or a list of values."""
Scalar = str | bool | None
ValuePath = tuple[str, ...]
"""The names that lead to a value from a record through the records inside of it."""


@dataclass(frozen=True, slots=True)
class RecordMoment:
    """When a record was written, in its local time; `is_utc`: whether that is UTC instead of the time of a place."""

    local: datetime
    has_hour: bool = True
    is_utc: bool = False

    def convert_to(self, zone: str) -> RecordMoment:
        """The moment in a time zone of this name; unchanged where it is in local time or the zone is unknown."""
        time_zone = _find_zone(zone) if self.is_utc and self.has_hour else None
        if time_zone is None:
            return self
        return RecordMoment(self.local.replace(tzinfo=UTC).astimezone(time_zone).replace(tzinfo=None))


@cache
def _find_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def split_name(name: str) -> list[str]:
    """The words of a name in small letters: "createdAt" and "created_at" are "created" and "at"."""
    return [word.lower() for word in _NAME_WORD.findall(name)]


@lru_cache(_MAX_NAMES)
def rank_moment_name(name: str) -> int | None:
    """The rank of a name as that of the time of writing, the lowest being the surest; None for other names.

    0: date or publication, 1: creation or sending, 2: an unspecified time, 3: change or receipt.
    """
    words = split_name(name)
    if not _is_moment_name(name) or _NAME_WORDS["other_times"] & set(words):
        return None
    if (_NAME_WORDS["publishing"] | _NAME_WORDS["own"]) & set(words) or words in (["date"], ["day"]):
        return 0
    if _NAME_WORDS["changing"] & set(words):
        return 3
    is_of_creation = _NAME_WORDS["making"] & set(words) or any(word.startswith(("creat", "original")) for word in words)
    return 1 if is_of_creation else 2


def is_name_of_publishing(name: str) -> bool:
    """Whether a name is that of a publication."""
    return not _NAME_WORDS["publishing"].isdisjoint(split_name(name))


@lru_cache(_MAX_NAMES)
def _is_moment_name(name: str) -> bool:
    """Whether a name is one of moments."""
    all_words = split_name(name)
    words = [word for word in all_words if word not in _NAME_WORDS["units"]] or all_words
    if not words:
        return False
    last_word = words[-1]
    if last_word in ("at", "on"):
        return len(words) > 1
    moment_words = {word for kind in _MOMENT_KINDS for word in _NAME_WORDS[kind]}
    is_dated = words[0] in ("date", "time", "timestamp") and len(words) > 1
    return is_dated or last_word in moment_words or last_word.endswith(("time", "date", "timestamp", "时间", "日期"))


def format_value(name: str, value: Scalar) -> str:
    """A value as a text; seconds since 1970, where the name is that of a time, as the moment in UTC."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value.strip()
    if (moment := _C_TIME.fullmatch(text)) is not None:
        return " ".join(filter(None, (f"{moment[1]} {moment[2]}, {moment[5]} {moment[3]}", moment[4])))
    if text[:1].isdigit() and _SECONDS.fullmatch(text) and _is_moment_name(name):
        utc_time = _read_seconds(text)
        return utc_time.strftime("%Y-%m-%d %H:%M:%S") if utc_time else text
    return repair_encoding(text)


def repair_encoding(text: str) -> str:
    """A text decoded again where its characters are the bytes of UTF-8, as some programs write it; else unchanged."""
    if _MISDECODED_CHARACTER.search(text):
        with suppress(UnicodeError):
            return text.encode("latin-1").decode()
    return text


def clean_text(text: str) -> str:
    """A text without the escapes of web pages, unless it has markup."""
    if "&" in text and not MARKUP.search(text):
        text = _ESCAPE.sub(lambda match: unescape(match[0]), text)
    return text.replace("\r\n", "\n").strip()


def _read_seconds(text: str) -> datetime | None:
    """Seconds since 1970, thousandths, millionths or billionths of them, or millionths since 1601, as a moment in UTC.

    None for a year before 1980 or after 2099.
    """
    number, digits = float(text), len(text.partition(".")[0])
    seconds = number / (1 if digits <= 10 else 10**3 if digits <= 13 else 10**6 if digits <= 17 else 10**9)
    if digits == 17:
        seconds -= _SINCE_1601
    moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)  # noqa: DTZ001  (UTC by definition)
    return moment if _MIN_YEAR <= moment.year < _MAX_YEAR else None


def read_moment(name: str, text: str, order: str = "") -> RecordMoment | None:
    """The moment in a value of this name; `order` is that of days and months in digits (`written_dates`)."""
    text = text.strip()
    if not text or len(text) > _MAX_DAY_LENGTH:
        return None
    if _SECONDS.fullmatch(text):
        utc_time = _read_seconds(text) if _is_moment_name(name) else None
        if utc_time:
            return RecordMoment(utc_time, is_utc=True)
    if iso := _ISO.fullmatch(text):
        return _make_moment(make_date(int(iso[1]), int(iso[3]), int(iso[4])), iso[5], iso[6], iso[7], iso[8])
    if (c_time := _C_TIME.fullmatch(text)) and c_time[1].lower() in MONTHS:
        day = make_date(int(c_time[5]), MONTHS[c_time[1].lower()], int(c_time[2]))
        hour_text, minute, second = c_time[3].split(":")
        return _make_moment(day, hour_text, minute, second, c_time[4] or "UTC")
    if not any(map(str.isdigit, text)):
        return None
    days = parse_whole_date(text, order)
    if days and days[1] - days[0] != DAY:
        return None
    parts = None if days else parsedate_tz(text)
    moment_day = days[0] if days else make_date(*parts[:3]) if parts else find_day(text)[0]
    hour = _HOUR.search(text)
    if hour is None:
        return _make_moment(moment_day)
    number = int(hour[1]) % 12 + 12 * (hour[3].lower() == "p") if hour[3] else int(hour[1])
    return _make_moment(moment_day, str(number), hour[2], None, _ZERO_OFFSET.search(text, hour.end()) and "UTC")


def _make_moment(
    day: date | None,
    hour: str | None = None,
    minute: str | None = None,
    second: str | None = None,
    zone: str | None = None,
) -> RecordMoment | None:
    """The moment of these digits; None if there is no such day, or it is before 1700, which programs do not write."""
    if day is None or not _MIN_WRITTEN_YEAR <= day.year < _MAX_YEAR:
        return None
    clock = int(hour or 0), int(minute or 0), min(int(second or 0), 59)
    if clock[0] > 23 or clock[1] > 59:
        return RecordMoment(datetime(day.year, day.month, day.day), has_hour=False)  # noqa: DTZ001
    local = datetime(day.year, day.month, day.day, *clock)  # noqa: DTZ001  (local time of the writer)
    return RecordMoment(local, hour is not None, bool(zone and _ZERO_OFFSET.fullmatch(zone)))


def read_day(text: str) -> date | None:
    """The day that a value is or begins with: ISO 8601, as mail writes it (RFC 5322), or any whole date."""
    if (iso := _ISO_DAY.match(text)) is not None:
        return make_date(int(iso[1]), int(iso[3]), int(iso[4]))
    if len(text) > _MAX_DAY_LENGTH or not any(map(str.isdigit, text)):
        return None
    days = parse_whole_date(text)
    if days:
        return days[0] if days[1] - days[0] == DAY else None
    parts = parsedate_tz(text)
    return make_date(*parts[:3]) if parts and parts[0] >= _MIN_YEAR else None


def _find_titled_record(value: Value) -> Record:
    """The outermost record with a title, through records that contain only one; the given value if none has one."""
    current_value = value
    while isinstance(current_value, Record) and not find_record_title(current_value).text:
        inner = [field_value for _, field_value in current_value.fields if isinstance(field_value, Record)]
        current_value = inner[0] if len(inner) == 1 else None
    record = current_value if isinstance(current_value, Record) else value
    return record if isinstance(record, Record) else Record([])


def find_title(value: Value) -> str:
    """The title of a value, or nothing."""
    return find_record_title(_find_titled_record(value)).text


def find_authors(value: Value) -> list[str]:
    """The authors that a value names."""
    authors: list[str] = []
    for name, field_value in _find_titled_record(value).fields:
        people = field_value if isinstance(field_value, list) else [field_value]
        for person in people if name.lower() in _AUTHOR_NAMES else ():
            author = person if isinstance(person, str) else find_title(person)
            authors += [author] if 0 < len(author) <= MAX_HEADING_LENGTH else []
    return list(dict.fromkeys(authors))


def find_dates(value: Value) -> list[DateClaim]:
    """The days of publication that a value states, then those of creation or change."""
    record = _find_titled_record(value)
    claims = ((DateOrigin.PUBLICATION, _PUBLICATION_NAMES), (DateOrigin.PROPERTIES, _CHANGE_NAMES))
    days = ((origin, _find_day(record, names)) for origin, names in claims)
    return [DateClaim(day, origin) for origin, day in days if day]


def _find_day(record: Record, names: Sequence[str]) -> date | None:
    """The day of a record under the first of these names that has one."""
    days = {
        _normalize_name(name): day
        for name, value in reversed(record.fields)
        if _normalize_name(name) in names and isinstance(value, str) and (day := read_day(format_value(name, value)))
    }
    return next((days[name] for name in names if name in days), None)


def _normalize_name(name: str) -> str:
    """A name in small letters, without hyphens and the suffix of a moment: "created_at" is "created"."""
    return _MOMENT_SUFFIX.sub("", re.sub("[_-]", "", name).lower())


class RecordTitle(NamedTuple):
    """The title of a record, and its place among the fields; -1 where it has none."""

    place: int = -1
    text: str = ""


def find_record_title(record: Record) -> RecordTitle:
    """The title of a record."""
    titles = {
        name.lower(): RecordTitle(place, format_value(name, value))
        for place, (name, value) in reversed(list(enumerate(record.fields)))
        if isinstance(value, str) and 0 < len(value.strip()) <= MAX_HEADING_LENGTH and not MARKUP.search(value)
    }
    return next((titles[name] for name in _TITLE_NAMES if name in titles), RecordTitle())


def find_record_day(record: Record) -> date | None:
    """The day of a record."""
    return _find_day(record, (*_PUBLICATION_NAMES, *_CHANGE_NAMES))


def list_records(value: Value) -> list[Record]:
    """The records of a list, of a record that has them by ids, or a single record; none where there are other values.

    A record that contains only one is replaced by that one.
    """
    if isinstance(value, Record):
        values = [field_value for _, field_value in value.fields] if is_mapping(value) else [value]
    else:
        values = value if isinstance(value, list) else []
    records = [_unpack_record(item) for item in values if isinstance(item, Record)]
    return records if len(records) == len(values) else []


def _unpack_record(record: Record) -> Record:
    while len(record.fields) == 1 and isinstance(inner := record.fields[0][1], Record):
        record = inner
    return record


def is_mapping(record: Record) -> bool:
    """Whether a record has records by ids and not by names: most of these have digits."""
    values = [value for _, value in record.fields]
    if not values or not all(isinstance(item, Record) and len(item.fields) > 1 for item in values):
        return False
    return sum(any(map(str.isdigit, name)) for name, _ in record.fields) >= _MIN_ID_SHARE * len(values)


def iter_leaves(record: Record, outer: ValuePath = (), *, is_deep: bool = False) -> Iterator[tuple[ValuePath, Value]]:
    """The values of a record and of those inside of it with their paths.

    Lists are given as they are, except those of names and values and, with `is_deep`, those of a few records of
    different names.
    """
    for name, value in record.fields:
        path = (*outer, name)
        inner = [value] if isinstance(value, Record) and not is_mapping(value) else []
        if is_deep and isinstance(value, list) and 0 < len(value) <= _MAX_NESTED_RECORDS:
            inner = [item for item in value if isinstance(item, Record)]
            names = [key for record in inner for key, _ in record.fields]
            inner = inner if len(inner) == len(value) and len(set(names)) == len(names) else []
        pairs = _list_pairs(value) if isinstance(value, list) else []
        if pairs:
            yield from (((*path, label), leaf) for label, leaf in pairs)
        elif inner and len(outer) < _MAX_DEPTH:
            for record in inner:
                yield from iter_leaves(record, path, is_deep=is_deep)
        else:
            yield path, value


def _list_pairs(values: Sequence[Value]) -> list[tuple[str, Value]]:
    """The names and values of a list of them, `[{"label": "Comment", "value": "…"}, …]`; none for other lists."""
    pairs: list[tuple[str, Value]] = []
    for item in values:
        if not isinstance(item, Record) or len(item.fields) != 2:
            return []
        (first, label), (second, value) = item.fields
        if first not in _LABEL_NAMES or second != "value" or not isinstance(label, str) or not label:
            return []
        pairs.append((label, value))
    return pairs


@lru_cache(_MAX_NAMES)
def normalize_name(name: str) -> str:
    """A name in small letters without blanks and marks: "created_at" is "createdat"."""
    return _NAME_SEPARATOR.sub("", name).lower()
