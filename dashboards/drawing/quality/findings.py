"""Findings as HTML: a rule's page, what was found in a passage, and a score as what is paid of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from dashboards.drawing.escaping import plain
from dashboards.facts.quality.scores import Explained
from tasks.quality.contract import Rule, Scope
from tasks.quality.listing import page_of
from warehouse.records import Finding

_SEEN = {Scope.CHUNK: "passage", Scope.CORPUS: "set of documents"}
_CODE = re.compile(r"`([^`]*)`")


def rule_html(rule: Rule) -> str:
    """What a rule finds, why that hurts retrieval, an example, and the cure."""
    page = page_of(rule)
    costs = f"costs {rule.penalty:g}" if rule.penalty else "costs nothing"
    told = {"What": page.what, "Why it hurts": page.why, "Example": page.example, "Cure": page.cure}
    items = "".join(f"<dt>{name}</dt><dd>{_written(text)}</dd>" for name, text in told.items())
    return (
        f'<p class="k-rule">{_written(page.title)}</p>'
        f'<p class="k-where"><span class="k-severity k-{rule.severity.value}">{rule.severity.value}</span> '
        f"· seen in a {_SEEN.get(rule.scope, rule.scope.value)} · {costs}</p>"
        f'<dl class="k-facts">{items}</dl>'
    )


def findings_html(findings: Sequence[Finding]) -> str:
    """Each finding with its rule and severity."""
    return f'<ul class="k-findings">{"".join(map(_finding, findings))}</ul>'


def ledger_html(explained: Explained, stored: float | None) -> str:
    """A score as an account: what the passage begins with, what each finding takes, and what is left.

    `stored` is the score that is kept with the passage, told where it is another.
    """
    rows = [_line(f"Begins at, as {explained.why}", explained.begins)]
    rows += [_line(f"{charge.code} {charge.name}", -charge.penalty) for charge in explained.charges]
    total = f"<tr><th scope='row'>Score</th><td>{explained.score:.2f}</td></tr>"
    notes = [explained.remark] if explained.remark else []
    if stored is not None and abs(stored - explained.score) > 1e-6:
        notes.append(f"With the passage {stored:.2f} is kept, which search goes by: the ingest compares no documents.")
    told = "".join(f'<p class="k-where">{plain(note)}</p>' for note in notes)
    return f'<table class="k-ledger"><tbody>{"".join(rows)}</tbody><tfoot>{total}</tfoot></table>{told}'


def _finding(finding: Finding) -> str:
    severity = finding.severity.value
    return (
        f'<li><span class="k-severity k-{severity}">{severity}</span> <strong>{plain(finding.code)}</strong> '
        f"{plain(finding.message)}</li>"
    )


def _line(name: str, value: float) -> str:
    amount = f"{value:.2f}" if value >= 0 else f"−{-value:.2f}"
    return f"<tr><th scope='row'>{plain(name)}</th><td>{amount}</td></tr>"


def _written(text: str) -> str:
    """A sentence of a rule's page: with a capital, and what stands between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text[:1].upper() + text[1:]))
