"""Questions with their evidence: a file of JSON lines, which people can write and edit.

A line is `{question, answer, evidence: [{document, page, text}]}`, often with an `id`. The `document` of a question
stands for all of its evidence that names none. Evidence has a page, from 1, or the words that answer, or both; a
`document` alone says that all of it answers. `start` is about where the words begin in its text, where they stand in
it more than once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tasks.evaluate.contract import Dataset, Gold, Judged
from tasks.evaluate.corpus import known_as
from tasks.evaluate.json_files import JsonItem, objects_of
from warehouse.errors import BadInput


def with_questions_of(corpus: Dataset, file: Path) -> Dataset:
    """The corpus with the questions of a file. Raises `BadInput` with the line where one cannot be used."""
    names = known_as(corpus.documents)
    questions: dict[str, Judged] = {}
    for number, item in enumerate(objects_of(file), 1):
        name = item.name("id", questions) if "id" in item.value else str(number)
        gold = tuple(dict.fromkeys(_gold(item, names)))
        questions[name] = Judged(name, item.words("question"), gold, item.written("answer"))
    if not questions:
        raise BadInput(f"{file} holds no question", 'write a line a question: {"question": …, "evidence": […]}')
    return replace(corpus, questions=tuple(questions.values()))


def lines(questions: Iterable[Judged]) -> Iterator[str]:
    """The lines of a file that is read as these questions."""
    for question in questions:
        evidence = [_evidence(gold) for gold in question.gold]
        row = {"id": question.name, "question": question.text, "answer": question.answer, "evidence": evidence}
        yield json.dumps(row, ensure_ascii=False)


def _evidence(gold: Gold) -> dict[str, object]:
    start = gold.span[0] if gold.span else gold.near
    row = {"document": gold.document, "page": gold.page, "text": gold.text or None, "start": start}
    return {key: value for key, value in row.items() if value is not None}


def _gold(item: JsonItem, names: Mapping[str, str]) -> Iterator[Gold]:
    for evidence in item.items("evidence"):
        document = _document(item, evidence, names)
        page, text, start = evidence.whole("page", 1), evidence.text("text", "").strip(), evidence.whole("start", 0)
        if page is None and not text and "document" not in evidence.value:
            raise BadInput(f"{evidence.where} says not what answers", 'write "page": 54, or "text": "…", or both')
        yield Gold(document, page, text=text, near=start)
    if not item.value["evidence"]:
        raise BadInput(f"{item.where}: there is no evidence", 'write "evidence": [{"page": 54}] or [{"text": "…"}]')


def _document(item: JsonItem, evidence: JsonItem, names: Mapping[str, str]) -> str:
    """The name of the document; the only one of a corpus need not be named."""
    named = evidence if "document" in evidence.value else item
    only = set(names.values())
    if "document" not in named.value and len(only) == 1:
        return only.pop()
    document = named.name("document")
    if document not in names:
        cure = "name a file of the corpus, by its path in the folder where others have its name"
        raise BadInput(f"{named.where}: there is no document '{document}'", cure)
    return names[document]
