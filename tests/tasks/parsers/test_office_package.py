"""Archives of documents whose parts are not what the archive's directory says of them."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.conftest import OFFICE, SAMPLES
from warehouse.errors import UnreadableFile

FILES = Path(__file__).with_name("files")
PACKAGES = [
    SAMPLES / "reports/board-memo-capital-plan.docx",
    *(OFFICE / name for name in ("boat-register.xlsb", "harbour-accounts.ods", "quarterly-model.xlsx")),
    OFFICE / "review-deck.pptx",
    *(FILES / name for name in ("northlight-deck.odp", "pier-visit.odt", "tides.epub")),
]


def with_wrong_checksums(data: bytes) -> bytes:
    """An archive with other checksums than those of its parts."""
    changed = bytearray(data)
    with ZipFile(BytesIO(data)) as archive:
        place = archive.start_dir
        for _ in archive.infolist():
            changed[place + 16] ^= 0xFF
            place += 46 + sum(int.from_bytes(data[place + at : place + at + 2], "little") for at in (28, 30, 32))
    return bytes(changed)


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.suffix)
def test_parts_with_wrong_checksums_are_read_with_findings(path: Path) -> None:
    data = path.read_bytes()
    document, sound = read(Raw(path.name, with_wrong_checksums(data))), read(Raw(path.name, data))
    additional = [finding for finding in document.findings if finding not in sound.findings]
    assert replace(document, findings=sound.findings) == sound
    assert additional
    assert all("the checksum of" in finding.message for finding in additional)
    assert len({finding.message for finding in additional}) == len(additional)


@pytest.mark.parametrize(
    ("name", "part"), [("a.docx", "word/document.xml"), ("a.xlsx", "xl/workbook.xml"), ("a.odt", "content.xml")]
)
def test_a_part_that_ends_too_early_is_named(name: str, part: str) -> None:
    data = BytesIO()
    with ZipFile(data, "w") as archive:
        if name.endswith(".odt"):
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(part, "<document><body>")
    with pytest.raises(UnreadableFile, match=f"the XML of {part} ends too early"):
        read(Raw(name, data.getvalue()))
