"""Workbooks: what is a table and what a text on a sheet, and what each cell shows."""

from __future__ import annotations

import zipfile
from datetime import date
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tasks.parsers.sheets.workbook_package import format_column
from tasks.tables.cells import read_cells
from tests.examples import examples
from tests.tasks.parsers.conftest import OFFICE
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_office import (
    NAMES,
    SLIDE_NAMES,
    archive,
    c,
    links,
    read_sheets,
    row,
    rows,
    sheet,
    workbook,
)
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateOrigin, Document, Kind

DAY = (date(2025, 3, 4) - date(1899, 12, 30)).days
QUARTERS = ("Item", "Q1 2025", "Q2 2025")


def tables(document: Document) -> list[tuple[tuple[str, ...], ...]]:
    return [table.rows for table in document.tables]


def paragraphs(document: Document) -> list[str]:
    return [document.text[each.start : each.end] for each in document.blocks if each.kind is not BlockKind.TABLE]


def test_each_sheet_is_a_section_with_its_name() -> None:
    document = read_sheets(sheet(rows(["a"])), sheet(rows(["b"])), names=("Revenue & costs", "Q1 <draft>"))
    assert document.text == "Revenue & costs\n\na\n\nQ1 <draft>\n\nb"
    assert [block.section for block in document.blocks if block.kind is BlockKind.PARAGRAPH] == [
        ("Revenue & costs",),
        ("Q1 <draft>",),
    ]


def test_islands_are_tables_with_the_lines_above_as_their_title() -> None:
    left = rows(["Costs"], ["EUR million"], QUARTERS, ["Rent", 10, 11], ["Power", 4, 5], [], [], ["Prepared by Ada."])
    right = "".join(row(each, values, left=6) for each, values in enumerate([["Team", "People"], ["Lab", 12]], 3))
    document = read_sheets(sheet(left + right))
    assert tables(document) == [
        (QUARTERS, ("Rent", "10", "11"), ("Power", "4", "5")),
        (("Team", "People"), ("Lab", "12")),
    ]
    assert [each.caption for each in document.tables] == ["Costs EUR million", ""]
    assert paragraphs(document) == ["One", "Costs", "EUR million", "Prepared by Ada."]


@pytest.mark.parametrize("gap", [0, 1])
@pytest.mark.parametrize("heads", [(), ("Region A", "Region B", "Region C")])
def test_tables_side_by_side_share_the_title_above_the_first(heads: tuple[str, ...], gap: int) -> None:
    years, places = ["", "2024", "2023"], (1, 5, 9)
    lines = [row(1, ["Sales, year ended 31 March 2024"], left=1)]
    for place, left in enumerate(places):
        block = [*([[heads[place]]] if heads else []), years, ["Hats", 10, 9], ["Gloves", 5, 4]]
        lines += [row(number, each, left=left) for number, each in enumerate(block, 2 + gap)]
    document = read_sheets(sheet("".join(lines)))
    assert [each.caption for each in document.tables] == [
        f"Sales, year ended 31 March 2024 {head}".strip() for head in heads or ("", "", "")
    ]


def test_a_figure_has_the_period_of_a_header_that_is_a_real_date() -> None:
    head = row(1, [None, DAY, DAY + 31], style=1)
    document = read_sheets(sheet(head + rows(["Revenue (USD thousand)", 1200, 1300], top=2)), formats=("mmm-yy",))
    found = [each for each in read_cells(document, ()) if each.value is not None]
    assert [(each.value, each.currency, each.period_start, each.period_end) for each in found] == [
        (1_200_000.0, "USD", date(2025, 3, 1), date(2025, 4, 1)),
        (1_300_000.0, "USD", date(2025, 4, 1), date(2025, 5, 1)),
    ]


