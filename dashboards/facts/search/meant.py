"""Which spans of a hit answer: what its page shows boxed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tasks.ask.asking import content_words
from tasks.ask.extracts import Extract
from tasks.ask.units import Span, is_table, units
from warehouse.records import Hit
from warehouse.store.words import words


def answer_spans(hit: Hit, number: int, quotes: Iterable[Extract], question: str) -> tuple[Span, ...]:
    """The spans, in the document's text, of what is quoted of hit `number` (from 0), of table rows the row alone.

    Without a quotation those of its excerpt; of a table in it only the rows that share most words with the question.
    """
    quoted = [span for quote in quotes if quote.hit == number and (span := _quoted_span(hit, quote.text))]
    return tuple(sorted(quoted or _excerpt_spans(hit, frozenset(content_words(question)))))


def _quoted_span(hit: Hit, quote: str) -> Span | None:
    """Where a quotation stands. Of a table's head and a row, the row: it is the last line."""
    lines = quote.splitlines()
    told = lines[-1] if len(lines) > 1 and all(line.startswith("|") for line in lines) else quote
    place = hit.text.find(told)
    return (hit.start + place, hit.start + place + len(told)) if place >= 0 else None


def _excerpt_spans(hit: Hit, asked: frozenset[str]) -> Iterator[Span]:
    start, end = hit.excerpt or (hit.start, hit.end)
    text = hit.text[start - hit.start : end - hit.start]
    for low, high in units(text):
        unit = text[low:high]
        spans: Sequence[Span] = _best_rows(unit, asked) if is_table(unit) else ()
        yield from ((start + low + first, start + low + last) for first, last in spans or [(0, len(unit))])


def _best_rows(table: str, asked: frozenset[str]) -> list[Span]:
    """The rows whose labels hold most of the words, of those the ones with the fewest others; none without any."""
    place, held = 0, list[tuple[int, int, Span]]()
    for line in table.splitlines(keepends=True):
        shown = line.rstrip("\r\n")
        label = words(shown.strip("| ").partition("|")[0]) if shown.startswith("|") else []
        common = len(asked.intersection(label))
        if common:
            held.append((-common, len(label), (place, place + len(shown))))
        place += len(line)
    best = min((rank[:2] for rank in held), default=None)
    return [span for *rank, span in held if tuple(rank) == best]
