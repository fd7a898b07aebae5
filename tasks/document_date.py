"""Date and title of a document, if content and file name disagree or give none.

A document without any evidence is undated: files are copied and checked out, so the time of a file says nothing about
its content. Notes, courses, books and messages speak of any time, so the first date in their text does not date them;
reports, which give the date of their period on the cover, and other texts are dated by it if there is no better
evidence. A log whose headings, or rows of a table, are days is dated by the newest of them that is not in the future:
it is as new as its last entry. So is a mailbox.

A claim that cannot be true is ignored: years before 1000 (programs write an unset date as year 1), years after the next
but one, days after tomorrow that a program or the running text gives, and properties that a program filled in by
default.

The names of daily, weekly, monthly, quarterly and yearly notes give their days:

parse_name_interval("journal/2025-10-14 - Tuesday.md")    # that day
parse_name_interval("2025-W43.md")                        # Monday 2025-10-20 up to, and without, 2025-10-27

Names in usual forms are read without settings. Others follow the formats that a vault's settings give in the tokens
of moment.js (https://momentjs.com/docs/#/displaying/format/), such as `YYYY/MM/DD-dddd`: those of Obsidian's daily
notes in `.obsidian/daily-notes.json`, and those of the plugin Periodic Notes in
`.obsidian/plugins/periodic-notes/data.json`. Weeks are those of ISO 8601, whatever Obsidian's language uses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any
from unicodedata import normalize

from tasks.faults import DISPUTED_DATE
from tasks.parsers.notes import VAULT
from tasks.parsers.written_dates import MONTH_WORD, compute_calendar_days, parse_entry_date, parse_whole_date
from tasks.temporal.tagger import tag
from warehouse.records import DateClaim, DateOrigin, Finding, Grain, Kind, Mention, TimexType
from warehouse.records.calendars import DAY, WEEK, Interval

_ORIGINS_BY_TRUST = tuple(DateOrigin)
_GRAINS = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF, Grain.YEAR)
_TRUSTED_ORIGINS = frozenset(DateOrigin) - {DateOrigin.FILE_TIME, DateOrigin.ROWS, DateOrigin.TEXT}
"""The origins of a document's own date; rows and texts have other dates as well."""
_MAX_DISPUTE = timedelta(days=730)
_FIRST_YEAR = 1000
_YEARS_AHEAD = 2
"""Issues and calendars have dates up to the year after next; a later date is an error or a subject."""
_PAST_ORIGINS = frozenset({DateOrigin.MESSAGE, DateOrigin.PROPERTIES, DateOrigin.TEXT})
"""Programs write the time of writing, and a text that mentions a future day was not written on that day."""
_ENTRY_ORIGINS = frozenset({DateOrigin.HEADING, DateOrigin.MESSAGE})
"""The origins that may give a document many days, one for each of its parts."""
_TIMELESS_KINDS = frozenset({Kind.NOTE, Kind.COURSE, Kind.MESSAGE, Kind.BOOK})
_FIRST_PROPERTIES_YEAR = 1985
_PROGRAM_DEFAULTS = frozenset({date(2000, 1, 1), date(2013, 12, 23)})
"""The defaults of reportlab and python-docx."""
_HOUR_IN_NAME = r"(?:(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9])?)"
_COMPACT_DAY = re.compile(
    rf"(?<![0-9])((?:19|20)[0-9]{{2}})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?:T?{_HOUR_IN_NAME})?(?![0-9])"
)
_DAY_IN_NAME = r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_STAMPED_NAME = re.compile(rf"\A{_DAY_IN_NAME}T?{_HOUR_IN_NAME}[\s_-]+(?P<title>\S.*?)(?:__[^\W_]\w*)?\Z")
_HASH_SUFFIX = re.compile(r"(?<=\S)\s[0-9a-f]{32}\Z")
"""Parts of the names of notes that programs add: a time as id, tags after `__`, 32 hexadecimal digits."""
_SEPARATED_DAY = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})([_ .])(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?![0-9])")
_NAME_SEPARATORS = re.compile(r"[_\s]+")
_WORD_SEPARATORS = re.compile(r"(?<=[^\W\d_])-|-(?=[^\W\d_])|_+|\s+")


