"""Word documents: what Word shows, in its order, once."""

from __future__ import annotations

import zipfile
from base64 import b64encode
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.numerals import format_numeral
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, parse_as, read
from tests.examples import examples
from tests.tasks.parsers.raw_docx import (
    CORE,
    MAIN,
    NAMES,
    STRICT,
    level,
    numbered,
    p,
    package,
    r,
    read_word,
    style,
    table,
    tc,
)
from tests.tasks.parsers.raw_office import archive, links
from tests.tasks.parsers.test_parser_contract import keeps_its_promises
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Merge

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT / "../shared/data/docx"

HEADINGS = style("H1", "heading 1") + style("berschrift2", "heading 2") + style("Title", "Title")


def shown(document: Document) -> list[tuple[str, str]]:
    """Kind and words of each block."""
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def test_a_word_memo_in_the_order_of_its_body() -> None:
    memo = ROOT / "samples/reports/board-memo-capital-plan.docx"
    document = read(Raw(memo.name, memo.read_bytes()))
    assert document.title == "Board memo: capital plan for fiscal 2026"
    assert document.dates[0] == DateClaim(date(2025, 8, 18), DateOrigin.PROPERTIES)
    kinds = [block.kind.value for block in document.blocks]
    assert kinds[:6] == ["heading", "paragraph", "heading", "paragraph", "heading", "table"]
    assert document.tables[0].rows[-1] == ("Total", "21.5", "30.0", "")


def test_headings_by_name_by_what_they_are_based_on_and_by_outline() -> None:
    styles = (
        HEADINGS + style("mine", "Kapitel", based_on="H1") + style("tief", "Abschnitt", '<w:outlineLvl w:val="2"/>')
    )
    body = p("a", "Title") + p("b", "berschrift2") + p("c", "mine") + p("d", "tief") + p("e", "Heading4")
    body += p("f", extra='<w:outlineLvl w:val="1"/>') + p("g", extra='<w:outlineLvl w:val="9"/>')
    document = read_word(body, styles=styles)
    assert [block.level for block in document.blocks] == [1, 2, 1, 3, 4, 2, 0]
    assert document.title == "a"


def test_numbers_of_lists_and_headings_as_word_counts_them() -> None:
    abstract = (
        '<w:abstractNum w:abstractNumId="0">' + level(0, "decimal", "%1.", '<w:pStyle w:val="H1"/>')
        + level(1, "lowerLetter", "(%2)") + level(2, "upperRoman", "%1.%3", "<w:isLgl/>") + "</w:abstractNum>"
        '<w:abstractNum w:abstractNumId="1">' + level(0, "bullet", "\uf0b7") + level(1, "chineseCounting", "第%2条")
        + "</w:abstractNum>"
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/>'
        "</w:lvlOverride></w:num>"
    )  # fmt: skip
    styles = style("H1", "heading 1", '<w:numPr><w:numId w:val="1"/></w:numPr>')
    body = p("One", "H1") + numbered("a", 1, 1) + numbered("b", 1, 1) + numbered("c", 1, 2) + p("between")
    body += p("Two", "H1") + numbered("d", 1, 1) + numbered("e", 2) + numbered("f", 2, 1) + numbered("g", 3)
    body += numbered("h", 3)
    document = read_word(body, styles=styles, numbering=abstract)
    assert shown(document) == [
        ("heading", "1. One"),
        ("list", "(a) a\n  (b) b\n    1.1 c"),
        ("paragraph", "between"),
        ("heading", "2. Two"),
        ("list", "(a) d\n- e\n  第一条 f\n5. g\n6. h"),
    ]
    assert document.blocks[1].section == ("1. One",)


@pytest.mark.parametrize(
    ("count", "numerals", "expected"),
    [(4, "upperRoman", "IV"), (1999, "lowerRoman", "mcmxcix"), (28, "lowerLetter", "bb"),
     (12, "chineseCounting", "十二"),
     (103, "chineseCountingThousand", "一百〇三"), (3, "ideographTraditional", "丙"), (22, "ordinal", "22nd"),
     (7, "decimalZero", "07"), (5000, "upperRoman", "5000"), (5, "hebrew1", "5"), (5, "none", "")],
)  # fmt: skip
def test_numerals(count: int, numerals: str, expected: str) -> None:
    assert format_numeral(count, numerals) == expected


