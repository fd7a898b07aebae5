"""`kalends evaluate`, also of several models or of a grid, and `kalends explain-loss`: the quality of the search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.cli.options import OutputFormat, WarehouseOption, load_settings, print_json, print_result, with_format
from warehouse.errors import BadInput
from warehouse.printable_text import ESCAPES

if TYPE_CHECKING:
    from flows.experiments.grids import GridOptions
    from flows.experiments.losses import LossReport
    from tasks.evaluate.bootstrap import Clusters
    from tasks.evaluate.dataset import Dataset
    from tasks.evaluate.experiments.grid_file import GridConfigurations
    from tasks.evaluate.outcomes import BaselineTrial, Evaluation, Values
    from warehouse.settings.loader import Settings


PlaceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="DIR",
        help="Judged questions: a folder in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/test.tsv, or qrels in "
        "TREC's format), a file or folder of TAT-QA (tatqa_*.json), questions.jsonl beside its documents, or beside "
        "corpora/ (chunking_evaluation). With --questions, any folder of documents.",
    ),
]
HeldOption = Annotated[
    Path | None,
    typer.Option(
        "--warehouse",
        "-w",
        help="The warehouse to ingest the corpus into, or one that contains it, with files named after the ids of its "
        "documents [default: .kalends/evaluate/NAME].",
    ),
]
QuestionsOption = Annotated[
    str,
    typer.Option(
        metavar="FILE|made",
        help='Questions about the documents: a file of lines {"question": …, "evidence": [{"document": …, "page": …, '
        '"text": …}]}, or "made" to generate them from the documents, without a model.',
    ),
]
SaveOption = Annotated[
    Path | None, typer.Option("--save-questions", help="Also write the questions to a new file, to edit and use again.")
]
JudgeOption = Annotated[
    str,
    typer.Option(
        help="When a hit counts as an answer, if the text of the answer is known: it covers its position (span), "
        "contains it (substring), or is similar to it (similarity above 0.85)."
    ),
]
PartOption = Annotated[
    list[str] | None,
    typer.Option(
        "--part",
        help="Measure only this ranking: dense, keyword, hybrid (the default), rrf, convex, without-times … "
        "[default: all].",
    ),
]


RunOption = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="FILE|FOLDER",
        help="Also write what each question found in TREC's run format (qid Q0 docid rank score tag), as deep as the "
        "greatest --k: the documents, and, where passages are judged, these as document#start-end in a second file. A "
        "folder gets a file a ranking and the judgements as qrels.txt.",
    ),
]
ModelOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="Measure with this embedding model, named as in embed.model; given more than once, the others are "
        "compared with the first, question by question. Measured are the parts dense and hybrid unless --part says "
        "otherwise. What does not depend on the model is done once, and measurements are stored and not repeated.",
    ),
]
GridOption = Annotated[
    Path | None,
    typer.Option(
        help="Try every configuration of this YAML file (grid: {chunker: [fixed, structural], fusion: [weighed, rrf]}) "
        "and report the best one, its cost, and the effect of each value. Names of other systems (chunking_strategies, "
        "enable_hybrid, top_k) are understood. Finished trials are stored and not repeated."
    ),
]
GateOption = Annotated[
    Path | None,
    typer.Option(
        help="Exit with code 1 if a result is significantly worse than in this file, the --json output of an earlier "
        "run."
    ),
]
ReportOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--report",
        help="Also write the results of --grid or --model to this file: .csv, .json, .md, or .html with charts; all "
        "but .csv with the passages that were found.",
    ),
]


@with_format()
def evaluate(
    place: PlaceArgument,
    split: Annotated[str, typer.Option(help="The split of the questions [default: test, in BEIR's layout].")] = "",
    questions: QuestionsOption = "",
    save_questions: SaveOption = None,
    judge: JudgeOption = "span",
    part: PartOption = None,
    reranker: Annotated[str, typer.Option(help="Also measure this reranker [default: rerank.model].")] = "",
    k: Annotated[
        list[int] | None, typer.Option("--k", min=1, max=1000, help="Also measure recall at this rank.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="The number of questions to ask, taken at equal distances.")
    ] = None,
    today: Annotated[str, typer.Option(help="The reference date of relative times [default: today].")] = "",
    model: ModelOption = None,
    grid: GridOption = None,
    report: ReportOption = None,
    gate: GateOption = None,
    run: RunOption = None,
    warehouse: HeldOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Measure the search on judged questions.

    Each ranking alone, the default, and the default without each part. The corpus is ingested into a warehouse, once.
    As in BEIR, a document with the same id as the question is left out of its results. Intervals are 95 % intervals
    of a bootstrap that draws questions about one document together.
    """
    from dashboards.cli.progress_display import make_observer, print_progress
    from flows.datasets import GENERATED, get_dataset_folder, open_dataset, with_generated_questions, write_questions
    from flows.evaluation import EvaluationRun
    from flows.evaluation import evaluate_rankings as measure
    from flows.experiments.grids import GridOptions, with_grid_questions
    from flows.progress import observe_runs
    from tasks.evaluate.answers import JUDGES
    from tasks.evaluate.configurations import choose_rankings
    from tasks.evaluate.experiments.model_comparison import build_model_configurations, choose_parts, name_trial
    from tasks.evaluate.measures import MAX_CUT
    from tasks.evaluate.outcomes import read_baseline
    from tasks.evaluate.trec import check_run_place, write_runs

    json = form is OutputFormat.JSON
    if grid and (part or reranker or k or run or model):
        cure = "write them into the grid's file, and leave --run out"
        raise BadInput("--part, --reranker, --k, --model and --run cannot be combined with --grid", cure)
    if report and not (grid or model):
        raise BadInput("--report needs --grid or --model", "give a file with --grid, or use --json")
    day = _parse_reference_day(today)
    JUDGES[judge]
    here = load_settings(None)
    choose_rankings(part or (), reranker or here.rerank.model)
    dataset = open_dataset(place, questions, split)
    work = get_dataset_folder(dataset, here)
    settings = load_settings(warehouse or work / "warehouse")
    second = reranker or settings.rerank.model
    rankings = choose_rankings(choose_parts(part or (), second) if model else part or (), second)
    if run:
        check_run_place(run, [name_trial(model_name, name) for model_name in model or [""] for name in rankings])
    conditions = EvaluationRun(rankings, tuple(k or ()), day, work, judge, MAX_CUT if json else 0)
    configurations = None
    if grid or model:
        from dashboards.serializers.grid_reports import check_report_suffix
        from tasks.evaluate.experiments.grid_file import read_grid

        for file in report or ():
            check_report_suffix(file)
        configurations = (
            read_grid(grid, settings) if grid else build_model_configurations(model or (), rankings, k or (), settings)
        )
    before = read_baseline(gate) if gate else []
    with observe_runs(make_observer(silent=json)):
        if questions == GENERATED:
            question_arguments = (dataset, limit, work, settings, print_progress)
            dataset = (
                with_grid_questions(configurations, *question_arguments)
                if configurations
                else with_generated_questions(*question_arguments)
            )
        if save_questions:
            write_questions(dataset, save_questions)
        dataset = dataset.limit_questions(limit) if limit else dataset
        if configurations:
            terms = GridOptions(judge, day if today else None, day, work, tuple(k or ()))
            names = {"models": tuple(model or ()), "parts": tuple(rankings)}
            results = run_experiments(
                dataset, configurations, terms, settings, **names, reports=report or (), run=run, json=json
            )
        else:
            evaluation = measure(dataset, conditions, settings, print_progress)
            if run:
                write_runs(run, evaluation.trials, dataset.questions)
            results = print_evaluation(evaluation, json=json)
    if gate:
        apply_gate(before, results)
    if not results.trials:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class MeasuredTrials:
    """Results that a gate compares: values of questions by configuration, their clusters, failed configurations."""

    trials: Mapping[str, Values]
    clusters: Clusters
    failed_names: Collection[str] = ()


