"""HTML of the quality page: rules, findings, scores as sums, priorities, and two texts side by side.

All text is escaped here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from dashboards.html.safe_text import text_html
from dashboards.pages.quality.examination import RuleCost
from dashboards.pages.quality.queries import ScoreBreakdown
from tasks.quality.contract import Rule, Scope
from tasks.quality.listing import every_rule, page_of
from tasks.quality.wording import counted
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


_LEAST = 0.0005
"""A smaller loss of the mean score is not told in figures."""


def priority_html(number: int, cost: RuleCost) -> str:
    """A rule as one entry of the list: what is wrong, what that costs, and the cure."""
    rule = every_rule().get(cost.code)
    title, cure = (page_of(rule).title, page_of(rule).cure) if rule else (cost.code, "")
    cured = f'<p class="k-cure"><strong>Cure</strong> {sentence_html(cure)}</p>' if cure else ""
    head = sentence_html(title.rstrip("."))
    return (
        f'<div class="k-priority"><span class="k-number">{number}</span><div><h3>{head}</h3>'
        f"<p>{text_html(describe_effect(cost))}</p>{cured}</div></div>"
    )


def describe_effect(cost: RuleCost) -> str:
    """What the findings of a rule cost, as a sentence or two."""
    if cost.unsearchable:
        return f"No search finds anything in {counted(cost.unsearchable, 'file')}: no passage could be made."
    most = f", most of them in {cost.source}" if cost.documents > 1 else f", in {cost.source}"
    if not cost.passages:
        return (
            f"{counted(cost.findings, 'finding')} in {counted(cost.documents, 'document')}{most}. No score is lowered."
        )
    where = f"{counted(cost.passages, 'passage')} of {counted(cost.documents, 'document')}{most}"
    if not cost.lost:
        return f"{where}. No score is lowered."
    return f"{where}. The mean score of the library is lower by {_points(cost.lost)}."


def _points(lost: float) -> str:
    return f"{lost:.3f}" if lost >= _LEAST else "less than 0.001"


MOST_WORDS = 4_000
"""Words of each text that are compared: the comparison takes their product."""
_WORDS = re.compile(r"\w+|[^\w\s]")
Span = tuple[int, int]


def find_differences(one: str, other: str) -> tuple[list[Span], list[Span]]:
    """The spans of each text that the other has not, by its words and signs, whatever their case and spacing."""
    from rapidfuzz.distance import Indel

    first, second = list(_WORDS.finditer(one))[:MOST_WORDS], list(_WORDS.finditer(other))[:MOST_WORDS]
    steps = Indel.opcodes([each[0].lower() for each in first], [each[0].lower() for each in second])
    lost = [(step.src_start, step.src_end) for step in steps if step.tag == "delete"]
    gained = [(step.dest_start, step.dest_end) for step in steps if step.tag == "insert"]
    return list(_spans(first, lost)), list(_spans(second, gained))


def side_by_side_html(heads: tuple[str, str], texts: tuple[str, str]) -> str:
    """Both texts under their heads; words that only one has are marked, and said to be so."""
    spans = find_differences(*texts)
    sides = "".join(map(_side, heads, texts, spans, ("del", "ins")))
    return f'<div class="k-beside">{sides}</div>'


def is_truncated(texts: tuple[str, str]) -> bool:
    """Whether a text has more words than are compared."""
    return any(sum(1 for _ in _WORDS.finditer(text)) > MOST_WORDS for text in texts)


def _side(head: str, text: str, spans: Sequence[Span], tag: str) -> str:
    body = _marked(_first_words(text), spans, tag)
    return f'<section><h3>{text_html(head)}</h3><div class="k-near" dir="auto" tabindex="0">{body}</div></section>'


def _first_words(text: str) -> str:
    for number, word in enumerate(_WORDS.finditer(text), 1):
        if number == MOST_WORDS:
            return text[: word.end()]
    return text


def _marked(text: str, spans: Sequence[Span], tag: str) -> str:
    pieces, done = [], 0
    for start, end in spans:
        pieces.append(f"{escape(text[done:start])}<{tag}>{escape(text[start:end])}</{tag}>")
        done = end
    return "".join((*pieces, escape(text[done:])))


def _spans(words: Sequence[re.Match[str]], runs: Sequence[Span]) -> Iterator[Span]:
    return ((words[first].start(), words[last - 1].end()) for first, last in runs)
