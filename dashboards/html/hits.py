"""Hits of a search, quotations, and sources of an answer as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from dashboards.html.passage_markup import Highlight, is_row, passage_beginning, passage_html, quotes_html, table_grid
from dashboards.html.safe_text import line_html, text_html, web_link
from tasks.ask.explanations import iter_hit_notes
from tasks.ask.extracts import Extract, cite_quotations
from tasks.ask.passage_units import Span, split_units
from warehouse.records import Citation, Hit

PART_COLOURS = 5  # Colours of the parts of a score; a sixth part has that of the first.
WHOLE_SHARE = 0.9
"""Share of the shown text from which boxes say nothing: where so much of it is quoted, none of it is boxed."""
_CHUNK = re.compile(r"(?<=[(,] )Chunk (?=\d)|(?<=\()Chunk (?=\d)")


def best_quotes_html(extracts: Sequence[Extract], hits: Sequence[Hit], terms: frozenset[str]) -> str:
    """The quotations that answer best, best first; successive ones of one hit share its number and location."""
    items = []
    for number, group in groupby(extracts, key=lambda extract: extract.hit):
        hit, texts = hits[number], [extract.text for extract in group]
        cited = cite_quotations(hit, *texts)
        origin = f"[{number + 1}] {text_html(cited.label)}, {text_html(location_words(cited))}"
        quotes = quotes_html(texts, hit.headed_text, terms)
        items.append(f'<li>{quotes}<p class="k-from">{origin}</p></li>')
    return f'<ul class="k-answer">{"".join(items)}</ul>'


def hit_html(
    number: int,
    hit: Hit,
    terms: frozenset[str],
    highlights: Sequence[Highlight] = (),
    quoted: Sequence[Span] = (),
    *,
    explain: bool = True,
) -> str:
    """One hit: the part that answers, the whole passage folded below it, and its score as a bar of its parts.

    `highlights` have offsets in the passage; `quoted`, the spans that the picture of its page shows boxed, have offsets
    in the document. With `explain` the value of each part of the score is shown.
    """
    citation, link, name = hit.citation, web_link(hit.citation.url), text_html(hit.citation.label)
    title = f'<a href="{escape(link)}" target="_blank" rel="noopener noreferrer">{name}</a>' if link else name
    location = line_html((location_words(citation), citation.shown_date, " › ".join(citation.section)))
    duplicates = "".join(f'<p class="k-from">{text_html(words)}</p>' for words in iter_hit_notes(hit))
    return (
        f'<article class="k-hit"><header><span class="k-number">{number}</span><div>'
        f"<h3>{title}</h3>{location}</div></header>{_passage(hit, terms, highlights, quoted)}{duplicates}"
        f"<footer>{_score(hit)}{_score_parts(hit) if explain else ''}</footer></article>"
    )


def _passage(hit: Hit, terms: frozenset[str], highlights: Sequence[Highlight], quoted: Sequence[Span]) -> str:
    """The part that answers, with its quotes boxed, else the beginning of the passage; then all of it, folded."""
    boxed = [(start - hit.start, end - hit.start) for start, end in quoted]
    start, end = _answering_span(hit, boxed)
    if sum(high - low for low, high in boxed) >= WHOLE_SHARE * (end - start):
        boxed = []
        start, end = _answering_span(hit, boxed)
    whole = passage_html(hit.text, terms, highlights, boxed, table_head=hit.table_head)
    if start < end:
        inside = [(low - start, high - start) for low, high in boxed]
        shifted = [replace(each, start=each.start - start, end=each.end - start) for each in highlights]
        after = [each for each in shifted if each.end > 0]
        head = hit.find_head_above(start)
        excerpt = passage_html(hit.text[start:end], terms, after, inside, table_head=head, shorten_tables=True)
    else:
        beginning = passage_beginning(hit.text)
        excerpt = whole if beginning == hit.text else passage_html(beginning, terms, table_head=hit.table_head)
    more = f'<details class="k-whole"><summary>Whole passage</summary>{whole}</details>'
    return excerpt if excerpt == whole else f"{excerpt}{more}"


def _answering_span(hit: Hit, boxed: Sequence[Span]) -> Span:
    """From the first to the last of the excerpt and the sentences and tables that are boxed; empty without any."""
    touched = [unit for unit in split_units(hit.text) if any(low < unit[1] and high > unit[0] for low, high in boxed)]
    if hit.excerpt:
        touched.append((hit.excerpt[0] - hit.start, hit.excerpt[1] - hit.start))
    return min((start for start, _ in touched), default=0), max((end for _, end in touched), default=0)


def location_words(citation: Citation) -> str:
    """The location of a passage in its document, as pages name it: "passage 2" for a citation's "Chunk 2"."""
    return citation.location.replace("Chunk ", "passage " if citation.place else "Passage ")


def _score(hit: Hit) -> str:
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


def _score_parts(hit: Hit) -> str:
    parts = "".join(
        f'<span class="k-score"><i class="k-dot k-part-{index % PART_COLOURS}" aria-hidden="true"></i>'
        f"{text_html(part.name)} <strong>{part.value:.3f}</strong></span>"
        for index, part in enumerate(hit.parts)
    )
    values = {
        "cosine": "" if hit.dense is None else f"{hit.dense:.3f}",
        "BM25": "" if hit.keyword is None else f"{hit.keyword:.1f}",
        "quality": f"{hit.citation.quality:.2f}",
    }
    items = (f'<span class="k-score">{name} <strong>{value}</strong></span>' for name, value in values.items() if value)
    return f'{parts}<span class="k-aside">{"".join(items)}</span>'


def source_heading_html(number: int, citation: str) -> str:
    """A source's number, name and location, from its citation."""
    name, *rest = citation.partition("\n")[0].split(" | ")
    return (
        f'<div class="k-hit"><header><span class="k-number">{number}</span><div><h3>{text_html(source_name(name))}</h3>'
        f'<p class="k-where">{text_html(" · ".join(rest))}</p></div></header></div>'
    )


def source_name(line: str) -> str:
    """The name and location of a source from its citation, in the words of the pages: "passage" for "Chunk"."""
    return _CHUNK.sub("passage ", line.partition(" | ")[0])


def source_quotes_html(quotes: Sequence[str]) -> str:
    """The quotes of a source, each on one line."""
    lines = (
        " · ".join(cell for row in table_grid([quote]).body for cell in row)
        if is_row(quote)
        else " ".join(quote.split())
        for quote in quotes
    )
    return "".join(f'<p class="k-quote">{text_html(line)}</p>' for line in lines)


def question_html(question: str) -> str:
    """A question as it was typed."""
    return f'<p class="k-asked">{text_html(question)}</p>'
