"""Plain text: paragraphs, lists, headings where they are sure, and bounded blocks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as, read
from tasks.parsers.text import iter_blocks
from warehouse.records import BlockKind, Kind

WRAPPED = (
    "The quick brown fox jumps over the lazy dog and then the dog\n"
    "wakes up slowly and looks around for the fox that has gone to\n"
    "its den."
)


def shown(text: str) -> list[tuple[str, str]]:
    document = parse_as("text", Raw("a.txt", text.encode()))
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def test_paragraphs_of_bounded_length() -> None:
    found = shown("one\n\n\n- a\n- b\n\n" + "\n".join(["x" * 99] * 100))
    assert [kind for kind, _ in found[:2]] == ["paragraph", "list"]
    assert all(len(words) <= 4_000 for _, words in found)
    assert sum(words.count("x") for _, words in found) == 9_900


@pytest.mark.parametrize("unit", ["A sentence of words. ", "一句话。", "x", "word "])
def test_very_long_lines_are_cut_where_it_hurts_least(unit: str) -> None:
    text = unit * (30_000 // len(unit))
    found = shown(text)
    assert all(len(words) <= 4_000 for _, words in found)
    assert "".join("".join(words.split()) for _, words in found) == "".join(text.split())
    if len(unit) > 5:
        assert all(words.endswith(".") for _, words in found)


def test_lines_broken_to_a_width_are_joined_and_verses_are_not() -> None:
    assert shown(WRAPPED) == [("paragraph", WRAPPED.replace("\n", " "))]
    address = "Northlight Instruments\nStrandveien 12\n9006 Tromso"
    assert shown(address) == [("paragraph", address)]
    columns = "Item        Price of the thing      in euros and cents\nWidget      5.00                    five"
    assert shown(columns) == [("paragraph", columns)]


def test_the_lines_of_a_log_are_no_prose_broken_to_a_width() -> None:
    for line in (
        '10.0.0.{} - - [04/Jul/2023:23:51:0{}] "GET /page HTTP/1.1" 200 3284',
        "Jul {} 04:51:0{} host sshd[41]: Accepted password for the user tom",
    ):
        log = "\n".join(line.format(number, number) for number in range(1, 7))
        assert read(Raw("a.log", log.encode())).text == log


def test_items_go_on_over_indented_lines_and_follow_what_leads_to_them() -> None:
    assert shown("Actions:\n- test every window\n  at 200 m\n- replace") == [
        ("paragraph", "Actions:"),
        ("list", "- test every window at 200 m\n- replace"),
    ]
    assert shown("In May\n12. was the day")[0][0] == "paragraph"


@pytest.mark.parametrize(
    ("text", "level"),
    [("Title\n=====\nwords", 1), ("Title\n-----\n\nwords", 2), ("=====\nTitle\n=====\n\nwords", 1), ("CHAPTER 4", 1),
     ("第三章 结果", 1), ("1.2 Scope of work", 2), ("RISK FACTORS", 2)],
)  # fmt: skip
def test_headings_that_are_sure(text: str, level: int) -> None:
    document = parse_as("text", Raw("a.txt", text.encode()))
    assert document.blocks[0].level == level
    assert not set(document.blocks[0].section[0]) & set("=-")


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ann,",
        "1. Buy milk",
        "STOP!",
        "A. B. C.",
        "5.5 million people came.",
        "NASA",
        "12:30 IBM 5,000",
        "AUDIENCE: [LAUGHTER]",
    ],
)
def test_headings_that_are_not(text: str) -> None:
    assert not any(block.level for block in iter_blocks(text))


TREES = ("oak", "elm", "ash", "fir", "yew")


def make_printed(head: str, foot: str) -> str:
    """A text on five pages: a paragraph goes on over each break, and a section follows."""
    pages = []
    for number, tree in enumerate(TREES, 1):
        rest = f"   of the page before {tree}.\n\n" if number > 1 else ""
        body = f"{rest}{number}.  Part of {tree}\n\n   The {tree} is sent over a wire and received by others, who"
        pages.append(f"{head.format(number)}\n\n{body}\n   then send it to {tree}\n\n\n{foot.format(number)}\n")
    return "\f".join(pages)


@pytest.mark.parametrize("head", ["RFC 9999      A Protocol      June 2022", "", "Page {}"])
@pytest.mark.parametrize("foot", ["Author      Informational      [Page {}]", "- {} -", ""])
def test_heads_and_feet_of_printed_pages_are_set_aside(head: str, foot: str) -> None:
    document = read(Raw("a.txt", make_printed(head, foot).encode()))
    blocks = [(block.kind, document.text[block.start : block.end]) for block in document.blocks]
    words = [text for kind, text in blocks if kind is BlockKind.PARAGRAPH]
    assert [" ".join(each.split()) for each in words[:-1]] == [
        f"The {tree} is sent over a wire and received by others, who then send it to {tree} of the page before {after}."
        for tree, after in pairwise(TREES)
    ]
    assert [text for kind, text in blocks if kind is BlockKind.HEADING] == [
        f"{number}. Part of {tree}" for number, tree in enumerate(TREES, 1)
    ]
    aside = "\n".join(text for kind, text in blocks if kind is BlockKind.FURNITURE).split("\n")
    assert set(filter(None, aside)) == {
        line.format(number) for line in (head, foot) for number in range(1, 6) if line.format(number)
    }


def test_first_lines_that_pages_do_not_share_stay() -> None:
    text = "\f".join(f"Chapter {number}\n\nWords of it.\n\nSum of {number}\n" for number in range(1, 6))
    found = read(Raw("a.txt", text.encode()))
    assert [block.kind for block in found.blocks if block.kind is BlockKind.FURNITURE] == []
    assert found.text.count("Chapter") == found.text.count("Sum") == 5


MANUAL = (
    "NAME\n       ls - list files\n\n{}\n       ls [OPTION]\n\n       More of it is said here.\n"
    + "       Words.\n" * 3
)


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("SYNOPSIS", True), ("Author's address", True), ("2. Security", True), ("2.1  Security of it", True),
        ("It is a sentence.", False), ("options:", False), ("- an item", False), ("public class A {", False),
        ("2021-03-12", False), ("a      b      c", False), ("x" * 91, False), ("    NAMES", False),
    ],
)  # fmt: skip
def test_lines_at_the_margin_of_an_indented_text_are_headings(line: str, is_heading: bool) -> None:
    found = read(Raw("a.txt", (MANUAL.format(line) + "\nSEE ALSO\n       cat\n").encode()))
    headings = [block.section[-1] for block in found.blocks if block.kind is BlockKind.HEADING]
    assert (" ".join(line.split()) in headings) is is_heading
    assert "SEE ALSO" in headings
    assert found.text.replace(" ", "").count(line.replace(" ", "")) >= 1


def test_form_feeds_part_pages() -> None:
    assert shown("end of one\n\f\nstart of two") == [("paragraph", "end of one"), ("paragraph", "start of two")]


@given(st.text(alphabet="ab .-*1\n\t=#A。", max_size=200))
def test_no_letter_is_lost(text: str) -> None:
    kept = "".join(block.text for block in iter_blocks(text))
    assert [kept.count(letter) for letter in "abA1。"] == [text.count(letter) for letter in "abA1。"]
    assert all(len(block.text) <= 4_000 and isinstance(block.kind, BlockKind) for block in iter_blocks(text))


RELEASE = """Cedar Club Reports Third Quarter Results

