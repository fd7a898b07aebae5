"""Presentations: the order of shapes, lists, tables, charts, diagrams, notes and what is set aside."""

from __future__ import annotations

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_office import SLIDE_NAMES, deck, frame, paragraph, read_slides, shape, slide, transform
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document, Merge

CHART = f"<c:chartSpace {SLIDE_NAMES}><c:chart>{{}}</c:chart></c:chartSpace>"
BULLETS = (
    '<a:lstStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="•"/></a:lvl2pPr></a:lstStyle>'
)


def words(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks]


def title(text: str) -> str:
    return shape(text, transform(1, 0.5, 8), "title")


def test_slides_are_pages_and_their_titles_headings() -> None:
    document = read_slides(
        slide(title("First"), shape("one", transform(1, 2))),
        slide(shape("untitled", transform(1, 2))),
        slide(shape("below", transform(1, 2)), title("Third")),
    )
    keeps_its_promises(document)
    assert [(block.kind, block.page, block.section) for block in document.blocks] == [
        (BlockKind.HEADING, 1, ("First",)),
        (BlockKind.PARAGRAPH, 1, ("First",)),
        (BlockKind.PARAGRAPH, 2, ()),
        (BlockKind.HEADING, 3, ("Third",)),
        (BlockKind.PARAGRAPH, 3, ("Third",)),
    ]
    assert (document.total_pages, document.title) == (3, "First")
    box = document.blocks[1].regions[0].box
    assert (box.x0, box.top, box.x1, box.bottom) == (72, 144, 216, 180)


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ({"a": (1, 1), "b": (1, 2), "c": (6, 1), "d": (6, 2)}, "abcd"),  # two columns
        ({"a": (1, 1), "b": (3.2, 1), "c": (1, 4), "d": (3.2, 4)}, "abcd"),  # two rows of labels and texts
        ({"d": (6, 5), "c": (1, 5), "b": (1, 3), "a": (1, 1)}, "abcd"),
    ],
)
def test_shapes_are_read_by_the_gaps_between_them(places: dict[str, tuple[float, float]], order: str) -> None:
    document = read_slides(slide(*(shape(name, transform(*place)) for name, place in places.items())))
    assert "".join(words(document)) == order


def test_a_group_stays_together_in_its_own_measure() -> None:
    group = (
        '<p:grpSp><p:grpSpPr><a:xfrm><a:off x="914400" y="914400"/><a:ext cx="914400" cy="914400"/>'
        f'<a:chOff x="0" y="0"/><a:chExt cx="9144000" cy="9144000"/></a:xfrm></p:grpSpPr>'
        f"{shape('one', transform(0, 0))}{shape('two', transform(0, 9))}</p:grpSp>"
    )
    document = read_slides(slide(shape("after", transform(1, 5)), group))
    assert words(document) == ["one", "two", "after"]
    assert document.blocks[1].regions[0].box.top == pytest.approx(72 + 0.9 * 72)


def test_items_have_levels_marks_and_inherit_bullets() -> None:
    body = (
        BULLETS + paragraph("one") + paragraph("below", 'lvl="1"') + paragraph("two") + paragraph("not", "><a:buNone/>")
    )
    numbered = "".join(
        paragraph(text, f'><a:buAutoNum type="{kind}"/>')
        for text, kind in [("a", "arabicPeriod"), ("b", "arabicPeriod"), ("c", "romanLcParenBoth")]
    )
    document = read_slides(slide(shape(body, transform(1, 1)), shape(numbered, transform(1, 3))))
    assert words(document) == ["- one\n  - below\n- two", "not", "1. a\n2. b\n(iii) c"]
    keeps_its_promises(document)


def test_placeholders_inherit_place_and_bullets_from_layout_and_master() -> None:
    layout = (
        slide(shape("", transform(1, 4), "body")).replace("p:sld ", "p:sldLayout ").replace("/p:sld>", "/p:sldLayout>")
    )
    master = (
        f"<p:sldMaster {SLIDE_NAMES}><p:cSld><p:spTree/></p:cSld><p:txStyles><p:bodyStyle>"
        '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr></p:bodyStyle></p:txStyles></p:sldMaster>'
    )
    links = '<Relationships><Relationship Id="m" Type="x/slideMaster" Target="../m.xml"/></Relationships>'
    document = read_slides(
        slide(shape("item", "", "body"), shape("above", transform(1, 1))),
        own={"l": ("slideLayout", "../layouts/l.xml")},
        parts={"ppt/layouts/l.xml": layout, "ppt/layouts/_rels/l.xml.rels": links, "ppt/m.xml": master},
    )
    assert words(document) == ["above", "- item"]


