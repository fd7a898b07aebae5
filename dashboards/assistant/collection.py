"""Answers from the records of the documents, for questions about the collection itself."""

from __future__ import annotations

from collections.abc import Mapping

from dashboards.assistant.records import Answer, AnswerKind, Piece, Source, Tell
from dashboards.assistant.tools.contract import ToolContext
from dashboards.tooling.passages import Place, first_hits_at
from tasks.ask.collection.answers import collection_answer
from tasks.embedders.contract import question_vector
from warehouse.records import SearchRequest


def answer_from_records(context: ToolContext, wanted: SearchRequest, tell: Tell) -> Answer | None:
    """The answer to a question about the collection; None for a question about what the documents say."""
    warehouse = context.warehouse.at()

    def near(text: str) -> Mapping[str, float]:
        return warehouse.near_titles(question_vector(context.embedder, text))

    found = collection_answer(warehouse, wanted.text, wanted.filters, context.today, near)
    if found is None:
        return None
    hits = first_hits_at(warehouse, [Place(each.document_id, each.start, each.start + 1) for each in found.entries])
    cited = {hit.chunk_id: hit for hit in hits if hit}
    sources = tuple(Source(number, hit) for number, hit in enumerate(cited.values(), 1))
    numbers = {source.hit.chunk_id: source.number for source in sources}
    text = found.text([numbers[hit.chunk_id] if hit else None for hit in hits])
    for source in sources:
        tell(source)
    tell(Piece(text))
    notes = (*wanted.notes, *found.notes)
    return Answer(text, AnswerKind.RECORDS, sources, notes=notes, hits=tuple(source.hit for source in sources))