def _parse_reference_day(today: str) -> date:
    try:
        return date.fromisoformat(today) if today else datetime.now(UTC).date()
    except ValueError:
        raise BadInput(f"'{today}' is not a date", "write it as YYYY-MM-DD") from None


def print_evaluation(evaluation: Evaluation, *, json: bool) -> MeasuredTrials:
    """Print the figures of the rankings, and return what a gate compares."""
    from dashboards.cli.evaluation_report import iter_evaluation_lines, serialize_evaluation

    if json:
        print_json(serialize_evaluation(evaluation))
    else:
        typer.echo("\n".join(iter_evaluation_lines(evaluation)))
    return MeasuredTrials({trial.name: trial.values for trial in evaluation.trials}, evaluation.clusters)


def run_experiments(
    dataset: Dataset,
    grid: GridConfigurations,
    terms: GridOptions,
    settings: Settings,
    *,
    reports: Sequence[Path],
    models: Sequence[str],
    parts: Sequence[str],
    run: Path | None,
    json: bool,
) -> MeasuredTrials:
    """Try the configurations, print the results, and write the `reports` and, where models are compared, the `run`."""
    from dashboards.cli.evaluation_report import (
        iter_grid_report_lines,
        iter_model_report_lines,
        serialize_model_comparison,
    )
    from dashboards.cli.progress_display import print_progress
    from dashboards.serializers.grid_reports import serialize_grid, write_grid_report
    from flows.experiments.grids import read_rankings, run_grid
    from tasks.evaluate.experiments.grid_outcome import compute_findings
    from tasks.evaluate.experiments.model_comparison import compare_models
    from tasks.evaluate.trec import write_runs

    outcome = run_grid(dataset, grid, terms, settings, print_progress)
    report = compute_findings(outcome)
    for file in reports:
        write_grid_report(report, file)
    if run:
        write_runs(run, read_rankings(outcome, settings), dataset.questions)
    comparison = compare_models(outcome, models, parts) if models else None
    if json:
        print_json(serialize_model_comparison(report, comparison) if comparison else serialize_grid(report))
    else:
        typer.echo("\n".join(iter_model_report_lines(comparison) if comparison else iter_grid_report_lines(report)))
    values = {trial.name: trial.values for trial in outcome.trials}
    return MeasuredTrials(values, dataset.clusters, outcome.failures.keys())


