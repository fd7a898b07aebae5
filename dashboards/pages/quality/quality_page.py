"""Quality page: how well passages can be found and understood, their faults, and what to correct first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial

import pyarrow as pa
import streamlit as st
from streamlit import column_config as config

from dashboards.html.safe_text import format_markdown_label, render_empty_state
from dashboards.pages.quality.findings import (
    QualityAddress,
    draw_breadcrumbs,
    draw_documents,
    draw_findings,
    draw_open_button,
    draw_pair,
    draw_pairs,
    draw_passage,
    draw_passages,
    filter_findings,
    open_address,
    read_address,
    select_row,
)
from dashboards.pages.quality.quality_charts import chart_generations, chart_scores, chart_severities
from dashboards.pages.quality.quality_html import render_priority
from dashboards.pages.quality.quality_queries import (
    MAX_GENERATIONS,
    WEAK_SCORE,
    Examination,
    FindingTable,
    count_by_score,
    list_generations,
    load_examination,
    run_examination,
    summarize_generation,
    summarize_scores,
)
from dashboards.widgets import state
from dashboards.widgets.data_elements import draw_download, draw_figures, make_number_columns
from dashboards.widgets.resources import PageContext, cache_query, load_page_context
from tasks.check.report import FORMATS
from tasks.quality.phrases import format_count
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings

_SWITCH = state.make_key("quality", "together")


def draw_page() -> None:
    """Draw what the address names: the overview, a rule, a document, a passage, or a pair of near duplicates."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="quality-head"):
        st.title("Quality")
        context = load_page_context()
        warehouse = context.warehouse.pin_generation()
        with st.container(key="quality-how", width="content"):
            st.session_state[_SWITCH] = st.query_params.get("together") == "true"
            is_compared = st.toggle(
                "Compare documents",
                key=_SWITCH,
                on_change=_toggle_comparison,
                args=(st.session_state[_SWITCH],),
                help="Also finds duplicates, broken links and contradictions between documents, as 'kalends check' "
                "does; findings that a file asks to hide are left out. Takes a while the first time.",
            )
        draw_report_downloads(lambda: _examine(context, warehouse, is_compared=True))
    examination = _examine(context, warehouse, is_compared=is_compared)
    address = read_address()
    draw_breadcrumbs(warehouse, address)
    if address.twin:
        draw_pair(warehouse, examination, address.twin)
    elif address.chunk:
        draw_passage(warehouse, examination.findings, address)
    elif address.rule or address.document:
        draw_findings(warehouse, examination, address)
    else:
        draw_overview(warehouse, examination)


def _toggle_comparison(before: object) -> None:
    """Write the switch to the address. A binding by Streamlit would lose it on links within the page."""
    # After the Back button, Streamlit calls this also for the old value that the browser still has.
    if st.session_state[_SWITCH] == before:
        return
    if st.session_state[_SWITCH]:
        st.query_params["together"] = "true"
    else:
        st.query_params.pop("together", None)


def _examine(context: PageContext, warehouse: Warehouse, *, is_compared: bool) -> Examination:
    if not is_compared:
        return _load_cached_examination(warehouse)
    with st.spinner("Checking and comparing all documents …"):
        return _run_cached_examination(warehouse, context.settings, datetime.now(UTC).date())


_load_cached_examination = cache_query(2, shared=True)(load_examination)
_summarize_cached_generation = cache_query(64)(summarize_generation)


@cache_query(2, shared=True)
def _run_cached_examination(warehouse: Warehouse, settings: Settings, today: date) -> Examination:
    return run_examination(warehouse, settings)


VIEWS = ("Rules", "Folders", "Kinds", "Documents", "Passages", "Near duplicates", "Generations")


MEANING = (
    "The score says from 0 to 1 how well a passage can be found and understood by itself. Each fault lowers it: a "
    "sentence that is cut off, a table in parts, text that every document repeats. A question whose answer is in a "
    f"passage below {WEAK_SCORE} may get a wrong answer or none."
)
_REPORT_FORMS = (
    ("html", "Web page (HTML)", "text/html"),
    ("sarif", "SARIF (for code review tools)", "application/sarif+json"),
    ("json", "JSON", "application/json"),
)


def draw_overview(warehouse: Warehouse, examination: Examination) -> None:
    """Draw the figures, the priorities, the distribution of scores, and the findings in the selected view."""
    # The link back restores its view, filters and page number.
    state.set_value("quality", "overview", {name: st.query_params.get_all(name) for name in st.query_params})
    st.markdown(MEANING)
    _draw_figures(warehouse, examination)
    draw_priorities(examination)
    rows = count_by_score(warehouse)
    if any(row["passages"] for row in rows):
        st.header("Distribution of scores", anchor=False)
        distribution = ", ".join(f"{row['passages']:,} at {row['score']:.2f}" for row in rows if row["passages"])
        st.altair_chart(chart_scores(rows), alt=f"Number of passages by score: {distribution}")
    st.header("All findings", anchor=False)
    options = {"default": state.get_default("quality", "by"), "required": True, **state.bind_field("quality", "by")}
    view = st.segmented_control("Show by", VIEWS, **options)
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
    affected_count = len(examination.findings.list_values("document_id"))
    figures = {
        "Mean score": "–" if mean is None else f"{mean:.3f}",
        f"Passages below {WEAK_SCORE}": f"{scores.weak:,} of {scores.passages:,}",
        "Findings": f"{len(examination.findings):,}",
        "Files with findings": f"{affected_count:,} of {examination.documents.num_rows:,}",
    }
    draw_figures(figures)
    if examination.suppressed_count:
        more = format_count(examination.suppressed_count, "more finding is", "more findings are")
        st.caption(f"{more} hidden, as the files ask for.")


