"""Written dates of documents and entries: date headings, and the order of day and month.

Entries of diaries and logs begin with a date, on a separate line or at the beginning of a heading or line (its head).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum
from functools import cache
from itertools import pairwise
from pathlib import Path

from warehouse.records.calendars import DAY, WEEK, Interval, add_months

DAY_FIRST = "day first"
MONTH_FIRST = "month first"
ASSUMED_DAY_FIRST = "day first (assumed)"
BY_COMMAS = f"{DAY_FIRST}, as decimals are written with commas"
_NUMERIC_DATE = re.compile(r"(?<![\d/.-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|(?<=/)\d{2})(?!\d|[-/.]\d)")
_DATED_LINE = re.compile(r"^(?:\| |[^\S\n]*)[\[(<\u200e]*\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})\b", re.MULTILINE)
_ISO_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_MAX_DATE_LENGTH = 80  # Characters at the beginning of a line in which a date is read.
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
CALENDAR_WORDS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("calendar_words.toml").read_text(encoding="utf-8")
)
"""The months and weekdays of European languages, from the file."""


def _list_full_names(kind: str) -> list[list[str]]:
    """The names of months or weekdays of each language, without short forms, which are words of other languages."""
    return [[line.partition(",")[0] for line in words[kind]] for words in CALENDAR_WORDS.values()]


_EUROPEAN_MONTHS = {name: number for names in _list_full_names("months") for number, name in enumerate(names, 1)}
MONTH_WORD = (
    rf"(?:{'|'.join(sorted(_EUROPEAN_MONTHS, key=len, reverse=True))}|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?"
    r"|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![^\W\d_])"
)
_MONTH_NAME = rf"(?P<name>{MONTH_WORD})\.?"
_WEEKDAY = (
    r"(?:(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
    rf"|{'|'.join(name for names in _list_full_names('weekdays') for name in names)})\b\.?"
    r"|(?:星期|周|週|礼拜|禮拜)[一二三四五六日天])"
)
_PREPOSITION = r"(?:(?:of|de|del)\s+)?"
_ORDINAL_SUFFIX = r"(?:st|nd|rd|th|er|[eº°ª])?"
_ARTICLE = r"(?:(?:den|dem|le|el|il)\s+)?"  # Dienstag, den 4. Mai; le 4 mai.
_NUMERALS = "〇零一二三四五六七八九十"
_YEAR = rf"(?P<y>\d{{4}}|[{_NUMERALS[:-1]}]{{4}})\s*年\s*"
_YEAR_DIGITS = re.compile(rf"\d\d|[{_NUMERALS[:-1]}]{{4}}")
"""What the year of each form below has."""
_SMALL_NUMBER = rf"\d{{1,2}}|[{_NUMERALS[2:]}]{{1,3}}"
_WEEK = r"(?:week|wk\.?|kw)[\s-]*(?P<w>\d{1,2})"
_HOUR = r"\d{1,2}[:.]\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s*[ap]\.?\s?m\b\.?)?"
_ZONED = r"\s?(?:(?-i:UTC|GMT|MES?Z|[A-Z]{1,4}T|(?:[A-Z]\w+ ){1,2}Time)(?:[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{2}:?\d{2})\b"
_CLOCK = rf"(?:(?:T|,?\s+(?:(?:at|à|um|om|klo?\.?|às|alle|a las|[/•])\s+)?){_HOUR}(?:Z\b|{_ZONED}|\s?[-–]\s?{_HOUR})?)"
_REPEATER = r"(?:\s+(?:[.+]?\+|--?)\d{1,4}[hdwmy](?:/\d{1,4}[hdwmy])?)"
"""The repetition and the warning period of a time of Org mode: `+1w`, `.+2d/4d`, `-3d`."""
_LOGGED_TIME = r"\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:\s+[A-Z]{3,4})?"
_NUMERIC_DAYS = (
    r"(?P<y>\d{4})(?P<mark>[-/.])(?P<m>\d{1,2})(?P=mark)(?P<d>\d{1,2})",
    rf"(?P<a>\d{{1,2}})(?P<mark>[-/.])(?P<b>\d{{1,2}})(?P=mark)(?P<y>\d{{4}}|(?<=/)\d{{2}}|\d{{2}}(?={_CLOCK}))",
    rf"{_YEAR}(?P<m>{_SMALL_NUMBER})\s*月\s*(?P<d>{_SMALL_NUMBER})\s*[日号號]?",
    rf"{_MONTH_NAME}\s+(?P<d>\d{{1,2}})\s+{_LOGGED_TIME}\s+(?P<y>\d{{4}})",
)
_DAYS = (
    rf"(?P<d>\d{{1,2}}){_ORDINAL_SUFFIX}[\s.-]+{_PREPOSITION}{_MONTH_NAME},?[\s-]+{_PREPOSITION}(?P<y>\d{{4}})",
    rf"{_MONTH_NAME}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})",
    rf"(?P<y>\d{{4}})[\s-]+{_MONTH_NAME}[\s-]+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?",
    r"(?P<y>\d{4})-?W(?P<w>\d{2})-(?P<weekday>[1-7])",
    r"(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})",
)
_WEEKS = (
    r"(?P<y>\d{4})[\s-]*W(?P<w>\d{1,2})",
    r"W(?P<w>\d{1,2})(?:\s*[,/-]\s*|\s+)(?P<y>\d{4})",
    rf"(?P<y>\d{{4}})[\s,-]+{_WEEK}",
    rf"{_WEEK}(?:\s*[,/–-]\s*|\s+(?:of\s+)?)(?P<y>\d{{4}})",
    rf"{_YEAR}第?\s*(?P<w>{_SMALL_NUMBER})\s*[周週]",
)
_MONTHS = (
    rf"(?P<y>\d{{4}})-(?P<m>\d{{2}})[\s-]+{MONTH_WORD}\.?",
    r"(?P<y>\d{4})[-/](?P<m>\d{1,2})",
    r"(?P<m>\d{1,2})/(?P<y>\d{4})",
    rf"{_MONTH_NAME},?[\s-]+{_PREPOSITION}(?P<y>\d{{4}})",
    rf"(?P<y>\d{{4}})[\s-]+{_MONTH_NAME}",
    rf"{_YEAR}(?P<m>{_SMALL_NUMBER})\s*月份?",
)
_YEARS = (
    r"(?P<y>\d{4})[\s-]*Q(?P<q>[1-4])",
    r"Q(?P<q>[1-4])(?:\s*[,/-]\s*|\s+)(?P<y>\d{4})",
    rf"{_YEAR}第?\s*(?P<q>[1-4一二三四])\s*季度?",
    r"(?P<y>(?:19|20)\d{2})\s*年?",
)
_OPENING = r"[#\s*_\[(（【<@\u200e\u200f]*"  # Exports of chats begin lines with a mark of direction.
_CLOSERS = "*_])）】>"
_CLOSING = r"[\s*_\])）】>]*"
_CONNECTOR = rf"{_CLOSING}[-–—,，、/|·:：]?{_OPENING}"
_NOT_BEFORE_DATE = rf"(?![,，\s]*(?:\d{{1,4}}(?:[-/.]\d|[年\s])|(?:{MONTH_WORD})\.?\s+\d))"
_PREFIX = rf"(?P<open>{_OPENING})(?:{_WEEKDAY}{_CONNECTOR})?{_ARTICLE}"
_END = r"(?!\d|[-/.]\d{1,3}(?!\d))"
_SUFFIX = re.compile(
    rf"(?P<hour>{_CLOCK})?"
    rf"(?P<named>{_CONNECTOR}{_WEEKDAY}{_NOT_BEFORE_DATE}|\s[^\W\d_]{{1,9}}\.?(?=(?:{_CLOCK})?{_REPEATER}{{0,3}}[>\]]))?"
    rf"(?:{_CLOSING}{_CLOCK})?(?:{_REPEATER}{{1,3}}(?=[>\]]))?(?P<close>{_CLOSING})",
    re.IGNORECASE,
)
"""What may follow a date and belongs to it; all of it is optional."""
_RANGE = re.compile(r"(?:--|[-–—~～至到]|(?:to|until|through|till)\b)\s*", re.IGNORECASE)
MAX_ENTRY_LENGTH = timedelta(days=62)  # Of the range of an entry; longer ones are lifetimes or quarters.
_LINE_PREFIX = re.compile(r"\s*(?:[-*+•]\s+(?:\[.\]\s+)?|<\d{1,3}>\d{0,2}\s?)?")
"""The text before the date of a line: the mark of an item, the priority of a system's log."""
_SERVER_LOG_LINE = re.compile(
    rf"\S{{1,60}} \S{{1,60}} [^\[\n]{{1,60}}\[(?P<d>\d{{2}})/{_MONTH_NAME}/(?P<y>\d{{4}}):\d\d:\d\d:\d\d [+-]\d{{4}}\]",
    re.IGNORECASE,
)
"""The beginning of a line of a web server's log (Common Log Format)."""
_REMARK = re.compile(r"\s*\([^()\n]*\)[\s:：]*")
_SEPARATOR = re.compile(
    r"(?P<colon>[:：][*_]*)|(?P<dash>[*_]*(?:\s+(?:[-–—]+|[•·])\s|\s*—|\s+--?\s))|(?P<gap>\t[^\t]*\Z|\s{2,}[^\W\d_])"
)


