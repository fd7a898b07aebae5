"""Does the score mean anything? What becomes of recall when chunks have the faults that the rules blame, or lose them.

    python benchmarks/quality.py [FOLDER] [--tables FILE] [--times FILE] [--code CODE …] [--json]
    python benchmarks/quality.py [FOLDER] --found [--chunker NAME] [--size N] [--json]

FOLDER holds `corpora/` and `questions.jsonl` as `chunking_evaluation` lays them out, `--tables` is TAT-QA, `--times`
TimeQA. Each fault is planted in half of the chunks of a clean exam, drawn by chance, and the questions are replayed by
dense search with the default model. The change is the mean over all questions of what a question scores with the fault
less what it scores without, with a 95 % bootstrap interval that draws notes with their questions 10,000 times; "a
hundred" is what a hundred chunks that the rule blames cost, counted in whole answers (recall) or first ranks (MRR).

With `--found` nothing is planted: the corpora are cut, by default with a chunker that looks at nothing, and the chunks
that each rule blames are left out or, where there is a way, mended: what is cut within a sentence is widened to whole
ones, what is too small is joined to the next.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.passages import found, prose, tatqa, timeqa
from benchmarks.passages.bootstrap import Difference, difference
from benchmarks.passages.cutting import cut
from benchmarks.passages.exam import Measure, Passage, Question, marks, recall, recall_of_budget, reciprocal_rank
from benchmarks.passages.pieces import Note
from benchmarks.passages.plants import beside, cuts, tables, times, within
from benchmarks.passages.plants.contract import Change, Plant
from benchmarks.passages.questions import read
from tasks.chunkers.chunker import CHUNKERS
from tasks.quality.rule import list_rules
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkSettings

DATA = Path(__file__).resolve().parents[2] / "shared/data"
PLANTS = (*beside.PLANTS, *within.PLANTS, *cuts.PLANTS, *tables.PLANTS, *times.PLANTS)
NAMES: dict[Measure, str] = {recall: "recall@5", recall_of_budget: "recall, 3,000 characters", reciprocal_rank: "MRR"}


@dataclass(frozen=True)
class Exam:
    """Clean notes and the questions asked of them."""

    notes: list[Note]
    questions: list[Question]

    @cached_property
    def clean(self) -> tuple[list[Passage], dict[str, int]]:
        """The passages of the notes as they are, and how many of them each rule blames."""
        return cut(self.notes)

    def changed(self, change: Change) -> tuple[list[Passage], dict[str, int]]:
        """The same of the notes as they become."""
        return cut([made for note in self.notes for made in change(note)])


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: `chunks` that the rule blames change the mean of the measure by so much."""

    code: str
    penalty: float
    chunks: int
    way: str
    measure: str
    before: float
    questions: int
    change: Difference

    @property
    def a_hundred(self) -> float:
        """What a hundred such chunks change, in whole answers."""
        return 100 * self.change.mean * self.questions / self.chunks if self.chunks else 0.0


def main() -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA / "chunking")
    parser.add_argument("--tables", type=Path, default=DATA / "tables_qa/tatqa_dev.json")
    parser.add_argument("--times", type=Path, default=DATA / "timeqa/human_annotated_train.json")
    parser.add_argument("--code", action="append", help="Only the plants of this rule.")
    parser.add_argument("--found", action="store_true", help="Faults as found, none planted.")
    parser.add_argument("--chunker", default="fixed", choices=sorted(CHUNKERS))
    parser.add_argument("--size", type=int, default=600, help="Chunks of so many characters.")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.found:
        rows = as_found(chosen.folder, chosen.chunker, chosen.size)
    else:
        rows = planted({"prose": chosen.folder, "tables": chosen.tables, "times": chosen.times}, chosen.code or ())
    if chosen.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return
    print("| rule | penalty | chunks | way | measure | before | change | 95 % | a hundred |")
    print("|---|---:|---:|---|---|---:|---:|---:|---:|")
    for row in rows:
        print(_line(row), flush=True)


def _line(row: Row) -> str:
    name = f"{row.code} {list_rules()[row.code].name}"
    figures = f"{row.before:.3f} | {row.change.mean:+.4f} | {row.change.low:+.4f} to {row.change.high:+.4f}"
    return f"| {name} | {row.penalty:g} | {row.chunks} | {row.way} | {row.measure} | {figures} | {row.a_hundred:+.1f} |"


def planted(sources: dict[str, Path], codes: Collection[str]) -> Iterator[Row]:
    """A line for each rule of each plant."""
    readers = {"prose": prose.exam, "tables": tatqa.exam, "times": timeqa.exam}
    exams = cache(lambda name: Exam(*readers[name](sources[name])))
    for plant in PLANTS:
        if not codes or set(codes) & set(plant.codes):
            yield from _rows(plant, exams(plant.exam))


def _rows(plant: Plant, exam: Exam) -> Iterator[Row]:
    faulty, blamed = exam.changed(plant.plant)
    clean, known = exam.changed(plant.clean) if plant.clean else exam.clean
    before = marks(clean, exam.questions, plant.measure)
    change = _difference(marks(faulty, exam.questions, plant.measure) - before, exam.questions)
    for code in plant.codes:
        yield _row(code, blamed.get(code, 0) - known.get(code, 0), plant.way, plant.measure, before, change)


def as_found(folder: Path, chunker: str, size: int) -> Iterator[Row]:
    """A line for each rule that blames a chunk, and each way."""
    files, asked = read(folder)
    questions = [Question(each.text, each.corpus, each.corpus, each.answers) for each in asked]
    settings = Settings(chunk=ChunkSettings(chunker=chunker, unit="characters", size=size, overlap=0))
    corpora = [found.cut(name, path, settings) for name, path in files.items()]
    before = marks([each for corpus in corpora for each in corpus.passages(corpus.chunks)], questions, recall)
    for code in sorted({code for corpus in corpora for code in corpus.blamed}):
        blamed = {corpus.name: corpus.blamed.get(code, frozenset()) for corpus in corpora}
        for way, mend in found.ways(code).items():
            spans = {each.name: mend(each.chunks, blamed[each.name], each.text) for each in corpora}
            passages = [passage for each in corpora for passage in each.passages(spans[each.name])]
            change = _difference(marks(passages, questions, recall) - before, questions)
            yield _row(code, sum(map(len, blamed.values())), way, recall, before, change)


def _difference(paired: np.ndarray, questions: list[Question]) -> Difference:
    """Questions about the same note are drawn together."""
    return difference(paired, [question.note for question in questions])


def _row(code: str, chunks: int, way: str, measure: Measure, before: np.ndarray, change: Difference) -> Row:
    rule = list_rules()[code]
    return Row(code, rule.penalty, chunks, way, NAMES[measure], float(before.mean()), len(before), change)


if __name__ == "__main__":
    main()
