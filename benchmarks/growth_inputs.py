"""Files that are made to be slow: one repeated thing each, of any size, in every format."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO

from benchmarks.growth_mail import MAIL_INPUTS

Maker = Callable[[int], bytes]

REPEATED: Mapping[str, str] = {
    "capitals": "A",
    "small letters": "a",
    "capital words": "ABC ",
    "acronyms": "AB (CD) ",
    "dashes": "-",
    "en dashes": "–",
    "digits": "1",
    "dots": ".",
    "spaced dots": ". ",
    "underscores": "_",
    "spaces": "a" + " " * 500,
    "tabs": "a" + "\t" * 500,
    "open brackets": "[",
    "round brackets": "(",
    "round pairs": "()",
    "braces": "{",
    "angles": "<",
    "slashes": "/",
    "backslashes": "\\",
    "colons": ":",
    "bars": "|",
    "commas": ",",
    "hashes": "#",
    "stars": "*",
    "tildes": "~",
    "equals": "=",
    "dollars": "$",
    "percents": "%",
    "ampersands": "&",
    "at signs": "@",
    "double quotes": '"',
    "single quotes": "'",
    "quoted words": '"a" ',
    "question marks": "?",
    "Chinese": "年",
    "Chinese numbers": "三",
    "Chinese stops": "。",
    "months": "March ",
    "numbers": "1 ",
    "numbers with commas": "1, ",
    "amounts": "$1,234.5 million ",
    "ands": "and ",
    "days": "2023-03-05 ",
    "joined days": "2023-",
    "fractions": "1/",
    "periods": "three months ended ",
    "ranges": "from 1 to ",
    "the": "the ",
    "short sentences": "It is. ",
    "long sentence": "it is so and ",
    "lines": "a line\n",
    "blank lines": "\n\na",
    "list lines": "- a\n",
    "headings": "# A heading\n\n",
    "capital lines": "ITEM 8 TITLE\n\n",
    "numbered lines": "1. One\n",
    "addresses": "http://a.b/",
    "spaced addresses": "http://a.b/c ",
    "mails": "a@b.c ",
    "at and dot": "a@",
    "accents": "é",
    "mojibake": "Ã©",
    "combined": "é",
    "emoji": "😀",
    "footnotes": "[1] ",
    "table rows": "| a | b |\n",
    "joined words": "a-",
    "one name": "Alice Miller ",
    "page numbers": "Page 1\n\n",
    "times of day": "3:30 pm ",
    "speakers": "Speaker 1: yes\n",
    "stamps": "00:00:01 --> 00:00:02\nyes\n\n",
}
"""What a plain text repeats, by what it is."""
MARKDOWN: Mapping[str, str] = {
    "backticks": "`",
    "pairs of backticks": "`a``",
    "links": "[a](b) ",
    "open links": "[a](",
    "wiki links": "[[a]] ",
    "open wiki links": "[[a",
    "embeds": "![[a.png]] ",
    "emphasis": "*a_ ",
    "stars and words": "**a ",
    "highlights": "==a ",
    "comments": "%%a ",
    "inline maths": "$a",
    "display maths": "$$a ",
    "tags": "#a ",
    "HTML comments": "<!-- ",
    "HTML tags": "<a>",
    "open tags": "<a ",
    "entities": "&amp;",
    "footnotes": "[^1] ",
    "footnote texts": "[^1]: a\n",
    "references": "[a]: b\n",
    "quotes": "> a\n",
    "callouts": "> [!note] a\n",
    "tasks": "- [ ] a\n",
    "fences": "```\na\n",
    "rules": "---\n",
    "properties": "a:: b\n",
    "block ids": "a ^b1\n\n",
    "autolinks": "<http://a.b> ",
}
"""What a note repeats."""


def _repeat(piece: str) -> Maker:
    return lambda size: (piece * (size // len(piece.encode()) + 1)).encode()


def _note(piece: str) -> Maker:
    return lambda size: b"# Note\n\n" + _repeat(piece)(size)


def _wide(size: int) -> bytes:
    columns = size // 15
    return "\n".join(",".join(f"{letter}{n}" for n in range(columns)) for letter in "abc").encode()


def _wide_numbers(size: int) -> bytes:
    columns = size // 28
    head = ",".join(f"c{n}" for n in range(columns))
    return "\n".join([head, *(",".join(f"{n}.5" for n in range(columns)) for _ in range(3))]).encode()


def _alternating(size: int) -> bytes:
    return b"a,b\n" + b"1,2,3\n4,5\n" * (size // 10)


def _csv(row: str, head: str = "a,b,c\n") -> Maker:
    return lambda size: (head + row * (size // len(row) + 1)).encode()


def _long_cells(size: int) -> bytes:
    return ("a,b\n" + f"{'x' * 1000},{'1' * 1000}\n" * (size // 2000)).encode()


def _one_cell(size: int) -> bytes:
    return ("a,b\n1,2\n3,4\n5," + "word " * (size // 5) + "\n").encode()


def _totals(size: int) -> bytes:
    return ("item,a\n" + "part,1\ntotal,2\n" * (size // 15)).encode()


def _page(body: str) -> bytes:
    return f"<!doctype html><html><head><title>t</title></head><body>{body}</body></html>".encode()


def _html(piece: str, before: str = "", after: str = "") -> Maker:
    return lambda size: _page(before + piece * (size // len(piece) + 1) + after)


def _attributes(size: int) -> bytes:
    return _page(f"<p {' '.join(f'a{n}=b' for n in range(size // 9))}>text</p>")


def _quoted_attributes(size: int) -> bytes:
    named = " ".join(f'a{n}=">"' for n in range(size // 9))
    return _page(f"<p {named}>text</p>")


def _xml_attributes(size: int) -> bytes:
    named = " ".join(f'a{n}="b"' for n in range(size // 11))
    return _article(f"<p {named}>text</p>")(0)


def _word_attributes(size: int) -> bytes:
    named = " ".join(f'a{n}="b"' for n in range(size // 11))
    return _docx(f"<w:p {named}>{_RUN}</w:p>")(0)


def _head_rows(size: int) -> bytes:
    rows = "".join(f"<tr><th>a{n}</th><th>b{n}</th></tr>" for n in range(size // 34))
    return _page(f"<table>{rows}<tr><td>1</td><td>2</td></tr></table>")


def _cells(size: int) -> bytes:
    return _page(f"<table><tr>{'<th>a</th>' * (size // 20)}</tr><tr>{'<td>1</td>' * (size // 20)}</tr></table>")


def _spans(size: int) -> bytes:
    row = '<tr><td rowspan="1000" colspan="1000">a</td><td>b</td></tr>'
    return _page(f"<table>{row * (size // len(row))}</table>")


def _article(piece: str, before: str = "", after: str = "") -> Maker:
    def make(size: int) -> bytes:
        front = (
            "<front><article-meta><title-group><article-title>T</article-title></title-group></article-meta></front>"
        )
        body = before + piece * (size // len(piece) + 1) + after
        return f'<article article-type="research-article">{front}<body>{body}</body></article>'.encode()

    return make


def _references(size: int) -> bytes:
    one = "<ref id='r'><mixed-citation>A, B. Title of it. Journal 2020;1:2.</mixed-citation></ref>"
    article = f"<body><p>Text.</p></body><back><ref-list>{one * (size // len(one))}</ref-list></back>"
    return f'<article article-type="research-article"><front/>{article}</article>'.encode()


_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)


def _docx(piece: str, before: str = "", after: str = "") -> Maker:
    def make(size: int) -> bytes:
        body = before + piece * (size // len(piece) + 1) + after
        document = f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
        target = BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("[Content_Types].xml", _TYPES)
            archive.writestr("_rels/.rels", _RELATIONS)
            archive.writestr("word/document.xml", document)
        return target.getvalue()

    return make


def _office(main: str, parts: Mapping[str, str]) -> bytes:
    """An archive whose main part is named by a relationship."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("_rels/.rels", _RELATIONS.replace("word/document.xml", main))
        for name, text in parts.items():
            archive.writestr(name, text)
    return target.getvalue()


