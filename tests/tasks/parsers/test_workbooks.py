"""Old and binary Excel workbooks and OpenDocument spreadsheets: what each cell shows, and what is refused."""

from __future__ import annotations

import struct
from datetime import date

import pytest
import xlwt
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.examples import examples
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_office import archive, links
from tests.tasks.parsers.raw_workbooks import (
    OPEN_NAMES,
    OPEN_TYPE,
    binary,
    binary_row,
    binary_sheet,
    cell,
    old_record,
    opendocument,
    read_binary,
    read_old,
    read_open,
    record,
    row,
    saved,
    styles_of,
    table,
    typed,
    wide,
)
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document, Kind, get_page_unit
from warehouse.records.hit import PageUnit

HEAD = ("Item", "Q1 2025", "Q2 2025")
DUES = binary_sheet({0: {0: ("Harbour", 0), 1: ("Dues", 0)}, 1: {0: ("North", 0), 1: (12.5, 0)}})
DATED = '<style:style style:name="d" style:family="table-cell" style:data-style-name="n"/>'


def tables(document: Document) -> list[tuple[tuple[str, ...], ...]]:
    return [each.rows for each in document.tables]


def paragraphs(document: Document) -> list[str]:
    return [document.text[each.start : each.end] for each in document.blocks if each.kind is not BlockKind.TABLE]


def refusal(data: bytes, name: str = "a") -> str:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw(name, data))
    return str(caught.value)