def test_tables_have_merged_cells_and_a_place_for_each_row() -> None:
    def cell(text: str, extra: str = "") -> str:
        return f"<a:tc {extra}><a:txBody>{paragraph(text)}</a:txBody></a:tc>"

    rows = [
        cell("Region", 'rowSpan="2"') + cell("2025", 'gridSpan="2"') + cell("", 'hMerge="1"'),
        cell("", 'vMerge="1"') + cell("H1") + cell("H2"),
        cell("North") + cell("1") + cell("2"),
    ]
    inner = "".join(f'<a:tr h="914400">{row}</a:tr>' for row in rows)
    document = read_slides(slide(frame(f'<a:tbl><a:tblPr firstRow="1"/>{inner}</a:tbl>')))
    keeps_its_promises(document)
    table = document.tables[0]
    assert table.rows == (("Region", "2025", ""), ("", "H1", "H2"), ("North", "1", "2"))
    assert (table.header_rows, table.merges) == (2, (Merge(0, 0, 2, 1), Merge(0, 1, 1, 2)))
    assert [region.box.top for region in document.blocks[0].regions] == [72, 144, 216]


def series(name: str, categories: str, values: dict[int, float], code: str = "General") -> str:
    points = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in values.items())
    return (
        f"<c:ser><c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>{name}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
        f"<c:cat>{categories}</c:cat><c:val><c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{points}"
        "</c:numCache></c:numRef></c:val></c:ser>"
    )


def strings(*names: str) -> str:
    points = "".join(f'<c:pt idx="{at}"><c:v>{name}</c:v></c:pt>' for at, name in enumerate(names))
    return f"<c:strRef><c:strCache><c:ptCount val='999999999'/>{points}</c:strCache></c:strRef>"


def charted(area: str, heading: str = "") -> Document:
    named = f"<c:title><c:tx><c:rich>{paragraph(heading)}</c:rich></c:tx></c:title>" if heading else ""
    return read_slides(
        slide(frame('<c:chart r:id="c"/>')),
        own={"c": ("chart", "../charts/c.xml")},
        parts={"ppt/charts/c.xml": CHART.format(f"{named}<c:plotArea>{area}</c:plotArea>")},
    )


def test_a_chart_is_the_table_of_its_figures() -> None:
    names = strings("Q1 2025", "Q2 2025")
    axis = f"<c:valAx><c:title><c:tx><c:rich>{paragraph('USD million')}</c:rich></c:tx></c:title></c:valAx>"
    one, two = series("Sold", names, {0: 60.5, 1: 64.25}, "0.0"), series("Share", names, {1: 0.4}, "0%")
    document = charted(f"<c:barChart>{one}</c:barChart><c:lineChart>{two}</c:lineChart>{axis}", "Revenue")
    keeps_its_promises(document)
    assert document.tables[0].rows == (("", "Sold", "Share"), ("Q1 2025", "60.5", ""), ("Q2 2025", "64.3", "40%"))
    assert document.tables[0].caption == "Revenue (USD million)"


def test_categories_may_be_days_have_levels_or_differ() -> None:
    march = "<c:formatCode>mmm-yy</c:formatCode><c:pt idx='0'><c:v>45720</c:v></c:pt>"
    days = f"<c:numRef><c:numCache>{march}</c:numCache></c:numRef>"
    quarters = "<c:lvl><c:pt idx='0'><c:v>Q1</c:v></c:pt><c:pt idx='1'><c:v>Q2</c:v></c:pt></c:lvl>"
    levels = (
        f"<c:multiLvlStrRef><c:multiLvlStrCache>{quarters}"
        "<c:lvl><c:pt idx='0'><c:v>2025</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>"
    )
    document = charted(series("A", days, {0: 1}) + series("B", levels, {0: 2, 1: 3}))
    assert [table.rows for table in document.tables] == [
        (("", "A"), ("Mar-2025", "1")),
        (("", "", "B"), ("2025", "Q1", "2"), ("2025", "Q2", "3")),
    ]


