"""Where the questions of an exam come from: its own files, a file of the user's, or the corpus itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from flows.corpora import named, warehouse_of
from tasks.evaluate.contract import Dataset, exam_at
from tasks.evaluate.corpus import corpus_at
from tasks.evaluate.evidence import asked, lines
from tasks.evaluate.making import COUNT, made, notes
from warehouse.errors import BadInput
from warehouse.settings.loader import Settings

MADE = "made"
"""In the place of a file: the questions are made from the corpus."""


def exam_of(place: Path, questions: str = "", split: str = "") -> Dataset:
    """The exam that a user means: documents, and questions unless they are yet to be made from these (`with_made`).

    `questions` is empty for published questions beside their documents, a file, or `MADE`. Raises `BadInput`.
    """
    if not questions:
        return exam_at(place, split)
    if questions == MADE:
        return corpus_at(place)
    file = Path(questions)
    if not file.is_file():
        raise BadInput(f"there is no file {file}", f"name a file of questions, or '{MADE}' to have them made")
    return asked(corpus_at(place, file), file)


def with_made(exam: Dataset, count: int | None, work: Path, settings: Settings, say: Callable[[str], None]) -> Dataset:
    """The exam with questions made from its corpus, which becomes a warehouse where it is none yet.

    Raises `BadInput` where nothing in it makes a question.
    """
    warehouse = warehouse_of(exam, work, settings, say)
    questions = made(warehouse, named(warehouse, exam), count or COUNT)
    if not questions:
        raise BadInput(f"no question can be made from {exam.name}", "it has no tables, headings or prose: write some")
    return replace(exam, questions=questions, notes=(*exam.notes, *notes(questions)))


def save(exam: Dataset, file: Path) -> None:
    """Write the questions to a file that `exam_of` reads; raises `BadInput` where one is there or cannot be written."""
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in lines(exam.questions))
    except OSError as error:
        raise BadInput(
            f"{file} cannot be written ({error.strerror})", "name a new file in a folder that is there"
        ) from None
