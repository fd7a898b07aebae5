"""One answer of several: written by the model from the answers to the parts, with their sources numbered anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dashboards.assistant.asides import usage_of
from dashboards.assistant.material import Material
from dashboards.assistant.prompting import prompt, tagged
from dashboards.assistant.proof import claims
from dashboards.assistant.records import Answer, Source, Tell, Usage
from dashboards.assistant.writing import Writer
from warehouse.records import Hit
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic

_MARK = re.compile(r"\[(\d+)\]")
Part = tuple[str, Answer]
"""A question and its answer."""


def merged(text: str, parts: Sequence[Part], client: Anthropic, settings: Settings, tell: Tell) -> Answer:
    """The answer to the whole question; the parts one below the other where the model does not merge them."""
    from dashboards.assistant.failing import FAILURES, why

    spans: dict[str, dict[tuple[int, int], None]] = {}
    for _, answer in parts:
        for source in answer.sources:
            spans.setdefault(source.hit.chunk_id, {}).update(dict.fromkeys(source.spans))
    material = Material()
    material.add(list({s.hit.chunk_id: s.hit for _, answer in parts for s in answer.sources}.values()))
    numbered = [(question, _renumbered(answer, material)) for question, answer in parts]
    writer = Writer(material, tell, marks=True)
    try:
        usage = _written(text, numbered, client, settings, writer)
    except FAILURES as failure:
        writer.restart(why(failure))
        usage = Usage()
    if not writer.text.strip():
        writer.write("\n\n".join(f"**{question}**\n\n{answer}" for question, answer in numbered))
        writer.end_block()
    writer.keep()
    sources = tuple(replace(each, spans=tuple(spans[each.hit.chunk_id])) for each in writer.sources)
    return _whole(writer.text.strip(), sources, parts, usage)


def _written(
    text: str, parts: Sequence[tuple[str, str]], client: Anthropic, settings: Settings, writer: Writer
) -> Usage:
    said = [tagged("part", f"{question}\n\n{answer}") for question, answer in parts]
    with client.messages.stream(
        model=settings.chat.model,
        max_tokens=settings.chat.tokens,
        system=prompt("merge"),
        messages=[{"role": "user", "content": "\n\n".join([tagged("question", text), *said])}],
    ) as stream:
        for piece in stream.text_stream:
            writer.write(piece)
        writer.end_block()
        return usage_of(stream.get_final_message())


def _renumbered(answer: Answer, material: Material) -> str:
    """Its text with the marks that the material's order gives its sources."""
    places = {passage.hit.chunk_id: number for number, passage in enumerate(material.passages, 1)}
    own = {source.number: places.get(source.hit.chunk_id) for source in answer.sources}

    def mark(found: re.Match[str]) -> str:
        number = own.get(int(found[1]))
        return f"[{number}]" if number else ""

    return _MARK.sub(mark, answer.text)


def _whole(text: str, sources: tuple[Source, ...], parts: Sequence[Part], usage: Usage) -> Answer:
    answers = [answer for _, answer in parts]
    hits: dict[str, Hit] = {hit.chunk_id: hit for answer in answers for hit in answer.hits}
    return replace(
        answers[0],
        text=text,
        sources=sources,
        claims=claims(text, sources, [call for answer in answers for call in answer.calls]),
        notes=tuple(dict.fromkeys(note for answer in answers for note in answer.notes)),
        hits=tuple(hits.values()),
        calls=tuple(call for answer in answers for call in answer.calls),
        usage=sum((answer.usage for answer in answers), usage),
        costs=(*(cost for answer in answers for cost in answer.costs), usage),
    )
