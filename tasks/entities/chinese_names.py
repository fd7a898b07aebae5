"""Names of people, places and organisations in Chinese text, by jieba's tagger of parts of speech.

Its hidden Markov model takes many words for people: only those count that begin with a family name, or have a title
after one. Between Chinese words a person may be written in Latin letters ("和 Priya Nair 讨论").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from warehouse.store.words import load_segmenter

_LABELS = {"nr": "PERSON", "nrfg": "PERSON", "nrt": "PERSON", "ns": "GPE", "nt": "ORG"}
_SINGLE_SURNAMES = frozenset(
    "王李张劉刘陈陳楊杨黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高梁郑鄭罗羅宋谢謝唐韩韓曹许許邓鄧冯馮曾程蔡彭潘袁于董余苏蘇叶葉吕呂魏蒋蔣"
    "田杜丁沈姜范江傅钟鍾卢盧汪戴崔任陆陸廖姚方金邱夏谭譚韦韋贾賈邹鄒石熊孟秦阎閻薛侯雷白龙龍段郝孔邵史毛常万萬顾顧赖賴武康贺賀"
    "严嚴尹钱錢施牛洪龚龔汤湯陶黎温莫易樊乔喬文安殷颜顏庄莊章鲁魯倪庞龐邢俞翟蓝藍聂聶齐齊向葛柴申柳耿岑辛梅祝童卓阮柯甘"
)
"""The commonest family names of one character (those of nine in ten people), simplified and traditional."""
_DOUBLE_SURNAMES = (
    "欧阳",
    "歐陽",
    "司马",
    "司馬",
    "上官",
    "诸葛",
    "諸葛",
    "司徒",
    "东方",
    "皇甫",
    "慕容",
    "令狐",
    "尉迟",
    "夏侯",
    "端木",
)
_MAX_NAME_LENGTH = 4
_LATIN_NAME = r"[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,3}"
_NAME_CONTEXT = re.compile(
    rf"(?:[和跟与與同见見找给給问問请請约約]|遇到|遇见|联系|电话给)\s*(?P<after>{_LATIN_NAME})"
    rf"|(?P<before>{_LATIN_NAME})\s*(?:说|說|认为|觉得|告诉|问我|打电话|打來|来电)"
)
"""A name in Latin letters where a person is expected: after "with" or "met", before "said"."""


def find_chinese_names(text: str) -> Iterator[tuple[int, int, str]]:
    """The start, end and label of each name in a Chinese text, in order."""
    names = [
        *_iter_tagged_names(text),
        *((*match.span(match.lastgroup or 0), "PERSON") for match in _NAME_CONTEXT.finditer(text)),
    ]
    yield from sorted(names)


def _iter_tagged_names(text: str) -> Iterator[tuple[int, int, str]]:
    words: list[tuple[int, str, str]] = []
    start_of_word = 0
    for pair in _load_tagger().cut(text):
        words.append((start_of_word, pair.word, pair.flag))
        start_of_word += len(pair.word)
    for index, (start, word, flag) in enumerate(words):
        label = _LABELS.get(flag)
        if label == "PERSON":
            next_word = words[index + 1][1] if index + 1 < len(words) else ""
            # A double family name may be tagged as a place, and its given name as another word.
            full_name = word + next_word if word in _DOUBLE_SURNAMES and 1 <= len(next_word) <= 2 else word
            if _is_person(full_name):
                yield start, start + len(full_name), label
        elif label and len(word) > 1:
            yield start, start + len(word), label


def _is_person(word: str) -> bool:
    family = 2 if word.startswith(_DOUBLE_SURNAMES) else 1 if word[0] in _SINGLE_SURNAMES else 0
    return 0 < family < len(word) <= _MAX_NAME_LENGTH


@cache
def _load_tagger() -> Any:
    """The tagger of jieba, which has read the parts of speech, over a dictionary read without a cache file."""
    words = load_segmenter()
    import jieba.posseg

    jieba.posseg.dt.tokenizer = words
    return jieba.posseg.dt
