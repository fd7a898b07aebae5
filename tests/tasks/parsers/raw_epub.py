"""Books for tests, from their parts."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from warehouse.records import Document

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" '
    'media-type="application/oebps-package+xml"/></rootfiles></container>'
)
PAGE = (
    '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
    'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>x</title></head><body>{}</body></html>'
)
META = "<dc:title>The Lamp Keeper</dc:title><dc:creator>Mara Ellison</dc:creator><dc:date>2019-05-02</dc:date>"
_ENCRYPTED = (
    '<encryption xmlns="x" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod '
    'Algorithm="{}"/><enc:CipherData><enc:CipherReference URI="{}"/></enc:CipherData></enc:EncryptedData></encryption>'
)


def page(body: str) -> str:
    """A page of XHTML."""
    return PAGE.format(body)


def encryption(scheme: str, part: str) -> str:
    """The list of encrypted parts, with one."""
    return _ENCRYPTED.format(scheme, part)


def point(label: str, target: str, *inner: str) -> str:
    """A line of the table of contents of EPUB 2, with those below it."""
    return f'<navPoint><navLabel><text>{label}</text></navLabel><content src="{target}"/>{"".join(inner)}</navPoint>'


def epub(
    pages: Mapping[str, str],
    *,
    meta: str = META,
    points: Sequence[str] = (),
    navigation: str = "",
    spine: Sequence[str] | None = None,
    guide: str = "",
    more: Mapping[str, str] | None = None,
    hidden: Sequence[str] = (),
) -> bytes:
    """The bytes of a book; `spine` are the items of its order of reading, `hidden` parts are not put in."""
    items = [
        f'<item id="i{number}" href="{name}" media-type="application/xhtml+xml"/>' for number, name in enumerate(pages)
    ]
    parts = {f"OPS/{name}": text for name, text in pages.items()}
    if points:
        items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        parts["OPS/toc.ncx"] = (
            f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{"".join(points)}</navMap></ncx>'
        )
    if navigation:
        items.append('<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>')
        parts["OPS/nav.xhtml"] = page(navigation)
    references = spine if spine is not None else [f'<itemref idref="i{number}"/>' for number in range(len(pages))]
    opf = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" '
        f'xmlns:opf="http://www.idpf.org/2007/opf">{meta}</metadata><manifest>{"".join(items)}</manifest>'
        f'<spine toc="ncx">{"".join(references)}</spine><guide>{guide}</guide></package>'
    )
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "OPS/book.opf": opf, **parts}
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**parts, **(more or {})}.items():
            if name not in hidden:
                archive.writestr(zipfile.ZipInfo(name, (2025, 1, 1, 0, 0, 0)), text)
    return target.getvalue()


def read_book(data: bytes) -> Document:
    """The document of a book."""
    return parse_as("epub", Raw("a.epub", data))
