"""Evaluation of rankings on a dataset: every question is searched, judged, and compared with the default ranking.

Vectors of questions and of the sentences of excerpts are kept in the dataset's folder from one evaluation to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from time import monotonic, perf_counter
from zipfile import BadZipFile

import numpy as np

from flows.datasets import (
    describe_other_documents,
    describe_unreadable_documents,
    map_dataset_names,
    prepare_corpus_warehouse,
)
from flows.orchestration import ProgressReporter
from tasks.ask.excerpts import with_excerpts
from tasks.embedders.embedder import open_embedder
from tasks.evaluate.answers import JUDGES, SPAN_JUDGE, AnswerSpan, HitAnswer, exclude_question, judge_answers
from tasks.evaluate.cached_embedder import CachedEmbedder
from tasks.evaluate.configurations import DEFAULT_RANKING
from tasks.evaluate.dataset import Dataset, JudgedQuestion
from tasks.evaluate.gold_locator import Span, locate_dataset_gold
from tasks.evaluate.measures import MAX_CUT, SHOWN_HITS, find_first_rank, list_measures, score_answers
from tasks.evaluate.outcomes import Evaluation, RankedNames, Trial, compute_changes, compute_estimates
from tasks.query.retrieval import NO_RERANKER, find
from warehouse.identity import digest
from warehouse.reader import Warehouse
from warehouse.records import Hit, Ranking, RetrievedPassage, SearchRequest, SearchResult
from warehouse.settings.loader import Settings
from warehouse.settings.models import RerankSettings
from warehouse.store.layout import open_atomically


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """Conditions of an evaluation: rankings, further cuts (numbers of hits), and the day for relative times.

    `work` is the folder of files kept between evaluations. `judge` decides which hits answer, if the words of the
    answers are known. Trials keep the first `passages` of each question.
    """

    rankings: Mapping[str, Ranking]
    cuts: tuple[int, ...]
    today: date
    work: Path
    judge: str = SPAN_JUDGE
    passages: int = 0


def evaluate_rankings(
    dataset: Dataset, evaluation_run: EvaluationRun, settings: Settings, report_progress: ProgressReporter
) -> Evaluation:
    """Ingest the corpus if need be, and search every question with every ranking.

    Raises what an ingest and a search raise. A killed run resumes with the ingest; the vectors of questions are saved
    once all are made, those of sentences for excerpts at the end.
    """
    warehouse = prepare_corpus_warehouse(dataset, evaluation_run.work, settings, report_progress)
    embedder = open_embedder(settings.embed.model, settings.embed.device)
    memory = CachedEmbedder(embedder, load_vectors(evaluation_run.work, embedder.model))
    # Each ranking names its own reranker.
    rerank = settings.rerank.model_copy(update={"model": ""})
    runner = EvaluationRunner(dataset, evaluation_run, warehouse, memory, rerank)
    milliseconds = runner.prepare(report_progress)
    save_vectors(evaluation_run.work, embedder.model, memory.vectors)
    trials: dict[str, Trial] = {}
    corpus = warehouse, dataset
    # The default comes first, since the others are compared with it.
    for name in sorted(evaluation_run.rankings, key=lambda name: name != DEFAULT_RANKING):
        started = monotonic()
        trials[name] = runner.run_trial(name, trials.get(DEFAULT_RANKING))
        report_progress(f"{name}: {len(dataset.questions)} questions in {monotonic() - started:.1f} s")
    save_vectors(evaluation_run.work, embedder.model, memory.vectors)
    return Evaluation(
        exam=dataset.name,
        documents=len(dataset.documents),
        questions=len(dataset.questions),
        generation=warehouse.generation,
        model=embedder.model,
        question_milliseconds=milliseconds,
        trials=tuple(trials[name] for name in evaluation_run.rankings),
        notes=(*runner.dataset.notes, *describe_unreadable_documents(*corpus), *describe_other_documents(*corpus)),
        judge=evaluation_run.judge,
        texts={question.name: question.text for question in dataset.questions},
        clusters=runner.clusters,
    )


class EvaluationRunner:
    """Runs the questions of a dataset against one warehouse."""

    def __init__(
        self,
        dataset: Dataset,
        evaluation_run: EvaluationRun,
        warehouse: Warehouse,
        embedder: CachedEmbedder,
        rerank: RerankSettings = NO_RERANKER,
    ) -> None:
        """`embedder` must be of the warehouse's model. The words of answers are located in the documents here."""
        mapper = AnswerMapper(warehouse, dataset)
        self.dataset = locate_dataset_gold(dataset, mapper)
        self.evaluation_run = evaluation_run
        self.warehouse = warehouse
        self.embedder = embedder
        self.rerank = rerank
        self._mapper = mapper
        self._judge = JUDGES[evaluation_run.judge]
        self._measures = list_measures(self.dataset, evaluation_run.cuts, evaluation_run.judge)
        self._k = max((MAX_CUT, *evaluation_run.cuts))
        self._texts: dict[str, str] = {}
        self.clusters = dataset.clusters

    @property
    def _by_document(self) -> bool:
        """Whether documents are judged, and not their passages."""
        return not self.dataset.is_paged and not self.dataset.is_located

    def prepare(self, report_progress: ProgressReporter) -> float:
        """Make the vectors of the questions in one go and open the indexes; returns milliseconds a question."""
        known_count, started = len(self.embedder.vectors), monotonic()
        texts = (" ".join(question.text.split()) for question in self.dataset.questions)
        question_embedder = self.embedder.for_questions
        question_embedder.embed([window for text in texts for window in question_embedder.cut_windows("", text)])
        new_count, seconds = len(self.embedder.vectors) - known_count, monotonic() - started
        if new_count:
            report_progress(f"vectors: {new_count} texts in {seconds:.1f} s")
        self._search_question(self.dataset.questions[0], Ranking())
        return 1000 * seconds / new_count if new_count else 0.0

    def run_trial(self, name: str, default: Trial | None) -> Trial:
        """Search every question with a ranking, and compare with the `default` trial if given."""
        ranking = self.evaluation_run.rankings[name]
        answers: dict[str, Sequence[HitAnswer]] = {}
        passages: dict[str, tuple[RetrievedPassage, ...]] = {}
        milliseconds = []
        for question in self.dataset.questions:
            started = perf_counter()
            result = self._search_question(question, ranking)
            milliseconds.append(1000 * (perf_counter() - started))
            answers[question.name] = self._judge_hits(question, result)
            passages[question.name] = tuple(map(self._keep_passage, result.hits[: self.evaluation_run.passages]))
        values = score_answers(self.dataset.questions, answers, self._measures)
        unit = self._measures[0].unit
        ranks = {
            question.name: find_first_rank(question, answers[question.name], unit)
            for question in self.dataset.questions
        }
        against = compute_changes(values, default.values, self.clusters) if default else {}
        documents = {question: self._rank_documents(result) for question, result in answers.items()}
        spans = {} if self._by_document else {question: _rank_spans(result) for question, result in answers.items()}
        means = compute_estimates(values, self.clusters)
        return Trial(name, ranking, values, tuple(milliseconds), against, means, ranks, passages, documents, spans)

    def _rank_documents(self, answers: Sequence[HitAnswer]) -> RankedNames:
        """The documents by their best passages."""
        scores: dict[str, float] = {}
        for answer in answers:
            scores.setdefault(answer.document, answer.score)
        return tuple(scores.items())[: self._k]

    def _search_question(self, question: JudgedQuestion, ranking: Ranking) -> SearchResult:
        """The hits; if documents are judged, one for each, and one more in case the question itself is a hit."""
        request = SearchRequest(question.text, ranking=ranking, k=self._k)
        if self._by_document:
            request = replace(request, ranking=replace(ranking, per_document=1), k=self._k + 1)
        return find(self.warehouse, request, self.embedder, self.evaluation_run.today, self.rerank)

    def _keep_passage(self, hit: Hit) -> RetrievedPassage:
        """The passage of a hit; its text is kept once for all questions and rankings."""
        return replace(RetrievedPassage.from_hit(hit), text=self._texts.setdefault(hit.chunk_id, hit.text))

    def _judge_hits(self, question: JudgedQuestion, result: SearchResult) -> list[HitAnswer]:
        """The answers of the hits, judged; this is not part of the time measured."""
        if self._by_document:
            return exclude_question(question, self._mapper.list_document_answers(result.hits))
        hits: Sequence[Hit] = result.hits
        if self.dataset.is_located:
            hits = (*with_excerpts(result.question, hits[:SHOWN_HITS], self.embedder), *hits[SHOWN_HITS:])
        answers = exclude_question(question, map(self._mapper.make_passage_answer, hits))
        return judge_answers(question, answers, self._judge, self.embedder) if self.dataset.is_located else answers


