"""The dashboard's process: Streamlit's own command line, and a thread that reads what the first question needs.

python -m dashboards.server run dashboards/pages/app.py --server.port=8501
"""

from __future__ import annotations

from streamlit.web.cli import main

from dashboards.warming import start_preloading

if __name__ == "__main__":
    start_preloading()
    # The name that Streamlit shows of its command.
    main(prog_name="streamlit")