(amounts in millions)
|  | 12 Weeks Ended |  | 36 Weeks Ended |  |
|---|---|---|---|---|
|  | May 7, 2023 | May 8, 2022 | May 7, 2023 | May 8, 2022 |
| Net sales | $52,604 | $51,610 | $160,280 | $152,078 |
| Fees \\| dues | 1,044 | 984 | 3,071 | 2,898 |
Sales rose.
"""


@pytest.mark.parametrize("name", ["a.txt", "a.text", "a"])
def test_a_pipe_table_in_plain_text_is_a_table(name: str) -> None:
    document = read(Raw(name, RELEASE.encode()))
    (table,) = document.tables
    assert table.header_rows == 2
    assert table.rows[0] == ("", "12 Weeks Ended", "", "36 Weeks Ended", "")
    assert table.rows[3][0] == "Fees | dues"
    assert [(each.row, each.column, each.columns) for each in table.merges] == [(0, 1, 2), (0, 3, 2)]
    assert [block.kind for block in document.blocks][-1] is BlockKind.PARAGRAPH
    assert document.text.rstrip().endswith("Sales rose.")


@pytest.mark.parametrize("suffix", [".txt", ".md", ""])
def test_text_with_a_short_pipe_table_is_no_file_of_delimited_values(suffix: str) -> None:
    text = "FORM 10-Q\n\nVale Holdings, Inc.\n\nDate: April 21, 2024\n\n(in millions)\n\n"
    table = "|  | Three months ended March 31, 2024 |\n| --- | --- |\n| Net sales | $52,604 |\n"
    document = read(Raw(f"a{suffix}", (text + table).encode()))
    assert document.media_type != "text/csv"
    assert [row[0] for row in document.tables[0].rows] == ["", "Net sales"]


@given(st.text(alphabet="|-: a\n\\\\", max_size=60))
def test_no_line_of_pipes_is_lost(text: str) -> None:
    assert sum(words.count("a") for words in (b for _, b in shown(text))) == text.count("a") or not text.strip()


@pytest.mark.parametrize(
    ("beginning", "title", "kind"),
    [
        ("Roof repair\n12 March 2021 at 14:05", "Roof repair", Kind.NOTE),
        ("Roof repair\nFriday, March 12, 2021\n2:05 PM", "Roof repair", Kind.NOTE),
        ("Weekly sync\nFri, Mar 12, 2021 2:05PM • 31:12", "Weekly sync", Kind.NOTE),
        ("Sales rise\nMarch 12, 2021", "", Kind.TEXT),
        ("2021-03-12 14:05 Ann: hello\n2021-03-13 14:05 Ben: hello", "", Kind.TEXT),
    ],
)
def test_a_title_above_a_moment_begins_a_note(beginning: str, title: str, kind: Kind) -> None:
    document = parse_as("text", Raw("a.txt", f"{beginning}\n\nHe comes on Monday.\n".encode()))
    assert (document.title, document.kind) == (title, kind)


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("= Tides =\nIntroduction.\n\n== Spring ==\nHigh.\n\n=== Sun and moon ===\nIn line.\n", [1, 2, 3]),
        ("====== Tides ======\nIntroduction.\n\n===== Spring =====\n==== Sun and moon ====\nHigh.\n", [1, 2, 3]),
    ],
    ids=["MediaWiki", "DokuWiki"],
)
def test_headings_of_wikis_are_headings(text: str, levels: list[int]) -> None:
    found = read(Raw("tides.txt", text.encode()))
    headings = [block for block in found.blocks if block.kind is BlockKind.HEADING]
    assert [block.level for block in headings] == levels
    assert [block.section[-1] for block in headings] == ["Tides", "Spring", "Sun and moon"]
    assert "=" not in found.text


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("The infor-", "mation is here."), "The information\nis here."),
        (("It was a long-", "term plan."), "It was a long-term\nplan."),
        (("All Anglo-", "American trade."), "All Anglo-American\ntrade."),
        (("A state-of-", "the-art lab."), "A state-of-the-art\nlab."),
        (
            ("Short- and long-", "term, the re-cord of a re-", "cord."),
            "Short- and long-term,\nthe re-cord of a re-cord.",
        ),
        (("Il est à Saint-", "Étienne; peut-", "être."), "Il est à Saint-Étienne;\npeut-être."),
        (("Die Ein-", "und Ausgänge."), "Die Ein-\nund Ausgänge."),
        (("Aus der Sit-", "zung."), "Aus der Sitzung."),
        (("Prefixes:", "pre-", "post-", "anti-"), "Prefixes:\npre-\npost-\nanti-"),
        (("See pages 14-", "16 there."), "See pages 14-\n16 there."),
        (("- the infor-", "  mation", "- the rest"), "- the information\n- the rest"),
        (("x = a -", "b"), "x = a -\nb"),
    ],
)
def test_words_that_line_ends_part_are_whole(lines: tuple[str, ...], words: str) -> None:
    assert read(Raw("a.txt", "\n".join(lines).encode())).text == words


def test_a_text_broken_to_a_width_with_parted_words_is_one_line() -> None:
    source = (
        "The committee of the harbour reviewed all of the infor-\n"
        "mation about the flood that was asked for by the depart-\n"
        "ments of the town, and by the neighbours."
    )
    assert read(Raw("a.txt", source.encode())).text == source.replace("-\n", "").replace("\n", " ")


@pytest.mark.parametrize(
    ("beginning", "title"),
    [
        ("NOTICE OF MEETING\n\nThe meeting is held in the hall.", "NOTICE OF MEETING"),
        ("Fitting the pump\n----------------\n\n1. Close the valve.", "Fitting the pump"),
        ("THE ANCHOR\nNewsletter of the rowing club\nNo. 27, June 2023\n\nDear members", "THE ANCHOR"),
        ("Repairs in the yard\n\nThe slip was closed for two weeks and nobody could launch.", "Repairs in the yard"),
        ("PRESS RELEASE\n\nThe meeting is held in the hall.", ""),
        ("Dear Ann,\n\nThe slip was closed for two weeks and nobody could launch.", ""),
        ("THE ANCHOR\nNewsletter of the rowing club\n\nDear members", ""),
    ],
)
def test_a_text_has_the_title_above_its_words(beginning: str, title: str) -> None:
    assert read(Raw("a.txt", beginning.encode())).title == title