def _related(kind: str, target: str) -> str:
    return f'<Relationships><Relationship Id="r" Type="x/{kind}" Target="{target}"/></Relationships>'


def _sheet(piece: Callable[[int], str], length: int, before: str = "", after: str = "") -> Maker:
    """A sheet of so many pieces, each of about `length` bytes, by its number from 1."""

    def make(size: int) -> bytes:
        inner = "".join(map(piece, range(1, size // length + 2)))
        names = 'xmlns="s" xmlns:r="r"'
        return _office("xl/workbook.xml", {
            "xl/workbook.xml": f'<workbook {names}><sheets><sheet name="S" r:id="r"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": _related("worksheet", "sheet.xml"),
            "xl/sheet.xml": f"<worksheet {names}>{before}{inner}{after}</worksheet>",
        })  # fmt: skip

    return make


def _sheet_row(number: int, *values: str) -> str:
    cells = "".join(f'<c r="{letter}{number}"><v>{value}</v></c>' for letter, value in zip("ACE", values, strict=False))
    return f'<row r="{number}">{cells}</row>'


def _slide(piece: str, before: str = "", after: str = "") -> Maker:
    def make(size: int) -> bytes:
        inner = before + piece * (size // len(piece) + 1) + after
        names = 'xmlns:p="p" xmlns:a="a" xmlns:r="r"'
        listed = '<p:sldIdLst><p:sldId id="1" r:id="r"/></p:sldIdLst>'
        return _office("ppt/presentation.xml", {
            "ppt/presentation.xml": f"<p:presentation {names}>{listed}</p:presentation>",
            "ppt/_rels/presentation.xml.rels": _related("slide", "slide.xml"),
            "ppt/slide.xml": f"<p:sld {names}><p:cSld><p:spTree>{inner}</p:spTree></p:cSld></p:sld>",
        })  # fmt: skip

    return make


_LINE = "<a:p><a:r><a:t>word</a:t></a:r></a:p>"
_SHAPE = f"<p:sp><p:txBody>{_LINE}</p:txBody></p:sp>"
_RUN = "<w:r><w:t>word </w:t></w:r>"
_PARAGRAPH = f"<w:p>{_RUN}</w:p>"
_CELL = f"<w:tc>{_PARAGRAPH}</w:tc>"


def pdf(contents: str, size: tuple[int, int] = (612, 792)) -> bytes:
    """A PDF of one page with this content stream; `F` is Helvetica."""
    resources = "/Resources << /Font << /F 5 0 R >> >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size[0]} {size[1]}] /Contents 4 0 R {resources} >>",
        f"<< /Length {len(contents)} >>\nstream\n{contents}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data, places = "%PDF-1.4\n", []
    parts = [data]
    length = len(data)
    for number, body in enumerate(objects, start=1):
        places.append(length)
        parts.append(f"{number} 0 obj\n{body}\nendobj\n")
        length += len(parts[-1])
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    parts.append(
        f"xref\n0 6\n0000000000 65535 f \n{rows}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{length}\n%%EOF\n"
    )
    return "".join(parts).encode("latin-1")


def _characters(size: int) -> bytes:
    shown = (f"BT /F 6 Tf {36 + 6 * (n % 90)} {780 - 7 * (n // 90 % 108)} Td (a) Tj ET" for n in range(size // 33))
    return pdf("\n".join(shown))


def _one_place(size: int) -> bytes:
    return pdf("\n".join("BT /F 6 Tf 100 100 Td (a) Tj ET" for _ in range(size // 32)))


def _one_line(size: int) -> bytes:
    return pdf("\n".join(f"BT /F 6 Tf {n} 100 Td (a) Tj ET" for n in range(size // 32)), (size // 32 + 10, 200))


def _text_lines(size: int) -> bytes:
    count = size // 60
    shown = (f"BT /F 6 Tf 36 {10 + 8 * n} Td (some words on line {n}) Tj ET" for n in range(count))
    return pdf("\n".join(shown), (612, 20 + 8 * count))


def _rules(size: int) -> bytes:
    words = "BT /F 6 Tf 36 40 Td (words) Tj ET\n"
    return pdf(words + "\n".join(f"36 {50 + n % 700} m 570 {50 + n % 700} l S" for n in range(size // 22)))


def _grid(size: int) -> bytes:
    count = max(2, int((size / 44) ** 0.5) * 4)
    drawn = [f"36 {20 + 5 * n} m {36 + 5 * count} {20 + 5 * n} l S" for n in range(count)]
    drawn += [f"{36 + 5 * n} 20 m {36 + 5 * n} {20 + 5 * count} l S" for n in range(count)]
    shown = [
        f"BT /F 3 Tf {37 + 5 * (n % count)} {21 + 5 * (n // count)} Td (1) Tj ET"
        for n in range(min(size // 33, count * count))
    ]
    return pdf("\n".join(drawn + shown), (100 + 5 * count, 60 + 5 * count))


def _boxes(size: int) -> bytes:
    words = "BT /F 6 Tf 36 20 Td (words) Tj ET\n"
    drawn = (f"{36 + 5 * (n % 100)} {40 + 5 * (n // 100 % 140)} 4 4 re f" for n in range(size // 16))
    return pdf(words + "\n".join(drawn))


def _columns(size: int) -> bytes:
    count = size // 40
    shown = (f"BT /F 4 Tf {36 + 30 * (n % 18)} {10 + 6 * (n // 18)} Td ({n}.0) Tj ET" for n in range(count))
    return pdf("\n".join(shown), (612, 20 + 6 * (count // 18)))


def _figures(size: int) -> bytes:
    return pdf(f"BT /F 6 Tf 36 700 Td\n[{'(1) -3000 ' * (size // 10)}] TJ ET", (3 * size, 792))


def _sizes(size: int) -> bytes:
    shown = (
        f"BT /F {4 + n % 9} Tf {36 + 5 * (n % 100)} {780 - 8 * (n // 100 % 90)} Td (a) Tj ET" for n in range(size // 35)
    )
    return pdf("\n".join(shown))


def _stamps(size: int) -> bytes:
    return "".join(f"{n // 60:02d}:{n % 60:02d}\nsomething is said here\n" for n in range(size // 29)).encode()


def _deep_list(size: int) -> bytes:
    depth = int(size**0.5)
    return b"# Note\n\n" + "".join(f"{'  ' * level}- a\n" for level in range(depth)).encode()


def _wide_table(size: int) -> bytes:
    columns = size // 12
    return f"# Note\n\n|{'a|' * columns}\n|{'-|' * columns}\n|{'1|' * columns}\n".encode()


def _ragged_table(size: int) -> bytes:
    return b"# Note\n\n| a | b |\n|---|---|\n" + b"|1|\n" * (size // 4)


def _front_matter(size: int) -> bytes:
    return b"---\n" + "".join(f"key{n}: value\n" for n in range(size // 16)).encode() + b"---\nText.\n"


def _tag_list(size: int) -> bytes:
    return b"---\ntags: [" + ", ".join(f"t{n}" for n in range(size // 8)).encode() + b"]\n---\nText.\n"


def _paragraphs(size: int) -> bytes:
    return "".join(f"Paragraph {n} of the text says something else each time.\n\n" for n in range(size // 60)).encode()


def _alike(size: int) -> bytes:
    return b"The same paragraph stands here again and again, word for word.\n\n" * (size // 65)


def _sections(size: int) -> bytes:
    return "".join(f"## Section {n}\n\nText of it in {1900 + n % 120}.\n\n" for n in range(size // 40)).encode()


def _definitions(size: int) -> bytes:
    return "".join(
        f"Alpha Beta {chr(65 + n % 26)}amma (AB{chr(65 + n % 26)}) is used. " for n in range(size // 33)
    ).encode()


def _relative(size: int) -> bytes:
    return "".join(f"In {1900 + n % 120} it rose, a year later it fell. " for n in range(size // 38)).encode()


INPUTS: Mapping[str, tuple[str, Maker]] = {
    "csv: columns": (".csv", _wide),
    "csv: columns of numbers": (".csv", _wide_numbers),
    "csv: rows": (".csv", _csv("1,x,2.5\n")),
    "csv: long cells": (".csv", _long_cells),
    "csv: one long cell": (".csv", _one_cell),
    "csv: only quotes": (".csv", _repeat('"')),
    "csv: quotes in rows": (".csv", _csv('"""",""\n')),
    "csv: an open quote a row": (".csv", _csv('"a,b,c\n')),
    "csv: empty cells": (".csv", _csv(",,\n")),
    "csv: only commas": (".csv", _repeat(",")),
    "csv: two widths": (".csv", _alternating),
    "csv: totals": (".csv", _totals),
    "csv: days": (".csv", _csv("2023-03-05,March 2023,Q1 2023\n", "day,month,quarter\n")),
    "html: attributes": (".html", _attributes),
    "html: quoted attributes": (".html", _quoted_attributes),
    "html: header rows": (".html", _head_rows),
    "jats: attributes": (".xml", _xml_attributes),
    "docx: attributes": (".docx", _word_attributes),
    "html: tags with attributes": (".html", _html('<p class="a" id="b" style="c" title="d" data-x="e">t</p>')),
    "html: deep": (".html", _html("<div>", after="text")),
    "html: nested tables": (".html", _html("<table><tr><td>a" * 60 + "</td></tr></table>" * 60)),
    "html: nested lists": (".html", _html("<ul><li>a" * 90 + "</li></ul>" * 90)),
    "html: nested navigation": (".html", _html("<nav><header>a" * 90 + "</header></nav>" * 90)),
    "html: nested figures": (".html", _html("<figure>a" * 90 + "</figure>" * 90)),
    "html: nested inline": (".html", _html("<i>a" * 180 + "</i>" * 180)),
    "html: deep inline": (".html", _html("<b>", after="text")),
    "html: deep lists": (".html", _html("<ul><li>a")),
    "html: deep tables": (".html", _html("<table><tr><td>a")),
    "html: tables": (".html", _html("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>")),
    "html: columns": (".html", _cells),
    "html: rows": (".html", _html("<tr><td>a</td><td>1</td></tr>", "<table>", "</table>")),
    "html: spans": (".html", _spans),
    "html: links": (".html", _html('<a href="b">a</a> ')),
    "html: inline tags": (".html", _html("<i>a</i> <b>b</b> ")),
    "html: paragraphs": (".html", _html("<p>Some words.</p>")),
    "html: headings": (".html", _html("<h2>Head</h2>")),
    "html: breaks": (".html", _html("a<br>")),
    "html: entities": (".html", _html("&amp;")),
    "html: open tags": (".html", _html("<")),
    "html: comments": (".html", _html("<!--")),
    "html: text": (".html", _html("word ")),
    "html: images": (".html", _html('<img src="a" alt="b">')),
    "html: scripts": (".html", _html("<script>a</script>")),
    "html: meta": (
        ".html",
        lambda size: ("<html><head>" + '<meta name="a" content="b">' * (size // 27) + "</head><p>t").encode(),
    ),
    "html: definitions": (".html", _html("<dt>a</dt><dd>b</dd>", "<dl>", "</dl>")),
    "html: details": (".html", _html("<nav><a href='x'>y</a></nav>", "<p>text</p>")),
    "md: list depth": (".md", _deep_list),
    "md: table columns": (".md", _wide_table),
    "md: short table rows": (".md", _ragged_table),
    "md: front matter": (".md", _front_matter),
    "md: many tags": (".md", _tag_list),
    "md: sections": (".md", _sections),
    "md: quote depth": (".md", _note("> ")),
    "txt: paragraphs": (".txt", _paragraphs),
    "txt: paragraphs alike": (".txt", _alike),
    "txt: definitions": (".txt", _definitions),
    "txt: relative times": (".txt", _relative),
    "txt: transcript": (".txt", _stamps),
    "jats: paragraphs": (".xml", _article("<p>Some text of it.</p>")),
    "jats: deep sections": (".xml", _article("<sec><title>t</title>")),
    "jats: sections": (".xml", _article("<sec><title>t</title><p>a</p></sec>")),
    "jats: references": (".xml", _references),
    "jats: inline": (".xml", _article("<italic>a</italic> ", "<p>", "</p>")),
    "jats: citations": (".xml", _article('<xref ref-type="bibr" rid="r">1</xref>, ', "<p>", "</p>")),
    "jats: tables": (
        ".xml",
        _article("<table-wrap><label>T</label><table><tr><td>a</td><td>1</td></tr></table></table-wrap>"),
    ),
    "jats: rows": (
        ".xml",
        _article("<tr><td>a</td><td>1</td></tr>", "<table-wrap><table>", "</table></table-wrap>"),
    ),
    "docx: paragraphs": (".docx", _docx(_PARAGRAPH)),
    "docx: runs": (".docx", _docx(_RUN, "<w:p>", "</w:p>")),
    "docx: columns": (".docx", _docx(_CELL, "<w:tbl><w:tr>", f"</w:tr><w:tr>{_CELL}</w:tr></w:tbl>")),
    "docx: rows": (".docx", _docx(f"<w:tr>{_CELL}{_CELL}</w:tr>", "<w:tbl>", "</w:tbl>")),
    "docx: tables": (".docx", _docx(f"<w:tbl><w:tr>{_CELL}{_CELL}</w:tr><w:tr>{_CELL}{_CELL}</w:tr></w:tbl>")),
    "docx: breaks": (".docx", _docx("<w:r><w:br/></w:r>", "<w:p>", f"{_RUN}</w:p>")),
    "docx: headings": (".docx", _docx(f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>{_RUN}</w:p>')),
    "xlsx: rows": (".xlsx", _sheet(lambda at: _sheet_row(at, "1", "2", "3"), 80)),
    "xlsx: islands below each other": (".xlsx", _sheet(lambda at: _sheet_row(2 * at, "1"), 50)),
    "xlsx: islands in steps": (".xlsx", _sheet(lambda at: _sheet_row(at, *["", "1"][at % 2 :], "1"), 60)),
    "xlsx: columns": (
        ".xlsx",
        _sheet(
            lambda at: "<c><v>1</v></c>" if at < 16_000 else "", 15, '<row r="1">', f"</row>{_sheet_row(2, '1', '2')}"
        ),
    ),
    "xlsx: merged cells": (
        ".xlsx",
        _sheet(lambda at: f'<mergeCell ref="A{at}:C{at}"/>', 30, "".join(_sheet_row(at, "1") for at in range(1, 99))),
    ),
    "pptx: shapes": (".pptx", _slide(_SHAPE)),
    "pptx: paragraphs": (".pptx", _slide(_LINE, "<p:sp><p:txBody>", "</p:txBody></p:sp>")),
    "docx: list": (
        ".docx",
        _docx(f'<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>{_RUN}</w:p>'),
    ),
    "pdf: single characters": (".pdf", _characters),
    "pdf: characters in one place": (".pdf", _one_place),
    "pdf: one long line": (".pdf", _one_line),
    "pdf: lines": (".pdf", _text_lines),
    "pdf: rules": (".pdf", _rules),
    "pdf: grid": (".pdf", _grid),
    "pdf: boxes": (".pdf", _boxes),
    "pdf: columns": (".pdf", _columns),
    "pdf: one line of figures": (".pdf", _figures),
    "pdf: sizes": (".pdf", _sizes),
    **{f"txt: {name}": (".txt", _repeat(piece)) for name, piece in REPEATED.items()},
    **{f"md: {name}": (".md", _note(piece)) for name, piece in {**REPEATED, **MARKDOWN}.items()},
    **{
        f"html: {name}": (".html", _html(piece))
        for name, piece in REPEATED.items()
        if "<" not in piece and "&" not in piece
    },
    **MAIL_INPUTS,
}
"""Suffix and maker of each; a maker takes the size in bytes."""
