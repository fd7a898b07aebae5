"""OpenDocument presentations: texts, lists, tables, charts, notes; what is encrypted or damaged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, parse_as, read
from tests.examples import examples
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_mail import headings, shown, texts
from tests.tasks.parsers.raw_odt import items, p, row, table
from tests.tasks.parsers.raw_office import archive
from tests.tasks.parsers.test_fuzz import damage, is_read_or_refused
from tests.tasks.parsers.test_ppt import DECK
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document, Merge

SAMPLE = Path(__file__).with_name("files") / "northlight-deck.odp"
TYPE = "application/vnd.oasis.opendocument.presentation"
_HOST = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES = " ".join(
    f'xmlns:{prefix}="{_HOST}:{name}:1.0"'
    for prefix, name in [
        ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing"),
        ("svg", "svg-compatible"), ("presentation", "presentation"), ("chart", "chart"), ("fo", "xsl-fo-compatible"),
    ]
) + ' xmlns:xlink="http://www.w3.org/1999/xlink"'  # fmt: skip
STYLES = (
    '<style:style style:name="dp1"><style:drawing-page-properties presentation:display-footer="true"/></style:style>'
    '<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    '<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="–"/>'
    "</text:list-style>"
)


def box(content: str, x: float = 1, y: float = 1, *, kind: str = "", options: str = "") -> str:
    """A text box at a place in centimetres."""
    own = f'presentation:class="{kind}" {options}' if kind else options
    inner = content if content.startswith(("<draw:", "<table:")) else f"<draw:text-box>{content}</draw:text-box>"
    return f'<draw:frame {own} svg:x="{x}cm" svg:y="{y}cm" svg:width="5cm" svg:height="2cm">{inner}</draw:frame>'


def page(*shapes: str, style: str = "dp1", notes: str = "", options: str = "") -> str:
    """A slide."""
    noted = f"<presentation:notes>{box(p(notes), kind='notes')}</presentation:notes>" if notes else ""
    return f'<draw:page draw:style-name="{style}" {options}>{"".join(shapes)}{noted}</draw:page>'


def odp(*pages: str, manifest: str = "", kind: str = TYPE, **parts: str) -> bytes:
    """The bytes of a file; `parts` are embedded documents."""
    declared = '<presentation:footer-decl presentation:name="f">Harbour works</presentation:footer-decl>'
    content = (
        f"<office:document-content {_NAMES}><office:automatic-styles>{STYLES}</office:automatic-styles><office:body>"
        f"<office:presentation>{declared}{''.join(pages)}</office:presentation></office:body></office:document-content>"
    )
    inner = {
        f"{name}/content.xml": f"<office:document-content {_NAMES}><office:body>{part}</office:body>"
        "</office:document-content>"
        for name, part in parts.items()
    }
    files = {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": f"<m>{manifest}</m>", **inner}
    return archive(files, packed=False)


def read_odp(*pages: str, **more: str) -> Document:
    """The document of such a file."""
    return parse_as("odp", Raw("a.odp", odp(*pages, **more)))


def test_a_deck_in_the_order_of_its_show() -> None:
    document = parse_as("odp", Raw("a.odp", SAMPLE.read_bytes()))
    assert document.total_pages == 5
    assert headings(document) == DECK
    assert document.tables[0].rows[0] == ("", "Instruments", "Services")
    assert document.tables[1].merges == (Merge(0, 0, 2, 1), Merge(0, 1, 1, 2))
    assert [finding.name for finding in document.findings] == ["hidden-content"]
    assert (document.title, document.authors) == ("Northlight review", ("Ada Byron", "Bo Li"))


def test_titles_lists_groups_and_shapes_in_reading_order() -> None:
    group = f"<draw:g>{box(p('valve'), 8, 12)}{box(p('pump'), 1, 12)}</draw:g>"
    moved = 'svg:width="3cm" svg:height="1cm" draw:transform="rotate (0.5) translate (1cm 8cm)"'
    turned = f"<draw:custom-shape {moved}>{p('turned')}</draw:custom-shape>"
    empty = box(p("Click to add"), kind="outline", options='presentation:placeholder="true"')
    document = read_odp(page(group, empty, turned, box(items("a", "b"), 1, 4), box(p("Seals"), kind="title")))
    assert headings(document) == [(1, "Seals")]
    assert shown(document) == ["– a\n– b", "turned", "pump", "valve"]


def test_tables_charts_and_sheets_are_tables() -> None:
    figures = f"<chart:title>{p('Leaks')}</chart:title>{table(row('', 'bar'), row('May', '4.1'))}"
    chart = f"<office:chart><chart:chart>{figures}</chart:chart></office:chart>"
    sheet = f"<office:spreadsheet>{table(row('a', 'b'), row('1', '2'))}</office:spreadsheet>"
    frames = [box(f'<draw:object xlink:href="./{name}"/>', 1, 3 * at) for at, name in enumerate(("Chart", "Sheet"), 1)]
    own = box(table(row("x", "y"), row("z", "w")), 1, 12)
    document = read_odp(page(*frames, own), Chart=chart, Sheet=sheet)
    assert [found.rows[0] for found in document.tables] == [("", "bar"), ("a", "b"), ("x", "y")]
    assert document.tables[0].caption == "Leaks"


def test_notes_footers_hidden_slides_and_objects() -> None:
    first = page(box(p("One"), kind="title"), notes="Greet them.", options='presentation:use-footer-name="f"')
    lost = box('<draw:object-ole xlink:href="./Object"/>', 1, 5)
    document = read_odp(first, page(box(p("Two"), kind="title"), lost, style="dp2"))
    assert headings(document) == [(1, "One"), (2, "Speaker notes"), (1, "Two")]
    assert shown(document) == ["Greet them."]
    assert texts(document, BlockKind.FURNITURE) == ["Harbour works"]
    assert [finding.name for finding in document.findings] == ["hidden-content", "lost-part"]


@pytest.mark.parametrize("name", ["a.odp", "a.otp", "a.pptx", "a"])
def test_a_presentation_is_known_under_any_name(name: str) -> None:
    assert choose_parser(Raw(name, odp(page(box(p("x")))))) == "odp"
    assert choose_parser(Raw(name, odp(page(box(p("x"))), kind=f"{TYPE}-template"))) == "odp"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (
            odp(page(box(p("x"))), manifest='<file-entry full-path="content.xml"><encryption-data/></file-entry>'),
            "encrypted-file",
        ),
        (odp(page(box(p("x"))))[:700], "truncated-file"),
        (archive({"mimetype": TYPE, "content.xml": "<x/>"}, packed=False), "unreadable-file"),
        (odp(page("<draw:g>" * 5_000 + "</draw:g>" * 5_000)), "unreadable-file"),
    ],
)
def test_what_is_not_read_says_why(data: bytes, fault: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.odp", data))
    assert caught.value.name == fault
    assert "parser failed" not in str(caught.value)


WORDS = st.lists(st.text(alphabet="abcdefghij中文XYZ😀é", min_size=1, max_size=8), min_size=1, max_size=5).map(" ".join)


@examples(2)
@given(slides=st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=3))
def test_no_word_is_lost(slides: list[list[str]]) -> None:
    document = read_odp(
        *(page(box(p(words[0]), kind="title"), box("".join(map(p, words[1:])), 1, 5)) for words in slides)
    )
    keeps_its_promises(document)
    assert document.text.split() == " ".join(word for words in slides for word in words).split()


@pytest.mark.parametrize("number", [40, pytest.param(100, marks=pytest.mark.slow)])
def test_damaged_presentations_are_read_or_refused_in_one_line(number: int) -> None:
    dice, whole = random.Random("odp"), [SAMPLE.read_bytes(), odp(page(box(p("x")), box(items("a"), 1, 5)))]
    for _ in range(number):
        is_read_or_refused(Raw("a.odp", damage(dice, whole)))
