"""Overview of a generation: figures, priorities, distribution of scores, findings by kind, history, and the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.html.notices import nothing_html
from dashboards.html.safe_text import markdown_label
from dashboards.pages.quality.charts import chart_generations, chart_scores, chart_severities
from dashboards.pages.quality.examination import DocumentCost, Examination, RuleCost
from dashboards.pages.quality.findings import draw_documents, draw_passages
from dashboards.pages.quality.html import priority_html
from dashboards.pages.quality.passages import draw_pairs
from dashboards.pages.quality.queries import (
    MOST_GENERATIONS,
    WEAK_SCORE,
    FindingTable,
    GenerationQuality,
    count_by_score,
    generation_rows,
    list_generations,
    summarize_generation,
    summarize_scores,
)
from dashboards.pages.quality.selection import (
    QualityAddress,
    draw_open_button,
    filter_findings,
    open_address,
    remember_overview,
    select_row,
)
from dashboards.widgets import state
from dashboards.widgets.row_lists import draw_download
from tasks.check.report import FORMATS
from tasks.quality.phrases import counted
from warehouse.reader import Warehouse

VIEWS = ("Rules", "Folders", "Kinds", "Documents", "Passages", "Near duplicates", "Generations")


MEANING = (
    "The score says from 0 to 1 how well a passage can be found and understood by itself. Each fault lowers it: a "
    "sentence that is cut off, a table in parts, text that every document repeats. A question whose answer is in a "
    f"passage below {WEAK_SCORE} may get a wrong answer or none."
)
_REPORT_FORMS = (
    ("html", "Web page (HTML)", "html", "text/html"),
    ("sarif", "SARIF (for code review tools)", "sarif", "application/sarif+json"),
    ("json", "JSON", "json", "application/json"),
)


def draw_overview(warehouse: Warehouse, examination: Examination) -> None:
    """Draw the figures, the priorities, the distribution of scores, and the findings in the selected view."""
    remember_overview()
    st.markdown(MEANING)
    _draw_figures(warehouse, examination)
    draw_priorities(examination)
    rows = count_by_score(warehouse)
    if any(row["passages"] for row in rows):
        st.header("Distribution of scores", anchor=False)
        st.altair_chart(chart_scores(rows), alt=_describe_distribution(rows))
    st.header("All findings", anchor=False)
    view = st.segmented_control(
        "Show by",
        VIEWS,
        key=state.key("quality", "by"),
        default=state.default("quality", "by"),
        required=True,
        bind="query-params",
    )
    if view == "Documents":
        draw_documents(examination)
    elif view == "Passages":
        draw_passages(warehouse)
    elif view == "Near duplicates":
        draw_pairs(examination)
    elif view == "Generations":
        draw_history(warehouse)
    else:
        _draw_findings(filter_findings(examination.findings), view)


def _draw_figures(warehouse: Warehouse, examination: Examination) -> None:
    scores = summarize_scores(warehouse)
    mean = examination.report.score if examination.report else scores.mean
    affected = len(examination.findings.values("document_id"))
    figures = {
        "Mean score": "–" if mean is None else f"{mean:.3f}",
        f"Passages below {WEAK_SCORE}": f"{scores.weak:,} of {scores.passages:,}",
        "Findings": f"{len(examination.findings):,}",
        "Files with findings": f"{affected:,} of {examination.documents.num_rows:,}",
    }
    with st.container(key="figures"):
        for column, (name, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            column.metric(name, value, border=True)
    if examination.suppressed:
        st.caption(
            f"{counted(examination.suppressed, 'more finding is', 'more findings are')} hidden, as the files ask for."
        )


def _describe_distribution(rows: list[dict[str, Any]]) -> str:
    shown = ", ".join(f"{row['passages']:,} at {row['score']:.2f}" for row in rows if row["passages"])
    return f"Number of passages by score: {shown}"


def _draw_findings(findings: FindingTable, view: str) -> None:
    if not len(findings):
        st.html(nothing_html("No findings.", "No rule found a fault in these documents."))
        return
    column, title = {"Folders": ("folder", "Folder"), "Kinds": ("kind", "Kind")}.get(view, ("code", "Rule"))
    counts = findings.counts(column, "severity") if column != "code" else _count_rules(findings)
    description = ", ".join(f"{row[column] or 'no folder'} {row['count']:,} {row['severity']}" for row in counts[:12])
    st.altair_chart(chart_severities(counts, column, title), alt=f"Findings by {title.lower()}: {description}")
    if view == "Rules":
        _draw_rules(findings)
    else:
        rows = findings.counts(column)
        st.dataframe(
            {name: [row[name] for row in rows] for name in (column, "count", "documents")},
            hide_index=True,
            column_config=_count_columns({column: st.column_config.TextColumn(title, width="large")}),
            alt=f"Findings by {title.lower()}",
        )
    draw_download("kalends-findings", len(findings), lambda: findings.table)


def _count_rules(findings: FindingTable) -> list[dict[str, Any]]:
    rows = findings.counts("code", "name", "severity")
    return [{**row, "code": f"{row['code']} {row['name']}"} for row in rows]


def _draw_rules(findings: FindingTable) -> None:
    rows = findings.counts("code", "name", "severity")
    config = st.column_config
    st.caption("Open a rule to see its findings and the cure.")
    columns_before = {"code": config.TextColumn("Rule"), "name": config.TextColumn("Name", width="medium")}
    columns = _count_columns({**columns_before, "severity": config.TextColumn("Severity")})
    row = select_row(rows, columns, "quality-rules", "Findings by rule")
    if row:
        open_address(QualityAddress(rule=row["code"]))


def _count_columns(columns_before: Mapping[str, Any]) -> dict[str, Any]:
    config = st.column_config
    return {
        **columns_before,
        "count": config.NumberColumn("Findings", format="localized"),
        "documents": config.NumberColumn("Files", format="localized"),
    }


def draw_priorities(examination: Examination) -> None:
    """Draw the rules and the document that lower the mean score most, each with its cure and a link."""
    st.header("What to do first", anchor=False)
    priorities = examination.priorities
    if not priorities.rules:
        st.html(nothing_html("There is nothing to correct.", "Every file was read, and no rule lowers a score."))
        return
    for number, cost in enumerate(priorities.rules, 1):
        with st.container(key=f"quality-priority-{number}", gap="xsmall"):
            st.html(priority_html(number, cost))
            draw_open_button(QualityAddress(rule=cost.code), _label_link(cost), ":material/arrow_forward:")
    if priorities.document:
        _draw_worst_document(priorities.document)


def _label_link(cost: RuleCost) -> str:
    if cost.unsearchable:
        return f"Show the {counted(cost.unsearchable, 'file')}" if cost.unsearchable > 1 else "Show the file"
    return f"Show {counted(cost.findings, 'finding')}"


def _draw_worst_document(cost: DocumentCost) -> None:
    with st.container(key="quality-worst", gap="xsmall"):
        st.caption(f"One document causes {cost.share:.0%} of everything that the score loses.")
        draw_open_button(
            QualityAddress(document=cost.document_id),
            f"Show {markdown_label(cost.source, 60)}",
            ":material/arrow_forward:",
        )


def draw_history(warehouse: Warehouse) -> None:
    """Draw the findings and mean scores of the retained generations as a chart and a table."""
    numbers = list_generations(warehouse)
    with st.spinner("Reading earlier generations …"):
        rows = generation_rows([_cached_summary(str(warehouse.layout.folder), number, warehouse) for number in numbers])
    description = "; ".join(f"generation {r['generation']}: {r['error']} errors, {r['warning']} warnings" for r in rows)
    st.altair_chart(chart_generations(rows), alt=f"Findings by generation: {description}")
    config = st.column_config
    st.dataframe(
        {name: [row[name] for row in rows] for name in rows[0]},
        hide_index=True,
        column_config={
            "generation": config.NumberColumn("Generation"),
            "score": config.NumberColumn("Mean score", format="%.4f"),
            "passages": config.NumberColumn("Passages", format="localized"),
            "error": config.NumberColumn("Errors", format="localized"),
            "warning": config.NumberColumn("Warnings", format="localized"),
            "note": config.NumberColumn("Notes", format="localized"),
        },
        alt="Findings by generation",
    )
    runs = len(warehouse.runs())
    st.caption(
        f"{len(numbers):,} of {counted(runs, 'generation')}: those that maintenance has kept, at most "
        f"the latest {MOST_GENERATIONS}. A generation is the state of the library after one import."
    )
    draw_download("kalends-quality-generations", len(rows), lambda: pa.Table.from_pylist(rows))


@st.cache_data(show_spinner=False, max_entries=64)
def _cached_summary(folder: str, number: int, _warehouse: Warehouse) -> GenerationQuality:
    """Cached summary of a generation: a published generation never changes."""
    return summarize_generation(_warehouse.at(number))


def draw_report_downloads(examination: Callable[[], Examination]) -> None:
    """Draw the downloads of the report; `examination` runs the check when one is requested, unless it is cached."""
    with st.popover("Export report", icon=":material/download:", key="quality-report"):
        st.caption("All findings with documents compared, as 'kalends check --warehouse' reports them.")
        for form, name, suffix, media in _REPORT_FORMS:
            st.download_button(
                name,
                _ReportFile(form, examination),
                f"kalends-quality.{suffix}",
                media,
                on_click="ignore",
                key=f"quality-report-{form}",
                width="stretch",
            )


class _ReportFile:
    """A report in one form as bytes, written when the browser requests it."""

    def __init__(self, form: str, examination: Callable[[], Examination]) -> None:
        self._form = form
        self._examined = examination

    def __call__(self) -> bytes:
        report = self._examined().report
        lines = FORMATS[self._form](report) if report else ()
        return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
