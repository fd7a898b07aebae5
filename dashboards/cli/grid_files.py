"""What a grid found, for programs: as JSON, and as a file of CSV, JSON, Markdown or a page with charts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from dashboards.cli.grid_report import effect_rows, measure_rows, trial_rows
from dashboards.cli.markdown import pipe_table
from tasks.evaluate.experiments.findings import Findings
from tasks.evaluate.experiments.outcome import Outcome
from warehouse.errors import BadInput
from warehouse.records import Table


def as_data(found: Findings) -> dict[str, Any]:
    """Everything, JSON-like; a later run can be gated by it (`--gate`)."""
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
        "trials": [_trial(each) for each in grid.trials],
        "effects": [asdict(each) for each in found.effects],
        "failed": dict(grid.failed),
        "notes": grid.notes,
    }


def write(found: Findings, file: Path) -> None:
    """Write a file of the form that its suffix names. Raises `BadInput` for another and where it cannot be written."""
    check(file)
    try:
        file.write_text(_FORMS[file.suffix.lower()](found), encoding="utf-8")
    except OSError as error:
        raise BadInput(
            f"{file} cannot be written ({error.strerror})", "name a file in a folder that is there"
        ) from None


def check(file: Path) -> None:
    """Raise `BadInput` for a suffix that names no form."""
    if file.suffix.lower() not in _FORMS:
        raise BadInput(f"'{file}' has no known form", f"end its name with {', '.join(_FORMS)}")


def _trial(each: Outcome) -> dict[str, Any]:
    """As `kalends evaluate --json` has it without a grid, with what a configuration has more."""
    record = asdict(each.record)
    measures = record.pop("measures")
    return {
        **record,
        "settings": json.loads(each.record.settings),
        "means": {row["measure"]: row["mean"] for row in measures},
        "estimates": {row.pop("measure"): row for row in measures},
        "values": each.values,
        "ranks": {row.question: row.rank for row in each.questions},
    }


def _csv(found: Findings) -> str:
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


def _markdown(found: Findings) -> str:
    """The tables of the report."""
    parts = [f"# {found.grid.exam}"]
    if found.price:
        best = f"Best by {found.price.measure}: {found.price.best.name}"
        parts += [_table(trial_rows(found, found.price)), _table(measure_rows(found)), best]
    parts += ["## What each value is worth", _table(effect_rows(found))] if found.effects else []
    notes = (*(f"failed: {name}: {reason}" for name, reason in found.grid.failed.items()), *found.grid.notes)
    return "\n\n".join([*parts, *(f"* {note}" for note in notes)]) + "\n"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    return pipe_table(Table(1, 0, 0, tuple(rows), ()))


def _json(found: Findings) -> str:
    return to_json(as_data(found), indent=2, inf_nan_mode="null").decode() + "\n"


def _html(found: Findings) -> str:
    """The charts; the page loads what draws them (Vega) from a network."""
    from dashboards.charts.experiments import render_page

    return render_page(found)


_FORMS: dict[str, Callable[[Findings], str]] = {".csv": _csv, ".json": _json, ".md": _markdown, ".html": _html}
