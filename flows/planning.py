"""Plan of an ingest: the difference between the files that are there and the published generation, with reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

from flows.corrections import UNCORRECTED, FileCorrections, KnownCorrections, corrections_of
from flows.discovery import AttachmentFilter, RootScope, UnreadablePath, discover, inner_folders
from flows.removals import Removal, WithheldDocuments, agreed_removals, withheld_documents
from flows.roots import absence, look, merged, superseded
from flows.topics import RootTopics, root_topics
from tasks.check.cache import code_version
from tasks.contract import DocumentFacts
from tasks.dating import choose_date, title
from tasks.pipeline import STAGES, model_of, parse_key
from warehouse.identity import digest
from warehouse.records import (
    FAILURES,
    NO_CORRECTIONS,
    CatalogEntry,
    Content,
    DateClaim,
    DateOrigin,
    DocumentCorrections,
    Root,
    SourceFile,
    Status,
)
from warehouse.settings.loader import Settings
from warehouse.store import corrections
from warehouse.store.generations import Generation
from warehouse.store.layout import Layout
from warehouse.store.soundness import damage, lost_outputs


class Action(StrEnum):
    """What happens to a document."""

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
    """One document of a plan. `stages` are those whose output is not known to be there yet.

    `topics` are those of its root, None where this run does not look at the root. `corrections` are what people said
    of it.
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
    """A run before it runs. `untouched` are documents outside of what it looks at, `damage` what is to be mended.

    `withheld_documents` are among the untouched: too many of a root's documents vanished at once.
    """

    steps: tuple[PlannedFile, ...]
    untouched: tuple[CatalogEntry, ...]
    roots: tuple[Root, ...]
    warnings: tuple[str, ...] = ()
    damage: str | None = None
    withheld: tuple[WithheldDocuments, ...] = ()
    counts: Mapping[Action, int] = field(default_factory=dict)

    @property
    def idle(self) -> bool:
        """Whether nothing at all is to be done, not even a new time of a file to be noted."""
        kept = all(s.action is Action.KEPT and s.previous and s.file == s.previous.file for s in self.steps)
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
    looked_at = look(settings, generation, paths, drop)
    replaced = superseded(remembered, [scope for scope in looked_at if absence(scope.root) is None])
    roots = merged([root for root in remembered if root.name not in {*drop, *replaced}], looked_at)
    by_source = {entry.file.source: entry for entry in entries}
    layout = Layout(settings.warehouse)
    said = KnownCorrections(corrections.read(layout))
    problem = damage(layout, generation) if generation else None
    lost = lost_outputs(layout, generation) if generation and problem else frozenset()
    steps: list[PlannedFile] = []
    warnings = [f"the warehouse is damaged and will be mended: {problem}"] if problem else []
    covered: set[str] = set()
    for scope in looked_at:
        if trouble := absence(scope.root):
            warnings.append(f"root '{scope.root.name}' ({scope.root.folder}) {trouble}: its documents are kept")
            continue
        covered.update(h.file.source for h in entries if h.file.root == scope.root.name and scope.covers(h.file.path))
        elsewhere = inner_folders(scope.root, roots) | {layout.home.folder}
        steps.extend(_scope_steps(settings, scope, by_source, elsewhere, lost, said))
    covered.update(entry.file.source for entry in entries if entry.file.root in replaced)
    seen = {step.source for step in steps}
    gone = [by_source[source] for source in sorted(covered - seen)]
    consented = agreed_removals(removal, looked_at, gone)
    asked = [h for h in gone if h.file.source not in consented and h.file.root not in replaced]
    appeared = {step.file.sha256 for step in steps if step.action is Action.NEW and step.file}
    held_back = withheld_documents(entries, asked, appeared, settings.removal)
    warnings.extend(each.warning for each in held_back)
    kept = {entry.file.source for each in held_back for entry in each.documents}
    covered -= kept
    gone = [entry for entry in gone if entry.file.source not in kept]
    steps = _with_corrections(_with_renames(steps, gone), said)
    steps.extend(PlannedFile(Action.GONE, h.file.source, "the file is no longer there", previous=h) for h in gone)
    dropped = [entry for entry in entries if entry.file.root in drop]
    steps.extend(PlannedFile(Action.GONE, h.file.source, "its root is dropped", previous=h) for h in dropped)
    seen.update(entry.file.source for entry in dropped)
    untouched = tuple(h for h in entries if h.file.source not in covered and h.file.source not in seen)
    if generation and (lost or generation.manifest.model != model_of(settings)):
        steps.extend(_embedded_anew(untouched, roots, said, by_source))
        untouched = tuple(entry for entry in untouched if entry.output("parse") is None)
    corrected = {step.source: step for step in _corrected(settings, untouched, roots, said, by_source)}
    steps.extend(corrected.values())
    untouched = tuple(entry for entry in untouched if entry.file.source not in corrected)
    counts = {action: sum(step.action is action for step in steps) for action in Action}
    return IngestPlan(tuple(steps), untouched, roots, tuple(warnings), problem, held_back, counts)


