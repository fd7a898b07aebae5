"""What `kalends ask` answers without a language model, on questions whose answers are known.

    python benchmarks/answers.py [--data ../shared/data] [--work FOLDER] [--most 60] [--half report] [--json]

The documents of each group of questions are written to FOLDER and ingested once with the default model, into a
warehouse of their own. Groups: TAT-QA's questions to tables, to paragraphs and with sums, asked of reports of invented
companies (`answer_exam/reports.py`); figures of those tables in other words ("top line", "cash on hand"); the seven
filings, with FinanceBench's questions and own ones; passages with exact gold excerpts; HotpotQA; DRCD (Chinese); and
questions without an answer: of a company or a time that no document is about, or of matters whose words the document
does not have.

Each table, and each question of the other groups, is in one of two halves by the hash of its id. Whatever is chosen by
measurement is chosen by the half "choose"; the half "report" is only reported. At most `--most` of a group and half.

Of an answerable question an answer is

- right, where the first answer's quotations have the gold figure (each operand of a sum), the gold span or 70 % of its
  words, or, where only the gold passage is known, a line of it;
- wrong, where quotations are shown as the answer and none of them has that;
- listed, where it says that no direct quote was found and shows the closest passages ("among": one has the gold);
- denied falsely, where it says that no passage was found, or that no document is about it.

Of a question without an answer, what is denied or listed is no fault; any quotation shown as the answer is wrong.
`scale` counts the right figures, gold in thousands, millions or billions, whose quotation names that scale.
`--calibrate` prints the models of `tasks.ask.certainty` that fit the half best.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

# What PYTHONPATH names comes first, so that an older version can be measured.
sys.path.append(str(Path(__file__).parents[1]))

from benchmarks.answer_exam.outcomes import Outcome, Verdict, judged
from benchmarks.answer_exam.questions import Asked, questions, write_documents
from dashboards.assistant.answer_types import Answer
from dashboards.assistant.answers import answer
from dashboards.assistant.tools.contract import ToolContext
from flows.orchestration import temporary_server
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest
from warehouse.settings.loader import load_settings
from warehouse.store.layout import Layout

TODAY = date(2026, 1, 1)
Row = tuple[Asked, Answer, Verdict]


def warehouses(data: Path, work: Path) -> dict[str, Path]:
    """The warehouses by name; made where there are none."""
    return ingest(write_documents(data, work / "documents"), work)


def ingest(names: Sequence[str], work: Path) -> dict[str, Path]:
    """The warehouses of these folders of `work`/documents; made where there are none."""
    for name in names:
        if not (work / name / "warehouse.duckdb").exists():
            command = [sys.executable, "-m", "dashboards.cli.main", "ingest", str(work / "documents" / name)]
            command += ["--warehouse", str(work / name)]
            with temporary_server(Layout(work / name)):
                subprocess.run(command, check=True, stdout=sys.stderr, env=os.environ)
    return {name: work / name for name in names}


def answered(asked: Sequence[Asked], places: dict[str, Path]) -> Iterator[Row]:
    """Each question with its answer and what that counts as."""
    for each, context, wanted in _wanted(asked, places):
        said = answer(
            context, wanted, None, on_event=lambda _: None, ask_permission=lambda *_: False, extracts_only=True
        )
        yield each, said, judged(said, each.rule, each.gold, each.scale)


def calibrate(asked: Sequence[Asked], places: dict[str, Path], *, as_json: bool) -> None:
    """Print the models that fit the questions best."""
    from benchmarks.answer_exam.calibration import described, examples, fitted

    found = [example for each, context, wanted in _wanted(asked, places) for example in examples(each, context, wanted)]
    if as_json:
        print(json.dumps([asdict(each) for each in found]))
    else:
        print("\n".join(described(fitted(found), found)))


def _wanted(asked: Sequence[Asked], places: dict[str, Path]) -> Iterator[tuple[Asked, ToolContext, SearchRequest]]:
    """Each question with what it is asked of."""
    desks = {
        name: ToolContext(load_settings({"warehouse": place}), Warehouse(place), TODAY)
        for name, place in places.items()
    }
    for each in asked:
        context = desks[each.warehouse]
        documents = (_document(context, each),) if each.document else ()
        yield each, context, SearchRequest(each.text, Filters(documents=documents))


def _document(context: ToolContext, asked: Asked) -> str:
    found = context.warehouse.find_document_id(f"{asked.warehouse}/{asked.document}")
    if found is None:
        raise SystemExit(f"there is no document {asked.document}: remove {context.settings.warehouse} and run again")
    return found


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """The counts of a group of answerable or unanswerable questions, or of all."""
    able = [(asked, verdict) for asked, _, verdict in rows if asked.answerable]
    unable = [verdict for asked, _, verdict in rows if not asked.answerable]
    of = Counter(verdict.outcome for _, verdict in able)
    other = Counter(verdict.outcome for verdict in unable)
    scaled = [verdict.scaled for _, verdict in able if verdict.scaled is not None]
    return {
        "answerable": len(able),
        "right": of[Outcome.RIGHT],
        "wrong": of[Outcome.WRONG],
        "listed": of[Outcome.LISTED],
        "among": sum(verdict.among for _, verdict in able if verdict.outcome is Outcome.LISTED),
        "denied falsely": of[Outcome.DENIED],
        "unanswerable": len(unable),
        "denied rightly": other[Outcome.DENIED],
        "listed rightly": other[Outcome.LISTED],
        "asserted": other[Outcome.WRONG] + other[Outcome.RIGHT],
        "scale": f"{sum(scaled)}/{len(scaled)}" if scaled else "",
    }


def table(groups: dict[str, dict[str, Any]]) -> str:
    """The counts as a Markdown table, and the shares that the goals are set for."""
    names = list(next(iter(groups.values())))
    lines = [f"| group | {' | '.join(names)} |", f"| --- |{' ---: |' * len(names)}"]
    lines += [f"| {name} | {' | '.join(str(counts[key]) for key in names)} |" for name, counts in groups.items()]
    every = groups["all"]
    able, total = every["answerable"] or 1, (every["answerable"] + every["unanswerable"]) or 1
    wrong = every["wrong"] + every["asserted"]
    lines.append(
        f"\nright {every['right'] / able:.1%}, denied falsely {every['denied falsely'] / able:.1%}, "
        f"listed with the gold {every['among'] / able:.1%} of the answerable; wrong {wrong / total:.1%} of all"
    )
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--work", type=Path, default=Path(__file__).parents[2] / "answers")
    parser.add_argument("--most", type=int, default=60, help="questions of a group and half")
    parser.add_argument("--half", choices=("choose", "report", "both"), default="report")
    parser.add_argument("--group", action="append", default=[], help="only these groups")
    parser.add_argument("--calibrate", action="store_true", help="fit the models of tasks.ask.certainty to the half")
    parser.add_argument("--json", action="store_true", help="the counts and every question with its answer")
    options = parser.parse_args()
    places = warehouses(options.data, options.work)
    asked = [each for each in questions(options.data, options.most) if options.half in (each.half, "both")]
    asked = [each for each in asked if not options.group or each.group in options.group]
    if options.calibrate:
        calibrate(asked, places, as_json=options.json)
        return
    begun = perf_counter()
    rows = list(answered(asked, places))
    seconds = perf_counter() - begun
    names = dict.fromkeys(each.group for each, *_ in rows)
    groups = {name: summary([row for row in rows if row[0].group == name]) for name in names} | {"all": summary(rows)}
    if options.json:
        each = [
            {**asdict(asked), **asdict(verdict), "answer": said.text, "notes": said.notes}
            for asked, said, verdict in rows
        ]
        print(json.dumps({"half": options.half, "groups": groups, "questions": each}, ensure_ascii=False, indent=1))
    else:
        print(f"{len(rows)} questions of the half '{options.half}', {1000 * seconds / max(len(rows), 1):.0f} ms each\n")
        print(table(groups))


if __name__ == "__main__":
    main()
