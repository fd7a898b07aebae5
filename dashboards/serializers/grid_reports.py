"""Results of a grid of configurations: rows of its tables, its JSON, and report files (CSV, JSON, Markdown, HTML)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from dashboards.serializers.document_markdown import format_code_block, format_pipe_table
from tasks.evaluate.experiments.grid_outcome import GridFindings, Price, TrialOutcome, list_varied_values
from tasks.evaluate.outcomes import Change
from warehouse.errors import BadInput
from warehouse.records import RetrievedPassage, Table, TrialQuestion

MAX_TABLE_MEASURES = 3  # Measures in the tables besides those of characters; files have all of them.
_CHARACTERS = ("passage recall", "excerpt recall", "excerpt IoU")
SHORT_ID_LENGTH = 8  # Characters of a trial's id that tables show.

Rows = list[tuple[str, ...]]


def serialize_grid(findings: GridFindings) -> dict[str, Any]:
    """All results, for JSON; a later run can be compared with them (`--gate`)."""
    grid, price = findings.grid, findings.price
    best = price and {
        "measure": price.measure,
        "name": price.best.name,
        "cheapest": price.cheapest.name,
        "gain": asdict(price.gains[price.cheapest.name]),
        "milliseconds": price.milliseconds,
        "vectors": price.vectors,
        "bytes": price.bytes,
    }
    return {
        "exam": grid.exam,
        "documents": grid.documents,
        "asked": grid.new_trials,
        "best": best,
        "texts": {row.question: row.text for row in grid.trials[0].questions} if grid.trials else {},
        "trials": [_serialize_trial(trial) for trial in grid.trials],
        "effects": [asdict(effect) for effect in findings.effects],
        "failed": dict(grid.failures),
        "notes": grid.notes,
    }


def write_grid_report(findings: GridFindings, file: Path) -> None:
    """Write a file of the form that its suffix names. Raises `BadInput` for another and where it cannot be written."""
    check_report_suffix(file)
    try:
        file.write_text(_FORMS[file.suffix.lower()](findings), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be written ({error.strerror})", "choose a file in an existing folder") from None


def check_report_suffix(file: Path) -> None:
    """Raise `BadInput` for a suffix that names no form."""
    if file.suffix.lower() not in _FORMS:
        raise BadInput(f"the format of '{file}' is not supported", f"end its name with {', '.join(_FORMS)}")


def build_trial_rows(findings: GridFindings, price: Price) -> Rows:
    """A header and a row a configuration, the best first: how sure its figure is, and what it costs."""
    values = list_varied_values(findings.grid)
    dimensions = list(values[price.best.name])
    rows: Rows = [
        ("trial", *dimensions, price.measure, "95 %", "difference from the best", "95 %", "ms", "vectors", "MB")
    ]
    for trial in findings.grid.rank_trials():
        mean, record = trial.measures[price.measure], trial.record
        gain = price.gains[trial.name]
        loss = Change(-gain.difference, -gain.high, -gain.low, gain.p)
        rows.append(
            (
                record.trial_id[:SHORT_ID_LENGTH],
                *values[trial.name].values(),
                f"{mean.mean:.3f}",
                f"[{mean.low:.3f}, {mean.high:.3f}]",
                *(("", "") if trial is price.best else format_difference(loss)),
                f"{record.p50:.1f}",
                f"{record.vectors:,}",
                f"{record.index_bytes / 1e6:.1f}",
            )
        )
    return rows


def build_measure_rows(findings: GridFindings) -> Rows:
    """A header and a row a configuration, the best first: the other measures, the slowest searches, the ingest."""
    trials = findings.grid.rank_trials()
    measures = trials[0].measures
    labels = [*list(measures)[1 : MAX_TABLE_MEASURES + 1], *(label for label in _CHARACTERS if label in measures)]
    rows: Rows = [("trial", *labels, "ms 95 %", "ingest s")]
    for trial in trials:
        figures = (f"{trial.measures[label].mean:.3f}" if label in trial.measures else "" for label in labels)
        record = trial.record
        rows.append((record.trial_id[:SHORT_ID_LENGTH], *figures, f"{record.p95:.1f}", f"{record.ingest_seconds:.1f}"))
    return rows


def build_effect_rows(findings: GridFindings) -> Rows:
    """A header and a row a value of a dimension."""
    rows: Rows = [("setting", "value", "mean", "difference from the first", "95 %", "p", "configurations")]
    for effect in findings.effects:
        against = (*format_difference(effect.change), f"{effect.change.p:.3f}") if effect.change else ("", "", "")
        rows.append((effect.dimension, effect.value, f"{effect.mean:.3f}", *against, str(effect.configurations)))
    return rows


def format_difference(change: Change) -> tuple[str, str]:
    """A difference and its interval."""
    return f"{change.difference:+z.3f}", f"[{change.low:+z.3f}, {change.high:+z.3f}]"


def _serialize_trial(trial: TrialOutcome) -> dict[str, Any]:
    """One configuration, in the format of `kalends evaluate --json` without a grid, with its settings and ranks."""
    record = asdict(trial.record)
    measures = record.pop("measures")
    return {
        **record,
        "settings": json.loads(trial.record.settings),
        "means": {row["measure"]: row["mean"] for row in measures},
        "estimates": {row.pop("measure"): row for row in measures},
        "values": trial.values,
        "ranks": {row.question: row.rank for row in trial.questions},
        "passages": {row.question: [asdict(passage) for passage in row.hits] for row in trial.questions},
    }


def _format_csv(findings: GridFindings) -> str:
    """A row a configuration and measure."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    facts = ("name", "exam", "p50", "p95", "documents", "chunks", "vectors", "index_bytes", "ingest_seconds")
    writer.writerow((*facts, "measure", "mean", "low", "high", "questions", "trial_id"))
    for trial in findings.grid.trials:
        values = [getattr(trial.record, fact) for fact in facts]
        for row in trial.record.measures:
            writer.writerow((*values, row.measure, row.mean, row.low, row.high, row.questions, trial.record.trial_id))
    return stream.getvalue()


