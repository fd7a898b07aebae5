"""Hits and quotations as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from dashboards.drawing.escaping import plain, web_link
from dashboards.drawing.passages import passage_html, quotes_html
from tasks.ask.extracts import Extract
from warehouse.records import Citation, Hit


def answer_html(extracts: Sequence[Extract], hits: Sequence[Hit], asked: frozenset[str]) -> str:
    """The quotations that answer best, best first; neighbours from one hit share its number and place."""
    items = []
    for number, group in groupby(extracts, key=lambda extract: extract.hit):
        hit = hits[number]
        origin = f"[{number + 1}] {plain(hit.citation.label)}, {plain(hit.citation.location)}"
        quotes = quotes_html([extract.text for extract in group], hit.text, asked)
        items.append(f'<li>{quotes}<p class="k-from">{origin}</p></li>')
    return f'<ul class="k-answer">{"".join(items)}</ul>'


def hit_html(number: int, hit: Hit, strongest: float, asked: frozenset[str]) -> str:
    """One hit. `strongest` is the highest keyword score among the hits, the full length of its bar."""
    citation = hit.citation
    return (
        f'<article class="k-hit"><header><span class="k-number">{number}</span><div>'
        f"<h3>{_label(citation)}</h3>{_where(citation)}</div></header>"
        f"{passage_html(hit.text, asked)}<footer>{_scores(hit, strongest)}</footer></article>"
    )


def _label(citation: Citation) -> str:
    link = web_link(citation.url)
    name = plain(citation.label)
    return f'<a href="{escape(link)}" target="_blank" rel="noopener noreferrer">{name}</a>' if link else name


def _where(citation: Citation) -> str:
    day = citation.date.isoformat() if citation.date else ""
    section = " › ".join(citation.section)
    shown = [plain(part) for part in (citation.location, day, section) if part]
    return f'<p class="k-where">{" · ".join(shown)}</p>'


def _scores(hit: Hit, strongest: float) -> str:
    words = hit.keyword / strongest if hit.keyword is not None and strongest > 0 else None
    return "".join(
        (
            _score("relevance", f"{hit.score:.3f}", None),
            _score("meaning", "–" if hit.dense is None else f"{hit.dense:.3f}", hit.dense),
            _score("words", "–" if hit.keyword is None else f"{hit.keyword:.1f}", words),
            _score("quality", f"{hit.citation.quality:.2f}", hit.citation.quality),
        )
    )


def _score(name: str, value: str, share: float | None) -> str:
    width = 0 if share is None else round(100 * min(max(share, 0), 1))
    bar = "" if share is None else f'<i aria-hidden="true"><i style="width:{width}%"></i></i>'
    return f'<span class="k-score">{name} {bar}<strong>{value}</strong></span>'
