"""The editor of queries: CodeMirror over a text area of Streamlit, with SQL's words highlighted and names completed.

The text area keeps the query and its place in the address; without the editor (`dashboards/editor`) it is used itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import streamlit as st

import dashboards
from dashboards.facts.sql.queries import LONGEST
from dashboards.facts.sql.schema import TableSchema
from dashboards.widgets import state

EDITOR = Path(dashboards.__file__).parent / "editor" / "sql_editor.js"
_PLACEHOLDER = "SELECT …"
_SHOW = """
export default function ({ data, parentElement }) {
  const show = () => window.kalendsSqlEditor.show(parentElement, data);
  if (window.kalendsSqlEditor) show();
  else window.addEventListener("kalendsSqlEditor", show, { once: true });
  return () => {
    window.removeEventListener("kalendsSqlEditor", show);
    window.kalendsSqlEditor?.remove(parentElement);
  };
}
"""


def edit_query(tables: Sequence[TableSchema]) -> str:
    """The query that is in the editor, "" for none; names of these tables and their columns are completed."""
    with st.container(key="sql-console"):
        text = st.text_area(
            "Query",
            key=state.key("sql", "query"),
            bind="query-params",
            height=192,
            max_chars=LONGEST,
            placeholder=_PLACEHOLDER,
        )
        # Drawn apart, the editor itself is sent once a session, whatever the query is.
        st.components.v2.component("kalends_sql_editor", js=_source(), isolate_styles=False)(key="sql-editor-source")
        st.components.v2.component("kalends_sql_query", js=_SHOW, isolate_styles=False)(
            key="sql-editor",
            data={
                "query": text or "",
                "label": "Query",
                "placeholder": _PLACEHOLDER,
                "area": ".st-key-sql-query",
                "most": LONGEST,
                "tables": {table.name: [name for name, _ in table.columns] for table in tables},
            },
        )
    return (text or "").strip()


@cache
def _source() -> str:
    return EDITOR.read_text(encoding="utf-8")
