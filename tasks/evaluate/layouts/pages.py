"""Questions about paged documents: questions.jsonl beside the PDFs, as FinanceBench (Islam et al. 2023) asks them.

A line is `{question, document, evidence: [{page, text}]}`, often with an `id`; a piece of evidence may name a
`document` of its own. A document is named by its file, with or without the suffix; pages count from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tasks.evaluate.contract import Exam, Gold, Judged, Source
from tasks.evaluate.reading import Item, objects_of
from warehouse.errors import BadInput

QUESTIONS = "questions.jsonl"
PAGED = ".pdf"
"""The one kind of document whose pages are known."""


class Pages:
    """The layout."""

    form = "questions.jsonl beside its PDFs, with the page of each evidence"

    def fits(self, place: Path) -> bool:
        """See the contract."""
        return (place / QUESTIONS).is_file()

    def read(self, place: Path, split: str) -> Exam:
        """See the contract; there are no splits."""
        if split:
            raise BadInput(f"the questions of {place} are not split", "leave --split out")
        files = _files(place)
        questions: dict[str, Judged] = {}
        for number, item in enumerate(objects_of(place / QUESTIONS), 1):
            name = item.name("id", questions) if "id" in item.value else str(number)
            gold = tuple(dict.fromkeys(_gold(item, files)))
            questions[name] = Judged(name, item.words("question"), gold)
        if not questions:
            raise BadInput(f"{place / QUESTIONS} holds no question", "write a line a question")
        documents = tuple(Source(file.stem, file.stem, file=file) for file in dict.fromkeys(files.values()))
        return Exam(place.resolve().name, documents, tuple(questions.values()))


def _files(place: Path) -> dict[str, Path]:
    """The documents by file name and by stem."""
    found = sorted(file for file in place.iterdir() if file.is_file() and file.suffix.lower() == PAGED)
    return {key: file for file in found for key in (file.name, file.stem)}


def _gold(item: Item, files: Mapping[str, Path]) -> Iterator[Gold]:
    for evidence in item.items("evidence"):
        named = evidence if "document" in evidence.value else item
        document = named.name("document")
        if document not in files:
            raise BadInput(f"{named.where}: there is no document '{document}'", "put its file beside questions.jsonl")
        page = evidence.value.get("page")
        if isinstance(page, bool) or not isinstance(page, int) or page < 1:
            raise BadInput(f"{evidence.where}: '{page}' is no page", 'count pages from 1: "page": 54')
        yield Gold(files[document].stem, page)
    if not item.value["evidence"]:
        raise BadInput(f"{item.where}: there is no evidence", 'write "evidence": [{"page": 54}]')


member = Pages()
