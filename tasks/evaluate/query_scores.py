"""What ranked answers are worth: by the measures of `ir_measures` and `pytrec_eval`, and by what they show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tasks.evaluate.answers import AnswerSpan, HitAnswer, page_names, ranked_documents, ranked_golds, ranked_hits
from tasks.evaluate.contract import Judged
from tasks.evaluate.measures import RANKED, SHOWN, EvaluationMeasure, Unit
from tasks.evaluate.overlap import overlap


def marked(
    questions: Sequence[Judged], answers: Mapping[str, Sequence[HitAnswer]], measures: Sequence[EvaluationMeasure]
) -> dict[str, dict[str, float]]:
    """The values of each question by its name and the measure's label; `answers` are the hits of each, best first.

    A measure that cannot judge a question gives it no value.
    """
    found: dict[str, dict[str, float]] = {question.name: {} for question in questions}
    for unit in RANKED:
        labels = {measure.name: measure.label for measure in measures if measure.unit is unit}
        for name, measure, value in _values(questions, answers, list(labels), unit):
            found[name][labels[measure]] = value
    counted = [measure for measure in measures if measure.unit not in RANKED]
    for question in questions:
        found[question.name] |= _counted(question, answers[question.name], counted)
    return {
        name: {each.label: values[each.label] for each in measures if each.label in values}
        for name, values in found.items()
    }


def first_rank(question: Judged, answers: Sequence[HitAnswer], unit: Unit) -> int | None:
    """The rank, from 1, of the first that answers in a list of this unit; None where none does."""
    relevant, ranked = _ranked(question, answers, unit)
    return next((rank for rank, name in enumerate(ranked, 1) if name in relevant), None)


def _values(
    questions: Sequence[Judged], answers: Mapping[str, Sequence[HitAnswer]], names: Sequence[str], unit: Unit
) -> Iterable[tuple[str, str, float]]:
    if not names:
        return
    import ir_measures

    lists = {question.name: _ranked(question, answers[question.name], unit) for question in questions}
    judged = {name: relevant for name, (relevant, _) in lists.items() if relevant}
    run = {name: _scored(lists[name][1]) for name in judged}
    for found in ir_measures.iter_calc([ir_measures.parse_measure(name) for name in names], judged, run):
        yield found.query_id, str(found.measure), float(found.value)


def _scored(ranked: Sequence[str]) -> dict[str, float]:
    """Scores that fall with the rank: where those of the search tie, its order counts, not that of the names."""
    return {name: 1.0 / rank for rank, name in enumerate(ranked, 1)}


def _ranked(question: Judged, answers: Sequence[HitAnswer], unit: Unit) -> tuple[dict[str, int], list[str]]:
    """The grade of what answers, by its name in a list, and the list."""
    if unit is Unit.HIT_OF_GOLD:
        names, ranked = ranked_golds(_known(question), answers)
        return dict.fromkeys(names, 1), ranked
    if unit is Unit.HIT_OF_PAGE:
        pages = {name: gold.grade for gold in question.gold for name in page_names(gold.document, [gold.page])}
        return pages, ranked_hits(pages, [page_names(answer.document, answer.pages) for answer in answers])
    documents = {gold.document: gold.grade for gold in question.gold}
    if unit is Unit.DOCUMENT:
        return documents, ranked_documents(answers)
    return documents, ranked_hits(documents, [[answer.document] for answer in answers])


def _known(question: Judged) -> list[int]:
    return [number for number, gold in enumerate(question.gold) if gold.known]


def _counted(question: Judged, answers: Sequence[HitAnswer], measures: Sequence[EvaluationMeasure]) -> dict[str, float]:
    """The values of what is no ranking."""
    known = _known(question)
    gold = [AnswerSpan(each.document, *each.span) for each in question.gold if each.span]
    shown = {
        Unit.PASSAGE: [answer.places[0] for answer in answers[:SHOWN] if answer.places],
        Unit.EXCERPT: [answer.excerpt for answer in answers[:SHOWN] if answer.excerpt],
    }
    found: dict[str, float] = {}
    for measure in measures:
        if measure.unit is Unit.GOLD and known:
            cut = int(measure.name.partition("@")[2])
            found[measure.label] = len(frozenset().union(*(each.golds for each in answers[:cut]))) / len(known)
        elif measure.unit in shown and gold:
            found[measure.label] = getattr(overlap(gold, shown[measure.unit]), measure.name)
    return found
