"""Clippings of a Kindle: an entry for each day, in the languages of its users."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tasks.temporal.entries import find_entries
from tests.tasks.parsers.promises import keeps_its_promises

CLIPPINGS = (Path(__file__).parent / "files/clippings.txt").read_bytes()


def clipping(book: str, place: str, words: str = "Words.") -> Raw:
    return Raw("My Clippings.txt", f"{book}\r\n- {place}\r\n\r\n{words}\r\n==========\r\n".encode())


def test_each_clipping_is_an_entry_of_its_day() -> None:
    document = read(Raw("My Clippings.txt", CLIPPINGS))
    days = [entry.days[0] for entry in find_entries(document) if entry.days]
    assert days == [date(2023, 5, 14), date(2023, 5, 15), date(2023, 5, 16)]
    assert [block.level for block in document.blocks if block.level] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "place",
    [
        "Highlight Loc. 170-71 | Added on Sunday, May 14, 2023, 11:12 PM",
        "Ihre Markierung auf Seite 3 | Hinzugefügt am Sonntag, 14. Mai 2023 11:12:00",
        "La subrayado en la página 3 | Añadido el domingo, 14 de mayo de 2023 11:12:00",
        "您在位置 #170-171的标注 | 添加于 2023年5月14日星期日 上午11:12:00",
    ],
)
def test_days_are_read_in_the_language_of_the_device(place: str) -> None:
    raw = clipping("A book", place)
    assert choose_parser(raw) == "clippings"
    assert read(raw).blocks[0].section == ("2023-05-14 A book",)


def test_a_title_too_long_for_a_heading_stands_below_the_day() -> None:
    raw = clipping("A book " * 60, "Your Note | Added on Sunday, 14 May 2023 11:12:00")
    assert read(raw).blocks[0].section == ("2023-05-14",)
    assert read(raw).text.count("A book") == 60


def test_rules_between_paragraphs_make_no_clippings() -> None:
    assert choose_parser(Raw("a.txt", b"Title\n- one of 2023\n\nwords\n==========\n")) == "text"


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_cut_clippings_are_kept(share: float) -> None:
    document = read(Raw("a.txt", CLIPPINGS[: int(len(CLIPPINGS) * share)]))
    keeps_its_promises(document)
    assert "Call me Ishmael" in document.text
