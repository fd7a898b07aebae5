"""Plan of an ingest: the differences between the present files and the published generation, with reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from flows.corrections import UNCORRECTED, FileCorrections, KnownCorrections, find_file_corrections
from flows.discovery import RootScope, UnreadablePath, discover_files, find_inner_folders, make_attachment_filter
from flows.document_facts import (
    RootTopics,
    build_entry_facts,
    find_stale_stages,
    get_suffix,
    is_redated,
    make_document_id,
    make_failure_key,
    read_root_topics,
)
from flows.progress import Action
from flows.roots import (
    Removal,
    WithheldDocuments,
    find_absence,
    find_superseded_roots,
    merge_roots,
    select_confirmed_removals,
    select_scopes,
    select_withheld_documents,
)
from tasks.document_date import make_note_namer
from tasks.pipeline import STAGES, get_model_identity, make_parse_key, unmark_key
from warehouse.records import FAILURES, CatalogEntry, Root, SourceFile, Status
from warehouse.records.calendars import Interval
from warehouse.settings.loader import Settings
from warehouse.store import corrections_file
from warehouse.store.generations import Generation
from warehouse.store.integrity import find_damage, find_lost_outputs
from warehouse.store.layout import Layout


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One document of a plan. `stages` are those whose output is not known to exist yet.

    `topics` are those of its source folder, None if it is outside the scope of this run. `corrections` are those of
    people. `name_days` are the days in the name of a note. `moved_from` is the source that a renamed file had.
    `rerun_mark` marks the outputs of a file that is read again on demand, so that none of them is taken from a cache.
    """

    action: Action
    source: str
    reason: str
    stages: tuple[str, ...] = ()
    file: SourceFile | None = None
    root: Root | None = None
    previous: CatalogEntry | None = None
    topics: RootTopics | None = None
    corrections: FileCorrections = UNCORRECTED
    name_days: Interval | None = None
    moved_from: str = ""
    rerun_mark: str = ""


@dataclass(frozen=True, slots=True)
class IngestPlan:
    """Plan of a run. `untouched_entries` are documents outside its scope, `damage` is the damage that it will repair.

    `withheld` are among the untouched: too many documents of a source folder vanished at once.
    """

    files: tuple[PlannedFile, ...]
    untouched_entries: tuple[CatalogEntry, ...]
    roots: tuple[Root, ...]
    warnings: tuple[str, ...] = ()
    damage: str | None = None
    withheld: tuple[WithheldDocuments, ...] = ()
    counts: Mapping[Action, int] = field(default_factory=dict)

    @property
    def idle(self) -> bool:
        """Whether there is nothing at all to do, not even a new modification time to record."""
        is_all_kept = all(
            file.action is Action.KEPT and file.previous and file.file == file.previous.file for file in self.files
        )
        return is_all_kept and self.damage is None