def _rank_spans(answers: Sequence[HitAnswer]) -> RankedNames:
    """The passages by document and span."""
    spans = ((answer.places[0], answer.score) for answer in answers)
    return tuple((f"{span.document}#{span.start}-{span.end}", score) for span, score in spans)


_CHUNKS = 'SELECT document_id, chunk_index, start, "end" FROM chunks'


class AnswerMapper:
    """Maps hits to answers of a dataset: document names, pages and text spans.

    Gives the texts of the documents by their names too; see `tasks.evaluate.gold_locator.CorpusTexts`.
    """

    def __init__(self, warehouse: Warehouse, dataset: Dataset) -> None:
        """The warehouse holds the dataset's corpus; a document outside of it is named by its id."""
        dataset_names = map_dataset_names(warehouse, dataset)
        ids = (entry.document_id for entry in warehouse.list_documents())
        self.names = {document_id: dataset_names.get(document_id, f"?{document_id}") for document_id in ids}
        self.ids = {name: document_id for document_id, name in self.names.items()}
        self._warehouse = warehouse
        self._pages: dict[tuple[str, int, int], tuple[int, ...]] = {}

    def list_document_answers(self, hits: Iterable[Hit]) -> list[HitAnswer]:
        """The documents of the hits, each followed by the documents of its duplicate passages."""
        return [
            HitAnswer(self.names[duplicate], score=hit.score)
            for hit in hits
            for duplicate in (hit.document_id, *(copy.document_id for copy in hit.duplicates))
        ]

    def make_passage_answer(self, hit: Hit) -> HitAnswer:
        """The passage of a hit, its pages in order and its places."""
        document, place = self.names[hit.document_id], (hit.document_id, hit.start, hit.end)
        if place not in self._pages:
            self._pages[place] = tuple(sorted({line.page for line in self._warehouse.read_lines(*place)}))
        copies = (self._chunks[copy.document_id, copy.chunk_index] for copy in hit.duplicates)
        spans = (AnswerSpan(document, hit.start, hit.end), *copies)
        excerpt = AnswerSpan(document, *hit.excerpt) if hit.excerpt else None
        return HitAnswer(document, self._pages[place], hit.text, spans, excerpt, score=hit.score)

    def read_text(self, document: str) -> str:
        """The canonical text, empty where the warehouse has no such document."""
        return self._warehouse.read_text(self.ids.get(document, ""))

    def read_pages(self, document: str) -> Mapping[int, Span]:
        """The span of each page that has text."""
        rows = self._warehouse.snapshot.query_rows(_PAGES, {"id": self.ids.get(document, "")})
        return {page: (start, end) for page, start, end in rows}

    @cached_property
    def _chunks(self) -> dict[tuple[str, int], AnswerSpan]:
        """The span of each chunk, by its document's id and its number there."""
        rows = self._warehouse.snapshot.query_rows(_CHUNKS)
        return {(document, index): AnswerSpan(self.names[document], start, end) for document, index, start, end in rows}


_PAGES = """
    SELECT page, min(start), max("end") FROM blocks
    WHERE document_id = $id AND page IS NOT NULL GROUP BY page
"""


def load_vectors(work: Path, model: str) -> dict[str, np.ndarray]:
    """The saved vectors of a model, by id; empty where there is no complete file."""
    try:
        with _get_vector_file(work, model).open("rb") as stream, np.load(stream) as content:
            return dict(zip(content["ids"].tolist(), content["vectors"], strict=True))
    except (OSError, EOFError, ValueError, KeyError, BadZipFile):
        return {}


def save_vectors(work: Path, model: str, vectors: Mapping[str, np.ndarray]) -> None:
    """Replace the saved vectors of a model."""
    work.mkdir(parents=True, exist_ok=True)
    with open_atomically(_get_vector_file(work, model)) as stream:
        np.savez(stream, ids=np.array(list(vectors)), vectors=np.array(list(vectors.values())))


def _get_vector_file(work: Path, model: str) -> Path:
    return work / f"questions-{digest(model)}.npz"