def dues() -> xlwt.Workbook:
    """Dues of a harbour: a title over the table, a merged label, a sheet that is hidden."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("Dues")
    sheet.write_merge(0, 0, 0, 2, "Harbour dues of the northern basin")
    for column, word in enumerate(("Day", "Boats", "Share")):
        sheet.write(1, column, word)
    day = xlwt.easyxf(num_format_str="D-MMM-YY")
    for number, (when, boats, share) in enumerate([(date(2024, 5, 1), 7, 0.1 + 0.2), (date(2024, 5, 2), 9, 0.5)], 2):
        sheet.write(number, 0, when, day)
        sheet.write(number, 1, boats)
        sheet.write(number, 2, share)
    book.add_sheet("Working").write(0, 0, "secret")
    book.get_sheet(1).visibility = 1
    return book


def test_an_old_workbook_is_read_like_any_other() -> None:
    document = read_old(dues())
    assert tables(document) == [(("Day", "Boats", "Share"), ("1-May-2024", "7", "0.3"), ("2-May-2024", "9", "0.5"))]
    assert document.tables[0].header_rows == 1
    assert document.tables[0].caption == document.title == "Harbour dues of the northern basin"
    assert [each.message for each in document.findings] == ["hidden sheets are left out: “Working”"]
    assert "secret" not in document.text
    assert get_page_unit(document.media_type) is PageUnit.SHEET


def test_days_of_a_workbook_that_counts_from_1904_are_its_own() -> None:
    book = xlwt.Workbook()
    book.dates_1904 = True
    sheet = book.add_sheet("One")
    sheet.write(0, 0, 44_195, xlwt.easyxf(num_format_str="yyyy-mm-dd"))
    assert paragraphs(read_old(book)) == ["One", "2024-12-31"]


def test_merged_cells_of_an_old_workbook_put_a_header_of_two_rows_together() -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("One")
    sheet.write_merge(0, 1, 0, 0, "Region")
    sheet.write_merge(0, 0, 1, 2, 2024)
    for column, word in enumerate(("H1", "H2"), 1):
        sheet.write(1, column, word)
    for column, value in enumerate(("North", 1.5, 2.5)):
        sheet.write(2, column, value)
    found = read_old(book).tables[0]
    assert found.header_rows == 2
    assert [(each.row, each.column, each.rows, each.columns) for each in found.merges] == [(0, 0, 2, 1), (0, 1, 1, 2)]


def test_a_binary_workbook_is_read_with_its_properties() -> None:
    sheet = binary_sheet({
        0: {0: ("Day", 0), 1: ("Dues", 0)},
        1: {0: (45720.0, 1), 1: (12.0, 0)},
        2: {0: (45720.5, 2), 1: (1 / 3, 0)},
    })  # fmt: skip
    document = read_binary(("Dues", 0, sheet), ("Old", 1, DUES))
    assert tables(document) == [(("Day", "Dues"), ("2025-03-04", "12"), ("2025-03-04 12:00", "0.3333333333"))]
    assert [each.message for each in document.findings] == ["hidden sheets are left out: “Old”"]
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Dues of 2025</dc:title><dc:creator>Ada Bo</dc:creator>'
        "</cp:coreProperties>"
    )
    related = links({"a": ("officeDocument", "xl/workbook.bin"), "b": ("core-properties", "docProps/core.xml")})
    described = read(Raw("a", binary(("Dues", 0, sheet), parts={"_rels/.rels": related, "docProps/core.xml": core})))
    assert (described.title, described.authors) == ("Dues of 2025", ("Ada Bo",))


SHOWN_BINARY = [
    (5, 1, struct.pack("<d", 0.125), "12.50%"),
    (2, 0, struct.pack("<i", 25 << 2 | 3), "0.25"),
    (2, 0, struct.pack("<i", -7 << 2 | 2), "-7"),
    (9, 2, struct.pack("<d", 1234.5), "€ 1,234.50"),
    (5, 3, struct.pack("<d", 45720.0), "Mar-2025"),
    (8, 0, wide("done"), "done"),
    (10, 0, b"\1", "TRUE"),
    (11, 0, b"\x07", "#DIV/0!"),
    (7, 0, struct.pack("<I", 1), "shared"),
    (62, 0, b"\0" + wide("with runs"), "with runs"),
    (1, 0, b"", ""),
]
"""Kind, style and content of cells of .xlsb, and what is shown of them."""


def test_cells_of_a_binary_workbook_are_shown_by_their_formats() -> None:
    sheet = b"".join(
        binary_row(number) + record(kind, struct.pack("<II", 0, style) + value)
        for number, (kind, style, value, _) in enumerate(SHOWN_BINARY)
    )
    parts = {
        "xl/styles.bin": record(44, struct.pack("<H", 170) + wide('"€" #,##0.00')) + styles_of((0, 10, 170, 17)),
        "xl/sharedStrings.bin": record(19, b"\0" + wide("zero")) + record(19, b"\0" + wide("shared")),
        "xl/_rels/workbook.bin.rels": links({
            "s1": ("worksheet", "worksheets/sheet1.bin"),
            "a": ("styles", "styles.bin"),
            "b": ("sharedStrings", "sharedStrings.bin"),
        }),
    }  # fmt: skip
    document = read(Raw("a", binary(("One", 0, sheet), parts=parts)))
    assert document.text.split("\n")[2:] == [shown for *_, shown in SHOWN_BINARY if shown]
    assert [each.message for each in document.findings] == ["a cell of sheet “One” shows #DIV/0!: A8"]


def test_what_is_hidden_or_merged_in_a_binary_workbook_is_left_out() -> None:
    sheet = (
        record(60, struct.pack("<IIIIH", 2, 2, 0, 0, 1))
        + b"".join(
            binary_row(number, is_hidden=number == 3)
            + b"".join(record(6, struct.pack("<II", at, 0) + wide(word)) for at, word in enumerate(words))
            for number, words in enumerate(
                (("Pier", "Dues", "Key"), ("North", "12", "x"), ("South", "9", "z"), ("gone", "1", "y"))
            )
        )
        + record(176, struct.pack("<IIII", 1, 2, 0, 0))
        + record(151, struct.pack("<ddIIIB", 0, 1, 0, 0, 0, 1))
    )
    document = read_binary(("One", 0, sheet))
    assert tables(document) == [(("Pier", "Dues"), ("North", "12"), ("", "9"))]
    assert [each.message for each in document.findings] == ["sheet “One”: 1 row and 1 column hidden and left out"]


SPREADSHEET = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:o="urn:schemas-microsoft-com:office:office"
 xmlns:html="http://www.w3.org/TR/REC-html40">
<o:DocumentProperties><o:Title>Dues of 2025</o:Title><o:Author>Ada Bo</o:Author><o:Created>2025-05-01T10:00:00Z
</o:Created></o:DocumentProperties>
<Styles><Style ss:ID="Default"><NumberFormat/></Style>
<Style ss:ID="m"><NumberFormat ss:Format="&quot;€&quot; #,##0.00"/></Style>
<Style ss:ID="n" ss:Parent="m"/><Style ss:ID="p"><NumberFormat ss:Format="Percent"/></Style>
<Style ss:ID="d"><NumberFormat ss:Format="mmm\\-yy"/></Style></Styles>
<Worksheet ss:Name="Dues"><Table><Column ss:Span="1"/><Column ss:Index="3" ss:StyleID="m"/>
<Column ss:Index="6" ss:Hidden="1"/>
<Row ss:Index="2"><Cell ss:MergeAcross="1"><Data ss:Type="String">Pier</Data></Cell>
<Cell><Data ss:Type="String">Paid</Data></Cell><Cell ss:Index="5"><Data ss:Type="String">Share</Data></Cell></Row>
<Row><Cell><ss:Data ss:Type="String"><html:B>North</html:B> pier</ss:Data></Cell>
<Cell ss:StyleID="d"><Data ss:Type="DateTime">2025-03-04T00:00:00.000</Data></Cell>
<Cell><Data ss:Type="Number">1234.5</Data><Comment ss:Author="Bo"><ss:Data>In cash</ss:Data></Comment></Cell>
<Cell><Data ss:Type="DateTime">2025-03-04T09:05:00.000</Data></Cell>
<Cell ss:StyleID="p"><Data ss:Type="Number">0.125</Data></Cell><Cell><Data ss:Type="String">key</Data></Cell></Row>
<Row><Cell><Data ss:Type="String">South</Data></Cell>
<Cell><Data ss:Type="DateTime">2025-04-01T00:00:00.000</Data></Cell>
<Cell ss:StyleID="n"><Data ss:Type="Number">2</Data></Cell><Cell><Data ss:Type="Boolean">1</Data></Cell>
<Cell ss:Formula="=1/0"><Data ss:Type="Error">#DIV/0!</Data></Cell></Row>
<Row ss:Hidden="1"><Cell><Data ss:Type="String">gone</Data></Cell></Row>
</Table></Worksheet>
<Worksheet ss:Name="Old"><Table><Row><Cell><Data ss:Type="String">secret</Data></Cell></Row></Table>
<x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></Worksheet></Workbook>"""


