"""The options with which a question is asked: what hits must satisfy, and how passages are ranked."""

from __future__ import annotations

import re
from datetime import MINYEAR, UTC, datetime
from typing import Annotated

import typer

from warehouse.errors import BadInput
from warehouse.records import Filters, Fusion, Kind, Mode, Ranking, SearchRequest

Many = list[str] | None
"""An option that can be given more than once: one of its values is enough."""

_YEARS = re.compile(r"(\d{4})(?:-(\d{4}))?")


def wanted(
    question: Annotated[str, typer.Argument(help="What to look for.")],
    count: Annotated[int, typer.Option("--count", "-k", help="How many hits.")] = 5,
    during: Annotated[str, typer.Option(help="Only passages that speak of this time, like 'Q2 2023'.")] = "",
    since: Annotated[str, typer.Option(help="Only documents dated on or after this day, or the start of a time.")] = "",
    until: Annotated[str, typer.Option(help="Only documents dated before this day, or the start of a time.")] = "",
    as_of: Annotated[str, typer.Option(help="Only what was known on this day, or at the end of a time.")] = "",
    year: Annotated[str, typer.Option(help="Only documents dated in this year, or in years like 2019-2021.")] = "",
    kind: Annotated[list[Kind] | None, typer.Option(help="Only documents of this kind.")] = None,
    root: Annotated[Many, typer.Option(help="Only documents of this root.")] = None,
    folder: Annotated[Many, typer.Option(help="Only documents below this folder of a root.")] = None,
    document: Annotated[
        Many, typer.Option(help="Only this document: its source, title, a part of it, or a company.")
    ] = None,
    topic: Annotated[Many, typer.Option(help="Only documents of this topic.")] = None,
    journal: Annotated[Many, typer.Option(help="Only papers of this journal.")] = None,
    paper_type: Annotated[Many, typer.Option(help="Only papers of this type.")] = None,
    tag: Annotated[Many, typer.Option(help="Only notes with this tag, or one below it.")] = None,
    language: Annotated[Many, typer.Option(help="Only documents in this language: en, zh, und.")] = None,
    lesson: Annotated[list[int] | None, typer.Option(help="Only this lesson of a course.", min=0)] = None,
    section: Annotated[Many, typer.Option(help="Only below headings that have these words.")] = None,
    page: Annotated[list[int] | None, typer.Option(help="Only passages of this page.", min=1)] = None,
    name: Annotated[Many, typer.Option(help="Only passages about this name.")] = None,
    tables: Annotated[
        bool | None, typer.Option("--tables/--no-tables", help="Only passages with a table, or none.")
    ] = None,
    quality: Annotated[float | None, typer.Option(help="Only passages of at least this quality.", min=0, max=1)] = None,
    mode: Annotated[Mode, typer.Option(help="Which half of the search is used.")] = Mode.HYBRID,
    fusion: Annotated[Fusion | None, typer.Option(help="How the halves become one ranking [default: weighed].")] = None,
    alpha: Annotated[
        float | None, typer.Option(help="The share of the vectors in convex fusion.", min=0, max=1)
    ] = None,
    no_times: Annotated[bool, typer.Option("--no-times", help="Rank without the times of the question.")] = False,
    no_names: Annotated[bool, typer.Option("--no-names", help="Rank without its names.")] = False,
    no_related: Annotated[bool, typer.Option("--no-related", help="Look for its own words only.")] = False,
    no_distinct: Annotated[
        bool, typer.Option("--no-distinct", help="Give near duplicates places of their own.")
    ] = False,
    no_merge: Annotated[bool, typer.Option("--no-merge", help="Show small passages, never their parent.")] = False,
    per_document: Annotated[int | None, typer.Option(help="At most this many hits of one document.", min=1)] = None,
    plainly: Annotated[Many, typer.Option(help="Read these words of the question as mere words.")] = None,
    rerank: Annotated[str, typer.Option(help="Order the best anew with this reranker.")] = "",
) -> SearchRequest:
    """What somebody asks for. Raises `BadInput` for values that say nothing."""
    from dashboards.assistant.tools.inputs import as_of_day, during_of, start_of

    today = datetime.now(UTC).date()
    filters = Filters(
        kinds=tuple(kind or ()),
        roots=tuple(root or ()),
        documents=tuple(document or ()),
        since=start_of(since, today),
        until=start_of(until, today),
        folders=tuple(folder or ()),
        topics=tuple(topic or ()),
        journals=tuple(journal or ()),
        paper_types=tuple(paper_type or ()),
        tags=tuple(tag or ()),
        languages=tuple(language or ()),
        years=_years(year),
        as_of=as_of_day(as_of, today),
        pages=tuple(page or ()),
        lessons=tuple(lesson or ()),
        sections=tuple(section or ()),
        has_table=tables,
        quality=quality,
        during=during_of(during, today),
        names=tuple(name or ()),
    )
    ranking = Ranking(
        mode=mode,
        fusion=_fusion(fusion, alpha),
        alpha=alpha,
        times=not no_times,
        names=not no_names,
        related=not no_related,
        distinct=not no_distinct,
        merge=not no_merge,
        per_document=per_document,
        reranker=rerank,
    )
    return SearchRequest(question, filters, ranking, count, tuple(plainly or ()))


def _years(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    found = _YEARS.fullmatch(text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not MINYEAR <= first <= last:
        raise BadInput(f"'{text}' is no year", "write it as 2023, or years as 2019-2021")
    return first, last


def _fusion(fusion: Fusion | None, alpha: float | None) -> Fusion:
    if alpha is not None and fusion not in (None, Fusion.CONVEX):
        raise BadInput(f"--alpha means nothing with --fusion {fusion}", "leave one of them out")
    return fusion or (Fusion.WEIGHED if alpha is None else Fusion.CONVEX)
