"""A session as Markdown, with the sources of each answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dashboards.assistant.exchanges import Exchange, Kept
from dashboards.assistant.records import AnswerKind

WRITTEN_BY = {
    AnswerKind.MODEL: "Written by the model",
    AnswerKind.EXTRACTS: "Extracts from the documents, word for word",
    AnswerKind.RECORDS: "From the records of the documents",
}


def exported(exchanges: Iterable[Exchange]) -> str:
    """Each question as a heading, then its answer, its sources with what was quoted of them, and its notes."""
    return "# Conversation\n\n" + "\n\n".join(block for each in exchanges for block in _blocks(each)) + "\n"


def copied(exchange: Exchange) -> str:
    """An answer as plain text to paste elsewhere: its words with their marks, then each source with its link."""
    lines = [line for each in exchange.sources for line in (f"[{each.number}] {each.line}", each.url) if line]
    return "\n\n".join(filter(None, (exchange.answer, "\n".join(lines), *exchange.notes)))


def _blocks(exchange: Exchange) -> Iterator[str]:
    yield f"## {' '.join(exchange.question.split())}"
    yield f"*{WRITTEN_BY[exchange.kind]}, {exchange.at:%Y-%m-%d %H:%M} UTC*"
    yield "\n\n".join(map(_ruled, exchange.answer.split("\n\n")))
    if exchange.sources:
        yield "Sources:"
        yield "\n".join(line for source in exchange.sources for line in _source(source))
    for note in exchange.notes:
        yield f"> Note: {note}"
    if exchange.proven is not None:
        yield f"> {exchange.proven:.0%} of its numbers and quotations stand in its sources."


def _ruled(block: str) -> str:
    """A head and a row as Markdown's tables are: with the line between them, and the mark of the source below."""
    head, *rows = block.split("\n")
    if not rows or not all(line.startswith("|") for line in (head, *rows)) or set(rows[0]) <= set("|-: "):
        return block
    last, bar, mark = rows[-1].rpartition("|")
    rule = "|" + " --- |" * (head.count("|") - 1)
    return "\n".join([head, rule, *rows[:-1], last + bar, *(["", mark.strip()] if mark.strip() else [])])


def _source(source: Kept) -> Iterator[str]:
    line = source.line.replace("[", "\\[").replace("]", "\\]")
    yield f"{source.number}. " + (f"[{line}](<{source.url}>)" if source.url else line)
    for quote in source.quotes:
        yield f"   > {' '.join(quote.split())}"
