"""The answer without a language model: what the documents say, word for word, with their sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dashboards.assistant.quoting import Quoted, quoted
from dashboards.assistant.records import Answer, AnswerKind, Piece, Progress, Source, Standing, Tell
from dashboards.assistant.tools.contract import ToolContext
from tasks.ask.extracts import Extract, quoted_spans
from tasks.ask.finding import find
from tasks.embedders.contract import question_vector
from warehouse.records import Hit, SearchRequest

SILENCE = "No passage was found. Ask in other words, or within fewer limits."
"""What is said where no passage is found at all."""
NEAREST = "No direct quote found. Closest passages:"
"""What is said above passages none of which answers surely."""

NOTHING_NEW = "The documents say no more of this than was quoted before."
"""What a follow-up is told where all that answers it was quoted already."""


def extracted(
    context: ToolContext, wanted: SearchRequest, *, tell: Tell, before: Sequence[str] = (), repeats_best: bool = False
) -> Answer:
    """The best sentences and table rows of the passages found. Raises what `find` raises.

    What the answers `before` of a conversation quoted is not quoted again, but the best quotation with `repeats_best`.
    """
    if not context.embedder.is_loaded:
        tell(Progress("Loading the language model that embeds questions"))
        # Read here, so that what is told next begins when it is said to.
        question_vector(context.embedder, wanted.text)
    tell(Progress("Searching the documents"))
    found = find(context.warehouse, wanted, context.embedder, context.today)
    passages = "1 passage" if len(found.hits) == 1 else f"{len(found.hits)} passages"
    tell(Progress(f"Reading {passages} for sentences and figures that answer"))
    said = quoted(context, wanted, found)
    fresh = _fresh(said, before, repeats_best=repeats_best)
    if said.extracts and not fresh:
        # All of it was quoted: what the other passages say.
        seen = {said.hits[each.hit].chunk_id for each in said.extracts}
        said = quoted(
            context, wanted, replace(found, hits=tuple(hit for hit in found.hits if hit.chunk_id not in seen))
        )
        fresh = _fresh(said, before, repeats_best=False)
        if not fresh:
            tell(Piece(NOTHING_NEW))
            return Answer(NOTHING_NEW, AnswerKind.EXTRACTS, notes=found.notes, hits=found.hits, standing=said.standing)
    said = replace(said, extracts=fresh)
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


def _fresh(said: Quoted, before: Sequence[str], *, repeats_best: bool) -> tuple[Extract, ...]:
    """The quotations that no answer before has, and the best of all with `repeats_best`."""
    known = [" ".join(text.split()) for text in before]
    return tuple(
        each
        for place, each in enumerate(said.extracts)
        if (repeats_best and place == 0) or not any(" ".join(each.text.split()) in text for text in known)
    )


def _source(number: int, hit: Hit, place: int, extracts: Sequence[Extract]) -> Source:
    spans = [span for each in extracts if each.hit == place for span in quoted_spans(hit, each.text)]
    return Source(number, hit, tuple(dict.fromkeys(spans)))


def _drawn(extract: Extract) -> str:
    """A sentence in quotation marks, or rows below what their figures are in where their own words do not say it."""
    if not extract.text.startswith("|"):
        return f"“{' '.join(extract.text.split())}”"
    return f"Figures {extract.scale}:\n\n{extract.text}" if extract.scale else extract.text
