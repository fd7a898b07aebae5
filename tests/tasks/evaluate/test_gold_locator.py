"""The words of gold are found where they stand, however they were copied, or are said to be lost."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.dataset import Dataset, Gold, JudgedQuestion
from tasks.evaluate.gold_locator import locate_dataset_gold, locate_gold, squeeze_text

TEXT = (
    "Zeppelins left the hangar in March.\n\n[TABLE 1]\n|  | 2022 | 2021 |\n| --- | --- | --- |\n"
    "| Total revenue | 17,606 | 15,785 |\n| Gross profit | 15,441 | 13,920 |\n[END TABLE]\n\n"
    "Marmalade keeps for years. Zeppelins left the hangar in March."
)


def _found(words: str, *, page: int | None = None, near: int | None = None, text: str = TEXT) -> str | None:
    gold = Gold("d", page, text=words, near=near)
    span = locate_gold(text, [gold], {1: (0, 35), 2: (36, len(text))}).get(gold)
    return None if span is None else text[slice(*span)]


@given(st.text(st.sampled_from("ab é1ﬁ.\n|"), max_size=60), st.data())
def test_a_stretch_of_a_text_is_found_whatever_its_white_space(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    words = text[start : data.draw(st.integers(start, len(text)))]
    copied = f" {words.replace(' ', chr(10)).replace('|', ' ')} ".upper()
    found = _found(copied, text=text)
    assert squeeze_text(found or "") == squeeze_text(words)


def test_a_table_copied_from_a_page_is_found_without_its_rules() -> None:
    assert _found("Total revenue\n \n17,606 \n15,785\nGross profit\n15,441 \n13,920") == (
        "Total revenue | 17,606 | 15,785 |\n| Gross profit | 15,441 | 13,920"
    )


def test_words_in_another_order_are_found_by_what_they_share() -> None:
    found = _found("2022\nTotal revenue 17,606 15,785\nUnaudited!\nGross profit 15,441 13,920")
    assert found is not None
    assert "17,606" in found
    assert "13,920" in found
    assert "Marmalade" not in found


def test_words_that_stand_there_twice_are_taken_where_they_are_said_to_be() -> None:
    words = "Zeppelins left the hangar in March."
    last = TEXT.rindex(words)
    for place in ({"page": 2}, {"near": last - 9}):
        gold = Gold("d", place.get("page"), text=words, near=place.get("near"))
        assert locate_gold(TEXT, [gold], {1: (0, 35), 2: (36, len(TEXT))})[gold][0] == last
    assert locate_gold(TEXT, [Gold("d", text=words)], {})[Gold("d", text=words)][0] == 0


def test_words_that_are_not_there_are_not_found() -> None:
    assert _found("Lighthouses need clean lenses and a keeper who sleeps by day.") is None
    assert _found("Lenses") is None
    assert _found("…") is None


class _Texts:
    def read_text(self, document: str) -> str:
        return TEXT if document == "d" else ""

    def read_pages(self, document: str) -> Mapping[int, tuple[int, int]]:
        return {}


def test_what_cannot_be_located_is_told_and_not_lost() -> None:
    here, lost = Gold("d", text="Marmalade keeps"), Gold("gone", text="Marmalade keeps")
    exam = Dataset(
        "e",
        (),
        (
            JudgedQuestion("q1", "?", (here, lost)),
            JudgedQuestion("q2", "?", (lost,)),
            JudgedQuestion("q3", "?", (Gold("d"),)),
        ),
    )
    found = locate_dataset_gold(exam, _Texts())
    spans = [[gold.span is not None for gold in question.gold] for question in found.questions]
    assert spans == [[True, False], [False], [False]]
    assert found.notes == (
        "not located: 1 of 2 evidence texts do not stand in the text as read, the first in 'gone': 'Marmalade keeps'",
        "not judged by spans: 1 questions with no evidence text located: q2",
    )