def test_a_header_of_two_rows_is_put_together_by_its_merged_cells() -> None:
    data = rows(["Region", 2024, None, 2025], [None, "H1", "H2", "H1"], ["North", 1.5, 2.5, 3.5])
    merges = '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>'
    document = read_sheets(sheet(data, after=merges))
    assert document.tables[0].header_rows == 2
    headers = [each.column_header for each in read_cells(document, ()) if each.value is not None]
    assert headers == ["2024 / H1", "2024 / H2", "2025 / H1"]


def test_a_time_merged_over_all_figures_is_a_header_and_a_title_merged_over_them_is_none() -> None:
    body = rows(["Region", "H1", "H2"], ["North", 1.5, 2.5], top=2)
    merges = '<mergeCells><mergeCell ref="B1:C1"/></mergeCells>'
    dated = read_sheets(sheet(rows([None, "Year ended 31 December 2024"]) + body, after=merges))
    headers = [each.column_header for each in read_cells(dated, ()) if each.value is not None]
    assert headers == ["Year ended 31 December 2024 / H1", "Year ended 31 December 2024 / H2"]
    titled = read_sheets(sheet(rows([None, "Sales by region"]) + body, after=merges))
    assert (titled.tables[0].caption, titled.tables[0].header_rows) == ("Sales by region", 1)


def test_figures_behind_a_narrow_column_stay_with_their_labels() -> None:
    document = read_sheets(sheet(rows(["Item", None, "2024", "2025"], ["Rent", None, 1, 2], ["Power", None, 3, 4])))
    assert tables(document) == [(("Item", "2024", "2025"), ("Rent", "1", "2"), ("Power", "3", "4"))]


def test_what_is_filled_in_stands_with_the_label_of_its_row() -> None:
    dates = rows(["Start date:", None, None, None, "2024-09-24", None, "Place:", None, "Pier 7"], [])
    alone = rows(["Pump", None, None, "P-7"], ["Keeper", None, None, "Ada Lund"], [], ["Fax:", None, "Date:"], top=3)
    few = rows(["Customer", None, "Invoice address"], ["Name"], ["Town"], ["Phone"], top=8)
    document = read_sheets(sheet(dates + alone + few))
    assert paragraphs(document)[1:3] == ["Start date: 2024-09-24", "Place: Pier 7"]
    assert tables(document) == [(("Pump", "P-7"), ("Keeper", "Ada Lund"))]
    assert paragraphs(document)[3:5] == ["Fax:", "Date:"]
    assert "Invoice address" in paragraphs(document)


def test_rows_below_a_blank_one_go_on_with_the_table() -> None:
    data = rows(
        QUARTERS, ["Rent", 10, 11], ["Power", 4, 5], [], ["Assets"], ["Cash", 7, 8], [], ["Team", "Lead", "Since"]
    )
    document = read_sheets(sheet(data))
    assert tables(document) == [
        (QUARTERS, ("Rent", "10", "11"), ("Power", "4", "5"), ("Assets", "", ""), ("Cash", "7", "8"))
    ]
    assert paragraphs(document)[-1] == "Team Lead Since"


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        (["Name", "Role"], ["Ada", "Chair"], 1),
        (["Year", "Sold"], [2024, 5], 1),
        (["Revenue", 100], ["Costs", 50], 0),
        (["Task", "Begin"], ["Dig", "soon"], 1),
    ],
)
def test_headers_are_the_rows_before_the_first_data(head: list[object], body: list[object], expected: int) -> None:
    document = read_sheets(sheet(rows(head, body, body)))
    assert document.tables[0].header_rows == expected


def test_frozen_rows_and_filters_say_what_the_header_is() -> None:
    data = rows(["", "North", "South"], ["Plan", "a", "b"], ["x", "y", "z"], ["x", "y", "w"])
    pane = '<sheetViews><sheetView><pane ySplit="2" state="frozen"/></sheetView></sheetViews>'
    assert read_sheets(sheet(data, before=pane)).tables[0].header_rows == 2
    assert read_sheets(sheet(data, after='<autoFilter ref="A2:C4"/>')).tables[0].header_rows == 2


