"""Plan of an ingest: the difference between the files that are there and the published generation, with reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from flows.corrections import UNCORRECTED, FileCorrections, KnownCorrections, corrections_of
from flows.discovery import AttachmentFilter, RootScope, UnreadablePath, discover, inner_folders
from flows.document_facts import document_id, facts_of_entry, failure_key, stale_stages, suffix_of
from flows.removals import Removal, WithheldDocuments, agreed_removals, withheld_documents
from flows.roots import absence_reason, merge_roots, select_scopes, superseded_roots
from flows.topics import RootTopics, root_topics
from tasks.pipeline import STAGES, model_of, parse_key
from warehouse.records import (
    FAILURES,
    CatalogEntry,
    Root,
    SourceFile,
    Status,
)
from warehouse.settings.loader import Settings
from warehouse.store import corrections_file
from warehouse.store.generations import Generation
from warehouse.store.integrity import damage, lost_outputs
from warehouse.store.layout import Layout


class Action(StrEnum):
    """What a run does with a document."""

    NEW = "new"
    CHANGED = "changed"
    RENAMED = "renamed"
    RESTAGED = "settings changed"
    CORRECTED = "corrected"
    UNREADABLE = "unreadable"
    GONE = "gone"
    KEPT = "unchanged"


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One document of a plan. `stages` are those whose output is not known to exist yet.

    `topics` are those of its source folder, None where this run does not look at it. `corrections` are those of people.
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


@dataclass(frozen=True, slots=True)
class IngestPlan:
    """Plan of a run. `untouched` are documents that it does not look at, `damage` is what it will repair.

    `withheld` are among the untouched: too many documents of a source folder vanished at once.
    """

    files: tuple[PlannedFile, ...]
    untouched: tuple[CatalogEntry, ...]
    roots: tuple[Root, ...]
    warnings: tuple[str, ...] = ()
    damage: str | None = None
    withheld: tuple[WithheldDocuments, ...] = ()
    counts: Mapping[Action, int] = field(default_factory=dict)

    @property
    def idle(self) -> bool:
        """Whether there is nothing at all to do, not even a new modification time to record."""
        kept = all(s.action is Action.KEPT and s.previous and s.file == s.previous.file for s in self.files)
        return kept and self.damage is None


def make_plan(
    settings: Settings,
    generation: Generation | None,
    paths: Iterable[Path],
    drop: Collection[str] = (),
    removal: Removal = Removal.NAMED,
) -> IngestPlan:
    """Look at the files and compare. Reads only files whose size or time changed, and parses none.

    The roots named in `drop` are forgotten with all their documents; `removal` says which others may leave in great
    number. Raises `BadInput` when there is nothing to look at or no such root.
    """
    entries = generation.entries() if generation else ()
    remembered = generation.manifest.roots if generation else ()
    looked_at = select_scopes(settings, generation, paths, drop)
    replaced = superseded_roots(remembered, [scope for scope in looked_at if absence_reason(scope.root) is None])
    roots = merge_roots([root for root in remembered if root.name not in {*drop, *replaced}], looked_at)
    by_source = {entry.file.source: entry for entry in entries}
    layout = Layout(settings.warehouse)
    said = KnownCorrections(corrections_file.read(layout))
    problem = damage(layout, generation) if generation else None
    lost = lost_outputs(layout, generation) if generation and problem else frozenset()
    files: list[PlannedFile] = []
    warnings = [f"the warehouse is damaged and will be repaired: {problem}"] if problem else []
    covered: set[str] = set()
    for scope in looked_at:
        if trouble := absence_reason(scope.root):
            warnings.append(
                f"source folder '{scope.root.name}' ({scope.root.folder}) {trouble}: its documents are kept"
            )
            continue
        covered.update(h.file.source for h in entries if h.file.root == scope.root.name and scope.covers(h.file.path))
        elsewhere = inner_folders(scope.root, roots) | {layout.home.folder}
        files.extend(_files_of_scope(settings, scope, by_source, elsewhere, lost, said))
    covered.update(entry.file.source for entry in entries if entry.file.root in replaced)
    seen = {planned_file.source for planned_file in files}
    gone = [by_source[source] for source in sorted(covered - seen)]
    consented = agreed_removals(removal, looked_at, gone)
    asked = [h for h in gone if h.file.source not in consented and h.file.root not in replaced]
    appeared = {
        planned_file.file.sha256 for planned_file in files if planned_file.action is Action.NEW and planned_file.file
    }
    held_back = withheld_documents(entries, asked, appeared, settings.removal)
    warnings.extend(each.warning for each in held_back)
    kept = {entry.file.source for each in held_back for entry in each.documents}
    covered -= kept
    gone = [entry for entry in gone if entry.file.source not in kept]
    files = _with_corrections(_with_renames(files, gone), said)
    files.extend(PlannedFile(Action.GONE, h.file.source, "the file is no longer there", previous=h) for h in gone)
    dropped = [entry for entry in entries if entry.file.root in drop]
    files.extend(PlannedFile(Action.GONE, h.file.source, "its source folder is dropped", previous=h) for h in dropped)
    seen.update(entry.file.source for entry in dropped)
    untouched = tuple(h for h in entries if h.file.source not in covered and h.file.source not in seen)
    if generation and (lost or generation.manifest.model != model_of(settings)):
        files.extend(_embedded_anew(untouched, roots, said, by_source))
        untouched = tuple(entry for entry in untouched if entry.output("parse") is None)
    corrected = {
        planned_file.source: planned_file for planned_file in _corrected(settings, untouched, roots, said, by_source)
    }
    files.extend(corrected.values())
    untouched = tuple(entry for entry in untouched if entry.file.source not in corrected)
    counts = {action: sum(planned_file.action is action for planned_file in files) for action in Action}
    return IngestPlan(tuple(files), untouched, roots, tuple(warnings), problem, held_back, counts)


def _files_of_scope(
    settings: Settings,
    scope: RootScope,
    by_source: Mapping[str, CatalogEntry],
    inner: frozenset[Path],
    lost: Collection[tuple[str, str]],
    said: KnownCorrections,
) -> Iterable[PlannedFile]:
    known = {source: entry.file for source, entry in by_source.items()}
    limit = settings.parse.max_file_megabytes << 20
    topics = root_topics(scope.root, inner, by_source, settings)
    known_attachments = AttachmentFilter(scope.root)
    for source, entry in by_source.items():
        is_here = entry.file.root == scope.root.name and scope.covers(entry.file.path)
        if is_here and known_attachments.has(entry.file.path):
            yield PlannedFile(Action.GONE, source, "it is an attachment, not a document", previous=entry)
    for found in discover(scope, known, limit, inner, known_attachments.has):
        previous = by_source.get(found.source)
        if found.path in topics.files:
            continue
        if isinstance(found, UnreadablePath):
            if found.folder:
                yield from _files_below(found, scope.root, by_source)
            file = SourceFile(found.source, found.root, found.path, "", found.size, 0)
            action = Action.KEPT if previous and previous.reason == found.problem else Action.UNREADABLE
            yield PlannedFile(action, found.source, found.problem, (), file, scope.root, previous)
        else:
            corrected = corrections_of(said, found.source, previous, by_source)
            planned_file = _planned_file(settings, found, scope.root, previous, lost, topics, corrected)
            yield replace(planned_file, topics=topics, corrections=corrected)


def _files_below(folder: UnreadablePath, root: Root, by_source: Mapping[str, CatalogEntry]) -> Iterable[PlannedFile]:
    """The documents of a folder that does not show its files now stay as they are."""
    closed = RootScope(root, (folder.path,))
    for source, entry in by_source.items():
        if entry.file.root == root.name and source != folder.source and closed.covers(entry.file.path):
            yield PlannedFile(Action.KEPT, source, "its folder cannot be listed", (), entry.file, root, entry)


def _planned_file(
    settings: Settings,
    file: SourceFile,
    root: Root,
    previous: CatalogEntry | None,
    lost: Collection[tuple[str, str]],
    topics: RootTopics,
    corrected: FileCorrections,
) -> PlannedFile:
    everything = tuple(stage.name for stage in STAGES)
    if previous is None:
        return PlannedFile(Action.NEW, file.source, "not seen before", everything, file, root)
    key = parse_key(file.sha256, suffix_of(file.path), settings)
    refused, failed, parsed = previous.output("refused"), previous.output("failed"), previous.output("parse")
    missing = tuple(output.stage for output in previous.outputs if (output.stage, output.key) in lost)
    if {"parse", *FAILURES} & set(missing):
        return PlannedFile(Action.RESTAGED, file.source, "its outputs were lost", everything, file, root, previous)
    if refused and refused.key == key and parsed is None:
        return PlannedFile(Action.KEPT, file.source, previous.reason, (), file, root, previous)
    if failed and failed.key == failure_key(file, root, settings, corrected.own_key):
        return PlannedFile(Action.KEPT, file.source, previous.reason, (), file, root, previous)
    if file.sha256 != previous.file.sha256:
        return PlannedFile(Action.CHANGED, file.source, "the content changed", everything, file, root, previous)
    if failed:
        return PlannedFile(Action.RESTAGED, file.source, "a stage failed on it", everything, file, root, previous)
    if parsed is None or key not in (parsed.key, refused.key if refused else ""):
        return PlannedFile(Action.RESTAGED, file.source, "parse settings or version", everything, file, root, previous)
    return _file_of_known_content(settings, file, root, previous, missing, topics, corrected)


def _file_of_known_content(
    settings: Settings,
    file: SourceFile,
    root: Root,
    previous: CatalogEntry,
    missing: Collection[str],
    topics: RootTopics,
    corrected: FileCorrections,
) -> PlannedFile:
    """The planned_file of a document whose parse output holds; of its other outputs the `missing` ones were lost."""
    corrections = corrected.of(previous.own_company)
    stale = stale_stages(settings, previous, facts_of_entry(previous, file, root, corrections))
    stages = tuple(stage.name for stage in STAGES if stage.name in {*stale, *missing})
    if missing:
        return PlannedFile(Action.RESTAGED, file.source, "its outputs were lost", stages, file, root, previous)
    if corrections.key != previous.correction_key:
        return PlannedFile(Action.CORRECTED, file.source, "corrections by people", stages, file, root, previous)
    if stages:
        return PlannedFile(
            Action.RESTAGED, file.source, f"{stages[0]} settings or version", stages, file, root, previous
        )
    if previous.attributes.topic != topics.of(previous.title, previous.attributes):
        return PlannedFile(Action.RESTAGED, file.source, "its topic", (), file, root, previous)
    if file != previous.file:
        return PlannedFile(Action.KEPT, file.source, "only its time changed", (), file, root, previous)
    return PlannedFile(Action.KEPT, file.source, "", (), file, root, previous)


def _embedded_anew(
    untouched: Iterable[CatalogEntry],
    roots: Iterable[Root],
    said: KnownCorrections,
    by_source: Mapping[str, CatalogEntry],
) -> Iterable[PlannedFile]:
    """The files of documents that this run does not look at but whose vectors are of another model, or lost."""
    by_name = {root.name: root for root in roots}
    for entry in untouched:
        if entry.output("parse"):
            root, source = by_name[entry.file.root], entry.file.source
            corrected = corrections_of(said, source, entry, by_source)
            reason = "its vectors"
            yield PlannedFile(Action.RESTAGED, source, reason, ("embed",), entry.file, root, entry, None, corrected)


def _corrected(
    settings: Settings,
    untouched: Iterable[CatalogEntry],
    roots: Iterable[Root],
    said: KnownCorrections,
    by_source: Mapping[str, CatalogEntry],
) -> Iterable[PlannedFile]:
    """The files of documents that this run does not look at but of which people corrected something since."""
    by_name = {root.name: root for root in roots}
    for entry in untouched:
        if not said and not entry.correction_key:
            continue
        root, corrected = by_name[entry.file.root], corrections_of(said, entry.file.source, entry, by_source)
        corrections = corrected.of(entry.own_company)
        if corrections.key == entry.correction_key or entry.output("parse") is None:
            continue
        failed = entry.output("failed")
        if failed and failed.key == failure_key(entry.file, root, settings, corrected.own_key):
            continue
        stages = stale_stages(settings, entry, facts_of_entry(entry, entry.file, root, corrections))
        told = entry.file.source, "corrections by people", stages, entry.file, root, entry, None
        yield PlannedFile(Action.CORRECTED, *told, corrected)


def _with_corrections(files: Sequence[PlannedFile], said: KnownCorrections) -> list[PlannedFile]:
    """The files of new files with the corrections of a document of the same content whose own source is gone."""
    if not said:
        return list(files)
    present = {planned_file.source for planned_file in files if planned_file.action is not Action.GONE}
    found = []
    for planned_file in files:
        is_open = (
            planned_file.action in (Action.NEW, Action.RENAMED)
            and planned_file.source not in said
            and planned_file.file
        )
        known = said.source_of(planned_file.file.sha256, present) if is_open and planned_file.file else ""
        present.add(known)
        found.append(replace(planned_file, corrections=FileCorrections(known, said)) if known else planned_file)
    return found


def follow_sources(layout: Layout, plan: IngestPlan) -> None:
    """Keep the corrections of a warehouse with its documents as their files move and change.

    An experiment leaves those of the warehouse it belongs to as they are.
    """
    known = [planned_file for planned_file in plan.files if planned_file.file and planned_file.corrections.is_known]
    if known and layout.home.folder == layout.folder.resolve():
        moved = {planned_file.corrections.source: planned_file.source for planned_file in known}
        corrections_file.follow(
            layout,
            moved,
            {
                planned_file.source: planned_file.file.sha256
                for planned_file in known
                if planned_file.file and planned_file.file.sha256
            },
        )


def _with_renames(files: Sequence[PlannedFile], gone: Collection[CatalogEntry]) -> list[PlannedFile]:
    """Tell a renamed file from a new one: the same bytes, and the old place empty."""
    moved = {entry.file.sha256: entry for entry in gone if entry.outputs}
    return [
        _renamed(planned_file, moved.pop(planned_file.file.sha256))
        if planned_file.action is Action.NEW and planned_file.file and planned_file.file.sha256 in moved
        else planned_file
        for planned_file in files
    ]


def _renamed(planned_file: PlannedFile, before: CatalogEntry) -> PlannedFile:
    """The planned_file of a renamed file. One that cannot be read now takes its last good version along."""
    reason = f"was {before.file.source}"
    if planned_file.file is None or before.status is not Status.STALE:
        return replace(planned_file, action=Action.RENAMED, reason=reason, stages=planned_file.stages[1:])
    kept = replace(before, document_id=document_id(planned_file.source), file=planned_file.file)
    return replace(planned_file, action=Action.RENAMED, reason=reason, stages=planned_file.stages[1:], previous=kept)
