"""What is scheduled, or how to schedule it."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.drawing.escaping import text_html
from flows.recorded import RecordedDeployment


def schedules_html(deployments: Sequence[RecordedDeployment]) -> str:
    """Each deployment with when it runs."""
    return f'<dl class="k-facts">{"".join(map(_deployment, deployments))}</dl>'


def setup_html() -> str:
    """How to schedule."""
    return (
        "<p>Nothing is scheduled. Run <code>kalends up</code> in the folder with <code>kalends.toml</code> to import "
        "all folders every night and to look for changes every hour.</p>"
    )


def _deployment(each: RecordedDeployment) -> str:
    when = "paused" if each.paused else ", ".join(each.schedules) or "only when started by hand"
    about = f"<br><small>{text_html(each.description)}</small>" if each.description else ""
    return f"<dt>{text_html(each.name)}</dt><dd>{text_html(when)}{about}</dd>"