def apply_gate(before: Sequence[BaselineTrial], results: MeasuredTrials) -> None:
    """Print how each configuration compares with the baseline.

    Ends with exit code 1 where one is significantly worse or failed. Raises `BadInput` for a baseline of others.
    """
    from dashboards.cli.progress_display import print_progress
    from dashboards.serializers.grid_reports import format_difference
    from tasks.evaluate.outcomes import compute_verdicts

    missing = [question.name for question in before if question.name in results.failed_names]
    comparisons = compute_verdicts(before, results.trials, results.clusters) if results.trials or not missing else []
    for comparison in comparisons:
        difference, within = format_difference(comparison.change)
        verdict = "is significantly worse" if comparison.is_worse else "is not significantly worse"
        print_progress(
            f"gate: {comparison.name} {verdict}: {comparison.measure} {difference} {within}"
            f" over {comparison.questions} questions"
        )
    for name in missing:
        print_progress(f"gate: {name} failed")
    if missing or any(comparison.is_worse for comparison in comparisons):
        raise typer.Exit(1)


CONFIGURATION_NAME = "its name, or the first characters of its trial's id"


@with_format()
def explain_loss(
    before: Annotated[
        str, typer.Argument(metavar="A", help=f"The better configuration of a grid: {CONFIGURATION_NAME}.")
    ],
    after: Annotated[str, typer.Argument(metavar="B", help="The worse configuration, named in the same way.")],
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Find out why one configuration answers worse than another.

    For each question that B answers worse than A, the first stage is named whose output differs around the answer.
    The stages are parse, table, chunk and embed; if their outputs are the same, it is rank: only the order of the
    hits differs. Uses the stored results of 'kalends evaluate' with --grid or --model; no question is asked again.
    """
    from flows.experiments.losses import explain_losses
    from warehouse.store.layout import Layout

    report = explain_losses(Layout(load_settings(warehouse).warehouse), before, after)
    print_result(form, report, iter_loss_lines(report))


def iter_loss_lines(report: LossReport) -> Iterator[str]:
    """The explanation of the losses, for people."""
    count = f"{len(report.lost_questions)} of {report.questions} questions have a lower {report.measure}"
    yield f"{report.exam}: {count} with '{report.after.name}' than with '{report.before.name}'"
    yield f"differences: {'; '.join(report.differences) or 'only the documents or the code'}"
    for loss in report.lost_questions:
        ranks = f"rank {loss.rank_before or '-'} to {loss.rank_after or '-'}"
        yield ""
        yield f"{' '.join(loss.text.split()).translate(ESCAPES)}"
        yield f"  {loss.before:.3f} to {loss.after:.3f}, {ranks}; {loss.stage}: {loss.reason.translate(ESCAPES)}"
    if report.lost_questions:
        stages = Counter(lost_question.stage for lost_question in report.lost_questions)
        yield ""
        yield "by stage: " + ", ".join(f"{stage} {count}" for stage, count in stages.most_common())
