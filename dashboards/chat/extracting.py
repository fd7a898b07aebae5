"""The answer without a language model: what the documents say, word for word, with their sources."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.chat.quoting import quoted
from dashboards.chat.records import Answer, AnswerKind, Piece, Source, Tell
from dashboards.tools.contract import Desk
from tasks.ask.extracts import Extract, quoted_spans
from tasks.ask.finding import find
from warehouse.records import Hit, Wanted

SILENCE = "The documents do not say."
"""What is said where nothing fits the question, whoever answers."""


def extracted(desk: Desk, wanted: Wanted, *, tell: Tell) -> Answer:
    """The best sentences and table rows of the passages found. Raises what `find` raises."""
    found = find(desk.warehouse, wanted, desk.embedder, desk.today)
    said = quoted(desk, wanted, found)
    numbers = {hit: number for number, hit in enumerate(dict.fromkeys(each.hit for each in said.extracts), 1)}
    sources = tuple(_source(number, said.hits[hit], hit, said.extracts) for hit, number in numbers.items())
    text = "\n\n".join(f"{_drawn(each.text)} [{numbers[each.hit]}]" for each in said.extracts) or SILENCE
    for source in sources:
        tell(source)
    tell(Piece(text))
    return Answer(text, AnswerKind.EXTRACTS, sources, notes=found.notes, hits=said.hits, extracts=said.extracts)


def _source(number: int, hit: Hit, place: int, extracts: Sequence[Extract]) -> Source:
    spans = [span for each in extracts if each.hit == place for span in quoted_spans(hit, each.text)]
    return Source(number, hit, tuple(dict.fromkeys(spans)))


def _drawn(text: str) -> str:
    return text if text.startswith("|") else f"“{' '.join(text.split())}”"
