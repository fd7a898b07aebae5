"""Documents on their way to a new generation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from flows.planning import Action, Step, bind, document_id, rebound, suffix_of
from tasks.contract import Facts, Item, Stage, Trouble
from tasks.pipeline import parse_key
from tasks.temporal.company_calendars import with_calendar
from tasks.temporal.learning import calendar_by
from warehouse.records import Attributes, Content, Finding, Holding, Output, Root, Severity, SourceFile, Status
from warehouse.settings import Settings


@dataclass(slots=True)
class Draft:
    """A document in work: which outputs it has so far, and what stopped it, if something did.

    `seconds` are those that this run read its file.
    """

    step: Step
    file: SourceFile
    root: Root
    parse_key: str
    facts: Facts | None = None
    content: Content | None = None
    outputs: dict[str, Output] = field(default_factory=dict)
    refused: Output | None = None
    trouble: Trouble | None = None
    seconds: float = 0.0

    @property
    def active(self) -> bool:
        """Whether later stages have something to do with it."""
        return self.facts is not None

    def key(self, stage: Stage, settings: Settings) -> str:
        """The key of its output of a stage."""
        if stage.name == "parse":
            return self.parse_key
        if self.facts is None:
            raise ValueError(f"{self.file.source} has no facts yet")
        return stage.key({name: output.key for name, output in self.outputs.items()}, settings, self.facts)

    def item(self, stage: Stage, key: str) -> Item:
        """Its part in a batch."""
        inputs = {name: self.outputs[name] for name in stage.needs}
        path = self.root.folder / self.file.path
        return Item(key, Path(self.file.path).name, path, self.file.sha256, self.file.size, inputs, self.facts)

    def take_content(self, content: Content, output: Output) -> None:
        """Note what parsing gave: facts, or a refusal."""
        if content.failure:
            self.refused = Output("refused", output.key, output.file)
            self.content = content
            return
        self.outputs["parse"] = output
        self.content = content
        self.facts = bind(self.file, self.root, content)


def draft_of(step: Step, settings: Settings) -> Draft | None:
    """The draft of a step that has work in it, else None."""
    if step.file is None or step.root is None or step.action in (Action.GONE, Action.KEPT, Action.UNREADABLE):
        return None
    draft = Draft(step, step.file, step.root, parse_key(step.file.sha256, suffix_of(step.file.path), settings))
    previous = step.previous
    if previous and step.action in (Action.RESTAGED, Action.RENAMED) and "parse" not in step.stages:
        parsed = previous.output("parse")
        if parsed:
            draft.outputs["parse"] = parsed
            draft.refused = previous.output("refused")
            draft.facts = rebound(previous, step.file, step.root)
    return draft


def finished(draft: Draft, chunk_count: int) -> Holding:
    """The holding of a draft after the last stage."""
    if draft.facts is None:
        problem = draft.trouble.message if draft.trouble else draft.content.failure if draft.content else ""
        return unreadable(draft.step, problem, draft.refused, passing=draft.trouble is not None)
    facts, previous = draft.facts, draft.step.previous
    outputs = (*draft.outputs.values(), *((draft.refused,) if draft.refused else ()))
    if draft.content is None and previous is not None:
        made = replace(
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
        made = _fresh(draft, facts, chunk_count, outputs)
    return with_calendar(made, calendar_by(made.attributes.year_ends, facts.fiscal_year_end))


def _fresh(draft: Draft, facts: Facts, chunk_count: int, outputs: tuple[Output, ...]) -> Holding:
    content = draft.content
    if content is None:
        raise ValueError(f"{draft.file.source} was never parsed")
    return Holding(
        document_id=facts.document_id,
        file=draft.file,
        status=Status.PUBLISHED,
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
    )


def _with_topic(draft: Draft, title: str, attributes: Attributes) -> Attributes:
    """The attributes with the topic that the root gives, or as they were where this run does not look at the root."""
    topics = draft.step.topics
    return replace(attributes, topic=topics.of(title, attributes)) if topics else attributes


def unreadable(step: Step, problem: str, refused: Output | None, *, passing: bool) -> Holding:
    """What is kept of a file that cannot be read: its last good version if there is one, and the reason.

    `passing` trouble (permissions, a file changing under the reader) is tried again by the next run.
    """
    file, previous = step.file, step.previous
    if file is None:
        raise ValueError(f"{step.source} is not there")
    if passing:
        file = replace(file, sha256="", modified_ns=0)
    if previous is None or previous.output("parse") is None:
        only = (refused,) if refused else ()
        return Holding(document_id(file.source), file, Status.UNREADABLE, problem, outputs=only)
    good = tuple(output for output in previous.outputs if output.stage != "refused")
    outputs = (*good, refused) if refused else good
    return replace(previous, file=file, status=Status.STALE, reason=problem, outputs=outputs)


def trouble_findings(holdings: Mapping[str, Trouble]) -> dict[str, tuple[Finding, ...]]:
    """The findings of this generation's own: troubles that no stage output records, by document."""
    return {
        name: (Finding(trouble.code, trouble.name, Severity.ERROR, trouble.message),)
        for name, trouble in holdings.items()
    }
