"""Does the score mean anything? What becomes of recall when the chunks that a rule blames are dropped, or mended.

    python -m benchmarks.quality FOLDER [--json] [--chunker NAME] [--size N]

FOLDER holds `corpora/` and `questions.jsonl` as `chunking_evaluation` lays them out. Each corpus is cut and judged, by
default with a chunker that looks at nothing, since the default one leaves the rules little to find. Each question is
asked of its own corpus by dense search with the default model. For each rule the questions are replayed without the
chunks it blames and, where there is a way to mend them, with mended ones: what is cut within a sentence is widened to
whole ones, what is too small is joined to the next. The change of recall at five is a mean over questions with a 95 %
bootstrap interval of 10,000 draws.
"""

from __future__ import annotations

import argparse
import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.passages.questions import Asked, Span, places, read
from benchmarks.passages.remembering import remembering
from tasks.chunkers.contract import CHUNKERS
from tasks.chunkers.sentences import starts
from tasks.parsers.contract import Raw
from tasks.parsers.reading import read as parse
from tasks.quality.judging import judge
from tasks.quality.listing import every_rule
from tasks.single import subject_of
from warehouse.records import Chunk
from warehouse.settings import ChunkSettings, Settings

COUNT = 5
DRAWS = 10_000
WRITTEN = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus cut into chunks: where each stands in its file, and the chunks that each rule blames."""

    text: str
    raw: Sequence[int]
    chunks: tuple[Chunk, ...]
    blamed: Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Change:
    """The change of recall when `chunks` of a rule are dropped or mended, with the ends of its interval."""

    code: str
    penalty: float
    chunks: int
    way: str
    change: float
    low: float
    high: float


def main() -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--chunker", default="fixed", choices=sorted(CHUNKERS))
    parser.add_argument("--size", type=int, default=600, help="Chunks of so many characters.")
    chosen = parser.parse_args()
    chunk = ChunkSettings(chunker=chosen.chunker, unit="characters", size=chosen.size, overlap=0)
    found = list(changes(chosen.folder, Settings(chunk=chunk)))
    if chosen.json:
        print(json.dumps([asdict(each) for each in found], indent=2))
        return
    print("| rule | penalty | chunks | way | change of recall | 95 % |\n|---|---:|---:|---|---:|---:|")
    for each in found:
        name = f"{each.code} {every_rule()[each.code].name}"
        interval = f"{each.low:+.4f} to {each.high:+.4f}"
        print(f"| {name} | {each.penalty:g} | {each.chunks} | {each.way} | {each.change:+.4f} | {interval} |")


def changes(folder: Path, settings: Settings) -> Iterator[Change]:
    """One for each rule that blames a chunk, and each way."""
    files, asked = read(folder)
    corpora = {name: cut(path, settings) for name, path in files.items()}
    whole = {name: [(chunk.start, chunk.end) for chunk in corpus.chunks] for name, corpus in corpora.items()}
    before = recalls(corpora, whole, asked)
    codes = sorted({code for corpus in corpora.values() for code in corpus.blamed})
    for code in codes:
        blamed = {name: corpus.blamed.get(code, frozenset()) for name, corpus in corpora.items()}
        for way, changed in {"dropped": without, **MENDS.get(code, {})}.items():
            spans = {name: changed(whole[name], blamed[name], corpora[name].text) for name in corpora}
            change, low, high = bootstrap(recalls(corpora, spans, asked) - before)
            count = sum(map(len, blamed.values()))
            yield Change(code, every_rule()[code].penalty, count, way, change, low, high)


def cut(path: Path, settings: Settings) -> Corpus:
    """A corpus as an ingest cuts and judges it."""
    source = path.read_text(encoding="utf-8")
    document = parse(Raw(path.name, source.encode()))
    subject = subject_of(document, path.name, WRITTEN, settings, settings.source_of(path))
    numbers = {chunk.chunk_id: number for number, chunk in enumerate(subject.chunks)}
    blamed: defaultdict[str, set[int]] = defaultdict(set)
    for found in judge(subject):
        if found.finding.chunk_id is not None:
            blamed[found.finding.code].add(numbers[found.finding.chunk_id])
    held = {code: frozenset(each) for code, each in blamed.items()}
    return Corpus(document.text, places(document.text, source), subject.chunks, held)


def without(spans: Sequence[Span], blamed: frozenset[int], text: str) -> list[Span]:
    """The chunks that are not blamed."""
    return [span for number, span in enumerate(spans) if number not in blamed]


def widened(spans: Sequence[Span], blamed: frozenset[int], text: str) -> list[Span]:
    """The blamed chunks from the beginning of their first sentence to the end of their last."""
    edges = [0, *starts(text, 0, len(text)), len(text)]
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


def recalls(corpora: Mapping[str, Corpus], spans: Mapping[str, Sequence[Span]], asked: Sequence[Asked]) -> np.ndarray:
    """The recall of each question, by character."""
    embedder = remembering("minilm")
    vectors = {name: _windows(corpora[name].text, spans[name]) for name in corpora}
    questions = embedder.embed([each.text for each in asked])
    found = []
    for each, question in zip(asked, questions, strict=True):
        owners, matrix = vectors[each.corpus]
        best = np.full(len(spans[each.corpus]), -1.0)
        np.maximum.at(best, owners, matrix @ question)
        shown = [spans[each.corpus][place] for place in np.argsort(-best, kind="stable")[:COUNT]]
        found.append(_recall(each, shown, corpora[each.corpus].raw))
    return np.array(found)


def _windows(text: str, spans: Sequence[Span]) -> tuple[np.ndarray, np.ndarray]:
    """The chunk that each window is of, and the windows' vectors."""
    embedder = remembering("minilm")
    windows = [(number, each) for number, span in enumerate(spans) for each in embedder.windows("", text[slice(*span)])]
    return np.array([number for number, _ in windows]), embedder.embed([each for _, each in windows])


def _recall(asked: Asked, shown: Sequence[Span], raw: Sequence[int]) -> float:
    wanted = {place for start, end in asked.answers for place in range(start, end)}
    seen = {place for start, end in shown for place in range(raw[start], raw[end - 1] + 1)}
    return len(wanted & seen) / len(wanted)


def bootstrap(differences: np.ndarray) -> tuple[float, float, float]:
    """The mean of paired differences and its 95 % interval (Efron 1979); the draws are the same each time."""
    draws = np.random.default_rng(0).integers(0, len(differences), (DRAWS, len(differences)))
    low, high = np.percentile(differences[draws].mean(axis=1), [2.5, 97.5])
    return float(differences.mean()), float(low), float(high)


if __name__ == "__main__":
    main()
