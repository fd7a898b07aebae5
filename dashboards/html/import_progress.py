"""Progress of an import in the background as HTML: its stages, its documents, and its result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from dashboards.background.runs import BackgroundRun, ReportShape, WorkedDocument
from dashboards.html.safe_text import escape_text
from flows.progress import DocumentState
from tasks.quality.phrases import format_count
from tasks.stage_meter import describe_progress

MAX_FILES = 50  # Files shown one by one.
STAGES = {
    "parse": "reading",
    "tables": "tables",
    "temporal": "dates",
    "entities": "names",
    "chunk": "passages",
    "score": "quality",
    "embed": "vectors",
    "publish": "publishing",
    "documents": "documents",
}
"""Names of the stages on pages."""
UNCHANGED = "unchanged"
_DONE = {
    "new": "added",
    "changed": "updated",
    "renamed": "renamed",
    "settings changed": "read again",
    UNCHANGED: "in the library already",
}
"""Outcome of a document, by the action that the plan names."""


def render_progress(run: BackgroundRun, now: datetime, who: str = "") -> str:
    """The plan, each finished stage with its seconds, and the running one with its gauge; `who` runs the import."""
    finished_stages = "".join(
        f"<li>{render_stage_name(cost.stage)} <small>{cost.documents:,} in {cost.seconds:.1f} s</small></li>"
        for cost in run.stages
        if cost.documents
    )
    current = ""
    if run.stage and run.stage not in {cost.stage for cost in run.stages}:
        share = 100 * run.done / run.of if run.of else 0
        estimate = describe_progress(run.left, run.pages_second, run.document)
        current = (
            f'<li aria-current="step">{render_stage_name(run.stage)} <small>{run.done:,} of {run.of:,}</small>'
            f'<span class="k-gauge" role="progressbar" aria-label="{run.stage}" aria-valuemin="0" '
            f'aria-valuemax="{run.of}" aria-valuenow="{run.done}"><i style="width:{share:.0f}%"></i></span>'
            f"{f' <small>{escape_text(estimate)}</small>' if estimate else ''}</li>"
        )
    seconds = (now - run.started).total_seconds()
    head = ": ".join(part for part in (who, format_plan(run.plan) or run.note or "Starting") if part)
    return (
        f'<div class="k-run" role="status"><p class="k-busy"><i aria-hidden="true"></i>{escape_text(head)} '
        f'<small>{seconds:,.0f} s</small></p><ol class="k-stages">{finished_stages}{current}</ol></div>'
    )


def render_documents(
    documents: Sequence[WorkedDocument], surplus: int = 0, own_sources: Collection[str] = (), *, is_over: bool = False
) -> str:
    """The states of documents, failed ones first, then those of `own_sources`, which the reader imported.

    Other unchanged documents are left out. `surplus` counts further documents. Once the run `is_over`, documents
    that it did not reach are shown as not added.
    """
    visible = [document for document in documents if document.action != UNCHANGED or document.source in own_sources]
    if not visible:
        return ""
    visible.sort(key=lambda document: (document.state is not DocumentState.FAILED, document.source not in own_sources))
    rows = "".join(_render_document(document, is_over=is_over) for document in visible[:MAX_FILES])
    other_count = len(visible[MAX_FILES:]) + surplus
    more = f"<li>and {format_count(other_count, 'other')}</li>" if other_count else ""
    return f'<ul class="k-files">{rows}{more}</ul>'


def render_stage_name(stage: str) -> str:
    """The name of a stage on pages, as HTML."""
    return escape_text(STAGES.get(stage, stage))


def format_plan(counts: dict[str, int]) -> str:
    """A plan in one line: "3 new, 1 changed"."""
    return ", ".join(f"{count:,} {action}" for action, count in counts.items() if count)


def render_result(report: ReportShape) -> str:
    """The result of an import in one line; screen readers read it out when it appears."""
    words = f"{format_count(report.documents, 'document')}, {format_count(report.chunks, 'passage')}"
    if report.generation is None:
        words = f"Nothing changed: {words} ({report.seconds:.1f} s)."
    else:
        plan = f"{format_plan(report.counts)}; {report.seconds:.1f} s (generation {report.generation})"
        words = f"Import finished: {words}. {plan}."
    return f'<p class="k-result" role="status">{escape_text(words)}</p>'


def render_refused_files(reasons: Sequence[tuple[str, str]]) -> str:
    """Files that could not be read, each with the reason and its cure."""
    items = [f"<dt>{escape_text(source)}</dt><dd>{escape_text(reason)}</dd>" for source, reason in reasons[:MAX_FILES]]
    more = f"<dt>and {len(reasons) - MAX_FILES:,} more</dt>" if len(reasons) > MAX_FILES else ""
    return f'<dl class="k-refused">{"".join(items)}{more}</dl>'


def _render_document(document: WorkedDocument, *, is_over: bool) -> str:
    if document.state is DocumentState.FAILED:
        status = f"failed: {escape_text(document.reason)}"
        return f'<li class="k-failed">{escape_text(document.source)} <small>{status}</small></li>'
    if document.state is DocumentState.DONE:
        status = escape_text(_DONE.get(document.action, "done"))
    elif is_over:
        status = "not added"
    elif document.state is DocumentState.WORKING:
        status = f"{render_stage_name(document.stage)} …"
    else:
        status = f"{render_stage_name(document.stage)} done" if document.stage else "waiting"
    return f"<li>{escape_text(document.source)} <small>{status}</small></li>"
