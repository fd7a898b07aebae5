"""Two texts side by side, with the words in which they differ marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from dashboards.drawing.escaping import text_html

MOST_WORDS = 4_000
"""Words of each text that are compared: the comparison takes their product."""
_WORDS = re.compile(r"\w+|[^\w\s]")
Span = tuple[int, int]


def find_differences(one: str, other: str) -> tuple[list[Span], list[Span]]:
    """The spans of each text that the other has not, by its words and signs, whatever their case and spacing."""
    from rapidfuzz.distance import Indel

    first, second = list(_WORDS.finditer(one))[:MOST_WORDS], list(_WORDS.finditer(other))[:MOST_WORDS]
    steps = Indel.opcodes([each[0].lower() for each in first], [each[0].lower() for each in second])
    lost = [(step.src_start, step.src_end) for step in steps if step.tag == "delete"]
    gained = [(step.dest_start, step.dest_end) for step in steps if step.tag == "insert"]
    return list(_spans(first, lost)), list(_spans(second, gained))


def side_by_side_html(heads: tuple[str, str], texts: tuple[str, str]) -> str:
    """Both texts under their heads; words that only one has are marked, and said to be so."""
    spans = find_differences(*texts)
    sides = "".join(map(_side, heads, texts, spans, ("del", "ins")))
    return f'<div class="k-beside">{sides}</div>'


def is_truncated(texts: tuple[str, str]) -> bool:
    """Whether a text has more words than are compared."""
    return any(sum(1 for _ in _WORDS.finditer(text)) > MOST_WORDS for text in texts)


def _side(head: str, text: str, spans: Sequence[Span], tag: str) -> str:
    body = _marked(_first_words(text), spans, tag)
    return f'<section><h3>{text_html(head)}</h3><div class="k-near" dir="auto" tabindex="0">{body}</div></section>'


def _first_words(text: str) -> str:
    for number, word in enumerate(_WORDS.finditer(text), 1):
        if number == MOST_WORDS:
            return text[: word.end()]
    return text


def _marked(text: str, spans: Sequence[Span], tag: str) -> str:
    pieces, done = [], 0
    for start, end in spans:
        pieces.append(f"{escape(text[done:start])}<{tag}>{escape(text[start:end])}</{tag}>")
        done = end
    return "".join((*pieces, escape(text[done:])))


def _spans(words: Sequence[re.Match[str]], runs: Sequence[Span]) -> Iterator[Span]:
    return ((words[first].start(), words[last - 1].end()) for first, last in runs)
