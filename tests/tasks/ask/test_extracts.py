"""What is quoted for a question, and that nothing is where nothing fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from tasks.ask.certainty import CertaintyFeatures, is_answered
from tasks.ask.expected_answers import asks_for_newest
from tasks.ask.extracts import BATCH_SIZE, Extract, find_extracts, select_newest
from tasks.ask.passage_units import split_pieces
from tasks.ask.quotation_features import RowFit
from tasks.embedders.embedder import open_embedder
from tasks.embedders.hashing import HashingEmbedder
from tasks.query.question_parser import compute_covered_share, get_content_words, parse_question, weigh_by_rarity
from warehouse.records import Citation, Hit, PassageRow, SearchRequest

TABLE = (
    "[TABLE 2]\n|  | First-Quarter |\n| --- | --- |\n| Organic revenue growth | 14.3% |\n| Core EPS | $1.50 |\n"
    "[END TABLE]"
)
REPEATS = "Please refer to the Glossary for PepsiCo’s organic revenue growth in Q1 2023 and its definition."


class Reading(HashingEmbedder):
    """An embedder that keeps what it reads."""

    read: list[str]

    def __init__(self, read: list[str]) -> None:
        super().__init__()
        object.__setattr__(self, "read", read)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Keep them, then as ever."""
        self.read.extend(texts)
        return super().embed(texts)


def hit(text: str, *section: str, title: str = "Q1 2023 release", source: str = "a.pdf") -> Hit:
    citation = Citation("d", title, source, 1, 0, 0, section, 1.0, None, title, "")
    return Hit("c", "d", 0, text, 0.5, None, None, citation)


def answer(question: str, *hits: Hit) -> list[str]:
    model = open_embedder("hashing")
    found = find_extracts(parse_question(SearchRequest(question), model, date(2024, 1, 1)), hits, model)
    assert all(line in hits[extract.hit].text for extract in found for line in extract.text.split("\n"))
    return [extract.text for extract in found]


def test_a_row_of_that_name_beats_a_sentence_that_repeats_the_question() -> None:
    row = "|  | First-Quarter |\n| Organic revenue growth | 14.3% |"
    model = open_embedder("hashing")
    asked = parse_question(SearchRequest("PepsiCo organic revenue growth Q1 2023"), model, date(2024, 1, 1))
    hits = [hit(REPEATS), hit(TABLE, "PepsiCo results")]
    found = find_extracts(asked, hits, model, fits={(1, row): RowFit(0.9, 1.0, 0.5)})
    assert found[0].text == row
    assert found[0].figure
    assert is_answered([found[0].score])


@pytest.mark.parametrize("question", ["Who won the 1998 football world cup?", "What is the capital of Mongolia?"])
def test_nothing_answers_where_nothing_fits(question: str) -> None:
    model = open_embedder("hashing")
    hits = [hit(TABLE), hit("The world is the one that we have in the end of it.")]
    found = find_extracts(parse_question(SearchRequest(question), model, date(2024, 1, 1)), hits, model)
    assert not is_answered([each.score for each in found])


def test_stop_words_do_not_count_and_rare_words_count_more() -> None:
    assert get_content_words("What is the revenue of the company?") == get_content_words("revenue company")
    weights = weigh_by_rarity({"a", "b", "c"}, [{"a", "b"}, {"a"}])
    assert weights["a"] < weights["b"] < weights["c"]
    assert compute_covered_share({"a": 1.0, "b": 3.0}, {"a"}, ()) == 0.25
    assert compute_covered_share({"a": 1.0, "b": 3.0}, {"a"}, {"b"}) == 0.625
    assert get_content_words("What is it?")


def test_front_matter_headings_and_titles_are_not_quoted() -> None:
    text = "author: Ada Lovelace\ncreated: 2024-01-01\n\nMooring array\n\nSensor drift of the year\n\nThe array drifts."
    note = hit(text, "Mooring array", title="Sensors", source="vault/a.md")
    assert [piece.text for piece in split_pieces(note, 0)] == ["The array drifts."]


@pytest.mark.parametrize(
    "boilerplate",
    [
        "Indicate by check mark whether the registrant has filed all reports required.",
        "Forward-looking statements involve risks, and actual results may differ materially.",
        "Item 7. Management's Discussion and Analysis . . . . . . . . . . . 41",
        "This is within the meaning of the Private Securities Litigation Reform Act of 1995.",
        "[TABLE 1]\n| | 2023 | 2022 |\n| --- | --- | --- |\n| Shareholders' equity: | | |\n[END TABLE]",
    ],
)
def test_what_answers_nothing_is_not_quoted(boilerplate: str) -> None:
    kept = "Revenue rose to 5 million dollars in the year."
    assert [piece.text for piece in split_pieces(hit(f"{boilerplate}\n\n{kept}"), 0)] == [kept]


