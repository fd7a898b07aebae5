"""Records of experiments: one configuration measured on a dataset, and each question of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from warehouse.records.hit import RetrievedPassage


@dataclass(frozen=True, slots=True)
class MeasuredMean:
    """The mean of a measure over the `questions` that it judges, and its 95 % interval."""

    measure: str
    mean: float
    low: float
    high: float
    questions: int


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """A configuration that was measured on a dataset, `exam`.

    `name` says how it differs from the others of its grid, `settings` are all its values as JSON; configurations of one
    `fingerprint` share one ingest, which published `generation` in a warehouse of its own. `day` is that from which
    relative times were read. `ingest_seconds` is the duration of that ingest, which reused the outputs of others.
    `vectors` and `index_bytes` are of the indexes; `p50` and `p95` are milliseconds of a search without the vector of
    its question.
    """

    trial_id: str
    name: str
    exam: str
    fingerprint: str
    generation: int
    settings: str
    model: str
    day: date
    documents: int
    chunks: int
    vectors: int
    index_bytes: int
    ingest_seconds: float
    questions: int
    p50: float
    p95: float
    measures: tuple[MeasuredMean, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """The score of a question by a measure."""

    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """The location of an answer: a document, a page of it, a half-open span of its text, as far as they are known."""

    document_id: str
    page: int | None
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """A question of a trial: its scores, the locations of its answer, and the hits, the best first.

    `rank`, from 1, is that of the first hit that answers it; None where none does.
    """

    trial_id: str
    question: str
    text: str
    rank: int | None
    milliseconds: float
    marks: tuple[Mark, ...]
    gold: tuple[GoldPlace, ...]
    hits: tuple[RetrievedPassage, ...]


@dataclass(frozen=True, slots=True)
class ScoredName:
    """The name of a document or passage that was found, and its score."""

    name: str
    score: float


@dataclass(frozen=True, slots=True)
class TrialRanking:
    """The ranking of a question of a trial, the best first, by the names of its dataset.

    `documents` are ranked by their best passage, copies included; `spans` are the passages, `document#start-end`, where
    passages are judged.
    """

    trial_id: str
    question: str
    documents: tuple[ScoredName, ...]
    spans: tuple[ScoredName, ...]
