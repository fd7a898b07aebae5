"""Real files changed along their own structure, so that the damage lies deeper than the first check.

A file is cut into its pieces (the objects of a PDF, the tags and texts of XML, the lines of a text; of an archive
those of one of its parts). Pieces are left out, doubled, repeated, nested, exchanged, taken from another file; numbers
in them become odd ones, and bytes are put in, or the end is cut off.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from io import BytesIO

from hypothesis import strategies as st

PIECES = {
    "pdf": re.compile(rb"\d+ \d+ obj\b.*?\bendobj\s*|.+?(?=\d+ \d+ obj\b|\Z)", re.DOTALL),
    "xml": re.compile(rb"<[^>]*>|[^<]+|<"),
    "text": re.compile(rb"[^\n]*\n|[^\n]+"),
}
NUMBERS = re.compile(rb"-?\d+(?:\.\d+)?")
ODD_NUMBERS = (b"0", b"-1", b"2147483648", b"99999999999999999999", b"1e999", b"nan", b"-0.0", b"0000000000000001")
ODD_BYTES = (
    b"\0",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xe2\x80\xa8",
    b"\r",
    b"\x0b\x0c\x1c\x85",
    b"]]>",
    b"<!--",
    b"&#0;&#x110000;",
    b"|" * 50,
    b"[" * 50,
    b"`" * 50,
    b"---\n",
    b"[TABLE 1]\n",
    b"\n[END TABLE]\n",
    "\u202e\ufeff\U0010ffff".encode(),
)
PARTS = re.compile(
    r"word/(?:document|styles|numbering)\.xml|xl/(?:workbook|styles|sharedStrings)\.xml|xl/(?:worksheets|tables)/\w+\.xml"
    r"|xl/comments.*\.xml|ppt/presentation\.xml|ppt/(?:slides|charts|diagrams|notesSlides)/\w+\.xml|.*/_rels/.*\.rels"
    r"|.*\.(?:opf|ncx|xhtml|html)|META-INF/.*\.xml|(?:content|styles|meta)\.xml"
)
"""The parts of Office files and books that are changed."""
MOST_REPEATS = 300


def form_of(data: bytes) -> str:
    """How the file is cut."""
    head = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return "pdf" if b"%PDF" in head else "zip" if head.startswith(b"PK") else "xml" if head.startswith(b"<") else "text"


@st.composite
def mutated(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """One of the files, changed in one to six ways."""
    data = draw(st.sampled_from(seeds))
    if form_of(data) == "zip":
        return _rezipped(draw, data)
    others = [other for other in seeds if form_of(other) == form_of(data)]
    return _changed(draw, data, draw(st.sampled_from(others)))


def _changed(draw: st.DrawFn, data: bytes, other: bytes) -> bytes:
    cut = PIECES[form_of(data)]
    pieces, more = cut.findall(data), cut.findall(other)
    for _ in range(draw(st.integers(1, 6))):
        if not pieces:
            break
        _change(draw, pieces, more)
    return b"".join(pieces)


def _change(draw: st.DrawFn, pieces: list[bytes], more: Sequence[bytes]) -> None:
    place = draw(st.integers(0, len(pieces) - 1))
    end = min(len(pieces), place + draw(st.integers(1, 20)))
    match draw(st.sampled_from(["drop", "repeat", "nest", "exchange", "splice", "number", "odd", "flip", "end"])):
        case "drop":
            del pieces[place:end]
        case "repeat":
            pieces[place:end] = pieces[place:end] * draw(st.integers(2, MOST_REPEATS))
        case "nest":
            times = draw(st.integers(2, MOST_REPEATS))
            pieces[place:end] = [pieces[place]] * times + pieces[place:end] + [pieces[end - 1]] * times
        case "exchange":
            pieces[place], pieces[end - 1] = pieces[end - 1], pieces[place]
        case "splice":
            start = draw(st.integers(0, len(more) - 1)) if more else 0
            pieces[place:place] = more[start : start + 20]
        case "number":
            odd = draw(st.sampled_from(ODD_NUMBERS))
            pieces[place] = NUMBERS.sub(lambda _: odd, pieces[place], count=draw(st.integers(1, 4)))
        case "odd":
            pieces.insert(place, draw(st.sampled_from(ODD_BYTES)))
        case "flip":
            piece = bytearray(pieces[place])
            piece[draw(st.integers(0, len(piece) - 1))] ^= 1 << draw(st.integers(0, 7))
            pieces[place] = bytes(piece)
        case _:
            del pieces[place:]


def _rezipped(draw: st.DrawFn, data: bytes) -> bytes:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = list(filter(PARTS.fullmatch, parts))
    name = draw(st.sampled_from(names))
    parts[name] = _changed(draw, parts[name], parts[draw(st.sampled_from(names))])
    if draw(st.integers(0, 9)) == 0:
        del parts[draw(st.sampled_from(sorted(parts)))]
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return target.getvalue()
