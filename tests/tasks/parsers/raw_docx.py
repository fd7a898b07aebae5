"""Word files written by hand, so that a test says exactly what stands in them."""

from __future__ import annotations

import zipfile
from io import BytesIO

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from warehouse.records import Document

MAIN = "http://schemas.openxmlformats.org"
STRICT = "http://purl.oclc.org/ooxml"
NAMES = (
    'xmlns:w="{0}/wordprocessingml/2006/main" xmlns:r="{0}/officeDocument/2006/relationships" '
    'xmlns:m="{0}/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>{title}</dc:title>'
    "<dc:creator>{creator}</dc:creator><dcterms:created>{created}</dcterms:created>"
    "<dcterms:modified>{modified}</dcterms:modified></cp:coreProperties>"
)


def p(text: str, style: str = "", extra: str = "") -> str:
    """A paragraph with one run; `extra` goes into its properties."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{extra}</w:pPr>{r(text)}</w:p>"


def r(text: str, extra: str = "") -> str:
    """A run."""
    return f'<w:r>{extra}<w:t xml:space="preserve">{text}</w:t></w:r>'


def numbered(text: str, number: int, level: int = 0) -> str:
    """A paragraph of a list."""
    return p(text, extra=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def tc(content: str, properties: str = "") -> str:
    """A cell; plain words become a paragraph."""
    inner = content if content.startswith("<w:") else p(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def table(*rows: list[str], header: int = 0) -> str:
    """A table of cells given as words or as `tc` elements; the first `header` rows are marked."""
    shown = ""
    for number, row in enumerate(rows):
        mark = "<w:trPr><w:tblHeader/></w:trPr>" if number < header else ""
        cells = "".join(cell if cell.startswith("<w:tc>") else tc(cell) for cell in row)
        shown += f"<w:tr>{mark}{cells}</w:tr>"
    return f"<w:tbl><w:tblPr/>{shown}</w:tbl>"


def style(style_id: str, name: str, properties: str = "", based_on: str = "") -> str:
    """A paragraph style."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    named = f'<w:name w:val="{name}"/>'
    return f'<w:style w:type="paragraph" w:styleId="{style_id}">{named}{base}<w:pPr>{properties}</w:pPr></w:style>'


def level(number: int, numerals: str, text: str, extra: str = "") -> str:
    """A level of a list."""
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{numerals}"/>{extra}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def package(body: str, core: str = "", host: str = MAIN, **parts: str) -> bytes:
    """The bytes of a DOCX file; `parts` are the insides of styles, numbering, footnotes, headers and so on."""
    names = NAMES.format(host)
    roots = f'<Relationship Id="a" Type="{host}/x/officeDocument" Target="word/document.xml"/>'
    if core:
        roots += f'<Relationship Id="b" Type="{host}/x/metadata/core-properties" Target="docProps/core.xml"/>'
    links = '<Relationship Id="gone" Type="x/image" Target="NULL"/>'
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, inner in parts.items():
            kind = name.rstrip("0123456789")
            links += f'<Relationship Id="{name}" Type="{host}/x/{kind}" Target="{name}.xml"/>'
            archive.writestr(f"word/{name}.xml", f"<w:{kind} {names}>{inner}</w:{kind}>")
        archive.writestr("_rels/.rels", f"<Relationships>{roots}</Relationships>")
        archive.writestr("word/_rels/document.xml.rels", f"<Relationships>{links}</Relationships>")
        archive.writestr("word/document.xml", f"<w:document {names}><w:body>{body}</w:body></w:document>")
        if core:
            archive.writestr("docProps/core.xml", core)
    return target.getvalue()


def read_word(body: str, core: str = "", host: str = MAIN, **parts: str) -> Document:
    """The document of such a file."""
    return parse_as("docx", Raw("a.docx", package(body, core, host, **parts)))
