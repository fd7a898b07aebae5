"""Embedders: their contract, opening one by name, and cutting of texts into windows that a model reads at once.

A chunk that is longer than a window is cut so that no token is lost. Prose is cut between words, and adjacent
windows share some words. A table (its shown form, from `[TABLE n]` to `[END TABLE]`) is cut between rows, each group
under the table's head. The chunk's prefix is at the top of every window. A prefix or head that would fill more than
half of a window is not repeated but cut like the rest.

The device that a model computes on is `cpu`, `cuda`, or `auto`, which is CUDA if torch can use it. The system is asked
first whether there is a CUDA device, because importing torch to ask it takes more than a second.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from warehouse.errors import BadInput
from warehouse.registry import Family
from warehouse.table_notation import HEAD, TABLE


class Embedder(Protocol):
    """Turns texts into unit vectors. Opening one is cheap: weights are read when `embed` is first called."""

    @property
    def model(self) -> str:
        """The model's identity: its name, `@`, a digest of its files.

        It is part of every vector's name, so vectors of two models are never mixed. The number type that a CPU computes
        in is not part of it: bfloat16 and int8 are within cosine 0.998 of float32, much closer than any two texts, and
        a warehouse must not be embedded again because it moved to another machine.
        """

    @property
    def is_loaded(self) -> bool:
        """Whether its weights are loaded, so that `embed` begins at once."""

    @property
    def dimension(self) -> int:
        """The number of components of a vector."""

    @property
    def window(self) -> int:
        """The number of tokens that the model reads at once, including its special tokens."""

    def can_read(self, text: str) -> bool:
        """Whether the model's vocabulary has the script of a text; if not, its vectors are nearly meaningless.

        Passages that it cannot read have no vectors and are found by their words.
        """

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """The texts to embed for a chunk: itself if it fits the window, else pieces that have every token of it."""

    def split_words(self, text: str) -> list[UncutSpan]:
        """The words of a text of any length in order, with the number of tokens of each; reads no weights."""

    @property
    def for_questions(self) -> Embedder:
        """The embedder of questions, whose vectors are compared with those of this one, which is for passages.

        The same one, unless the model was trained with another instruction before questions ("query: " of E5); then
        its `model` differs.
        """

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimension); a text's vector does not depend on the other texts.

        Raises `BadInput` for a text that does not fit the window: nothing is cut off silently.
        """


class EmbedderWrapper:
    """Another embedder, of which a subclass changes a part. It also has members that only some have (token vectors)."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner

    @property
    def model(self) -> str:
        """The inner one's."""
        return self.inner.model

    @property
    def is_loaded(self) -> bool:
        """The inner one's."""
        return self.inner.is_loaded

    @property
    def dimension(self) -> int:
        """The inner one's."""
        return self.inner.dimension

    @property
    def window(self) -> int:
        """The inner one's."""
        return self.inner.window

    def can_read(self, text: str) -> bool:
        """The inner one's."""
        return self.inner.can_read(text)

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """The inner one's."""
        return self.inner.cut_windows(prefix, text)

    def split_words(self, text: str) -> list[UncutSpan]:
        """The inner one's."""
        return self.inner.split_words(text)

    @property
    def for_questions(self) -> Embedder:
        """The inner one's."""
        return self.inner.for_questions

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The inner one's."""
        return self.inner.embed(texts)

    def __getattr__(self, name: str) -> Any:
        """The inner one's."""
        if name == "inner":  # Not set yet, for instance while it is copied.
            raise AttributeError(name)
        return getattr(self.inner, name)


def embed_question(embedder: Embedder, question: str) -> np.ndarray:
    """The unit vector of a question of any length, float32, shape (dimension,).

    A question longer than the window is the normalised mean of its windows.
    """
    question_embedder = embedder.for_questions
    return average_vectors(question_embedder.embed(question_embedder.cut_windows("", question)))


def average_vectors(vectors: np.ndarray) -> np.ndarray:
    """The mean of vectors, shape (vectors, dimension), at unit length, float32; the first if they cancel out."""
    mean = vectors.mean(axis=0)
    length = np.linalg.norm(mean)
    return np.asarray(mean / length if length > 0 else vectors[0], dtype=np.float32)


EMBEDDERS: Family[Callable[[str, Device], Embedder]] = Family("tasks.embedders", "embedder")
"""Functions that open an embedder, given the part of its name after the colon, and the device for many texts."""


_open_lock = Lock()


def open_embedder(name: str, device: Device = "cpu") -> Embedder:
    """The embedder of this name; the same object each time, so that a process loads a model once, on any thread.

    Vectors from another `device` than the processor are within a cosine of .999 and have the same identity. Raises
    `BadInput` for a name that no embedder has, a place without a model, or a device that does not exist.
    """
    with _open_lock:
        return _open(name, device)


@cache
def _open(name: str, device: Device) -> Embedder:
    family, _, place = name.partition(":")
    return EMBEDDERS[family](place, check_device(device))