def test_merged_cells_stand_once() -> None:
    wide, begins, goes_on = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    document = read_word(
        table([tc("00"), tc("wide", wide)], [tc("both", begins), "11", "12"], [tc("", goes_on), "21", "22"], header=1)
    )
    (found,) = document.tables
    assert found.rows == (("00", "wide", ""), ("both", "11", "12"), ("", "21", "22"))
    assert found.merges == (Merge(0, 1, columns=2), Merge(1, 0, rows=2))
    assert found.header_rows == 1


def test_a_table_inside_a_cell_follows_as_a_table_of_its_own() -> None:
    inner = p("lead") + table(["i1", "i2"], ["i3", "i4"]) + p("end")
    document = read_word(table(["a", "b"], ["c", tc(inner)]))
    assert [found.rows for found in document.tables] == [(("a", "b"), ("c", "lead end")), (("i1", "i2"), ("i3", "i4"))]


def test_a_frame_of_one_cell_is_read_as_what_it_holds() -> None:
    document = read_word(table([tc(p("Box", "H1") + p("words"))]), styles=HEADINGS)
    assert shown(document) == [("heading", "Box"), ("paragraph", "words")]


def test_captions_above_and_below_belong_to_their_table() -> None:
    grid = table(["a", "b"], ["c", "d"])
    body = (
        p("Table 1: Above", "Caption")
        + grid
        + p("Table 2: Below", "Caption")
        + p("x")
        + grid
        + p("Figure 1", "Caption")
    )
    document = read_word(body + p("x") + grid + p("表 3 下"), styles=style("Caption", "caption"))
    assert [found.caption for found in document.tables] == ["Table 1: Above", "", "表 3 下"]
    assert document.text.count("Table 1: Above") == 1


def test_notes_stand_below_what_refers_to_them_with_their_marks() -> None:
    footnotes = "".join(f'<w:footnote w:id="{n}">{p(f"note {n}")}</w:footnote>' for n in (1, 2, 3))
    endnotes = f'<w:endnote w:id="7">{p("the end")}</w:endnote>'
    foot = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = f"<w:p>{r('2024')}{foot.format(2)}<w:r><w:endnoteReference w:id='7'/></w:r></w:p>"
    body += table([tc(f"<w:p>{r('a')}{foot.format(3)}</w:p>"), "b"], ["c", "d"]) + p("last")
    document = read_word(body, footnotes=footnotes, endnotes=endnotes)
    words = [text for _, text in shown(document)]
    assert words[:2] == ["2024[1][i]", "[1] note 2"]
    assert "| a[2] | b |" in words[2]
    assert words[3:] == ["[2] note 3", "last", "[i] the end"]


def test_headers_and_footers_are_set_aside_once() -> None:
    sections = '<w:p><w:pPr><w:sectPr><w:headerReference r:id="header1"/></w:sectPr></w:pPr></w:p>'
    last = '<w:sectPr><w:headerReference r:id="header2"/><w:footerReference r:id="footer1"/></w:sectPr>'
    document = read_word(sections + p("body") + last, header1=p("Head"), header2=p("Head"), footer1=p("Foot"))
    assert shown(document) == [("furniture", "Head"), ("paragraph", "body"), ("furniture", "Foot")]


def test_tracked_changes_are_accepted() -> None:
    body = f"<w:p>{r('kept ')}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins>{r('new')}</w:ins>"
    body += f"<w:moveFrom>{r('old place')}</w:moveFrom></w:p>"
    body += p("joined ", extra="<w:rPr><w:del/></w:rPr>") + p("line")
    body += "<w:tbl><w:tr><w:trPr><w:del/></w:trPr>" + tc("out") + "</w:tr></w:tbl>"
    assert read_word(body).text == "kept new\n\njoined line"


@pytest.mark.parametrize(("drop", "read"), [("drop", "Once upon"), ("margin", "Once upon"), ("none", "O\n\nnce upon")])
def test_a_drop_cap_is_the_first_letter_of_its_paragraph(drop: str, read: str) -> None:
    frame = f'<w:framePr w:dropCap="{drop}" w:lines="3" w:wrap="around"/>'
    assert read_word(p("O", extra=frame) + p("nce upon") + p("a time")).text == f"{read}\n\na time"


