"""What a conversation keeps of itself, and the JSON that it is kept as."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from dashboards.assistant.records import Answer, AnswerKind, Source, Usage


@dataclass(frozen=True, slots=True)
class Kept:
    """What remains of a source: its number, its line, its link, and what was quoted of it."""

    number: int
    line: str
    url: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question with its answer, and when it was given."""

    at: datetime
    question: str
    answer: str
    kind: AnswerKind
    sources: tuple[Kept, ...] = ()
    notes: tuple[str, ...] = ()
    proven: float | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Condensed:
    """What stands for the first so many `exchanges`."""

    exchanges: int
    text: str
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Titled:
    """What a person calls the conversation; the latest counts, and an empty one gives it back its first question."""

    text: str


Line = Exchange | Condensed | Titled
"""What a line of a session's file says."""


def exchange_of(question: str, answer: Answer, at: datetime) -> Exchange:
    """What is kept of an answer."""
    sources = tuple(kept(source) for source in answer.sources)
    return Exchange(at, question, answer.text, answer.kind, sources, answer.notes, answer.proven, answer.usage)


def kept(source: Source) -> Kept:
    """What is kept of a source."""
    hit = source.hit
    quotes = tuple(hit.text[start - hit.start : end - hit.start] for start, end in source.spans)
    return Kept(source.number, source.citation.formatted, source.citation.url, tuple(filter(None, quotes)))


def to_json(line: Line) -> dict[str, Any]:
    """As it is written."""
    found = {"type": type(line).__name__.lower(), **asdict(line)}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in found.items()}


def from_json(found: Any) -> Line | None:
    """What was written; None for anything else: a torn line, or one of a later version."""
    try:
        given = {name: value for name, value in found.items() if name != "type"}
        if found["type"] == "titled":
            return Titled(str(given["text"]))
        given["usage"] = Usage(**given["usage"])
        if found["type"] == "condensed":
            return Condensed(**given)
        if found["type"] != "exchange":
            return None
        given["at"] = datetime.fromisoformat(given["at"])
        given["kind"] = AnswerKind(given["kind"])
        given["notes"] = tuple(given["notes"])
        given["sources"] = tuple(Kept(**{**each, "quotes": tuple(each["quotes"])}) for each in given["sources"])
        return Exchange(**given)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