MAX_CACHED_VECTORS = 4096
"""The most vectors that a process caches, the last used: 6 MiB at 384 numbers each, sentences of about 800 passages."""

_cached_vectors: OrderedDict[tuple[str, str], np.ndarray] = OrderedDict()
"""Vectors by model and text. A cache: vectors that were removed are computed again."""
_cache_lock = Lock()


def embed_with_cache(embedder: Embedder, texts: Sequence[str]) -> np.ndarray:
    """The result of `embedder.embed`, from a cache for recently embedded texts; raises the same errors."""
    model, vectors = embedder.model, dict[str, np.ndarray]()
    with _cache_lock:
        for text in dict.fromkeys(texts):
            if (model, text) in _cached_vectors:
                _cached_vectors.move_to_end((model, text))
                vectors[text] = _cached_vectors[model, text]
    new_texts = [text for text in dict.fromkeys(texts) if text not in vectors]
    if new_texts:
        vectors.update(zip(new_texts, embedder.embed(new_texts), strict=True))
        with _cache_lock:
            # Copies, as a view of a row would hold its whole batch in memory.
            _cached_vectors.update({(model, text): vectors[text].copy() for text in new_texts})
            while len(_cached_vectors) > MAX_CACHED_VECTORS:
                _cached_vectors.popitem(last=False)
    return np.array([vectors[text] for text in texts], np.float32).reshape(len(texts), embedder.dimension)


MAX_WINDOW_OVERLAP = 32  # The most tokens that two adjacent windows of prose share.


class UncutSpan(NamedTuple):
    """A stretch of a text that should not be cut, `text[start:end]`, and its number of tokens."""

    start: int
    end: int
    tokens: int


WordSplitter = Callable[[str], list[UncutSpan]]
"""The words of a text in order, by a model's tokenizer, without special tokens."""
TokenCounter = Callable[[str], int]
"""The number of tokens of a text without special tokens: the sum of its words' tokens, computed faster."""


def group_words(word_ids: Sequence[int | None], offsets: Sequence[tuple[int, int]]) -> list[UncutSpan]:
    """The words of an encoding by the `tokenizers` library, made without special tokens."""
    pairs = zip(word_ids, offsets, strict=True)
    spans = [[span for _, span in word] for _, word in groupby(pairs, key=itemgetter(0))]
    return [UncutSpan(word[0][0], word[-1][1], len(word)) for word in spans]


