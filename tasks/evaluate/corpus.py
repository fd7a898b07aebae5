"""Ordinary documents as the corpus of a dataset, and files of questions with their evidence in them.

A line of such a file is `{question, answer, evidence: [{document, page, text}]}`, often with an `id`. The `document` of
a question applies to all of its evidence that names none. Evidence has a page, from 1, or the words that answer, or
both; a `document` alone says that all of it answers. `start` is about where the words begin in its text, if they
occur there more than once.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tasks.evaluate.dataset import LAYOUTS, CorpusDocument, Dataset, Gold, JudgedQuestion, read_dataset
from tasks.evaluate.json_files import JsonItem, iter_objects
from warehouse.errors import BadInput


def read_corpus(place: Path, questions: Path | None = None) -> Dataset:
    """The documents at a place, without questions: those of a published dataset, else those of a file or folder.

    Raises `BadInput` if there are none.
    """
    if any(layout.fits(place) for layout in LAYOUTS.values()):
        return replace(read_dataset(place), questions=(), notes=())
    return build_corpus(place, questions)


def build_corpus(place: Path, questions: Path | None = None) -> Dataset:
    """The documents of a file or folder, except a file of `questions` there and files of its suffix beside it.

    A document is named by its path in the folder, without the suffix if that is unique.
    """
    if not place.exists():
        raise BadInput(f"there is no file or folder {place}", "check the path")
    questions_file = questions.resolve() if questions else None
    files = [
        file
        for file in _iter_files(place)
        if questions_file is None
        or (file.parent.resolve(), file.suffix) != (questions_file.parent, questions_file.suffix)
    ]
    if not files:
        raise BadInput(f"{place} holds no documents", "name a document, or a folder that holds some")
    folder = place if place.is_dir() else place.parent
    names = [file.relative_to(folder).with_suffix("").as_posix() for file in files]
    counts = Counter(names)
    documents = tuple(
        CorpusDocument(name if counts[name] == 1 else file.relative_to(folder).as_posix(), file.stem, file=file)
        for file, name in zip(files, names, strict=True)
    )
    name = place.resolve().name if place.is_dir() else place.resolve().stem
    return Dataset(name, documents, (), places=tuple(_iter_places(place, questions_file, files)))


def index_document_names(documents: Sequence[CorpusDocument]) -> dict[str, str]:
    """The name of a document by each spelling: its name, or that of its file with or without the suffix.

    Spellings that could mean several documents are left out.
    """
    names_by_spelling: defaultdict[str, set[str]] = defaultdict(set)
    for source in documents:
        suffix = source.file.suffix if source.file else ""
        stem = source.name.removesuffix(suffix)
        for spelling in (stem, f"{stem}{suffix}", source.stem, f"{source.stem}{suffix}"):
            names_by_spelling[spelling].add(source.name)
    unique_names = {spelling: min(names) for spelling, names in names_by_spelling.items() if len(names) == 1}
    return unique_names | {source.name: source.name for source in documents}


def _iter_files(place: Path) -> Iterator[Path]:
    """The files below a place in order, as an ingest finds them: without hidden and temporary ones."""
    if place.is_file():
        yield place
        return
    for file in sorted(place.rglob("*")):
        path = file.relative_to(place)
        is_temporary = file.name.startswith(("~$", "#")) or file.name.endswith("~")
        if file.is_file() and not is_temporary and not any(part.startswith(".") for part in path.parts):
            yield file


def _iter_places(place: Path, questions_file: Path | None, files: Sequence[Path]) -> Iterator[Path]:
    """The place; if the questions are there too, its entries with documents, as questions must not be ingested."""
    folder = place.resolve()
    if questions_file is None or not questions_file.is_relative_to(folder):
        yield place
    elif questions_file.parent != folder:
        raise BadInput(
            f"the questions {questions_file} lie among the documents", f"move the file out, or up to {folder}"
        )
    else:
        yield from dict.fromkeys(place / file.relative_to(place).parts[0] for file in files)


def with_questions_of(corpus: Dataset, file: Path) -> Dataset:
    """The corpus with the questions of a file. Raises `BadInput` with the line of one that cannot be used."""
    names = index_document_names(corpus.documents)
    questions: dict[str, JudgedQuestion] = {}
    for number, item in enumerate(iter_objects(file), 1):
        name = item.read_name("id", questions) if "id" in item.value else str(number)
        gold = tuple(dict.fromkeys(_iter_gold(item, names)))
        questions[name] = JudgedQuestion(name, item.read_words("question"), gold, item.read_text_or_number("answer"))
    if not questions:
        raise BadInput(f"{file} holds no question", 'write a line a question: {"question": …, "evidence": […]}')
    return replace(corpus, questions=tuple(questions.values()))


def iter_question_lines(questions: Iterable[JudgedQuestion]) -> Iterator[str]:
    """The lines of a file with these questions."""
    for question in questions:
        evidence = []
        for gold in question.gold:
            start = gold.span[0] if gold.span else gold.near
            place = {"document": gold.document, "page": gold.page, "text": gold.text or None, "start": start}
            evidence.append({key: value for key, value in place.items() if value is not None})
        row = {"id": question.name, "question": question.text, "answer": question.answer, "evidence": evidence}
        yield json.dumps(row, ensure_ascii=False)


def _iter_gold(item: JsonItem, names: Mapping[str, str]) -> Iterator[Gold]:
    for evidence in item.items("evidence"):
        document = _find_document(item, evidence, names)
        page, start = evidence.read_integer("page", 1), evidence.read_integer("start", 0)
        text = evidence.read_text("text", "").strip()
        if page is None and not text and "document" not in evidence.value:
            raise BadInput(
                f"{evidence.location} does not say what answers", 'write "page": 54, or "text": "…", or both'
            )
        yield Gold(document, page, text=text, near=start)
    if not item.value["evidence"]:
        raise BadInput(f"{item.location}: there is no evidence", 'write "evidence": [{"page": 54}] or [{"text": "…"}]')


def _find_document(item: JsonItem, evidence: JsonItem, names: Mapping[str, str]) -> str:
    """The name of the document; that of a corpus with only one may be left out."""
    owner = evidence if "document" in evidence.value else item
    document_names = set(names.values())
    if "document" not in owner.value and len(document_names) == 1:
        return document_names.pop()
    document = owner.read_name("document")
    if document not in names:
        cure = "name a file of the folder, by its path there if several have its name"
        raise BadInput(f"{owner.location}: there is no document '{document}'", cure)
    return names[document]
