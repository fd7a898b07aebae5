"""The days in the names of daily, weekly, monthly, quarterly and yearly notes.

name_interval("journal/2025-10-14 - Tuesday.md")    # that day
name_interval("2025-W43.md")                        # Monday 2025-10-20 up to, and without, 2025-10-27

Names in usual forms are read without settings. Others follow the formats that a vault's settings give in the tokens
of moment.js (https://momentjs.com/docs/#/displaying/format/), such as `YYYY/MM/DD-dddd`: those of Obsidian's daily
notes in `.obsidian/daily-notes.json`, and those of the plugin Periodic Notes in
`.obsidian/plugins/periodic-notes/data.json`. Weeks are those of ISO 8601, whatever Obsidian's language uses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any
from unicodedata import normalize

from tasks.parsers.written_dates import MONTH_WORD, compute_calendar_days, parse_whole_date
from warehouse.records.fiscal import Interval

VAULT = ".obsidian"
"""The folder that marks an Obsidian vault and has its settings."""
_DEFAULTS = {
    "day": "YYYY-MM-DD",
    "week": "gggg-[W]ww",
    "month": "YYYY-MM",
    "quarter": "YYYY-[Q]Q",
    "year": "YYYY",
}
_PLUGIN_NAMES = {"day": "daily", "week": "weekly", "month": "monthly", "quarter": "quarterly", "year": "yearly"}
"""The plugin's names of the periods up to version 0; later it has `calendarSets` with the shorter names."""
_MAX_DAYS = timedelta(days=100)
"""A bare year may be a title (1984) and names a yearly note only if the settings say so."""
_MAX_FORMAT = 200
_HOUR_AT_END = re.compile(
    r"\A((?:19|20)\d\d([-_.]?)\d\d\2\d\d)[T ._-]{0,3}"
    r"(?:[01]\d|2[0-3])[.:h_-]?[0-5]\d(?:[.:_-]?[0-5]\d)?(?:[+-]\d{4}\w{0,5}|Z)?\Z"
)
"""A day and an hour, in names that programs give to logs and notes: "2021-03-12.140511+0100CET", "202103121405"."""
_ORDINAL = r"(?:st|nd|rd|th|日|周|月)?"
_WORD = r"[^\W\d_]+\.?"
_TOKENS = {
    "YYYY": r"(?P<y>\d{4})",
    "YY": r"(?P<y>\d{2})",
    "gggg": r"(?P<g>\d{4})",
    "GGGG": r"(?P<g>\d{4})",
    "MMMM": rf"(?:(?P<name>{MONTH_WORD})|(?P<m>[一二三四五六七八九十\d]{{1,2}})月|{_WORD})",
    "MMM": rf"(?:(?P<name>{MONTH_WORD})\.?|(?P<m>\d{{1,2}})月|{_WORD})",
    "MM": r"(?P<m>\d{2})",
    "Mo": rf"(?P<m>\d{{1,2}}){_ORDINAL}",
    "M": r"(?P<m>\d{1,2})",
    "DDDD": r"(?P<nth>\d{3})",
    "DDD": r"(?P<nth>\d{1,3})",
    "DD": r"(?P<d>\d{2})",
    "Do": rf"(?P<d>\d{{1,2}}){_ORDINAL}",
    "D": r"(?P<d>\d{1,2})",
    "dddd": _WORD,
    "ddd": _WORD,
    "dd": _WORD,
    "d": r"\d",
    "E": r"(?P<weekday>[1-7])",
    "e": r"\d",
    "ww": r"(?P<w>\d{2})",
    "WW": r"(?P<w>\d{2})",
    "wo": rf"(?P<w>\d{{1,2}}){_ORDINAL}",
    "Wo": rf"(?P<w>\d{{1,2}}){_ORDINAL}",
    "w": r"(?P<w>\d{1,2})",
    "W": r"(?P<w>\d{1,2})",
    "Q": r"(?P<q>[1-4])",
    **dict.fromkeys(("HH", "H", "hh", "h", "mm", "m", "ss", "s"), r"\d{1,2}"),
    **dict.fromkeys(("A", "a"), _WORD),
}
_TOKEN = re.compile(r"\[(?P<literal>[^\]]*)\]|" + "|".join(sorted(_TOKENS, key=len, reverse=True)) + "|.", re.DOTALL)
_GROUP = re.compile(r"\?P<(\w+)>")