def make_plan(
    settings: Settings,
    generation: Generation | None,
    paths: Iterable[Path],
    drop: Collection[str] = (),
    removal: Removal = Removal.NAMED,
    rerun_mark: str = "",
) -> IngestPlan:
    """Compare the files with the published generation. Reads only files whose size or time changed, and parses none.

    The roots named in `drop` are removed with all their documents; `removal` says which others may be removed in great
    number. With `rerun_mark`, a mark that no run had before, every file in scope is read and processed as if it were
    new. Raises `BadInput` when there is nothing to ingest or no such root.
    """
    entries = generation.read_entries() if generation else ()
    known_roots = generation.manifest.roots if generation else ()
    scopes = select_scopes(settings, generation, paths, drop)
    replaced_roots = find_superseded_roots(known_roots, [scope for scope in scopes if find_absence(scope.root) is None])
    roots = merge_roots([root for root in known_roots if root.name not in {*drop, *replaced_roots}], scopes)
    by_source = {entry.file.source: entry for entry in entries}
    layout = Layout(settings.warehouse)
    corrections = KnownCorrections(corrections_file.read(layout))
    problem = find_damage(layout, generation) if generation else None
    lost_outputs = find_lost_outputs(layout, generation) if generation and problem else frozenset()
    files: list[PlannedFile] = []
    warnings = [f"the warehouse is damaged and will be repaired: {problem}"] if problem else []
    covered_sources = {entry.file.source for entry in entries if entry.file.root in replaced_roots}
    for scope in scopes:
        root = scope.root
        if absence := find_absence(root):
            warnings.append(f"source folder '{root.name}' ({root.folder}) {absence}: its documents are kept")
            continue
        root_files = [entry.file for entry in entries if entry.file.root == root.name]
        covered_sources.update(file.source for file in root_files if scope.covers(file.path))
        inner_folders = find_inner_folders(root, roots) | {layout.home.folder}
        files.extend(_plan_scope(settings, scope, by_source, inner_folders, lost_outputs, corrections, rerun_mark))
    seen_sources = {file.source for file in files}
    missing_entries = [by_source[source] for source in sorted(covered_sources - seen_sources)]
    confirmed_sources = select_confirmed_removals(removal, scopes, missing_entries)
    vanished_entries = [
        entry
        for entry in missing_entries
        if entry.file.source not in confirmed_sources and entry.file.root not in replaced_roots
    ]
    new_hashes = {file.file.sha256 for file in files if file.action is Action.NEW and file.file}
    withheld = select_withheld_documents(entries, vanished_entries, new_hashes, settings.removal)
    warnings.extend(folder.warning for folder in withheld)
    withheld_sources = {entry.file.source for folder in withheld for entry in folder.documents}
    covered_sources -= withheld_sources
    missing_entries = [entry for entry in missing_entries if entry.file.source not in withheld_sources]
    files = list(_with_moved_corrections(list(_with_renames(files, missing_entries)), corrections))
    moved_sources = {file.moved_from for file in files}
    removed_entries = [entry for entry in missing_entries if entry.file.source not in moved_sources]
    files.extend(_plan_removals(removed_entries, "the file is no longer there"))
    dropped_entries = [entry for entry in entries if entry.file.root in drop]
    files.extend(_plan_removals(dropped_entries, "its source folder is dropped"))
    seen_sources |= covered_sources | {entry.file.source for entry in dropped_entries}
    untouched_entries = tuple(entry for entry in entries if entry.file.source not in seen_sources)
    embed = generation is not None and bool(lost_outputs or generation.manifest.model != get_model_identity(settings))
    files_outside_scope = {
        document.source: document
        for document in _plan_outside_scope(settings, untouched_entries, roots, corrections, by_source, embed=embed)
    }
    files.extend(files_outside_scope.values())
    untouched_entries = tuple(entry for entry in untouched_entries if entry.file.source not in files_outside_scope)
    counts = {action: sum(file.action is action for file in files) for action in Action}
    return IngestPlan(tuple(files), untouched_entries, roots, tuple(warnings), problem, withheld, counts)


def _plan_removals(entries: Iterable[CatalogEntry], reason: str) -> Iterator[PlannedFile]:
    return (PlannedFile(Action.GONE, entry.file.source, reason, previous=entry) for entry in entries)


