"""How good is the search on judged questions: `python benchmarks/retrieval.py FOLDER [--limit N]`.

FOLDER holds `retrieval/*`, `multihop/*`, `chinese/*`, `tables_qa` and `pdf`, each as `kalends evaluate` reads it. Every
one is asked with every ranking, and a Markdown table is printed: a row a set and measure, a column a ranking. Corpora
that are no warehouse yet become one below `.kalends/evaluate`; with `--held` the warehouse of each is the folder there
of its name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from flows.datasets import dataset_folder
from flows.evaluation import EvaluationRun, evaluate
from tasks.evaluate.configurations import choose_rankings
from tasks.evaluate.dataset import read_dataset
from tasks.evaluate.outcomes import Evaluation
from warehouse.settings.loader import load

PLACES = ("retrieval/*", "multihop/*", "chinese/*", "tables_qa", "pdf")
TODAY = date(2026, 1, 1)


def measure(place: Path, limit: int | None, held: Path | None) -> Evaluation:
    """The figures of one set."""
    exam = read_dataset(place)
    work = dataset_folder(exam, load())
    settings = load({"warehouse": held / exam.name if held else work / "warehouse"})
    sitting = EvaluationRun(choose_rankings(()), (), TODAY, work)
    return evaluate(exam.limited(limit) if limit else exam, sitting, settings, _say)


def head(found: Evaluation) -> list[str]:
    """The first lines of the table."""
    names = [trial.name for trial in found.trials]
    return [_row("set", "measure", *names), "|---|---|" + "---:|" * len(names)]


def rows(found: Evaluation) -> Iterator[str]:
    """A set's part of the table; the last row is the median of a search in milliseconds."""
    for label in found.trials[0].means:
        figures = [trial.means[label] for trial in found.trials]
        best = max(figures) if len(set(figures)) > 1 else None
        shown = (f"**{value:.3f}**" if value == best else f"{value:.3f}" for value in figures)
        yield _row(f"{found.exam} ({found.questions})", label, *shown)
    yield _row(found.exam, "ms", *(f"{trial.median_milliseconds:.0f}" for trial in found.trials))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, help="ask only so many questions of each set")
    parser.add_argument("--held", type=Path, help="where the warehouses are")
    given = parser.parse_args()
    places = sorted(place for pattern in PLACES for place in given.folder.glob(pattern))
    for number, place in enumerate(places):
        found = measure(place, given.limit, given.held)
        for line in (*(head(found) if not number else ()), *rows(found)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
