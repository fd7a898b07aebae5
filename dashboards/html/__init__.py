"""Shared HTML of the pages: pure functions from records to text that is safe to show. None of it imports Streamlit.

`render_x` returns HTML, `format_x` and `describe_x` plain text; the pages' `draw_x` show it.

Whatever comes from a document (its text, names, links) is escaped here, once, and is never passed to Streamlit as
Markdown. Streamlit itself passes HTML through DOMPurify; nothing here relies on that.
"""
