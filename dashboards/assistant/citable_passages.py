"""Citable passages: the hits given to a conversation, cut into the blocks that an answer can cite.

Everything in them is data. They are sent as `search_result` blocks, or numbered and delimited in text for servers
without such blocks; nothing in a passage can end its own frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tasks.ask.passage_units import Span, split_units
from warehouse.records import Hit
from warehouse.table_notation import find_first_rows_end, is_marker, opens_table

MAX_TOTAL_LENGTH, MIN_PASSAGE_LENGTH, MAX_PASSAGE_LENGTH = 8000, 600, 4000
"""Characters of all passages of one tool call, and the least and the most of each of them.

Of a passage that is longer, the units around its excerpt are shown.
"""
_HEAD = re.compile(r"^\[(\d{1,3})\]", re.MULTILINE)
_FRAME = re.compile(r"<(?=\s{0,9}/?\s{0,9}passage)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CitablePassage:
    """A hit as the model reads it; `spans` are its citable blocks, sentences and table rows, in the hit's text."""

    hit: Hit
    spans: tuple[Span, ...]

    @property
    def blocks(self) -> list[str]:
        """The texts of the blocks, white space between them included; rows alone below the head of their table."""
        bounds = [*(start for start, _ in self.spans), self.spans[-1][1]]
        first, *other_texts = [self.hit.text[start:end] for start, end in pairwise(bounds)]
        is_headed = self.hit.table_head and bounds[0] < find_first_rows_end(self.hit.text)
        return [f"{self.hit.table_head}\n{first}" if is_headed else first, *other_texts]

    @property
    def title(self) -> str:
        """Label, place and date, and a newer document that supersedes a statement of it."""
        citation, later = self.hit.citation, self.hit.superseded_by
        parts = [f"{citation.label} ({citation.location})", f"Date: {citation.shown_date}"]
        parts += ["A list of references, which answers nothing by itself"] if self.hit.is_references else []
        parts += [f"Superseded by {later.source} ({later.date}): now {', '.join(later.now)}"] if later else []
        return " | ".join(filter(None, parts))

    def get_span(self, start: int, end: int) -> Span:
        """The span in the document's text of blocks `start` to `end`, half-open."""
        return self.hit.start + self.spans[start][0], self.hit.start + self.spans[end - 1][1]


class CitableMaterial:
    """All passages of a conversation in the order in which they were given; one that was given twice is in it twice."""

    def __init__(self) -> None:
        self.passages: list[CitablePassage] = []

    def add(self, hits: Sequence[Hit]) -> list[CitablePassage]:
        """Add the hits as passages, those without words left out."""
        share = min(max(MAX_TOTAL_LENGTH // max(len(hits), 1), MIN_PASSAGE_LENGTH), MAX_PASSAGE_LENGTH)
        passages_added = [
            CitablePassage(hit, spans) for hit in hits if (spans := tuple(_select_shown_spans(hit, share)))
        ]
        self.passages += passages_added
        return passages_added

    def find_cited_passage(self, citation: Mapping[str, Any]) -> tuple[CitablePassage, Span] | None:
        """The passage and span of a `search_result_location`; None where it points to no passage of this material."""
        index, start, end = (citation.get(f"{name}_index") for name in ("search_result", "start_block", "end_block"))
        if not (isinstance(index, int) and isinstance(start, int) and isinstance(end, int)):
            return None
        passage = self.passages[index] if 0 <= index < len(self.passages) else None
        if not passage or passage.hit.chunk_id != citation.get("source") or not 0 <= start < end <= len(passage.spans):
            return None
        return passage, passage.get_span(start, end)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Every hit once, in order."""
        return tuple({passage.hit.chunk_id: passage.hit for passage in self.passages}.values())


def build_search_result(passage: CitablePassage) -> dict[str, Any]:
    """The passage as a block that the service cites from; its source is the chunk's id."""
    return {
        "type": "search_result",
        "source": passage.hit.chunk_id,
        "title": passage.title,
        "content": [{"type": "text", "text": text} for text in passage.blocks],
        "citations": {"enabled": True},
    }


def format_numbered_frame(passage: CitablePassage, number: int) -> str:
    """The passage as text under a number, in a frame that its own words cannot close."""
    text = _FRAME.sub("‹", "".join(passage.blocks))
    title = _FRAME.sub("‹", passage.title).replace('"', "'")
    return f'<passage number="{number}" title="{title}">\n{text}\n</passage>'


def without_passage_lines(text: str, passages: Sequence[CitablePassage], first: int | None = None) -> str:
    """A tool's text without the lines that are in its passages, which the model gets separately.

    The tool's own numbers, which may count cells or documents, lose their brackets. With `first`, the number of the
    first passage, each id of a passage is followed by the number that it is cited by.
    """
    lines = []
    for line in text.splitlines():
        words = line.strip().rstrip("… ")
        if not words or not any(words in passage.hit.headed_text for passage in passages):
            lines.append(line)
    rest_of_text = _HEAD.sub(r"\1.", re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip())
    for number, passage in enumerate(passages, first) if first is not None else ():
        rest_of_text = rest_of_text.replace(passage.hit.chunk_id, f"{passage.hit.chunk_id} = [{number}]")
    return rest_of_text


def _select_shown_spans(hit: Hit, max_length: int) -> list[Span]:
    spans = list(_iter_blocks(hit.text))
    if len(hit.text) <= max_length or not spans:
        return spans
    middle = hit.excerpt or (hit.start, hit.start)
    first = next((n for n, span in enumerate(spans) if hit.start + span[1] > middle[0]), 0)
    last = first + 1
    while True:
        wider = (max(first - 1, 0), min(last + 1, len(spans)))
        if wider == (first, last) or spans[wider[1] - 1][1] - spans[wider[0]][0] > max_length:
            return spans[first:last]
        first, last = wider


def _iter_blocks(text: str) -> Iterator[Span]:
    """Sentences, and of tables the rows; the lines above the first row with figures are one block."""
    for start, end in split_units(text):
        if not opens_table(text, start):
            yield start, end
            continue
        place, head = start, is_marker(text[start:end].partition("\n")[0])
        for line in text[start:end].splitlines(keepends=True):
            last = place + len(line) - (line[-1:] == "\n")
            if line.startswith("|") and not set(line.strip()) - set("|-: "):
                yield start, last
                head = False
            elif not head:
                yield place, last
            place += len(line)
        if head:
            yield start, end
