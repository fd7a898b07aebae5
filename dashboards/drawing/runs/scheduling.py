"""What is scheduled, or how to schedule it."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.drawing.escaping import plain
from flows.recorded import Deployed

_COMMANDS = (
    "kalends up",
    "export PREFECT_API_URL=http://127.0.0.1:PORT/api KALENDS_HOME=$PWD",
    "prefect work-pool create local --type process",
    "prefect --no-prompt deploy --all",
    "prefect worker start --pool local --limit 1",
)
"""Those of the head of prefect.yaml."""


def schedules_html(deployments: Sequence[Deployed]) -> str:
    """Each deployment with when it runs."""
    return f'<dl class="k-facts">{"".join(map(_deployment, deployments))}</dl>'


def setup_html() -> str:
    """The commands that schedule an ingest of every night."""
    lines = "\n".join(map(plain, _COMMANDS))
    return (
        "<p>Nothing is scheduled. In the folder with <code>kalends.toml</code> and <code>prefect.yaml</code>, these "
        f'read all declared folders every night at two:</p><pre class="k-commands" tabindex="0">{lines}</pre>'
    )


def _deployment(each: Deployed) -> str:
    when = "paused" if each.paused else ", ".join(each.schedules) or "when it is started by hand"
    about = f"<br><small>{plain(each.description)}</small>" if each.description else ""
    return f"<dt>{plain(each.name)}</dt><dd>{plain(when)}{about}</dd>"
