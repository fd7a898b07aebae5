"""An exam taken: each ranking asked every question, judged, and compared with the default one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from time import monotonic, perf_counter

from flows.corpora import stem, unread, warehouse_of
from flows.question_vectors import recall, remember
from tasks.ask.finding import find
from tasks.embedders.choosing import embedder
from tasks.evaluate.answers import Answer, others
from tasks.evaluate.comparing import changes
from tasks.evaluate.configurations import DEFAULT
from tasks.evaluate.contract import Exam, Judged
from tasks.evaluate.measures import DEEPEST, judge, measures_of
from tasks.evaluate.outcomes import Evaluation, Trial
from tasks.evaluate.remembering import Remembering, remembering
from warehouse.reader import Warehouse
from warehouse.records import Hit, Ranking, Wanted
from warehouse.settings import Settings


@dataclass(frozen=True, slots=True)
class Sitting:
    """How an exam is taken: with which rankings, how many hits are judged beside the usual cuts, and on which day.

    Relative times of questions are read from `today`. `work` is a folder for what is kept from one sitting to the next.
    """

    rankings: Mapping[str, Ranking]
    cuts: tuple[int, ...]
    today: date
    work: Path


def evaluate(exam: Exam, sitting: Sitting, settings: Settings, say: Callable[[str], None]) -> Evaluation:
    """Make the corpus a warehouse where it is none yet, and ask. `say` hears a line for each thing done.

    Raises what an ingest and a search raise. A killed run goes on where the ingest was; the vectors of questions are
    kept once all are made.
    """
    warehouse = warehouse_of(exam, sitting.work, settings, say)
    chosen = embedder(settings.embed.model)
    memory = remembering(chosen, recall(sitting.work, chosen.model))
    candidate = Candidate(exam, sitting, warehouse, memory)
    each = candidate.prepare(say)
    remember(sitting.work, chosen.model, memory.known)
    trials: dict[str, Trial] = {}
    # The default comes first, since the others are compared with it.
    for name in sorted(sitting.rankings, key=lambda name: name != DEFAULT):
        started = monotonic()
        trials[name] = candidate.trial(name, trials.get(DEFAULT))
        say(f"{name}: {len(exam.questions)} questions in {monotonic() - started:.1f} s")
    return Evaluation(
        exam=exam.name,
        documents=len(exam.documents),
        questions=len(exam.questions),
        generation=warehouse.generation,
        model=chosen.model,
        question_milliseconds=each,
        trials=tuple(trials[name] for name in sitting.rankings),
        notes=(*exam.notes, *unread(warehouse, exam)),
    )


class Candidate:
    """A warehouse that sits an exam."""

    def __init__(self, exam: Exam, sitting: Sitting, warehouse: Warehouse, embedder: Remembering) -> None:
        """`embedder` must be of the warehouse's model."""
        self.exam = exam
        self.sitting = sitting
        self.warehouse = warehouse
        self.embedder = embedder
        self._measures = measures_of(exam, sitting.cuts)
        self._k = max((DEEPEST, *sitting.cuts))
        names = {source.stem: source.name for source in exam.documents}
        self._names = {
            holding.document_id: names.get(stem(holding), f"?{holding.document_id}")
            for holding in warehouse.documents()
        }
        self._pages: dict[tuple[str, int, int], tuple[int, ...]] = {}

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
            hits = self._ask(question, ranking)
            milliseconds.append(1000 * (perf_counter() - started))
            answers[question.name] = others(question, self._answers(hits))
        values = judge(self.exam.questions, answers, self._measures)
        against = changes(values, default.values) if default else {}
        return Trial(name, ranking, values, tuple(milliseconds), against)

    def _ask(self, question: Judged, ranking: Ranking) -> Sequence[Hit]:
        """The hits; where documents are judged, one a document, and one more lest the question itself take a place."""
        if self.exam.paged:
            wanted = Wanted(question.text, ranking=ranking, k=self._k)
        else:
            wanted = Wanted(question.text, ranking=replace(ranking, per_document=1), k=self._k + 1)
        return find(self.warehouse, wanted, self.embedder, self.sitting.today).hits

    def _answers(self, hits: Iterable[Hit]) -> list[Answer]:
        return [answer for hit in hits for answer in self._answers_of(hit)]

    def _answers_of(self, hit: Hit) -> Iterator[Answer]:
        """The hit's own, and where documents are judged those of the passages that say the same, which it shows."""
        yield Answer(self._names[hit.document_id], self._pages_of(hit) if self.exam.paged else ())
        if not self.exam.paged:
            yield from (Answer(self._names[each.document_id], ()) for each in hit.duplicates)

    def _pages_of(self, hit: Hit) -> tuple[int, ...]:
        """The pages of a passage in order."""
        place = (hit.document_id, hit.start, hit.end)
        if place not in self._pages:
            self._pages[place] = tuple(sorted({line.page for line in self.warehouse.lines(*place)}))
        return self._pages[place]