def _draw_findings(findings: FindingTable, view: str) -> None:
    if not len(findings):
        st.html(render_empty_state("No findings.", "No rule found a fault in these documents."))
        return
    column, title = {"Folders": ("folder", "Folder"), "Kinds": ("kind", "Kind")}.get(view, ("code", "Rule"))
    counts = findings.count_by(column, "severity")
    if column == "code":
        rules = findings.count_by("code", "name", "severity")
        counts = [{**row, "code": f"{row['code']} {row['name']}"} for row in rules]
    description = ", ".join(f"{row[column] or 'no folder'} {row['count']:,} {row['severity']}" for row in counts[:12])
    st.altair_chart(chart_severities(counts, column, title), alt=f"Findings by {title.lower()}: {description}")
    count_columns = make_number_columns(count="Findings", documents="Files")
    if column == "code":
        st.caption("Open a rule to see its findings and the cure.")
        columns = {
            "code": config.TextColumn("Rule"),
            "name": config.TextColumn("Name", width="medium"),
            "severity": config.TextColumn("Severity"),
            **count_columns,
        }
        row = select_row(rules, columns, "quality-rules", "Findings by rule")
        if row:
            open_address(QualityAddress(rule=row["code"]))
    else:
        rows = findings.count_by(column)
        st.dataframe(
            {name: [row[name] for row in rows] for name in (column, "count", "documents")},
            hide_index=True,
            column_config={column: config.TextColumn(title, width="large"), **count_columns},
            alt=f"Findings by {title.lower()}",
        )
    draw_download("kalends-findings", len(findings), lambda: findings.table)


def draw_priorities(examination: Examination) -> None:
    """Draw the rules and the document that lower the mean score most, each with its cure and a link."""
    st.header("What to do first", anchor=False)
    priorities = examination.priorities
    if not priorities.rules:
        st.html(render_empty_state("There is nothing to correct.", "Every file was read, and no rule lowers a score."))
        return
    for number, cost in enumerate(priorities.rules, 1):
        with st.container(key=f"quality-priority-{number}", gap="xsmall"):
            st.html(render_priority(number, cost))
            files = "the file" if cost.unsearchable == 1 else f"the {format_count(cost.unsearchable, 'file')}"
            label = f"Show {files if cost.unsearchable else format_count(cost.findings, 'finding')}"
            draw_open_button(QualityAddress(rule=cost.code), label, ":material/arrow_forward:")
    if worst := priorities.document:
        with st.container(key="quality-worst", gap="xsmall"):
            st.caption(f"One document causes {worst.share:.0%} of everything that the score loses.")
            label = f"Show {format_markdown_label(worst.source, 60)}"
            draw_open_button(QualityAddress(document=worst.document_id), label, ":material/arrow_forward:")


def draw_history(warehouse: Warehouse) -> None:
    """Draw the findings and mean scores of the retained generations as a chart and a table."""
    numbers = list_generations(warehouse)
    with st.spinner("Reading earlier generations …"):
        rows = [_summarize_cached_generation(warehouse.pin_generation(number)) for number in numbers]
    description = "; ".join(f"generation {r['generation']}: {r['error']} errors, {r['warning']} warnings" for r in rows)
    st.altair_chart(chart_generations(rows), alt=f"Findings by generation: {description}")
    st.dataframe(
        {name: [row[name] for row in rows] for name in rows[0]},
        hide_index=True,
        column_config={
            "generation": config.NumberColumn("Generation"),
            "score": config.NumberColumn("Mean score", format="%.4f"),
            **make_number_columns(passages="Passages", error="Errors", warning="Warnings", note="Notes"),
        },
        alt="Findings by generation",
    )
    runs = len(warehouse.list_runs())
    st.caption(
        f"{len(numbers):,} of {format_count(runs, 'generation')}: those that maintenance has kept, at most "
        f"the latest {MAX_GENERATIONS}. A generation is the state of the library after one import."
    )
    draw_download("kalends-quality-generations", len(rows), lambda: pa.Table.from_pylist(rows))


def draw_report_downloads(examination: Callable[[], Examination]) -> None:
    """Draw the downloads of the report; `examination` runs the check when one is requested, unless it is cached."""
    with st.popover("Export report", icon=":material/download:", key="quality-report"):
        st.caption("All findings with documents compared, as 'kalends check --warehouse' reports them.")
        for form, name, media in _REPORT_FORMS:
            st.download_button(
                name,
                partial(write_report, form, examination),
                f"kalends-quality.{form}",
                media,
                on_click="ignore",
                key=f"quality-report-{form}",
                width="stretch",
            )


def write_report(form: str, examination: Callable[[], Examination]) -> bytes:
    """A report in one of its forms."""
    report = examination().report
    lines = FORMATS[form](report) if report else ()
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
