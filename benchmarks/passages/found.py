"""Faults as they are found in corpora cut by a chunker that looks at nothing: the chunks blamed dropped, or mended."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.passages.exam import Passage
from benchmarks.passages.questions import Span, places
from benchmarks.passages.remembering import remembering
from tasks.chunkers.parts.document_spans import find_sentences
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read as parse
from tasks.quality.scoring import check_document
from tasks.single_file import prepare_file
from warehouse.settings.loader import Settings


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus cut into chunks: where each stands in its file, and the chunks that each rule blames."""

    name: str
    text: str
    raw: Sequence[int]
    chunks: tuple[Span, ...]
    blamed: Mapping[str, frozenset[int]]

    def passages(self, spans: Sequence[Span]) -> Iterator[Passage]:
        """These spans of its text as passages."""
        for start, end in spans:
            windows = remembering("minilm").cut_windows("", self.text[start:end])
            shows = (self.raw[start], self.raw[end - 1] + 1)
            yield Passage(self.name, self.name, windows, shows, end - start)


def cut(name: str, path: Path, settings: Settings) -> Corpus:
    """A corpus as an ingest cuts and judges it."""
    source = path.read_text(encoding="utf-8")
    document = parse(Raw(path.name, source.encode()))
    subject = prepare_file(document, path.name, settings, settings.find_source(path))
    numbers = {chunk.chunk_id: number for number, chunk in enumerate(subject.chunks)}
    blamed: defaultdict[str, set[int]] = defaultdict(set)
    for found in check_document(subject):
        if found.finding.chunk_id is not None:
            blamed[found.finding.code].add(numbers[found.finding.chunk_id])
    spans = tuple((chunk.start, chunk.end) for chunk in subject.chunks)
    held = {code: frozenset(each) for code, each in blamed.items()}
    return Corpus(name, document.text, places(document.text, source), spans, held)


def without(spans: Sequence[Span], blamed: frozenset[int], text: str) -> list[Span]:
    """The chunks that are not blamed."""
    return [span for number, span in enumerate(spans) if number not in blamed]


def widened(spans: Sequence[Span], blamed: frozenset[int], text: str) -> list[Span]:
    """The blamed chunks from the beginning of their first sentence to the end of their last."""
    edges = [0, *find_sentences(text, 0, len(text)), len(text)]
    return [
        (edges[bisect_right(edges, span[0]) - 1], edges[bisect_left(edges, span[1])]) if number in blamed else span
        for number, span in enumerate(spans)
    ]


def joined(spans: Sequence[Span], blamed: frozenset[int], text: str) -> list[Span]:
    """Each blamed chunk in one with the next."""
    made: list[Span] = []
    for number, span in enumerate(spans):
        if number and number - 1 in blamed:
            made[-1] = (made[-1][0], max(made[-1][1], span[1]))
        else:
            made.append(span)
    return made


Mend = Callable[[Sequence[Span], frozenset[int], str], list[Span]]

MENDS: dict[str, dict[str, Mend]] = {
    "CHK002": {"mended": widened},
    "CHK003": {"mended": widened},
    "CHK004": {"mended": joined},
    "CHK006": {"mended": joined},
}


def ways(code: str) -> dict[str, Mend]:
    """What can be done about the chunks that a rule blames."""
    return {"dropped": without, **MENDS.get(code, {})}
