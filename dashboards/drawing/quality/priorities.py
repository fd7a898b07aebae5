"""What to mend first, in words: what a rule costs, and how that is cured."""

from __future__ import annotations

from dashboards.drawing.escaping import text_html
from dashboards.drawing.quality.findings import sentence_html
from dashboards.facts.quality.priorities import RuleCost
from tasks.quality.listing import every_rule, page_of
from tasks.quality.wording import counted

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