def _format_markdown(findings: GridFindings) -> str:
    """The tables of the report, and what was found for each question."""
    parts = [f"# {findings.grid.exam}"]
    if findings.price:
        best = f"Best by {findings.price.measure}: {findings.price.best.name}"
        parts += [
            _format_table(build_trial_rows(findings, findings.price)),
            _format_table(build_measure_rows(findings)),
            best,
        ]
    parts += ["## Effect of each value", _format_table(build_effect_rows(findings))] if findings.effects else []
    if findings.price:
        parts += ["## Questions", _QUESTIONS.format(findings.price.best.name)]
        parts += [part for row in findings.price.best.questions for part in _iter_question_markdown(row)]
    notes = (*(f"failed: {name}: {reason}" for name, reason in findings.grid.failures.items()), *findings.grid.notes)
    return "\n\n".join([*parts, *(f"* {note}" for note in notes)]) + "\n"


_QUESTIONS = "What the best configuration, {}, found for each question; the .json report has it of all configurations."


def _iter_question_markdown(row: TrialQuestion) -> Iterator[str]:
    """A question, its rank and its passages."""
    yield f"### {' '.join(row.text.split())}"
    yield describe_rank(row)
    for place, passage in enumerate(row.hits, 1):
        yield f"{place}. {format_passage_line(passage)}\n\n{format_code_block(passage.text, 'text')}"


def describe_rank(row: TrialQuestion) -> str:
    """The place of the first passage that answers a question."""
    return f"Answered by passage {row.rank}" if row.rank else "Not answered"


def format_passage_line(passage: RetrievedPassage) -> str:
    """Score, document, page and date, id."""
    page = f"page {passage.page}" if passage.page is not None else ""
    day = passage.date.isoformat() if passage.date else ""
    parts = f"score {passage.score:.4f}", passage.source, page, day, passage.chunk_id
    return ", ".join(filter(None, parts))


def _render_questions(findings: GridFindings) -> str:
    """The passages that the best configuration found, a fold for each question."""
    if not findings.price:
        return ""
    folds = []
    for row in findings.price.best.questions:
        passages = (f"<p>{escape(format_passage_line(hit))}</p><pre>{escape(hit.text)}</pre>" for hit in row.hits)
        head = f"<summary>{escape(row.text)} ({describe_rank(row).lower()})</summary>"
        folds.append(f"<details>{head}{''.join(passages)}</details>")
    style = "<style>body{font-family:sans-serif}pre{white-space:pre-wrap}</style>"
    best = escape(_QUESTIONS.format(findings.price.best.name))
    return f"{style}<h2>Questions</h2><p>{best}</p>{''.join(folds)}"


def _format_table(rows: Sequence[tuple[str, ...]]) -> str:
    return format_pipe_table(Table(1, 0, 0, tuple(rows), ()))


def _format_json(findings: GridFindings) -> str:
    return to_json(serialize_grid(findings), indent=2, inf_nan_mode="null").decode() + "\n"


def _render_html(findings: GridFindings) -> str:
    """The charts, and what was found for each question; the page fetches nothing."""
    from dashboards.serializers.experiment_charts import render_charts_page

    head, end, tail = render_charts_page(findings).rpartition("</body>")
    return f"{head}{_render_questions(findings)}{end}{tail}"


_FORMS: dict[str, Callable[[GridFindings], str]] = {
    ".csv": _format_csv,
    ".json": _format_json,
    ".md": _format_markdown,
    ".html": _render_html,
}
