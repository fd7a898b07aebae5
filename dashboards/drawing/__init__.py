"""How records look: pure functions from records to text that is safe to show.

Whatever comes from a document (its text, names, links) is escaped here, once, and nowhere is it handed to Streamlit as
Markdown. Streamlit itself passes HTML through DOMPurify; nothing here relies on that.
"""
