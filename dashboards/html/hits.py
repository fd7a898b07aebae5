"""Hits of a search, quotations, and sources of an answer as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from dashboards.html.passage_markup import (
    Highlight,
    extract_beginning,
    is_row,
    parse_table_grid,
    render_passage,
    render_quotes,
)
from dashboards.html.safe_text import escape_text, render_line, sanitize_url
from tasks.ask.explanations import iter_hit_notes
from tasks.ask.extracts import Extract, cite_quotations
from tasks.ask.passage_units import Span, split_units
from warehouse.records import Citation, Hit

PART_COLOURS = 5  # Colours of the parts of a score; a sixth part has that of the first.
WHOLE_SHARE = 0.9
"""Share of the shown text from which boxes say nothing: where so much of it is quoted, none of it is boxed."""
_CHUNK = re.compile(r"(?<=[(,] )Chunk (?=\d)|(?<=\()Chunk (?=\d)")


def render_best_quotes(extracts: Sequence[Extract], hits: Sequence[Hit], terms: frozenset[str]) -> str:
    """The quotations that answer best, best first; successive ones of one hit share its number and location."""
    items = []
    for number, group in groupby(extracts, key=lambda extract: extract.hit):
        hit, texts = hits[number], [extract.text for extract in group]
        citation = cite_quotations(hit, *texts)
        origin = f"[{number + 1}] {escape_text(citation.label)}, {escape_text(describe_location(citation))}"
        quotes = render_quotes(texts, hit.headed_text, terms)
        items.append(f'<li>{quotes}<p class="k-from">{origin}</p></li>')
    return f'<ul class="k-answer">{"".join(items)}</ul>'


def render_hit(
    number: int,
    hit: Hit,
    terms: frozenset[str],
    highlights: Sequence[Highlight] = (),
    quotes: Sequence[Span] = (),
    *,
    explain: bool = True,
) -> str:
    """One hit: the part that answers, the whole passage folded below it, and its score as a bar of its parts.

    `highlights` have offsets in the passage; `quotes`, the spans that the picture of its page shows boxed, have
    offsets in the document. With `explain` the value of each part of the score is shown.
    """
    citation, link, name = hit.citation, sanitize_url(hit.citation.url), escape_text(hit.citation.label)
    title = f'<a href="{escape(link)}" target="_blank" rel="noopener noreferrer">{name}</a>' if link else name
    location = render_line((describe_location(citation), citation.shown_date, " › ".join(citation.section)))
    duplicates = "".join(f'<p class="k-from">{escape_text(words)}</p>' for words in iter_hit_notes(hit))
    return (
        f'<article class="k-hit"><header><span class="k-number">{number}</span><div>'
        f"<h3>{title}</h3>{location}</div></header>{_render_hit_text(hit, terms, highlights, quotes)}{duplicates}"
        f"<footer>{_render_score(hit)}{_render_score_parts(hit) if explain else ''}</footer></article>"
    )


def _render_hit_text(hit: Hit, terms: frozenset[str], highlights: Sequence[Highlight], quotes: Sequence[Span]) -> str:
    """The part that answers with its quotes boxed, or the beginning of the passage, then the whole passage folded."""
    local_spans = [(start - hit.start, end - hit.start) for start, end in quotes]
    start, end = _find_answering_span(hit, local_spans)
    if sum(high - low for low, high in local_spans) >= WHOLE_SHARE * (end - start):
        local_spans = []
        start, end = _find_answering_span(hit, local_spans)
    passage_html = render_passage(hit.text, terms, highlights, local_spans, table_head=hit.table_head)
    if start < end:
        inside = [(low - start, high - start) for low, high in local_spans]
        local_highlights = [
            replace(highlight, start=highlight.start - start, end=highlight.end - start) for highlight in highlights
        ]
        after = [local_highlight for local_highlight in local_highlights if local_highlight.end > 0]
        head = hit.find_head_above(start)
        excerpt = render_passage(hit.text[start:end], terms, after, inside, table_head=head, shorten_tables=True)
    else:
        beginning = extract_beginning(hit.text)
        excerpt = passage_html if beginning == hit.text else render_passage(beginning, terms, table_head=hit.table_head)
    more = f'<details class="k-whole"><summary>Whole passage</summary>{passage_html}</details>'
    return excerpt if excerpt == passage_html else f"{excerpt}{more}"


def _find_answering_span(hit: Hit, spans: Sequence[Span]) -> Span:
    """From the first to the last of the excerpt and the sentences and tables that are boxed; empty without any."""
    touched_units = [
        unit for unit in split_units(hit.text) if any(low < unit[1] and high > unit[0] for low, high in spans)
    ]
    if hit.excerpt:
        touched_units.append((hit.excerpt[0] - hit.start, hit.excerpt[1] - hit.start))
    return min((start for start, _ in touched_units), default=0), max((end for _, end in touched_units), default=0)


def describe_location(citation: Citation) -> str:
    """The location of a passage in its document, as pages name it: "passage 2" for a citation's "Chunk 2"."""
    return citation.location.replace("Chunk ", "passage " if citation.place else "Passage ")


