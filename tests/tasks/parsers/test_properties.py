"""Properties that lines of a note give, as programs export them: Notion below the title, Joplin at the end."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Kind

CREATED = DateClaim(date(2021, 3, 12), DateOrigin.FRONT_MATTER)
NOTION = """# Roof repair

Created: March 12, 2021 2:05 PM
Last Edited Time: April 15, 2021 9:00 AM
Tags: house, money
Author: Alice Meyer
URL: https://example.org/roof

Called the roofer.
"""
JOPLIN = """Roof repair

Called the roofer.

id: 1a2b3c4d5e6f47a8b9c0d1e2f3a4b5c6
created_time: 2021-03-12T14:05:00.000Z
updated_time: 2021-04-15T09:00:00.000Z
author: Alice Meyer
source_url: https://example.org/roof
encryption_cipher_text:
type_: 1"""
TIDDLER = """created: 20210312140511000
creator: Alice Meyer
tags: house [[roof work]]
title: Roof repair

Called the ''roofer''.
"""


def note(name: str, text: str) -> Document:
    document = read(Raw(name, text.encode()))
    assert document.kind is Kind.NOTE
    return document


@pytest.mark.parametrize(
    ("name", "text", "tags", "link"),
    [
        ("a.md", NOTION, ("house", "money"), "https://example.org/roof"),
        ("1a2b3c4d5e6f47a8b9c0d1e2f3a4b5c6.md", JOPLIN, (), "https://example.org/roof"),
        ("a.tid", TIDDLER, ("house", "roof work"), ""),
    ],
)
def test_a_note_is_of_the_day_its_lines_say(name: str, text: str, tags: tuple[str, ...], link: str) -> None:
    document = note(name, text)
    assert document.dates[0] == CREATED
    assert (document.title, document.authors) == ("Roof repair", ("Alice Meyer",))
    assert (document.attributes.tags, document.attributes.link) == (tags, link)


@pytest.mark.parametrize(
    "text",
    [
        "# Project\n\nStart: 2021-03-12\nOwner: Alice\n\nIt began.\n",
        "# Project\n\nCreated: 2021-03-12\nand more words\n\nIt began.\n",
        "# Project\n\nIt began.\n\nCreated: 2021-03-12\n",
    ],
)
def test_other_lines_are_no_properties(text: str) -> None:
    assert not [claim for claim in note("a.md", text).dates if claim.origin is DateOrigin.FRONT_MATTER]


def test_lines_that_a_program_keeps_for_itself_are_no_words_of_the_note() -> None:
    joplin = note("a.md", JOPLIN)
    assert [
        joplin.text[block.start : block.end] for block in joplin.blocks if block.kind is not BlockKind.FURNITURE
    ] == [
        "Roof repair",
        "Called the roofer.",
    ]
    logseq = (
        "- Met Tom\n  collapsed:: true\n  id:: 63f0c1c4-1111-2222-3333-444455556666\n\t- DONE call bank\n"
        "\t  :LOGBOOK:\n\t  CLOCK: [2023-03-03 Fri 10:00:00]\n\t  :END:\n"
        "- #+BEGIN_QUOTE\n  Time is money\n  #+END_QUOTE\n- place:: Bergen\n"
    )
    assert note("a.md", logseq).text == "- Met Tom\n  - DONE call bank\n- Time is money\n- place:: Bergen"


def test_an_example_of_org_mode_keeps_its_marks() -> None:
    body = "Write so:\n\n- one\n\n```\n#+BEGIN_SRC sh\nls\n#+END_SRC\n```\n"
    assert "#+BEGIN_SRC sh\nls\n#+END_SRC" in read(Raw("note.md", body.encode())).text


@pytest.mark.parametrize(
    "changed",
    [
        "last_update: 2024-05-02",
        "last_update:\n  date: 2024-05-02\n  author: Ann",
        "last_updated: 2024-05-02T10:00:00Z",
    ],
)
def test_front_matter_that_says_when_a_page_was_updated_dates_it(changed: str) -> None:
    document = note("a.md", f"---\ntitle: Install\n{changed}\n---\n\n# Install\n\nRun the setup.\n")
    assert document.dates[:1] == (DateClaim(date(2024, 5, 2), DateOrigin.FRONT_MATTER),)
