"""Hits of a search, quotations, and sources of an answer as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from dashboards.html.passage_markup import Highlight, is_row, passage_beginning, passage_html, quotes_html, table_grid
from dashboards.html.safe_text import text_html, web_link
from tasks.ask.explanations import also_words
from tasks.ask.extracts import Extract, citation_of
from tasks.ask.units import Span, units
from warehouse.records import Citation, Hit

PARTS = 5
"""How many looks the parts of a score have; a sixth part looks like the first."""
ALL = 0.9
"""Where so much of what is shown is meant, nothing of it is set off."""


def best_quotes_html(extracts: Sequence[Extract], hits: Sequence[Hit], asked: frozenset[str]) -> str:
    """The quotations that answer best, best first; neighbours from one hit share its number and place."""
    items = []
    for number, group in groupby(extracts, key=lambda extract: extract.hit):
        hit, texts = hits[number], [extract.text for extract in group]
        cited = citation_of(hit, texts[0])
        origin = f"[{number + 1}] {text_html(cited.label)}, {text_html(location_words(cited))}"
        quotes = quotes_html(texts, hit.text, asked)
        items.append(f'<li>{quotes}<p class="k-from">{origin}</p></li>')
    return f'<ul class="k-answer">{"".join(items)}</ul>'


def hit_html(
    number: int,
    hit: Hit,
    asked: frozenset[str],
    marks: Sequence[Highlight] = (),
    meant: Sequence[Span] = (),
    *,
    explain: bool = True,
) -> str:
    """One hit: the part that answers, the whole passage below it to be opened, and its score as a bar of its parts.

    The `marks` are in the places of the passage. What its page shows boxed are the spans `meant`, in the places of the
    document. `explain` tells what each part gives.
    """
    citation = hit.citation
    told = f"{_parts(hit)}{_scores(hit)}" if explain else ""
    return (
        f'<article class="k-hit"><header><span class="k-number">{number}</span><div>'
        f"<h3>{_label(citation)}</h3>{_where(citation)}</div></header>"
        f"{_passage(hit, asked, marks, meant)}{_also(hit)}<footer>{_score(hit)}{told}</footer></article>"
    )


def _passage(hit: Hit, asked: frozenset[str], marks: Sequence[Highlight], meant: Sequence[Span]) -> str:
    """The part that answers with what is meant of it; of a passage without one its beginning."""
    quoted = [(start - hit.start, end - hit.start) for start, end in meant]
    start, end = _told(hit, quoted)
    if sum(high - low for low, high in quoted) >= ALL * (end - start):
        quoted = []
        start, end = _told(hit, quoted)
    whole = passage_html(hit.text, asked, marks, quoted)
    if start < end:
        inside = [(low - start, high - start) for low, high in quoted]
        shown = passage_html(hit.text[start:end], asked, _moved(marks, start), inside, closely=True)
    else:
        begun = passage_beginning(hit.text)
        shown = whole if begun == hit.text else passage_html(begun, asked)
    more = f'<details class="k-whole"><summary>Whole passage</summary>{whole}</details>'
    return shown if shown == whole else f"{shown}{more}"


def _told(hit: Hit, quoted: Sequence[Span]) -> Span:
    """What of a passage holds its excerpt and the sentences and tables that are quoted; empty without any."""
    touched = [unit for unit in units(hit.text) if any(low < unit[1] and high > unit[0] for low, high in quoted)]
    if hit.excerpt:
        touched.append((hit.excerpt[0] - hit.start, hit.excerpt[1] - hit.start))
    return min((start for start, _ in touched), default=0), max((end for _, end in touched), default=0)


def _moved(marks: Sequence[Highlight], start: int) -> list[Highlight]:
    """The marks in the places of a part that begins at `start`."""
    return [replace(mark, start=mark.start - start, end=mark.end - start) for mark in marks if mark.end > start]


def _also(hit: Hit) -> str:
    return "".join(f'<p class="k-from">{text_html(words)}</p>' for words in also_words(hit))


def _label(citation: Citation) -> str:
    link = web_link(citation.url)
    name = text_html(citation.label)
    return f'<a href="{escape(link)}" target="_blank" rel="noopener noreferrer">{name}</a>' if link else name


def location_words(citation: Citation) -> str:
    """Where a passage is in its document, in the words of the pages; a citation keeps its own ("Chunk 2")."""
    return citation.location.replace("Chunk ", "passage " if citation.page else "Passage ")


def _where(citation: Citation) -> str:
    section = " › ".join(citation.section)
    shown = [text_html(part) for part in (location_words(citation), citation.shown_date, section) if part]
    return f'<p class="k-where">{" · ".join(shown)}</p>'


def _score(hit: Hit) -> str:
    """The score and its bar, each part as long as what it gives of the most there is.

    A passage that was looked up, as that of a figure is, has none.
    """
    if hit.dense is None and hit.keyword is None and not hit.parts:
        return '<span class="k-score">Found in the tables</span>'
    looks = [(f"k-part-{place % PARTS}", part) for place, part in enumerate(hit.parts)]
    bar = "".join(f'<i class="{look}" style="width:{_percent(part.value)}%"></i>' for look, part in looks)
    told = escape(", ".join(f"{part.name} {part.value:.3f}" for part in hit.parts))
    return (
        f'<span class="k-score">relevance <strong>{hit.score:.3f}</strong></span>'
        f'<span class="k-bar" aria-hidden="true" title="{told}">{bar}</span>'
    )


def _parts(hit: Hit) -> str:
    return "".join(
        f'<span class="k-score"><i class="k-dot k-part-{place % PARTS}" aria-hidden="true"></i>{text_html(part.name)} '
        f"<strong>{part.value:.3f}</strong></span>"
        for place, part in enumerate(hit.parts)
    )


def _scores(hit: Hit) -> str:
    shown = {
        "cosine": "" if hit.dense is None else f"{hit.dense:.3f}",
        "BM25": "" if hit.keyword is None else f"{hit.keyword:.1f}",
        "quality": f"{hit.citation.quality:.2f}",
    }
    told = (f'<span class="k-score">{name} <strong>{value}</strong></span>' for name, value in shown.items() if value)
    return f'<span class="k-aside">{"".join(told)}</span>'


def _percent(value: float) -> float:
    return round(100 * min(max(value, 0.0), 1.0), 1)


_CHUNK = re.compile(r"(?<=[(,] )Chunk (?=\d)|(?<=\()Chunk (?=\d)")


def source_heading_html(number: int, citation: str) -> str:
    """A source's number, name and place, from its citation."""
    name, *rest = citation.partition("\n")[0].split(" | ")
    where = " · ".join(rest)
    name = source_name(name)
    return (
        f'<div class="k-hit"><header><span class="k-number">{number}</span><div><h3>{text_html(name)}</h3>'
        f'<p class="k-where">{text_html(where)}</p></div></header></div>'
    )


def source_name(line: str) -> str:
    """The name and place of a source from its citation, in the words of the dashboard: a chunk is a passage there."""
    return _CHUNK.sub("passage ", line.partition(" | ")[0])


def source_quotes_html(quotes: Sequence[str]) -> str:
    """What was quoted of a source, in short."""
    return "".join(f'<p class="k-quote">{text_html(_in_short(quote))}</p>' for quote in quotes)


def _in_short(quote: str) -> str:
    if is_row(quote):
        grid = table_grid([quote])
        return " · ".join(cell for row in grid.body for cell in row)
    return " ".join(quote.split())


def question_html(question: str) -> str:
    """A question as it was typed."""
    return f'<p class="k-asked">{text_html(question)}</p>'