@dataclass(frozen=True, slots=True)
class WindowCutter:
    """Cuts chunks into texts of at most `max_tokens` tokens."""

    max_tokens: int
    split_words: WordSplitter
    count_tokens: TokenCounter

    def cut(self, prefix: str, text: str) -> Iterator[str]:
        """Texts that together have every word of `text`, or the chunk itself if it fits."""
        full_text = f"{prefix}\n{text}" if prefix else text
        if self.count_tokens(full_text) <= self.max_tokens:
            yield full_text
            return
        opening = f"{prefix}\n" if prefix else ""
        if 2 * self.count_tokens(opening) > self.max_tokens:
            opening, text = "", full_text
        end = 0
        for match in TABLE.finditer(text):
            yield from self._cut_prose(opening, text[end : match.start()])
            table, head, end = match.group(), HEAD.match(match.group()), match.end()
            if self.count_tokens(opening + table) <= self.max_tokens:
                yield opening + table
            elif head is None or 2 * self.count_tokens(opening + head.group()) > self.max_tokens:
                yield from self._cut_prose(opening, table)
            else:
                yield from self._cut_rows(opening + head.group(), table[head.end() :].split("\n"))
        yield from self._cut_prose(opening, text[end:])

    def _cut_rows(self, opening: str, rows: list[str]) -> Iterator[str]:
        space = self.max_tokens - self.count_tokens(opening)
        group: list[str] = []
        used_tokens = 0
        for row in rows:
            tokens = self.count_tokens(row)
            if group and used_tokens + tokens > space:
                yield opening + "\n".join(group)
                group, used_tokens = [], 0
            if tokens > space:
                yield from self._cut_prose(opening, row)
            else:
                group.append(row)
                used_tokens += tokens
        if group:
            yield opening + "\n".join(group)

    def _cut_prose(self, opening: str, text: str) -> Iterator[str]:
        space = self.max_tokens - self.count_tokens(opening)
        words = list(self._split_heavy_words(text, 0, space))
        first = 0
        while first < len(words):
            last, used_tokens = first, words[first].tokens
            while last + 1 < len(words) and used_tokens + words[last + 1].tokens <= space:
                last += 1
                used_tokens += words[last].tokens
            # Some tokenizers make more tokens of a cut text.
            while (
                last > first
                and self.count_tokens(opening + text[words[first].start : words[last].end]) > self.max_tokens
            ):
                last -= 1
            yield opening + text[words[first].start : words[last].end]
            if last + 1 == len(words):
                return
            # The next window begins some words earlier, but with space for a new word.
            overlap = min(MAX_WINDOW_OVERLAP, space // 4, space - words[last + 1].tokens)
            start, shared_tokens = last + 1, 0
            while start - 1 > first and shared_tokens + words[start - 1].tokens <= overlap:
                start -= 1
                shared_tokens += words[start].tokens
            first = start

    def _split_heavy_words(self, text: str, offset: int, space: int) -> Iterator[UncutSpan]:
        """The words of the text, with words longer than a window halved until they fit."""
        for word in self.split_words(text):
            if word.tokens <= space or word.end - word.start < 2:
                yield UncutSpan(word.start + offset, word.end + offset, word.tokens)
                continue
            middle = (word.start + word.end) // 2
            for start, end in ((word.start, middle), (middle, word.end)):
                yield from self._split_heavy_words(text[start:end], offset + start, space)


LATIN = frozenset({"LATIN"})
MIN_SCRIPT_PIECES, MIN_SCRIPT_CHARACTERS, SMALL_VOCABULARY_DIVISOR = 100, 2000, 10
"""A model reads a script if its vocabulary has pieces of several letters of it, or as many characters as Chinese needs.

Of a small vocabulary a tenth of the pieces is enough. That of all-MiniLM-L6-v2 has 27,533 pieces of Latin script, 8 of
Cyrillic, 4 of Greek, and 488 Chinese characters: 59 % of the characters of Chinese texts are unknown to it.
"""


@cache
def find_script(letter: str) -> str:
    """The script of a letter, as the first word of its name in Unicode; empty for other characters."""
    return unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""


def find_main_script(text: str) -> str:
    """The script of most letters of a text; empty for one without letters."""
    counts = Counter(script for letter in text if (script := find_script(letter)))
    return counts.most_common(1)[0][0] if counts else ""


def find_scripts(pieces: Sequence[str]) -> frozenset[str]:
    """The scripts that a model reads, from the pieces of its vocabulary as plain text."""
    piece_counts, character_counts = Counter[str](), Counter[str]()
    for letters in {"".join(filter(str.isalpha, piece)) for piece in pieces}:
        scripts = {find_script(letter) for letter in letters}
        if len(scripts) == 1:
            (character_counts if len(letters) == 1 else piece_counts).update(scripts)
    min_pieces, min_characters = (
        min(count, len(pieces) / SMALL_VOCABULARY_DIVISOR) for count in (MIN_SCRIPT_PIECES, MIN_SCRIPT_CHARACTERS)
    )
    known_scripts = {script for script, count in piece_counts.items() if count >= min_pieces}
    return frozenset(known_scripts | {script for script, count in character_counts.items() if count >= min_characters})


def is_written_in(text: str, scripts: Collection[str]) -> bool:
    """Whether at least half of the letters of a text are of the given scripts."""
    if text.isascii() and LATIN.issubset(scripts):
        return True
    letters = [script for letter in text if (script := find_script(letter))]
    return 2 * sum(script in scripts for script in letters) >= len(letters)


Device = Literal["auto", "cpu", "cuda"]
CUDA_DRIVER_FILES = (Path("/proc/driver/nvidia/version"), Path("/dev/dxg"))
"""The files that Linux has if NVIDIA's driver runs, and that Windows' subsystem for Linux has."""
CPU_BUILD_SUFFIX = "+cpu"  # The end of the versions of torch that were built without CUDA.


def check_device(device: Device) -> Device:
    """The same device. Raises `BadInput` if CUDA is required and surely missing; torch is not imported for that."""
    if device == "cuda" and (obstacle := _find_cuda_obstacle()):
        raise _make_device_error(obstacle)
    return device


def has_cuda(device: Device) -> bool:
    """Whether to compute on a CUDA device. Raises `BadInput` if one is required and missing."""
    if device == "cpu":
        return False
    problem = _find_cuda_obstacle() or _find_torch_obstacle()
    if problem and device == "cuda":
        raise _make_device_error(problem)
    return not problem


def _make_device_error(problem: str) -> BadInput:
    return BadInput(f"the device 'cuda' cannot be used: {problem}", "set the device to 'auto' or 'cpu'")


def _find_cuda_obstacle() -> str:
    """The reason why torch cannot find a CUDA device, as far as it is known without torch; else empty."""
    if not _has_driver():
        return "no driver of NVIDIA runs on this machine"
    try:
        torch_version = version("torch")
    except PackageNotFoundError:
        return "torch is not installed"
    return f"torch {torch_version} was built for processors alone" if torch_version.endswith(CPU_BUILD_SUFFIX) else ""


@cache
def _find_torch_obstacle() -> str:
    """The reason why torch cannot use a CUDA device; empty if it can."""
    import torch

    return "" if torch.cuda.is_available() else f"torch {torch.__version__} finds no device"


def _has_driver() -> bool:
    if sys.platform == "win32":
        return (Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32" / "nvcuda.dll").exists()
    return any(driver.exists() for driver in CUDA_DRIVER_FILES)
