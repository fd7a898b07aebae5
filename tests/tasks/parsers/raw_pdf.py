"""PDFs written object by object, for what no program would write."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream object."""
    packed = zlib.compress(content, 1)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n%s\nendstream" % (len(packed), entries, packed)


def text(words: str) -> bytes:
    """A content stream that shows some words."""
    return b"BT /F 12 Tf 20 100 Td (%s) Tj ET" % words.encode("latin-1")


def pdf_of(
    contents: Sequence[bytes], *, more: Mapping[int, bytes] = {}, xobjects: bytes = b"", font: bytes = FONT
) -> bytes:
    """A PDF with a page for each content stream.

    `more` are further objects by number, from 1000 on; `xobjects` the entries of the pages' XObject resources.
    """
    first = 4
    kids = b" ".join(b"%d 0 R" % (first + 2 * index) for index in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(contents)),
        3: font,
        **more,
    }
    resources = b"<< /Font << /F 3 0 R >> /XObject << %s >> >>" % xobjects
    for index, content in enumerate(contents):
        number = first + 2 * index
        objects[number] = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents %d 0 R /Resources %s >>" % (
            number + 1,
            resources,
        )
        objects[number + 1] = stream(content)
    return file_of(objects)


def file_of(objects: Mapping[int, bytes], trailer: bytes = b"") -> bytes:
    """The objects with a cross-reference table; object 1 is the root."""
    data, places = b"%PDF-1.4\n", {}
    for number, held in sorted(objects.items()):
        places[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, held)
    table = b"".join(b"%d 1\n%010d 00000 n \n" % pair for pair in places.items())
    ending = b"trailer << /Size %d /Root 1 0 R %s >>" % (max(objects) + 1, trailer)
    return data + b"xref\n%s%s\nstartxref\n%d\n%%%%EOF\n" % (table, ending, len(data))


def endless(depth: int = 12) -> tuple[dict[int, bytes], bytes]:
    """Forms that each draw the next ten times: a few hundred bytes, 10 ** `depth` operations. Drawn by `/X0 Do`."""
    forms = {}
    for level in range(depth):
        inner = b"/X0 Do " * 10 if level < depth - 1 else text("lol")
        below = b"/XObject << /X0 %d 0 R >>" % (1001 + level)
        forms[1000 + level] = stream(
            inner, b"/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources << /Font << /F 3 0 R >> %s >>" % below
        )
    return forms, b"/X0 1000 0 R"
