"""Results of a grid of configurations: rows of its tables, its JSON, and report files (CSV, JSON, Markdown, HTML)."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from dashboards.serializers.document_markdown import pipe_table
from tasks.evaluate.experiments.grid_outcome import GridFindings, Price, TrialOutcome, list_varied_values
from tasks.evaluate.outcomes import Change
from warehouse.errors import BadInput
from warehouse.records import RetrievedPassage, Table, TrialQuestion

FEW = 3  # Measures in the tables besides those of characters; files have all of them.
_CHARACTERS = ("passage recall", "excerpt recall", "excerpt IoU")
SHORT = 8  # Characters of a trial's id that tables show.

Rows = list[tuple[str, ...]]


def grid_json(found: GridFindings) -> dict[str, Any]:
    """All results, for JSON; a later run can be compared with them (`--gate`)."""
    grid, chosen = found.grid, found.price
    best = chosen and {
        "measure": chosen.measure,
        "name": chosen.best.name,
        "cheapest": chosen.cheapest.name,
        "gain": asdict(chosen.gains[chosen.cheapest.name]),
        "milliseconds": chosen.milliseconds,
        "vectors": chosen.vectors,
        "bytes": chosen.bytes,
    }
    return {
        "exam": grid.exam,
        "documents": grid.documents,
        "asked": grid.asked,
        "best": best,
        "texts": {row.question: row.text for row in grid.trials[0].questions} if grid.trials else {},
        "trials": [_trial(each) for each in grid.trials],
        "effects": [asdict(each) for each in found.effects],
        "failed": dict(grid.failed),
        "notes": grid.notes,
    }


def write_grid_report(found: GridFindings, file: Path) -> None:
    """Write a file of the form that its suffix names. Raises `BadInput` for another and where it cannot be written."""
    check_report_suffix(file)
    try:
        file.write_text(_FORMS[file.suffix.lower()](found), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be written ({error.strerror})", "choose a file in an existing folder") from None


def check_report_suffix(file: Path) -> None:
    """Raise `BadInput` for a suffix that names no form."""
    if file.suffix.lower() not in _FORMS:
        raise BadInput(f"the format of '{file}' is not supported", f"end its name with {', '.join(_FORMS)}")


def trial_rows(found: GridFindings, chosen: Price) -> Rows:
    """A header and a row a configuration, the best first: how sure its figure is, and what it costs."""
    values = list_varied_values(found.grid)
    dimensions = list(values[chosen.best.name])
    rows: Rows = [
        ("trial", *dimensions, chosen.measure, "95 %", "difference from the best", "95 %", "ms", "vectors", "MB")
    ]
    for each in found.grid.rank_trials():
        mean, record = each.measures[chosen.measure], each.record
        gain = chosen.gains[each.name]
        loss = Change(-gain.difference, -gain.high, -gain.low, gain.p)
        rows.append(
            (
                record.trial_id[:SHORT],
                *values[each.name].values(),
                f"{mean.mean:.3f}",
                f"[{mean.low:.3f}, {mean.high:.3f}]",
                *(("", "") if each is chosen.best else difference_cells(loss)),
                f"{record.p50:.1f}",
                f"{record.vectors:,}",
                f"{record.index_bytes / 1e6:.1f}",
            )
        )
    return rows


def measure_rows(found: GridFindings) -> Rows:
    """A header and a row a configuration, the best first: the other measures, the slowest searches, the ingest."""
    ranked = found.grid.rank_trials()
    held = ranked[0].measures
    labels = [*list(held)[1 : FEW + 1], *(label for label in _CHARACTERS if label in held)]
    rows: Rows = [("trial", *labels, "ms 95 %", "ingest s")]
    for each in ranked:
        figures = (f"{each.measures[label].mean:.3f}" if label in each.measures else "" for label in labels)
        record = each.record
        rows.append((record.trial_id[:SHORT], *figures, f"{record.p95:.1f}", f"{record.ingest_seconds:.1f}"))
    return rows


def effect_rows(found: GridFindings) -> Rows:
    """A header and a row a value of a dimension."""
    rows: Rows = [("setting", "value", "mean", "difference from the first", "95 %", "p", "configurations")]
    for each in found.effects:
        against = (*difference_cells(each.change), f"{each.change.p:.3f}") if each.change else ("", "", "")
        rows.append((each.dimension, each.value, f"{each.mean:.3f}", *against, str(each.configurations)))
    return rows


def difference_cells(found: Change) -> tuple[str, str]:
    """A difference and its interval."""
    return f"{found.difference:+z.3f}", f"[{found.low:+z.3f}, {found.high:+z.3f}]"


def _trial(each: TrialOutcome) -> dict[str, Any]:
    """One configuration, in the format of `kalends evaluate --json` without a grid, with its settings and ranks."""
    record = asdict(each.record)
    measures = record.pop("measures")
    return {
        **record,
        "settings": json.loads(each.record.settings),
        "means": {row["measure"]: row["mean"] for row in measures},
        "estimates": {row.pop("measure"): row for row in measures},
        "values": each.values,
        "ranks": {row.question: row.rank for row in each.questions},
        "passages": {row.question: [asdict(passage) for passage in row.hits] for row in each.questions},
    }


def _csv(found: GridFindings) -> str:
    """A row a configuration and measure."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    facts = ("name", "exam", "p50", "p95", "documents", "chunks", "vectors", "index_bytes", "ingest_seconds")
    writer.writerow((*facts, "measure", "mean", "low", "high", "questions", "trial_id"))
    for each in found.grid.trials:
        own = [getattr(each.record, fact) for fact in facts]
        for row in each.record.measures:
            writer.writerow((*own, row.measure, row.mean, row.low, row.high, row.questions, each.record.trial_id))
    return stream.getvalue()


