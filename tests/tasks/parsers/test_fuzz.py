"""Real files, damaged: a document that keeps its promises or one line that says why not, and soon."""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import process_time

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.conftest import OFFICE, SAMPLES, files
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.xbrl.northlight import northlight
from warehouse.errors import UnreadableFile
from warehouse.records import Document

ODD = (b"\0" * 8, b"\xff" * 8, b"9" * 20, b"-1", b"<<<<<<<<", b"((((((((", b"[[[[[[[[", b"&#x110000;", b"|||||||||")
SUFFIXES = (".pdf", ".docx", ".xlsx", ".xls", ".xlsb", ".ods", ".pptx", ".xml", ".md", ".txt")
SOON = 10.0


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_damaged_samples_are_read_or_refused(suffix: str) -> None:
    damaged(suffix, 40)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_many_damaged_samples_are_read_or_refused(suffix: str) -> None:
    damaged(suffix, 1_000)


def test_damaged_filings_are_read_or_refused() -> None:
    dice, whole = random.Random("inline XBRL"), [northlight().encode()]
    for _ in range(40):
        outcome = attempt(Raw("a.htm", damage(dice, whole)))
        if isinstance(outcome, Document):
            keeps_its_promises(outcome)


def damaged(suffix: str, times: int) -> None:
    """Reads files of a kind, each time damaged in another way; the same ways each time this runs."""
    dice = random.Random(suffix)
    whole = [path.read_bytes() for folder in (SAMPLES, OFFICE) for path in files(folder, f"*{suffix}")]
    for _ in range(times):
        data = damage(dice, whole)
        started = process_time()
        outcome = attempt(Raw(f"x{suffix}", data))
        assert process_time() - started < SOON
        if isinstance(outcome, UnreadableFile):
            assert outcome.cure
            assert "\n" not in str(outcome)
        else:
            keeps_its_promises(outcome)


def attempt(raw: Raw) -> Document | UnreadableFile:
    try:
        return read(raw)
    except UnreadableFile as problem:
        return problem


def is_read_or_refused(raw: Raw) -> None:
    """A document that keeps its promises, or one line of its parser's own that says why not."""
    outcome = attempt(raw)
    if isinstance(outcome, UnreadableFile):
        assert outcome.cure
        assert "\n" not in str(outcome)
        assert "parser failed" not in str(outcome)
    else:
        keeps_its_promises(outcome)


def spoil(dice: random.Random, data: bytes) -> bytes:
    """A damaged file with some numbers made very small or very large."""
    spoilt = bytearray(data)
    for _ in range(dice.choice((0, 4, 12)) if len(data) > 512 else 0):
        spoilt[dice.randrange(512, len(spoilt))] = dice.choice((0, 1, 0x7F, 0xFF))
    return bytes(spoilt)


def damage(dice: random.Random, whole: Sequence[bytes]) -> bytes:
    """One of the files with some bits turned, an end missing, a piece cut out, doubled, or put in from elsewhere."""
    data = bytearray(dice.choice(whole))
    place, other = dice.randrange(len(data) + 1), dice.choice(whole)
    start = dice.randrange(len(other))
    match dice.randrange(5):
        case 0:
            for _ in range(dice.choice((1, 5, 50))):
                data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        case 1:
            del data[place:]
        case 2:
            del data[place : place + dice.randrange(1, 2000)]
        case 3:
            data[place:place] = other[start : start + dice.randrange(1, 5000)]
        case _:
            data[place : place + 8] = dice.choice(ODD)
    return bytes(data)
