"""XML of no vocabulary: no word is lost, the entries of feeds have days, broken files are read as far as they go."""

from __future__ import annotations

from datetime import date
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateOrigin, Document, Kind

NAMES = st.sampled_from(["log", "entry", "p", "title", "b", "date", "step"])
WORDS = st.lists(st.sampled_from(["fog", "sun", "2021", "pump", "& more", "東京"]), max_size=60).map(" ".join)
TREES = st.recursive(
    st.tuples(NAMES, WORDS, WORDS, st.just(())),
    lambda inner: st.tuples(NAMES, st.just(""), WORDS, st.lists(inner, max_size=4)),
)
FEED = """<?xml version="1.0"?>
<rss version="2.0"><channel><title>Pump news</title><pubDate>Sun, 4 Apr 2021 09:00:00 GMT</pubDate>
<item><title>Launch</title><pubDate>Fri, 12 Mar 2021 10:00:00 GMT</pubDate>
<description>&lt;p&gt;We launched &lt;b&gt;the pump&lt;/b&gt; in Ghent.&lt;/p&gt;</description></item>
<item><title>Recall</title><pubDate>Sat, 3 Apr 2021 10:00:00 GMT</pubDate>
<description>It was recalled.</description></item>
"""


def read_data(text: str) -> Document:
    raw = Raw("a.xml", text.encode())
    document = read(raw)
    assert choose_parser(raw) == "xml_data"
    keeps_its_promises(document)
    return document


def written(tree: tuple[str, str, str, list[object]]) -> str:
    name, text, attribute, children = tree
    inside = "".join(map(written, children))  # type: ignore[arg-type]
    return f'<{name} about="{escape(attribute)}">{escape(text)}{inside}</{name}>'


@given(tree=TREES)
def test_every_word_is_in_the_document(tree: tuple[str, str, str, list[object]]) -> None:
    text = f"<ledger>{written(tree)}</ledger>"
    words = escape(text).replace("&amp;lt;", " ")
    counted = {word: words.count(word) for word in ("fog", "sun", "pump", "more", "東京")}
    shown = read_data(text).text
    assert {word: shown.count(word) for word in counted} == counted


def test_the_entries_of_a_feed_are_sections_of_their_days() -> None:
    document = read_data(FEED + "</channel></rss>")
    headings = [block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING]
    assert headings[1:] == ["2021-03-12 Launch", "2021-04-03 Recall"]
    assert "We launched the pump in Ghent." in document.text
    assert document.title == "Pump news"
    assert [(claim.date, claim.origin) for claim in document.dates] == [(date(2021, 4, 4), DateOrigin.PUBLICATION)]


@pytest.mark.parametrize("end", ["", "</channel>", "<item><title>More</title></channel></rss>"])
def test_a_broken_feed_is_read_as_far_as_it_goes(end: str) -> None:
    document = read_data(FEED + end)
    assert "It was recalled." in document.text
    assert ("More" in document.text) is ("More" in end)
    assert document.findings[0].message.endswith("download it again")


def test_a_prefix_that_nothing_declares_breaks_no_feed() -> None:
    document = read_data(FEED + "<item><itunes:title>More</itunes:title></item></channel></rss>")
    assert "More" in document.text
    assert not document.findings


def test_elements_of_one_kind_are_a_table() -> None:
    rows = "".join(f'<reading day="2021-03-{day}"><level unit="m">{day / 10}</level></reading>' for day in (12, 13))
    (table,) = read_data(f"<log>{rows}</log>").tables
    assert table.rows == (
        ("day", "level.unit", "level.text"), ("2021-03-12", "m", "1.2"), ("2021-03-13", "m", "1.3"),
    )  # fmt: skip


def test_a_manual_keeps_its_sections_in_order() -> None:
    document = read_data(
        "<topic><title>Pumps</title><body><p>In 2020 the <b>pump</b> was new.</p><section><title>Use</title>"
        "<p>Turn it on.</p></section><p>The end.</p></body></topic>"
    )
    assert [document.text[block.start : block.end] for block in document.blocks] == [
        "Pumps", "In 2020 the pump was new.", "Use", "Turn it on.", "The end.",
    ]  # fmt: skip


def test_messages_in_attributes_are_lines_of_their_days() -> None:
    sent = [("1615367700000", "I ordered it"), ("1615557911000", "It is here")]
    messages = [
        f'<sms address="+31612345678" date="{at}" body="{body}" subject="null" contact_name="Grace"/>'
        for at, body in sent
    ]
    document = read_data(f'<smses count="2">{"".join(messages)}</smses>')
    shown = [document.text[b.start : b.end] for b in document.blocks if b.kind is not BlockKind.FURNITURE]
    assert shown == ["2021-03-10", "09:15 Grace: I ordered it", "2021-03-12", "14:05 Grace: It is here"]


@pytest.mark.parametrize("text", ["<log", '<?xml version="1.0"?><a><b></a>', '<?xml version="1.0"?>'])
def test_what_holds_no_words_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_data(text)
    assert caught.value.cure
    assert "\n" not in str(caught.value)


ENEX = """<?xml version="1.0"?><en-export application="Evernote">
<note><title>Roof</title><created>20210312T140500Z</created><tag>house</tag>
<note-attributes><author>Alice Meyer</author></note-attributes><content><![CDATA[<?xml version="1.0"?>
<en-note><div><en-todo checked="true"/>measure it</div><div><en-todo/>buy slates</div></en-note>]]></content>
<resource><data encoding="base64">
iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ
</data><mime>image/png</mime></resource></note>
<note><title>Soup</title><created>20210313T090000Z</created><tag>recipes</tag><content>
<![CDATA[<en-note><p>Red lentils.</p></en-note>]]></content></note></en-export>"""


def test_the_notes_of_an_export_are_entries_without_the_files_in_them() -> None:
    document = read_data(ENEX)
    headings = [block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING]
    assert headings == ["2021-03-12 Roof", "2021-03-13 Soup"]
    assert (document.kind, document.authors) == (Kind.NOTE, ("Alice Meyer",))
    assert document.attributes.tags == ("house", "recipes")
    assert "[x] measure it\n\n[ ] buy slates" in document.text
    assert "iVBOR" not in document.text
    assert [finding.message for finding in document.findings] == ["files that are embedded in it are not read: 1"]
    assert [claim.date for claim in document.dates] == [date(2021, 3, 12), date(2021, 3, 13)]


def test_an_outline_is_sections_with_lists() -> None:
    document = read_data(
        """<opml version="2.0"><head><title>Diary</title><ownerName>Alice</ownerName></head><body>
        <outline text="2021-03-12"><outline text="Called him" _note="at noon"><outline text="twice"/></outline>
        </outline>
        <outline text="Ideas" created="Sat, 20 Mar 2021 10:00:00 GMT"><outline text="A box"/></outline>
        <outline text="loose"/></body></opml>"""
    )
    blocks = [document.text[block.start : block.end] for block in document.blocks]
    assert blocks[-5:] == ["2021-03-12", "- Called him\n  at noon\n  - twice", "2021-03-20 Ideas", "- A box", "- loose"]
    assert (document.title, document.authors) == ("Diary", ("Alice",))


def test_a_page_of_a_wiki_is_of_the_day_of_its_revision() -> None:
    text = "The heron nests by the lock. " * 20
    pages = "".join(
        f"<page><title>{name}</title><id>1</id><revision><id>2</id><timestamp>2021-03-{day}T09:00:00Z</timestamp>"
        f"<text bytes='9'>{text}</text></revision></page>"
        for name, day in (("Heron", 12), ("Lock", 13))
    )
    document = read_data(f"<wiki><about><name>Canal</name></about>{pages}</wiki>")
    headings = [block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING]
    assert headings[-2:] == ["2021-03-12 Heron", "2021-03-13 Lock"]


def test_messages_of_two_kinds_in_turns_keep_their_days() -> None:
    short = "".join(
        f"<sms date='{1615557911 + 86400 * day}000' body='words of day {day}' subject='null'/>"
        f"<mms date='{1615557911 + 86400 * day}000'><part text='picture of day {day}'/></mms>"
        for day in range(3)
    )
    document = read_data(f"<smses count='6' type='full'>{short}</smses>")
    assert "null" not in document.text
    days = {word for word in document.text.split() if word.startswith("2021-03-1")}
    assert days >= {"2021-03-12", "2021-03-13", "2021-03-14"}
    assert document.text.count("words of day") == document.text.count("picture of day") == 3


def test_the_day_of_an_export_is_not_that_of_its_note() -> None:
    note = "<note><title>Roof</title><created>20210312T140500Z</created><content>Called him.</content></note>"
    document = read_data(f"<en-export export-date='20240101T101010Z' version='1'>{note}</en-export>")
    assert (document.title, document.dates[0].date) == ("Roof", date(2021, 3, 12))