@pytest.mark.parametrize("section", ["Contents", "TABLE OF CONTENTS", "Forward-Looking Statements"])
def test_sections_that_only_name_or_warn_are_not_quoted(section: str) -> None:
    assert not list(split_pieces(hit("Smith A, Jones B. Revenue of firms. J Econ. 2019.", section), 0))
    assert list(split_pieces(hit("Smith A, Jones B. Revenue of firms. J Econ. 2019.", "Results"), 0))


def test_fenced_front_matter_is_not_quoted() -> None:
    text = "---\ntags:\n  - a\n  - b\ntitle: The array\n---\n\nThe array drifts each year."
    found = list(split_pieces(hit(text, source="vault/a.md"), 0))
    assert [piece.text for piece in found] == ["The array drifts each year."]


def test_what_two_passages_say_is_quoted_once() -> None:
    sentence = "The array drifts by two degrees each year."
    assert answer("How far does the array drift each year?", hit(sentence), hit(sentence, "Again")) == [sentence]


def test_list_items_and_rows_stand_alone() -> None:
    found = [
        piece.text for piece in split_pieces(hit("- one supplier makes all\n- the other line in Bergen\n\n" + TABLE), 0)
    ]
    assert found == [
        "- one supplier makes all",
        "- the other line in Bergen",
        "|  | First-Quarter |\n| Organic revenue growth | 14.3% |",
        "|  | First-Quarter |\n| Core EPS | $1.50 |",
    ]


def test_rows_of_one_name_and_head_are_given_once() -> None:
    again = TABLE.replace("14.3%", "13.9%")
    found = answer("organic revenue growth", hit(TABLE), hit(again))
    assert sum("Organic revenue growth |" in text for text in found) == 1


def test_what_could_not_win_is_not_read() -> None:
    rows = "".join(f"| Other item {number} | {number} |\n" for number in range(200))
    table = f"[TABLE 1]\n| | Q1 |\n| --- | --- |\n{rows}| Core earnings | 7 |\n[END TABLE]"
    asked = parse_question(SearchRequest("core earnings"), open_embedder("hashing"), date(2024, 1, 1))
    read: list[str] = []
    (best,) = find_extracts(asked, [hit(table)], Reading(read), 1)
    assert best.text.endswith("| Core earnings | 7 |")
    assert len(read) == BATCH_SIZE


RECORD = (
    "Marsh Boatyard\n\nInvoice no.: 2024-117\nInvoice date: 8 May 2024\nNet amount: 1,501.00\n"
    "Total amount: 1,801.20\nPhone: 0113 496"
)
PAIRS = (
    "[TABLE 1]\n| Item | Detail |\n| --- | --- |\n| Bill number | 8831 |\n| Due date | 21 July 2024 |\n"
    "| Phone | 0113 496 |\n[END TABLE]"
)


@pytest.mark.parametrize(
    ("question", "text", "line"),
    [
        ("What is the invoice number of Marsh Boatyard?", RECORD, "Invoice no.: 2024-117"),
        ("What is the bill no. of Marsh Boatyard?", RECORD, "Invoice no.: 2024-117"),
        ("What is the date of the invoice?", RECORD, "Invoice date: 8 May 2024"),
        ("What is the total amount of the invoice?", RECORD, "Total amount: 1,801.20"),
        ("What is the telephone number of Marsh Boatyard?", RECORD, "Phone: 0113 496"),
        ("What is the invoice number?", PAIRS, "| Item | Detail |\n| Bill number | 8831 |"),
        ("When is the bill due?", PAIRS.replace("Item", "Bill"), "| Bill | Detail |\n| Due date | 21 July 2024 |"),
        ("When is the invoice due?", f"{RECORD}\nDue date: 2 June 2024", "Due date: 2 June 2024"),
        ("When is invoice 2024-117 due?", f"{RECORD}\nPayment due: 2 June 2024", "Payment due: 2 June 2024"),
        ("When is the surcharge due?", f"{RECORD}\nSurcharge: £12\nDue on: 2 June 2024", "Due on: 2 June 2024"),
        (
            "Who is the new treasurer of the club?",
            "Club officers\n\nChair: Ann Lee\nTreasurer: Bo Day",
            "Treasurer: Bo Day",
        ),
    ],
)
def test_a_value_answers_by_its_label(question: str, text: str, line: str) -> None:
    model = open_embedder("hashing")
    parsed = parse_question(SearchRequest(question), model, date(2024, 1, 1))
    first, *others = find_extracts(parsed, [hit(text, title="Papers")], model)
    assert first.text == line
    assert first.features.value_fit > max([each.features.value_fit for each in others], default=0.0)