class _Grain(IntEnum):
    """The grains of the date in a head, the finest first; those after `WEEK` are heads only without other text."""

    NUMERIC_DAY = 0
    DAY = 1
    WEEK = 2
    MONTH = 3
    YEAR = 4


@cache
def _compile_forms() -> tuple[tuple[_Grain, re.Pattern[str]], ...]:
    """Cached: compiling takes .05 s."""
    return tuple(
        (grain, re.compile(rf"{_PREFIX}{form}{_END}", re.IGNORECASE))
        for grain, forms in zip(_Grain, (_NUMERIC_DAYS, _DAYS, _WEEKS, _MONTHS, _YEARS), strict=True)
        for form in forms
    )


@dataclass(frozen=True, slots=True)
class _Head:
    """The days at the beginning of a line, and the text after them, from which closing brackets and bold are removed.

    `is_marked`: whether the date has a weekday, an hour, brackets or bold, and so is no part of a sentence.
    """

    days: Interval
    grain: _Grain
    remainder: str
    is_marked: bool

    @property
    def is_alone(self) -> bool:
        """Whether at most a colon follows."""
        return not self.remainder.strip(" \t:：*_")


_DOCUMENT = (
    "filing|report|reporting|document|invoice|bill|billing|statement|receipt|quote|quotation|offer|notice|memo(?:randum)?"
    "|certificate|agreement|contract|publication|issue|release|meeting|letter|submission|decision|session|hearing|inspection"
    "|minutes|order|print|as[ -]of"
)
_NAMED_DATE = (
    r"(?:(?:date|fecha|data) d(?:e(?: la|l(?:la)?)?|[aiou]|e l[’']|[’'])\s?(?:publication|facture|rapport|émission"
    r"|devis|relevé|réunion|séance|décision|contrat|reunión|sesión|contrato|riunione|seduta|contratto|reunião|sessão|assembleia"
    r"|courrier|lettre|commande|emisión|factura|publicación|informe|carta|recibo|pedido|emissione|fattura|pubblicazione"
    rf"|documento|ordine|emissão|publicação|fatura|relatório)|date of (?:the )?(?:{_DOCUMENT})|(?:{_DOCUMENT}) date"
    r"|(?:erscheinungs|ausgabe|ausstellungs|sitzungs|rechnungs|berichts|brief|angebots|beleg|bescheid|bestell|auftrags|druck"
    r"|publicatie|factuur|offerte|rapport|bestel|besprechungs|versammlungs|protokoll|vertrags|vergader)datum"
    r"|datum (?:de[rs]|van(?: de)?)?\s?(?:sitzung|besprechung|versammlung|protokolls|schreibens|vergadering|rapport)"
    r"|(?:会议|會議|报告|報告|签署|簽署|编制|編制|发文|發文|记录|記錄|撰写|撰寫)(?:日期|时间|時間)|開催日|作成日|発行日"
    r"|дата (?:заседания|собрания))"
)
_PUBLICATION_VERBS = (
    "(?:posted|issued|released|stand|printed|(?:aus)?gedruckt|imprimée?|impres[oa]|stampat[oa]|afgedrukt|veröffentlicht|erschienen"
    "|publiée?|publicad[oa]|pubblicat[oa]|gepubliceerd|发布(?:日期|时间|于)|出版日期)"
)
DATE_LABEL = re.compile(
    rf"\s*[*_]{{0,2}}(?:(?P<named>{_NAMED_DATE})|date(?:d| filed| issued| published)?"
    r"|(?:first )?published(?: online)?|filed|fecha|data|as (?:of|at)(?=\s*[:：])"
    r"|日期|时间|時間|日付|日時|datum|dato|дата|pvm|päivämäärä|tarih|ημερομηνία"
    rf"|{_PUBLICATION_VERBS}(?: on| am| le| el| il| em| op)?)"
    r"[*_]{0,2}(?:\s*[:：][*_]{0,2}\s*|\s+(?:on\s+)?|(?<=[期间于]))(?=\S)",
    re.IGNORECASE,
)
"""The label of a date on a line without other text; `named`: it names the document of the date."""
PUBLICATION_LEAD = re.compile(
    rf"\b(?:{_PUBLICATION_VERBS}|published|version|as (?:of|at))(?:[\s:：,(]|\b(?:on|of|am|vom|le|du|el|il|em|op))*\Z",
    re.IGNORECASE,
)
"""Words right before the day on which a text was written or printed, which is not its subject."""
INNER_DATE_LABEL = re.compile(
    rf"(?<=\S)\s+(?={_NAMED_DATE}[*_]{{0,2}}\s*[:：])|(?<=[,;|])\s+(?=(?:date|datum|fecha|data)\s?[:：])", re.IGNORECASE
)
"""The gap before a date in the second column of a letter's head, after the words or the mark that end the first."""
_SIGNATURE = re.compile(r"\s?-- [^<>\n]{1,80}<[^<>\n]{1,80}>  (?=\S)")
"""The text before the date that ends an entry of a Debian changelog (deb-changelog(5))."""
_ZONE = re.compile(r"\s[+-]\d{4}\s*\Z")
_CLOSING_DATE = re.compile(
    r"[(\[（](?P<day>[^()\[\]（）]{6,40})[)\]）][*_:：]*\s*\Z|(?<!:)\s(?P<iso>\d{4}-\d{2}-\d{2})[*_:：]*\s*\Z"
)


