"""What is marked in a text: the question's words, and the dates and names that stand there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape

from dashboards.drawing.highlights import Highlight, HighlightKind
from dashboards.drawing.lines import PassageLine
from tasks.ask.units import Span
from warehouse.store.words import words

_TOKEN = re.compile(r"\w+(?:[.,'’]\w+)*")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_FUNCTION_WORDS = frozenset(
    words(
        "a about above after all an and any are as at be been before between both but by can could did do does during "
        "each for from had has have how i if in into is it its many may me much my no not of on or our over she should "
        "so some such than that the their them then there these they this those through to under up was we were what "
        "when where which while who whom whose why will with would you your"
    )
)


def query_words(question: str) -> frozenset[str]:
    """The words of a question that are worth marking: all but function words, unless there are no others."""
    found = frozenset(words(question))
    return found - _FUNCTION_WORDS or found


def mark_words(text: str, asked: frozenset[str]) -> str:
    """The text as escaped HTML with `<mark>` around words that share a stem with one of `asked`."""
    pieces, done = [], 0
    for start, end in _joined(_spans(text, asked)):
        pieces.append(f"{escape(text[done:start])}<mark>{escape(text[start:end])}</mark>")
        done = end
    return "".join((*pieces, escape(text[done:])))


def highlight_line(line: PassageLine, marks: Sequence[Highlight], draw: Callable[[str], str]) -> str:
    """A line as HTML, with each mark's part of it set off and what is known of it told; `draw` draws the words.

    The marks are in the places of the passage, rising and apart.
    """
    pieces, done = [], line.start
    for mark in marks:
        low, high = max(mark.start, line.start), min(mark.end, line.end)
        if low < high:
            pieces += [draw(_cut(line, done, low)), _set_off(mark, draw(_cut(line, low, high)))]
            done = high
    return "".join((*pieces, draw(_cut(line, done, line.end))))


def quote_line(
    line: PassageLine, marks: Sequence[Highlight], quoted: Sequence[Span], draw: Callable[[str], str]
) -> str:
    """A line as `highlight_line` draws it, what lies within the spans `quoted` of the passage set off as on pages."""
    pieces, done = [], line.start
    for start, end in _joined(iter(sorted(quoted))):
        low, high = max(start, line.start), min(end, line.end)
        if low < high:
            meant = highlight_line(_part(line, low, high), marks, draw)
            pieces += [highlight_line(_part(line, done, low), marks, draw), f'<mark class="k-quoted">{meant}</mark>']
            done = high
    return "".join((*pieces, highlight_line(_part(line, done, line.end), marks, draw)))


def _part(line: PassageLine, start: int, end: int) -> PassageLine:
    return PassageLine(start, _cut(line, start, end))


def _cut(line: PassageLine, start: int, end: int) -> str:
    return line.text[start - line.start : end - line.start]


def _set_off(mark: Highlight, html: str) -> str:
    """A pointer reads what is known of a date in its title, a screen reader behind it."""
    told = escape(mark.meaning)
    heard = f'<span class="k-heard"> ({told})</span>' if mark.kind is HighlightKind.DATE else ""
    return f'<span class="k-{mark.kind}" title="{told}">{html}{heard}</span>'


def _spans(text: str, asked: frozenset[str]) -> Iterator[Span]:
    for found in _TOKEN.finditer(text):
        if _HAN.search(found.group()):
            yield from sorted(_chinese(found.group(), found.start(), asked))
        elif any(word in asked for word in words(found.group())):
            yield found.span()


def _chinese(token: str, offset: int, asked: frozenset[str]) -> Iterator[Span]:
    for word in asked:
        if len(word) > 1 or len(asked) == 1:
            for found in re.finditer(re.escape(word), token, re.IGNORECASE):
                yield found.start() + offset, found.end() + offset


def _joined(spans: Iterator[Span]) -> Iterator[Span]:
    """Overlapping and touching spans made one."""
    start = end = -1
    for low, high in spans:
        if low <= end:
            end = max(end, high)
            continue
        if end > start:
            yield start, end
        start, end = low, high
    if end > start:
        yield start, end