def choose_date(
    claims: Iterable[DateClaim],
    name: str,
    kind: Kind,
    name_days: Interval | None = None,
    today: date | None = None,
    folder: str = "",
) -> DateClaim | None:
    """The most trusted claim that can be true, in the order of `DateOrigin`; the first among equals; None if undated.

    A date in the file's name is added to the claims of the content: the last day of a year, quarter or month, unless
    the text has a day of that period ("10k-2023", "for the fiscal year ended June 30, 2023"). A note whose name is a
    date is of the first of those days, `name_days`. If there is no claim, the name of the `folder` may begin with it.
    `today` (UTC, by default) limits what can be true.
    """
    day = today or datetime.now(UTC).date()
    all_claims = [
        *claims,
        *find_name_claims(name, before=date(day.year, 12, 31)),
        *_iter_note_name_claims(kind, name_days),
    ]
    accepted = (claim for claim in all_claims if claim.origin is not DateOrigin.TEXT or kind not in _TIMELESS_KINDS)
    candidates = sorted((claim for claim in accepted if _is_possible(claim, day)), key=_rank)
    candidates = candidates or [claim for claim in _iter_folder_claims(folder) if _is_possible(claim, day)]
    if not candidates:
        return None
    choice, period = candidates[0], _find_mention(name)
    if choice.origin is DateOrigin.HEADING:
        name_claims = (claim for claim in candidates if claim.origin is DateOrigin.FILE_NAME)
        is_day = period is not None and _get_grain(period) is Grain.DAY
        return next(name_claims, choice) if is_day else _find_newest_entry(candidates, choice.origin, day)
    if choice.origin is DateOrigin.FILE_NAME and period and period.start_date and period.end_date:
        claims_in_period = [claim for claim in candidates[1:] if period.start_date <= claim.date < period.end_date]
        choice = next(iter(claims_in_period), choice)
        candidates = claims_in_period or candidates
    return _find_newest_entry(candidates, choice.origin, day) if choice.origin is DateOrigin.ROWS else choice


def select_named_days(kind: Kind, days: Interval | None) -> Interval | None:
    """The days in a name, if they date a document of this kind: a note, or a text named by a day or week.

    A text named by a month or a quarter is more often about it.
    """
    is_dated_by_name = kind is Kind.NOTE or (kind is Kind.TEXT and days is not None and days[1] - days[0] <= WEEK)
    return days if is_dated_by_name else None


def _iter_note_name_claims(kind: Kind, name_days: Interval | None) -> Iterator[DateClaim]:
    if days := select_named_days(kind, name_days):
        yield DateClaim(days[0], DateOrigin.NOTE_NAME)


def _iter_folder_claims(folder: str) -> Iterator[DateClaim]:
    """The day at the start of a folder's name: programs make a folder for each meeting."""
    if day := parse_entry_date(_COMPACT_DAY.sub(r"\1-\2-\3 ", folder)):
        yield DateClaim(day, DateOrigin.FILE_NAME)


def _find_newest_entry(claims: Iterable[DateClaim], origin: DateOrigin, today: date) -> DateClaim:
    """The last day of an entry or row that is not after tomorrow, else the first day, as all of them are then plans."""
    entries = sorted(claim.date for claim in claims if claim.origin is origin)
    past_days = [day for day in entries if day <= today + DAY]
    return DateClaim(past_days[-1] if past_days else entries[0], origin)


def _is_possible(claim: DateClaim, today: date) -> bool:
    """Whether a document that is read today can have that date. In other time zones it may be tomorrow."""
    last_day = today + DAY if claim.origin in _PAST_ORIGINS else date(today.year + _YEARS_AHEAD, 12, 31)
    return claim.date.year >= _FIRST_YEAR and claim.date <= last_day and not _is_default(claim)


