"""OpenDocument texts: headings, lists, tables, notes, and what is left out."""

from __future__ import annotations

import random
import zipfile
from datetime import date
from io import BytesIO

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.tasks.parsers.raw_mail import headings, shown, texts
from tests.tasks.parsers.raw_odt import AUTOMATIC, NAMESPACES, TYPE, cell, h, items, note, odt, p, read_odt, row, table
from tests.tasks.parsers.raw_office import archive
from tests.tasks.parsers.test_fuzz import damage, is_read_or_refused
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateOrigin, Merge


def test_headings_by_element_and_by_style() -> None:
    document = read_odt(p("Pump report", "Title") + h("Findings") + p("Words.") + h("Seal", 2) + p("Next", "P1"))
    assert headings(document) == [(1, "Pump report"), (1, "Findings"), (2, "Seal"), (1, "Next")]
    assert document.title == "Pump report"


def test_white_space_is_as_the_program_shows_it() -> None:
    document = read_odt(p("a\n   b<text:s text:c='3'/>c<text:tab/>d<text:line-break/>e <text:span>f</text:span> g"))
    assert document.text == "a b   c\td\ne f g"


def test_lists_with_their_numbers() -> None:
    inner = items("deep", "deeper", style="L1")
    document = read_odt(items("one", p("two") + inner, "three", style="L1") + p("-") + items("x", "y"))
    assert texts(document, BlockKind.LIST) == [
        "1. one\n2. two\n  2.a) deep\n  2.b) deeper\n3. three",
        "– x\n– y",
    ]
    again = items("a", style="L1") + p("-") + items("b", style="L1", options='text:continue-numbering="true"')
    assert texts(read_odt(again), BlockKind.LIST) == ["1. a", "2. b"]


def test_tables_with_spans_and_header_rows() -> None:
    covered = "<table:covered-table-cell/>"
    document = read_odt(
        p("Table 1: Pressure", "Caption")
        + table(
            row(cell("Day", 'table:number-rows-spanned="2"'), cell("bar", 'table:number-columns-spanned="2"'), covered),
            row(covered, "in", "out"),
            row("12 March", "4.1", "3.9"),
            row("", cell("", 'table:number-columns-repeated="16000"'), options='table:number-rows-repeated="1000000"'),
            headers=2,
        )
    )
    (found,) = document.tables
    assert found.rows == (("Day", "bar", ""), ("", "in", "out"), ("12 March", "4.1", "3.9"))
    assert found.header_rows == 2
    assert found.caption == "Table 1: Pressure"
    assert set(found.merges) == {Merge(0, 0, 2, 1), Merge(0, 1, 1, 2)}


def test_tables_in_tables_and_frames_around_words() -> None:
    inner = table(row("a", "b"), row("1", "2"))
    document = read_odt(table(row(cell(p("framed") + inner))) + table(row("x", cell(p("y") + inner)), row("z", "w")))
    assert [found.rows[0] for found in document.tables] == [("a", "b"), ("x", "y"), ("a", "b")]
    assert shown(document)[0] == "framed"


def test_notes_stand_below_what_refers_to_them() -> None:
    document = read_odt(
        p(f"In 2024{note('1', 'A dry year.')} it{note('i', 'The pump.', 'endnote')} leaked.") + p("After.")
    )
    assert shown(document) == ["In 2024[1] it[i] leaked.", "[1] A dry year.", "After.", "[i] The pump."]


def test_deletions_comments_and_hidden_words_are_left_out() -> None:
    region = f"<text:changed-region><text:deletion>{p('gone')}</text:deletion></text:changed-region>"
    deleted = f"<text:tracked-changes>{region}</text:tracked-changes>"
    comment = f"<office:annotation><dc:creator>Tom</dc:creator>{p('comment')}</office:annotation>"
    hidden = '<text:span text:style-name="T9">hidden</text:span>'
    assert read_odt(deleted + p(f"Kept{comment}<text:change/>{hidden}.")).text == "Kept."


def test_text_boxes_follow_their_paragraph_and_fields_are_shown() -> None:
    box = f"<draw:frame><draw:text-box>{p('boxed')}</draw:text-box><svg:desc>a box</svg:desc></draw:frame>"
    document = read_odt(p(f"Before {box}after <text:title>Name</text:title>") + p("x", "Preformatted_20_Text"))
    assert shown(document) == ["Before after Name", "boxed", "x"]
    assert document.blocks[-1].kind is BlockKind.CODE


def test_properties_headers_and_footers() -> None:
    meta = (
        "<dc:title>Pump report</dc:title><meta:initial-creator>Anna Weber</meta:initial-creator>"
        "<meta:creation-date>2025-03-12T14:05:00.123456789</meta:creation-date><dc:date>2025-03-14T08:00:00</dc:date>"
    )
    header, footer = p("Harbour works"), p("Page 1")
    pages = (
        f"<style:header>{header}</style:header><style:header-left>{header}</style:header-left>"
        f"<style:footer>{footer}</style:footer>"
    )
    document = read_odt(p("Words."), meta=meta, pages=pages)
    assert (document.title, document.authors) == ("Pump report", ("Anna Weber",))
    assert [(claim.date, claim.origin) for claim in document.dates] == [
        (date(2025, 3, 12), DateOrigin.PROPERTIES),
        (date(2025, 3, 14), DateOrigin.PROPERTIES),
    ]
    assert texts(document, BlockKind.FURNITURE) == ["Harbour works", "Page 1"]