def test_fields_show_their_results_and_hidden_words_nothing() -> None:
    char = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    code = "<w:r><w:instrText> IF </w:instrText></w:r>" + char.format("begin") + char.format("separate") + r("inner")
    field = (
        char.format("begin") + code + char.format("end") + char.format("separate") + r("result") + char.format("end")
    )
    simple = f'<w:fldSimple w:instr="PAGE">{r("4")}</w:fldSimple>'
    hidden = r("secret", "<w:rPr><w:vanish/></w:rPr>")
    broken = f"<w:p>{char.format('begin')}{r('code')}</w:p>"
    link = f'<w:hyperlink r:id="x">{r("link")}</w:hyperlink>'
    document = read_word(f"<w:p>{field} {simple}{hidden}{link}</w:p>{broken}" + p("after"))
    assert document.text == "result4link\n\nafter"


def test_a_style_of_characters_hides_words_unless_they_say_otherwise() -> None:
    quiet = '<w:style w:type="character" w:styleId="Q"><w:rPr><w:vanish/></w:rPr></w:style>'
    below = '<w:style w:type="character" w:styleId="R"><w:basedOn w:val="Q"/></w:style>'
    runs = [r("shown "), r("hidden", '<w:rPr><w:rStyle w:val="R"/></w:rPr>')]
    loud = r("told", '<w:rPr><w:rStyle w:val="Q"/><w:vanish w:val="0"/></w:rPr>')
    assert read_word(f"<w:p>{''.join(runs)}{loud}</w:p>", styles=quiet + below).text == "shown told"


def test_text_boxes_and_content_controls_stand_once() -> None:
    box = f"<w:txbxContent>{p('boxed')}</w:txbxContent>"
    both = f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    only = f"<mc:AlternateContent><mc:Choice/><mc:Fallback>{r('fall')}</mc:Fallback></mc:AlternateContent>"
    body = f"<w:p>{r('anchor')}<w:r>{both}</w:r></w:p><w:sdt><w:sdtContent>{p('control')}</w:sdtContent></w:sdt>"
    assert read_word(body + f"<w:p>{only}</w:p>").text == "anchor\n\nboxed\n\ncontrol\n\nfall"


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        ("<m:f><m:num>{a+b}</m:num><m:den>{2}</m:den></m:f>", "(a+b)/2"),
        ("<m:sSup><m:e><m:d><m:e>{x-c}</m:e></m:d></m:e><m:sup>{2}</m:sup></m:sSup>", "(x-c)^2"),
        ("<m:sSubSup><m:e>{x}</m:e><m:sub>{i,j}</m:sub><m:sup>{n}</m:sup></m:sSubSup>", "x_(i,j)^n"),
        ("<m:rad><m:deg>{3}</m:deg><m:e>{x}</m:e></m:rad>", "√(3&x)"),
        ('<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{i}</m:sub><m:e>{x}</m:e></m:nary>', "∑_i x"),
        ("<m:func><m:fName>{sin}</m:fName><m:e>{x}</m:e></m:func>", "sin x"),
        (
            "<m:m><m:mr><m:e>{a}</m:e><m:e>{b}</m:e></m:mr><m:mr><m:e>{c}</m:e><m:e>{d}</m:e></m:mr></m:m>",
            "[a, b; c, d]",
        ),
    ],
)
def test_equations_as_one_line(formula: str, line: str) -> None:
    written = formula.replace("{", "<m:r><m:t>").replace("}", "</m:t></m:r>")
    assert read_word(f"<w:p><m:oMath>{written}</m:oMath></w:p>").text == line


def test_symbols_code_and_ruby() -> None:
    body = '<w:p><w:r><w:sym w:font="Symbol" w:char="F06D"/><w:t>m</w:t><w:noBreakHyphen/></w:r><w:ruby>'
    body += f"<w:rt>{r('kan')}</w:rt><w:rubyBase>{r('漢')}</w:rubyBase></w:ruby></w:p>"
    code = p("  if x:", "Code") + p("", "Code") + p("    y", "Code")
    document = read_word(body + code, styles=style("Code", "Source Code"))
    assert shown(document) == [("paragraph", "μm-漢(kan)"), ("code", "  if x:\n\n    y")]


