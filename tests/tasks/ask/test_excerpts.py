"""The part of a passage that is shown: exact, whole sentences, nothing twice, nothing where nothing comes near."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.ask.excerpts import with_excerpts
from tasks.ask.passage_units import split_units
from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import parse_question
from warehouse.records import Citation, Hit, SearchRequest

TABLE = "[TABLE 1]\n| Year | Herring landed |\n| --- | --- |\n| 2021 | 410 t |\n[END TABLE]"
FILLER = "Offices open by nine. Visitors sign books. Parking stays free on Sundays."
LONG = f"{FILLER} The boats of the pilots wait behind the wall until the tide turns. Swans sleep by the ferry at night."
ANSWER = "Herring landed at the quay fell to 410 tonnes."


def hit(text: str, start: int = 0, score: float = 0.5, document: str = "d") -> Hit:
    citation = Citation(document, "Harbour", "a.txt", None, 0, None, (), 1.0, None, "Harbour", "")
    return Hit(f"{document}{start}", document, start, text, score, None, None, citation)


def excerpts(question: str, *hits: Hit) -> list[str]:
    model = open_embedder("hashing")
    found = with_excerpts(parse_question(SearchRequest(question), model, date(2024, 1, 1)), hits, model)
    for each in found:
        if each.excerpt:
            start, end = each.excerpt
            assert each.start <= start < end <= each.end
            assert each.text[start - each.start : end - each.start] == each.excerpt_text
    return [each.excerpt_text for each in found]


def test_the_sentence_that_answers_is_shown_without_those_far_from_it() -> None:
    (shown,) = excerpts("How much herring landed at the quay?", hit(f"{LONG} {ANSWER} {LONG}", 1000))
    assert ANSWER in shown
    assert "Visitors sign books" not in shown


def test_a_sentence_between_two_that_answer_is_shown_with_them() -> None:
    text = f"{ANSWER} Prices rose. {ANSWER.replace('410', '390')} {FILLER} {FILLER}"
    (shown,) = excerpts("How much herring landed at the quay?", hit(text))
    assert shown.startswith(f"{ANSWER} Prices rose. Herring")


def test_a_short_passage_is_shown_whole() -> None:
    (shown,) = excerpts("How much herring landed at the quay?", hit(f"Visitors sign books. {ANSWER}"))
    assert shown == f"Visitors sign books. {ANSWER}"


def test_a_heading_alone_is_never_shown() -> None:
    text = f"Herring landed at the quay\n\n{FILLER} {FILLER}\n\nHerring at the quay\n\n{FILLER} {FILLER}"
    bare = hit("Herring landed at the quay", 5000)
    bare = replace(bare, citation=replace(bare.citation, section=("Herring landed at the quay",)))
    for shown in excerpts("How much herring landed at the quay?", hit(text), bare):
        assert shown not in ("Herring landed at the quay", "Herring at the quay")
    assert excerpts("How much herring landed at the quay?", bare) == [""]


CHRONOLOGY = f"""Harbour masters

- 1901 – 1912: Tom Baker
- 1912 – 1930: Ann Reed, the first woman in the office of the harbour master
- 1931: Jo Hill, who came from the customs office and kept his house on the wall
- 1944: Sam Orr, harbour master in the last years of the office

The harbour master keeps the keys of the harbour and its boats. {FILLER} {FILLER}"""


@pytest.mark.parametrize(
    ("time", "answer"),
    [("in 1905", "Tom Baker"), ("from 1920 to 1925", "Ann Reed"), ("in 1938", "Jo Hill"), ("in May 1950", "Sam Orr")],
)
def test_the_line_of_the_asked_time_is_shown(time: str, answer: str) -> None:
    (shown,) = excerpts(f"Who was harbour master {time}?", hit(CHRONOLOGY))
    assert answer in shown
    assert len(shown) <= len(CHRONOLOGY) / 2


def test_lines_of_a_list_are_not_cut() -> None:
    text = "- 1941 – 1943: Oblt. z. S. Adolf Gundlach\n- 1943: Kptlt. Wolfgang Heyda\n1944: Joachim Sauer\n10:30 lunch"
    assert [text[start:end] for start, end in split_units(text)] == text.split("\n")


def test_a_passage_far_from_the_best_has_no_excerpt() -> None:
    assert excerpts("How much herring landed at the quay?", hit(ANSWER), hit(FILLER, 500, 0.1)) == [ANSWER, ""]


def test_what_two_passages_share_is_shown_once() -> None:
    first, second = hit(f"{FILLER} {ANSWER}"), hit(f"{ANSWER} {FILLER}", len(FILLER) + 1)
    shown = excerpts("How much herring landed at the quay?", first, second)
    assert sum(ANSWER in each for each in shown) == 1
    twins = excerpts("How much herring landed at the quay?", first, hit(f"{ANSWER} {FILLER}", document="other"))
    assert all(ANSWER in each for each in twins)


def test_a_table_is_shown_whole() -> None:
    (shown,) = excerpts("herring landed 2021", hit(f"{FILLER}\n\n{TABLE}\n\n{FILLER}"))
    assert TABLE in shown


def test_what_is_numbered_stays_with_its_number() -> None:
    text = "See Part I. Item 1A. Risk Factors. It rained.\nItem 2. Properties 51\nItem 3. Claims 52"
    assert [text[start:end] for start, end in split_units(text)] == [
        "See Part I. Item 1A. Risk Factors.",
        "It rained.",
        "Item 2. Properties 51",
        "Item 3. Claims 52",
    ]


def test_no_hits_give_none() -> None:
    assert excerpts("herring") == []


@given(st.lists(st.sampled_from([FILLER, ANSWER, TABLE, "- one\n- two", "收入增长了。利润也是。", "e.g. 3.5"])))
def test_units_hold_the_whole_passage(parts: list[str]) -> None:
    text = "\n\n".join(parts)
    found = split_units(text)
    assert all(left[1] <= right[0] for left, right in pairwise(found))
    assert "".join("".join(text[start:end] for start, end in found).split()) == "".join(text.split())


def test_a_table_is_as_near_as_its_passage() -> None:
    model = open_embedder("hashing")
    question = parse_question(SearchRequest("Which ships were sold?"), model, date(2024, 1, 1))
    table = TABLE.replace("Herring", "Haddock")
    near, far = (
        replace(hit(f"{LONG}\n\n{table}", 100 * place), dense=dense) for place, dense in enumerate((0.9, -0.9))
    )
    assert [table in each.excerpt_text for each in with_excerpts(question, [near], model)] == [True]
    assert [table in each.excerpt_text for each in with_excerpts(question, [far], model)] == [False]


@pytest.mark.parametrize("month", ["Nov.", "Sept.", "Feb."])
@pytest.mark.parametrize("company", ["Harbour Works, Inc.", "Harbour Corp.", "The Harbour Co."])
def test_the_head_of_a_release_is_one_sentence(month: str, company: str) -> None:
    head = f"LUDLOW, Ohio--(BUSINESS WIRE)--{month} 2, 2022--{company} (NYSE: HRB) landed herring today."
    text = f"{head} {ANSWER}"
    assert [text[start:end] for start, end in split_units(text)] == [head, ANSWER]