@pytest.mark.parametrize("name", ["a.xml", "a.xls", "a"])
def test_an_xml_spreadsheet_is_a_workbook(name: str) -> None:
    document = read(Raw(name, SPREADSHEET.encode()))
    keeps_its_promises(document)
    assert tables(document) == [
        (
            ("Pier", "", "Paid", "", "Share"),
            ("North pier", "Mar-2025", "€ 1,234.50", "2025-03-04 09:05:00", "12.50%"),
            ("South", "2025-04-01", "€ 2.00", "TRUE", "#DIV/0!"),
        )
    ]
    assert (document.title, document.authors) == ("Dues of 2025", ("Ada Bo",))
    assert paragraphs(document)[-1] == "C3: In cash"
    assert [each.message for each in document.findings] == [
        "hidden sheets are left out: “Old”",
        "sheet “Dues”: 1 row and 1 column hidden and left out",
        "a cell of sheet “Dues” shows #DIV/0!: E4",
    ]
    assert get_page_unit(document.media_type) is PageUnit.SHEET


def test_records_without_a_compound_file_are_an_old_workbook() -> None:
    """As Excel 2 wrote them: the beginning, a text, a number and the end."""
    label = struct.pack("<HH3sB", 0, 0, bytes(3), 5) + b"Boats"
    number = struct.pack("<HH3sd", 1, 0, bytes(3), 7.5)
    records = (0x09, struct.pack("<HH", 2, 0x10)), (0x04, label), (0x03, number), (0x0A, b"")
    document = read(Raw("a.xls", b"".join(old_record(*each) for each in records)))
    assert paragraphs(document) == ["Sheet 1", "Boats", "7.5"]


def test_a_day_under_a_style_of_numbers_is_a_day() -> None:
    style = '<style:style style:name="d" style:family="table-cell" style:data-style-name="n"/>'
    style += '<number:number-style style:name="n"><number:number number:min-integer-digits="1"/></number:number-style>'
    styled = 'table:style-name="d"'
    document = read_open(
        table(row(typed("date", "date-value", "2025-03-04", "04.03.25", styled))),
        table(row(typed("time", "time-value", "PT09H05M00S", "09:05", styled)), name="Two"),
        styles=style,
    )
    assert paragraphs(document) == ["One", "2025-03-04", "Two", "9:05:00"]


