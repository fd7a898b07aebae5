"""OpenDocument packages and flat files: what one is, and that a flat one is read as the package is."""

from __future__ import annotations

import posixpath
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from warehouse.errors import UnreadableFile

_HERE = Path(__file__).parent
PACKAGES = {
    "odt": _HERE / "files" / "pier-visit.odt",
    "odp": _HERE / "files" / "northlight-deck.odp",
    "workbooks": _HERE / "office" / "harbour-accounts.ods",
}
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_HREF = "{http://www.w3.org/1999/xlink}href"


def flat(package: bytes) -> bytes:
    """The flat file of a package, the documents in it inside their objects and with a picture."""
    with zipfile.ZipFile(BytesIO(package)) as archive:
        kind = archive.read("mimetype").decode()
        names = set(archive.namelist())

        def tree(folder: str) -> bytes:
            root = etree.Element(f"{{{_OFFICE}}}document", {f"{{{_OFFICE}}}mimetype": kind}, {"office": _OFFICE})
            parts = [posixpath.join(folder, part) for part in ("meta.xml", "styles.xml", "content.xml")]
            for part in parts:
                root.extend(etree.fromstring(archive.read(part)) if part in names else ())
            etree.SubElement(root[-1][0], f"{{{_OFFICE}}}binary-data").text = "iVBORw0KGgo" * 10
            inner = []
            for place in root.iter("{*}object"):
                inner.append(tree(posixpath.normpath(place.attrib.pop(_HREF))))
                place.text = f"@{len(inner)}@"
            data = etree.tostring(root, encoding="utf-8")
            for number, part in enumerate(inner, 1):
                data = data.replace(b"@%d@" % number, part)
            return data

        return tree("")


@pytest.mark.parametrize("parser", PACKAGES)
def test_a_flat_file_is_read_as_its_package(parser: str) -> None:
    package = PACKAGES[parser].read_bytes()
    found = flat(package)
    for name in ("a.fodt", "a.fods", "a.xml", "a.txt", "a"):
        assert choose_parser(Raw(name, found)) == parser
    assert read(Raw("a.xml", found)) == read(Raw("a", package))


@pytest.mark.parametrize("parser", PACKAGES)
def test_a_package_says_its_type_in_any_place(parser: str) -> None:
    target = BytesIO()
    with zipfile.ZipFile(PACKAGES[parser]) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as other:
        for name in reversed(archive.namelist()):
            other.writestr(name, archive.read(name))
    assert choose_parser(Raw("a", target.getvalue())) == parser


def test_xml_of_another_kind_is_none() -> None:
    assert choose_parser(Raw("a.xml", b'<document mimetype="text/plain"><body>Words</body></document>')) == "xml_data"
    drawing = b'<document mimetype="application/vnd.oasis.opendocument.graphics"><body>Words</body></document>'
    assert choose_parser(Raw("a.fodg", drawing)) == "xml_data"


def test_harm_in_a_flat_file_ends_in_one_line() -> None:
    found = flat(PACKAGES["odt"].read_bytes())
    with pytest.raises(UnreadableFile, match="ends too early"):
        read(Raw("a.fodt", found[: len(found) // 2]))


def test_a_prefix_that_nothing_declares_costs_no_text() -> None:
    package = PACKAGES["odt"].read_bytes()
    found = flat(package).replace(b"<text:p ", b'<text:p loext:x="1" xml:id="1 2" ')
    assert read(Raw("a.fodt", found)) == read(Raw("a.odt", package))
