"""How far an ingest in the background is, and what it came to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboards.background.records import BackgroundRun, ReportShape
from dashboards.drawing.escaping import plain

MOST = 50
"""Files told one by one."""


def progress_html(run: BackgroundRun, now: datetime) -> str:
    """The plan, each stage that is done with what it cost, and the one that is worked on."""
    done = "".join(
        f"<li>{plain(cost.stage)} <small>{cost.documents:,} in {cost.seconds:.1f} s</small></li>"
        for cost in run.stages
        if cost.documents
    )
    going = run.stage if run.stage not in {cost.stage for cost in run.stages} else ""
    seconds = (now - run.started).total_seconds()
    head = planned(run.plan) or run.note or "Starting"
    return (
        f'<div class="k-run" role="status"><p class="k-busy"><i aria-hidden="true"></i>{plain(head)} '
        f'<small>{seconds:,.0f} s</small></p><ol class="k-stages">{done}{_going(run) if going else ""}</ol></div>'
    )


def planned(counts: dict[str, int]) -> str:
    """A plan in one line."""
    return ", ".join(f"{count:,} {action}" for action, count in counts.items() if count)


def result_of(report: ReportShape) -> str:
    """What a run came to, in one line."""
    held = f"{report.documents:,} documents, {report.chunks:,} passages"
    if report.generation is None:
        return f"Nothing changed: {held} ({report.seconds:.1f} s)."
    return f"Published generation {report.generation}: {held}. {planned(report.counts)}; {report.seconds:.1f} s."


def result_html(report: ReportShape) -> str:
    """The same as HTML, read out when it appears."""
    return f'<p class="k-result" role="status">{plain(result_of(report))}</p>'


def refused_html(reasons: Sequence[tuple[str, str]]) -> str:
    """Files that could not be read, each with the reason and its cure."""
    items = "".join(f"<dt>{plain(source)}</dt><dd>{plain(reason)}</dd>" for source, reason in reasons[:MOST])
    more = f"<dt>and {len(reasons) - MOST:,} more</dt>" if len(reasons) > MOST else ""
    return f'<dl class="k-refused">{items}{more}</dl>'


def _going(run: BackgroundRun) -> str:
    share = 100 * run.done / run.of if run.of else 0
    return (
        f'<li aria-current="step">{plain(run.stage)} <small>{run.done:,} of {run.of:,}</small>'
        f'<span class="k-gauge" role="progressbar" aria-label="{run.stage}" aria-valuemin="0" aria-valuemax="{run.of}" '
        f'aria-valuenow="{run.done}"><i style="width:{share:.0f}%"></i></span></li>'
    )