def _plan_scope(
    settings: Settings,
    scope: RootScope,
    by_source: Mapping[str, CatalogEntry],
    inner: frozenset[Path],
    lost_outputs: Collection[tuple[str, str]],
    corrections: KnownCorrections,
    rerun_mark: str,
) -> Iterable[PlannedFile]:
    # Without the earlier record of a file, its content is always read and hashed.
    known_files = {} if rerun_mark else {source: entry.file for source, entry in by_source.items()}
    limit = settings.parse.max_file_megabytes << 20
    topics = read_root_topics(scope.root, inner, by_source, settings)
    is_attachment, named_days = make_attachment_filter(scope.root), make_note_namer(scope.root.folder)
    for source, entry in by_source.items():
        is_in_scope = entry.file.root == scope.root.name and scope.covers(entry.file.path)
        if is_in_scope and is_attachment(entry.file.path):
            yield PlannedFile(Action.GONE, source, "it is an attachment, not a document", previous=entry)
    for candidate in discover_files(scope, known_files, limit, inner, is_attachment):
        previous = by_source.get(candidate.source)
        if candidate.path in topics.files:
            continue
        if isinstance(candidate, UnreadablePath):
            if candidate.folder:
                # The documents of a folder that does not show its files now stay as they are.
                unreadable_scope = RootScope(scope.root, (candidate.path,))
                entries_below = (entry for source, entry in by_source.items() if source != candidate.source)
                for entry in entries_below:
                    if entry.file.root == scope.root.name and unreadable_scope.covers(entry.file.path):
                        fields = entry.file.source, "its folder cannot be listed", (), entry.file, scope.root, entry
                        yield PlannedFile(Action.KEPT, *fields)
            file = SourceFile(candidate.source, candidate.root, candidate.path, "", candidate.size, 0)
            action = Action.KEPT if previous and previous.reason == candidate.problem else Action.UNREADABLE
            yield PlannedFile(action, candidate.source, candidate.problem, (), file, scope.root, previous)
        else:
            file_corrections = find_file_corrections(corrections, candidate.source, previous, by_source)
            days = named_days(candidate.path)
            action, reason, stages = _decide_action(
                settings, candidate, scope.root, previous, lost_outputs, topics, file_corrections, days
            )
            if rerun_mark and action not in (Action.NEW, Action.CHANGED):
                action, reason, stages = Action.RESTAGED, "read again on demand", _EVERY_STAGE
            known_facts = candidate, scope.root, previous, topics, file_corrections, days
            yield PlannedFile(action, candidate.source, reason, stages, *known_facts, rerun_mark=rerun_mark)


_EVERY_STAGE = tuple(stage.name for stage in STAGES)


def _decide_action(
    settings: Settings,
    file: SourceFile,
    root: Root,
    previous: CatalogEntry | None,
    lost_outputs: Collection[tuple[str, str]],
    topics: RootTopics,
    file_corrections: FileCorrections,
    name_days: Interval | None,
) -> tuple[Action, str, tuple[str, ...]]:
    """What a run does with a file, why, and the stages whose output is not known to exist yet."""
    if previous is None:
        return Action.NEW, "not seen before", _EVERY_STAGE
    key = make_parse_key(file.sha256, get_suffix(file.path), settings)
    refusal, failure, parse_output = map(previous.find_output, ("refused", "failed", "parse"))
    missing = {output.stage for output in previous.outputs if (output.stage, output.key) in lost_outputs}
    if missing.intersection(("parse", *FAILURES)):
        return Action.RESTAGED, "its outputs were lost", _EVERY_STAGE
    if refusal and unmark_key(refusal.key) == key and parse_output is None:
        return Action.KEPT, previous.reason, ()
    if failure and failure.key == make_failure_key(file, root, settings, file_corrections.own_key):
        return Action.KEPT, previous.reason, ()
    if file.sha256 != previous.file.sha256:
        return Action.CHANGED, "the content changed", _EVERY_STAGE
    if failure:
        return Action.RESTAGED, "a stage failed on it", _EVERY_STAGE
    if parse_output is None or key not in (unmark_key(parse_output.key), unmark_key(refusal.key) if refusal else ""):
        return Action.RESTAGED, "parse settings or version", _EVERY_STAGE
    return _decide_known_action(settings, file, root, previous, missing, topics, file_corrections, name_days)


def _decide_known_action(
    settings: Settings,
    file: SourceFile,
    root: Root,
    previous: CatalogEntry,
    missing: Collection[str],
    topics: RootTopics,
    file_corrections: FileCorrections,
    name_days: Interval | None,
) -> tuple[Action, str, tuple[str, ...]]:
    """As `_decide_action`, for a document with a valid parse output; `missing` are stages whose outputs were lost."""
    corrections = file_corrections.select_corrections(previous.detected_company)
    stale = find_stale_stages(settings, previous, build_entry_facts(previous, file, root, corrections, name_days))
    stages = tuple(stage.name for stage in STAGES if stage.name in {*stale, *missing})
    if missing:
        return Action.RESTAGED, "its outputs were lost", stages
    if corrections.key != previous.correction_key:
        return Action.CORRECTED, "corrections by people", stages
    if is_redated(previous, root, name_days):
        return Action.RESTAGED, "the vault's formats of note names", stages
    if stages:
        return Action.RESTAGED, f"{stages[0]} settings or version", stages
    if previous.attributes.topic != topics.find_topic(previous.title, previous.attributes):
        return Action.RESTAGED, "its topic", ()
    return Action.KEPT, "only its time changed" if file != previous.file else "", ()


