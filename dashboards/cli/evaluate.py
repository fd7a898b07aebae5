"""`kalends evaluate`: how good the search is on judged questions, and what each part of it is worth."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli import experiments
from dashboards.cli.options import JsonOption, print_json, settings_of
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from flows.evaluating import EvaluationRun
    from tasks.evaluate.contract import Dataset
    from warehouse.settings.loader import Settings

PlaceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        help="Judged questions: a folder in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/test.tsv), a file or "
        "folder of TAT-QA (tatqa_*.json), questions.jsonl beside its documents, or beside corpora/ "
        "(chunking_evaluation). With --questions, any folder of documents.",
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
QuestionsOption = Annotated[
    str,
    typer.Option(
        metavar="FILE|made",
        help='Questions about the documents: a file of lines {"question": …, "evidence": [{"document": …, "page": …, '
        '"text": …}]}, or "made" to have them made from the documents themselves, without a model.',
    ),
]
SaveOption = Annotated[
    Path | None, typer.Option("--save-questions", help="Also write the questions to this new file, to edit and ask.")
]
JudgeOption = Annotated[
    str,
    typer.Option(
        help="When a hit answers, where the words of the answer are known: it shows their place (span), holds them "
        "(substring), or is like them (similarity above 0.85)."
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
    questions: QuestionsOption = "",
    save_questions: SaveOption = None,
    judge: JudgeOption = "span",
    part: PartOption = None,
    reranker: Annotated[str, typer.Option(help="Also ask with this reranker.")] = "",
    k: Annotated[list[int] | None, typer.Option("--k", min=1, max=1000, help="Also recall at this cut.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only so many questions, spread over all.")] = None,
    today: Annotated[str, typer.Option(help="The day relative times are read from [default: today].")] = "",
    grid: experiments.GridOption = None,
    report: experiments.ReportOption = None,
    gate: experiments.GateOption = None,
    warehouse: HeldOption = None,
    json: JsonOption = False,
) -> None:
    """Measure the search on judged questions: each half alone, the default, and the default without each part.

    The corpus becomes a warehouse like any other; what is done is not done again. As in BEIR, a document with the
    question's own id is left out of its results. The interval of a difference is a paired bootstrap's, 95 %.
    """
    from dashboards.cli.progress import tell, watcher
    from flows.corpora import workplace
    from flows.evaluating import EvaluationRun
    from flows.experiments.grids import GridOptions
    from flows.observing import observed_by
    from flows.questioning import MADE, exam_of, save, with_made
    from tasks.evaluate.configurations import chosen
    from tasks.evaluate.experiments.gate import baseline
    from tasks.evaluate.judging import JUDGES

    if grid and (part or reranker or k):
        raise BadInput("--part, --reranker and --k are not for a grid", "write them into the grid's file")
    if report and not grid:
        raise BadInput("--report is for a grid", "name one with --grid, or take --json")
    rankings, day = chosen(part or (), reranker), _day(today)
    JUDGES[judge]
    exam = exam_of(place, questions, split)
    work = workplace(exam, settings_of(None))
    sitting = EvaluationRun(rankings, tuple(k or ()), day, work, judge)
    settings = settings_of(warehouse or work / "warehouse")
    tried = experiments.experiments_of(grid, report or (), settings) if grid else ()
    before = baseline(gate) if gate else []
    with observed_by(watcher(silent=json)):
        if questions == MADE:
            exam = with_made(exam, limit, work, settings, tell)
        if save_questions:
            save(exam, save_questions)
        exam = exam.limited(limit) if limit else exam
        if grid:
            terms = GridOptions(judge, day if today else None, day, work)
            asked = experiments.run(exam, tried, terms, settings, report or (), json=json)
        else:
            asked = _taken(exam, sitting, settings, json=json)
    if gate:
        experiments.gate(before, asked)
    if not asked.trials:
        raise typer.Exit(1)


def _taken(exam: Dataset, sitting: EvaluationRun, settings: Settings, *, json: bool) -> experiments.Asked:
    """Ask with each ranking and print what was found."""
    from dashboards.cli.evaluations import as_data, lines
    from dashboards.cli.progress import tell
    from flows.evaluating import evaluate as take

    found = take(exam, sitting, settings, tell)
    if json:
        print_json(as_data(found))
    else:
        typer.echo("\n".join(lines(found)))
    return experiments.Asked({trial.name: trial.values for trial in found.trials})


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text) if text else datetime.now(UTC).date()
    except ValueError:
        raise BadInput(f"'{text}' is not a day", "write it as YYYY-MM-DD") from None
