"""The answer without a language model: what the documents say, word for word, with their sources."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.chat.quoting import quoted
from dashboards.chat.records import Answer, AnswerKind, Piece, Source, Standing, Tell
from dashboards.tools.contract import Desk
from tasks.ask.extracts import Extract, quoted_spans
from tasks.ask.finding import find
from warehouse.records import Hit, Wanted

SILENCE = "The documents do not say."
"""What is said where no passage is found at all."""
NEAREST = "Nothing answers surely; nearest passages:"
"""What is said above passages none of which answers surely."""


def extracted(desk: Desk, wanted: Wanted, *, tell: Tell) -> Answer:
    """The best sentences and table rows of the passages found. Raises what `find` raises."""
    found = find(desk.warehouse, wanted, desk.embedder, desk.today)
    said = quoted(desk, wanted, found)
    numbers = {hit: number for number, hit in enumerate(dict.fromkeys(each.hit for each in said.extracts), 1)}
    sources = tuple(_source(number, said.hits[hit], hit, said.extracts) for hit, number in numbers.items())
    blocks = [f"{_drawn(each)} [{numbers[each.hit]}]" for each in said.extracts]
    head = [NEAREST] if said.standing is Standing.NEAREST else []
    text = "\n\n".join([*head, *blocks]) if blocks else said.absence or SILENCE
    for source in sources:
        tell(source)
    tell(Piece(text))
    return Answer(
        text,
        AnswerKind.EXTRACTS,
        sources,
        notes=found.notes,
        hits=said.hits,
        extracts=said.extracts,
        standing=said.standing,
    )


def _source(number: int, hit: Hit, place: int, extracts: Sequence[Extract]) -> Source:
    spans = [span for each in extracts if each.hit == place for span in quoted_spans(hit, each.text)]
    return Source(number, hit, tuple(dict.fromkeys(spans)))


def _drawn(extract: Extract) -> str:
    """A sentence in quotation marks, or rows below what their figures are in where their own words do not say it."""
    if not extract.text.startswith("|"):
        return f"“{' '.join(extract.text.split())}”"
    return f"Figures {extract.scale}:\n\n{extract.text}" if extract.scale else extract.text