def _plan_outside_scope(
    settings: Settings,
    untouched_entries: Iterable[CatalogEntry],
    roots: Iterable[Root],
    known_corrections: KnownCorrections,
    by_source: Mapping[str, CatalogEntry],
    *,
    embed: bool,
) -> Iterator[PlannedFile]:
    """The files of documents outside the scope of this run that people have corrected since the last one.

    With `embed` those of all documents: their vectors are of another model, or lost.
    """
    by_name = {root.name: root for root in roots}
    for entry in untouched_entries:
        stages: tuple[str, ...] = ("embed",)
        if entry.find_output("parse") is None or not (embed or known_corrections or entry.correction_key):
            continue
        file, root = entry.file, by_name[entry.file.root]
        file_corrections = find_file_corrections(known_corrections, file.source, entry, by_source)
        work, days = (Action.RESTAGED, file.source, "its vectors"), make_note_namer(root.folder)(file.path)
        if not embed:
            corrections = file_corrections.select_corrections(entry.detected_company)
            failure = entry.find_output("failed")
            is_tried = failure and failure.key == make_failure_key(file, root, settings, file_corrections.own_key)
            if corrections.key == entry.correction_key or is_tried:
                continue
            work = Action.CORRECTED, file.source, "corrections by people"
            stages = find_stale_stages(settings, entry, build_entry_facts(entry, file, root, corrections, days))
        yield PlannedFile(*work, stages, file, root, entry, None, file_corrections, days)


def _with_moved_corrections(files: Sequence[PlannedFile], corrections: KnownCorrections) -> Iterator[PlannedFile]:
    """The files of new files with the corrections of a document of the same content whose own source is gone."""
    present = {file.source for file in files if file.action is not Action.GONE}
    for file in files:
        source = ""
        if file.file and file.action in (Action.NEW, Action.RENAMED) and file.source not in corrections:
            source = corrections.find_source(file.file.sha256, present)
            present.add(source)
        yield replace(file, corrections=FileCorrections(source, corrections)) if source else file


def update_correction_sources(layout: Layout, plan: IngestPlan) -> None:
    """Update the sources in the corrections of a warehouse when files of documents move and change.

    An experiment does not change the corrections of its warehouse.
    """
    corrected_files = [(file, file.file) for file in plan.files if file.file and file.corrections.is_known]
    if corrected_files and layout.home.folder == layout.folder.resolve():
        new_sources = {file.corrections.source: file.source for file, _ in corrected_files}
        corrections_file.update_sources(
            layout, new_sources, {planned.source: file.sha256 for planned, file in corrected_files if file.sha256}
        )


def _with_renames(files: Iterable[PlannedFile], missing_entries: Collection[CatalogEntry]) -> Iterator[PlannedFile]:
    """Detect renamed files among the new ones: the same bytes, and the old file is missing."""
    entries_by_content = {entry.file.sha256: entry for entry in missing_entries if entry.outputs}
    for file in files:
        moved_entry = (
            entries_by_content.pop(file.file.sha256, None) if file.action is Action.NEW and file.file else None
        )
        if moved_entry is None or file.file is None:
            yield file
            continue
        previous = None
        if moved_entry.status is Status.STALE:
            # A document whose present file cannot be read keeps its last good version.
            previous = replace(moved_entry, document_id=make_document_id(file.source), file=file.file)
        source, stages = moved_entry.file.source, file.stages[1:]
        renamed_file = replace(file, action=Action.RENAMED, reason=f"was {source}", stages=stages, moved_from=source)
        yield replace(renamed_file, previous=previous)