def test_a_diagram_is_a_list_and_may_turn_in_circles() -> None:
    def point(name: str, text: str, kind: str = "node") -> str:
        return f'<dgm:pt modelId="{name}" type="{kind}"><dgm:t>{paragraph(text)}</dgm:t></dgm:pt>'

    def link(above: str, below: str, order: int) -> str:
        return f'<dgm:cxn srcId="{above}" destId="{below}" srcOrd="{order}"/>'

    data = (
        f"<dgm:dataModel {SLIDE_NAMES}><dgm:ptLst>{point('d', '', 'doc')}{point('1', 'Plan')}{point('2', 'Build')}"
        f"{point('3', 'Draw')}{point('p', 'skip', 'pres')}</dgm:ptLst>"
        f"<dgm:cxnLst>{link('d', '2', 1)}{link('d', '1', 0)}{link('1', '3', 0)}{link('3', '1', 0)}"
        "</dgm:cxnLst></dgm:dataModel>"
    )
    document = read_slides(
        slide(frame('<dgm:relIds r:dm="d"/>')),
        own={"d": ("diagramData", "../d.xml")},
        parts={"ppt/d.xml": data},
    )
    assert words(document) == ["- Plan\n  - Draw\n- Build"]


def test_notes_are_marked_and_furniture_is_set_aside_once() -> None:
    said = shape("Say this.", "", "body"), shape("7", "", "sldNum"), shape("In a box beside."), shape("7")
    notes = slide(*said).replace("p:sld ", "p:notes ")
    one = slide(title("Plan"), shape("Confidential", transform(1, 7), "ftr"), shape("1", transform(8, 7), "sldNum"))
    document = read_slides(
        one,
        slide(shape("Confidential", transform(1, 7), "ftr"), shape("text", transform(1, 1))),
        own={"n": ("notesSlide", "../n.xml")},
        parts={"ppt/n.xml": notes.replace("/p:sld>", "/p:notes>")},
    )
    keeps_its_promises(document)
    assert [(block.kind, document.text[block.start : block.end]) for block in document.blocks] == [
        (BlockKind.HEADING, "Plan"),
        (BlockKind.FURNITURE, "Confidential"),
        (BlockKind.HEADING, "Speaker notes"),
        (BlockKind.PARAGRAPH, "Say this."),
        (BlockKind.PARAGRAPH, "In a box beside."),
        (BlockKind.PARAGRAPH, "text"),
    ]
    assert document.blocks[3].section == ("Plan", "Speaker notes")
    assert document.blocks[5].section == ()


def test_hidden_slides_are_read_with_a_finding_and_hidden_shapes_are_not() -> None:
    document = read_slides(slide(title("A")), slide(title("B"), shape("off", extra='hidden="1"'), extra='show="0"'))
    assert words(document) == ["A", "B"]
    assert [(each.name, each.page) for each in document.findings] == [("hidden-content", 2)]


def test_breaks_fields_and_alternatives_are_words() -> None:
    text = (
        "<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:fld><a:t>two</a:t></a:fld></a:p>"
        "<mc:AlternateContent><mc:Choice><a:p/></mc:Choice><mc:Fallback>" + paragraph("three") + "</mc:Fallback>"
        "</mc:AlternateContent>"
    )
    assert words(read_slides(slide(shape(text)))) == ["one\ntwo", "three"]


def test_a_presentation_is_known_under_any_name_and_refused_by_its_own_when_cut() -> None:
    data = deck(slide(title("A")), slide(title("B")))
    assert choose_parser(Raw("x.docx", data)) == "pptx"
    for share in (0.3, 0.6, 0.9):
        with pytest.raises(UnreadableFile, match="the PPTX file ends too early"):
            read(Raw("a.xlsx", data[: int(len(data) * share)]))


@pytest.mark.parametrize("depth", [30, 200, 2_000])
def test_groups_inside_groups_end(depth: int) -> None:
    data = deck(slide("<p:grpSp>" * depth + shape("deep") + "</p:grpSp>" * depth, title("there")))
    try:
        said = read(Raw("a.pptx", data)).text
    except UnreadableFile as problem:
        said = f"there is a reason: {problem}"
    assert "there" in said


@pytest.mark.parametrize("place", ['x="nan" y="9e99"', 'x="99999999999999999999" y="-1"', 'x="" y="a"'])
def test_odd_places_do_no_harm(place: str) -> None:
    odd = f'<a:xfrm><a:off {place}/><a:ext cx="-5" cy="1e400"/></a:xfrm>'
    document = read_slides(slide(shape("odd", odd), shape("other", transform(1, 1))))
    keeps_its_promises(document)
    assert sorted(words(document)) == ["odd", "other"]
