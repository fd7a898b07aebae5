"""Background experiments: the configurations of a grid in YAML, their questions, and the process that runs them."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from dashboards.background.runs import BackgroundProcesses, GridRun
from flows.datasets import GENERATED, dataset_folder, file_stem, with_generated_questions
from flows.locks import write_lock
from tasks.evaluate.contract import CorpusDocument, Dataset, exam_at
from tasks.evaluate.evidence import asked
from tasks.evaluate.experiments.experiment import Experiment
from tasks.evaluate.experiments.reading import grid_at
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings
from warehouse.store.layout import Layout

GRID_FILE = "grid.yaml"
"""The name of a grid's file in error messages, and of the file that the page offers."""


class GridRuns(BackgroundProcesses[GridRun]):
    """The latest grid and the way to the next. Safe to share between threads."""

    kind = "grid"

    def start(self, settings: Settings, grid: str, names: Sequence[str], questions: str, count: int | None) -> GridRun:
        """Begin to try the configurations, of these `names`, of a `grid` as YAML on the documents of a warehouse.

        `questions` is "made" or the path of a file or folder; `count` is how many are asked, None for all. Raises
        `Underway`, and `Busy` while another process tries some there.
        """

        def prepared(started: datetime, name: str) -> tuple[GridRun, dict[str, Any]]:
            with write_lock(Layout(Layout(settings.warehouse).experiments)):
                run = GridRun(id=name, started=started, configurations=dict.fromkeys(names, ""))
            order = {"grid": grid, "questions": questions, "count": count}
            return run, {**order, "settings": settings.model_dump(mode="json")}

        return self._launch(prepared)


def parse_grid(text: str, base: Settings) -> tuple[Experiment, ...]:
    """The configurations of a grid in YAML. Raises `BadInput` that names the line and the key."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / GRID_FILE
        file.write_text(text, encoding="utf-8")
        try:
            return grid_at(file, base)
        except BadInput as error:
            raise BadInput(
                error.problem.replace(str(file), GRID_FILE), error.cure.replace(str(file), GRID_FILE)
            ) from None


def load_dataset(settings: Settings, questions: str, count: int | None, say: Callable[[str], None]) -> Dataset:
    """The exam of the warehouse that the settings name; nothing is ingested for it.

    `questions` is `MADE`, or the path of a file of questions with their evidence or of a folder of published ones;
    `count` is how many of them are asked, None for all. Raises `BadInput`.
    """
    warehouse = Warehouse(settings.warehouse)
    library = library_dataset(warehouse)
    if questions == GENERATED:
        return with_generated_questions(library, count, dataset_folder(library, settings), settings, say)
    place = Path(questions).expanduser()
    exam = asked(library, place) if place.is_file() else _published(warehouse, place)
    return exam.limited(count) if count else exam


def library_dataset(warehouse: Warehouse) -> Dataset:
    """The documents of a warehouse that can be searched, asked nothing; each is named by its path.

    The names are those that `kalends evaluate FOLDER` gives, so that its trials are found again.
    """
    generation = warehouse.snapshot.generation
    folders = {root.name: root.folder for root in generation.manifest.roots}
    held = [entry for entry in warehouse.documents() if entry.chunk_count]
    paths = [entry.file.path if len(folders) == 1 else entry.file.source for entry in held]
    bare = [PurePosixPath(path).with_suffix("").as_posix() for path in paths]
    often = Counter(bare)
    documents = tuple(
        CorpusDocument(
            short if often[short] == 1 else path, file_stem(entry), file=folders[entry.file.root] / entry.file.path
        )
        for entry, path, short in zip(held, paths, bare, strict=True)
    )
    name = next(iter(folders.values())).name if len(folders) == 1 else warehouse.layout.folder.resolve().name
    return Dataset(name or "library", documents, ())


def _published(warehouse: Warehouse, place: Path) -> Dataset:
    """Published questions about documents of these names; those lie in the warehouse already."""
    exam = replace(exam_at(place), places=())
    held = {file_stem(entry) for entry in warehouse.documents()}
    missing = sum(source.stem not in held for source in exam.documents)
    if missing:
        cure = "'kalends evaluate' makes a warehouse of them, which 'kalends dashboard' can open"
        raise BadInput(f"{missing} of the {len(exam.documents)} documents that are asked about are not here", cure)
    return exam
