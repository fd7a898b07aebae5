"""How well times are understood: python -m benchmarks.timed WAREHOUSE [QUESTIONS].

Makes time questions from the tables of any warehouse (`tasks.evaluate.timed`), asks up to QUESTIONS of them (300) with
and without times, and prints which promises their hits keep (`tasks.evaluate.metamorphic`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields
from datetime import date
from itertools import groupby
from pathlib import Path

from tasks.ask.finding import find
from tasks.embedders.choosing import embedder
from tasks.evaluate.metamorphic import moved
from tasks.evaluate.timed import TimedQuestion, timed_questions
from warehouse.reader import Warehouse
from warehouse.records import Hit, Ranking, Wanted
from warehouse.settings import load

HITS = 5
TODAY = date(2025, 1, 1)


def chosen(questions: Sequence[TimedQuestion], count: int) -> list[TimedQuestion]:
    """The questions of the first labels, whole labels, about `count` of them."""
    found: list[TimedQuestion] = []
    for _, group in groupby(questions, key=lambda question: question.label):
        if len(found) >= count:
            break
        found += group
    return found


def main(folder: Path, count: int) -> None:
    """Print a Markdown table of the shares."""
    warehouse = Warehouse(folder).at()
    model = embedder(load({}).embed.model)

    def search(text: str, ranking: Ranking) -> Sequence[Hit]:
        return find(warehouse, Wanted(text, ranking=ranking, k=HITS), model, TODAY).hits

    found = moved(chosen(timed_questions(warehouse), count), search)
    print("| promise | kept | of |\n|---|---|---|")
    for field in fields(found):
        share = getattr(found, field.name)
        print(f"| {field.name.replace('_', ' ')} | {share.part:.1%} | {share.cases} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 300)