@dataclass(frozen=True, slots=True)
class NameFormat:
    """Names of notes in `folder` of a vault, or anywhere in it if that is empty, that `pattern` matches whole."""

    folder: str
    pattern: re.Pattern[str]


def parse_name_interval(path: str, formats: tuple[NameFormat, ...] = ()) -> Interval | None:
    """The half-open days in the name of a note; None if the name is anything but a date.

    `path` is relative to the vault, or the name alone; `formats` are those of its settings, which are tried first.
    """
    place = PurePosixPath(normalize("NFC", path))
    path_in_vault = place.with_suffix("").as_posix() if place.name else ""
    for name_format in formats:
        inner = path_in_vault.removeprefix(f"{name_format.folder}/") if name_format.folder else path_in_vault
        match = name_format.pattern.fullmatch(inner) if inner != path_in_vault or not name_format.folder else None
        if match and (days := _to_days(match.groupdict())):
            return days
    stem = _HOUR_AT_END.sub(r"\1", place.stem)
    days = parse_whole_date(stem.replace("_", "-")) or parse_whole_date("/".join(path_in_vault.split("/")[-3:]))
    return days if days and days[1] - days[0] < _MAX_DAYS else None


def make_note_namer(folder: Path) -> Callable[[str], Interval | None]:
    """`parse_name_interval` for paths relative to a folder, with the settings of the vaults in or above it.

    The settings of a vault are read once, so a namer is made for each run.
    """

    @cache
    def find_vault(place: Path) -> Path | None:
        if (place / VAULT).is_dir():
            return place
        return find_vault(place.parent) if place != place.parent else None

    formats = cache(lambda vault: tuple(_read_formats(vault)))

    def read_interval(path: str) -> Interval | None:
        note = folder.absolute() / path
        vault = find_vault(note.parent)
        return (
            parse_name_interval(note.relative_to(vault).as_posix(), formats(vault))
            if vault
            else parse_name_interval(path)
        )

    return read_interval


def _read_formats(vault: Path) -> Iterator[NameFormat]:
    daily = _read_settings(vault / VAULT / "daily-notes.json")
    plugin = _read_settings(vault / VAULT / "plugins" / "periodic-notes" / "data.json")
    sets = plugin.get("calendarSets")
    tables = [plugin, *(item for item in (sets if isinstance(sets, list) else ()) if isinstance(item, dict))]
    pairs = [("day", daily)] if daily else []
    for period, name in _PLUGIN_NAMES.items():
        pairs += [(period, item) for table in tables for item in (table.get(name), table.get(period)) if item]
    for period, item in pairs:
        if isinstance(item, dict) and item.get("enabled", True):
            form, folder = (str(item.get(key) or "").strip().strip("/") for key in ("format", "folder"))
            yield NameFormat(normalize("NFC", folder), make_name_pattern(form[:_MAX_FORMAT] or _DEFAULTS[period]))


def _read_settings(file: Path) -> Mapping[str, Any]:
    """The settings of a file; none if it is missing or no JSON object."""
    try:
        content = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def make_name_pattern(form: str) -> re.Pattern[str]:
    """A pattern for names in a format of moment.js; of a repeated token the first one is read.

    A format without folders matches the last part of a path, in any folder.
    """
    group_names: set[str] = set()

    def drop_repeated(match: re.Match[str]) -> str:
        is_new = match[1] not in group_names
        group_names.add(match[1])
        return match[0] if is_new else "?:"

    def replace_token(match: re.Match[str]) -> str:
        if match["literal"] is not None:
            return re.escape(match["literal"])
        return _GROUP.sub(drop_repeated, _TOKENS[match[0]]) if match[0] in _TOKENS else re.escape(match[0])

    return re.compile(rf"(?:.*/)?{_TOKEN.sub(replace_token, normalize('NFC', form))}", re.IGNORECASE)


def _to_days(parts: dict[str, str | None]) -> Interval | None:
    year = parts.get("g") or parts.get("y")
    if year is None:
        return None
    return compute_calendar_days({**parts, "y": year if len(year) == 4 else f"20{year}"})