def find_day_order(headings: Iterable[str], text: str = "") -> str:
    """The order of the numeric dates of a file, in the words of `Attributes.day_order`.

    A number over 12 decides, first in the headings and then anywhere in the `text`; else the headings, or the lines
    that begin with a date if they are in order of time in only one reading. Else the day is assumed first. Empty if
    there is no numeric date.
    """
    lines = list(headings)
    heading_pairs, text_pairs = [_list_number_pairs(part) for part in ("\n".join(lines), text)]
    votes = _count_votes(heading_pairs) or _count_votes(text_pairs)
    votes = votes or _compare_orders(lines) or _compare_orders(_list_dated_lines(text))
    if votes:
        return DAY_FIRST if votes > 0 else MONTH_FIRST
    return ASSUMED_DAY_FIRST if heading_pairs or text_pairs else ""


def find_settled_day_order(text: str) -> str:
    """The order of the numeric dates of a text where one of them, or the lines that begin with one, decide it."""
    votes = _count_votes(_list_number_pairs(text)) or _compare_orders(_list_dated_lines(text))
    return "" if not votes else DAY_FIRST if votes > 0 else MONTH_FIRST


def _list_number_pairs(text: str) -> list[tuple[int, int]]:
    """The first two numbers of each possible numeric date."""
    pairs = ((int(match[1]), int(match[3])) for match in _NUMERIC_DATE.finditer(text))
    return [(a, b) for a, b in pairs if 0 < min(a, b) <= 12 and max(a, b) <= 31]