def test_core_properties_and_what_programs_put_there() -> None:
    core = CORE.format(title="Plan", creator="A B;C D", created="2024-02-03T10:00:00Z", modified="2024-05-06T10:00:00Z")
    document = read_word(p("x"), core)
    assert (document.title, document.authors) == ("Plan", ("A B", "C D"))
    assert [claim.date for claim in document.dates] == [date(2024, 2, 3), date(2024, 5, 6)]
    default = CORE.format(title="Document1", creator="python-docx", created="2013-12-23T23:15:00Z", modified="x")
    plain = read_word(p("x"), default)
    assert (plain.title, plain.authors, plain.dates) == ("", (), ())
    assert read_word(p("x")).dates == ()


def test_strict_files_say_the_same() -> None:
    body = p("One", "H1") + table(["a", "b"], ["c", "d"])
    assert read_word(body, host=STRICT, styles=HEADINGS) == read_word(body, styles=HEADINGS)


@pytest.mark.skipif(not SHARED.exists(), reason=f"there is no {SHARED}")
def test_flow_charts_of_text_boxes_stand_once() -> None:
    boxes = read(Raw("a.docx", (SHARED / "textbox.docx").read_bytes())).text
    assert boxes.count("Student falls ill") == 1
    assert read(Raw("a.docx", (SHARED / "Strict.docx").read_bytes())).text


def test_pictures_are_never_unpacked() -> None:
    data = BytesIO(package(p("x")))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/big.bmp", bytes(300 * 2**20), compresslevel=1)
    assert read(Raw("a.docx", data.getvalue())).text == "x"


@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml"])
def test_a_damaged_part_is_one_line(part: str) -> None:
    data = package(p("x"), styles=HEADINGS)
    source, target = zipfile.ZipFile(BytesIO(data)), BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for entry in source.infolist():
            inner = source.read(entry)
            archive.writestr(entry.filename, inner.replace(b"</w:", b"</v:", 1) if entry.filename == part else inner)
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.docx", target.getvalue()))
    assert caught.value.code in ("DOC001", "DOC004")
    assert "\n" not in str(caught.value)


def test_a_file_without_its_beginning_is_damaged() -> None:
    data = package(p("x"), styles=HEADINGS)
    with pytest.raises(UnreadableFile, match="the DOCX file is damaged") as caught:
        read(Raw("a.docx", b"PK\x03\x04" + data[200:]))
    assert "\n" not in str(caught.value)


def test_a_protected_file_is_encrypted_and_not_unknown() -> None:
    data = b"\xd0\xcf\x11\xe0" + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600)
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.docx", data))
    assert caught.value.code == "DOC003"


@pytest.mark.parametrize("depth", [30, 400])
def test_tables_nested_deeply_end_in_a_document_or_a_reason(depth: int) -> None:
    body = "<w:tbl><w:tr><w:tc>" * depth + p("deep") + "</w:tc></w:tr></w:tbl>" * depth
    try:
        outcome = read_word(body).text
    except UnreadableFile as problem:
        outcome = str(problem)
    assert outcome.count("deep") == 1


PIECES = st.recursive(
    st.text(alphabet="abc 中1", min_size=1, max_size=8).map(
        lambda words: p(words, "Heading1") + p(words) + numbered("n", 1)
    ),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(
        lambda cells: table(
            [tc(cell) for cell in cells], [tc(p("z"), "<w:vMerge/>"), tc(p("y"), '<w:gridSpan w:val="2"/>')]
        )
    ),
    max_leaves=8,
)


@examples(2)
@given(st.lists(PIECES, max_size=4))
def test_any_body_keeps_the_contract(pieces: list[str]) -> None:
    document = parse_as("docx", Raw("a.docx", package("".join(pieces))))
    keeps_its_promises(document)
    assert sum(block.kind is BlockKind.TABLE for block in document.blocks) == len(document.tables)


PAGE = b"<html><body><h1>Plan</h1><p>Words &amp; more.</p><ul><li>one<li>two</ul></body></html>"
MHT = (
    b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html; charset=utf-8\n"
    b"Content-Transfer-Encoding: base64\n\n%b\n--x--\n" % b64encode(PAGE)
)


