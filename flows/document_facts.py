"""Facts of a document that decide its outputs: from parsing, its source folder and corrections; and the output keys.

The key of a stage's output is made from these facts and the settings, so an output is stale where its key differs now.
"""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from tasks.check.sheet_cache import code_version
from tasks.document_date import choose_date, document_title
from tasks.pipeline import STAGES
from tasks.stage_contract import DocumentFacts
from warehouse.identity import digest
from warehouse.records import (
    NO_CORRECTIONS,
    CatalogEntry,
    Content,
    DateClaim,
    DateOrigin,
    DocumentCorrections,
    Root,
    SourceFile,
)
from warehouse.settings.loader import Settings


def stale_stages(settings: Settings, entry: CatalogEntry, facts: DocumentFacts) -> tuple[str, ...]:
    """The stages after parsing whose output would have another key now."""
    keys = expected_keys(settings, {o.stage: o.key for o in entry.outputs}["parse"], facts)
    current_keys = {output.stage: output.key for output in entry.outputs}
    return tuple(stage for stage, key in keys.items() if current_keys.get(stage) != key)


def expected_keys(settings: Settings, parsed: str, facts: DocumentFacts) -> dict[str, str]:
    """The key of each stage's output for a document, by stage."""
    keys = {"parse": parsed}
    for stage in STAGES[1:]:
        keys[stage.name] = stage.key(keys, settings, facts)
    return keys


def failure_key(file: SourceFile, root: Root, settings: Settings, corrected: str = "") -> str:
    """The key of a stage's failure on a document.

    It differs, and the document is tried again, once the file, the settings of its source folder, its corrections
    (key `corrected`), the settings or the program differ.
    """
    root_facts = [root.kind, root.fiscal_year_end, asdict(root.chunking), *([corrected] if corrected else [])]
    chosen_settings = settings.model_dump(mode="json", include={"parse", "entities", "chunk", "embed", "batch"})
    program = [version("kalends"), code_version()]
    return digest("failed", file.source, file.sha256, file.modified_ns, root_facts, chosen_settings, program)


def facts_of_entry(
    entry: CatalogEntry, file: SourceFile, root: Root, corrections: DocumentCorrections = NO_CORRECTIONS
) -> DocumentFacts:
    """The facts of a document whose content did not change."""
    kind = root.kind or entry.content_kind
    claim = _corrected_claim(corrections) or entry.own_date_claim
    known = entry.document_id, file.source, entry.title, kind, entry.language, claim
    return DocumentFacts(*known, root.fiscal_year_end, root.chunking, corrections)


def facts_of_content(
    file: SourceFile, root: Root, content: Content, corrections: DocumentCorrections = NO_CORRECTIONS
) -> DocumentFacts:
    """The facts of a document from its content, its file's name, its root and what people corrected."""
    name = Path(file.path).name
    claim = _corrected_claim(corrections) or choose_date(content.dates, name)
    kind = root.kind or content.kind
    known = document_id(file.source), file.source, document_title(content.title, name), kind, content.language
    return DocumentFacts(*known, claim, root.fiscal_year_end, root.chunking, corrections)


def _corrected_claim(corrections: DocumentCorrections) -> DateClaim | None:
    day = corrections.document_date
    return DateClaim(day, DateOrigin.CORRECTED) if day else None


def document_id(source: str) -> str:
    """The id of a document, made from its source and not from its content, so that it survives edits."""
    return digest("document", source)


def suffix_of(path: str) -> str:
    """The suffix of a path in lower case, which helps to recognise the format."""
    return Path(path).suffix.lower()
