"""Pages of MediaWiki: what their marks show, and no mark."""

from __future__ import annotations

from datetime import date
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, parse_as, read
from tests.tasks.parsers.promises import keeps_its_promises

PAGE = """{{Infobox person
| name = Anna Weber
| birth_date = {{birth date|1880|1|2}}
}}
'''Anna Weber''' (2 January 1880) was a [[Norway|Norwegian]] ''sailor''.<ref name="s">{{cite book|title=Sailors
|year=1999}}</ref>

== Life ==
She moved to [[Hamburg]] in 1901.<ref name=s /> It is {{convert|5|km|mi}} away.<!-- far -->

* one
** nested
; ship : a boat

{| class="wikitable"
! Year !! Place
|-
| 1902 || [[Oslo|first]]
|-
| 1903 || second
|}

[[File:Anna.jpg|thumb|Anna in [[Hamburg]]]]
[[Category:Sailors]]
"""
SHOWN = [
    "name: Anna Weber\nbirth date: 1880-01-02",
    "Anna Weber (2 January 1880) was a Norwegian sailor.[1]",
    "Life",
    "She moved to Hamburg in 1901.[1] It is 5 km away.",
    "- one\n  - nested\nship: a boat",
    "[TABLE 1]\n| Year | Place |\n| --- | --- |\n| 1902 | first |\n| 1903 | second |\n[END TABLE]",
    "Anna in Hamburg",
    "[1] Sailors. 1999",
]
EXPORT = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10">'
    "<siteinfo><sitename>W</sitename></siteinfo>"
    "<page><title>Anna Weber</title><ns>0</ns><revision><timestamp>2023-01-01T00:00:00Z</timestamp><text>Old.</text>"
    "</revision><revision><timestamp>2024-03-11T08:50:00Z</timestamp><model>wikitext</model>"
    "<text>She '''sailed'''.&lt;ref&gt;Smith&lt;/ref&gt;\n\n== Life ==\nIn [[Hamburg]].</text>"
    "</revision></page></mediawiki>"
)


@pytest.mark.parametrize("name", ["page.wiki", "page.txt", "page"])
def test_marks_are_what_they_show(name: str) -> None:
    assert choose_parser(Raw(name, PAGE.encode())) == "mediawiki"
    found = read(Raw(name, PAGE.encode()))
    keeps_its_promises(found)
    pieces = [found.text[block.start : block.end] for block in found.blocks]
    assert pieces == SHOWN
    assert found.attributes.tags == ("Sailors",)


def test_headings_need_no_blank_lines_and_tables_keep_their_names() -> None:
    table = '{| class="wikitable"\n|+ style="color:red" | Population\n! Year !! People\n|-\n| 1900 || 230\n|}\n'
    box = "{{Infobox city|name=Oslo|area=480}}"
    source = f"Founded in 1040.\n== History ==\nBurned in 1624.\n{box}\n{table}=== Now ===\n* big"
    found = read(Raw("a.wiki", source.encode()))
    assert [found.text[block.start : block.end] for block in found.blocks] == [
        "Founded in 1040.", "History", "Burned in 1624.", "name: Oslo\narea: 480", "Population",
        "[TABLE 1]\n| Year | People |\n| --- | --- |\n| 1900 | 230 |\n[END TABLE]", "Now", "- big",
    ]  # fmt: skip


def test_an_export_has_the_newest_text_of_each_page_below_its_day() -> None:
    found = read(Raw("export.xml", EXPORT.encode()))
    assert found.text.split("\n\n") == [
        "2024-03-11 Anna Weber", "She sailed.[1]", "Life", "In Hamburg.", "[1] Smith",
    ]  # fmt: skip
    assert (found.title, found.dates[0].date) == ("Anna Weber", date(2024, 3, 11))


@pytest.mark.parametrize(
    "text",
    ["'''doc'''\nx = [[1, 2]]\nprint('{{x}}')\n", "== Notes ==\n\nSee the [[plan]].\n", "# T\n\n{{< ref x >}} [[a]]\n"],
)
def test_other_texts_are_none(text: str) -> None:
    assert choose_parser(Raw("a.txt", text.encode())) != "mediawiki"


@given(st.text("[]{}|='<>ref/*#;: \nab", max_size=200))
def test_broken_marks_are_read(text: str) -> None:
    keeps_its_promises(parse_as("mediawiki", Raw("a.wiki", text.encode())))


@pytest.mark.parametrize(
    "piece", ["<ref>a ", "<!-- a ", "a<ref>x{}</ref> ", "[http://a ", "[[File:a|", "{{|\n|+ a\n", "== a ", "{{{{a|"]
)
def test_time_does_not_grow_with_what_is_not_closed(piece: str) -> None:
    source = "".join(piece.format(number) for number in range(8_000))
    started = process_time()
    parse_as("mediawiki", Raw("a.wiki", source.encode()))
    assert process_time() - started < 2.5
