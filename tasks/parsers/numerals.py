"""Counts in digits from files, and numerals of lists: letters, Roman, Chinese, circled (ECMA-376 part 1, 17.18.59)."""

from __future__ import annotations

import re

SUPERSCRIPTS = str.maketrans("0123456789+-−abcdefgh", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ᵃᵇᶜᵈᵉᶠᵍʰ")
_RAISED_MARK = re.compile(r"\s*(?:[+−-]?\d{1,3}(?:,\s?\d{1,2})*|[a-h])\s*")
_ROMAN = (
    ("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100), ("XC", 90), ("L", 50), ("XL", 40),
    ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1),
)  # fmt: skip
_MAX_DIGITS = 20  # The digits of a number that are read; longer numbers exceed all bounds.
_MAX_ROMAN = 3_999  # The largest number in Roman numerals.
_MAX_LETTERS = 30  # The most letters of a number, which repeats one letter.
_DIGITS = "〇一二三四五六七八九"
_POWERS_OF_TEN = ("", "十", "百", "千")
_HEAVENLY_STEMS = "甲乙丙丁戊己庚辛壬癸"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def raise_mark(text: str) -> str:
    """Raised digits, or one raised letter, as superscripts; any other text unchanged.

    Otherwise the mark of a note would be read with the figure before it, and a power with its 10.
    """
    return text.strip().translate(SUPERSCRIPTS) if _RAISED_MARK.fullmatch(text) else text


def parse_count(text: str, default: int = 0, maximum: int = 10**9) -> int:
    """The number of a text in plain digits, at most `maximum`; `default` for any other text."""
    return min(int(text[:_MAX_DIGITS]), maximum) if text.isascii() and text.isdigit() else default


def format_numeral(count: int, numerals: str) -> str:
    """The number in a format of Word, in plain digits if the format is not known or has no such number."""
    if numerals == "none":
        return ""
    if numerals == "decimalZero":
        return f"{count:02d}"
    if numerals == "ordinal":
        return f"{count}{_get_ordinal_suffix(count)}"
    return _format_signs(count, numerals) or str(count)


def format_roman(count: int) -> str:
    """Upper case Roman numerals; empty below 1 and above 3,999."""
    if not 0 < count <= _MAX_ROMAN:
        return ""
    numeral = ""
    for sign, value in _ROMAN:
        numeral += sign * (count // value)
        count %= value
    return numeral


def format_letters(count: int) -> str:
    """A to Z, then AA, BB and so on, as Word counts."""
    repeats = (count + 25) // 26
    return chr(ord("A") + (count - 1) % 26) * repeats if 0 < repeats <= _MAX_LETTERS else ""


def format_chinese(count: int) -> str:
    """Chinese numerals up to 9,999: 十, 十一, 二十, 一百〇三."""
    if not 0 < count < 10_000:
        return ""
    numeral, is_zero_pending = "", False
    for power in (3, 2, 1, 0):
        digit = count // 10**power % 10
        if digit:
            numeral += (_DIGITS[0] if is_zero_pending and numeral else "") + _DIGITS[digit] + _POWERS_OF_TEN[power]
        is_zero_pending = not digit
    return numeral.removeprefix("一") if 10 <= count < 20 else numeral


def _format_signs(count: int, numerals: str) -> str:
    if numerals in ("lowerLetter", "upperLetter"):
        return format_letters(count) if numerals == "upperLetter" else format_letters(count).lower()
    if numerals in ("lowerRoman", "upperRoman"):
        return format_roman(count) if numerals == "upperRoman" else format_roman(count).lower()
    if numerals.startswith(("chineseCounting", "japaneseCounting", "taiwaneseCounting")):
        return format_chinese(count)
    if numerals == "ideographDigital":
        return "".join(_DIGITS[int(digit)] for digit in str(count)) if count > 0 else ""
    signs = {"ideographTraditional": _HEAVENLY_STEMS, "decimalEnclosedCircle": _CIRCLED}.get(numerals, "")
    return signs[count - 1] if 0 < count <= len(signs) else ""


def _get_ordinal_suffix(count: int) -> str:
    if count % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
