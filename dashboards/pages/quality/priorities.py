"""What the score means, and what to mend first."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.drawing.notices import nothing_html
from dashboards.drawing.quality.priorities import priority_html
from dashboards.facts.quality.checked import Examination
from dashboards.facts.quality.overview import WEAK_SCORE
from dashboards.facts.quality.priorities import DocumentCost, RuleCost
from dashboards.pages.quality.going import QualityAddress, draw_link
from tasks.quality.wording import counted

MEANING = (
    "The score says from 0 to 1 how well a passage can be found and understood by itself. Each fault lowers it: a "
    "sentence that is cut off, a table in parts, text that every document repeats. A question whose answer stands in a "
    f"passage below {WEAK_SCORE} may get a wrong answer or none."
)


def draw_priorities(examined: Examination) -> None:
    """Draw the rules and the document that cost most, each with its cure and the way to its passages."""
    st.header("What to do first", anchor=False)
    found = examined.priorities
    if not found.rules:
        st.html(nothing_html("There is nothing to mend.", "Every file was read, and no rule lowers a score."))
        return
    for number, cost in enumerate(found.rules, 1):
        with st.container(key=f"quality-priority-{number}", gap="xsmall"):
            st.html(priority_html(number, cost))
            draw_link(QualityAddress(rule=cost.code), _name(cost), ":material/arrow_forward:")
    if found.document:
        _worst(found.document)


def _name(cost: RuleCost) -> str:
    if cost.unsearchable:
        return f"Show the {counted(cost.unsearchable, 'file')}" if cost.unsearchable > 1 else "Show the file"
    return f"Show {counted(cost.findings, 'finding')}"


def _worst(worst: DocumentCost) -> None:
    with st.container(key="quality-worst", gap="xsmall"):
        st.caption(f"One document causes {worst.share:.0%} of everything that the score loses.")
        draw_link(
            QualityAddress(document=worst.document_id),
            f"Show {markdown_label(worst.source, 60)}",
            ":material/arrow_forward:",
        )
