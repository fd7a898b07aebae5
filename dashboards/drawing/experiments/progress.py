"""The progress of an experiment in the background, configuration by configuration, and its result."""

from __future__ import annotations

from collections.abc import Mapping

from dashboards.background.records import GridReport
from dashboards.drawing.escaping import text_html
from tasks.quality.wording import counted

MOST_LISTED = 60
"""Configurations told one by one."""
_INGEST = "ingest"


def configurations_html(told: Mapping[str, str]) -> str:
    """What was last told of each configuration, the latest first; the others wait or are known already."""
    heard = [(name, line) for name, line in told.items() if line]
    done = sum(line != _INGEST for _, line in heard)
    items = "".join(_row(name, line) for name, line in heard[::-1][:MOST_LISTED])
    more = f"<li>and {len(heard) - MOST_LISTED:,} more</li>" if len(heard) > MOST_LISTED else ""
    count = f'<p class="k-where">{done:,} of {counted(len(told), "configuration")} finished in this run</p>'
    return f'{count}<ul class="k-tries">{items}{more}</ul>'


def describe_result(report: GridReport) -> str:
    """What a run came to, in one line."""
    kept = len(report.trials) - report.asked
    parts = [f"{counted(report.asked, 'configuration')} tried"]
    parts += [f"{kept:,} tried before"] if kept else []
    parts += [f"{len(report.failed):,} failed"] if report.failed else []
    return ", ".join(parts) + "."


def _row(name: str, line: str) -> str:
    failed = ' class="k-failed"' if line.startswith("failed: ") else ""
    return f"<li{failed}><code>{text_html(name)}</code> {text_html(line)}</li>"