def _count_votes(pairs: Iterable[tuple[int, int]]) -> int:
    """The number of dates that can only be day first, less those that can only be month first."""
    return sum((a > 12) - (b > 12) for a, b in pairs)


def _list_dated_lines(text: str) -> list[str]:
    return [match[0] for match in _DATED_LINE.finditer(text)]


def _compare_orders(lines: Sequence[str]) -> int:
    """1 where the dates are in order of time only day first, -1 where only month first, else 0."""
    return _is_ordered(lines, day_first=True) - _is_ordered(lines, day_first=False)


def _is_ordered(lines: Sequence[str], *, day_first: bool) -> bool:
    days = [day for line in lines if (day := _parse_day(line, day_first=day_first))]
    return all(a <= b for a, b in pairwise(days)) or all(a >= b for a, b in pairwise(days))


def _parse_day(line: str, *, day_first: bool) -> date | None:
    if (iso := _ISO_DATE.search(line)) is not None:
        return make_date(int(iso[1]), int(iso[2]), int(iso[3]))
    numeric = _NUMERIC_DATE.search(line)
    if numeric is None:
        return None
    first, second, year = int(numeric[1]), int(numeric[3]), int(numeric[4])
    return make_date(year + 2000 * (year < 100), *((second, first) if day_first else (first, second)))


