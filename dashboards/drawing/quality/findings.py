"""Findings as HTML: a rule's page, what was found in a passage, and how a score comes about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from dashboards.drawing.escaping import text_html
from dashboards.facts.quality.scores import ScoreBreakdown
from tasks.quality.contract import Rule, Scope
from tasks.quality.listing import page_of
from warehouse.records import Finding

_SEEN = {Scope.CHUNK: "passage", Scope.CORPUS: "set of documents"}
_CODE = re.compile(r"`([^`]*)`")


def rule_html(rule: Rule) -> str:
    """What a rule finds, why that hurts retrieval, an example, and the cure."""
    page = page_of(rule)
    costs = f"each finding lowers the score of a passage by {rule.penalty:g}" if rule.penalty else "lowers no score"
    told = {"What": page.what, "Why it hurts": page.why, "Example": page.example, "Cure": page.cure}
    items = "".join(f"<dt>{name}</dt><dd>{sentence_html(text)}</dd>" for name, text in told.items())
    return (
        f'<p class="k-rule">{sentence_html(page.title)}</p>'
        f'<p class="k-where"><span class="k-severity k-{rule.severity.value}">{rule.severity.value}</span> '
        f"· about a {_SEEN.get(rule.scope, rule.scope.value)} · {costs}</p>"
        f'<dl class="k-facts">{items}</dl>'
    )


def findings_html(findings: Sequence[Finding]) -> str:
    """Each finding with its rule and severity."""
    return f'<ul class="k-findings">{"".join(map(_finding, findings))}</ul>'


def ledger_html(explained: ScoreBreakdown, stored: float | None) -> str:
    """A score as a sum: what the passage starts with, what each finding takes off, and what is left.

    `stored` is the score that search uses, told where it is another.
    """
    rows = [_line(f"Start, as {explained.why}", explained.begins)]
    rows += [_line(f"{charge.code} {charge.name}", -charge.penalty) for charge in explained.charges]
    total = f"<tr><th scope='row'>Score</th><td>{explained.score:.2f}</td></tr>"
    notes = [explained.remark] if explained.remark else []
    if stored is not None and abs(stored - explained.score) > 1e-6:
        notes.append(f"Search uses {stored:.2f}: the import does not compare documents, and this check does.")
    told = "".join(f'<p class="k-where">{text_html(note)}</p>' for note in notes)
    return f'<table class="k-ledger"><tbody>{"".join(rows)}</tbody><tfoot>{total}</tfoot></table>{told}'


def _finding(finding: Finding) -> str:
    severity = finding.severity.value
    return (
        f'<li><span class="k-severity k-{severity}">{severity}</span> <strong>{text_html(finding.code)}</strong> '
        f"{text_html(finding.message)}</li>"
    )


def _line(name: str, value: float) -> str:
    amount = f"{value:.2f}" if value >= 0 else f"−{-value:.2f}"
    return f"<tr><th scope='row'>{text_html(name)}</th><td>{amount}</td></tr>"


def sentence_html(text: str) -> str:
    """A sentence of a rule's page: with a capital, and what stands between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text[:1].upper() + text[1:]))
