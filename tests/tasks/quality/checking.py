"""Files on a disk checked as the command checks them, and documents made by hand put before the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import ClassVar

from flows import checked_files
from flows.check import CheckOptions, CheckResult, check_documents
from tasks.check.configuration import Configuration, RuleSettings
from tasks.check.sheet_cache import SheetCache
from tasks.chunkers.chunk_builder import make_chunks
from tasks.chunkers.chunker import Chunker, Span
from tasks.quality.checked_document import CheckedDocument
from warehouse.records import Chunk, DateClaim, DateOrigin, Document
from warehouse.settings.loader import Settings
from warehouse.settings.models import CheckSettings, ParseSettings

TARGET = 200
TODAY = date(2026, 1, 1)
Files = Mapping[str, str | bytes]
LIMITS = ParseSettings()


def write(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def checked(
    *places: Path,
    cache: Path | None = None,
    baseline: Path | None = None,
    limits: ParseSettings = LIMITS,
    **over: object,
) -> CheckResult:
    settings = Settings(parse=limits)
    files = checked_files.list_files(places, settings)
    how = CheckOptions(Configuration(RuleSettings(Path.cwd(), CheckSettings())), TODAY, CheckSettings(**over), baseline)
    return check_documents(
        files,
        lambda missing: checked_files.read_sheets(missing, settings),
        SheetCache(cache),
        lambda sheets: checked_files.build_links(files, places, sheets),
        how,
    )


def codes_in(*places: Path, limits: ParseSettings = LIMITS, **over: object) -> list[str]:
    return [entry.source_finding.finding.code for entry in checked(*places, limits=limits, **over).report.entries]


@dataclass(frozen=True, slots=True)
class Given(Chunker):
    """A chunker of given spans; one chunk without any."""

    name: ClassVar[str] = "given"

    given: tuple[Span, ...] = ()

    def spans(self, document: Document) -> tuple[Span, ...]:
        return self.given or ((0, len(document.text)),)


def chunks(document: Document, *spans: tuple[int, int]) -> tuple[Chunk, ...]:
    return make_chunks(
        document,
        document_id="d",
        title="",
        source="",
        date_claim=None,
        mentions=(),
        entities=(),
        chunker=Given(size=TARGET, given=spans),
    )


def subject(document: Document, *spans: tuple[int, int], window: int = 256) -> CheckedDocument:
    claim = DateClaim(date(2025, 3, 1), DateOrigin.FRONT_MATTER)
    return CheckedDocument(document, chunks(document, *spans), (), claim, TARGET, window)
