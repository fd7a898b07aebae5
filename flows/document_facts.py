"""Facts of a document that decide its outputs: from parsing, its source folder and corrections; topics and output keys.

The key of a stage's output is made from these facts and the settings, so an output is stale if its key differs now.
Topics of papers come from the metadata files of a source folder; those files are not documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from flows.discovery import RootScope, list_paths, make_source_name
from tasks.check.sheet_cache import compute_code_version
from tasks.document_date import choose_date, choose_title, select_named_days
from tasks.parsers.dated_lines import make_file_time_claims
from tasks.pipeline import STAGES, make_parse_key, unmark_key
from tasks.stage_contract import DocumentFacts
from tasks.topics import MAX_FILE_BYTES, SUFFIX, Topics, merge_topics, read_topics
from warehouse.identity import digest
from warehouse.records import (
    NO_CORRECTIONS,
    Attributes,
    CatalogEntry,
    Content,
    DateClaim,
    DateOrigin,
    DocumentCorrections,
    Root,
    SourceFile,
)
from warehouse.records.calendars import Interval
from warehouse.settings.loader import Settings


def find_stale_stages(settings: Settings, entry: CatalogEntry, facts: DocumentFacts) -> tuple[str, ...]:
    """The stages after parsing whose output would have another key now."""
    stored_keys = {output.stage: output.key for output in entry.outputs}
    keys = {"parse": stored_keys["parse"]}
    for stage in STAGES[1:]:
        keys[stage.name] = stage.make_key(keys, settings, facts)
    return tuple(stage for stage, key in keys.items() if stored_keys.get(stage) != key)


def make_failure_key(file: SourceFile, root: Root, settings: Settings, own_key: str = "") -> str:
    """The key of a stage's failure on a document.

    It differs, and the document is tried again, once the file, the settings of its source folder, its corrections
    (key `own_key`), the settings or the program differ.
    """
    root_facts = [root.kind, root.fiscal_year_end, asdict(root.chunking), *([own_key] if own_key else [])]
    chosen_settings = settings.model_dump(mode="json", include={"parse", "entities", "chunk", "embed", "batch"})
    program = [version("kalends"), compute_code_version()]
    return digest("failed", file.source, file.sha256, file.modified_ns, root_facts, chosen_settings, program)


def build_entry_facts(
    entry: CatalogEntry,
    file: SourceFile,
    root: Root,
    corrections: DocumentCorrections = NO_CORRECTIONS,
    name_days: Interval | None = None,
) -> DocumentFacts:
    """The facts of a document whose content did not change. `name_days` are the days in its name.

    It has no date if `is_redated`: the date is then chosen again from its content.
    """
    kind = root.kind or entry.content_kind
    claim = _get_corrected_claim(corrections) or (
        None if is_redated(entry, root, name_days) else entry.detected_date_claim
    )
    basic_facts = entry.document_id, file.source, entry.title, kind, entry.language, claim
    return DocumentFacts(
        *basic_facts, root.fiscal_year_end, root.chunking, corrections, select_named_days(kind, name_days)
    )


def is_redated(entry: CatalogEntry, root: Root, name_days: Interval | None) -> bool:
    """Whether the name of a note gives another date now than when its date was chosen, or no date any more."""
    claim = entry.detected_date_claim
    if claim and claim.origin is DateOrigin.MESSAGE:
        # The date of a mail is in its header, so the file's name does not count.
        return False
    name_claim = claim if claim and claim.origin is DateOrigin.NOTE_NAME else None
    return name_claim != choose_date((), "", root.kind or entry.content_kind, name_days)


def build_content_facts(
    file: SourceFile,
    root: Root,
    content: Content,
    corrections: DocumentCorrections = NO_CORRECTIONS,
    name_days: Interval | None = None,
) -> DocumentFacts:
    """The facts of a document from its content, its file's name, its root and what people corrected.

    `name_days` are the days in the name of a note.
    """
    name = Path(file.path).name
    kind = root.kind or content.kind
    claims = (*content.dates, *make_file_time_claims(content.media_type, file.modified_ns))
    claim = _get_corrected_claim(corrections) or choose_date(
        claims, name, kind, name_days, folder=Path(file.path).parent.name
    )
    basic_facts = make_document_id(file.source), file.source, choose_title(content.title, name), kind, content.language
    return DocumentFacts(
        *basic_facts, claim, root.fiscal_year_end, root.chunking, corrections, select_named_days(kind, name_days)
    )


def _get_corrected_claim(corrections: DocumentCorrections) -> DateClaim | None:
    day = corrections.document_date
    return DateClaim(day, DateOrigin.CORRECTED) if day else None


def make_document_id(source: str) -> str:
    """The id of a document, made from its source and not from its content, so that it survives edits."""
    return digest("document", source)


def get_suffix(path: str) -> str:
    """The suffix of a path in lower case, which helps to recognise the format."""
    return Path(path).suffix.lower()


@dataclass(frozen=True, slots=True)
class RootTopics:
    """Topics of a source folder: from its metadata files, those files (relative paths), and the folder's own."""

    topics: Topics
    files: frozenset[str]
    default: str

    def find_topic(self, title: str, attributes: Attributes) -> str:
        """The topic of a document of the source folder."""
        return self.topics.find_topic(title, attributes.pmcid, attributes.doi) or self.default


def read_root_topics(
    root: Root, inner: frozenset[Path], by_source: Mapping[str, CatalogEntry], settings: Settings
) -> RootTopics:
    """The topics of a source folder, read from all of it, since a run over a part needs them as well.

    A file that this version of the program has already read as a document is not opened again.
    """
    topics_by_file: dict[str, Topics] = {}
    for path in list_paths(RootScope(root), inner, SUFFIX):
        if _is_document(root, path, by_source, settings):
            continue
        file = root.folder / path
        try:
            data = file.read_bytes() if file.is_file() and file.stat().st_size <= MAX_FILE_BYTES else b""
        except OSError:
            # Discovery reports it.
            continue
        if (topics := read_topics(data, file.name)) is not None:
            topics_by_file[path] = topics
    return RootTopics(merge_topics(topics_by_file.values()), frozenset(topics_by_file), root.topic)


def _is_document(root: Root, path: str, by_source: Mapping[str, CatalogEntry], settings: Settings) -> bool:
    entry = by_source.get(make_source_name(root, path))
    output = entry.find_output("parse") if entry else None
    if entry is None or output is None or unmark_key(output.key) != make_parse_key(entry.file.sha256, SUFFIX, settings):
        return False
    try:
        status = (root.folder / path).stat()
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (entry.file.size, entry.file.modified_ns)