def _render_score(hit: Hit) -> str:
    """The score with a bar of its parts, from 0 to 1; none for a passage that was looked up, like that of a figure."""
    if hit.dense is None and hit.keyword is None and not hit.parts:
        return '<span class="k-score">Found in the tables</span>'
    bar = "".join(
        f'<i class="k-part-{index % PART_COLOURS}" style="width:{round(100 * min(max(part.value, 0.0), 1.0), 1)}%"></i>'
        for index, part in enumerate(hit.parts)
    )
    values = escape(", ".join(f"{part.name} {part.value:.3f}" for part in hit.parts))
    return (
        f'<span class="k-score">relevance <strong>{hit.score:.3f}</strong></span>'
        f'<span class="k-bar" aria-hidden="true" title="{values}">{bar}</span>'
    )


def _render_score_parts(hit: Hit) -> str:
    parts = "".join(
        f'<span class="k-score"><i class="k-dot k-part-{index % PART_COLOURS}" aria-hidden="true"></i>'
        f"{escape_text(part.name)} <strong>{part.value:.3f}</strong></span>"
        for index, part in enumerate(hit.parts)
    )
    values = {
        "cosine": "" if hit.dense is None else f"{hit.dense:.3f}",
        "BM25": "" if hit.keyword is None else f"{hit.keyword:.1f}",
        "quality": f"{hit.citation.quality:.2f}",
    }
    items = (f'<span class="k-score">{name} <strong>{value}</strong></span>' for name, value in values.items() if value)
    return f'{parts}<span class="k-aside">{"".join(items)}</span>'


def render_source_heading(number: int, citation: str) -> str:
    """A source's number, name and location, from its citation."""
    label, *place_parts = citation.partition("\n")[0].split(" | ")
    name = escape_text(format_source_name(label))
    return (
        f'<div class="k-hit"><header><span class="k-number">{number}</span><div><h3>{name}</h3>'
        f'<p class="k-where">{escape_text(" · ".join(place_parts))}</p></div></header></div>'
    )


def format_source_name(line: str) -> str:
    """The name and location of a source from its citation, in the words of the pages: "passage" for "Chunk"."""
    return _CHUNK.sub("passage ", line.partition(" | ")[0])


def render_source_quotes(quotes: Sequence[str]) -> str:
    """The quotes of a source, each on one line."""
    lines = (
        " · ".join(cell for row in parse_table_grid([quote]).body for cell in row)
        if is_row(quote)
        else " ".join(quote.split())
        for quote in quotes
    )
    return "".join(f'<p class="k-quote">{escape_text(line)}</p>' for line in lines)


def render_question(question: str) -> str:
    """A question as it was typed."""
    return f'<p class="k-asked">{escape_text(question)}</p>'
