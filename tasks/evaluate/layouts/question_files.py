"""Layouts of questions.jsonl: with references into corpora/, or with evidence in the documents beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tasks.evaluate.corpus import build_corpus, index_document_names, with_questions_of
from tasks.evaluate.dataset import Dataset, DatasetLayout, Gold, JudgedQuestion
from tasks.evaluate.json_files import JsonItem, iter_objects
from warehouse.errors import BadInput

QUESTIONS, CORPORA = "questions.jsonl", "corpora"


def _read_excerpts(place: Path, split: str) -> Dataset:
    """chunking_evaluation (Smith & Troynikov 2024): questions.jsonl, and the documents that they ask for in corpora/.

    A line is `{question, corpus, references: [{content, start_index}]}`: the words that answer, exact to the character,
    and their start in the file of the corpus. There, each question is put to its own corpus; here, to all of them.
    """
    _refuse_split(place, split)
    corpus = build_corpus(place / CORPORA)
    names = index_document_names(corpus.documents)
    questions = tuple(
        JudgedQuestion(str(number), item.read_words("question"), tuple(dict.fromkeys(_iter_gold(item, names))))
        for number, item in enumerate(iter_objects(place / QUESTIONS), 1)
    )
    return replace(corpus, name=place.resolve().name, questions=questions)


def _iter_gold(item: JsonItem, names: dict[str, str]) -> Iterator[Gold]:
    document = item.read_name("corpus")
    if document not in names:
        raise BadInput(f"{item.location}: there is no corpus '{document}'", f"put its file into {CORPORA}/")
    references = item.items("references")
    if not references:
        raise BadInput(f"{item.location}: there is no reference", 'write "references": [{"content": "…"}]')
    for reference in references:
        yield Gold(names[document], text=reference.read_words("content"), near=reference.read_integer("start_index", 0))


def _read_pages(place: Path, split: str) -> Dataset:
    """Questions beside their documents, as FinanceBench (Islam et al. 2023) asks them of PDFs.

    The lines are those of `tasks.evaluate.corpus`; a document is named by its file, with or without the suffix.
    """
    _refuse_split(place, split)
    return with_questions_of(build_corpus(place, place / QUESTIONS), place / QUESTIONS)


def _refuse_split(place: Path, split: str) -> None:
    if split:
        raise BadInput(f"the questions of {place} are not split", "leave --split out")


members = {
    "excerpts": DatasetLayout(
        "questions.jsonl and corpora/ with references exact to the character (chunking_evaluation)",
        lambda place: (place / QUESTIONS).is_file() and (place / CORPORA).is_dir(),
        _read_excerpts,
    ),
    "pages": DatasetLayout(
        "questions.jsonl beside its documents, with the page or the words of each evidence",
        lambda place: (place / QUESTIONS).is_file() and not (place / CORPORA).is_dir(),
        _read_pages,
    ),
}
