"""An answer as text: its unproven figures marked, its sources as footnotes with links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import indent

from dashboards.assistant.answer_types import UNPROVEN, Answer, AnswerKind, Claim, Standing, given_by_tools, marked

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_NEAR = 40


def plain(text: str) -> str:
    """The text without what would steer a terminal."""
    return _CONTROL.sub("", text)


def told(answer: Answer) -> Iterator[str]:
    """The whole of an answer, to be printed a line each."""
    yield from (f"Note: {note}\n" for note in answer.notes)
    if answer.kind is AnswerKind.EXTRACTS and answer.sources:
        if answer.standing is Standing.ANSWER:
            yield "Extracts from the documents, word for word:\n"
        yield indent(plain(answer.text), "   ") + "\n"
    else:
        yield plain(marked(answer)) + "\n" * bool(answer.sources)
    yield from after(answer)


def after(answer: Answer, *, inline: bool = True) -> Iterator[str]:
    """What stands below an answer: what the mark means, and what it marks where not `inline`; then the footnotes.

    A tool whose result proves what no passage does has a footnote of its own.
    """
    missing = unproven(answer)
    if missing:
        said = f"{UNPROVEN} {len(missing)} of {len(answer.claims)} numbers and quotations stand in none of its sources"
        yield f"{said}.\n" if inline else "\n".join([f"{said}:", *(f"   {each}" for each in missing)])
    records = answer.kind is AnswerKind.RECORDS
    notes = [
        f"[{source.number}] {source.citation.url if records else source.citation.formatted_with_link}"
        for source in answer.sources
    ]
    notes += [f"[{name}] {plain(', '.join(given))}" for name, given in given_by_tools(answer).items()]
    if notes:
        yield "\n".join(notes)


def unproven(answer: Answer) -> Sequence[str]:
    """Each number and quotation that its sources do not have, with the words before it."""
    return [plain(_from_near(answer.text, each)) + UNPROVEN for each in answer.claims if not each.proven]


def _from_near(text: str, claim: Claim) -> str:
    before = text[: claim.start]
    if len(before) > _NEAR:
        before = "… " + before[-_NEAR:].partition(" ")[2]
    return " ".join((before + text[claim.start : claim.end]).split())
