"""A page for people: one file of HTML without scripts, grouped by document, each rule with its cure."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tasks.check.report import Report, ReportedFinding
from tasks.quality.phrases import format_count
from tasks.quality.rule import list_rules, parse_page

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c2024}
h1{font-size:1.4rem}h2{font-size:1.05rem;margin:2rem 0 .3rem}h2 small{color:#60646c;font-weight:400}
table{border-collapse:collapse;width:100%}
td{border-top:1px solid #e0e1e6;padding:.35rem .6rem .35rem 0;vertical-align:top}
td:nth-child(1),td:nth-child(2){white-space:nowrap}td small{display:block;color:#60646c}
.error{color:#b91c1c}.warning{color:#9a5b00}.note{color:#3358a8}
"""


def format_html(report: Report) -> Iterator[str]:
    """The lines of the file."""
    score = f", score {report.score:.2f}" if report.score is not None else ""
    head = f"{format_count(report.by_severity.total(), 'problem')} in {format_count(len(report.files), 'file')}{score}"
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    yield f"<title>Kalends check</title><style>{_STYLE}</style></head><body><h1>{escape(head)}</h1>"
    for file in report.files:
        if file.entries or file.is_below:
            score = f"score {file.score:.2f}" if file.score is not None else "not read"
            below = f", less than {file.min_score:.2f}" if file.is_below else ""
            yield f"<h2>{escape(file.path)} <small>{score}{below}</small></h2><table>"
            yield from map(_format_row, file.entries)
            yield "</table>"
    yield "</body></html>"


def _format_row(entry: ReportedFinding) -> str:
    finding = entry.source_finding.finding
    page = parse_page(list_rules()[finding.code])
    place = entry.place.removeprefix(entry.path).lstrip(":")
    code = f'<span class="{finding.severity}" title="{escape(page.title)}">{finding.code}</span>'
    cell = f"{escape(finding.message)}<small>{escape(page.why)}</small>"
    return f"<tr><td>{escape(place)}</td><td>{code}</td><td>{cell}</td></tr>"


members = {"html": format_html}
