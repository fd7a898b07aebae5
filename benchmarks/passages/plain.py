"""The yardstick: LangChain's recursive splitter as published, and dense search over its chunks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.passages.questions import Asked, Span
from tasks.embedders.embedder import Embedder

SEPARATORS = ("\n\n", "\n", ". ", " ", "")


def shown(texts: dict[str, str], asked: Sequence[Asked], embedder: Embedder, size: int, count: int) -> list[list[Span]]:
    """The spans of the `count` nearest chunks of each question's corpus; a chunk's first window is embedded."""
    questions = embedder.embed([each.text for each in asked])
    held = {name: spans(text, size) for name, text in texts.items()}
    vectors = {
        name: embedder.embed([embedder.cut_windows("", texts[name][start:end])[0] for start, end in held[name]])
        for name in texts
    }
    nearest = [
        np.argsort(-(vectors[each.corpus] @ question), kind="stable")[:count]
        for each, question in zip(asked, questions, strict=True)
    ]
    return [[held[each.corpus][place] for place in found] for each, found in zip(asked, nearest, strict=True)]


def spans(text: str, size: int) -> list[Span]:
    """The spans of the chunks of at most `size` characters, without overlap."""
    found: list[Span] = []
    at = 0
    for chunk in _split(text, SEPARATORS, size):
        at = text.index(chunk, at)
        found.append((at, at + len(chunk)))
        at += len(chunk)
    return found


def _split(text: str, separators: Sequence[str], size: int) -> Iterator[str]:
    """Split at the first separator there is, join small pieces, split what is too long at the next."""
    rank = next(number for number, separator in enumerate(separators) if separator in text)
    waiting = ""
    for piece in _pieces(text, separators[rank]):
        if len(waiting) + len(piece) > size and waiting.strip():
            yield waiting.strip()
            waiting = ""
        if len(piece) >= size and separators[rank]:
            if waiting.strip():
                yield waiting.strip()
            yield from _split(piece, separators[rank + 1 :], size)
            waiting = ""
        else:
            waiting += piece
    if waiting.strip():
        yield waiting.strip()


def _pieces(text: str, separator: str) -> list[str]:
    """The text cut before each separator."""
    return re.split(f"(?={re.escape(separator)})", text) if separator else list(text)
