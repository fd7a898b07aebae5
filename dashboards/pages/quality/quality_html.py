"""HTML of the quality page: rules, findings, scores as sums, priorities, and two texts side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import islice

from dashboards.html.passage_markup import wrap_spans
from dashboards.html.safe_text import escape_text, render_list
from dashboards.pages.quality.quality_queries import RuleCost, ScoreBreakdown
from tasks.quality.phrases import format_count
from tasks.quality.rule import Rule, Scope, list_rules, parse_page
from warehouse.records import Finding

_SCOPE_NAMES = {Scope.CHUNK: "passage", Scope.CORPUS: "set of documents"}
_CODE = re.compile(r"`([^`]*)`")


def render_rule(rule: Rule) -> str:
    """The page of a rule: what it finds, why that hurts retrieval, an example, and the cure."""
    page = parse_page(rule)
    costs = f"each finding lowers the score of a passage by {rule.penalty:g}" if rule.penalty else "lowers no score"
    parts = {"What": page.what, "Why it hurts": page.why, "Example": page.example, "Cure": page.cure}
    items = "".join(f"<dt>{name}</dt><dd>{render_sentence(text)}</dd>" for name, text in parts.items())
    return (
        f'<p class="k-rule">{render_sentence(page.title)}</p>'
        f'<p class="k-where"><span class="k-severity k-{rule.severity.value}">{rule.severity.value}</span> '
        f"· about a {_SCOPE_NAMES.get(rule.scope, rule.scope.value)} · {costs}</p>"
        f'<dl class="k-facts">{items}</dl>'
    )


def render_findings(findings: Sequence[Finding]) -> str:
    """A list of findings with their rules and severities."""
    items = (
        f'<span class="k-severity k-{finding.severity.value}">{finding.severity.value}</span> '
        f"<strong>{escape_text(finding.code)}</strong> {escape_text(finding.message)}"
        for finding in findings
    )
    return render_list("k-findings", list(items))


def render_ledger(breakdown: ScoreBreakdown, stored_score: float | None) -> str:
    """A score as the base score less the penalties of findings; a note names the `stored_score` where it differs."""
    rows = [_render_ledger_row(f"Start, as {breakdown.base_reason}", breakdown.base_score)]
    rows += [_render_ledger_row(f"{charge.code} {charge.name}", -charge.penalty) for charge in breakdown.charges]
    total = f"<tr><th scope='row'>Score</th><td>{breakdown.score:.2f}</td></tr>"
    notes = [breakdown.remark] if breakdown.remark else []
    if stored_score is not None and abs(stored_score - breakdown.score) > 1e-6:
        notes.append(f"Search uses {stored_score:.2f}: the import does not compare documents, and this check does.")
    parts = "".join(f'<p class="k-where">{escape_text(note)}</p>' for note in notes)
    return f'<table class="k-ledger"><tbody>{"".join(rows)}</tbody><tfoot>{total}</tfoot></table>{parts}'


def _render_ledger_row(name: str, value: float) -> str:
    amount = f"{value:.2f}" if value >= 0 else f"−{-value:.2f}"
    return f"<tr><th scope='row'>{escape_text(name)}</th><td>{amount}</td></tr>"


def render_sentence(text: str) -> str:
    """A sentence of a rule's page with a capital letter, and text in backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text[:1].upper() + text[1:]))


_MIN_SHOWN_LOSS = 0.0005  # A smaller loss of the mean score is shown as "less than 0.001".


def render_priority(number: int, cost: RuleCost) -> str:
    """A rule as an entry of the priorities: the fault, its effect, and the cure."""
    rule = list_rules().get(cost.code)
    title, cure = (parse_page(rule).title, parse_page(rule).cure) if rule else (cost.code, "")
    cured = f'<p class="k-cure"><strong>Cure</strong> {render_sentence(cure)}</p>' if cure else ""
    heading = render_sentence(title.rstrip("."))
    return (
        f'<div class="k-priority"><span class="k-number">{number}</span><div><h3>{heading}</h3>'
        f"<p>{escape_text(describe_effect(cost))}</p>{cured}</div></div>"
    )


def describe_effect(cost: RuleCost) -> str:
    """The effect of the findings of a rule in one or two sentences of plain text."""
    if cost.unsearchable:
        return f"No search finds anything in {format_count(cost.unsearchable, 'file')}: no passage could be made."
    most = f", most of them in {cost.source}" if cost.documents > 1 else f", in {cost.source}"
    count = format_count(cost.passages, "passage") if cost.passages else format_count(cost.findings, "finding")
    where = f"{count} {'of' if cost.passages else 'in'} {format_count(cost.documents, 'document')}{most}"
    if not cost.passages or not cost.score_loss:
        return f"{where}. No score is lowered."
    loss = f"{cost.score_loss:.3f}" if cost.score_loss >= _MIN_SHOWN_LOSS else "less than 0.001"
    return f"{where}. The mean score of the library is lower by {loss}."


MAX_WORDS = 4_000  # Words of each text that are compared: the time grows with the product of both numbers.
_WORDS = re.compile(r"\w+|[^\w\s]")
Span = tuple[int, int]


def find_differences(one: str, other: str) -> tuple[list[Span], list[Span]]:
    """The spans of each text that the other lacks, compared by words and signs without case and spacing."""
    from rapidfuzz.distance import Indel

    first, second = list(_WORDS.finditer(one))[:MAX_WORDS], list(_WORDS.finditer(other))[:MAX_WORDS]
    steps = Indel.opcodes([word[0].lower() for word in first], [word[0].lower() for word in second])
    removed_spans = [
        (first[step.src_start].start(), first[step.src_end - 1].end()) for step in steps if step.tag == "delete"
    ]
    added_spans = [
        (second[step.dest_start].start(), second[step.dest_end - 1].end()) for step in steps if step.tag == "insert"
    ]
    return removed_spans, added_spans


def render_side_by_side(headings: tuple[str, str], texts: tuple[str, str]) -> str:
    """Both texts side by side under their headings; words that only one has are `<del>` and `<ins>`."""
    spans = find_differences(*texts)
    sides = "".join(map(_render_side, headings, texts, spans, ("del", "ins")))
    return f'<div class="k-beside">{sides}</div>'


def is_truncated(texts: tuple[str, str]) -> bool:
    """Whether a text has more than `MAX_WORDS` words."""
    return any(sum(1 for _ in _WORDS.finditer(text)) > MAX_WORDS for text in texts)


def _render_side(heading: str, text: str, spans: Sequence[Span], tag: str) -> str:
    last = next(islice(_WORDS.finditer(text), MAX_WORDS - 1, None), None)
    body = wrap_spans(text[: last.end() if last else None], spans, lambda part: f"<{tag}>{escape(part)}</{tag}>")
    return f'<section><h3>{escape_text(heading)}</h3><div class="k-near" dir="auto" tabindex="0">{body}</div></section>'
