"""An exam taken: each ranking asked every question, judged, and compared with the default one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from time import monotonic, perf_counter

from flows.answering import AnswerMapper
from flows.corpora import besides, unread, warehouse_of
from flows.grounds import DatasetTexts
from flows.question_vectors import recall, remember
from tasks.ask.excerpts import with_excerpts
from tasks.ask.finding import find
from tasks.embedders.choosing import embedder
from tasks.evaluate.answers import Answer, others
from tasks.evaluate.comparing import changes, estimates
from tasks.evaluate.configurations import DEFAULT
from tasks.evaluate.contract import Dataset, Judged
from tasks.evaluate.grounding import grounded
from tasks.evaluate.judging import DEFAULT as SPAN
from tasks.evaluate.judging import JUDGES, judged
from tasks.evaluate.marking import first_rank, marked
from tasks.evaluate.measures import DEEPEST, SHOWN, measures_of
from tasks.evaluate.outcomes import Evaluation, Trial
from tasks.evaluate.remembering import Remembering, remembering
from warehouse.reader import Warehouse
from warehouse.records import Found, Hit, Ranking, SearchRequest
from warehouse.settings.loader import Settings


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """How an exam is taken: with which rankings, how many hits are judged beside the usual cuts, and on which day.

    Relative times of questions are read from `today`. `work` is a folder for what is kept from one sitting to the next.
    `judge` says which hits answer, where the words of the answers are known.
    """

    rankings: Mapping[str, Ranking]
    cuts: tuple[int, ...]
    today: date
    work: Path
    judge: str = SPAN


def evaluate(exam: Dataset, sitting: EvaluationRun, settings: Settings, say: Callable[[str], None]) -> Evaluation:
    """Make the corpus a warehouse where it is none yet, and ask. `say` hears a line for each thing done.

    Raises what an ingest and a search raise. A killed run goes on where the ingest was; the vectors of questions are
    kept once all are made, those of the sentences that excerpts are chosen from at the end.
    """
    warehouse = warehouse_of(exam, sitting.work, settings, say)
    chosen = embedder(settings.embed.model)
    memory = remembering(chosen, recall(sitting.work, chosen.model))
    candidate = EvaluationRunner(exam, sitting, warehouse, memory)
    each = candidate.prepare(say)
    remember(sitting.work, chosen.model, memory.known)
    trials: dict[str, Trial] = {}
    # The default comes first, since the others are compared with it.
    for name in sorted(sitting.rankings, key=lambda name: name != DEFAULT):
        started = monotonic()
        trials[name] = candidate.trial(name, trials.get(DEFAULT))
        say(f"{name}: {len(exam.questions)} questions in {monotonic() - started:.1f} s")
    remember(sitting.work, chosen.model, memory.known)
    return Evaluation(
        exam=exam.name,
        documents=len(exam.documents),
        questions=len(exam.questions),
        generation=warehouse.generation,
        model=chosen.model,
        question_milliseconds=each,
        trials=tuple(trials[name] for name in sitting.rankings),
        notes=(*candidate.exam.notes, *unread(warehouse, exam), *besides(warehouse, exam)),
        judge=sitting.judge,
    )


class EvaluationRunner:
    """A warehouse that sits an exam."""

    def __init__(self, exam: Dataset, sitting: EvaluationRun, warehouse: Warehouse, embedder: Remembering) -> None:
        """`embedder` must be of the warehouse's model. The words of answers are looked for in the documents here."""
        shown = AnswerMapper(warehouse, exam)
        self.exam = grounded(exam, DatasetTexts(warehouse, shown.names))
        self.sitting = sitting
        self.warehouse = warehouse
        self.embedder = embedder
        self._shown = shown
        self._judge = JUDGES[sitting.judge]
        self._measures = measures_of(self.exam, sitting.cuts, sitting.judge)
        self._k = max((DEEPEST, *sitting.cuts))

    @property
    def _by_document(self) -> bool:
        """Whether documents are judged, and not what their passages show."""
        return not self.exam.paged and not self.exam.located

    def prepare(self, say: Callable[[str], None]) -> float:
        """Make the vectors of the questions, all at once, and open the indexes; the milliseconds that one took."""
        known, started = len(self.embedder.known), monotonic()
        texts = (" ".join(question.text.split()) for question in self.exam.questions)
        self.embedder.embed([window for text in texts for window in self.embedder.windows("", text)])
        made, seconds = len(self.embedder.known) - known, monotonic() - started
        if made:
            say(f"vectors: {made} texts in {seconds:.1f} s")
        self._ask(self.exam.questions[0], Ranking())
        return 1000 * seconds / made if made else 0.0

    def trial(self, name: str, default: Trial | None) -> Trial:
        """Ask every question with a ranking."""
        ranking = self.sitting.rankings[name]
        answers: dict[str, Sequence[Answer]] = {}
        milliseconds = []
        for question in self.exam.questions:
            started = perf_counter()
            found = self._ask(question, ranking)
            milliseconds.append(1000 * (perf_counter() - started))
            answers[question.name] = self._answers(question, found)
        values = marked(self.exam.questions, answers, self._measures)
        unit = self._measures[0].unit
        ranks = {each.name: first_rank(each, answers[each.name], unit) for each in self.exam.questions}
        against = changes(values, default.values) if default else {}
        return Trial(name, ranking, values, tuple(milliseconds), against, estimates(values), ranks)

    def _ask(self, question: Judged, ranking: Ranking) -> Found:
        """The hits; where documents are judged, one a document, and one more lest the question itself take a place."""
        if self._by_document:
            wanted = SearchRequest(question.text, ranking=replace(ranking, per_document=1), k=self._k + 1)
        else:
            wanted = SearchRequest(question.text, ranking=ranking, k=self._k)
        return find(self.warehouse, wanted, self.embedder, self.sitting.today)

    def _answers(self, question: Judged, found: Found) -> list[Answer]:
        """What the hits show, and which of it the judge says to answer; never timed."""
        if self._by_document:
            return others(question, self._shown.documents(found.hits))
        hits: Sequence[Hit] = found.hits
        if self.exam.located:
            hits = (*with_excerpts(found.question, hits[:SHOWN], self.embedder), *hits[SHOWN:])
        answers = others(question, self._shown.passages(hits))
        return judged(question, answers, self._judge, self.embedder) if self.exam.located else answers