def is_date_heading(line: str) -> bool:
    """Whether the line is a day or an ISO week, possibly with weekday or hour, in brackets or bold, before a colon."""
    head = _read_head(line.strip()) if len(line) < _MAX_DATE_LENGTH else None
    return head is not None and head.grain <= _Grain.WEEK and head.is_alone


def parse_entry_interval(heading: str, order: str = "") -> Interval | None:
    """The days, half-open, that a heading begins with: a day, an ISO week, or a range of days up to two months.

    Also a calendar month, quarter or year that is the entire heading. `order` is `Attributes.day_order` of its
    document. None where a heading begins with no date.
    """
    head = _read_head(heading.strip(), order)
    if head is None or (head.grain > _Grain.WEEK and not head.is_alone):
        return None
    return None if head.remainder[:1].isascii() and head.remainder[:1].isalnum() else head.days


def parse_line_entry(line: str, order: str = "") -> Interval | None:
    """The days, half-open, of the entry that a paragraph, line or list item begins; None if it begins no entry.

    The date is first and is separated from the text: by a colon, a dash, a tab or the line's end, by a weekday or an
    hour after it, by brackets or bold around it; a date in digits also before a capital or a Chinese word. In a web
    server's log it follows the address. No entries are sentences that begin with a date ("12 May 2021 was the
    day"), rows of tables and numbered items.
    """
    first_line = line.lstrip("\n").split("\n", 1)[0]
    if log_line := _SERVER_LOG_LINE.match(first_line):
        return compute_calendar_days(log_line.groupdict())
    head = _read_head(_LINE_PREFIX.sub("", first_line, count=1).rstrip(), order)
    if head is None or head.grain > _Grain.MONTH:
        return None
    if head.is_alone or (head.grain <= _Grain.DAY and _REMARK.fullmatch(head.remainder)):
        return head.days
    if head.grain > _Grain.WEEK:
        return None
    is_separated = head.is_marked and re.match(r"\s|[\u3400-\u9fff]", head.remainder)
    is_written = head.grain is _Grain.NUMERIC_DAY and re.match(r"\s+[A-Z\u3400-\u9fff]", head.remainder)
    return head.days if is_separated or is_written or _SEPARATOR.match(head.remainder) else None


def parse_whole_date(text: str, order: str = "") -> Interval | None:
    """The days, half-open, of a text that is a day, ISO week, month, quarter or year and nothing else."""
    head = _read_head(text, order) if len(text) < _MAX_DATE_LENGTH else None
    return head.days if head and head.is_alone else None


def parse_whole_day(text: str, order: str = "") -> date | None:
    """The day that a text is and nothing else; None for longer times and other texts."""
    days = parse_whole_date(text, order)
    return days[0] if days and days[1] - days[0] == DAY else None


def parse_closing_date(heading: str, order: str = "") -> Interval | None:
    """The day, half-open, that a heading ends with in brackets or in ISO 8601: "1.2 (3 May 2021)", "1.2 2021-05-03"."""
    match = _CLOSING_DATE.search(heading) if len(heading) <= _MAX_DATE_LENGTH else None
    days = parse_whole_date(match["day"] or match["iso"], order) if match else None
    return days if days and days[1] - days[0] == DAY else None


def parse_labelled_date(line: str, order: str = "") -> Interval | None:
    """The day, half-open, of a line that is a label and a date: "Release date: 2023-02-07", "Date: Mon 3 May 2021"."""
    return _parse_date_after(DATE_LABEL.match(line), line, order)


def parse_signed_date(line: str, order: str = "") -> Interval | None:
    """The day, half-open, of the line that ends an entry of a Debian changelog: " -- Ann <ann@a.org>  3 May 2021"."""
    return _parse_date_after(_SIGNATURE.match(line), line, order)


def _parse_date_after(label: re.Match[str] | None, line: str, order: str) -> Interval | None:
    date_text = _ZONE.sub("", line[label.end() :].rstrip(".")) if label else ""
    return parse_entry_interval(date_text, order) if is_date_heading(date_text) else None


