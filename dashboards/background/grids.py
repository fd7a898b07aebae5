"""Background experiments: the configurations of a grid in YAML, their questions, and the process that runs them."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from dashboards.background.runs import BackgroundProcesses, GridRun, make_run_id
from flows.datasets import GENERATED, get_dataset_folder, get_file_stem, with_generated_questions
from flows.locks import write_lock
from flows.orchestration import ProgressReporter
from tasks.evaluate.corpus import with_questions_of
from tasks.evaluate.dataset import CorpusDocument, Dataset, read_dataset
from tasks.evaluate.experiments.grid_file import GridConfigurations, read_grid
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings
from warehouse.store.layout import Layout

GRID_FILE = "grid.yaml"  # The name of a grid's file in error messages, and of the file that the page offers.


class GridRuns(BackgroundProcesses[GridRun]):
    """Experiments in the background, one at a time. Safe to share between threads."""

    kind = "grid"

    def start(self, settings: Settings, grid: str, names: Sequence[str], questions: str, count: int | None) -> GridRun:
        """Start an experiment: try the configurations (`names`) of a `grid` in YAML on the documents of a warehouse.

        `questions` is `GENERATED` or the path of a file or folder, `count` the number of questions, None for all.
        Raises `RunInProgress`, and `WarehouseBusy` while another process runs an experiment there.
        """
        with self._change_condition:
            self._check_idle()
            started = datetime.now(UTC)
            with write_lock(Layout(Layout(settings.warehouse).experiments)):
                run = GridRun(id=make_run_id(started), started=started, configurations=dict.fromkeys(names, ""))
            settings_data = settings.model_dump(mode="json")
            return self._start_process(
                run, {"grid": grid, "questions": questions, "count": count, "settings": settings_data}
            )


def parse_grid(text: str, base: Settings) -> GridConfigurations:
    """Parse the configurations of a grid in YAML. Raises `BadInput` with the line and the key."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / GRID_FILE
        file.write_text(text, encoding="utf-8")
        try:
            return read_grid(file, base)
        except BadInput as error:
            raise BadInput(
                error.problem.replace(str(file), GRID_FILE), error.cure.replace(str(file), GRID_FILE)
            ) from None


def load_dataset(settings: Settings, questions: str, count: int | None, report_progress: ProgressReporter) -> Dataset:
    """Questions about the documents of the warehouse that the settings name; nothing is ingested.

    `questions` is `GENERATED` for generated ones, or the path of a file of questions with evidence or of a folder with
    published ones; `count` is their number, None for all. Raises `BadInput`.
    """
    warehouse = Warehouse(settings.warehouse)
    library = build_library_dataset(warehouse)
    if questions == GENERATED:
        return with_generated_questions(
            library, count, get_dataset_folder(library, settings), settings, report_progress
        )
    place = Path(questions).expanduser()
    dataset = with_questions_of(library, place) if place.is_file() else _read_published_dataset(warehouse, place)
    return dataset.limit_questions(count) if count else dataset


def build_library_dataset(warehouse: Warehouse) -> Dataset:
    """The searchable documents of a warehouse, each named by its path, without questions.

    The names are those of `kalends evaluate FOLDER`, so that trials made there are found here.
    """
    generation = warehouse.snapshot.generation
    folders = {root.name: root.folder for root in generation.manifest.roots}
    entries = [entry for entry in warehouse.list_documents() if entry.chunk_count]
    paths = [entry.file.path if len(folders) == 1 else entry.file.source for entry in entries]
    names = [PurePosixPath(path).with_suffix("").as_posix() for path in paths]
    counts = Counter(names)
    documents = tuple(
        CorpusDocument(
            short if counts[short] == 1 else path, get_file_stem(entry), file=folders[entry.file.root] / entry.file.path
        )
        for entry, path, short in zip(entries, paths, names, strict=True)
    )
    name = next(iter(folders.values())).name if len(folders) == 1 else warehouse.layout.folder.resolve().name
    return Dataset(name or "library", documents, ())


def _read_published_dataset(warehouse: Warehouse, place: Path) -> Dataset:
    """Published questions about documents with these names, which must already be in the warehouse."""
    dataset = replace(read_dataset(place), places=())
    entries = {get_file_stem(entry) for entry in warehouse.list_documents()}
    missing = sum(source.stem not in entries for source in dataset.documents)
    if missing:
        cure = "'kalends evaluate' makes a warehouse of them, which 'kalends dashboard' can open"
        raise BadInput(
            f"{missing} of the {len(dataset.documents)} documents that the questions need are not in the warehouse",
            cure,
        )
    return dataset
