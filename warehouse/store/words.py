"""The words that the keyword index counts: one function for passages and questions.

English words are stemmed with Snowball's English algorithm (Porter 2001). A run of Chinese gives its character bigrams
(Nie et al. 2000), which need no dictionary, and jieba's words of other lengths, which carry the meaning.
"""

from __future__ import annotations

import re
import threading
import unicodedata
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

LONGEST = 64
"""Characters of a word that count; what is longer is no word that anybody asks for."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(
    rf"(?P<han>[{_HAN}]+)"
    r"|(?P<number>\d+(?:,\d{3})+(?:\.\d+)*(?![\w])|\d+(?:\.\d+)+(?![\w]))"
    rf"|(?P<word>[^\W_{_HAN}]+(?:'[^\W_{_HAN}]+)*)"
)
_APOSTROPHES = str.maketrans("’ʼ＇", "'''")
_stemming = threading.local()


def words(text: str) -> list[str]:
    """The words of a text in order: lower-cased, NFKC, without white space inside.

    Numbers stay whole and lose their thousands separators ("1,234.5" is "1234.5"); letters and digits that stand
    together stay together ("q2", "fy2024").
    """
    plain = unicodedata.normalize("NFKC", text).lower().translate(_APOSTROPHES)
    return [word[:LONGEST] for found in _TOKEN.finditer(plain) for word in _parts(found)]


def _parts(found: re.Match[str]) -> Iterator[str]:
    text = found.group()
    if found.lastgroup == "han":
        yield from _chinese(text)
    elif found.lastgroup == "number":
        yield text.replace(",", "")
    else:
        yield _stem(text) if text.isascii() else text


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    # A stemmer keeps the word it works on, so threads must not share one.
    if not hasattr(_stemming, "english"):
        import snowballstemmer

        _stemming.english = snowballstemmer.stemmer("english")
    stem: str = _stemming.english.stemWord(word)
    return stem


def _chinese(run: str) -> Iterator[str]:
    for start in range(len(run) - 1):
        yield run[start : start + 2]
    yield from (word for word in _jieba().cut(run) if len(word) != 2)


@cache
def _jieba() -> Any:
    """A segmenter with the dictionary read from the package: no cache file in a folder others can write, no log."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba

        segmenter = jieba.Tokenizer()
        segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter
