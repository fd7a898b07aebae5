"""Questions about diaries whose truth is known: the right entry first, shown and dated, and silence said.

    python benchmarks/diary.py [--held-out] [--errors] [--json]

Writes four diaries (`benchmarks/diaries`) of fourteen months, ingests each with the default settings and asks about
days, people, the latest and the first value, periods, and times of which nothing is told. `first` and `in three` say
that a passage of a right day stands there, `shown` that the first hit's excerpt holds a sentence that answers, `dated`
that the first hit cites the day of its entry, `said` that a time without an entry is denied, `wrongly` that one with
entries is. The questions of `--held-out` have another vocabulary and are not looked at while building.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.diaries.forms import FORMS
from benchmarks.diaries.questions import DiaryQuestion, questions
from benchmarks.diaries.world import CHINESE, HELD_OUT, OPEN, Entry, entries
from tasks.ask.excerpts import with_excerpts
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest, SearchResult
from warehouse.settings.loader import load_settings

TODAY = date(2026, 11, 20)
DAYS = 430
HITS = 5
_DENIAL = re.compile(r"^(?:nothing|no) ", re.IGNORECASE)  # How a note begins that denies a time.


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found for a question; None where the measure does not apply to it."""

    question: DiaryQuestion
    first: bool | None
    in_three: bool | None
    shown: bool | None
    dated: bool | None
    said: bool | None = None
    wrongly: bool | None = None


MEASURES = ("first", "in_three", "shown", "dated", "said", "wrongly")


def main() -> None:
    """Measure, and print a table by diary and kind of question, the failures, or JSON."""
    options = _options()
    outcomes: dict[str, list[Outcome]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, form in enumerate(FORMS):
            outcomes[form] = list(_measure(form, number, Path(folder), held_out=options.held_out))
    if options.json:
        print(json.dumps(_report(outcomes), indent=2, ensure_ascii=False))
    elif options.errors:
        for form, row in ((form, row) for form, rows in outcomes.items() for row in rows):
            wrong = [name for name in MEASURES[:-1] if getattr(row, name) is False] + ["wrongly"] * bool(row.wrongly)
            if wrong:
                days = " ".join(sorted(map(str, row.question.days))[:4])
                print(f"{form}: {row.question.kind}: {row.question.text} [{days}] {', '.join(wrong)}")
    else:
        print(f"{'':28}{'n':>5}" + "".join(f"{name:>10}" for name in MEASURES))
        for name, figures in _report(outcomes).items():
            shares = "".join(
                f"{'–' if figures[each] is None else format(figures[each], '.3f'):>10}" for each in MEASURES
            )
            print(f"{name:28}{figures['questions']:>5}{shares}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", action="store_true", help="the other vocabulary; its failures are not to be read")
    parser.add_argument("--errors", action="store_true", help="what went wrong, in place of the table")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.held_out and options.errors:
        parser.error("the failures of the held-out questions are not shown: leave --errors out")
    return options


def _measure(form: str, number: int, folder: Path, *, held_out: bool) -> Iterator[Outcome]:
    chinese = form == "chinese log"
    seed = 100 * held_out + number
    vocabulary = CHINESE if chinese else HELD_OUT if held_out else OPEN
    made = entries(vocabulary, seed, TODAY, DAYS)
    place = folder / form.replace(" ", "-")
    FORMS[form](made, place)
    settings = load_settings({"warehouse": folder / f"{place.name}.warehouse"})
    # In a process of its own: Prefect's client keeps one server for the life of a process.
    command = [sys.executable, "-m", "dashboards.cli.main", "ingest", str(place), "-w", str(settings.warehouse)]
    subprocess.run(command, check=True, capture_output=True)
    subprocess.run([*command[:3], "down", *command[-2:]], check=True, capture_output=True)
    warehouse, chosen = Warehouse(settings.warehouse), open_embedder(settings.embed.model)
    for question in questions(made, TODAY, seed, chinese=chinese):
        found = find(warehouse, SearchRequest(question.text, k=HITS), chosen, TODAY)
        hits = tuple(with_excerpts(found.question, found.hits, chosen))
        yield _judge(question, SearchResult(found.question, hits, found.notes), made)


def _judge(question: DiaryQuestion, found: SearchResult, made: Sequence[Entry]) -> Outcome:
    denied = any(_DENIAL.match(note) for note in found.notes)
    if not question.days:
        return Outcome(question, None, None, None, None, said=denied)
    right = [any(sentence in hit.text for sentence in question.sentences) for hit in found.hits[:3]]
    if not right:
        return Outcome(question, first=False, in_three=False, shown=False, dated=False, wrongly=denied)
    first = found.hits[0]
    start, end = first.excerpt or (first.start, first.end)
    excerpt = first.text[start - first.start : end - first.start]
    shown = any(sentence in excerpt for sentence in question.sentences)
    # The day of an entry of the first hit, right or wrong: a citation should say it.
    days = {entry.day for entry in made if any(item.text in first.text for item in entry.items)}
    dated = first.citation.date in days if days else None
    return Outcome(question, right[0], any(right), shown, dated, wrongly=denied)


def _report(outcomes: dict[str, list[Outcome]]) -> dict[str, dict[str, float | None]]:
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for form, rows in outcomes.items():
        for row in rows:
            groups[form].append(row)
            groups[f"  {row.question.kind}"].append(row)
            groups["all"].append(row)
    return {name: _shares(rows) for name, rows in groups.items()}


def _shares(rows: Sequence[Outcome]) -> dict[str, float | None]:
    figures: dict[str, float | None] = {"questions": len(rows)}
    for name in MEASURES:
        values = [value for row in rows if (value := getattr(row, name)) is not None]
        figures[name] = sum(values) / len(values) if values else None
    return figures


if __name__ == "__main__":
    main()