INVOICE = """Customer: Marsh Boatyard

[TABLE 1]
| Description | Quantity | Amount |
| --- | --- | --- |
| Scaffold hire, two days | 2 | £190.00 |
| Putty, two tins | 2 | £38.00 |
[END TABLE]"""


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("How much did Marsh Boatyard pay for scaffold hire?", "| Scaffold hire, two days | 2 | £190.00 |"),
        ("How many days of scaffold hire were there?", "| Scaffold hire, two days | 2 | £190.00 |"),
        ("How much did Marsh Boatyard pay for two?", ""),
        ("How much did Marsh Boatyard pay for varnish?", ""),
    ],
)
def test_the_one_row_that_has_what_is_asked_for_answers(question: str, row: str) -> None:
    model = open_embedder("hashing")
    parsed = parse_question(SearchRequest(question), model, date(2024, 1, 1))
    extracts = find_extracts(parsed, [hit(INVOICE, title="Papers")], model)
    stated = [each.text.rpartition("\n")[2] for each in extracts if each.features.value_fit]
    assert stated == ([row] if row else [])


def test_of_an_entry_its_heading_is_quoted_with_a_sentence() -> None:
    text = "Changelog of Tallybox\n\n2.4.0 - 2026-02-20\n\n- Added: export of receipts.\n- Fixed: totals."
    entry = hit(text, "Changelog of Tallybox", "2.4.0 - 2026-02-20", title="Changelog of Tallybox")
    model = open_embedder("hashing")
    parsed = parse_question(SearchRequest("What is the latest version of Tallybox?"), model, date(2026, 3, 1))
    first = find_extracts(parsed, [replace(entry, is_entry=True)], model)[0]
    assert first.text == "2.4.0 - 2026-02-20\n\n- Added: export of receipts."


@pytest.mark.parametrize(
    "question",
    ["What is the order number of Marsh Boatyard?", "What is the invoice number of Acme?", "What is the IBAN?"],
)
def test_no_other_value_answers(question: str) -> None:
    model = open_embedder("hashing")
    parsed = parse_question(SearchRequest(question), model, date(2024, 1, 1))
    assert not any(each.features.value_fit for each in find_extracts(parsed, [hit(RECORD), hit(PAIRS)], model))


def test_lines_of_prose_with_a_colon_are_no_values() -> None:
    prose = "The results were\nas follows: we found nothing\nof use in the wells."
    assert [piece.text for piece in split_pieces(hit(prose), 0)] == [prose]


@pytest.mark.parametrize(
    ("question", "text", "complete"),
    [
        ("When is the rent due?", "The rent is due on the third working day of each month.", True),
        ("How long did the search take?", "The search took fourteen months.", True),
        ("When is the rent due?", "The rent may be raised once in twelve months.", False),
        ("Why did we choose larch?", "We chose larch because it is easier to repair.", True),
        ("How much did the panels cost?", "3. The cost of the panels was put off.", False),
        (
            "What was the order intake at the end of June 2023?",
            "The order intake at June 30, 2023 was 91 million.",
            True,
        ),
        (
            "What was the order intake at the end of June 2023?",
            "The order intake at May 31, 2023 was 91 million.",
            False,
        ),
        ("What was the order intake in 2023?", "The order intake was 91 million.", False),
        ("What was the order intake in 2023?", "In 2023 the order intake was 91 million.", True),
        ("Who won the Harrow Open?", "The Harrow Open was won again.", False),
        ("How much does the band charge?", "The band plays from seven to ten for £480.", True),
        ("How much does the band charge?", "The band plays from seven to ten with 4 men.", False),
        ("By when do we have to pay the deposit?", "They need the deposit of £150 by 2 May.", True),
        ("When did Acme pay the deposit?", "Acme offered the deposit of £150 on 2 May.", False),
        ("Bis wann ist der Beitrag zu zahlen?", "Der Beitrag ist bis zum 30. April zu überweisen.", True),
    ],
)
def test_a_sentence_is_complete_with_all_that_is_asked_for(question: str, text: str, complete: bool) -> None:
    model = open_embedder("hashing")
    parsed = parse_question(SearchRequest(question), model, date(2024, 1, 1))
    (extract,) = find_extracts(parsed, [hit(text, title="Papers")], model)
    assert bool(extract.features.complete) is complete


