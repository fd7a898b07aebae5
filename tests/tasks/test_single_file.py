"""A single file is cut, dated and judged as an ingest of its declared folder would do it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from tasks.single_file import score_file
from tests.tasks.documents import Draft
from warehouse.records import Chunking, DateClaim, DateOrigin, Kind
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkChoice, SourceSettings

SPOKEN = Draft().paragraph("Sales grew in the second quarter of fiscal 2023. " * 20)
WRITTEN = replace(SPOKEN.document(), dates=(DateClaim(date(2023, 8, 1), DateOrigin.DATELINE),))
SETTINGS = Settings(
    sources=(
        SourceSettings(folder=Path("/docs")),
        SourceSettings(
            folder=Path("/docs/inner"),
            kind=Kind.REPORT,
            fiscal_year_end="09-30",
            chunk=ChunkChoice(chunker="fixed", size=100, overlap=0, unit="characters"),
        ),
    )
)


def test_the_innermost_folder_counts() -> None:
    assert SETTINGS.find_source(Path("/docs/inner/a/b.txt")).fiscal_year_end == "09-30"
    assert SETTINGS.find_source(Path("/docs/b.txt")).fiscal_year_end == ""
    assert SETTINGS.find_source(Path("/elsewhere/b.txt")).kind is None


def test_a_file_is_cut_and_read_as_its_folder_says() -> None:
    source = SETTINGS.find_source(Path("/docs/inner/b.txt"))
    cut = score_file(WRITTEN, "b.txt", SETTINGS, source)
    assert {each.chunk.chunker for each in cut} == {"fixed"}
    assert max(each.chunk.size for each in cut) <= 100
    assert cut[0].chunk.period_start == date(2023, 1, 1)
    assert not any(found.code == "TMP004" for each in cut for found in each.findings)


def test_what_is_asked_for_outweighs_the_folder() -> None:
    source = SETTINGS.find_source(Path("/docs/inner/b.txt"))
    cut = score_file(WRITTEN, "b.txt", SETTINGS, source, Chunking(size=300))
    assert 100 < max(each.chunk.size for each in cut) <= 300
