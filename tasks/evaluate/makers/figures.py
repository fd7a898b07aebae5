"""Questions for figures of tables.

"What was AMCOR's Net sales for the quarter ended December 31, 2022?"
From `tasks.evaluate.timed`, those whose figure stands in one cell of the corpus alone: no other cell has this label and
period, nor this value in this period. The gold is the row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from tasks.evaluate.contract import Gold, Judged
from tasks.evaluate.question_maker import question
from tasks.evaluate.timed import Place, TimedQuestion, timed_questions
from warehouse.identity import digest
from warehouse.reader import Warehouse


class Figures:
    """The maker."""

    shows = "a figure's row is found by its label, company and period"

    def make(self, warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[Judged]:
        """See the contract; of the wordings of one period one is asked, chosen by its hash."""
        chosen: dict[Place, TimedQuestion] = {}
        for each in timed_questions(warehouse):
            if len(each.gold) == 1 and not each.negated:
                place = min(each.gold)
                chosen[place] = min(each, chosen.get(place, each), key=lambda asked: digest(asked.text))
        by_document: defaultdict[str, list[TimedQuestion]] = defaultdict(list)
        for (document_id, _, _), each in chosen.items():
            by_document[document_id].append(each)
        for document_id in sorted(by_document.keys() & names.keys()):
            text = warehouse.text(document_id)
            for each in by_document[document_id]:
                yield _asked(each, names[document_id], text)


def _asked(asked: TimedQuestion, document: str, text: str) -> Judged:
    ((_, start, end),) = asked.gold
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    row = (first, last if last >= 0 else len(text))
    return question(
        "figures", asked.text, text[start:end], Gold(document, text=text[slice(*row)], near=first, span=row)
    )


member = Figures()