def with_chunk(data: bytes, name: str = "chunk.htm", main: str = "document", times: int = 1) -> bytes:
    """A file with another one in its text, as programs write it that leave the conversion to Word."""
    names = NAMES.format(MAIN)
    body = p("before") + "<w:altChunk r:id='c'/>" * times + p("after")
    return archive({
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": links({"a": ("officeDocument", f"word/{main}.xml")}),
        f"word/_rels/{main}.xml.rels": links({"c": ("aFChunk", name)}),
        f"word/{main}.xml": f"<w:document {names}><w:body>{body}</w:body></w:document>",
        f"word/{name}": data,
    })  # fmt: skip


@pytest.mark.parametrize(
    ("name", "data"),
    [("chunk.htm", PAGE), ("afchunk.mht", MHT), ("a.xhtml", PAGE.replace(b"<html", b"<!doctype html><html"))],
)
def test_a_page_in_the_text_stands_in_its_place(name: str, data: bytes) -> None:
    document = read(Raw("a.docx", with_chunk(data, name)))
    assert shown(document) == [
        ("paragraph", "before"), ("heading", "Plan"), ("paragraph", "Words & more."), ("list", "- one\n- two"),
        ("paragraph", "after"),
    ]  # fmt: skip


def test_files_in_files_in_the_text_are_bounded() -> None:
    data = with_chunk(PAGE, times=8)
    for _ in range(5):
        data = with_chunk(data, "a.docx", times=8)
    document = read(Raw("a.docx", data))
    assert document.text.count("Words & more.") < 101
    assert sum("more than 100" in finding.message for finding in document.findings) == 1


def test_a_document_in_the_text_stands_in_its_place_with_its_tables() -> None:
    inner = package(p("Table 1: Dues", "Caption") + table(["a", "b"], ["1", "2"]), styles=style("Caption", "caption"))
    document = read(Raw("a.docx", with_chunk(inner, "inner.docx")))
    assert (document.tables[0].rows, document.tables[0].caption) == ((("a", "b"), ("1", "2")), "Table 1: Dues")
    assert [words for kind, words in shown(document) if kind == "paragraph"] == ["before", "Table 1: Dues", "after"]


def test_a_file_in_the_text_that_cannot_be_read_is_told() -> None:
    document = read(Raw("a.docx", with_chunk(b"\x00\x01\x02" * 50, "a.bin")))
    assert [finding.name for finding in document.findings] == ["lost-part"]
    assert "a file in the text" in document.findings[0].message


def test_the_text_may_have_any_name() -> None:
    data = with_chunk(PAGE, main="trial")
    assert choose_parser(Raw("a.zip", data)) == "docx"
    assert shown(read(Raw("a", data)))[0] == ("paragraph", "before")


def control(
    words: str, path: str, store: str = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}", kind: str = "<w:text/>"
) -> str:
    """A control that shows something of another part."""
    bound = f'<w:dataBinding w:xpath="{path}" w:storeItemID="{store}"/>'
    return f"<w:sdt><w:sdtPr>{bound}{kind}</w:sdtPr><w:sdtContent>{p(words)}</w:sdtContent></w:sdt>"


def test_a_control_shows_what_it_is_bound_to() -> None:
    core = CORE.format(title="Pump report", creator="Ada", created="2025-01-02T00:00:00Z", modified="")
    title, nothing = "/ns1:coreProperties[1]/ns0:title[1]", "/ns1:coreProperties[1]/ns0:none[1]"
    body = (
        control("Title", title) + control("Stays", nothing) + control("Old", title, kind="<w:dropDownList/>")
        + control("Odd", "//*[name()='x']") + control("Other", title, store="{X}")
    )  # fmt: skip
    assert [words for _, words in shown(read_word(body, core))] == ["Pump report", "Stays", "Old", "Odd", "Other"]
    item = "<f:form xmlns:f='x'><f:name>Kai</f:name><f:name>Bo</f:name></f:form>"
    data = archive({
        "_rels/.rels": links({"a": ("officeDocument", "word/document.xml")}),
        "word/_rels/document.xml.rels": links({"c": ("customXml", "../customXml/item1.xml")}),
        "word/document.xml": f"<w:document {NAMES.format(MAIN)}><w:body>"
        f"{control('Name', '/f:form/f:name[2]', '{00aa}')}</w:body></w:document>",
        "customXml/item1.xml": item,
        "customXml/_rels/item1.xml.rels": links({"p": ("customXmlProps", "itemProps1.xml")}),
        "customXml/itemProps1.xml": "<ds:datastoreItem xmlns:ds='y' ds:itemID='{00AA}'/>",
    })  # fmt: skip
    assert [words for _, words in shown(read(Raw("a.docx", data)))] == ["Bo"]


