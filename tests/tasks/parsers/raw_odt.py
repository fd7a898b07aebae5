"""OpenDocument texts written by hand, so that a test says exactly what stands in them."""

from __future__ import annotations

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from tests.tasks.parsers.raw_office import archive
from warehouse.records import Document

TYPE = "application/vnd.oasis.opendocument.text"
_HOST = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{_HOST}:{name}:1.0"'
    for prefix, name in [
        ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing"),
        ("meta", "meta"), ("loext", "loext"), ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"),
    ]
) + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'  # fmt: skip
STYLES = (
    '<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph" '
    'style:default-outline-level="1"/><style:style style:name="Title" style:family="paragraph"/>'
    '<style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text" style:family="paragraph"/>'
    '<style:style style:name="Caption" style:family="paragraph"/>'
)
AUTOMATIC = (
    '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Heading_20_1"/>'
    '<style:style style:name="T9" style:family="text"><style:text-properties text:display="none"/></style:style>'
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" '
    'style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" '
    'text:display-levels="2"/></text:list-style><text:list-style style:name="L2"><text:list-level-style-bullet '
    'text:level="1" text:bullet-char="–"/></text:list-style>'
)


def p(text: str, style: str = "Standard") -> str:
    """A paragraph of some markup."""
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(text: str, level: int = 1) -> str:
    """A heading."""
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def items(*content: str, style: str = "L2", options: str = "") -> str:
    """A list; an item is markup, or plain words."""
    inner = "".join(f"<text:list-item>{each if each.startswith('<') else p(each)}</text:list-item>" for each in content)
    return f'<text:list text:style-name="{style}" {options}>{inner}</text:list>'


def cell(text: str, options: str = "") -> str:
    """A cell of a table; markup, or plain words."""
    return f"<table:table-cell {options}>{text if text.startswith('<') else p(text)}</table:table-cell>"


def row(*cells: str, options: str = "") -> str:
    """A row of cells; plain words are one."""
    inner = "".join(each if each.startswith("<table") else cell(each) for each in cells)
    return f"<table:table-row {options}>{inner}</table:table-row>"


def table(*rows: str, headers: int = 0) -> str:
    """A table, whose first rows are marked as its header."""
    head = f"<table:table-header-rows>{''.join(rows[:headers])}</table:table-header-rows>" if headers else ""
    return f"<table:table>{head}{''.join(rows[headers:])}</table:table>"


def note(mark: str, text: str, kind: str = "footnote") -> str:
    """A note where it is referred to."""
    return (
        f'<text:note text:note-class="{kind}"><text:note-citation>{mark}</text:note-citation><text:note-body>{p(text)}'
        "</text:note-body></text:note>"
    )


def odt(body: str, *, meta: str = "", pages: str = "", manifest: str = "", kind: str = TYPE, styles: str = "") -> bytes:
    """The bytes of a text; `pages` are its headers and footers, `styles` more than the usual ones."""
    return archive(
        {
            "mimetype": kind,
            "META-INF/manifest.xml": f'<manifest><file-entry full-path="/" media-type="{kind}"/>{manifest}</manifest>',
            "content.xml": f"<office:document-content {NAMESPACES}><office:automatic-styles>{AUTOMATIC}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "styles.xml": f"<office:document-styles {NAMESPACES}><office:styles>{STYLES}{styles}</office:styles>"
            f'<office:master-styles><style:master-page style:name="Standard">{pages}</style:master-page>'
            "</office:master-styles></office:document-styles>",
            "meta.xml": f"<office:document-meta {NAMESPACES}><office:meta>{meta}</office:meta></office:document-meta>",
        },
        packed=False,
    )


def read_odt(body: str, *, meta: str = "", pages: str = "", styles: str = "") -> Document:
    """The document of such a text."""
    return parse_as("odt", Raw("a.odt", odt(body, meta=meta, pages=pages, styles=styles)))
