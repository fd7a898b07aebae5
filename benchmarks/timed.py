"""How well times are understood.

    python benchmarks/timed.py WAREHOUSE [--questions 300] [--json]

Makes time questions from the tables of any warehouse (`tasks.evaluate.makers.figures`), asks them with and without
times, and prints which promises their hits keep when the time of a question is changed, reworded or left out. There is
no judged answer to such pairs of questions, but a relation that must hold between their hits (metamorphic testing,
Chen, Cheung & Yiu 1998): the hits of a shifted question must move to the other period, those of a reworded one must
stay.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tasks.embedders.embedder import open_embedder
from tasks.evaluate.makers.figures import Place, TimedQuestion, format_day, make_timed_questions
from tasks.query.retrieval import find
from warehouse.reader import Warehouse
from warehouse.records import Hit, Ranking, SearchRequest
from warehouse.records.calendars import Interval
from warehouse.settings.loader import load_settings

HITS = 5
TODAY = date(2025, 1, 1)


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
    """What happens to the hits of these questions, which come from `make_timed_questions`, whole groups of a label."""
    by_label: defaultdict[str, list[TimedQuestion]] = defaultdict(list)
    for question in questions:
        by_label[question.label].append(question)
    groups = {each: group for group in by_label.values() for each in group}
    plain = list(groups)
    others = {each: group for group in by_label.values() for each in negated(group)}
    with_times = {each: search(each.text, _TIMED) for each in (*groups, *others)}
    without = {each: search(each.text, _UNTIMED) for each in plain}
    heads = {each: _head(with_times[each], group) for each, group in (groups | others).items()}
    unworded: dict[tuple[str, Interval], TimedQuestion] = {}
    for each in plain:
        unworded.setdefault((each.label, each.period), each)
    rewordings = [(each, first) for each in plain if (first := unworded[each.label, each.period]) != each]
    rivalled = [each for each in plain if _has_rival(each, groups[each], [*with_times[each], *without[each]])]
    return Moved(
        found=_share(any(shows(hit, each.gold) for hit in with_times[each]) for each in plain),
        found_without=_share(any(shows(hit, each.gold) for hit in without[each]) for each in plain),
        first=_share(any(shows(hit, each.gold) for hit in with_times[each][:1]) for each in plain),
        first_without=_share(any(shows(hit, each.gold) for hit in without[each][:1]) for each in plain),
        shifted=_share(_fits(each, heads[each]) for each in rivalled if heads[each]),
        shifted_without=_share(_fits(each, head) for each in rivalled if (head := _head(without[each], groups[each]))),
        negated=_share(_fits(each, heads[each]) for each in others if heads[each]),
        reworded=_share(_agree(first, heads[first], heads[each]) for each, first in rewordings),
        unchanged=_share(
            [hit.chunk_id for hit in search(text, _TIMED)] == [hit.chunk_id for hit in search(text, _UNTIMED)]
            for text in (f"What was {label}?" for label in by_label)
        ),
    )


def negated(group: Sequence[TimedQuestion]) -> Iterator[TimedQuestion]:
    """For each period of a label, questions for any other, and for what was before it."""
    golds = {each.period: each.gold for each in group}
    # The last wording of each period.
    for period, last in {each.period: each for each in group}.items():
        start = f"What was {last.label}"
        gold = frozenset[Place]().union(*(places for other, places in golds.items() if other != period))
        yield replace(last, text=f"{start} other than{last.text.removeprefix(start)}", gold=gold)
        before = frozenset[Place]().union(*(places for (_, end), places in golds.items() if end <= period[0]))
        if before - last.gold:
            yield replace(last, text=f"{start} before {format_day(period[0])}?", gold=before)


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


def chosen(questions: Sequence[TimedQuestion], count: int) -> list[TimedQuestion]:
    """The questions of the first labels, whole labels, about `count` of them."""
    found: list[TimedQuestion] = []
    for _, group in groupby(questions, key=lambda question: question.label):
        if len(found) >= count:
            break
        found += group
    return found


def main() -> None:
    """Print a Markdown table of the shares, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warehouse", type=Path)
    parser.add_argument("--questions", type=int, default=300, help="About how many of them are asked.")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    warehouse = Warehouse(given.warehouse).pin_generation()
    model = open_embedder(load_settings({}).embed.model)

    def search(text: str, ranking: Ranking) -> Sequence[Hit]:
        return find(warehouse, SearchRequest(text, ranking=ranking, k=HITS), model, TODAY).hits

    found = measure_moves(chosen(make_timed_questions(warehouse), given.questions), search)
    if given.json:
        print(json.dumps(asdict(found), indent=2))
        return
    print("| promise | kept | of |\n|---|---|---|")
    for field in fields(found):
        share = getattr(found, field.name)
        print(f"| {field.name.replace('_', ' ')} | {share.part:.1%} | {share.cases} |")


if __name__ == "__main__":
    main()
