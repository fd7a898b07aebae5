"""What an answer should have: its type, and the words beside it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.ask.expected_answers import AnswerType, find_answer_type, find_asked_words, fits_times, fits_type
from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import get_answer_words, parse_question, without_frame
from warehouse.records import SearchRequest


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
        ("How heavy is the pump?", AnswerType.NUMBER),
        ("What is the deadline for the form?", AnswerType.DATE),
        ("Bis wann ist die Rechnung zu zahlen?", AnswerType.DATE),
        ("Avant quelle date faut-il payer ?", AnswerType.DATE),
        ("¿Cuál es la fecha límite de pago?", AnswerType.DATE),
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
        ("Who led the firm?", "The firm opened in Oslo in May.", -1.0),
        ("When is the bill due?", "| Total due | | 456.00 |", -1.0),
        ("When is the bill due?", "| Total due | | 1,456 |", -1.0),
        ("When is the bill due?", "| Total due | | 31.12. |", 1.0),
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


@pytest.mark.parametrize(
    ("question", "label", "names"),
    [
        ("What is the VAT on invoice PD-3391?", "Invoice date", False),
        ("What is the date of invoice PD-3391?", "Invoice date", True),
        ("When is the invoice due?", "Amount due", False),
        ("When is the invoice due?", "Invoice due", True),
        ("Bis wann ist die Rechnung zu zahlen?", "Zahlbar bis", True),
        ("¿Hasta cuándo hay que pagar la factura?", "Fecha límite de pago", True),
        ("Avant quelle date faut-il payer la facture ?", "Date de la facture à payer", True),
        ("How heavy is the pump?", "Weight", True),
        ("Wie schwer ist die Pumpe?", "Gewicht", True),
        ("Wie hoch ist die Mehrwertsteuer?", "MwSt", True),
        ("Quel est le numéro du contrat ?", "Contrat N°", True),
        ("What does error E11 mean?", "E11", True),
    ],
)
def test_a_label_names_what_is_asked_for_or_another_value(question: str, label: str, names: bool) -> None:
    parsed = parse_question(SearchRequest(question), open_embedder("hashing"), date(2026, 1, 1))
    assert bool(find_asked_words(parsed).measure_label(label)) is names