def test_saved_copies_of_sheets_of_other_files_are_no_hidden_sheets() -> None:
    shown = '<style:table-properties table:display="false"/>'
    hidden = f'<style:style style:name="h" style:family="table">{shown}</style:style>'
    copy = table(row("b"), name="'file:///tmp/other.ods'#$One", style="h")
    assert not read_open(table(row("a")), copy, styles=hidden).findings


def test_a_formula_of_opendocument_without_a_value_is_named() -> None:
    empty = '<table:table-cell table:formula="of:=1" calcext:value-type="float"><text:p/></table:table-cell>'
    document = read_open(table(row("a", empty.replace("calcext:", "office:"))))
    assert [each.message for each in document.findings] == ["a formula of sheet “One” has no saved value: B1"]


def test_values_of_opendocument_are_shown_as_excel_shows_them() -> None:
    styles = (
        '<number:date-style style:name="n" number:language="en"><number:month number:textual="true"/>'
        "<number:text>-</number:text><number:year/></number:date-style>"
        '<number:percentage-style style:name="p"><number:number number:decimal-places="1" '
        'number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>'
        '<number:currency-style style:name="c0"><number:currency-symbol>€</number:currency-symbol>'
        '<number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/>'
        '</number:currency-style><number:currency-style style:name="c"><number:text>(</number:text>'
        '<number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text>)</number:text>'
        '<style:map style:condition="value()&gt;=0" style:apply-style-name="c0"/></number:currency-style>'
        + DATED
        + "".join(
            f'<style:style style:name="{name}" style:family="table-cell" style:data-style-name="{data}"/>'
            for name, data in (("q", "p"), ("m", "c"))
        )
        + '<style:style style:name="child" style:family="table-cell" style:parent-style-name="q"/>'
    )
    rows = [
        row(*HEAD),
        row("month", typed("date", "date-value", "2025-03-01", "Mär 25", 'table:style-name="d"'), None),
        row("day", typed("date", "date-value", "2025-03-04T10:20:30", "04.03.25"), 1),
        row("share", typed("percentage", "value", "0.125", "12,5%", 'table:style-name="child"'), 2),
        row("plain share", typed("percentage", "value", "0.125", "12,5%"), 2),
        row("price", typed("currency", "value", "1234.5", "1.234,50", 'table:style-name="m"'), 3),
        row("loss", typed("currency", "value", "-12", "(12)", 'table:style-name="m"'), 3),
        row("length", typed("time", "time-value", "PT27H17M54S", "27:17:54"), 4),
        row("flag", True, 0.30000000000000004),
        row("error", cell(None).replace("><", ' table:formula="of:=1/0" office:value-type="float" office:value="0">'
                                        "<text:p>#DIV/0!</text:p><"), 5),
        row("open", cell(None, 'table:formula="of:=A1"'), 6),
    ]  # fmt: skip
    document = read_open(table(*rows), styles=styles)
    assert [each[1] for each in tables(document)[0][1:]] == [
        "Mar-2025", "2025-03-04 10:20:30", "12.5%", "12.5%", "€1,234.50", "(12)", "27:17:54", "TRUE", "#DIV/0!", "",
    ]  # fmt: skip
    assert tables(document)[0][8][2] == "0.3"
    assert [(each.name, each.message) for each in document.findings] == [
        ("cell-errors", "a cell of sheet “One” shows #DIV/0!: B10"),
        ("uncalculated-cells", "a formula of sheet “One” has no saved value: B11"),
    ]