def _scope_steps(
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
            yield PlannedFile(Action.GONE, source, "it is an attachment, no document", previous=entry)
    for found in discover(scope, known, limit, inner, known_attachments.has):
        previous = by_source.get(found.source)
        if found.path in topics.files:
            continue
        if isinstance(found, UnreadablePath):
            if found.folder:
                yield from _steps_below(found, scope.root, by_source)
            file = SourceFile(found.source, found.root, found.path, "", found.size, 0)
            action = Action.KEPT if previous and previous.reason == found.problem else Action.UNREADABLE
            yield PlannedFile(action, found.source, found.problem, (), file, scope.root, previous)
        else:
            corrected = corrections_of(said, found.source, previous, by_source)
            step = _step(settings, found, scope.root, previous, lost, topics, corrected)
            yield replace(step, topics=topics, corrections=corrected)


def _steps_below(folder: UnreadablePath, root: Root, by_source: Mapping[str, CatalogEntry]) -> Iterable[PlannedFile]:
    """The documents of a folder that does not show its files now stay as they are."""
    closed = RootScope(root, (folder.path,))
    for source, entry in by_source.items():
        if entry.file.root == root.name and source != folder.source and closed.covers(entry.file.path):
            yield PlannedFile(Action.KEPT, source, "its folder cannot be listed", (), entry.file, root, entry)


def _step(
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
    return _step_of_known_content(settings, file, root, previous, missing, topics, corrected)


def _step_of_known_content(
    settings: Settings,
    file: SourceFile,
    root: Root,
    previous: CatalogEntry,
    missing: Collection[str],
    topics: RootTopics,
    corrected: FileCorrections,
) -> PlannedFile:
    """The step of a document whose parse output holds; of its other outputs the `missing` ones were lost."""
    corrections = corrected.of(previous.own_company)
    stale = stale_stages(settings, previous, rebound(previous, file, root, corrections))
    stages = tuple(stage.name for stage in STAGES if stage.name in {*stale, *missing})
    if missing:
        return PlannedFile(Action.RESTAGED, file.source, "its outputs were lost", stages, file, root, previous)
    if corrections.key != previous.correction_key:
        return PlannedFile(Action.CORRECTED, file.source, "what people corrected", stages, file, root, previous)
    if stages:
        return PlannedFile(
            Action.RESTAGED, file.source, f"{stages[0]} settings or version", stages, file, root, previous
        )
    if previous.attributes.topic != topics.of(previous.title, previous.attributes):
        return PlannedFile(Action.RESTAGED, file.source, "its topic", (), file, root, previous)
    if file != previous.file:
        return PlannedFile(Action.KEPT, file.source, "only its time changed", (), file, root, previous)
    return PlannedFile(Action.KEPT, file.source, "", (), file, root, previous)


def stale_stages(settings: Settings, entry: CatalogEntry, facts: DocumentFacts) -> tuple[str, ...]:
    """The stages after parsing whose output would now have another key."""
    keys = expected_keys(settings, {o.stage: o.key for o in entry.outputs}["parse"], facts)
    held = {output.stage: output.key for output in entry.outputs}
    return tuple(stage for stage, key in keys.items() if held.get(stage) != key)


def expected_keys(settings: Settings, parsed: str, facts: DocumentFacts) -> dict[str, str]:
    """The key of each stage's output for a document, by stage."""
    keys = {"parse": parsed}
    for stage in STAGES[1:]:
        keys[stage.name] = stage.key(keys, settings, facts)
    return keys


def failure_key(file: SourceFile, root: Root, settings: Settings, corrected: str = "") -> str:
    """The name of a stage's failure on a document.

    It is another, and the document is tried again, once the file, what its root says, what people `corrected` of it,
    the settings or the program differ.
    """
    said = [root.kind, root.fiscal_year_end, asdict(root.chunking), *([corrected] if corrected else [])]
    chosen = settings.model_dump(mode="json", include={"parse", "entities", "chunk", "embed", "batch"})
    program = [version("kalends"), code_version()]
    return digest("failed", file.source, file.sha256, file.modified_ns, said, chosen, program)


def rebound(
    entry: CatalogEntry, file: SourceFile, root: Root, corrections: DocumentCorrections = NO_CORRECTIONS
) -> DocumentFacts:
    """The facts of a document whose content did not change."""
    kind = root.kind or entry.content_kind
    claim = _corrected_claim(corrections) or entry.own_date_claim
    known = entry.document_id, file.source, entry.title, kind, entry.language, claim
    return DocumentFacts(*known, root.fiscal_year_end, root.chunking, corrections)


def bind(
    file: SourceFile, root: Root, content: Content, corrections: DocumentCorrections = NO_CORRECTIONS
) -> DocumentFacts:
    """The facts of a document from its content, its file's name, its root and what people corrected."""
    name = Path(file.path).name
    claim = _corrected_claim(corrections) or choose_date(content.dates, name)
    kind = root.kind or content.kind
    known = document_id(file.source), file.source, title(content.title, name), kind, content.language
    return DocumentFacts(*known, claim, root.fiscal_year_end, root.chunking, corrections)


def _corrected_claim(corrections: DocumentCorrections) -> DateClaim | None:
    day = corrections.document_date
    return DateClaim(day, DateOrigin.CORRECTED) if day else None


def document_id(source: str) -> str:
    """The name of a document: of where it lies, not of what it says, so that it outlives edits."""
    return digest("document", source)


def suffix_of(path: str) -> str:
    """The suffix that helps to tell the format."""
    return Path(path).suffix.lower()


def _embedded_anew(
    untouched: Iterable[CatalogEntry],
    roots: Iterable[Root],
    said: KnownCorrections,
    by_source: Mapping[str, CatalogEntry],
) -> Iterable[PlannedFile]:
    """The steps of documents that this run does not look at but whose vectors are of another model, or lost."""
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
    """The steps of documents that this run does not look at but of which people corrected something since."""
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
        stages = stale_stages(settings, entry, rebound(entry, entry.file, root, corrections))
        told = entry.file.source, "what people corrected", stages, entry.file, root, entry, None
        yield PlannedFile(Action.CORRECTED, *told, corrected)


def _with_corrections(steps: Sequence[PlannedFile], said: KnownCorrections) -> list[PlannedFile]:
    """The steps of new files with the corrections of a document of the same content whose own source is gone."""
    if not said:
        return list(steps)
    present = {step.source for step in steps if step.action is not Action.GONE}
    found = []
    for step in steps:
        is_open = step.action in (Action.NEW, Action.RENAMED) and step.source not in said and step.file
        known = said.source_of(step.file.sha256, present) if is_open and step.file else ""
        present.add(known)
        found.append(replace(step, corrections=FileCorrections(known, said)) if known else step)
    return found


def follow_sources(layout: Layout, plan: IngestPlan) -> None:
    """Keep the corrections of a warehouse with its documents as their files move and change.

    An experiment leaves those of the warehouse it belongs to as they are.
    """
    known = [step for step in plan.steps if step.file and step.corrections.is_known]
    if known and layout.home.folder == layout.folder.resolve():
        moved = {step.corrections.source: step.source for step in known}
        corrections.follow(
            layout, moved, {step.source: step.file.sha256 for step in known if step.file and step.file.sha256}
        )


def _with_renames(steps: Sequence[PlannedFile], gone: Collection[CatalogEntry]) -> list[PlannedFile]:
    """Tell a renamed file from a new one: the same bytes, and the old place empty."""
    moved = {entry.file.sha256: entry for entry in gone if entry.outputs}
    return [
        _renamed(step, moved.pop(step.file.sha256))
        if step.action is Action.NEW and step.file and step.file.sha256 in moved
        else step
        for step in steps
    ]


def _renamed(step: PlannedFile, before: CatalogEntry) -> PlannedFile:
    """The step of a renamed file. One that cannot be read now takes its last good version along."""
    reason = f"was {before.file.source}"
    if step.file is None or before.status is not Status.STALE:
        return replace(step, action=Action.RENAMED, reason=reason, stages=step.stages[1:])
    kept = replace(before, document_id=document_id(step.source), file=step.file)
    return replace(step, action=Action.RENAMED, reason=reason, stages=step.stages[1:], previous=kept)
