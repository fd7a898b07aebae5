"""What an answer should have, and how surely a quotation is one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.ask.certainty import (
    FIGURE,
    FOREIGN,
    NAMES,
    ROW,
    SENTENCE,
    CertaintyFeatures,
    Weights,
    lacks_value,
    select_surest,
)
from tasks.ask.expected_answers import (
    AnswerType,
    find_answer_type,
    fits_times,
    fits_type,
)
from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import get_answer_words, parse_question, without_frame
from warehouse.records import SearchRequest

SHARES = st.floats(0, 1)


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue of Alpha Tools?",
        "According to the annual report, what was the revenue of Alpha Tools?",
        "Please tell me what was the revenue of Alpha Tools as stated in the filing?",
        "Can you tell me how much revenue Alpha Tools reported, please?",
        "In the table, what amount of revenue of Alpha Tools is given?",
        "I would like to know the revenue of Alpha Tools.",
    ],
)
def test_what_frames_a_question_does_not_count(question: str) -> None:
    assert get_answer_words(question) == get_answer_words("revenue Alpha Tools")


@given(st.text(max_size=60))
def test_a_question_never_loses_all_its_words(question: str) -> None:
    assert any(map(str.isalnum, without_frame(question))) == any(map(str.isalnum, question))


def test_words_of_change_do_not_count_since_documents_say_them_otherwise() -> None:
    assert get_answer_words("How much did Alpha's revenue fall in 2022?") == get_answer_words("Alpha's revenue 2022")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much was the revenue?", AnswerType.NUMBER),
        ("How much did revenue fall in 2022?", AnswerType.CHANGE),
        ("By how much did sales grow?", AnswerType.CHANGE),
        ("When was the plant opened?", AnswerType.DATE),
        ("In which year did it open?", AnswerType.DATE),
        ("Who leads the firm?", AnswerType.NAME),
        ("Why did revenue fall?", AnswerType.REASON),
        ("What is a mooring?", AnswerType.ANY),
    ],
)
def test_what_sort_of_answer_is_asked_for(question: str, kind: AnswerType) -> None:
    assert find_answer_type(question) is kind


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Revenue was $63.1 billion, down 20 percent.", 1.0),
        ("| Revenue | 63,054 | 79,024 |", 1.0),
        ("Margins fell by 3%.", 1.0),
        ("Revenue fell as customers bought less.", -1.0),
    ],
)
def test_a_percentage_or_two_figures_answer_how_much_something_fell(text: str, fits: float) -> None:
    question = "How much did revenue fall in 2022?"
    assert fits_type(find_answer_type(question), question, text) == fits


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("Who leads the firm?", "The firm is led by Ada Lovelace.", 1.0),
        ("Who leads the firm?", "The firm is led by its owners.", -1.0),
        ("Why did revenue fall?", "Revenue fell because of weak demand.", 1.0),
        ("Why did revenue fall?", "Revenue fell again.", -1.0),
        ("When did it open?", "It opened in 1998.", 1.0),
        *(
            ("When was the boiler serviced?", text, fits)
            for text, fits in (
                ("It is serviced every 12 months.", -1.0),
                ("The warranty is 7 years.", -1.0),
                ("The service cost 96 €, 3 % of it tax.", -1.0),
                ("It was serviced two weeks before 28/10/2025.", 1.0),
                ("It was serviced on Monday.", 1.0),
            )
        ),
        ("What time does the train leave?", "The train leaves at 17:40.", 1.0),
        ("What time does the train leave?", "The train leaves on 13 April 2026.", -1.0),
        ("Um wie viel Uhr fährt der Zug?", "Der Zug fährt um 9 Uhr.", 1.0),
    ],
)
def test_an_answer_is_of_the_sort_that_is_asked_for(question: str, text: str, fits: float) -> None:
    assert fits_type(find_answer_type(question), question, text) == fits


def test_a_quotation_of_other_years_speaks_against_itself() -> None:
    question = parse_question(
        SearchRequest("What was the revenue in 2022?"), open_embedder("hashing"), date(2024, 1, 1)
    )
    assert fits_times(question, "| Revenue | 2022 |") == 1.0
    assert fits_times(question, "| Revenue | 1998 |") == -1.0
    assert fits_times(question, "Revenue rose.") == 0.0


@given(
    model=st.sampled_from([SENTENCE, ROW, FIGURE, FOREIGN]),
    features=st.builds(CertaintyFeatures, **dict.fromkeys(NAMES, SHARES)),
    name=st.sampled_from(NAMES),
    less=SHARES,
)
def test_no_feature_speaks_against_a_quotation(
    model: Weights, features: CertaintyFeatures, name: str, less: float
) -> None:
    weaker = replace(features, **{name: less * getattr(features, name)})
    assert 0 < model.compute_probability(weaker) <= model.compute_probability(features) < 1


def test_beside_the_answer_only_what_is_nearly_as_sure_and_has_what_is_asked_for() -> None:
    whole, part = CertaintyFeatures(complete=1.0), CertaintyFeatures()
    assert select_surest([part, part, part], [0.6, 0.3, 0.2]) == [0, 1]
    assert select_surest([whole, part, whole], [0.6, 0.5, 0.4]) == [0, 2]
    row, other_row = CertaintyFeatures(label_fit=1.0, time_fit=1.0), CertaintyFeatures(label_fit=1.0)
    assert select_surest([row, other_row, row], [0.9, 0.8, 0.7]) == [0, 2]
    assert select_surest([], []) == []


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("How much did the panels cost?", "The panels are put off.", True),
        ("When was the shed built?", "The greenhouse stands behind the shed.", True),
        ("When is the rent due?", "It is due on the first Monday.", False),
        ("Under what name did Wilson play when he released his album?", "He was known as Porcupine Tree.", False),
    ],
)
def test_what_asks_for_a_value_is_answered_by_one(question: str, text: str, lacks: bool) -> None:
    features = CertaintyFeatures(answer_type=fits_type(find_answer_type(question), question, text))
    assert lacks_value(question, features) is lacks
