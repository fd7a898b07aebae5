"""Shared HTML of the pages: pure functions from records to text that is safe to show. None of it imports Streamlit.

`safe_text` escapes, and draws errors, notes and lists, `passage_markup` text with marks, `hits` search results and
sources, `import_progress` imports; `theme` holds colours, pictures and the style sheet.

Whatever comes from a document (its text, names, links) is escaped here, once, and is never passed to Streamlit as
Markdown. Streamlit itself passes HTML through DOMPurify; nothing here relies on that.
"""
