"""Questions beside their documents: questions.jsonl, as FinanceBench (Islam et al. 2023) asks them of PDFs.

The lines are those of `tasks.evaluate.evidence`; a document is named by its file, with or without the suffix.
"""

from __future__ import annotations

from pathlib import Path

from tasks.evaluate.contract import Dataset
from tasks.evaluate.corpus import corpus_of
from tasks.evaluate.evidence import with_questions_of
from warehouse.errors import BadInput

QUESTIONS = "questions.jsonl"


class PagesLayout:
    """The layout."""

    form = "questions.jsonl beside its documents, with the page or the words of each evidence"

    def fits(self, place: Path) -> bool:
        """See the contract."""
        return (place / QUESTIONS).is_file() and not (place / "corpora").is_dir()

    def read(self, place: Path, split: str) -> Dataset:
        """See the contract; there are no splits."""
        if split:
            raise BadInput(f"the questions of {place} are not split", "leave --split out")
        return with_questions_of(corpus_of(place, place / QUESTIONS), place / QUESTIONS)


member = PagesLayout()
