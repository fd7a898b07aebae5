"""What the documents say to a question, word for word: the figure that it asks for, then sentences and table rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dashboards.assistant.leading import Lead, leads
from dashboards.assistant.records import Standing
from dashboards.assistant.tools.contract import ToolContext
from tasks.ask.certainty import ALSO, is_answered
from tasks.ask.extracts import Extract, RowFit, extracts
from tasks.parsers.language import language_of
from warehouse.records import Found, Hit, SearchRequest

MOST = 3
"""Quotations that an answer consists of, and passages that are listed where nothing answers surely."""
LISTED = 8
"""Quotations that the nearest passages are taken from."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotations, best first, and the passages that they are from by number.

    The passages are the hits in their order, after them those of figures where they are none of them. `absence` says
    what no document is about, where the answer is that.
    """

    hits: tuple[Hit, ...]
    extracts: tuple[Extract, ...]
    standing: Standing = Standing.ANSWER
    absence: str = ""


def quoted(context: ToolContext, wanted: SearchRequest, found: Found) -> Quoted:
    """The best of what was found for a question: the answer where it is sure, else what is nearest.

    Nothing is denied to a question in another language than English and Chinese: in German each noun has a capital,
    so its words for revenue and year would be taken for names that no document has.
    """
    absence = context.warehouse.absence(found.question)
    if absence and language_of(found.question.text) != "und":
        return Quoted(tuple(found.hits), (), Standing.ABSENT, absence)
    hits, best = candidates(context, wanted, found, LISTED)
    named = [each for each in best if each.signs.names > 0][:MOST]
    known = not context.warehouse.unknown_names(found.question)
    if known and is_answered([each.score for each in named]):
        return _of(found.hits, hits, [each for each in named if each.score >= ALSO], Standing.ANSWER)
    return _of(found.hits, hits, _nearest(best), Standing.NEAREST if best else Standing.ABSENT)


def _of(found: Sequence[Hit], hits: Sequence[Hit], best: Sequence[Extract], standing: Standing) -> Quoted:
    """The quotations with the passages found, and of those beside them the ones that are quoted."""
    beside = dict.fromkeys(each.hit for each in best if each.hit >= len(found))
    places = {old: new for new, old in enumerate([*range(len(found)), *beside])}
    return Quoted(
        tuple(hits[old] for old in places), tuple(replace(each, hit=places[each.hit]) for each in best), standing
    )


def candidates(
    context: ToolContext, wanted: SearchRequest, found: Found, count: int
) -> tuple[tuple[Hit, ...], list[Extract]]:
    """The passages found and those of figures, and what of them answers most surely."""
    hits, fits = _with_leads(found.hits, leads(context, wanted))
    return hits, extracts(found.question, hits, context.embedder, count, fits)


def _with_leads(hits: Sequence[Hit], found: Sequence[Lead]) -> tuple[tuple[Hit, ...], dict[tuple[int, str], RowFit]]:
    """The hits, then those of figures that are none of them; the rows of figures by number of the hit and text."""
    known = {hit.chunk_id: place for place, hit in enumerate(hits)}
    every, fits = list(hits), dict[tuple[int, str], RowFit]()
    for lead in found:
        if lead.hit.chunk_id not in known:
            known[lead.hit.chunk_id] = len(every)
            every.append(lead.hit)
        fits.setdefault((known[lead.hit.chunk_id], lead.text), lead.fit)
    return tuple(every), fits


def _nearest(best: Sequence[Extract]) -> list[Extract]:
    """The best quotation of each passage."""
    return list({each.hit: each for each in reversed(best)}.values())[::-1][:MOST]
