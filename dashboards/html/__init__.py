"""Shared HTML of the pages: pure functions from records to text that is safe to show. None of it imports Streamlit.

`safe_text` escapes, `notices` draws errors, notes and lists of facts, `passage_markup` draws text with marks,
`hits` draws search results and sources, `import_progress` draws imports, `theme` holds colours and the style sheet.

Whatever comes from a document (its text, names, links) is escaped here, once, and is never passed to Streamlit as
Markdown. Streamlit itself passes HTML through DOMPurify; nothing here relies on that.
"""