def parse_entry_date(heading: str, order: str = "") -> date | None:
    """The day that a heading begins with; None where it begins with more days than one, or none."""
    days = parse_entry_interval(heading, order)
    return days[0] if days and days[1] - days[0] == DAY else None


def _read_head(text: str, order: str = "") -> _Head | None:
    """The date or range that a text begins with; None if there is none, or a range that is too long."""
    head = _read_date(text, order)
    range_mark = _RANGE.match(head.remainder.lstrip()) if head else None
    last = _read_date(head.remainder.lstrip()[range_mark.end() :], order) if head and range_mark else None
    if head is None or last is None:
        return head
    start, end = head.days[0], last.days[1]
    if not start < end <= start + MAX_ENTRY_LENGTH:
        return None
    return _Head((start, end), max(head.grain, last.grain), last.remainder, last.is_marked)


def _read_date(text: str, order: str) -> _Head | None:
    beginning = text[:_MAX_DATE_LENGTH]
    if _YEAR_DIGITS.search(beginning) is None:  # As in most lines: no form is tried.
        return None
    for grain, form in _compile_forms():
        match = form.match(beginning)
        days = compute_calendar_days(match.groupdict(), order) if match else None
        suffix = _SUFFIX.match(beginning, match.end()) if match else None
        if match is None or suffix is None or days is None:
            continue
        hour = suffix["hour"] and grain is _Grain.NUMERIC_DAY
        is_enclosed = bool(match["open"].strip("# \t")) and bool(suffix["close"].strip())
        remainder = text[suffix.start("close") :].lstrip(_CLOSERS)
        return _Head(days, grain, remainder, bool(suffix["named"] or hour or is_enclosed))
    return None


def compute_calendar_days(parts: Mapping[str, str | None], order: str = "") -> Interval | None:
    """The days, half-open, of a date in its parts; None for impossible ones.

    The parts are the groups of `_compile_forms`: `y` with `m` or `name` and `d`, or `a` and `b` in the `order` of the
    file, or the `nth` day of the year, or an ISO week `w` with its `weekday`, or a quarter `q`.
    """
    try:
        year = _parse_number(parts["y"])
        if parts.get("nth"):
            first = date(year, 1, 1) + (_parse_number(parts["nth"]) - 1) * DAY
            return (first, first + DAY) if first.year == year else None
        if parts.get("w"):
            weekday = parts.get("weekday")
            first = date.fromisocalendar(year, _parse_number(parts["w"]), int(weekday or 1))
            return first, first + (DAY if weekday else WEEK)
        if parts.get("a"):
            year += 2000 * (year < 100)
            numbers = _parse_number(parts["b"]), _parse_number(parts["a"])
            month_and_day = numbers[::-1] if order == MONTH_FIRST else numbers
            day = make_date(year, *month_and_day) or make_date(year, *month_and_day[::-1])
            return (day, day + DAY) if day else None
        if parts.get("d"):
            first = date(year, _parse_month(parts), _parse_number(parts["d"]))
            return first, first + DAY
        if parts.get("name") or parts.get("m"):
            first, months = date(year, _parse_month(parts), 1), 1
        elif parts.get("q"):
            first, months = date(year, _parse_number(parts["q"]) * 3 - 2, 1), 3
        else:
            first, months = date(year, 1, 1), 12
        return first, add_months(first, months)
    except (ValueError, OverflowError):
        return None


def _parse_month(parts: Mapping[str, str | None]) -> int:
    name = (parts.get("name") or "").lower()
    return (_EUROPEAN_MONTHS.get(name) or MONTHS[name[:3]]) if name else _parse_number(parts["m"])


def _parse_number(text: str | None) -> int:
    """A number in digits, or in Chinese: up to 99 with 十, a year numeral by numeral. Raises `ValueError` for none."""
    text = text or ""
    if text.isascii():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if ten:
        return 10 * (_parse_number(tens) if tens else 1) + (_parse_number(ones) if ones else 0)
    return int("".join(str(max(_NUMERALS.index(numeral) - 1, 0)) for numeral in text))


def parse_dates(lines: Iterable[str]) -> list[date]:
    """The dates that these headings begin with. The order of day and month is the same for all of them."""
    date_lines = [line for line in lines if parse_entry_date(line)]
    order = find_day_order(date_lines)
    return [day for line in date_lines if (day := parse_entry_date(line, order))]


def make_date(year: int, month: int, day: int) -> date | None:
    """The date, or None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