def test_a_table_of_excels_own_has_its_header_and_touches_no_neighbour() -> None:
    data = rows(["Order", "Amount"], ["A-1", 5], ["A-2", 6], ["Right below", None, 9])
    part = f'<table {NAMES} ref="A1:B3" headerRowCount="1"/>'
    document = read_sheets(sheet(data), own={"t": ("table", "../tables/t.xml")}, parts={"xl/tables/t.xml": part})
    assert tables(document) == [(("Order", "Amount"), ("A-1", "5"), ("A-2", "6"))]
    assert paragraphs(document)[1:] == ["Right below 9"]


def test_names_and_values_with_colons_are_lines() -> None:
    document = read_sheets(sheet(rows(["Client:", "Northlight"], ["Period:", 2025], ["Signed by:", "Bo"])))
    assert paragraphs(document)[1:] == ["Client: Northlight", "Period: 2025", "Signed by: Bo"]


def test_a_title_with_a_single_row_below_it_is_lines() -> None:
    document = read_sheets(
        sheet(rows(["Night shifts"], ["Week commencing", "2 Sep 2024"], [], ["Nurse", "Mon"], ["Bo", 8]))
    )
    assert paragraphs(document)[1:] == ["Night shifts", "Week commencing 2 Sep 2024"]
    assert [table[0] for table in tables(document)] == [("Nurse", "Mon")]


def test_texts_of_every_kind_are_read() -> None:
    shared = ["<t>plain</t>", "<r><t>rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh>", "<t>line_x000a_break</t>"]
    data = "".join(f'<c r="A{at}" t="s"><v>{at - 1}</v></c>' for at in range(1, 5))
    cells_of = data.split("</c>")[:-1]
    body = "".join(f'<row r="{at}">{cell}</c></row>' for at, cell in enumerate(cells_of, 1))
    body += (
        '<row r="6"><c r="A6" t="str"><f>A1</f><v>formula</v></c></row><row r="7"><c r="A7" t="b"><v>1</v></c></row>'
    )
    body += '<row r="8"><c r="A8" t="d" s="1"><v>2025-03-04T00:00:00</v></c></row>'
    document = read_sheets(sheet(body), strings=shared, formats=("yyyy-mm-dd",))
    words = document.text.split("\n")
    assert [each for each in words if each] == [
        "One", "plain", "rich text", "line", "break", "formula", "TRUE", "2025-03-04",
    ]  # fmt: skip


def test_cells_and_rows_without_places_follow_each_other() -> None:
    document = read_sheets(sheet("<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c><c><v>4</v></c></row>"))
    assert tables(document) == [(("1", "2"), ("3", "4"))]


def test_what_is_hidden_is_left_out_and_said_to_be() -> None:
    data = rows(QUARTERS, ["Rent", 10, 11]) + row(3, ["hidden", 1, 2], extra='hidden="1"')
    data += row(4, ["grouped", 3, 4], extra='hidden="1" outlineLevel="1"') + rows(["Power", 4, 5], top=5)
    columns = '<cols><col min="3" max="3" hidden="1"/></cols>'
    document = read_sheets(sheet(data, before=columns), sheet(rows(["secret"])), states=("", "veryHidden"))
    assert tables(document) == [(("Item", "Q1 2025"), ("Rent", "10"), ("grouped", "3"), ("Power", "4"))]
    assert "secret" not in document.text
    assert [finding.message for finding in document.findings] == [
        "hidden sheets are left out: “Two”",
        "sheet “One”: 1 row and 1 column hidden and left out",
    ]


def test_rows_that_a_filter_hides_are_read() -> None:
    data = rows(QUARTERS, ["Rent", 10, 11]) + row(3, ["filtered", 1, 2], extra='hidden="1"')
    used = '<autoFilter ref="A1:C3"><filterColumn colId="0"/></autoFilter>'
    assert "filtered" in read_sheets(sheet(data, after=used)).text
    assert "filtered" not in read_sheets(sheet(data, after='<autoFilter ref="A1:C3"/>')).text