@pytest.mark.parametrize("core", ["<cp:coreProperties", "<x/>", "<a>" * 5000, ""])
def test_properties_that_cannot_be_read_cost_no_file(core: str) -> None:
    document = read_word(p("Words"), core)
    assert (document.title, shown(document)) == ("", [("paragraph", "Words")])


CHART = (
    "<c:chartSpace xmlns:c='c' xmlns:a='a'><c:chart><c:title><c:tx><c:rich><a:t>Leaks</a:t></c:rich></c:tx></c:title>"
    "<c:plotArea><c:barChart><c:ser>{}<c:cat><c:strRef><c:strCache><c:pt idx='0'><c:v>May</c:v></c:pt><c:pt idx='1'>"
    "<c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>0.0"
    "</c:formatCode><c:pt idx='0'><c:v>4.1</c:v></c:pt><c:pt idx='1'><c:v>5</c:v></c:pt></c:numCache></c:numRef>"
    "</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
)
NAMED = "<c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>bar</c:v></c:pt></c:strCache></c:strRef></c:tx>"
DIAGRAM = (
    "<d:dataModel xmlns:d='d' xmlns:a='a'><d:ptLst><d:pt modelId='1' type='doc'/><d:pt modelId='2'><d:t><a:t>Valve"
    "</a:t></d:t></d:pt><d:pt modelId='3'><d:t><a:t>Seal</a:t></d:t></d:pt></d:ptLst>"
    "<d:cxnLst><d:cxn srcId='1' destId='2'/><d:cxn srcId='2' destId='3'/></d:cxnLst></d:dataModel>"
)


@pytest.mark.parametrize(("series", "headers"), [(NAMED, 1), ("", 0)])
def test_charts_and_diagrams_follow_the_paragraph_that_holds_them(series: str, headers: int) -> None:
    drawing = "<w:r><w:drawing><g:graphicData xmlns:g='g' xmlns:c='c' xmlns:d='d'>{}</g:graphicData></w:drawing></w:r>"
    held = drawing.format("<c:chart r:id='c'/>") + drawing.format("<d:relIds r:dm='d' r:lo='x'/>")
    lost = drawing.format("<c:chart r:id='gone'/>") + drawing.format("<c:chart r:id='s'/>")
    data = archive({
        "_rels/.rels": links({"a": ("officeDocument", "word/document.xml")}),
        "word/_rels/document.xml.rels": links({
            "c": ("chart", "chart1.xml"), "d": ("diagramData", "data1.xml"), "s": ("styles", "styles.xml"),
        }),
        "word/document.xml": f"<w:document {NAMES.format(MAIN)}><w:body><w:p>{held}{r('See')}{lost}</w:p>{p('after')}"
        "</w:body></w:document>",
        "word/chart1.xml": CHART.format(series),
        "word/data1.xml": DIAGRAM,
        "word/styles.xml": "<w:styles xmlns:w='w'/>",
    })  # fmt: skip
    document = read(Raw("a.docx", data))
    assert [words for kind, words in shown(document) if kind != "table"] == [
        "See", "Leaks", "- Valve\n  - Seal", "after",
    ]  # fmt: skip
    found = document.tables[0]
    assert (found.header_rows, found.caption, found.rows[headers:]) == (
        headers,
        "Leaks",
        (("May", "4.1"), ("June", "5.0")),
    )


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Minutes TEMPLATE", "Minutes of the Board"), ("Minutes", "Minutes of the Board"), ("", "Minutes of the Board")],
)
def test_a_printed_title_replaces_that_of_a_template_or_its_own_beginning(title: str, expected: str) -> None:
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
        f' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></cp:coreProperties>'
    )
    body = p("Minutes of the Board", "T") + p("The board met and agreed to the budget.")
    assert read_word(body, core, styles=style("T", "Title")).title == expected
