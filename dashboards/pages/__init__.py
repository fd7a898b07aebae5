"""The pages of the dashboard: a package a page, and `app`, which Streamlit runs."""
