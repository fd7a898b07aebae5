"""Office files encrypted with Office's own password are read as they are without; others stay closed."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO

import docx
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from msoffcrypto.format.ooxml import OOXMLFile
from msoffcrypto.method.ecma376_agile import ECMA376Agile

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from warehouse.errors import UnreadableFile


def workbook() -> bytes:
    data = BytesIO()
    with xlsxwriter.Workbook(data) as book:
        book.add_worksheet("Tides").write_column(0, 0, ["Height", 4.2])
    return data.getvalue()


def text() -> bytes:
    data, document = BytesIO(), docx.Document()
    document.add_paragraph("The pump was repaired.")
    document.save(data)
    return data.getvalue()


def encrypted(data: bytes, password: str) -> bytes:
    packed = BytesIO()
    OOXMLFile(BytesIO(data)).encrypt(password, packed)
    return packed.getvalue()


@pytest.mark.parametrize(("name", "data"), [("a.xlsx", workbook()), ("a.docx", text())])
def test_what_office_opens_without_asking_is_read(name: str, data: bytes) -> None:
    assert read(Raw(name, encrypted(data, "VelvetSweatshop"))) == read(Raw(name, data))


def test_another_password_stays_closed() -> None:
    raw = Raw("a.xlsx", encrypted(workbook(), "secret"))
    assert choose_parser(raw) == "workbooks"
    with pytest.raises(UnreadableFile, match="encrypted"):
        read(raw)


WHOLE = ECMA376Agile.encrypt("VelvetSweatshop", BytesIO(workbook()), spin_count=1_000)
"""Its password is hashed a hundredth as often as Office does, which is most of the time of reading."""


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_damage_costs_the_file_alone(place: int, other: int) -> None:
    damaged = bytearray(WHOLE)
    damaged[place] ^= other
    for data in (bytes(damaged), WHOLE[:place]):
        with suppress(UnreadableFile):
            read(Raw("a.xlsx", data))