def test_an_opendocument_has_merged_repeated_and_hidden_cells_notes_and_shapes() -> None:
    note = "<office:annotation><dc:creator>Bo</dc:creator><text:p>Checked</text:p></office:annotation>"
    shape = (
        "<table:shapes><draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame></table:shapes>"
    )
    column = '<table:table-column table:number-columns-repeated="3"/><table:table-column table:visibility="collapse"/>'
    covered = '<table:covered-table-cell office:value-type="string"><text:p>under</text:p></table:covered-table-cell>'
    sheet = table(
        shape,
        column,
        row(cell("Region", 'table:number-rows-spanned="2"'), cell("2024", 'table:number-columns-spanned="2"'), covered),
        row(covered, "H1", "H2", "unseen"),
        row(cell("North", inside=note), cell(1.5, 'table:number-columns-repeated="2"')),
        row("gone", 1, 2, extra='table:visibility="collapse"'),
        "<table:table-row-group>",
        row("closed", 3, 4, extra='table:visibility="collapse"'),
        "</table:table-row-group>",
        row("filtered", 5, 6, extra='table:visibility="filter"'),
        row("same", 7, 8, extra='table:number-rows-repeated="2"'),
        row(None, extra='table:number-rows-repeated="1048560"'),
    )  # fmt: skip
    hidden = table(row("secret"), name="Two", style="h")
    style = (
        '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>'
    )
    meta = "<dc:title>Dues by region</dc:title><meta:initial-creator>Ada Bo</meta:initial-creator>"
    meta += "<meta:creation-date>2025-03-04T10:00:00.123</meta:creation-date>"
    document = read_open(sheet, hidden, styles=style, meta=meta)
    assert tables(document) == [
        (
            ("Region", "2024", ""), ("", "H1", "H2"), ("North", "1.5", "1.5"), ("closed", "3", "4"),
            ("filtered", "5", "6"), ("same", "7", "8"), ("same", "7", "8"),
        )
    ]  # fmt: skip
    assert document.tables[0].header_rows == 2
    assert paragraphs(document) == ["One", "In a box", "A3: Checked"]
    assert [each.message for each in document.findings] == [
        "hidden sheets are left out: “Two”",
        "sheet “One”: 1 row and 1 column hidden and left out",
    ]
    assert (document.title, document.authors) == ("Dues by region", ("Ada Bo",))
    assert [each.date for each in document.dates] == [date(2025, 3, 4)]


def test_words_of_a_paragraph_keep_blanks_and_ends_of_lines() -> None:
    inside = (
        '<text:p>two<text:s text:c="2"/>blanks<text:line-break/><text:span>a <text:a>link</text:a></text:span></text:p>'
    )
    document = read_open(table(row(f'<table:table-cell office:value-type="string">{inside}</table:table-cell>')))
    assert document.text == "One\n\ntwo  blanks\na link"


def test_a_diary_is_a_text_with_entries() -> None:
    sentence = "We went out with the boat and saw the tide turn at nine, as we had hoped."
    rows = [row("Day", "Words")]
    rows += [row(typed("date", "date-value", f"2025-03-{day:02d}", "x"), f"{sentence} {day}") for day in range(1, 9)]
    document = read_open(table(*rows))
    assert document.kind is Kind.TEXT
    assert "2025-03-04" in paragraphs(document)


@pytest.mark.parametrize(
    ("data", "name"),
    [(saved(dues()), "a.doc"), (binary(("One", 0, DUES)), "a.xlsx"), (opendocument(table(row("a"))), "a.docx")],
)
def test_the_content_and_not_the_name_decides(data: bytes, name: str) -> None:
    assert choose_parser(Raw(name, data)) == choose_parser(Raw("a", data)) == "workbooks"


def test_a_type_that_does_not_stand_first_is_found() -> None:
    content = opendocument(table(row("there")))
    start = content.index(b"<office:document-content")
    stop = content.index(b"</office:document-content>") + len(b"</office:document-content>")
    data = archive({"content.xml": content[start:stop], "mimetype": f"{OPEN_TYPE}-template"})
    assert "there" in read(Raw("a", data)).text


def test_a_spreadsheet_of_openoffice_1_is_read_like_one_of_opendocument() -> None:
    body = f"<office:body>{table(row('Pier', 7.5))}</office:body>"
    content = f"<office:document-content {OPEN_NAMES}>{body}</office:document-content>"
    data = archive({"mimetype": "application/vnd.sun.xml.calc", "content.xml": content}, packed=False)
    assert paragraphs(read(Raw("a.sxc", data))) == ["One", "Pier 7.5"]


