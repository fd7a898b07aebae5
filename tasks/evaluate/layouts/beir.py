"""BEIR (Thakur et al. 2021): corpus.jsonl, queries.jsonl and judgements of pairs in qrels/.

A corpus line has `_id`, `text` and often `title`; a query line `_id` and `text`; a line of qrels a query's id, a
passage's id and a grade, separated by tabs, or, in TREC's format, `qid 0 docid grade` separated by white space. As in
BEIR, a query whose passage is not in the corpus still counts, and passages that the qrels do not name are not relevant.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from tasks.evaluate.dataset import CorpusDocument, Dataset, DatasetLayout, Gold, JudgedQuestion, make_stem
from tasks.evaluate.json_files import iter_lines, iter_objects
from warehouse.errors import BadInput

DEFAULT_SPLIT = "test"
COLUMNS, TREC_COLUMNS = 3, 4
SUFFIXES = (".tsv", ".txt", ".qrels", ".trec")
_BLANK_LINE = re.compile(r"\n\s*\n")


def _fits(place: Path) -> bool:
    """Whether the folder has one of the layout's files; messages then name the missing others."""
    return any((place / name).exists() for name in ("corpus.jsonl", "queries.jsonl", "qrels"))


def _read(place: Path, split: str) -> Dataset:
    """`split` names a file of `qrels/`, "test" by default."""
    documents = {source.name: source for source in _iter_documents(place / "corpus.jsonl")}
    texts = _read_texts(place / "queries.jsonl")
    grades = _read_grades(_find_qrels(place, split))
    questions = [
        JudgedQuestion(name, texts[name], tuple(Gold(document, grade=grade) for document, grade in judgements.items()))
        for name, judgements in grades.items()
        if name in texts and judgements
    ]
    has_gold = any(gold.document in documents for query in questions for gold in query.gold)
    notes = tuple(_iter_notes(grades, texts, documents))
    return Dataset(place.resolve().name, tuple(documents.values()), tuple(questions if has_gold else ()), notes)


def _iter_documents(file: Path) -> Iterator[CorpusDocument]:
    names: set[str] = set()
    for item in iter_objects(file):
        name = item.read_name("_id", names)
        names.add(name)
        paragraphs = tuple(part for part in _BLANK_LINE.split(item.read_text("text")) if part.strip())
        yield CorpusDocument(name, make_stem(name), item.read_text("title", ""), (), paragraphs)
    if not names:
        raise BadInput(f"{file} holds no passage", 'write a line a passage: {"_id": …, "title": …, "text": …}')


def _read_texts(file: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for item in iter_objects(file):
        texts[item.read_name("_id", texts)] = item.read_words("text")
    if not texts:
        raise BadInput(f"{file} holds no question", 'write a line a question: {"_id": …, "text": …}')
    return texts


def _find_qrels(place: Path, split: str) -> Path:
    """The file of judgements: of a split in qrels/, or, if no split is named, the only one beside the questions."""
    folder = place / "qrels"
    files = [folder / f"{split or DEFAULT_SPLIT}{suffix}" for suffix in SUFFIXES]
    if not split:
        files += [place / f"qrels{suffix}" for suffix in SUFFIXES]
    for file in files:
        if file.is_file():
            return file
    splits = ", ".join(sorted(path.stem for path in folder.glob("*") if path.suffix in SUFFIXES))
    cure = f"choose with --split from {splits}" if splits else "add it: query-id, corpus-id and score, tabs between"
    raise BadInput(f"there is no {files[0]}", cure)


def _read_grades(file: Path) -> dict[str, dict[str, int]]:
    """The relevant passages of each question and their grades; without those of grade 0."""
    grades: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for number, (location, line) in enumerate(iter_lines(file)):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != COLUMNS and len(trec := line.split()) == TREC_COLUMNS:
            cells = [trec[0], *trec[2:]]
        if len(cells) != COLUMNS:
            cure = "write query-id, corpus-id and score with tabs between, or 'qid 0 docid grade'"
            raise BadInput(f"{location} has {len(cells)} columns", cure)
        query, document, grade = cells
        try:
            value = int(grade)
        except ValueError:
            # The header has a word instead of a number.
            if number == 0:
                continue
            raise BadInput(f"{location}: the score '{grade}' is not a whole number", "write 0, 1, 2 …") from None
        judgements = grades[query]
        if judgements.setdefault(document, value) != value:
            reason = f"'{document}' has grade {value}, and {judgements[document]} before, for '{query}'"
            raise BadInput(f"{location}: {reason}", "keep one of the lines")
    if not grades:
        raise BadInput(f"{file} judges nothing", "write query-id, corpus-id and score with tabs between, a line a pair")
    return {
        query: {document: grade for document, grade in judgements.items() if grade > 0}
        for query, judgements in grades.items()
    }


def _iter_notes(
    grades: Mapping[str, Mapping[str, int]], texts: Collection[str], documents: Collection[str]
) -> Iterator[str]:
    unknown = [name for name in grades if name not in texts]
    if unknown:
        yield f"left out: {len(unknown)} judged questions that are not in queries.jsonl, the first '{unknown[0]}'"
    unjudged = [name for name, judgements in grades.items() if not judgements]
    if unjudged:
        yield f"left out: {len(unjudged)} questions without a relevant passage, the first '{unjudged[0]}'"
    missing = [document for judgements in grades.values() for document in judgements if document not in documents]
    if missing:
        example = missing[0]
        yield f"cannot be found: {len(missing)} judged passages that are not in corpus.jsonl, the first '{example}'"


member = DatasetLayout("corpus.jsonl, queries.jsonl and qrels/test.tsv (BEIR), or qrels.txt (TREC)", _fits, _read)