def find_date_disputes(claims: Iterable[DateClaim], name: str, choice: DateClaim | None) -> tuple[Finding, ...]:
    """DOC015 if the date chosen for a document and another trustworthy claim are more than two years apart.

    One finding for each such source, with its claim nearest to the chosen date; also for claims that were ignored,
    even if none was left. Dates in the text do not count, as texts speak of other times; nor do properties with a later
    day than a more trusted date, as they date the file, and files are made again; nor the headings of a log or a daily
    note, which are days of entries; nor is there a finding for a date that a person corrected.
    """
    claims = tuple(claims)
    if choice is not None and choice.origin is DateOrigin.CORRECTED:
        return ()
    if choice is None:
        refusals = {claim.origin: claim for claim in (*claims, *find_name_claims(name, before=date.min))}
        strong = (claim for claim in refusals.values() if claim.origin in _TRUSTED_ORIGINS and not _is_default(claim))
        message = "the document is undated: {} cannot be its own"
        return tuple(
            DISPUTED_DATE.make_finding(message.format(_format_claim(claim))) for claim in sorted(strong, key=_rank)
        )
    nearest: dict[DateOrigin, DateClaim] = {}
    headings = {claim.date for claim in claims if claim.origin is DateOrigin.HEADING}
    is_log = len(headings) > 1 or choice.origin is DateOrigin.NOTE_NAME
    entry_days = {claim.date for claim in claims if claim.origin is choice.origin in _ENTRY_ORIGINS} or {choice.date}
    for claim in (*claims, *find_name_claims(name, before=choice.date)):
        is_entry = is_log and claim.origin is DateOrigin.HEADING
        is_other = claim.origin in _TRUSTED_ORIGINS and claim.origin is not choice.origin and not is_entry
        is_later = claim.date > choice.date and _rank(choice) < _rank(claim)
        is_made_anew = claim.origin is DateOrigin.PROPERTIES and is_later
        if is_other and not _is_default(claim) and not is_made_anew:
            previous = nearest.get(claim.origin, claim)
            nearest[claim.origin] = min(previous, claim, key=lambda either: abs(either.date - choice.date))
    findings = []
    for claim in sorted(nearest.values(), key=_rank):
        contrast = (
            f"since {_format_claim(claim)}, which cannot be its own"
            if _rank(claim) < _rank(choice)
            else f"but {_format_claim(claim)}"
        )
        if min(abs(claim.date - day) for day in entry_days) > _MAX_DISPUTE:
            findings.append(DISPUTED_DATE.make_finding(f"{_format_claim(choice)} is taken, {contrast}"))
    return tuple(findings)


def _format_claim(claim: DateClaim) -> str:
    return f"{claim.date.isoformat()} ({claim.origin})"


def _rank(claim: DateClaim) -> int:
    return _ORIGINS_BY_TRUST.index(claim.origin)


def _is_default(claim: DateClaim) -> bool:
    """Whether a program chose it and no person: a default, or a day before such files existed."""
    is_unset = claim.date.year < _FIRST_PROPERTIES_YEAR or claim.date in _PROGRAM_DEFAULTS
    return claim.origin is DateOrigin.PROPERTIES and is_unset


def _find_mention(name: str) -> Mention | None:
    stem = PurePosixPath(name).stem
    spaced = _NAME_SEPARATORS.sub(" ", _SEPARATED_DAY.sub(r" \1-\3-\4 ", _COMPACT_DAY.sub(r" \1-\2-\3 ", stem)))
    dates = [mention for mention in tag(spaced, None, "und") if mention.end_date and not mention.relative]
    ranked = [(_GRAINS.index(grain), mention) for mention in dates if (grain := _get_grain(mention)) in _GRAINS]
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _get_grain(mention: Mention) -> Grain | None:
    """The grain of a mention; a time of day counts as its day."""
    return Grain.DAY if mention.type is TimexType.TIME else mention.grain


def choose_title(own_title: str, name: str) -> str:
    """The content's own title, else the file's name without its suffix, with spaces for its joints."""
    stem = PurePosixPath(name).stem
    clean_name = _HASH_SUFFIX.sub("", _STAMPED_NAME.sub(r"\g<title>", stem))
    return " ".join(own_title.split()) or _WORD_SEPARATORS.sub(" ", clean_name).strip() or stem


def find_name_claims(name: str, before: date = date.max) -> Iterator[DateClaim]:
    """The date in a file's name, if any; a year alone after `before` may be a subject (Agenda 2030) and is none."""
    mention = _find_mention(name)
    if mention is None or mention.end_date is None:
        return
    day = mention.start_date if _get_grain(mention) is Grain.DAY else mention.end_date - DAY
    if day is not None and (day <= before or mention.grain is not Grain.YEAR):
        yield DateClaim(day, DateOrigin.FILE_NAME)


_NAME_FORMATS = {
    "day": "YYYY-MM-DD",
    "week": "gggg-[W]ww",
    "month": "YYYY-MM",
    "quarter": "YYYY-[Q]Q",
    "year": "YYYY",
}
_PLUGIN_NAMES = {"day": "daily", "week": "weekly", "month": "monthly", "quarter": "quarterly", "year": "yearly"}
"""The plugin's names of the periods up to version 0; later it has `calendarSets` with the shorter names."""
_MAX_DAYS = timedelta(days=100)
"""A year alone may be a title (1984) and names a yearly note only if the settings say so."""
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
            yield NameFormat(normalize("NFC", folder), make_name_pattern(form[:_MAX_FORMAT] or _NAME_FORMATS[period]))


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