@pytest.mark.parametrize("name", ["a.odt", "a.ott", "a.docx", "a"])
def test_a_text_is_known_under_any_name(name: str) -> None:
    assert choose_parser(Raw(name, odt(p("x")))) == "odt"
    assert choose_parser(Raw(name, odt(p("x"), kind=f"{TYPE}-template"))) == "odt"
    manifest = f'<manifest><file-entry media-type="{TYPE}"/></manifest>'
    assert choose_parser(Raw(name, archive({"content.xml": "<x/>", "META-INF/manifest.xml": manifest}))) == "odt"


def refused(data: bytes) -> UnreadableFile:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.odt", data))
    assert "\n" not in str(caught.value)
    assert "parser failed" not in str(caught.value)
    assert caught.value.cure
    return caught.value


def test_harm_ends_in_one_line() -> None:
    whole = odt(h("Findings") + p("Words."))
    assert refused(whole[: len(whole) // 2]).name == "truncated-file"
    assert (
        refused(odt(p("x"), manifest='<file-entry full-path="content.xml"><encryption-data/></file-entry>')).name
        == "encrypted-file"
    )
    assert "deep" in str(refused(odt("<text:section>" * 5_000 + "</text:section>" * 5_000))).lower()
    assert refused(archive({"mimetype": TYPE, "content.xml": "<x/>"}, packed=False)).name == "unreadable-file"
    target = BytesIO(archive({"mimetype": TYPE}, packed=False))
    with zipfile.ZipFile(target, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as opened:
        opened.writestr("content.xml", bytes(300 * 2**20))
    assert refused(target.getvalue()).name == "too-large-file"


def test_damaged_texts_are_read_or_refused() -> None:
    whole = odt(
        h("Findings") + p(f"Words{note('1', 'n')}.") + items("a", "b", style="L1") + table(row("a", "b"), row("1", "2"))
    )
    dice = random.Random("odt")
    for _ in range(200):
        is_read_or_refused(Raw("a.odt", damage(dice, [whole])))


OUTLINE = (
    '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="I" '
    'style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
    '<text:outline-level-style text:level="3" style:num-format="a" loext:num-list-format="%2%-(%3%)"/>'
    "</text:outline-style>"
    + "".join(f'<style:style style:name="H{each}" style:default-outline-level="{each}"/>' for each in (1, 2, 3))
    + '<style:style style:name="Bare" style:parent-style-name="H1" style:list-style-name=""/>'
)


def heading(text: str, level: int, options: str = "") -> str:
    return f'<text:h text:style-name="H{level}" text:outline-level="{level}" {options}>{text}</text:h>'


def test_numbers_of_headings_are_counted_through_the_document() -> None:
    body = (
        heading("a", 1) + heading("b", 2) + heading("c", 2) + heading("d", 3) + heading("e", 1) + heading("f", 2)
        + heading("none", 1, 'text:is-list-header="true"')
        + heading("g", 1, 'text:restart-numbering="true" text:start-value="7"')
        + h("unstyled") + heading("bare", 1).replace("H1", "Bare")
        + f'<text:list text:style-name="Outline"><text:list-item>{heading("h", 1)}</text:list-item></text:list>'
        + f'<text:list text:style-name="L1"><text:list-item>{h("listed")}</text:list-item></text:list>'
    )  # fmt: skip
    assert [words for _, words in headings(read_odt(body, styles=OUTLINE))] == [
        "I. a", "I.1 b", "I.2 c", "2-(a) d", "II. e", "II.1 f", "none", "VII. g", "unstyled", "bare", "VIII. h",
        "1. listed",
    ]  # fmt: skip


def test_a_link_with_a_picture_keeps_its_words() -> None:
    frame = f"<draw:frame><draw:text-box>{p('boxed')}</draw:text-box></draw:frame>"
    document = read_odt(p(f"See <text:a>the {frame}<text:span>plan</text:span></text:a> below."))
    assert texts(document, BlockKind.PARAGRAPH) == ["See the plan below.", "boxed"]


def test_a_text_of_openoffice_1_is_read_as_one_of_today() -> None:
    old_note = (
        "<text:footnote><text:footnote-citation>1</text:footnote-citation><text:footnote-body>"
        f"{p('Old note.')}</text:footnote-body></text:footnote>"
    )
    body = (
        '<text:h text:level="2">Findings</text:h>' + p(f"Words{old_note}<draw:text-box>{p('boxed')}</draw:text-box>.")
        + f'<text:ordered-list text:style-name="L1"><text:list-item>{p("one")}</text:list-item></text:ordered-list>'
        + '<text:p>Seen<text:span text:style-name="Away"> hidden</text:span></text:p>'
    )  # fmt: skip
    hidden = '<style:style style:name="Away"><style:properties text:display="none"/></style:style>'
    kind = "application/vnd.sun.xml.writer"
    data = archive({
        "mimetype": kind,
        "content.xml": f"<office:document-content {NAMESPACES}><office:automatic-styles>{AUTOMATIC}{hidden}"
        f"</office:automatic-styles><office:body>{body}</office:body></office:document-content>",
        "meta.xml": f"<office:document-meta {NAMESPACES}><office:meta><dc:title>Pump</dc:title></office:meta>"
        "</office:document-meta>",
    })  # fmt: skip
    for name in ("a.sxw", "a.stw", "a"):
        assert choose_parser(Raw(name, data)) == "odt"
    document = read(Raw("a.sxw", data))
    assert (document.title, headings(document)) == ("Pump", [(2, "Findings")])
    assert shown(document) == ["Words[1].", "[1] Old note.", "boxed", "1. one", "Seen"]


def test_an_item_that_holds_a_list_alone_is_not_counted() -> None:
    inner = items("a", "b", style="L1")
    body = items("one", inner, style="L1") + items(inner, "two", style="L1", options='text:continue-numbering="true"')
    assert shown(read_odt(body)) == ["1. one\n  1.a) a\n  1.b) b\n  1.a) a\n  1.b) b\n2. two"]
