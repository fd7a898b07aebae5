"""All of a generation: what the score means, what to mend first, how passages score, and all findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.charts.quality import chart_scores, chart_severities
from dashboards.drawing.notices import nothing_html
from dashboards.facts.quality.checked import Examination
from dashboards.facts.quality.findings import FindingTable
from dashboards.facts.quality.overview import WEAK_SCORE, summarize_scores
from dashboards.facts.quality.overview import count_by_score as distributed
from dashboards.pages.quality.choosing import select_row
from dashboards.pages.quality.filtering import filter_findings
from dashboards.pages.quality.going import QualityAddress, open_address, remember_overview
from dashboards.pages.quality.history import draw_history
from dashboards.pages.quality.pairs import draw_pairs
from dashboards.pages.quality.priorities import MEANING, draw_priorities
from dashboards.pages.quality.worst import draw_documents, draw_passages
from dashboards.widgets import state
from dashboards.widgets.downloading import draw_download
from tasks.quality.wording import counted
from warehouse.reader import Warehouse

SIDES = ("Rules", "Folders", "Kinds", "Documents", "Passages", "Near duplicates", "Generations")


def draw_overview(warehouse: Warehouse, examined: Examination) -> None:
    """Draw the figures, what to do first, the scores, and the findings by what the reader chooses."""
    remember_overview()
    st.markdown(MEANING)
    _figures(warehouse, examined)
    draw_priorities(examined)
    rows = distributed(warehouse)
    if any(row["passages"] for row in rows):
        st.header("Distribution of scores", anchor=False)
        st.altair_chart(chart_scores(rows), alt=_told(rows))
    st.header("All findings", anchor=False)
    side = st.segmented_control(
        "Show by",
        SIDES,
        key=state.key("quality", "by"),
        default=state.default("quality", "by"),
        required=True,
        bind="query-params",
    )
    if side == "Documents":
        draw_documents(examined)
    elif side == "Passages":
        draw_passages(warehouse)
    elif side == "Near duplicates":
        draw_pairs(examined)
    elif side == "Generations":
        draw_history(warehouse)
    else:
        _findings(filter_findings(examined.findings), side)


def _figures(warehouse: Warehouse, examined: Examination) -> None:
    scores = summarize_scores(warehouse)
    mean = examined.report.score if examined.report else scores.mean
    affected = len(examined.findings.values("document_id"))
    figures = {
        "Mean score": "–" if mean is None else f"{mean:.3f}",
        f"Passages below {WEAK_SCORE}": f"{scores.weak:,} of {scores.passages:,}",
        "Findings": f"{len(examined.findings):,}",
        "Files with findings": f"{affected:,} of {examined.documents.num_rows:,}",
    }
    with st.container(key="figures"):
        for column, (name, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(name, value, border=True)
    if examined.suppressed:
        st.caption(
            f"{counted(examined.suppressed, 'more finding is', 'more findings are')} hidden, as the files ask for."
        )


def _told(rows: list[dict[str, Any]]) -> str:
    shown = ", ".join(f"{row['passages']:,} at {row['score']:.2f}" for row in rows if row["passages"])
    return f"Number of passages by score: {shown}"


def _findings(found: FindingTable, side: str) -> None:
    if not len(found):
        st.html(nothing_html("No findings.", "No rule found a fault in these documents."))
        return
    column, title = {"Folders": ("folder", "Folder"), "Kinds": ("kind", "Kind")}.get(side, ("code", "Rule"))
    counts = found.counts(column, "severity") if column != "code" else _named(found)
    told = ", ".join(f"{row[column] or 'no folder'} {row['count']:,} {row['severity']}" for row in counts[:12])
    st.altair_chart(chart_severities(counts, column, title), alt=f"Findings by {title.lower()}: {told}")
    if side == "Rules":
        _rules(found)
    else:
        rows = found.counts(column)
        st.dataframe(
            {name: [row[name] for row in rows] for name in (column, "count", "documents")},
            hide_index=True,
            column_config=_columns({column: st.column_config.TextColumn(title, width="large")}),
            alt=f"Findings by {title.lower()}",
        )
    draw_download("kalends-findings", len(found), lambda: found.table)


def _named(found: FindingTable) -> list[dict[str, Any]]:
    rows = found.counts("code", "name", "severity")
    return [{**row, "code": f"{row['code']} {row['name']}"} for row in rows]


def _rules(found: FindingTable) -> None:
    rows = found.counts("code", "name", "severity")
    config = st.column_config
    st.caption("Open a rule to see its findings and the cure.")
    own = {"code": config.TextColumn("Rule"), "name": config.TextColumn("Name", width="medium")}
    columns = _columns({**own, "severity": config.TextColumn("Severity")})
    row = select_row(rows, columns, "quality-rules", "Findings by rule")
    if row:
        open_address(QualityAddress(rule=row["code"]))


def _columns(own: Mapping[str, Any]) -> dict[str, Any]:
    config = st.column_config
    return {
        **own,
        "count": config.NumberColumn("Findings", format="localized"),
        "documents": config.NumberColumn("Files", format="localized"),
    }
