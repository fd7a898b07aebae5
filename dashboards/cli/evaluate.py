"""`kalends evaluate`: how good the search is on judged questions, and what each part of it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.grid import grid_lines
from dashboards.cli.options import JsonOption, print_json, settings_of
from warehouse.errors import BadInput
from warehouse.records import Table

if TYPE_CHECKING:
    from tasks.evaluate.outcomes import Evaluation, Trial

PlaceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        help="Judged questions: a folder in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/test.tsv), a file or "
        "folder of TAT-QA (tatqa_*.json), or questions.jsonl beside its PDFs.",
    ),
]
HeldOption = Annotated[
    Path | None,
    typer.Option(
        "--warehouse",
        "-w",
        help="Where the corpus becomes a warehouse, or one that holds it: its files named after the documents' ids "
        "[default: .kalends/evaluate/NAME].",
    ),
]
PartOption = Annotated[
    list[str] | None,
    typer.Option(
        "--part",
        help="Ask only with this ranking: dense, keyword, hybrid (the default), rrf, convex, without-times … "
        "[default: all].",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(evaluate)


def evaluate(
    place: PlaceArgument,
    split: Annotated[str, typer.Option(help="Which part of the questions [default: test in BEIR's layout].")] = "",
    part: PartOption = None,
    reranker: Annotated[str, typer.Option(help="Also ask with this reranker.")] = "",
    k: Annotated[list[int] | None, typer.Option("--k", min=1, max=1000, help="Also recall at this cut.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only so many questions, spread over all.")] = None,
    today: Annotated[str, typer.Option(help="The day relative times are read from [default: today].")] = "",
    warehouse: HeldOption = None,
    json: JsonOption = False,
) -> None:
    """Measure the search on judged questions: each half alone, the default, and the default without each part.

    The corpus becomes a warehouse like any other; what is done is not done again. As in BEIR, a document with the
    question's own id is left out of its results. The interval of a difference is a paired bootstrap's, 95 %.
    """
    from dashboards.cli.progress import tell, watcher
    from flows.corpora import workplace
    from flows.evaluating import Sitting
    from flows.evaluating import evaluate as take
    from flows.observing import observed_by
    from tasks.evaluate.configurations import chosen
    from tasks.evaluate.contract import exam_at

    rankings, day = chosen(part or (), reranker), _day(today)
    exam = exam_at(place, split)
    work = workplace(exam, settings_of(None))
    sitting = Sitting(rankings, tuple(k or ()), day, work)
    with observed_by(watcher(silent=json)):
        settings = settings_of(warehouse or work / "warehouse")
        found = take(exam.limited(limit) if limit else exam, sitting, settings, tell)
    if json:
        print_json(_as_data(found))
        return
    for line in lines(found):
        typer.echo(line)


def lines(found: Evaluation) -> Iterator[str]:
    """An evaluation for people."""
    yield f"{found.exam}: {found.questions} questions over {found.documents} documents, {found.model}"
    yield from grid_lines(Table(1, 0, 0, tuple(_rows(found)), ()))
    yield from (f"note: {note}" for note in found.notes)
    yield "ms: median of a search without the question's vector" + (
        f", which took {found.question_milliseconds:.1f} ms" if found.question_milliseconds else ""
    )


def _rows(found: Evaluation) -> Iterator[tuple[str, ...]]:
    labels = list(found.trials[0].means)
    yield ("", *labels, "ms", f"{labels[0]} against hybrid")
    for trial in found.trials:
        figures = (f"{value:.3f}" for value in trial.means.values())
        yield (trial.name, *figures, f"{trial.median_milliseconds:.1f}", _against(trial, labels[0]))


def _against(trial: Trial, label: str) -> str:
    change = trial.against.get(label)
    return f"{change.difference:+.3f} [{change.low:+.3f}, {change.high:+.3f}]" if change else ""


def _as_data(found: Evaluation) -> dict[str, object]:
    """The record with the figures that are made from it."""
    from dataclasses import asdict

    trials = [
        {**asdict(trial), "means": trial.means, "median_milliseconds": trial.median_milliseconds}
        for trial in found.trials
    ]
    return {**asdict(found), "trials": trials}


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text) if text else datetime.now(UTC).date()
    except ValueError:
        raise BadInput(f"'{text}' is not a day", "write it as YYYY-MM-DD") from None
