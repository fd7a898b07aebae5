"""Moves of the hits when the time of a question is changed, reworded or left out.

There is no judged answer to such pairs of questions, but a relation that must hold between their hits (metamorphic
testing, Chen, Cheung & Yiu 1998).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tasks.evaluate.makers.figures import Place, TimedQuestion
from warehouse.records import Hit, Ranking

Search = Callable[[str, Ranking], Sequence[Hit]]  # From a question, and how passages are ranked, to its first hits.
_TIMED, _UNTIMED = Ranking(), Ranking(times=False)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the cases keep a promise."""

    kept: int
    cases: int

    @property
    def part(self) -> float:
        """In [0, 1]; 1 where there are no cases."""
        return self.kept / self.cases if self.cases else 1.0


@dataclass(frozen=True, slots=True)
class Moved:
    """Shares of questions that keep each promise.

    `found` shows the figure of the period among the first hits, `found_without` where times do not count, and `first`
    in the first of them, `first_without` where they do not. The other promises are about the first hit that shows the
    figure at all, of whatever period: `shifted` to another period, it is of that one; `negated`, it is of another;
    `reworded`, it is the same or of the same period. `unchanged`: asked of no time, the hits are the same whether
    times count or not.
    """

    found: Share
    found_without: Share
    first: Share
    first_without: Share
    shifted: Share
    shifted_without: Share
    negated: Share
    reworded: Share
    unchanged: Share


def measure_moves(questions: Iterable[TimedQuestion], search: Search) -> Moved:
    """What happens to the hits of these questions, which come from `timed_questions`, whole groups of a label."""
    by_label: defaultdict[str, list[TimedQuestion]] = defaultdict(list)
    for question in questions:
        by_label[question.label].append(question)
    groups = {each: group for group in by_label.values() for each in group}
    plain = [each for each in groups if not each.negated]
    with_times = {each: search(each.text, _TIMED) for each in groups}
    without = {each: search(each.text, _UNTIMED) for each in plain}
    heads = {each: _head(with_times[each], group) for each, group in groups.items()}
    unworded = {(each.label, each.period): each for each in groups if each.wording == 0}
    rewordings = [(each, unworded[each.label, each.period]) for each in plain if each.wording]
    rivalled = [each for each in plain if _has_rival(each, groups[each], [*with_times[each], *without[each]])]
    return Moved(
        found=_share(any(shows(hit, each.gold) for hit in with_times[each]) for each in plain),
        found_without=_share(any(shows(hit, each.gold) for hit in without[each]) for each in plain),
        first=_share(any(shows(hit, each.gold) for hit in with_times[each][:1]) for each in plain),
        first_without=_share(any(shows(hit, each.gold) for hit in without[each][:1]) for each in plain),
        shifted=_share(_fits(each, heads[each]) for each in rivalled if heads[each]),
        shifted_without=_share(_fits(each, head) for each in rivalled if (head := _head(without[each], groups[each]))),
        negated=_share(_fits(each, heads[each]) for each in groups if each.negated and heads[each]),
        reworded=_share(_agree(first, heads[first], heads[each]) for each, first in rewordings),
        unchanged=_share(
            [hit.chunk_id for hit in search(text, _TIMED)] == [hit.chunk_id for hit in search(text, _UNTIMED)]
            for text in (f"What was {label}?" for label in by_label)
        ),
    )


def shows(hit: Hit, gold: Iterable[Place]) -> bool:
    """Whether the text of a hit holds one of the places."""
    return any(hit.document_id == document and hit.start <= start and end <= hit.end for document, start, end in gold)


def _head(hits: Sequence[Hit], group: Sequence[TimedQuestion]) -> Hit | None:
    """The first hit that shows the figure, for whatever period."""
    figures = frozenset().union(*(each.gold for each in group))
    return next((hit for hit in hits if shows(hit, figures)), None)


def _fits(question: TimedQuestion, head: Hit | None) -> bool:
    return head is not None and shows(head, question.gold)


def _agree(question: TimedQuestion, one: Hit | None, other: Hit | None) -> bool:
    """Whether two wordings of a question lead to the same passage, to ones of its period, or both to none."""
    same = (one and one.chunk_id) == (other and other.chunk_id)
    return same or (_fits(question, one) and _fits(question, other))


def _has_rival(question: TimedQuestion, group: Sequence[TimedQuestion], hits: Sequence[Hit]) -> bool:
    """Whether one of the hits shows the figure, and not for this period."""
    figures = frozenset().union(*(each.gold for each in group))
    return any(shows(hit, figures) and not shows(hit, question.gold) for hit in hits)


def _share(kept: Iterable[bool]) -> Share:
    cases = list(kept)
    return Share(sum(cases), len(cases))
