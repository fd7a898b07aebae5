"""Configurations tried on a small warehouse, by the real parts of the flow, without Prefect."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from dashboards.background.grids import load_dataset
from flows.evaluation import EvaluationRun
from flows.experiments.experiment_flow import TrialRunner, build_trial_record
from flows.experiments.grids import GridConditions, make_workspaces
from tasks.embedders.embedder import open_embedder
from tasks.evaluate.answers import SPAN_JUDGE
from tasks.evaluate.cached_embedder import CachedEmbedder
from tasks.evaluate.experiments.experiment import build_experiment
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings
from warehouse.store import trials
from warehouse.store.generations import read_current
from warehouse.store.lake import Lake

DAY = date(2025, 1, 1)
TURNED = "The turbine <b>turns</b> in the strong wind of the north and gives current to {} houses by the sea. "
PLAIN: dict[str, Any] = {"entities": {"kinds": ()}, "parse": {"processes": 1}}
"""No name tagger: it takes seconds."""
DOCS = {
    "alpha": "Rotors",
    "beta": "Blades",
    "gamma <b>": "Towers",
    "delta": "Bearings",
}


def write_docs(folder: Path) -> Path:
    """Reports with a table, a heading and some prose each."""
    folder.mkdir()
    for number, (name, title) in enumerate(DOCS.items()):
        prose = TURNED.format(100 + number) + f"The {title.lower()} were mended by {title} Company in March 2021. " * 3
        table = f"| Segment | Q2 2024 | Q2 2025 |\n| --- | --- | --- |\n| {title} revenue | {41 + number} | 57 |\n"
        parts = (f"# {title} of the year", prose, f"## How {title.lower()} are made", prose, table)
        text = "---\ndate: 2025-06-30\n---\n" + "\n\n".join(parts)
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def try_out(held: Warehouse, docs: Path, changes: Mapping[str, Mapping[str, object]], count: int = 12) -> list[str]:
    """The ids of the trials of some configurations, which are kept; questions are made from the documents."""
    settings = load_settings({"warehouse": held.layout.folder, "embed": {"model": "hashing"}, **PLAIN})
    exam = load_dataset(settings, "made", count, lambda line: None)
    chosen = [build_experiment(name, settings, 10, values) for name, values in changes.items()]
    asking = GridConditions(exam, SPAN_JUDGE, DAY, (), held.layout.folder)
    found = []
    for seat in make_workspaces(chosen, settings, held.snapshot.generation.manifest.roots):
        asked = seat.experiment
        warehouse = build_warehouse(seat.layout.folder, docs, chunk=asked.chunk.model_dump(), **PLAIN)
        sitting = EvaluationRun({asked.name: asked.ranking}, (), DAY, held.layout.folder, passages=asked.k)
        memory = CachedEmbedder(open_embedder("hashing"), {})
        examinee = TrialRunner(exam, sitting, warehouse, memory, asked.k)
        examinee.prepare(lambda line: None)
        trial = examinee.run_trial(asked.name, None)
        trial_id = asking.make_trial_id(seat, read_current(seat.layout))
        row = build_trial_record(trial_id, exam.name, DAY, asked, warehouse, trial)
        trials.write(Lake(seat.layout.lake), row, examinee.build_question_rows(trial_id, trial))
        found.append(trial_id)
    return found


def three() -> dict[str, dict[str, object]]:
    """Two ways to cut, two to rank; no two answer alike."""
    return {
        f"size={size} mode={mode}": {"chunk.chunker": "recursive", "chunk.size": size, "ranking.mode": mode}
        for size, mode in ((80, "hybrid"), (400, "hybrid"), (400, "dense"))
    }
