"""What a trial is called, and so whether it is there: its exam, its configuration, its documents and the code."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path

from flows.experiments.code import code
from flows.experiments.seats import TrialWorkspace, state_of
from tasks.evaluate.contract import Dataset
from tasks.evaluate.experiments.outcome import Outcome
from warehouse.identity import digest
from warehouse.store import trials
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake


@dataclass(frozen=True)
class GridConditions:
    """How a grid is asked: the exam, the judge, the day from which relative times are read, further cuts of recall.

    `work` is a folder for the vectors of questions.
    """

    exam: Dataset
    judge: str
    day: date
    cuts: tuple[int, ...]
    work: Path

    @cached_property
    def identity(self) -> str:
        """What is asked, and how it is judged; not by where the files lie."""
        questions = [asdict(each) for each in self.exam.questions]
        documents = [(each.name, each.stem) for each in self.exam.documents]
        return digest("exam", self.exam.name, questions, documents, self.judge, self.day, self.cuts)

    def trial_id(self, seat: TrialWorkspace, generation: Generation) -> str:
        """The name of the trial of an experiment over what a generation holds."""
        chosen = seat.experiment
        return digest("trial", self.identity, state_of(generation), asdict(chosen.ranking), chosen.k, code())


def known(seat: TrialWorkspace, asking: GridConditions) -> Outcome | None:
    """The trial of an experiment, if it is kept and its documents and settings are as they were."""
    generation = seat.ready()
    if generation is None:
        return None
    lake, trial_id = Lake(seat.layout.lake), asking.trial_id(seat, generation)
    if not trials.is_kept(lake, trial_id):
        return None
    return kept(lake, trial_id, seat.experiment.name)


def kept(lake: Lake, trial_id: str, name: str = "") -> Outcome:
    """A trial that is there, by the name it has in a grid, else by the one that it was kept with."""
    found = trials.trial(lake, trial_id)
    chosen = name or found.name
    return Outcome(chosen, replace(found, name=chosen), trials.questions(lake, trial_id))


def first_day(lake: Lake, exam: str, today: date) -> date:
    """The day of the trials of an exam that there are, so that tomorrow's compare with today's; else today."""
    return next((each.day for each in trials.kept(lake) if each.exam == exam), today)