def test_errors_and_formulas_without_a_value_are_findings() -> None:
    data = (
        rows(QUARTERS)
        + '<row r="2">'
        + c("A2", "Rent")
        + '<c r="B2" t="e"><v>#REF!</v></c><c r="C2"><f>B2</f></c></row>'
    )
    document = read_sheets(sheet(data + rows(["Power", 1, 2], top=3)))
    assert tables(document) == [(QUARTERS, ("Rent", "#REF!", ""), ("Power", "1", "2"))]
    assert [(each.name, each.message) for each in document.findings] == [
        ("cell-errors", "a cell of sheet “One” shows #REF!: B2"),
        ("uncalculated-cells", "a formula of sheet “One” has no saved value: C2"),
    ]


def test_zeros_of_a_program_that_does_not_calculate_are_no_figures() -> None:
    data = rows(QUARTERS, ["Rent", 10, 11]) + f'<row r="3">{c("A3", "Total")}{c("B3", 0, formula="B2")}</row>'
    data += rows(["Power", 4, 5], top=4)
    leaves_it = "<calcPr fullCalcOnLoad='1'/>"
    document = read_sheets(sheet(data), properties=leaves_it)
    assert tables(document)[0][2] == ("Total", "", "")
    assert [each.name for each in document.findings] == ["uncalculated-cells"]
    assert tables(read_sheets(sheet(data)))[0][2] == ("Total", "0", "")


def test_notes_threads_and_text_boxes_follow_the_cells() -> None:
    note = f'<comments {NAMES}><commentList><comment ref="B2"><text><t>Checked</t></text></comment>'
    note += '<comment ref="A1"><text><t>[Threaded comment] Your version…</t></text></comment></commentList></comments>'
    thread = '<ThreadedComments><threadedComment ref="A1"><text>Why?</text></threadedComment>'
    thread += '<threadedComment ref="A1"><text>Because.</text></threadedComment></ThreadedComments>'
    line = "<a:p><a:r><a:t>In a box</a:t></a:r></a:p>"
    drawing = f"<xdr:wsDr {NAMES}><xdr:sp><xdr:txBody>{line}</xdr:txBody></xdr:sp></xdr:wsDr>"
    own = {kind: (kind, f"../{kind}.xml") for kind in ("comments", "threadedComment", "drawing")}
    parts = {"xl/comments.xml": note, "xl/threadedComment.xml": thread, "xl/drawing.xml": drawing}
    document = read_sheets(sheet(rows(["x"])), own=own, parts=parts)
    assert paragraphs(document)[1:] == ["x", "In a box", "A1: Why? – Because.\nB2: Checked"]


def test_titles_of_charts_are_read() -> None:
    drawing = f"<xdr:wsDr {NAMES}/>"
    named = "<a:p><a:r><a:t>Dues by </a:t></a:r><a:r><a:t>pier</a:t></a:r></a:p>"
    title = f"<c:title><c:tx><c:rich>{named}</c:rich></c:tx></c:title>"
    chart = f"<c:chartSpace {SLIDE_NAMES}><c:chart>{title}<c:plotArea/></c:chart></c:chartSpace>"
    parts = {
        "xl/drawing.xml": drawing,
        "xl/_rels/drawing.xml.rels": links({"a": ("chart", "chart.xml"), "b": ("chart", "lost.xml")}),
        "xl/chart.xml": chart,
    }
    document = read_sheets(sheet(rows(["x"])), own={"d": ("drawing", "../drawing.xml")}, parts=parts)
    assert paragraphs(document)[1:] == ["x", "Dues by pier"]
    assert (
        read_sheets(sheet(""), own={"d": ("drawing", "../drawing.xml")}, parts={"xl/drawing.xml": drawing}).text == ""
    )


def test_a_day_merged_over_a_table_is_no_header() -> None:
    data = row(1, [DAY], style=1) + rows(["Pier", "Dues"], ["North", 7], top=2)
    merged = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'
    document = read_sheets(sheet(data, after=merged), formats=("d mmmm yyyy",))
    assert tables(document) == [(("Pier", "Dues"), ("North", "7"))]
    assert document.tables[0].header_rows == 1


