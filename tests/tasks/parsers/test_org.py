"""Org files: headlines as entries of their days, planning, drawers, lists, tables, blocks and marks."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tasks.temporal.entries import find_entries
from tests.examples import examples
from tests.tasks.parsers.markups import is_linear, loses_no_word, shown, sources
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import DateClaim, DateOrigin, Document
from warehouse.records.calendars import DAY

NOTES = (Path(__file__).parent / "files/tide-notes.org").read_bytes()
PIECES = (
    "* @", "** TODO [#A] @ :@:", "* @ <2023-05-14 Sun> @", "SCHEDULED: <2023-05-14 Sun> @", ":PROPERTIES:", ":END:",
    ":ID: @", ":@:", "- @", "  - @", "  @", "1. @", "| @ | @ |", "|---+---|", "| @", "#+TITLE: @", "#+CAPTION: @",
    "#+BEGIN_SRC @", "#+END_SRC", "#+BEGIN_QUOTE", "#+END_QUOTE @", "#+END_QUOTE", ": @", "*@* /@/ =@= [[id:1][@]]",
    "[[file:@]]", "[fn:1] @[fn::@]", "<<@>>", "", "", "@ @", "*@", "=@ ~", "[2023-05-14 Sun]--[2023-05-15 Mon] @",
    "-----",
)  # fmt: skip


def org(*lines: str) -> Document:
    return read(Raw("a.org", "\n".join(lines).encode()))


def test_org_is_known_by_its_suffix_or_its_headlines() -> None:
    assert choose_parser(Raw("a.org", b"Some words.")) == "org"
    assert choose_parser(Raw("a.txt", NOTES)) == "org"
    assert choose_parser(Raw("a.txt", b"* one\n* two\n\nWords.")) == "text"


def test_headlines_with_dates_and_date_trees_are_entries_of_their_days() -> None:
    days = {entry.days for entry in find_entries(read(Raw("a.org", NOTES)))}
    assert {(date(2023, 5, 14), date(2023, 5, 15)), (date(2023, 5, 15), date(2023, 5, 16))} < days
    assert (date(2023, 7, 3), date(2023, 7, 6)) in days


@pytest.mark.parametrize(
    ("headline", "words"),
    [
        ("* Call Tom <2023-05-14 Sun 10:00-11:30 +1w>", "<2023-05-14 Sun 10:00-11:30 +1w> Call Tom"),
        ("* TODO [2023-05-14 Sun] Call", "[2023-05-14 Sun] TODO Call"),
        ("* <2023-05-14 So> Anruf", "<2023-05-14 So> Anruf"),
        ("* 2023-05-14 Sunday", "2023-05-14 Sunday"),
    ],
)
def test_the_timestamp_of_a_headline_comes_first(headline: str, words: str) -> None:
    document = org(headline, "It was loud.", "* Later", "[2023-05-20 Sat 09:00]", "More.")
    assert document.blocks[0].section == (words,)
    days = [entry.days for entry in find_entries(document) if entry.days]
    assert days == [(date(2023, 5, 14), date(2023, 5, 14) + DAY), (date(2023, 5, 20), date(2023, 5, 20) + DAY)]


def test_a_file_says_when_it_is_from_and_whose_it_is() -> None:
    document = org("#+TITLE: A", "#+TITLE: plan", "#+AUTHOR: Ann", "#+DATE: [2023-05-20 Sat]", "* b :x:y:")
    assert (document.title, document.authors, document.attributes.tags) == ("A plan", ("Ann",), ("x", "y"))
    assert DateClaim(date(2023, 5, 20), DateOrigin.FRONT_MATTER) in document.dates
    created = org(":PROPERTIES:", ":CREATED: [2023-05-20 Sat]", ":END:", "Words.")
    assert created.dates[0] == DateClaim(date(2023, 5, 20), DateOrigin.FRONT_MATTER)


def test_marks_go_and_code_stays() -> None:
    document = org(
        "*/both/* of =a*b= and ~c~, a_b_c 2*3*4 [[id:1][the *plan*]] https://a.example/_x_", "# gone", "End."
    )
    assert document.text == "both of a*b and c, a_b_c 2*3*4 the *plan* https://a.example/_x_\n\nEnd."
    assert document.attributes.links == ("https://a.example/_x_",)


def test_blocks_that_nothing_ends_are_text() -> None:
    assert shown(org("#+BEGIN_SRC c", "int x;", "* Next")) == [
        ("paragraph", "#+BEGIN_SRC c\nint x;"),
        ("heading", "Next"),
    ]
    assert org(":LOGBOOK:", "note", "* Next").text == ":LOGBOOK:\nnote\n\nNext"


def test_a_headline_that_is_too_long_stands_below_in_full() -> None:
    document = org("* One", "a", f"* <2023-05-14 Sun> {'pump ' * 60}end", "b")
    assert document.blocks[-1].section[0].startswith("<2023-05-14 Sun> pump")
    assert document.text.endswith("end\n\nb")


@examples(4)
@given(sources(PIECES))
def test_no_word_is_lost(text: str) -> None:
    loses_no_word("org", text)


@pytest.mark.parametrize(
    "unit", ["*a ", "[[a", "#+BEGIN_SRC\n", ":A:\n", "* a\n", "- a\n", "| a\n", "<2023-01-01", "=a "]
)
def test_time_is_linear(unit: str) -> None:
    is_linear("org", unit)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_cut_file_is_read_as_far_as_it_goes(share: float) -> None:
    document = read(Raw("a.org", NOTES[: int(len(NOTES) * share)]))
    keeps_its_promises(document)
    assert document.title == "Tide station notes"


@pytest.mark.parametrize("label", ["1", "a-b", "name_2"])
def test_footnotes_are_paragraphs_of_their_own(label: str) -> None:
    lines = "Words.[fn:1]", f"[fn:{label}] One", "goes on.", "[fn:9] Two.", "", "[fn:7] Three [fn:8] too."
    marked_lines = f"Words.[1]\n\n[{label}] One\ngoes on.\n\n[9] Two.\n\n[7] Three [8] too."
    assert org(*lines).text == marked_lines


def test_formulas_of_a_table_are_no_words() -> None:
    assert org("| a | b |", "| 1 | 2 |", "#+TBLFM: $2=vsum(@1..@2)", "Words.").text.endswith("[END TABLE]\n\nWords.")
