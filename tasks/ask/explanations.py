"""Explanations: how a question was understood, and the parts of a passage's score."""

from __future__ import annotations

from collections.abc import Iterator

from warehouse.records import Hit, Mode, Question, Subject, Window


def iter_question_facts(question: Question) -> Iterator[tuple[str, str]]:
    """The facts that were understood, each as a name and its words."""
    yield "Looked for", question.query
    yield from (("And for", related.text) for related in question.related)
    yield from (("Time", format_window(window)) for window in question.windows)
    if question.as_of:
        yield "As of", question.as_of.isoformat()
    if question.names:
        yield "Names", ", ".join(question.names)
    yield from (("Subject", format_subject(subject)) for subject in question.subjects)
    for field in ("kinds", "topics", "journals", "paper_types", "tags", "sections"):
        if values := getattr(question.soft_filters, field):
            yield "Leans to", f"{field.replace('_', ' ')}: {', '.join(values)}"
    if question.rest and question.rest != question.text:
        yield "The rest", question.rest
    ranking = question.ranking
    fusion = f", {ranking.fusion}" if ranking.mode is Mode.HYBRID else ""
    yield "Ranking", f"{ranking.mode}{fusion}{f', reranked by {ranking.reranker}' if ranking.reranker else ''}"


def format_score(hit: Hit) -> str:
    """A score as the sum of its parts: "0.703 = meaning 0.493 + words 0.111 (cosine 0.615, BM25 21.4)"."""
    parts = " + ".join(f"{part.name} {part.value:.3f}" for part in hit.parts)
    cosine = f"cosine {hit.dense:.3f}" if hit.dense is not None else ""
    bm25 = f"BM25 {hit.keyword:.1f}" if hit.keyword is not None else ""
    return f"{hit.score:.3f} = {parts} ({', '.join(filter(None, (cosine, bm25)))})"


def iter_hit_notes(hit: Hit) -> Iterator[str]:
    """The other passages that a hit represents, one sentence each."""
    newer = hit.superseded_by
    if newer:
        was, now = ", ".join(newer.was), ", ".join(newer.now)
        yield f"Superseded: '{was}' is '{now}' in {newer.source} of {newer.date.isoformat()}"
    if hit.leaves:
        yield f"Read in place of {len(hit.leaves)} of its passages"
    if hit.duplicates:
        copies = (f"{copy.label} ({copy.location})" for copy in hit.duplicates)
        yield f"The same again: {'; '.join(copies)}"


def format_window(window: Window) -> str:
    """A time of a question: its words, its days, its meaning, and the second reading if there is one."""
    alternative = (
        f", or {_format_days(window.other_start, window.other_end)}" if window.other_start or window.other_end else ""
    )
    text = f"“{window.text}”: " if window.text else ""
    meaning = "named" if window.required else "leaned to"
    if window.excluded:
        meaning = "any time but this"
    elif window.recent:
        meaning = "the newest there is"
    return f"{text}{_format_days(window.start, window.end)}{alternative} ({meaning})"


def format_subject(subject: Subject) -> str:
    """A subject of the catalogue that a question names."""
    count = len(subject.documents)
    documents_text = "1 document" if count == 1 else f"{count} documents"
    return f"“{subject.text}”: {subject.name} ({subject.confidence:.2f}, {documents_text})"


def _format_days(start: object, end: object) -> str:
    if start is None:
        return f"before {end}"
    return f"from {start}" if end is None else f"{start} up to {end}"
