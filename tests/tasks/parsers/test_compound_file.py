"""Compound files: what each is, whole or cut, and what would be followed without end."""

from __future__ import annotations

import struct
from time import process_time

import pytest

from tasks.parsers.office.compound_file import COMPOUND, CompoundStorage, identify_compound
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.raw_doc import doc, p
from tests.tasks.parsers.raw_msg import Tree, compound, message
from tests.tasks.parsers.raw_ppt import ppt, slide, title
from warehouse.errors import UnreadableFile

FILES = {
    "doc": doc([p("x" * 900)]),
    "ppt": ppt(slide(title("x" * 900))),
    "msg": compound(message({0x0037: "Pump", 0x1000: "x" * 900})),
    "xls": compound({"Workbook": bytes(9000)}),
}
NOUNS = {"doc": "old Word file", "ppt": "old PowerPoint file", "msg": "Outlook message", "xls": "XLS file"}


@pytest.mark.parametrize("kind", FILES)
def test_a_cut_file_is_named_by_its_suffix(kind: str) -> None:
    for share in (0.03, 0.3, 0.6, 0.95):
        data = FILES[kind][: int(len(FILES[kind]) * share)]
        assert identify_compound(Raw(f"a.{kind}", data)) == kind
        with pytest.raises(UnreadableFile) as caught:
            read(Raw(f"a.{kind}", data))
        assert str(caught.value) == f"the {NOUNS[kind]} ends too early: copy or download it again"


@pytest.mark.parametrize("kind", FILES)
def test_a_whole_file_is_known_by_its_streams_under_any_name(kind: str) -> None:
    for suffix in FILES:
        assert identify_compound(Raw(f"a.{suffix}", FILES[kind])) == kind


def test_an_encrypted_file_and_one_of_another_program_are_none_of_these() -> None:
    encrypted: Tree = {"EncryptedPackage": b"x", "WordDocument": b"y"}
    assert identify_compound(Raw("a.doc", compound(encrypted))) == ""
    assert identify_compound(Raw("a", compound({"VisioDocument": b"x", "Other": {"WordDocument": b"y"}}))) == ""
    assert identify_compound(Raw("a.doc", b"words")) == ""


def test_tables_named_in_circles_are_refused_at_once() -> None:
    data = bytearray(FILES["doc"].ljust(2**20, b"\0"))
    struct.pack_into("<I", data, 44, 109 + 127 * 100_000)
    struct.pack_into("<II", data, 68, 0, 100_000)
    started = process_time()
    with pytest.raises(UnreadableFile):
        CompoundStorage.open(bytes(data), "old Word file")
    assert process_time() - started < 1


def test_streams_in_circles_end() -> None:
    data = bytearray(compound({"Workbook": bytes(4096)}))
    (table,) = struct.unpack_from("<I", data, 76)
    struct.pack_into("<I", data, 512 * (table + 1), 0)
    assert len(CompoundStorage.open(bytes(data), "XLS file").read_stream("Workbook") or b"") == 4096


def test_a_header_alone_is_no_file() -> None:
    with pytest.raises(UnreadableFile):
        CompoundStorage.open(COMPOUND + bytes(600), "XLS file")
