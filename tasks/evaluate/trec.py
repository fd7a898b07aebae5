"""Rankings and judgements in the formats of trec_eval, so that other programs can measure them.

A line of a run is `qid Q0 docid rank score tag`, one of qrels is `qid 0 docid grade`. trec_eval orders by the score, in
single precision, and equal scores by the name: scores written here fall strictly, so that the order of the search is
kept. White space in names is percent-encoded, since it separates the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import numpy as np

from tasks.evaluate.dataset import JudgedQuestion
from tasks.evaluate.outcomes import RankedNames
from warehouse.errors import BadInput

QRELS = "qrels.txt"
_WHITE_SPACE = re.compile(r"\s")
_SAFE = "=@+,#"  # The punctuation kept in file names, besides "-", ".", "_" and "~".


class NamedRankings(Protocol):
    """The results of a configuration for each question: documents, and passages if these are judged."""

    @property
    def name(self) -> str:
        """The name of the configuration."""

    @property
    def documents(self) -> Mapping[str, RankedNames]:
        """The documents with their scores by the question's name, the best first."""

    @property
    def spans(self) -> Mapping[str, RankedNames]:
        """The passages with their scores, likewise; empty if documents are judged."""


def iter_run_lines(rankings: Mapping[str, RankedNames], tag: str) -> Iterator[str]:
    """The lines of a run: for each question, by its name, the results with their scores, the best first."""
    for question, names in rankings.items():
        last_score = np.float32(np.inf)
        for rank, (name, score) in enumerate(names, 1):
            last_score = min(np.float32(score), np.nextafter(last_score, np.float32(-np.inf)))
            yield f"{escape_name(question)} Q0 {escape_name(name)} {rank} {last_score:.9g} {escape_name(tag)}"


def iter_qrels_lines(questions: Iterable[JudgedQuestion]) -> Iterator[str]:
    """The lines of judgements of documents; of several grades of a document, the greatest."""
    for question in questions:
        grades: dict[str, int] = {}
        for gold in question.gold:
            grades[gold.document] = max(gold.grade, grades.get(gold.document, 0))
        yield from (f"{escape_name(question.name)} 0 {escape_name(name)} {grade}" for name, grade in grades.items())


def escape_name(name: str) -> str:
    """A name without white space."""
    return _WHITE_SPACE.sub(lambda match: quote(match[0]), name)


def check_run_place(place: Path, rankings: Sequence[str]) -> None:
    """Raise `BadInput` if several rankings would go into one file."""
    if not _is_folder(place) and len(rankings) > 1:
        raise BadInput(
            f"{place} would hold {len(rankings)} rankings", "name a folder, or one ranking (--part) of one model"
        )


def write_runs(place: Path, trials: Sequence[NamedRankings], questions: Sequence[JudgedQuestion]) -> None:
    """Write the run of each ranking: of documents, and of passages where these are judged.

    A `place` with a suffix is the file of the only ranking, any other a folder with one file per ranking and the qrels.
    The tag of a run is its ranking's name; characters that a file name cannot have, as in the address of a model's
    server, are percent-encoded there. Raises `BadInput` if it cannot be written.
    """
    folder = _is_folder(place)
    try:
        (place if folder else place.parent).mkdir(parents=True, exist_ok=True)
        for trial in trials:
            file = place / f"{quote(trial.name, safe=_SAFE)}.run" if folder else place
            _write(file, iter_run_lines(trial.documents, trial.name))
            if any(trial.spans.values()):
                _write(file.with_name(f"{file.stem}.passages{file.suffix}"), iter_run_lines(trial.spans, trial.name))
        if folder:
            _write(place / QRELS, iter_qrels_lines(questions))
    except OSError as error:
        raise BadInput(f"{place} cannot be written ({error.strerror})", "name another file or folder") from None


def _is_folder(place: Path) -> bool:
    return place.is_dir() or not place.suffix


def _write(file: Path, lines: Iterable[str]) -> None:
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