def _markdown(found: GridFindings) -> str:
    """The tables of the report, and what was found for each question."""
    parts = [f"# {found.grid.exam}"]
    if found.price:
        best = f"Best by {found.price.measure}: {found.price.best.name}"
        parts += [_table(trial_rows(found, found.price)), _table(measure_rows(found)), best]
    parts += ["## Effect of each value", _table(effect_rows(found))] if found.effects else []
    if found.price:
        parts += ["## Questions", _QUESTIONS.format(found.price.best.name)]
        parts += [part for row in found.price.best.questions for part in _question_markdown(row)]
    notes = (*(f"failed: {name}: {reason}" for name, reason in found.grid.failed.items()), *found.grid.notes)
    return "\n\n".join([*parts, *(f"* {note}" for note in notes)]) + "\n"


_QUESTIONS = "What the best configuration, {}, found for each question; the .json report has it of all configurations."
_FENCE = re.compile(r"`{3,}")


def _question_markdown(row: TrialQuestion) -> Iterator[str]:
    """A question, its rank and its passages."""
    yield f"### {' '.join(row.text.split())}"
    yield answered_at(row)
    for place, passage in enumerate(row.hits, 1):
        fence = max((len(found) + 1 for found in _FENCE.findall(passage.text)), default=3) * "`"
        yield f"{place}. {passage_line(passage)}\n\n{fence}text\n{passage.text}\n{fence}"


def answered_at(row: TrialQuestion) -> str:
    """The place of the first passage that answers a question."""
    return f"Answered by passage {row.rank}" if row.rank else "Not answered"


def passage_line(passage: RetrievedPassage) -> str:
    """Score, document, page and date, id."""
    page = f"page {passage.page}" if passage.page is not None else ""
    day = passage.date.isoformat() if passage.date else ""
    parts = f"score {passage.score:.4f}", passage.source, page, day, passage.chunk_id
    return ", ".join(filter(None, parts))


def _questions_html(found: GridFindings) -> str:
    """What the best configuration found, a fold for each question."""
    if not found.price:
        return ""
    folds = []
    for row in found.price.best.questions:
        passages = (f"<p>{escape(passage_line(each))}</p><pre>{escape(each.text)}</pre>" for each in row.hits)
        head = f"<summary>{escape(row.text)} ({answered_at(row).lower()})</summary>"
        folds.append(f"<details>{head}{''.join(passages)}</details>")
    style = "<style>body{font-family:sans-serif}pre{white-space:pre-wrap}</style>"
    best = escape(_QUESTIONS.format(found.price.best.name))
    return f"{style}<h2>Questions</h2><p>{best}</p>{''.join(folds)}"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    return pipe_table(Table(1, 0, 0, tuple(rows), ()))


def _json(found: GridFindings) -> str:
    return to_json(grid_json(found), indent=2, inf_nan_mode="null").decode() + "\n"


def _html(found: GridFindings) -> str:
    """The charts, and what was found for each question; the page fetches nothing."""
    from dashboards.serializers.experiment_charts import render_page

    head, end, tail = render_page(found).rpartition("</body>")
    return f"{head}{_questions_html(found)}{end}{tail}"


_FORMS: dict[str, Callable[[GridFindings], str]] = {".csv": _csv, ".json": _json, ".md": _markdown, ".html": _html}
