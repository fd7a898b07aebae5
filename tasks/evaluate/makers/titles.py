"""Questions for a document by its title.

"What is “Nitrate drift of moored sensors” about?"
Only titles that the documents themselves give and that are long enough to tell something. All of the document answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tasks.evaluate.contract import Gold, Judged
from tasks.evaluate.question_maker import documents, is_chinese, question
from tasks.evaluate.text_folding import squeezed
from warehouse.reader import Warehouse

_FEWEST_LETTERS = 8
_FEWEST_CHINESE = 4


class TitleQuestions:
    """The maker."""

    shows = "a document is found by its title"

    def make(self, warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[Judged]:
        """See the contract."""
        titled = {each.name: " ".join(each.title.split()) for each in documents(warehouse, names)}
        often = Counter(map(squeezed, titled.values()))
        for document, title in titled.items():
            least = _FEWEST_CHINESE if is_chinese(title) else _FEWEST_LETTERS
            if often[squeezed(title)] == 1 and sum(map(str.isalpha, title)) >= least:
                asked = f"《{title}》讲的是什么？" if is_chinese(title) else f"What is “{title}” about?"
                yield question("titles", asked, title, Gold(document))


member = TitleQuestions()
