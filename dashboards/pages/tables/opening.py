"""What is opened goes into the page's address, and is drawn below the list."""

from __future__ import annotations

import streamlit as st


def open_table(document_id: str, number: int, cell: tuple[int, int] | None = None) -> None:
    """Put a table, and a cell of it, into the address, and draw the page anew."""
    lead_to(document_id, number, cell)
    st.rerun()


def lead_to(document_id: str, number: int | None, cell: tuple[int, int] | None = None) -> None:
    """Put a table into the address, or only its document, where no number is given."""
    named = {"table": number, "cell": f"{cell[0]}.{cell[1]}" if cell else None}
    st.query_params["document"] = document_id
    for name, value in named.items():
        if value is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = str(value)