@pytest.mark.parametrize(
    ("text", "quotation"),
    [
        ("We may use the boathouse. The fee is a deposit of £150.", "The fee is a deposit of £150."),
        ("The boathouse is free in June. They need a deposit of £150.", "They need a deposit of £150."),
        ("The boathouse is free in June. The band needs a deposit of £150.", ""),
    ],
)
def test_a_pronoun_stands_for_what_the_sentence_before_names(text: str, quotation: str) -> None:
    model = open_embedder("hashing")
    parsed = parse_question(SearchRequest("How much is the deposit for the boathouse?"), model, date(2024, 1, 1))
    complete = [each.text for each in find_extracts(parsed, [hit(text, title="Mail")], model) if each.features.complete]
    assert complete == ([quotation] if quotation else [])


def test_the_number_of_a_bill_is_no_answer_to_a_question_about_that_bill() -> None:
    model = open_embedder("hashing")
    parsed = parse_question(SearchRequest("What is the VAT on invoice 2024-117?"), model, date(2024, 1, 1))
    found = find_extracts(parsed, [hit(f"{RECORD}\nVAT reg. no.: GB 482", title="Papers")], model)
    assert not any(each.features.value_fit or each.features.complete for each in found)


LEDGER = """[TABLE 1]
| Date | Payee | Purpose | Amount |
| --- | --- | --- | --- |
| 2024-01-22 | Acme Ltd | paper | 341.20 |
| 2024-05-14 | Blue Van | parcels | 61.90 |
| 2024-08-06 | Acme Ltd | envelopes | 47.30 |
[END TABLE]"""


def ledger() -> Hit:
    """The ledger's hit, its rows with their days."""
    found = hit(LEDGER, title="payments 2024", source="payments-2024.csv")
    rows = [
        PassageRow(LEDGER.index(line), LEDGER.index(line) + len(line), None, (day, day + timedelta(days=1)))
        for line in LEDGER.splitlines()
        if line.startswith("| 2024")
        for day in [date.fromisoformat(line[2:12])]
    ]
    return replace(found, rows=tuple(rows))


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("Which payments were made between May and August 2024?", ["05-14", "08-06"]),
        ("What did we pay to Acme in 2024?", ["01-22", "08-06"]),
        ("What did we pay for parcels in 2024?", ["05-14"]),
        ("Payments to Acme Ltd", ["01-22", "08-06"]),
        ("What was the last payment to Acme?", ["08-06"]),
        ("What did we pay to Zenith in 2024?", []),
        ("Which payments were made in June 2024?", []),
    ],
)
def test_the_dated_rows_that_are_asked_for_are_quoted_together(question: str, days: list[str]) -> None:
    model = open_embedder("hashing")
    parsed = parse_question(SearchRequest(question), model, date(2025, 1, 1))
    found = find_extracts(parsed, [ledger()], model)
    answers = [each for each in found if is_answered([each.score])]
    lines = answers[0].text.splitlines()[1:] if answers else []
    assert [line[7:12] for line in lines] == days


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What is the latest membership?", True),
        ("How many members are there now?", True),
        ("Wie hoch ist die aktuelle Miete?", True),
        ("Quel est le loyer actuel?", True),
        ("What are the recent news of the club?", False),
        ("What was the membership in March 2023?", False),
        ("What are the current assets?", False),
    ],
)
def test_a_question_may_ask_for_the_newest(question: str, asks: bool) -> None:
    model = open_embedder("hashing")
    assert asks_for_newest(parse_question(SearchRequest(question), model, date(2024, 1, 1))) is asks


def test_of_like_statements_the_newest_are_kept() -> None:
    old, new, weak = (Extract(text, 0, score, day=date(year, 1, 1)) for text, score, year in STATEMENTS)
    assert select_newest([old, new, weak]) == [new]
    figure = replace(new, figure=True, day=date(2020, 1, 1))
    assert select_newest([replace(figure, score=0.9), new]) == [replace(figure, score=0.9)]
    undated = [replace(old, day=None), replace(new, day=None)]
    assert select_newest(undated) == undated
    assert select_newest([]) == []
    whole = replace(old, features=CertaintyFeatures(complete=1.0))
    assert select_newest([whole, new]) == [whole]


STATEMENTS = [("412 members", 0.8, 2023), ("398 members", 0.7, 2024), ("the members met", 0.3, 2025)]


def test_beside_a_figure_of_the_time_no_other_document_has_the_row() -> None:
    model = open_embedder("hashing")
    quarters = [
        replace(hit(TABLE.replace("First", name), title=f"{name} quarter 2023"), document_id=name)
        for name in ("First", "Second", "Third")
    ]
    asked = parse_question(SearchRequest("Organic revenue growth in the second quarter of 2023"), model, TODAY)
    row = "|  | Second-Quarter |\n| Organic revenue growth | 14.3% |"
    found = find_extracts(asked, quarters, model, fits={(1, row): RowFit(0.9, 1.0, 0.5)})
    assert [each.text for each in found if "Organic" in each.text] == [row]


TODAY = date(2024, 1, 1)
