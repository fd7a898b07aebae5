"""How well times are understood.

    python benchmarks/timed.py WAREHOUSE [--questions 300] [--json]

Makes time questions from the tables of any warehouse (`tasks.evaluate.makers.figures`), asks them with and without
times, and prints which promises their hits keep (`tasks.evaluate.metamorphic`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import date
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tasks.embedders.embedder import embedder
from tasks.evaluate.makers.figures import TimedQuestion, timed_questions
from tasks.evaluate.metamorphic import measure_moves
from tasks.query.retrieval import find
from warehouse.reader import Warehouse
from warehouse.records import Hit, Ranking, SearchRequest
from warehouse.settings.loader import load

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


def main() -> None:
    """Print a Markdown table of the shares, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warehouse", type=Path)
    parser.add_argument("--questions", type=int, default=300, help="About how many of them are asked.")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    warehouse = Warehouse(given.warehouse).at()
    model = embedder(load({}).embed.model)

    def search(text: str, ranking: Ranking) -> Sequence[Hit]:
        return find(warehouse, SearchRequest(text, ranking=ranking, k=HITS), model, TODAY).hits

    found = measure_moves(chosen(timed_questions(warehouse), given.questions), search)
    if given.json:
        print(json.dumps(asdict(found), indent=2))
        return
    print("| promise | kept | of |\n|---|---|---|")
    for field in fields(found):
        share = getattr(found, field.name)
        print(f"| {field.name.replace('_', ' ')} | {share.part:.1%} | {share.cases} |")


if __name__ == "__main__":
    main()