def test_a_diary_has_an_entry_for_each_day() -> None:
    document = read(Raw("log.xlsx", (OFFICE / "logbook.xlsx").read_bytes()))
    assert document.kind is Kind.TEXT
    assert [block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING] == [
        "航海日志", "2025-01-06", "2025-01-09",
    ]  # fmt: skip


def long_list(count: int, *, dated: bool) -> str:
    body = ""
    for at in range(2, count + 2):
        key = c(f"A{at}", DAY + at // 3 if dated else at + 1000, int(dated))
        body += f'<row r="{at}">{key}{c(f"B{at}", "Dock")}{c(f"C{at}", at)}</row>'
    return sheet(rows(["Key", "Place", "Value"]) + body)


def test_a_long_list_is_read_in_pieces_below_its_header() -> None:
    document = read_sheets(long_list(300, dated=False))
    assert len(document.tables) > 3
    assert all(table.rows[0] == ("Key", "Place", "Value") and table.header_rows == 1 for table in document.tables)
    assert max(table.end - table.start for table in document.tables) < 2_000
    assert sum(len(table.rows) - 1 for table in document.tables) == 300
    heads = [block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING]
    assert heads[1].startswith("A2:C")
    assert heads[-1].endswith("C301")


def test_pieces_of_a_dated_list_name_their_days() -> None:
    document = read_sheets(long_list(300, dated=True), formats=("dd/mm/yy",))
    assert document.kind is Kind.REPORT
    heads = [block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING]
    assert heads[1].startswith("2025-03-04 to 2025-03-")
    assert len(set(heads)) == len(heads)


def test_a_long_header_stands_above_many_rows() -> None:
    """A survey, whose questions are the header and whose answers are dated, is no diary."""
    asked = [
        "Timestamp",
        *(f"Which of the harbours of the northern basin do you call at in month {at}?" for at in range(9)),
    ]
    cells = [
        c(f"A{at}", DAY + at, 1) + c(f"B{at}", "The harbour of the island, as in each year before")
        for at in range(2, 302)
    ]
    body = "".join(f'<row r="{at}">{each}</row>' for at, each in enumerate(cells, 2))
    document = read_sheets(sheet(rows(asked) + body), formats=("dd/mm/yy",))
    assert document.kind is Kind.REPORT
    assert sum(len(table.rows) - 1 for table in document.tables) == 300
    assert len(document.tables) < 20


def test_a_long_text_that_many_cells_share_takes_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.parsers.sheets.sheet_writer.MAX_CELLS", 100)
    cells = "".join(f'<row r="{at}"><c r="A{at}" t="s"><v>0</v></c></row>' for at in range(1, 50))
    document = read_sheets(sheet(cells), strings=[f"<t>{'x' * 1_000}</t>"])
    assert len(document.text) < 11_000
    assert [each.name for each in document.findings] == ["too-large-file"]


def test_properties_give_title_authors_and_dates() -> None:
    document = read(Raw("x.xlsx", (OFFICE / "quarterly-model.xlsx").read_bytes()))
    assert document.title == "Northlight quarterly model"
    assert document.authors == ("Ada Byron",)
    assert [(each.date, each.origin) for each in document.dates] == [(date(2025, 7, 24), DateOrigin.PROPERTIES)]


def test_a_far_corner_costs_nothing() -> None:
    data = rows(["a"]) + row(1_048_576, [5], left=16_384)
    merges = '<mergeCells><mergeCell ref="D1:XFD1048575"/></mergeCells>'
    document = read_sheets(sheet(data, before='<dimension ref="A1:XFD1048576"/>', after=merges))
    assert document.text == "One\n\na\n\n5"


def test_merged_cells_that_overlap_or_never_end_do_not_hurt() -> None:
    merges = "".join(f'<mergeCell ref="A1:XFD{at}"/>' for at in range(2, 40_000))
    document = read_sheets(sheet(rows(QUARTERS, ["Rent", 1, 2]), after=f"<mergeCells>{merges}</mergeCells>"))
    assert document.text == "One\n\nItem"


def test_a_workbook_beyond_the_bound_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.parsers.sheets.sheet_writer.MAX_CELLS", 10)
    document = read_sheets(sheet(rows(*([at, at, at] for at in range(1, 20)))), sheet(rows(["beyond"])))
    assert "beyond" not in document.text
    assert document.findings[0].name == "too-large-file"
    assert "to row 4 of sheet “One”" in document.findings[0].message


@pytest.mark.parametrize(
    "damage",
    [
        {"xl/styles.xml": f"<styleSheet {NAMES}><cellXfs><xf numFmtId='999999'/><xf/></cellXfs></styleSheet>"},
        {"xl/styles.xml": f"<styleSheet {NAMES}/>"},
        {"xl/_rels/workbook.xml.rels": links({"s1": ("worksheet", "/xl/worksheets/sheet1.xml")})},
        {"docProps/core.xml": "<coreProperties><created>not a date</created></coreProperties>"},
    ],
)
def test_parts_that_are_odd_or_gone_do_not_hide_the_cells(damage: dict[str, str]) -> None:
    parts = {"xl/worksheets/sheet1.xml": sheet(rows(["kept", 3], ["too", 4]).replace('s="0"', 's="77"'))}
    assert "kept" in read(Raw("a.xlsx", _with(parts | damage))).text


def _with(parts: dict[str, str]) -> bytes:
    """A workbook of one sheet, some of its parts exchanged."""
    with zipfile.ZipFile(BytesIO(workbook(sheet("")))) as opened:
        whole = {name: opened.read(name).decode() for name in opened.namelist()}
    return archive(whole | parts)


@pytest.mark.parametrize("value", ["nan", "1e999", "1,5", "", "x", "--3"])
def test_values_that_are_no_numbers_are_texts(value: str) -> None:
    document = read_sheets(sheet(f'<row r="1"><c r="A1"><v>{value}</v></c><c r="B1"><v>2</v></c></row>'))
    assert document.text.endswith(f"{value} 2".strip())


def test_a_workbook_is_known_under_any_name_and_refused_by_its_own_when_cut() -> None:
    data = workbook(sheet(rows(["a"])))
    assert choose_parser(Raw("notes.txt", data)) == "xlsx"
    for share in (0.3, 0.6, 0.9):
        with pytest.raises(UnreadableFile, match="the XLSX file ends too early"):
            read(Raw("a.docx", data[: int(len(data) * share)]))


GRIDS = st.dictionaries(st.tuples(st.integers(1, 9), st.integers(1, 9)), st.booleans(), min_size=1, max_size=40)


@examples(6)
@given(grid=GRIDS, merges=st.lists(st.tuples(*[st.integers(1, 9)] * 4), max_size=3))
def test_each_cell_is_read_once(grid: dict[tuple[int, int], bool], merges: list[tuple[int, int, int, int]]) -> None:
    """Wherever the cells lie, and whatever is merged: what is not under a merged cell stands in the text, once."""
    values = {
        place: (f"w{place[0]}x{place[1]}" if words else 10_000 + 100 * place[0] + place[1])
        for place, words in grid.items()
    }
    lines = []
    for number in sorted({place[0] for place in values}):
        cells_of = (
            c(f"{format_column(at)}{number}", values[number, at]) for at in range(1, 10) if (number, at) in values
        )
        lines.append(f'<row r="{number}">{"".join(cells_of)}</row>')
    named = (f'<mergeCell ref="{format_column(a)}{b}:{format_column(x)}{y}"/>' for b, a, y, x in merges)
    after = f"<mergeCells>{''.join(named)}</mergeCells>" if merges else ""
    document = read_sheets(sheet("".join(lines), after=after))
    keeps_its_promises(document)
    words = document.text.replace("|", " ").split()
    for value in values.values():
        assert words.count(str(value)) <= 1
        assert merges or words.count(str(value)) == 1
