"""What a question asks of one person's messages is quoted from that person's, in chats, channels and talks."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.ask.extracts import find_extracts
from tasks.embedders.embedder import open_embedder
from tasks.parsers.dated_lines import parse_speaker
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest

CHAT = """12/03/2021, 09:15 - Anna Berg: The mast of the Sturgeon is cracked. It is near the spreader.
12/03/2021, 09:21 - Tom: Can the rigger come to see the mast?
12/03/2021, 09:24 - Anna Berg: He quoted 1,450 euros for the mast
13/03/2021, 08:10 - Lena: Launch of the dinghies is moved
"""
CHANNEL = """2021-03-12 09:15 <anna> the build of the parser is broken
2021-03-12 09:16 <tom> fixing the build of the parser
2021-03-13 10:00 <anna> thanks for the build
"""
TALK = """WEBVTT

00:00:01.000 --> 00:00:04.000
<v Anna Berg>We postpone the regatta to April.</v>

00:00:05.000 --> 00:00:08.000
<v Tom Riis>The regatta needs a permit.</v>
"""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("speakers")
    (folder / "docs").mkdir()
    for name, text in (("chat.txt", CHAT), ("channel.log", CHANNEL), ("talk.vtt", TALK)):
        (folder / "docs" / name).write_text(text)
    return build_warehouse(folder / "warehouse", folder / "docs")


def quote(warehouse: Warehouse, question: str) -> set[str]:
    embedder = open_embedder("hashing")
    found = find(warehouse, SearchRequest(question, k=5), embedder, date(2021, 4, 1))
    return {each.text for each in find_extracts(found.question, found.hits, embedder, count=9)}


@pytest.mark.parametrize(
    ("question", "quoted", "others"),
    [
        ("What did Anna say about the mast?", ["cracked", "spreader", "quoted 1,450"], ["Can the rigger"]),
        ("What did Tom ask about the mast?", ["Can the rigger"], ["cracked", "quoted"]),
        ("What did Tom write about the build of the parser?", ["fixing"], ["is broken", "thanks"]),
        ("What did Anna Berg say about the regatta?", ["postpone"], ["permit"]),
        ("What did Bertha say about the mast?", ["Can the rigger", "quoted 1,450"], []),
    ],
)
def test_only_what_the_person_said_is_quoted(
    warehouse: Warehouse, question: str, quoted: list[str], others: list[str]
) -> None:
    found = " | ".join(quote(warehouse, question))
    assert [words for words in quoted if words not in found] == []
    assert [words for words in others if words in found] == []


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("12/03/2021, 09:15 - Anna Berg: the mast", "Anna Berg"),
        ("[12/03/21, 09:15:03] Anna Berg: the mast", "Anna Berg"),
        ("09:20 Tom Riis: the mast", "Tom Riis"),
        ("2021-03-12 09:15 <anna> the mast", "anna"),
        ("[09:15] <@anna> the mast", "anna"),
        ("09:15:03 From Anna Berg to Everyone: the mast", "Anna Berg"),
        ("09:15 Registration and coffee", ""),
        ("Anna Berg: the mast", ""),
        ("The mast broke at 09:15.", ""),
    ],
)
def test_who_wrote_a_line_stands_after_its_moment(line: str, speaker: str) -> None:
    assert parse_speaker(line) == speaker
