"""The words that the keyword index counts: one function for passages and questions.

English words are stemmed with Snowball's English algorithm (Porter 2001). A run of Chinese gives its characters and
their bigrams (Nie et al. 2000), which need no dictionary, and jieba's longer words, which carry the meaning. Of 3,524
questions (DRCD) BM25 finds the passage first for .940 by bigrams, .945 with characters, .946 with all three.

Function words hold a sentence together and say nothing of its subject: no passage is sought by them. A question has
many, and together they outweigh what it asks for: "what was the change in the". Without them the reciprocal rank of the
right table of TAT-QA rose from .634 to .684 by BM25 alone (500 questions), and no other set lost (HotpotQA, PubMedQA,
DRCD).
"""

from __future__ import annotations

import re
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

_ENGLISH_TEXT = (
    "a an the this that these those it its there here such of in on at to for from by with about into as and or but nor"
    " if so than then no not some any all each other am is are was were be been being do does did done has have had"
    " having will would can could shall should may might must who whom whose what which when where why how many much i"
    " me my you your we us our he him his she her they them their tell show give say says said please"
)
_CHINESE_TEXT = (
    "的 了 是 在 和 与 與 有 吗 嗎 呢 何 谁 誰 哪 什么 什麼 甚麼 多少 哪个 哪個 哪些 哪里 哪裡 如何 怎么 怎麼"
    " 为什 為什 为什么 為什麼"
)
_ENGLISH = frozenset(_ENGLISH_TEXT.split())
_CHINESE = frozenset(_CHINESE_TEXT.split())
_NAMES = frozenset({"US", "WHO", "IT", "May"})  # What is a name where it is written so.


def is_function_word(token: str) -> bool:
    """Whether a word of English, as it is written and not stemmed, is one of them."""
    return token.lower() in _ENGLISH and token not in _NAMES


LONGEST = 64  # Characters of a word that count; what is longer is no word that anybody asks for.

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(
    rf"([{_HAN}]+)"
    r"|(\d+(?:,\d{3})+(?:\.\d+)*(?![\w])|\d+(?:\.\d+)+(?![\w]))"
    rf"|([^\W_{_HAN}]+(?:'[^\W_{_HAN}]+)*)"
)
"""A run of Chinese, a number, or a word."""
_APOSTROPHES = "’ʼ"
_stemming = threading.local()


class CountedWord(NamedTuple):
    """A word as it is counted. It is `telling` unless it is a function word, and may be `chinese`."""

    text: str
    telling: bool
    chinese: bool = False


def words(text: str) -> list[str]:
    """The words of a text in order: lower-cased, NFKC, without white space inside.

    Numbers stay whole and lose their thousands separators ("1,234.5" is "1234.5"); letters and digits that stand
    together stay together ("q2", "fy2024").
    """
    return [word.text for word in read(text)]


def telling_words(text: str) -> list[str]:
    """The words of a text that tell passages apart: without function words, unless there are no others."""
    found = read(text)
    return [word.text for word in found if word.telling] or [word.text for word in found]


def read(text: str) -> list[CountedWord]:
    """The words of a text in order, with what is known about each."""
    plain = unicodedata.normalize("NFKC", text)
    for mark in _APOSTROPHES:
        plain = plain.replace(mark, "'")
    found: list[CountedWord] = []
    for han, number, word in _TOKEN.findall(plain):
        if word:
            found.append(_word(word))
        elif number:
            found.append(CountedWord(number.replace(",", "")[:LONGEST], telling=True))
        else:
            found.extend(CountedWord(part[:LONGEST], part not in _CHINESE, chinese=True) for part in _chinese(han))
    return found


def pairs(found: Iterable[CountedWord]) -> list[str]:
    """Neighbours among the telling words, joined: "change in net sales" has "chang_net" and "net_sale".

    A phrase says more than its words (Metzler & Croft 2005, A Markov Random Field Model for Term Dependencies). Chinese
    has none: its words are pairs of characters already.
    """
    joined, previous = [], ""
    for word in found:
        if word.chinese:
            previous = ""
        elif word.telling:
            if previous:
                joined.append(f"{previous}_{word.text}")
            previous = word.text
    return joined


@lru_cache(maxsize=1 << 17)
def _word(written: str) -> CountedWord:
    counted = written.lower()
    if counted.isascii():
        # A stemmer keeps the word it works on, so threads must not share one.
        if not hasattr(_stemming, "english"):
            import snowballstemmer

            _stemming.english = snowballstemmer.stemmer("english")
        counted = _stemming.english.stemWord(counted)
    return CountedWord(counted[:LONGEST], telling=not is_function_word(written))


def _chinese(run: str) -> Iterator[str]:
    yield from run
    for start in range(len(run) - 1):
        yield run[start : start + 2]
    yield from (word for word in segmenter().cut(run) if len(word) > 2)


@cache
def segmenter() -> Any:
    """A segmenter with the dictionary read from the package: no cache file in a folder others can write, no log."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba

        segmenter = jieba.Tokenizer()
        segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter


def segments(text: str) -> list[str]:
    """The telling words of a text as they are written; Chinese ones are those of the segmenter, and no pairs."""
    found: list[str] = []
    for han, number, word in _TOKEN.findall(unicodedata.normalize("NFKC", text).replace("’", "'")):
        if han:
            found += (part for part in segmenter().cut(han) if part not in _CHINESE)
        elif number or not is_function_word(word):
            found.append(number or word)
    return found
