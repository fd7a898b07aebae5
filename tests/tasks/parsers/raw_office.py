"""Workbooks and presentations written by hand, so that a test says exactly what stands in them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from tasks.parsers.sheets.workbook_package import format_column
from warehouse.records import Document

HOST = "http://schemas.openxmlformats.org"
NAMES = (
    f'xmlns="{HOST}/spreadsheetml/2006/main" xmlns:r="{HOST}/officeDocument/2006/relationships" '
    f'xmlns:xdr="{HOST}/drawingml/2006/spreadsheetDrawing" xmlns:a="{HOST}/drawingml/2006/main"'
)
SLIDE_NAMES = (
    f'xmlns:p="{HOST}/presentationml/2006/main" xmlns:r="{HOST}/officeDocument/2006/relationships" '
    f'xmlns:a="{HOST}/drawingml/2006/main" xmlns:c="{HOST}/drawingml/2006/chart" '
    f'xmlns:dgm="{HOST}/drawingml/2006/diagram" xmlns:mc="{HOST}/markup-compatibility/2006"'
)
Parts = Mapping[str, str | bytes]
Link = tuple[str, str]  # The kind and target of a relationship.


def archive(parts: Parts, *, packed: bool = True) -> bytes:
    """The bytes of a ZIP archive, the same at any time: processes that collect tests compare what tests are given."""
    target, kind = BytesIO(), zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with zipfile.ZipFile(target, "w") as opened:
        for name, content in parts.items():
            opened.writestr(zipfile.ZipInfo(name), content, kind)
    return target.getvalue()


def links(targets: Mapping[str, Link]) -> str:
    """A part of relationships."""
    found = "".join(
        f'<Relationship Id="{name}" Type="{HOST}/x/{kind}" Target="{target}"/>'
        for name, (kind, target) in targets.items()
    )
    return f"<Relationships>{found}</Relationships>"


def c(place: str, value: object, style: int = 0, formula: str = "") -> str:
    """A cell; texts are inline."""
    f = f"<f>{formula}</f>" if formula else ""
    if isinstance(value, str):
        return f'<c r="{place}" s="{style}" t="inlineStr">{f}<is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}" s="{style}">{f}<v>{value}</v></c>'


def row(number: int, cells: Sequence[object], style: int = 0, extra: str = "", left: int = 1) -> str:
    """A row of values; None leaves a cell out."""
    shown = (
        c(f"{format_column(left + at)}{number}", value, style) for at, value in enumerate(cells) if value is not None
    )
    return f'<row r="{number}" {extra}>{"".join(shown)}</row>'


def rows(*values: Sequence[object], top: int = 1) -> str:
    """Rows from a row on; an empty one is blank."""
    return "".join(row(top + at, each) for at, each in enumerate(values) if each)


def sheet(data: str, before: str = "", after: str = "") -> str:
    """A sheet: what stands before and after its rows."""
    return f"<worksheet {NAMES}>{before}<sheetData>{data}</sheetData>{after}</worksheet>"


def workbook(
    *sheets: str,
    names: Sequence[str] = ("One", "Two", "Three"),
    formats: Sequence[str] = (),
    strings: Sequence[str] = (),
    states: Sequence[str] = ("", "", ""),
    properties: str = "",
    parts: Parts | None = None,
    own: Mapping[str, Link] | None = None,
) -> bytes:
    """The bytes of a workbook.

    Style n has the nth format, from 1. `strings` are the insides of shared texts, `own` the relationships of the first
    sheet, `parts` further parts.
    """
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{at}" r:id="s{at}" state="{state or "visible"}"/>'
        for at, (name, state, _) in enumerate(zip(names, states, sheets, strict=False), 1)
    )
    codes = "".join(f'<numFmt numFmtId="{200 + at}" formatCode="{escape(code)}"/>' for at, code in enumerate(formats))
    styles = "".join(f'<xf numFmtId="{200 + at}"/>' for at in range(len(formats)))
    related: dict[str, Link] = {
        f"s{at}": ("worksheet", f"worksheets/sheet{at}.xml") for at in range(1, len(sheets) + 1)
    }
    related |= {"styles": ("styles", "styles.xml"), "strings": ("sharedStrings", "sharedStrings.xml")}
    shared = "".join(f"<si>{each}</si>" for each in strings)
    listed_formats = f"<numFmts>{codes}</numFmts><cellXfs><xf numFmtId='0'/>{styles}</cellXfs>"
    return archive({
        "_rels/.rels": links({"a": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f"<workbook {NAMES}>{properties}<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": links(related),
        "xl/styles.xml": f"<styleSheet {NAMES}>{listed_formats}</styleSheet>",
        "xl/sharedStrings.xml": f"<sst {NAMES}>{shared}</sst>",
        **{f"xl/worksheets/sheet{at}.xml": text for at, text in enumerate(sheets, 1)},
        **({"xl/worksheets/_rels/sheet1.xml.rels": links(own)} if own else {}),
        **(parts or {}),
    })  # fmt: skip


def read_sheets(*sheets: str, **options: object) -> Document:
    """The document of such a workbook."""
    return parse_as("xlsx", Raw("a.xlsx", workbook(*sheets, **options)))  # type: ignore[arg-type]


def paragraph(text: str, properties: str = "") -> str:
    """A paragraph of a shape; `properties` is the inside of its properties, attributes first, up to `>`."""
    own = f"<a:pPr {properties}</a:pPr>" if ">" in properties else f"<a:pPr {properties}/>"
    return f"<a:p>{own}<a:r><a:t>{escape(text)}</a:t></a:r></a:p>"


def transform(left: float, top: float, width: float = 2, height: float = 0.5, tag: str = "a:xfrm") -> str:
    """A place in inches."""
    x, y, cx, cy = (round(914_400 * each) for each in (left, top, width, height))
    return f'<{tag}><a:off x="{x}" y="{y}"/><a:ext cx="{cx}" cy="{cy}"/></{tag}>'


def shape(text: str, place: str = "", kind: str | None = None, extra: str = "") -> str:
    """A shape with paragraphs, or plain words; `kind` makes it a placeholder."""
    inner = text if text.startswith("<") else paragraph(text)
    holder = "" if kind is None else f'<p:ph type="{kind}"/>'
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" {extra}/><p:cNvSpPr/><p:nvPr>{holder}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{place}</p:spPr><p:txBody><a:bodyPr/>{inner}</p:txBody></p:sp>"
    )


def frame(content: str, place: str = "") -> str:
    """A frame around a table, a chart or a diagram."""
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="x"/><p:nvPr/></p:nvGraphicFramePr>'
        f"{place or transform(1, 1, 5, 3, 'p:xfrm')}<a:graphic><a:graphicData>{content}</a:graphicData></a:graphic>"
        "</p:graphicFrame>"
    )


def slide(*shapes: str, extra: str = "") -> str:
    """A slide of some shapes."""
    return f"<p:sld {SLIDE_NAMES} {extra}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:sld>"


def deck(*slides: str, parts: Parts | None = None, own: Mapping[str, Link] | None = None) -> bytes:
    """The bytes of a presentation; `own` are the relationships of the first slide."""
    listed = "".join(f'<p:sldId id="{255 + at}" r:id="s{at}"/>' for at in range(1, len(slides) + 1))
    related: dict[str, Link] = {f"s{at}": ("slide", f"slides/slide{at}.xml") for at in range(1, len(slides) + 1)}
    return archive({
        "_rels/.rels": links({"a": ("officeDocument", "ppt/presentation.xml")}),
        "ppt/presentation.xml": f"<p:presentation {SLIDE_NAMES}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": links(related),
        **{f"ppt/slides/slide{at}.xml": text for at, text in enumerate(slides, 1)},
        **({"ppt/slides/_rels/slide1.xml.rels": links(own)} if own else {}),
        **(parts or {}),
    })  # fmt: skip


def read_slides(*slides: str, parts: Parts | None = None, own: Mapping[str, Link] | None = None) -> Document:
    """The document of such a presentation."""
    return parse_as("pptx", Raw("a.pptx", deck(*slides, parts=parts, own=own)))
