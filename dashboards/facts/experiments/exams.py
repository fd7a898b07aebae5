"""What the documents of a warehouse are asked: questions made from them, or those of a file or folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

from flows.corpora import stem, workplace
from flows.questioning import MADE, with_made
from tasks.evaluate.contract import Dataset, Source, exam_at
from tasks.evaluate.evidence import asked
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings


def load_dataset(settings: Settings, questions: str, count: int | None, say: Callable[[str], None]) -> Dataset:
    """The exam of the warehouse that the settings name; nothing is ingested for it.

    `questions` is `MADE`, or the path of a file of questions with their evidence or of a folder of published ones;
    `count` is how many of them are asked, None for all. Raises `BadInput`.
    """
    warehouse = Warehouse(settings.warehouse)
    library = library_dataset(warehouse)
    if questions == MADE:
        return with_made(library, count, workplace(library, settings), settings, say)
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
        Source(short if often[short] == 1 else path, stem(entry), file=folders[entry.file.root] / entry.file.path)
        for entry, path, short in zip(held, paths, bare, strict=True)
    )
    name = next(iter(folders.values())).name if len(folders) == 1 else warehouse.layout.folder.resolve().name
    return Dataset(name or "library", documents, ())


def _published(warehouse: Warehouse, place: Path) -> Dataset:
    """Published questions about documents of these names; those lie in the warehouse already."""
    exam = replace(exam_at(place), places=())
    held = {stem(entry) for entry in warehouse.documents()}
    missing = sum(source.stem not in held for source in exam.documents)
    if missing:
        cure = "'kalends evaluate' makes a warehouse of them, which 'kalends dashboard' can open"
        raise BadInput(f"{missing} of the {len(exam.documents)} documents that are asked about are not here", cure)
    return exam
