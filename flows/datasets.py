"""Datasets of an evaluation: the corpus as a warehouse, ingested like any other files, and its questions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from flows.orchestration import ProgressReporter, run_ingest, temporary_server
from flows.planning import make_plan
from tasks.evaluate.corpus import iter_question_lines, read_corpus, with_questions_of
from tasks.evaluate.dataset import Dataset, format_webpage, read_dataset
from tasks.evaluate.question_maker import DEFAULT_COUNT, describe_questions, make_questions
from warehouse.errors import BadInput, NoWarehouse
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Root, Status
from warehouse.settings.loader import Settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout

CORPUS_FILE_TIME = datetime(2000, 1, 1, tzinfo=UTC).timestamp()
"""Modification time of the files of a corpus: a document without a date takes its file's, so it must be fixed."""


def get_dataset_folder(dataset: Dataset, settings: Settings) -> Path:
    """The folder of a dataset: its files, its warehouse, the vectors of its questions."""
    return settings.warehouse / "evaluate" / dataset.name


def prepare_corpus_warehouse(
    dataset: Dataset, work: Path, settings: Settings, report_progress: ProgressReporter
) -> Warehouse:
    """The warehouse of the dataset's corpus, in the folder that the settings name.

    A warehouse that already has documents of these names from other folders is used as it is. Otherwise the documents
    are ingested; those that are no files are written below `work` first. Unchanged documents are not ingested again.
    """
    warehouse = Warehouse(settings.warehouse)
    paths = prepare_corpus_paths(dataset, work, warehouse)
    if paths and not make_plan(settings, find_latest(Layout(settings.warehouse)), paths).idle:
        with temporary_server(Layout(settings.warehouse)):
            run_ingest(settings, paths, report_progress)
    return warehouse


def plan_corpus_roots(dataset: Dataset, work: Path, settings: Settings) -> tuple[Root, ...]:
    """The source folders that the warehouse of the corpus has, or would have; nothing is ingested."""
    warehouse = Warehouse(settings.warehouse)
    if paths := prepare_corpus_paths(dataset, work, warehouse):
        return make_plan(settings, find_latest(Layout(settings.warehouse)), paths).roots
    return warehouse.snapshot.generation.manifest.roots


def prepare_corpus_paths(dataset: Dataset, work: Path, warehouse: Warehouse) -> list[Path]:
    """The files and folders to ingest, written if need be; none where the warehouse has them from other folders."""
    paths = list(dataset.places) or [work / "files" / dataset.name]
    folders = {(path.parent if path.is_file() else path).resolve() for path in paths}
    if _has_dataset(warehouse, dataset):
        roots = warehouse.snapshot.generation.manifest.roots
        if not any(root.folder in folders for root in roots):
            return []
    if not dataset.places:
        write_corpus(dataset, *paths)
    return paths


def map_dataset_names(warehouse: Warehouse, dataset: Dataset) -> dict[str, str]:
    """The dataset's name of each of its documents, by the document id in the warehouse.

    A document is recognised by its file, or, if that lies elsewhere, by the file's name without suffix.
    """
    folders = {root.name: root.folder for root in warehouse.snapshot.generation.manifest.roots}
    files = {source.file.resolve(): source.name for source in dataset.documents if source.file}
    stems = {source.stem: source.name for source in dataset.documents}
    names_by_id = {}
    for entry in warehouse.list_documents():
        name = files.get(folders[entry.file.root] / entry.file.path) or stems.get(get_file_stem(entry))
        if name:
            names_by_id[entry.document_id] = name
    return names_by_id


def get_file_stem(entry: CatalogEntry) -> str:
    """The name of a document's file without its suffix."""
    return PurePosixPath(entry.file.path).stem


def describe_other_documents(warehouse: Warehouse, dataset: Dataset) -> Iterator[str]:
    """A note on the documents of the warehouse that are searched too but do not belong to the dataset."""
    other_count = len(warehouse.list_documents()) - len(map_dataset_names(warehouse, dataset))
    if other_count:
        yield f"searched too: {other_count} documents of the warehouse that are not of this corpus"


def describe_unreadable_documents(warehouse: Warehouse, dataset: Dataset) -> Iterator[str]:
    """A note on the documents of the dataset that cannot be found because their files could not be read."""
    stems = {source.stem for source in dataset.documents}
    unreadable = [
        document
        for document in warehouse.list_documents()
        if document.status is Status.UNREADABLE and get_file_stem(document) in stems
    ]
    if unreadable:
        example = f"{unreadable[0].file.source} ({unreadable[0].reason})"
        yield f"cannot be found: {len(unreadable)} documents that cannot be read, the first {example}"


def _has_dataset(warehouse: Warehouse, dataset: Dataset) -> bool:
    try:
        stems = {get_file_stem(entry) for entry in warehouse.list_documents()}
    except NoWarehouse:
        return False
    return stems.issuperset(source.stem for source in dataset.documents)


def write_corpus(dataset: Dataset, folder: Path) -> None:
    """Write the corpus into `folder` as HTML pages and remove any other file; unchanged files are not touched."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = {f"{source.stem}.html": source for source in dataset.documents}
    for name in sorted({file.name for file in folder.iterdir()} - sources.keys()):
        (folder / name).unlink()
    for name, source in sources.items():
        content = format_webpage(source).encode("utf-8", "replace")
        file = folder / name
        if not file.is_file() or file.read_bytes() != content or file.stat().st_mtime != CORPUS_FILE_TIME:
            file.write_bytes(content)
            os.utime(file, (CORPUS_FILE_TIME, CORPUS_FILE_TIME))


GENERATED = "made"  # The value, instead of a file of questions, that has them generated from the corpus.


def open_dataset(path: Path, questions: str = "", split: str = "") -> Dataset:
    """The dataset at a path: its documents, and its questions, unless `with_generated_questions` generates them later.

    `questions` is empty for published questions next to their documents, a file, or `GENERATED`. Raises `BadInput`.
    """
    if not questions:
        return read_dataset(path, split)
    if questions == GENERATED:
        return read_corpus(path)
    file = Path(questions)
    if not file.is_file():
        raise BadInput(f"there is no file {file}", f"name a file of questions, or '{GENERATED}' to have them generated")
    return with_questions_of(read_corpus(path, file), file)


def with_generated_questions(
    dataset: Dataset, count: int | None, work: Path, settings: Settings, report_progress: ProgressReporter
) -> Dataset:
    """The dataset with questions generated from its corpus, which is ingested if need be.

    Raises `BadInput` where no question can be generated from it.
    """
    warehouse = prepare_corpus_warehouse(dataset, work, settings, report_progress)
    questions = make_questions(warehouse, map_dataset_names(warehouse, dataset), count or DEFAULT_COUNT)
    if not questions:
        cure = "it has no tables, headings or prose: write questions yourself"
        raise BadInput(f"no question can be generated from {dataset.name}", cure)
    return replace(dataset, questions=questions, notes=(*dataset.notes, *describe_questions(questions)))


def write_questions(dataset: Dataset, file: Path) -> None:
    """Write the questions to a new file that `open_dataset` reads.

    Raises `BadInput` where the file exists or cannot be written.
    """
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in iter_question_lines(dataset.questions))
    except OSError as error:
        cure = "choose a new file in an existing folder"
        raise BadInput(f"{file} cannot be written ({error.strerror})", cure) from None
