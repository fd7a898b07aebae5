"""Progress of an import in the background as HTML: its stages, its documents, and its result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from dashboards.background.runs import BackgroundRun, ReportShape, WorkedDocument
from dashboards.html.safe_text import text_html
from flows.progress import DocumentState
from tasks.quality.phrases import counted

MOST_FILES = 50
"""Files shown one by one."""
STAGES = {
    "parse": "reading",
    "tables": "tables",
    "temporal": "dates",
    "entities": "names",
    "chunk": "passages",
    "score": "quality",
    "embed": "vectors",
    "publish": "publishing",
}
"""What the stages are called here, by their names."""
UNCHANGED = "unchanged"
_DONE = {
    "new": "added",
    "changed": "updated",
    "renamed": "renamed",
    "settings changed": "read again",
    UNCHANGED: "in the library already",
}
"""What was done with a document, by what the plan said."""


def progress_html(run: BackgroundRun, now: datetime, who: str = "") -> str:
    """The plan, each stage that is done with what it cost, and the one that is worked on; `who` runs it."""
    done = "".join(
        f"<li>{stage_name(cost.stage)} <small>{cost.documents:,} in {cost.seconds:.1f} s</small></li>"
        for cost in run.stages
        if cost.documents
    )
    going = run.stage if run.stage not in {cost.stage for cost in run.stages} else ""
    seconds = (now - run.started).total_seconds()
    head = ": ".join(part for part in (who, plan_words(run.plan) or run.note or "Starting") if part)
    return (
        f'<div class="k-run" role="status"><p class="k-busy"><i aria-hidden="true"></i>{text_html(head)} '
        f'<small>{seconds:,.0f} s</small></p><ol class="k-stages">{done}{_going(run) if going else ""}</ol></div>'
    )


def documents_html(
    documents: Sequence[WorkedDocument], unlisted: int = 0, own: Collection[str] = (), *, is_over: bool = False
) -> str:
    """How far each document is: those that failed first, then those of the sources that are the reader's `own`.

    Documents that are as they were are left out, but for the reader's own. `unlisted` counts others. Where the run
    `is_over`, those that it did not come to are not added.
    """
    shown = [each for each in documents if each.action != UNCHANGED or each.source in own]
    if not shown:
        return ""
    shown.sort(key=lambda each: (each.state is not DocumentState.FAILED, each.source not in own))
    rows = "".join(_document(each, is_over=is_over) for each in shown[:MOST_FILES])
    others = len(shown[MOST_FILES:]) + unlisted
    more = f"<li>and {counted(others, 'other')}</li>" if others else ""
    return f'<ul class="k-files">{rows}{more}</ul>'


def stage_name(stage: str) -> str:
    """What a stage is called on a page."""
    return text_html(STAGES.get(stage, stage))


def plan_words(counts: dict[str, int]) -> str:
    """A plan in one line."""
    return ", ".join(f"{count:,} {action}" for action, count in counts.items() if count)


def result_words(report: ReportShape) -> str:
    """What a run came to, in one line."""
    held = f"{counted(report.documents, 'document')}, {counted(report.chunks, 'passage')}"
    if report.generation is None:
        return f"Nothing changed: {held} ({report.seconds:.1f} s)."
    plan = plan_words(report.counts)
    return f"Import finished: {held}. {plan}; {report.seconds:.1f} s (generation {report.generation})."


def result_html(report: ReportShape) -> str:
    """The same as HTML, read out when it appears."""
    return f'<p class="k-result" role="status">{text_html(result_words(report))}</p>'


def refused_html(reasons: Sequence[tuple[str, str]]) -> str:
    """Files that could not be read, each with the reason and its cure."""
    items = "".join(
        f"<dt>{text_html(source)}</dt><dd>{text_html(reason)}</dd>" for source, reason in reasons[:MOST_FILES]
    )
    more = f"<dt>and {len(reasons) - MOST_FILES:,} more</dt>" if len(reasons) > MOST_FILES else ""
    return f'<dl class="k-refused">{items}{more}</dl>'


def _document(each: WorkedDocument, *, is_over: bool) -> str:
    if each.state is DocumentState.FAILED:
        return f'<li class="k-failed">{text_html(each.source)} <small>failed: {text_html(each.reason)}</small></li>'
    if each.state is DocumentState.DONE:
        status = text_html(_DONE.get(each.action, "done"))
    elif is_over:
        status = "not added"
    elif each.state is DocumentState.WORKING:
        status = f"{stage_name(each.stage)} …"
    else:
        status = f"{stage_name(each.stage)} done" if each.stage else "waiting"
    return f"<li>{text_html(each.source)} <small>{status}</small></li>"


def _going(run: BackgroundRun) -> str:
    share = 100 * run.done / run.of if run.of else 0
    name = stage_name(run.stage)
    return (
        f'<li aria-current="step">{name} <small>{run.done:,} of {run.of:,}</small>'
        f'<span class="k-gauge" role="progressbar" aria-label="{run.stage}" aria-valuemin="0" aria-valuemax="{run.of}" '
        f'aria-valuenow="{run.done}"><i style="width:{share:.0f}%"></i></span></li>'
    )
