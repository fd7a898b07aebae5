"""Types of an answer and of the events that report its progress, for every face that shows one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, field
from enum import StrEnum
from operator import add
from typing import TYPE_CHECKING, Any

from warehouse.records import Citation, Hit

if TYPE_CHECKING:
    from tasks.ask.extracts import Extract


class AnswerKind(StrEnum):
    """The origin of an answer: a language model with sources, quotations from documents, or the documents' records."""

    MODEL = "model"
    EXTRACTS = "extracts"
    RECORDS = "records"


class ExtractsStatus(StrEnum):
    """The status of the quotations of an answer without a language model.

    They are the answer, or the nearest passages, none of which answers surely, or there are none because no document is
    about the question.
    """

    ANSWER = "answer"
    NEAREST = "nearest"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    """An earlier message of a conversation: `role` is "user" or "assistant"."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """A passage that an answer cites as [`number`], and the spans of its document's text that were quoted."""

    number: int
    hit: Hit
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def citation(self) -> Citation:
        """The citation of the quotations, else of the passage."""
        return self.hit.cite_spans(self.spans) if self.spans else self.hit.citation

    @property
    def quotes(self) -> list[str]:
        """The texts of the spans."""
        return [self.hit.text[start - self.hit.start : end - self.hit.start] for start, end in self.spans]


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of an answer in tokens, and the number of requests to the model."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0
    rounds: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*map(add, astuple(self), astuple(other)))

    @property
    def total(self) -> int:
        """All tokens, including those read from a cache."""
        return self.input + self.output + self.cache_read + self.cache_written


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call: its arguments, the head of its result in `text`, its duration in seconds, and whether it failed.

    `result` is the whole text of the result without the passages it gave; an answer's claims are looked up in it.
    """

    name: str
    arguments: Mapping[str, Any]
    text: str
    seconds: float
    failed: bool = False
    result: str = ""


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A number, time or quotation of an answer: its span in the text, and whether a cited passage or a tool has it.

    `tool` names the tool whose result has it, where no cited passage does.
    """

    start: int
    end: int
    proven: bool
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer: `text` is Markdown with [n] for `sources`; `notes` are shown below it, a line each.

    `hits` are all passages that were read for it, cited or not. `extracts` are the quotations of such an answer, with
    their scores; their `hit` counts in `hits`, and `extracts_status` says what they are. `costs` are the rounds that
    `usage` sums up, in order.
    """

    text: str
    kind: AnswerKind
    sources: tuple[AnswerSource, ...] = ()
    claims: tuple[AnswerClaim, ...] = ()
    notes: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    extracts: tuple[Extract, ...] = ()
    costs: tuple[Usage, ...] = ()
    extracts_status: ExtractsStatus = ExtractsStatus.ANSWER

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools whose results prove what no cited passage does, in order."""
        return tuple(dict.fromkeys(claim.tool for claim in self.claims if claim.tool))

    @property
    def proven(self) -> float | None:
        """The share of its numbers and quotations that its sources or tools have; None where it has none."""
        return sum(claim.proven for claim in self.claims) / len(self.claims) if self.claims else None


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of the answer's text, in the order of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallStart:
    """A tool call that is about to start."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AnswerProgress:
    """The current step, for a person who waits: "Searching the documents"."""

    text: str


@dataclass(frozen=True, slots=True)
class StreamRestart:
    """A restart of the stream: discard the text so far, which is sent again for the reason in `why`."""

    why: str


AnswerEvent = TextPiece | AnswerSource | ToolCallStart | ToolCall | AnswerProgress | StreamRestart
"""An event while an answer is made, in order; an `AnswerSource` comes when it is first cited."""
EventHandler = Callable[[AnswerEvent], None]
PermissionCallback = Callable[[str, Mapping[str, Any]], bool]
"""Permission for a tool that writes, by its name and arguments: the person's answer, or a refusal without a person."""


def refuse_writes(name: str, arguments: Mapping[str, Any]) -> bool:
    """The permission if no person can be asked: every tool that writes is refused."""
    return False


def emit_answer(on_event: EventHandler, sources: Iterable[AnswerSource], text: str) -> None:
    """Report the sources and the text of an answer that comes in one piece."""
    for source in sources:
        on_event(source)
    on_event(TextPiece(text))


UNPROVEN = "[?]"  # The mark behind each number and quotation without proof.


def mark_unproven(answer: Answer) -> str:
    """The text with a mark behind each number and quotation that its sources do not have."""
    pieces, place = [], 0
    for claim in sorted(answer.claims, key=lambda claim: claim.end):
        if not claim.proven:
            pieces += [answer.text[place : claim.end], UNPROVEN]
            place = claim.end
    return "".join([*pieces, answer.text[place:]])


def group_claims_by_tool(answer: Answer) -> dict[str, list[str]]:
    """The numbers, times and quotations that are in the result of a tool and in no cited passage, by tool."""
    by_tool: dict[str, dict[str, None]] = {name: {} for name in answer.tools}
    for claim in answer.claims:
        if claim.tool:
            by_tool[claim.tool][answer.text[claim.start : claim.end]] = None
    return {name: list(texts) for name, texts in by_tool.items()}
