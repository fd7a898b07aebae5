"""Ordinary documents as the corpus of an exam: a file, or a folder with all that is in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tasks.evaluate.contract import LAYOUTS, CorpusDocument, Dataset, exam_at
from warehouse.errors import BadInput


def corpus_at(place: Path, questions: Path | None = None) -> Dataset:
    """The documents there, asked nothing: those of published questions, else of a file or folder.

    Raises `BadInput` where there are none.
    """
    if any(layout.fits(place) for layout in LAYOUTS.values()):
        return replace(exam_at(place), questions=(), notes=())
    return corpus_of(place, questions)


def corpus_of(place: Path, questions: Path | None = None) -> Dataset:
    """The documents of a file or folder; a file of `questions` among them is none, nor are its like beside it.

    A document is named by its path in the folder, without the suffix where no other is named so.
    """
    if not place.exists():
        raise BadInput(f"there is no file or folder {place}", "check the path")
    aside = questions.resolve() if questions else None
    files = [file for file in _files(place) if aside is None or not _is_beside(file, aside)]
    if not files:
        raise BadInput(f"{place} holds no documents", "name a document, or a folder that holds some")
    home = place if place.is_dir() else place.parent
    names = _names(files, home)
    documents = tuple(CorpusDocument(name, file.stem, file=file) for file, name in zip(files, names, strict=True))
    name = place.resolve().name if place.is_dir() else place.resolve().stem
    return Dataset(name, documents, (), places=tuple(_places(place, aside, files)))


def known_as(documents: Sequence[CorpusDocument]) -> dict[str, str]:
    """The name of a document by each way of writing it: its name, or that of its file with or without the suffix.

    A way that could mean several documents is none.
    """
    ways: defaultdict[str, set[str]] = defaultdict(set)
    for source in documents:
        suffix = source.file.suffix if source.file else ""
        stem = source.name.removesuffix(suffix)
        for way in (stem, f"{stem}{suffix}", source.stem, f"{source.stem}{suffix}"):
            ways[way].add(source.name)
    clear = {way: min(names) for way, names in ways.items() if len(names) == 1}
    return clear | {source.name: source.name for source in documents}


def _files(place: Path) -> Iterator[Path]:
    """The files below a place in order, as an ingest finds them: hidden ones and temporaries left out."""
    if place.is_file():
        yield place
        return
    for file in sorted(place.rglob("*")):
        path = file.relative_to(place)
        temporary = file.name.startswith(("~$", "#")) or file.name.endswith("~")
        if file.is_file() and not temporary and not any(part.startswith(".") for part in path.parts):
            yield file


def _is_beside(file: Path, questions: Path) -> bool:
    """Whether a file is the questions, or others or results of them in the same folder."""
    return file.parent.resolve() == questions.parent and file.suffix == questions.suffix


def _names(files: Sequence[Path], home: Path) -> list[str]:
    bare = [file.relative_to(home).with_suffix("").as_posix() for file in files]
    often = Counter(bare)
    return [
        name if often[name] == 1 else file.relative_to(home).as_posix() for file, name in zip(files, bare, strict=True)
    ]


def _places(place: Path, aside: Path | None, files: Sequence[Path]) -> Iterator[Path]:
    """The place, or what holds documents in it where the questions lie there too: they must not be ingested."""
    home = place.resolve()
    if aside is None or not aside.is_relative_to(home):
        yield place
    elif aside.parent != home:
        raise BadInput(f"the questions {aside} lie among the documents", f"move the file out, or up to {home}")
    else:
        yield from dict.fromkeys(place / file.relative_to(place).parts[0] for file in files)
