"""The Chinese words of the grammar: conversion to one script, numerals, and fragments of regular expressions.

Rules are written in simplified characters; `PLAIN` replaces the traditional characters of time words, full-width digits
and full-width marks one for one, so offsets in the text stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from warehouse.records import Grain

_Meaning = TypeVar("_Meaning")

# Each traditional character, or full-width mark, and its replacement.
_SCRIPT = (
    "後后個个週周禮礼時时點点鐘钟鍾钟間间過过當当這这來来從从歲岁農农曆历歷历節节財财紀纪幾几數数兩两與与於于開开"
    "聖圣誕诞陽阳勞劳動动婦妇兒儿慶庆復复現现將将剛刚約约內内臘腊閏闰餘余裡里裏里會会計计還还連连總总國国際际"
    "樹树軍军師师親亲應应該该緒绪豐丰啟启寶宝順顺貞贞觀观萬万隨随遠远長长達达頭头終终實实鴉鸦隻只張张"
    "業业營营級级輕轻齡龄葉叶為为獲获淨净銷销隊队職职區区縣县門门東东進进裝装報报飯饭賽赛發发鄰邻處处學学"
    "資资貨货畫画檢检審审費费課课話话極极統统奧奥戰战爭争邊边寧宁紹绍興兴禎祯聰聪顯显義义監监廣广龍龙烏乌選选舉举毎每"
)
_MARKS = "０0１1２2３3４4５5６6７7８8９9：:（(）)～~〜~－-／/．.○〇"
PLAIN = str.maketrans((_SCRIPT + _MARKS)[::2], (_SCRIPT + _MARKS)[1::2])

_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000}
_TENS = {"廿": 20, "卅": 30}

DIGIT = "[一二三四五六七八九]"
ANY_DIGIT = "[〇零一二三四五六七八九]"
NUMERAL = "〇零一二三四五六七八九十两百千廿卅"
S = r"[^\S\n]{0,2}"  # White space between a number and its unit.

YEAR = rf"(?:[12][0-9]{{3}}|[一二]{ANY_DIGIT}{{3}})"
MONTH = rf"(?:1[0-2]|0?[1-9]|十[一二]?|{DIGIT})"
DAY = rf"(?:3[01]|[12][0-9]|0?[1-9]|三十一?|二?十{DIGIT}?|廿{DIGIT}?|卅一?|{DIGIT})"
COUNT = rf"(?:[0-9]{{1,4}}|[{NUMERAL}]{{1,6}})"
FISCAL_YEAR = "(?:财年|财政年度|会计年度)"
DASH = r"(?:[-–—~]|——)"
WEEKDAY_IN_BRACKETS = r"\((?:(?:星期|周|礼拜)[一二三四五六日天]|[月火水木金土日](?:曜日?)?)\)"


def match_any(words: Iterable[str]) -> str:
    """A group that matches any of the words, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


def index_by_word(words: Mapping[_Meaning, str]) -> dict[str, _Meaning]:
    """The meaning of each word; words are separated by spaces."""
    return {word: meaning for meaning, text in words.items() for word in text.split()}


UNITS = index_by_word(
    {
        Grain.SECOND: "秒钟 秒",
        Grain.MINUTE: "分钟",
        Grain.HOUR: "小时 钟头",
        Grain.DAY: "天 日",
        Grain.WEEKEND: "周末",
        Grain.WEEK: "周 星期 礼拜",
        Grain.MONTH: "月",
        Grain.QUARTER: "季度 季 财季",
        Grain.YEAR: "年 年度",
        Grain.CENTURY: "世纪",
    }
)


def parse_number(text: str) -> int:
    """The value of digits or of numerals up to 9999 (十二 is 12, 廿一 21), or read digit by digit (二〇二三 is 2023).

    Raises `ValueError` where there is no number.
    """
    if text.isascii():
        return int(text)
    if not any(character in _SCALES or character in _TENS for character in text):
        return int("".join(str(_parse_digit(character)) for character in text))
    total = digit = 0
    for character in text:
        if character in _SCALES:
            total, digit = total + (digit or 1) * _SCALES[character], 0
        elif character in _TENS:
            total += _TENS[character]
        else:
            digit = _parse_digit(character)
    return total + digit


def _parse_digit(character: str) -> int:
    if character not in _DIGITS:
        raise ValueError(f"{character} is no digit")
    return _DIGITS[character]
