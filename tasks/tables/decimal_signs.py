"""Signs of decimals and thousands: whether the figures of a table are like 1,234.5 or like 1.234,5."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from tasks.parsers.language import EUROPEAN
from tasks.tables.numbers import MONEY, SPACE

_POINT_GROUP = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}\.[0-9]{3}(?![0-9.,])")
_LONG_GROUP = re.compile(r"(?<![0-9.,])[1-9][0-9]{1,2}\.[0-9]{3}(?![0-9.,])")
_MIN_GROUPED = 3  # Such figures: a weight of three decimals may stand alone.
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2})"  # Of three digits.
_SURE_COMMA = re.compile(
    rf"[0-9]{{1,3}}(?:[.]|{SPACE})[0-9]{{3}},[0-9]{{1,2}}(?![0-9])|(?<![0-9,.])[0-9]+,[0-9]{{1,2}}(?![0-9,])"
    r"|(?<![0-9,.])0,[0-9]{3}(?![0-9,.])"
    # Several groups: "1.204.300", unlike the address 192.168.100.200.
    rf"|(?<![0-9.,])(?!(?:{_BYTE}\.){{3}}{_BYTE}(?![0-9.]))[1-9][0-9]{{0,2}}(?:\.[0-9]{{3}}){{2,}}(?![0-9.,])"
)
_MONEY_GROUPS = re.compile(
    r"(?<![0-9.,])([0-9]{1,3})\.[0-9]{3}\s?[TKM]?(?:€|(?:EUR|DKK|NOK|SEK|PLN|CZK|HUF|TRY|BRL|IDR|zł|Kč)(?![^\W\d_]))"
    r"|(?:€|(?<![A-Za-z])[TKM]?EUR)\s?([0-9]{1,3})\.[0-9]{3}(?![0-9.,])"
)
_SURE_POINT = re.compile(
    r"[0-9],[0-9]{3}(?:\.[0-9]|,[0-9]{3})|(?<![0-9.])[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})(?![0-9.])|(?<![0-9.,])0\.[0-9]{3}(?![0-9.,])"
)


def has_decimal_comma(cells: Sequence[str], language: str = "") -> bool:
    """Whether a table writes decimals with a comma: some cell can be read in no other way, and none the other way.

    In a `language` that writes them so, several figures with three digits behind a point are enough, and one beside
    a currency of countries that do: no money has three decimals there. Elsewhere that may be the price of a litre if
    only one digit stands before the point.
    """
    if any(map(_SURE_POINT.search, cells)):
        return False
    groups = [match[1] or match[2] for match in map(_MONEY_GROUPS.search, cells) if match]
    if any(len(digits) > 1 or language in EUROPEAN for digits in groups):
        return True
    count = sum(map(bool, map(_POINT_GROUP.search, cells))) + any(map(_LONG_GROUP.search, cells))
    return (language in EUROPEAN and count >= _MIN_GROUPED) or any(map(_SURE_COMMA.search, cells))


def find_doubtful_points(rows: Sequence[Sequence[str]], language: str, media_type: str) -> frozenset[tuple[int, int]]:
    """The rows and columns of figures like 1.204, several in a column, in a table where no figure says what they are.

    In a language that writes decimals with a comma, and in separated values, which may be in any, the point may part
    thousands or decimals.
    """
    if language not in EUROPEAN and media_type != "text/csv":
        return frozenset()
    cells = [(row, column, cell.strip()) for row, line in enumerate(rows) for column, cell in enumerate(line)]
    if any(_SURE_POINT.search(cell) for _, _, cell in cells):
        return frozenset()
    groups = [(row, column) for row, column, cell in cells if _POINT_GROUP.fullmatch(cell)]
    counts = Counter(column for _, column in groups)
    return frozenset((row, column) for row, column in groups if counts[column] > 1)


_DOTTED_DAY = re.compile(r"(?<![0-9.])[0-3]?[0-9]\.[01]?[0-9]\.(?:[0-9]{2}){1,2}(?![0-9.])")
_POINT_SCALE = re.compile(
    rf"(?:\b(?:in|x)|×)\s?(?:{MONEY})\s?1\.000(?:\.000)?(?![.,]?[0-9])|(?-i:\bT(?:€|EUR\b)|\bTsd\.?\s?(?:€|EUR\b|Euro\b))"
    r"|\b(?:miles\sde|migliaia\sdi|milhares\sde|duizend(?:en)?)\seuros?\b|\beuro\smigliaia\b",
    re.IGNORECASE,
)
"""Thousands as those count them who group digits by points."""
_WHOLE_HUNDREDS = re.compile(r"(?<![0-9.,'’])[1-9][0-9]{2}(?![0-9.,'’])")


@lru_cache(maxsize=8)
def _is_counted_in_points(text: str) -> bool:
    return _POINT_SCALE.search(text) is not None


def has_point_groups(rows: Sequence[Sequence[str]], text: str) -> bool:
    """Whether columns have figures like 1.200 beside whole ones like 450, in a text that writes days as 31.12.2023.

    Without such a day, the first may be a mean and the second a number of cases. A text that counts "x € 1.000" or in
    "T€" writes them so, too: no thousands have three decimals.
    """
    columns = list(zip(*rows, strict=False))
    if any(_SURE_POINT.search(cell) for column in columns for cell in column):
        return False
    if any(map(_POINT_GROUP.search, chain.from_iterable(columns))) and _is_counted_in_points(text):
        return True
    mixed = (any(map(_POINT_GROUP.search, column)) and any(map(_WHOLE_HUNDREDS.search, column)) for column in columns)
    return any(map(_are_counts, columns)) or (any(mixed) and _DOTTED_DAY.search(text) is not None)


def _are_counts(column: Sequence[str]) -> bool:
    """Whether several figures of a column are like 1.200 and 12.400, and others whole.

    Decimals would have more or fewer digits, too.
    """
    lengths = [match[0].index(".") for match in map(_POINT_GROUP.fullmatch, map(str.strip, column)) if match]
    is_whole = any(_WHOLE_HUNDREDS.fullmatch(cell.strip()) for cell in column)
    return len(lengths) >= _MIN_GROUPED and len(set(lengths)) > 1 and is_whole
