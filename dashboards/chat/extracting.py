"""The answer without a language model: what the documents say, word for word, with their sources."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.chat.leading import Lead, lead
from dashboards.chat.records import Answer, AnswerKind, Piece, Source, Tell
from dashboards.tools.contract import Desk
from tasks.ask.extracts import Extract, extracts
from tasks.ask.finding import find
from warehouse.records import Hit, Wanted

MOST = 3
"""Quotations that an answer consists of."""
SILENCE = "The documents do not say."
"""What is said where nothing fits the question, whoever answers."""


def extracted(desk: Desk, wanted: Wanted, *, tell: Tell) -> Answer:
    """The best sentences and table rows of the passages found. Raises what `find` raises."""
    found = find(desk.warehouse, wanted, desk.embedder, desk.today)
    hits, quoted = _led(lead(desk, wanted), found.hits, extracts(found.question, found.hits, desk.embedder, MOST))
    numbers = {hit: number for number, hit in enumerate(dict.fromkeys(each.hit for each in quoted), 1)}
    sources = tuple(_source(number, hits[hit], hit, quoted) for hit, number in numbers.items())
    text = "\n\n".join(f"{_drawn(each.text)} [{numbers[each.hit]}]" for each in quoted) or SILENCE
    for source in sources:
        tell(source)
    tell(Piece(text))
    return Answer(text, AnswerKind.EXTRACTS, sources, notes=found.notes, hits=hits, extracts=tuple(quoted))


def _led(
    leading: Lead | None, hits: Sequence[Hit], quoted: Sequence[Extract]
) -> tuple[tuple[Hit, ...], Sequence[Extract]]:
    """The hits and quotations with the figure before all others, where there is one; no row is quoted twice."""
    if leading is None:
        return tuple(hits), quoted
    held = next((place for place, hit in enumerate(hits) if hit.chunk_id == leading.hit.chunk_id), len(hits))
    known = (*hits, leading.hit) if held == len(hits) else tuple(hits)
    others = [each for each in quoted if each.text != leading.text]
    return known, [leading.extract(held), *others][:MOST]


def _source(number: int, hit: Hit, place: int, quoted: Sequence[Extract]) -> Source:
    lines = [line for each in quoted if each.hit == place for line in _lines(hit, each.text)]
    starts = [hit.start + hit.text.index(line) for line in lines]
    spans = [(start, start + len(line)) for start, line in zip(starts, lines, strict=True)]
    return Source(number, hit, tuple(dict.fromkeys(spans)))


def _lines(hit: Hit, text: str) -> list[str]:
    """What stands together in the passage: a sentence whole, of a table its head and the row apart."""
    return [text] if text in hit.text else [line for line in text.split("\n") if line in hit.text]


def _drawn(text: str) -> str:
    return text if text.startswith("|") else f"“{' '.join(text.split())}”"
