"""Conversion of printed text to the value of a tag: the transformation registries of inline XBRL.

They are those of XBRL International, ixt 1 (2010-04-20) to 5 (2022-02-16), and of the SEC, ixt-sec (2015-08-31). A
format is the same in all registries: "num-dot-decimal", "numdotdecimal" and "numcommadot" read `1,234.5`. Names of
dates give the order of day, month and year and the language of the month's name.

The Indian national calendar (date-ind-day-monthname-year-hi) is left out; names of states, countries and exchanges are
kept as printed, where ixt-sec has codes.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from calendar import monthrange
from collections.abc import Callable
from functools import cache
from pathlib import Path

PLAIN_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_MONTHS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("month_names.toml").read_text(encoding="utf-8"))
_ROMAN_MONTHS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_LANGUAGES = {"dk": "da", "sv": "da", "in": "hi", "uk": "en", "us": "en", "eu": "en", "cjk": "", "jp": ""}
_OLD_DATE_FORMATS = {
    "dateslashus": "datemonthdayyear", "dateslasheu": "datedaymonthyear", "datedotus": "datemonthdayyear",
    "datedoteu": "datedaymonthyear", "datelongus": "datemonthdayyearen", "dateshortus": "datemonthdayyearen",
    "datelonguk": "datedaymonthyearen", "dateshortuk": "datedaymonthyearen",
    "datelongdaymonthuk": "datedaymonthen", "dateshortdaymonthuk": "datedaymonthen",
    "datelongmonthdayus": "datemonthdayen", "dateshortmonthdayus": "datemonthdayen",
    "dateslashdaymontheu": "datedaymonth", "dateslashmonthdayus": "datemonthday",
    "datelongyearmonth": "dateyearmonthen", "dateshortyearmonth": "dateyearmonthen",
    "datelongmonthyear": "datemonthyearen", "dateshortmonthyear": "datemonthyearen",
}  # fmt: skip
_DATE_FORMAT = re.compile(r"date((?:day|month|year){2,3})([a-z]*)")
_DATE_PART = re.compile(r"day|month|year")
_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:[\u0900-\u097f]+)?")
_ERAS = {"明治": 1867, "明": 1867, "大正": 1911, "大": 1911, "昭和": 1925, "昭": 1925, "平成": 1988, "平": 1988}
_ERAS |= {"令和": 2018, "令": 2018}
"""The year before the first one of each era."""
_ERA_DATE = re.compile(rf"({'|'.join(_ERAS)})\s*(\d+|元)\s*年\s*(\d+)\s*月(?:\s*(\d+)\s*日)?")
_GROUP_SEPARATORS = "[\\s\u00a0\u2009\u202f'’`´]"


class UnknownFormat(ValueError):
    """A format that none of the registries has."""


def transform_value(name: str, text: str) -> str:
    """The value of a text in a format: digits with a point, a date as YYYY-MM-DD, "true", a duration, words.

    `name` is the format's without its prefix. Raises `UnknownFormat`, and any other `ValueError` for a text in
    another format.
    """
    normalized_name = name.lower().replace("-", "")
    reader = _find_reader(_OLD_DATE_FORMATS.get(normalized_name, normalized_name))
    if reader is None:
        raise UnknownFormat(name)
    return reader(unicodedata.normalize("NFKC", text).strip())


@cache
def _find_reader(name: str) -> Callable[[str], str] | None:
    if name in _READERS:
        return _READERS[name]
    if match := _DATE_FORMAT.fullmatch(name.replace("monthname", "month").replace("monthroman", "month")):
        order = tuple(_DATE_PART.findall(match[1]))
        language = _LANGUAGES.get(match[2], match[2])
        names = _ROMAN_MONTHS if "monthroman" in name else tuple(_MONTHS[language]) if language in _MONTHS else ()
        if language and not names:
            return None
        return lambda text: _read_date(text, order, names)
    return None


def _read_number(text: str, *, point: str, groups: str) -> str:
    """Digits with one decimal `point`, whose groups are separated by the characters of a class."""
    integer, _, decimals = re.sub(groups, "", text).partition(point)
    digits = f"{integer or '0'}.{decimals}" if decimals else integer
    if not PLAIN_NUMBER.fullmatch(digits) or not digits.isascii():
        raise ValueError(text)
    return digits


def _read_dot_number(text: str) -> str:
    return _read_number(text, point=".", groups=rf"[,\s]|{_GROUP_SEPARATORS}")


def _read_comma_number(text: str) -> str:
    return _read_number(text, point=",", groups=rf"[.\s]|{_GROUP_SEPARATORS}")


def _read_units(text: str) -> str:
    """Two whole numbers followed by words, `5 dollars 20 cents`; not `1億2千`."""
    digits = re.findall(r"\d+(?:[,.\s]\d+)*", text)
    if len(digits) != 2:
        raise ValueError(text)
    integer, decimals = (re.sub(r"\D", "", part) for part in digits)
    return f"{integer}.{decimals.zfill(2)}"


def _read_date(text: str, order: tuple[str, ...], months: tuple[str, ...]) -> str:
    """A date whose parts are in this order, as YYYY-MM-DD, YYYY-MM or --MM-DD."""
    tokens = [token for token in _TOKEN.findall(text) if token.isdigit() or _find_month(token, months)]
    if len(tokens) != len(order):
        raise ValueError(text)
    parts = {
        part: int(token) if token.isdigit() else _find_month(token, months)
        for part, token in zip(order, tokens, strict=True)
    }
    if any(not token.isdigit() and part != "month" for part, token in zip(order, tokens, strict=True)):
        raise ValueError(text)
    return _format_date(parts.get("year"), parts["month"], parts.get("day"))


def _format_date(year: int | None, month: int, day: int | None) -> str:
    """A date in the form of XML Schema. Raises `ValueError` for an impossible one; years of two digits are 20xx."""
    if year is not None and year < 100:
        year += 2000
    last = monthrange(year if year and year < 10_000 else 2000, month)[1]
    if (day is not None and not 1 <= day <= last) or (year is not None and not 1 <= year <= 9999):
        raise ValueError(day)
    if year is None:
        return f"--{month:02d}-{day:02d}"
    return f"{year:04d}-{month:02d}" if day is None else f"{year:04d}-{month:02d}-{day:02d}"


def _find_month(word: str, months: tuple[str, ...]) -> int:
    """The month that a word names, 0 where it names none."""
    folded = unicodedata.normalize("NFKD", word.casefold())
    letters = "".join(char for char in folded if not unicodedata.combining(char) or "\u0900" <= char <= "\u097f")
    if months is _ROMAN_MONTHS:
        return months.index(letters) + 1 if letters in months else 0
    matches = [
        (len(beginning), number)
        for number, beginnings in enumerate(months, start=1)
        for beginning in unicodedata.normalize("NFKD", beginnings).split("|")
        if letters.startswith(beginning)
    ]
    return max(matches, default=(0, 0))[1]


def _read_era_date(text: str) -> str:
    match = _ERA_DATE.fullmatch(text.replace(" ", ""))
    if match is None:
        raise ValueError(text)
    year = _ERAS[match[1]] + (1 if match[2] == "元" else int(match[2]))
    return _format_date(year, int(match[3]), int(match[4]) if match[4] else None)


_SMALL_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_NUMBER_WORDS = {word: number for number, word in enumerate(_SMALL_NUMBERS.split())}
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBER_WORDS |= {word: number * 10 for number, word in enumerate(_TENS, start=2)}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ZERO_WORDS = frozenset(["no", "none", "nil", "zero", ""])


def _read_number_words(text: str) -> str:
    """A whole number in English words."""
    if text.casefold() in _ZERO_WORDS:
        return "0"
    total = group = 0
    for word in re.split(r"[\s,-]+|\band\b", text.casefold()):
        if not word or word in ("and", "a", "an"):
            group = group or (word in ("a", "an"))
        elif word in _NUMBER_WORDS:
            group += _NUMBER_WORDS[word]
        elif word == "hundred":
            group = max(group, 1) * 100
        elif word in _LARGE:
            total += max(group, 1) * _LARGE[word]
            group = 0
        elif word.isascii() and word.isdigit():
            group += int(word)
        else:
            raise ValueError(text)
    return str(total + group)


_DURATION_UNITS = {"year": "Y", "month": "M", "week": "W", "day": "D", "hour": "H"}


def _make_duration_reader(unit: str) -> Callable[[str], str]:
    """A reader of a number of units as a duration of XML Schema, with weeks as days."""

    def read(text: str) -> str:
        number = text.replace(",", "").lstrip("+-") if text[:1] != "-" else text
        if not PLAIN_NUMBER.fullmatch(number):
            number = _read_number_words(text)
        integer, _, decimals = number.partition(".")
        if unit == "year" and decimals:
            months = round(12 * float(f"0.{decimals}"))
            return f"P{int(integer or 0) + months // 12}Y{months % 12}M"
        if unit == "week":
            return f"P{_format_number(float(number) * 7)}D"
        return f"PT{number}H" if unit == "hour" else f"P{number}{_DURATION_UNITS[unit]}"

    return read


def _format_number(number: float) -> str:
    return f"{number:.10g}"


def _read_duration_words(text: str) -> str:
    """A duration in words, "two years and six months", as P2Y6M."""
    pairs = re.findall(rf"([a-z\d\s-]+?)\s*\b({'|'.join(_DURATION_UNITS)})s?\b", text.casefold().replace(" and ", " "))
    if not pairs:
        raise ValueError(text)
    sizes = {unit: int(_read_number_words(number.strip())) for number, unit in pairs}
    days = sizes.get("day", 0) + 7 * sizes.get("week", 0)
    duration = "".join(f"{sizes[unit]}{_DURATION_UNITS[unit]}" for unit in ("year", "month") if unit in sizes)
    duration += f"{days}D" if days or not (duration or "hour" in sizes) else ""
    return f"P{duration}" + (f"T{sizes['hour']}H" if "hour" in sizes else "")


_QUARTERS = {
    "first": 1, "1st": 1, "q1": 1, "second": 2, "2nd": 2, "q2": 2, "third": 3, "3rd": 3, "q3": 3, "fourth": 4,
    "4th": 4, "q4": 4, "last": 4,
}  # fmt: skip


def _read_quarter_end(text: str) -> str:
    """The last day of a quarter of a calendar year: "the second quarter of 2024"."""
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)
    quarter = next((_QUARTERS[word] for word in re.findall(r"\w+", text.casefold()) if word in _QUARTERS), None)
    if year is None or quarter is None:
        raise ValueError(text)
    return _format_date(int(year[0]), quarter * 3, monthrange(int(year[0]), quarter * 3)[1])


_TICKED, _UNTICKED = "☑☒✓✔✗✘xXþý", "☐❑❒□o¨"


def _read_ballot(text: str) -> str:
    """Whether a box is ticked."""
    if not text or text[0] not in _TICKED + _UNTICKED:
        raise ValueError(text)
    return "true" if text[0] in _TICKED else "false"


def _keep_text(text: str) -> str:
    return text


_READERS: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(
        ("numdotdecimal", "numdotdecimalapos", "numdotdecimalin", "numcommadot", "numspacedot"), _read_dot_number
    ),
    **dict.fromkeys(
        ("numcommadecimal", "numcommadecimalapos", "numdotcomma", "numspacecomma", "numcomma"), _read_comma_number
    ),
    **dict.fromkeys(("numunitdecimal", "numunitdecimalapos", "numunitdecimalin"), _read_units),
    **dict.fromkeys(("numdash", "zerodash", "fixedzero"), lambda text: "0"),
    **dict.fromkeys(("nocontent", "fixedempty"), lambda text: ""),
    **dict.fromkeys(("booleantrue", "fixedtrue"), lambda text: "true"),
    **dict.fromkeys(("booleanfalse", "fixedfalse"), lambda text: "false"),
    **dict.fromkeys(
        ("dateerayearmonthdayjp", "dateerayearmonthjp", "datejpnerayearmonthday", "datejpnerayearmonth"), _read_era_date
    ),
    "numwordsen": _read_number_words,
    "numinf": lambda text: "INF",
    "numneginf": lambda text: "-INF",
    "numnan": lambda text: "NaN",
    **{f"dur{unit}": _make_duration_reader(unit) for unit in _DURATION_UNITS},
    "durwordsen": _read_duration_words,
    "datequarterend": _read_quarter_end,
    "boolballotbox": _read_ballot,
    "yesnoballotbox": lambda text: "Yes" if _read_ballot(text) == "true" else "No",
    **dict.fromkeys(
        ("stateprovnameen", "countrynameen", "edgarprovcountryen", "exchnameen", "entityfilercategoryen"), _keep_text
    ),
}