def test_encrypted_cut_and_swelling_files_are_named_as_such() -> None:
    for name, is_sealed in (("content.xml", True), ("encrypted-package", True), ("Basic/Macros/One.xml", False)):
        manifest = f'<m:file-entry m:full-path="{name}">\n<m:encryption-data/></m:file-entry>'
        parts = {"META-INF/manifest.xml": f'<m:manifest xmlns:m="m"><m:file-entry/>{manifest}</m:manifest>'}
        data = opendocument(table(row("a")), parts=parts)
        if is_sealed:
            assert refusal(data) == "the file is encrypted: save a copy without a password"
        else:
            assert "a" in read(Raw("a", data)).text
    for data in (opendocument(table(row("a" * 2000))), binary(("One", 0, DUES))):
        assert "ends too early" in refusal(data[: len(data) // 2])
    assert refusal(saved(dues())[:2000], "a.xls") == "the XLS file ends too early: copy or download it again"


def test_a_password_of_an_old_workbook_is_asked_for() -> None:
    data = bytearray(saved(dues()))
    place = data.index(b"\x09\x08\x10\x00") + 20
    data[place : place + 10] = struct.pack("<HHHHH", 0x2F, 6, 0, 1, 2)  # Obfuscated by XOR.
    assert refusal(bytes(data)) == "the file is encrypted: save a copy without a password"


def test_entries_that_lead_back_to_themselves_are_passed_over_and_sectors_refused() -> None:
    whole = saved(dues())
    folder, table = ((struct.unpack_from("<I", whole, place)[0] + 1) * 512 for place in (48, 76))
    for place, value in ((folder + 128 + 68, 1), (folder + 128 + 72, 0)):
        data = bytearray(whole)
        struct.pack_into("<I", data, place, value)
        assert read(Raw("a", bytes(data))) == read(Raw("a", whole))
    data = bytearray(whole)
    struct.pack_into("<I", data, table, 0)
    assert refusal(bytes(data)).startswith("the XLS file is damaged (its parts do not fit together)")


def test_cells_far_apart_or_repeated_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    far = binary_sheet({0: {0: ("a", 0)}, 1_048_575: {16_383: ("b", 0)}})
    assert paragraphs(read_binary(("One", 0, far))) == ["One", "a", "b"]
    monkeypatch.setattr("tasks.parsers.sheets.sheet_writer.MAX_CELLS", 50)
    many = cell("x", 'table:number-columns-repeated="16384"')
    everywhere = table(row("a"), row(many, extra='table:number-rows-repeated="1048575"'))
    document = read(Raw("a", opendocument(everywhere)))
    assert [each.name for each in document.findings] == ["too-large-file"]
    book = xlwt.Workbook()
    for number in range(30):
        book.add_sheet(f"S{number}").write(0, 0, "a")
        book.get_sheet(number).write(0, 1, "b")
    found = read_old(book)
    assert [each.name for each in found.findings] == ["too-large-file"]
    assert "S24" in found.text
    assert "S26" not in found.text


WORDS = st.text(alphabet="abcXYZ中文 é|#1%", min_size=1, max_size=12).filter(str.strip)
VALUES = st.one_of(st.none(), WORDS, st.booleans(), st.floats(-1e9, 1e9), st.integers(-9999, 9999).map(float))
GRIDS = st.lists(st.lists(VALUES, min_size=1, max_size=5), min_size=1, max_size=8)


@examples(2)
@given(grid=GRIDS)
def test_no_word_of_a_workbook_is_lost(grid: list[list[str | float | bool | None]]) -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("One")
    cells = {}
    for number, values in enumerate(grid):
        cells[number] = {column: (value, 0) for column, value in enumerate(values) if value is not None}
        for column, (value, _) in cells[number].items():
            sheet.write(number, column, value)
    for document in (
        read_old(book),
        read_binary(("One", 0, binary_sheet(cells))),
        read_open(table(*(row(*values) for values in grid))),
    ):
        keeps_its_promises(document)
        shown = document.text.replace("\\|", "|").split()
        words = [word for values in grid for value in values if isinstance(value, str) for word in value.split()]
        assert not [word for word in words if word not in " ".join(shown)]


@pytest.mark.parametrize(
    ("shown", "text"),
    [("€1,234.50", "€1234.5"), ("1.234,50 €", "1234.5 €"), ("-$ 1234.50", "-$1234.5"), ("1 234,50 CHF", "1234.5 CHF")],
)
def test_a_cell_of_opendocument_has_the_currency_that_its_program_shows(shown: str, text: str) -> None:
    value = "-1234.5" if shown.startswith("-") else "1234.5"
    amounts = row("rent", typed("currency", "value", value, shown))
    assert read_open(table(row("item", "amount"), amounts)).tables[0].rows[1] == ("rent", text)
