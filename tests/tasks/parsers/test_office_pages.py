"""Pages of Word, Outlook and Google Docs: the titles and lists that only their classes and styles tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.markups import shown
from warehouse.records import BlockKind

WORDS = ("First point", "Second point", "Third point", "Last point")
DEPTHS = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(lambda steps: [0, *steps][:4])


def word_item(words: str, mark: str, depth: int, *, is_filtered: bool) -> str:
    """An item as Word writes it, with or without its own styles."""
    gap = "<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span>"
    if is_filtered:
        style = f"margin-left:{36 * (depth + 1)}.0pt;text-indent:-18.0pt"
        return f"<p class=MsoListParagraphCxSpMiddle style='{style}'><span>{mark}{gap}</span>{words}</p>\n"
    shown_mark = f"<![if !supportLists]><span style='mso-list:Ignore'>{mark}{gap}</span><![endif]>"
    return f"<p class=MsoListParagraph style='mso-list:l0 level{depth + 1} lfo1'>{shown_mark}{words}<o:p></o:p></p>\n"


def expect_lines(depths: list[int], mark: str = "-") -> str:
    return "\n".join(f"{'  ' * depth}{mark} {words}" for words, depth in zip(WORDS, depths, strict=False))


@given(DEPTHS, st.sampled_from(["·", "o", "§", "•", "-"]), st.booleans())
def test_paragraphs_that_word_marks_as_items_are_a_list(depths: list[int], mark: str, is_filtered: bool) -> None:
    items = "".join(
        word_item(words, mark, depth, is_filtered=is_filtered) for words, depth in zip(WORDS, depths, strict=False)
    )
    page = f"<html><body><p class=MsoNormal>Before.</p>{items}<p class=MsoNormal>After.</p></body></html>"
    assert shown(read(Raw("a.htm", page.encode("cp1252")))) == [
        ("paragraph", "Before."), ("list", expect_lines(depths)), ("paragraph", "After.")
    ]  # fmt: skip


@pytest.mark.parametrize("mark", ["1.", "a)", "(iv)", "2.1."])
@pytest.mark.parametrize("name", ["a.htm", "a.eml"])
def test_items_keep_the_numbers_that_word_wrote(mark: str, name: str) -> None:
    page = f"<html><body>{word_item(WORDS[0], mark, 0, is_filtered=False)}<p>After.</p></body></html>"
    head = "From: a@a.org\nDate: Fri, 12 Apr 2024 18:00:00 +0000\nContent-Type: text/html; charset=cp1252\n\n"
    found = read(Raw(name, ((head if name == "a.eml" else "") + page).encode("cp1252")))
    assert ("list", f"{mark} {WORDS[0]}") in shown(found)


@given(DEPTHS)
def test_lists_that_google_docs_cuts_by_their_depth_are_one(depths: list[int]) -> None:
    lists = "".join(
        f'<ul class="c1 lst-kix_a-{depth} start"><li class="c2"><span>{words}</span></li></ul>'
        for words, depth in zip(WORDS, depths, strict=False)
    )
    title = '<p class="c0 title"><span>Plan</span></p>'
    page = f'<html><body class="c5 doc-content">{title}{lists}<p>After.</p></body></html>'
    found = read(Raw("a.html", page.encode()))
    assert found.title == "Plan"
    assert shown(found) == [("heading", "Plan"), ("list", expect_lines(depths)), ("paragraph", "After.")]


def test_numbers_of_google_docs_go_on_behind_deeper_items() -> None:
    page = (
        '<ol class="lst-kix_a-0 start" start="1"><li>One</li></ol>'
        '<ol class="lst-kix_a-1 start" start="1"><li>In</li></ol>'
        '<ol class="lst-kix_a-0" start="2"><li>Two</li></ol>'
    )
    assert shown(read(Raw("a.html", page.encode()))) == [("list", "1. One\n  1. In\n2. Two")]


@pytest.mark.parametrize("kind", ["MsoTitle", "MsoNormal"])
def test_the_title_of_a_page_of_word_is_a_heading(kind: str) -> None:
    found = read(
        Raw("a.htm", f"<html><body><p class={kind}>Minutes</p><p class=title>By Ann</p></body></html>".encode())
    )
    assert [block.kind is BlockKind.HEADING for block in found.blocks] == [kind == "MsoTitle", False]
    assert found.title == ("Minutes" if kind == "MsoTitle" else "")


@pytest.mark.parametrize("kind", ["foot", "end"])
def test_the_mark_of_a_note_of_libreoffice_stands_apart_from_its_words(kind: str) -> None:
    page = (
        f'<body><p>Words<a class="sd{kind}noteanc" href="#s"><sup>1</sup></a>.</p><div id="sd{kind}note1">'
        f'<p class="sd{kind}note"><a class="sd{kind}notesym" name="s">1</a>The note.</p></div></body>'
    )
    assert read(Raw("a.html", page.encode())).text == "Words[1].\n\n[1] The note."
