"""Drafts of documents: a file of the plan with the outputs it has so far, up to its catalog entry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from flows.corrections import apply_corrections
from flows.document_facts import build_content_facts, build_entry_facts, get_suffix, is_redated, make_document_id
from flows.planning import PlannedFile
from flows.progress import Action
from tasks.faults import DocumentProblem, to_problem
from tasks.pipeline import make_parse_key, mark_key
from tasks.stage_contract import BatchItem, DocumentFacts, Stage
from tasks.temporal.document import with_calendar
from tasks.temporal.fiscal_inference import choose_calendar
from warehouse.records import (
    FAILURES,
    AppliedCorrection,
    Attributes,
    CatalogEntry,
    Content,
    Output,
    Root,
    SourceFile,
    Status,
)
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake, read_documents


@dataclass(slots=True)
class DocumentDraft:
    """A document in work: its outputs so far, and the problem that stopped it, if any.

    `failure` is the output that records the problem in the lake, once it is written. `seconds` is the time that
    this run spent reading the file. `corrections` are those applied to its facts and content, with what they replaced.
    """

    planned_file: PlannedFile
    file: SourceFile
    root: Root
    parse_key: str
    facts: DocumentFacts | None = None
    content: Content | None = None
    outputs: dict[str, Output] = field(default_factory=dict)
    failure: Output | None = None
    problem: DocumentProblem | None = None
    seconds: float = 0.0
    corrections: tuple[AppliedCorrection, ...] = ()

    @property
    def is_active(self) -> bool:
        """Whether later stages have work to do on it."""
        return self.facts is not None and self.problem is None

    @property
    def reason(self) -> str:
        """Why it was stopped: a stage failed on it, or no parser can read it; empty if it was not stopped."""
        if self.problem:
            return self.problem.message
        return self.content.failure if self.content else ""

    @contextmanager
    def isolate_errors(self, stage: str) -> Iterator[None]:
        """Turn an error inside, in work on this document alone, into its problem."""
        try:
            yield
        except Exception as error:
            self.problem = to_problem(stage, error)

    def make_key(self, stage: Stage, settings: Settings) -> str:
        """The key of its output of a stage."""
        if stage.name == "parse":
            return self.parse_key
        if self.facts is None:
            raise ValueError(f"{self.file.source} has no facts yet")
        return stage.make_key({name: output.key for name, output in self.outputs.items()}, settings, self.facts)

    def make_item(self, stage: Stage, key: str) -> BatchItem:
        """Its item in a batch of a stage."""
        inputs = {name: self.outputs[name] for name in stage.needs}
        path = self.root.folder / self.file.path
        return BatchItem(key, Path(self.file.path).name, path, self.file.sha256, self.file.size, inputs, self.facts)

    def set_content(self, content: Content, output: Output) -> None:
        """Set the result of parsing: facts, or a refusal."""
        if content.failure:
            self.failure = Output("refused", output.key, output.file)
            self.content = content
            return
        self.outputs["parse"] = output
        self.content = content
        corrections = self.planned_file.corrections.select_corrections(content.attributes.company)
        self.facts = build_content_facts(self.file, self.root, content, corrections, self.planned_file.name_days)


def make_draft(planned_file: PlannedFile, settings: Settings) -> DocumentDraft | None:
    """The draft of a file of the plan, None where no stage has work on it."""
    action, file, root, previous = planned_file.action, planned_file.file, planned_file.root, planned_file.previous
    if file is None or root is None or action in (Action.GONE, Action.KEPT, Action.UNREADABLE):
        return None
    key = mark_key(make_parse_key(file.sha256, get_suffix(file.path), settings), planned_file.rerun_mark)
    draft = DocumentDraft(planned_file, file, root, key)
    is_known = action in (Action.RESTAGED, Action.RENAMED, Action.CORRECTED) and "parse" not in planned_file.stages
    parse_output = previous.find_output("parse") if previous and is_known else None
    if previous and parse_output:
        draft.outputs["parse"] = parse_output
        draft.failure = previous.failure
        corrections = planned_file.corrections.select_corrections(previous.detected_company)
        is_same = corrections.key == previous.correction_key
        name_days = planned_file.name_days
        # If its corrections or the days in its name have changed, its content is read again for the values that they
        # replace.
        if is_same and not (corrections and action is Action.RENAMED) and not is_redated(previous, root, name_days):
            draft.facts = build_entry_facts(previous, file, root, corrections, name_days)
            draft.corrections = previous.corrections
    return draft


def record_corrections(lake: Lake, draft: DocumentDraft) -> None:
    """Apply corrections to the content of a draft, and keep the replaced values; reads the document if needed."""
    if not (draft.facts and draft.content and draft.facts.corrections):
        return
    corrections, document = draft.facts.corrections, None
    if corrections.document_date or corrections.tables:
        parse_output = draft.outputs["parse"]
        lake.fetch_files((table, parse_output.file) for table in ("blocks", "tables"))
        document = read_documents(lake, {parse_output.key: parse_output.file})[parse_output.key]
    draft.content, draft.corrections = apply_corrections(draft.facts, draft.content, document)


def finish_draft(draft: DocumentDraft, chunk_count: int) -> CatalogEntry:
    """The catalog entry of a draft after the last stage, or of one that a stage did not finish."""
    entry = None
    if draft.facts is not None and draft.problem is None:
        with draft.isolate_errors("publish"):
            entry = _build_entry(draft, draft.facts, chunk_count)
    passing = draft.problem is not None and draft.problem.passing
    return entry or build_unreadable_entry(draft.planned_file, draft.reason, draft.failure, passing=passing)


def _build_entry(draft: DocumentDraft, facts: DocumentFacts, chunk_count: int) -> CatalogEntry:
    previous = draft.planned_file.previous
    outputs = (*draft.outputs.values(), *((draft.failure,) if draft.failure else ()))
    if draft.content is None and previous is not None:
        entry = replace(
            previous,
            file=draft.file,
            kind=facts.kind,
            document_date=facts.document_date,
            date_origin=facts.date_claim.origin if facts.date_claim else None,
            chunk_count=chunk_count,
            attributes=_with_topic(draft, previous.title, previous.attributes),
            outputs=outputs,
        )
    else:
        entry = _build_new_entry(draft, facts, chunk_count, outputs)
    year_ends = entry.attributes.year_ends
    return with_calendar(entry, choose_calendar(year_ends, facts.fiscal_year_end, facts.corrections.fiscal_year_end))


def _build_new_entry(
    draft: DocumentDraft, facts: DocumentFacts, chunk_count: int, outputs: tuple[Output, ...]
) -> CatalogEntry:
    content = draft.content
    if content is None:
        raise ValueError(f"{draft.file.source} was never parsed")
    return CatalogEntry(
        document_id=facts.document_id,
        file=draft.file,
        status=Status.STALE if draft.failure else Status.PUBLISHED,
        reason=draft.planned_file.previous.reason if draft.failure and draft.planned_file.previous else "",
        kind=facts.kind,
        content_kind=content.kind,
        media_type=content.media_type,
        title=facts.title,
        authors=content.authors,
        language=content.language,
        document_date=facts.document_date,
        date_origin=facts.date_claim.origin if facts.date_claim else None,
        total_pages=content.total_pages,
        non_empty_pages=content.non_empty_pages,
        table_count=content.table_count,
        chunk_count=chunk_count,
        attributes=_with_topic(draft, facts.title, content.attributes),
        outputs=outputs,
        corrections=draft.corrections,
        correction_key=facts.corrections.key,
    )


def _with_topic(draft: DocumentDraft, title: str, attributes: Attributes) -> Attributes:
    """The attributes with the topic from the source folder, or unchanged if this run does not include it."""
    topics = draft.planned_file.topics
    return replace(attributes, topic=topics.find_topic(title, attributes)) if topics else attributes


def build_unreadable_entry(
    planned_file: PlannedFile, problem: str, failure_output: Output | None, *, passing: bool
) -> CatalogEntry:
    """The catalog entry of a file that has no new version: its last good version if there is one, and the reason.

    A `passing` problem (permissions, a file changing under the reader) is tried again by the next run.
    """
    file, previous = planned_file.file, planned_file.previous
    if file is None:
        raise ValueError(f"{planned_file.source} is not there")
    if passing:
        file = replace(file, sha256="", modified_ns=0)
    failures = (failure_output,) if failure_output else ()
    if previous is None or previous.find_output("parse") is None:
        return CatalogEntry(make_document_id(file.source), file, Status.UNREADABLE, problem, outputs=failures)
    good_outputs = tuple(output for output in previous.outputs if output.stage not in FAILURES)
    return replace(previous, file=file, status=Status.STALE, reason=problem, outputs=(*good_outputs, *failures))


def without_version(entry: CatalogEntry) -> CatalogEntry:
    """The catalog entry of a document whose last good version can no longer be kept."""
    reason = entry.reason or "its last good version has vectors of another model"
    failures = tuple(output for output in entry.outputs if output.stage in FAILURES)
    return CatalogEntry(entry.document_id, entry.file, Status.UNREADABLE, reason, outputs=failures)
